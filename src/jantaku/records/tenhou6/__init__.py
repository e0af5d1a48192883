"""tenhou.net/6 JSON, the format of the editor in Tenhou's log viewer: reading and writing."""

from jantaku.records.tenhou6.read import parse_tenhou
from jantaku.records.tenhou6.write import dumps_tenhou, to_tenhou

__all__ = ["dumps_tenhou", "parse_tenhou", "to_tenhou"]

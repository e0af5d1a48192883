"""Exits with installation instructions if one of the compared packages is missing."""

from importlib.util import find_spec
from typing import Final

PEERS: Final = ("jansou", "mahjong", "riichienv", "xiangting")

if missing := [name for name in PEERS if find_spec(name) is None]:
    raise SystemExit(f"Not installed: {', '.join(missing)}. Run: make .venv/installed-bench")

"""The language of conditions of own yaku: parser, checks and compiler. ``docs/own-yaku.md`` describes it."""

from jantaku.rules.own.reader import MOST_TEXT, Condition, read
from jantaku.rules.own.steps import Program, program

__all__ = ["MOST_TEXT", "Condition", "Program", "program", "read"]

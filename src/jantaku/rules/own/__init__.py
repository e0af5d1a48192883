"""Conditions of custom yaku: parser, checks and compiler. ``docs/own-yaku.md`` describes the language."""

from jantaku.rules.own.reader import MAX_TEXT, Condition, read
from jantaku.rules.own.steps import Program, program

__all__ = ["MAX_TEXT", "Condition", "Program", "program", "read"]

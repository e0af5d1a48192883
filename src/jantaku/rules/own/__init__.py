"""Yaku as data: the language of their conditions, read and checked; ``docs/own-yaku.md`` describes it."""

from jantaku.rules.own.reader import MOST_TEXT, Condition, read
from jantaku.rules.own.steps import Program, program

__all__ = ["MOST_TEXT", "Condition", "Program", "program", "read"]

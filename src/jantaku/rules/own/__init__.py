"""Yaku as data: the language of their conditions, read and checked; ``docs/own-yaku.md`` describes it."""

from jantaku.rules.own.reader import MOST_TEXT, read
from jantaku.rules.own.steps import Program, program
from jantaku.rules.own.tree import Condition

__all__ = ["MOST_TEXT", "Condition", "Program", "program", "read"]

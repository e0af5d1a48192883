"""Rulesets for three players that no preset offers; the number of players bypasses the check."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal
from unittest.mock import patch

from jantaku.rules import Ruleset, load
from jantaku.rules.check import hints
from jantaku.rules.options import MatchOptions

START = 25000


def three(name: str = "standard") -> Ruleset:
    """Return a preset changed to three players, with all 136 tiles and one round."""
    rules = load(name)
    players: Any = {"players": 3}
    match = replace(rules.match, uma=(15000, 0, -15000), start_points=START, length="east", **players)
    return replace(rules, match=match)


@contextmanager
def three_may_play() -> Iterator[None]:
    """Let the check accept such rules."""
    with patch.dict(hints(MatchOptions), {"players": Literal[3, 4]}):
        yield

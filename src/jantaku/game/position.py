"""A read-only interface to a game."""

from typing import Protocol

from jantaku.game.actions import Action
from jantaku.game.engine import Record
from jantaku.rules import Ruleset


class Position(Protocol):
    """A game at one moment; implemented by ``Game``."""

    rules: Ruleset

    @property
    def record(self) -> Record:
        """The engine's record."""

    @property
    def offer(self) -> tuple[Record, Action] | None:
        """The last discard, kan or north of this hand: the record before it, and the action."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of each seat."""

    def legal(self, seat: int) -> list[Action]:
        """Return the legal actions of a seat."""

    def fouls(self, seat: int) -> list[Action]:
        """Return the fouls a seat can commit."""

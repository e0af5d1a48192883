"""The read-only interface of a game."""

from typing import Protocol

from jantaku.game.actions import Action
from jantaku.game.engine import Record
from jantaku.rules import Ruleset


class Position(Protocol):
    """A game at one moment; ``Game`` is one."""

    rules: Ruleset

    @property
    def record(self) -> Record:
        """The engine's record."""

    @property
    def offer(self) -> tuple[Record, Action] | None:
        """The record before the last discard or kan of this hand, and that action."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat."""

    def legal(self, seat: int) -> list[Action]:
        """The legal actions of the seat."""

    def fouls(self, seat: int) -> list[Action]:
        """The fouls that the seat can commit."""

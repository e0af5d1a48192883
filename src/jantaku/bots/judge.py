"""Judges: each one rates the actions of a seat, for reviews of finished games and for advice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from jantaku.game import Action, Game


@dataclass(frozen=True, slots=True)
class Judgement:
    """The action that a judge prefers, and its ratings of the legal actions.

    ``values``: higher is better, on the judge's own scale; an action that the judge cannot compare with the
    others is missing.
    """

    best: Action
    values: Mapping[Action, float] = field(default_factory=dict)

    def loss(self, action: Action) -> float | None:
        """Return how much worse an action is than the best one; ``None`` if either has no value."""
        if action == self.best:
            return 0.0
        if action not in self.values or self.best not in self.values:
            return None
        return max(0.0, self.values[self.best] - self.values[action])


class Judge(Protocol):
    """Rates decisions: any object with this method.

    Decisions of one game are judged in order, and each seat's from the same ``Game`` object.
    """

    def judge(self, game: Game, seat: int) -> Judgement | None:
        """Return the ratings for ``seat``, a seat to act, from what it sees; ``None`` omits the decision.

        Raises ``RequestError`` if there are none.
        """
        ...

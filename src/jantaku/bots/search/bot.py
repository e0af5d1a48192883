"""A bot and a judge that search."""

from dataclasses import replace
from itertools import count
from typing import Final

from jantaku.bots.judge import Judgement
from jantaku.bots.search.position import position_to_act
from jantaku.bots.search.search import SearchResult, Settings, search
from jantaku.game import Action, Game
from jantaku.game.actions import Discard

DEFAULT: Final = Settings(budget_ms=200)
SEEDED_DEALS: Final = 32  # of each action; takes about as long as ``DEFAULT``
SEEDS: Final = 1 << 20  # of one bot, one for each decision


class SearchBot:
    """A bot that plays the action with the best expected result; it falls back on its policy's choice.

    Threads can share it. With a budget in deals, the same decisions in the same order are always the same.
    """

    name = "search"

    def __init__(self, settings: Settings = DEFAULT) -> None:
        self.settings = settings
        self._numbers = count()  # of decisions, each of which gets its own seed

    def choose(self, game: Game, seat: int) -> Action:
        """Return one of the legal actions; raises ``RequestError`` if it is not the seat's turn to act."""
        return self.search(game, seat).chosen

    def search(self, game: Game, seat: int) -> SearchResult:
        """Return the result of the search behind ``choose``."""
        seed = self.settings.seed + next(self._numbers)
        return search(position_to_act(game, seat), replace(self.settings, seed=seed))


def seeded_bot(seed: int | None) -> SearchBot:
    """Return a bot that repeats its games with a seed; without one, it searches for a fixed time."""
    return SearchBot(DEFAULT if seed is None else Settings(deals=SEEDED_DEALS, seed=seed * SEEDS))


class SearchJudge:
    """A judge that rates actions by search; the same position always gets the same ratings."""

    def __init__(self, settings: Settings = DEFAULT) -> None:
        self.settings = settings

    def judge(self, game: Game, seat: int) -> Judgement:
        """Return the expected final result of each action that the search compares.

        Raises ``RequestError`` if it is not the seat's turn to act.
        """
        result = search(position_to_act(game, seat), self.settings)
        legal = game.legal(seat)
        values, errors = {}, {}
        for one in result.values:
            for action in (action for action in legal if _is(action, one.action)):
                values[action], errors[action] = one.value, one.gain_error
        return Judgement(result.chosen, values, "points", errors)


def _is(action: Action, choice: Action) -> bool:
    """Return whether an action is a choice, which does not distinguish drawn from held tiles."""
    return (replace(action, drawn=False) if isinstance(action, Discard) else action) == choice

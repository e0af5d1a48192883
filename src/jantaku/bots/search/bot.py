"""A bot that searches."""

from dataclasses import replace
from itertools import count
from typing import Final

from jantaku.bots.search.position import position_to_act
from jantaku.bots.search.search import SearchResult, Settings, search
from jantaku.game import Action, Game

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

"""Search at the table: plays out a seat's actions and chooses the one with the best expected result.

>>> from jantaku.game import Game
>>> game = Game("tenhou", seed=1)
>>> bot = SearchBot(Settings(deals=4))
>>> bot.choose(game, 0) in game.legal(0)
True
"""

from jantaku.bots.search.bot import SearchBot
from jantaku.bots.search.position import KnownPosition, position_to_act
from jantaku.bots.search.search import ActionValue, SearchResult, Settings, search

__all__ = [
    "ActionValue",
    "KnownPosition",
    "SearchBot",
    "SearchResult",
    "Settings",
    "position_to_act",
    "search",
]

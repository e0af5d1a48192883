"""Bots: each one chooses the actions of a seat and sees only what that seat can see.

>>> from jantaku.game import Game
>>> game = Game("tenhou", seed=1)
>>> bot("standard").choose(game, 0) in game.legal(0)
True
"""

from jantaku.bots.levels import LEVELS
from jantaku.bots.match import Match, new_match, play_match
from jantaku.bots.player import Bot, PolicyBot, advice, bot, danger, play
from jantaku.bots.policies import BOTS

__all__ = [
    "BOTS",
    "LEVELS",
    "Bot",
    "Match",
    "PolicyBot",
    "advice",
    "bot",
    "danger",
    "new_match",
    "play",
    "play_match",
]

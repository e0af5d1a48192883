"""Reviews of games: which decisions were mistakes, what they cost, and why.

>>> from jantaku.bots import play
>>> from jantaku.game import Game
>>> game = play(Game("standard", seed=3), "efficient")
>>> next(reviews(game, 0)).judge
'strong'
"""

from jantaku.bots.review.model import (
    Comparison,
    Fact,
    Outcome,
    Reason,
    Review,
    ReviewedDecision,
)
from jantaku.bots.review.reviewer import ROLLOUTS, reviews

__all__ = [
    "ROLLOUTS",
    "Comparison",
    "Fact",
    "Outcome",
    "Reason",
    "Review",
    "ReviewedDecision",
    "reviews",
]

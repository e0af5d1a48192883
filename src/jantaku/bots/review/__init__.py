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
from jantaku.bots.review.reviews import reviews

__all__ = ["Comparison", "Fact", "Outcome", "Reason", "Review", "ReviewedDecision", "reviews"]

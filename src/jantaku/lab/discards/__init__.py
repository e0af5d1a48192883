"""Finds the best discard by playing out every choice of a seat many times.

>>> from jantaku.lab.discards import SeatPosition, known_position
>>> position = SeatPosition.parse("234m567p34567s99p 8s", seat="south", right="9m 1z riichi 4p")
>>> len(known_position(position, "standard").codes)
20
"""

from jantaku.bots.search.position import KnownPosition
from jantaku.lab.discards.answer import ChoiceEstimates, HandAnswer
from jantaku.lab.discards.build import known_position, position_in_game
from jantaku.lab.discards.play import HandQuestion, answers
from jantaku.lab.discards.position import River, SeatPosition

__all__ = [
    "ChoiceEstimates",
    "HandAnswer",
    "HandQuestion",
    "KnownPosition",
    "River",
    "SeatPosition",
    "answers",
    "known_position",
    "position_in_game",
]

"""Bodies of the first hand of somebody who has never played."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.protocol import Hints, Own, TableInfo
from jantaku.server.edge.wire import GameAction, GameEvent, Wire
from jantaku.server.study.first_hand import MOST_MOVES


class FirstHandBody(Wire):
    """Everything the learner has done so far."""

    moves: Annotated[list[GameAction], Field(max_length=MOST_MOVES)]


class FirstHand(Wire):
    """The hand from its deal up to the learner's next choice; ``own`` and ``hints`` are ``null`` at its end.

    ``deposit``: what riichi costs.
    """

    table: TableInfo
    events: list[GameEvent]
    own: Own | None
    hints: Hints | None
    over: bool
    deposit: int

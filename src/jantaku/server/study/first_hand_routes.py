"""The first hand of somebody who has never played."""

import asyncio

from jantaku.game.notation import from_dict
from jantaku.server.edge.routing import router_of
from jantaku.server.people.asking import RequestLanguage
from jantaku.server.study.first_hand import first_hand
from jantaku.server.study.first_hand_bodies import FirstHand, FirstHandBody

router = router_of("/api", "hands")


@router.post("/first-hand")
async def play_first_hand(language: RequestLanguage, body: FirstHandBody) -> FirstHand:
    """Play the learner's actions from the deal on; nothing is stored."""
    moves = [from_dict(move.model_dump(exclude_none=True)) for move in body.moves]
    return FirstHand(**await asyncio.to_thread(first_hand, moves, language))

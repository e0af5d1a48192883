"""What hands would pay: computed by the same settlement as what is entered, and not stored."""

import asyncio
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from jantaku.club import settle
from jantaku.club.entered_hands import ABORTS
from jantaku.club.payment_table import payment_table
from jantaku.kernels.rules import FOULS, nagashi_base
from jantaku.rules import Ruleset
from jantaku.server.events.common.event_rights import EventRights
from jantaku.server.events.recording.game_rights import GameTable
from jantaku.server.events.recording.hand_size import check_hand_size
from jantaku.server.events.recording.payment_bodies import (
    PaymentsInfo,
    PreviewBody,
    PreviewInfo,
    SettlementOptions,
)
from jantaku.server.storage.services import Services

MOST_TABLES = 64


async def payments(services: Services, rights: EventRights) -> PaymentsInfo:
    """The payments of the event's rules."""
    rules = await services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    table = await asyncio.to_thread(table_of_payments, rules)
    return PaymentsInfo.model_validate({**table, "rules": rights.event.rules})


@lru_cache(maxsize=MOST_TABLES)
def table_of_payments(rules: Ruleset) -> dict[str, Any]:
    """The table of payments of a ruleset, and its options that a recorder needs."""
    tree = rules.to_dict()
    return {
        "fingerprint": rules.fingerprint,
        "options": {name: tree[name] for name in SettlementOptions.model_fields},
        "wins": [asdict(win) for win in payment_table(rules).wins],
        "nagashi_base": nagashi_base(rules),
        "aborts": [kind for kind in ABORTS if getattr(rules.draw, kind)],
        "seats": rules.match.players,
        "start_points": rules.match.start_points,
        "deposit": rules.riichi.deposit,
        "needs_points": rules.riichi.needs_points,
        "fouls": {name: getattr(rules.fouls, name) for name in FOULS},
        "two_han_from_honba": rules.win.two_han_from_honba,
        "wareme": rules.score.wareme,
        "nagashi": rules.draw.nagashi_mangan,
        "pao": list(rules.pao.yakuman),
        "feeder": rules.pao.rinshan_after_daiminkan == "feeder_pays",
        "sticks": dict(rules.match.sticks),
        "chips": rules.chips.value,
        "yakitori": rules.match.yakitori,
    }


async def preview(table: GameTable, body: PreviewBody) -> PreviewInfo:
    """The game as it would stand with these hands; raises ``RequestError`` for one that cannot be."""
    table.demand_record()
    for i, hand in enumerate(body.hands):
        check_hand_size(hand, f"hands[{i}]")
    game = await asyncio.to_thread(settle, body.hands, table.rules)
    after = {name: getattr(game, name) for name in ("number", "honba", "deposits")}
    return PreviewInfo.model_validate(game.to_dict() | after)

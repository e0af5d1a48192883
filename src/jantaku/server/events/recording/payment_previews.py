"""Payments of hands, so that recorders can display them before a hand is stored."""

import asyncio
from dataclasses import asdict
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from jantaku.club import settle
from jantaku.club.entered_hands import ABORTS, Abort
from jantaku.club.payment_table import WorthPaid, payment_table
from jantaku.kernels.rules import FOULS, nagashi_base
from jantaku.rules import Ruleset
from jantaku.rules.options import (
    DealOptions,
    DrawOptions,
    EndOptions,
    FoulsOptions,
    MatchOptions,
    PaoOptions,
    RiichiOptions,
    ScoreOptions,
    WinOptions,
)
from jantaku.server.events.common.event import EventRights
from jantaku.server.events.recording.recorded_game import EnteredJson, GameTable, SettledInfo, check_hand_size
from jantaku.server.storage.services import Services
from jantaku.wire import Wire

MAX_PREVIEWED = 100


class SettlementOptions(Wire):
    """Options of the rules that determine payments and the next hand."""

    match: MatchOptions
    riichi: RiichiOptions
    win: WinOptions
    score: ScoreOptions
    draw: DrawOptions
    deal: DealOptions
    end: EndOptions
    pao: PaoOptions
    fouls: FoulsOptions


class PaymentsInfo(Wire):
    """Payments for each value of a hand under an event's rules, with the ``options`` used to settle hands.

    ``nagashi_base``: base points of a nagashi mangan. ``fouls``: the penalty for each foul. ``aborts``: the
    abortive draws in use. ``chips``: the value of a chip. ``yakitori``: its price. Numbers are 0 for anything
    absent from the rules.
    """

    rules: str
    fingerprint: str
    options: SettlementOptions
    seats: int
    start_points: int
    deposit: int
    needs_points: bool
    wins: list[WorthPaid]
    nagashi_base: int
    aborts: list[Abort]
    fouls: dict[str, str]
    two_han_from_honba: int
    wareme: str
    nagashi: str
    pao: list[str]
    feeder: bool
    sticks: dict[str, int]
    chips: int = 0
    yakitori: int = 0


class PreviewBody(Wire):
    """The hands of a game to settle, without storing them."""

    hands: Annotated[list[EnteredJson], Field(max_length=MAX_PREVIEWED)]


class PreviewInfo(SettledInfo):
    """The settled game; ``number``, ``honba`` and ``deposits`` are those of the next hand."""

    number: int
    honba: int
    deposits: int


MAX_TABLES = 64


async def payments(services: Services, rights: EventRights) -> PaymentsInfo:
    """Return the payments under the event's rules."""
    rules = await services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    table = await asyncio.to_thread(table_of_payments, rules)
    return PaymentsInfo.model_validate({**table, "rules": rights.event.rules})


@lru_cache(maxsize=MAX_TABLES)
def table_of_payments(rules: Ruleset) -> dict[str, Any]:
    """Return the fields of ``PaymentsInfo`` for a ruleset, except ``rules``."""
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
    """Settle a game with these hands; raise ``RequestError`` for an impossible one."""
    table.demand_record()
    for i, hand in enumerate(body.hands):
        check_hand_size(hand, f"hands[{i}]")
    game = await asyncio.to_thread(settle, body.hands, table.rules)
    after = {name: getattr(game, name) for name in ("number", "honba", "deposits")}
    return PreviewInfo.model_validate(game.to_dict() | after)

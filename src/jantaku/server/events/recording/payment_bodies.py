"""Bodies with which a recorder shows payments before a hand is entered."""

from typing import Annotated

from pydantic import Field

from jantaku.club.entered_hands import Abort
from jantaku.club.payment_table import WorthPaid
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
from jantaku.server.edge.wire import Wire
from jantaku.server.events.recording.recorded_game_bodies import EnteredJson, SettledInfo

MOST_PREVIEWED = 100


class SettlementOptions(Wire):
    """The options of the rules that decide what a hand pays and what follows it."""

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
    """What each worth pays under an event's rules, and their ``options``: a recorder settles hands by them.

    ``nagashi_base``: the base points of a nagashi mangan, 0 if the rules have none. ``fouls``: what each foul
    costs. ``aborts``: the abortive draws. ``chips``: the value of a chip, and ``yakitori``: what it costs; 0
    if the rules have none.
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
    """The hands of a game as they would be: nothing is stored."""

    hands: Annotated[list[EnteredJson], Field(max_length=MOST_PREVIEWED)]


class PreviewInfo(SettledInfo):
    """The game as it would stand; ``number``, ``honba`` and ``deposits`` are those of the next hand."""

    number: int
    honba: int
    deposits: int

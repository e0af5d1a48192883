"""Bodies with which a recorder shows payments before a hand is entered."""

from typing import Annotated

from pydantic import Field

from jantaku.club.payment_table import HandFollowing, WorthPaid
from jantaku.server.edge.wire import BySeat, Wire
from jantaku.server.events.recording.recorded_game_bodies import EnteredJson, SettledInfo

MOST_PREVIEWED = 100


class DrawPaid(Wire):
    """The deltas of a draw by wind, from the dealer, and what follows."""

    deltas: BySeat
    next: HandFollowing


class PaymentsInfo(Wire):
    """All payments of an event's rules (``jantaku.club.payment_table``), and what else a recorder needs.

    ``draws[n][mask]``: the seats of ``mask`` (bit 0: the dealer) are tenpai; ``n`` is 0, or 1 + the wind with
    nagashi. ``fouls``: what each foul costs. ``ron``: which of several rons win. ``pao``: the liable yaku.
    ``chips``: the value of a chip, and ``yakitori``: what it costs; 0 if the rules have none.
    """

    rules: str
    fingerprint: str
    seats: int
    start_points: int
    deposit: int
    needs_points: bool
    wins: list[WorthPaid]
    honba: tuple[int, int]
    won: tuple[HandFollowing, HandFollowing]
    draws: list[list[DrawPaid]]
    aborts: dict[str, tuple[HandFollowing, HandFollowing]]
    chombo: list[BySeat]
    fouls: dict[str, str]
    ron: str
    deposits_to: str
    honba_to: str
    sticks_to: str
    two_han_from_honba: int
    wareme: str
    stick_of_ronned: str
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

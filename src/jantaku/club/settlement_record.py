"""Convert an entered hand into the record that the engine settles: fouls, chips and payments."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from jantaku.club.entered_hands import BONUS, EnteredFoul, EnteredHand, EnteredWin
from jantaku.kernels.engine import state
from jantaku.kernels.engine.chips_and_yakitori import counted_chips, yakuman_chips
from jantaku.kernels.engine.entered import SHEET
from jantaku.kernels.rules import choice, foul, rules_record
from jantaku.kernels.win import MAX_SEATS
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import LIMIT_BASE


def chips_in(win: EnteredWin, hand: EnteredHand, rules: Ruleset) -> int | None:
    """Return the chips that each payer gives for a win; ``None`` if the entry does not determine them."""
    if win.chips is not None:
        return win.chips
    record = rules_record(rules)[0]
    if win.yakuman:
        return int(yakuman_chips(win.yakuman, hand.end == "tsumo", record))
    if win.yaku is None:
        return None
    counts = [dict(win.bonus).get(name, None if name in win.yaku else 0) for name in BONUS]
    red, ura = counts
    opened = _open(win, hand)
    if red and opened is None and not rules.chips.red_open:
        return None
    if red is None or ura is None:
        return None
    if opened and not rules.chips.red_open:
        red = 0
    return int(counted_chips(int("ippatsu" in win.yaku), red, ura, record))


def _open(win: EnteredWin, hand: EnteredHand) -> bool | None:
    """Whether the hand was open; ``None`` if not recorded."""
    if win.seat in hand.riichi:
        return False
    return win.open if hand.calls is None else win.seat in hand.calls


CHOMBO: Final = ("chombo", "expulsion")
"""Costs of a foul that void the hand."""


FALSE_WINS: Final = ("false_win_shown", "false_win_called", "false_win_in_riichi", "furiten_ron")


def cost_of(foul: EnteredFoul, hand: EnteredHand, rules: Ruleset) -> str:
    """Return the cost of a foul in this hand: a value of the options in ``[fouls]``.

    Noten riichi is revealed only at a draw: it costs nothing if somebody wins, and at four riichi
    ``draw.suucha_riichi_noten`` decides. A valid ron cancels a chombo for another player's false win on the
    same tile (inventory 135, 186–187, 189).
    """
    cost: str = getattr(rules.fouls, foul.foul)
    won = hand.end in ("ron", "tsumo")
    if foul.foul == "noten_riichi":
        if won:
            return "none"
        if is_four_riichi(hand, rules):
            return rules.draw.suucha_riichi_noten
    winners = {win.seat for win in hand.wins}
    beside = hand.end == "ron" and foul.seat not in (*winners, hand.discarder)
    if beside and foul.foul in FALSE_WINS and cost in CHOMBO:
        return "none"
    return cost


def is_four_riichi(hand: EnteredHand, rules: Ruleset) -> bool:
    """Whether the hand ended by four riichi, or would have if no foul had ended it."""
    everybody = len(hand.riichi) == rules.match.players and rules.draw.suucha_riichi
    return hand.abort == "suucha_riichi" or (hand.end == "foul" and everybody)


ENDED: Final = {
    "ron": state.WON,
    "tsumo": state.WON,
    "draw": state.EXHAUSTED,
    "foul": state.VOIDED,
    "kyuushu_kyuuhai": state.KYUUSHU_KYUUHAI,
    "suufuu_renda": state.SUUFUU_RENDA,
    "suucha_riichi": state.SUUCHA_RIICHI,
    "suukansanra": state.SUUKANSANRA,
    "sanchahou": state.SANCHAHOU,
}


MATCH_BYTES: Final = SHEET.fields["outcome"][1] if SHEET.fields else 0
"""Size of the match, the first field of a sheet; the bytes after it belong to a single hand."""


def _empty_hand() -> Any:
    sheet = np.zeros(1, SHEET)
    sheet["feeder"] = state.NO_SEAT
    return sheet.view(np.uint8)[MATCH_BYTES:]


_EMPTY: Final = _empty_hand()


class GameSheet:
    """A game settled hand by hand: an array of one ``SHEET``, and views of its fields.

    Views are about twenty times faster to read and write than attributes of a record.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.array = np.zeros(1, SHEET)
        self._seats = rules.match.players
        self._hand: Any = self.array.view(np.uint8)[MATCH_BYTES:]
        self._entries: dict[str, Any] = {name: self.array[name][0] for name in SHEET.names or ()}
        self._stops: Any = self.array["stops"]
        self._wareme: Any = self.array["wareme"]
        self._count: Any = self.array["entered_count"]
        self._match = _columns(self.array["match"])
        self._outcome = _columns(self.array["outcome"])
        self._match["scores"][:] = rules.match.start_points

    def match(self, name: str) -> Any:
        """Return a field of the match as plain Python, cut to the seats in play if it is by seat."""
        return self._of_seats(self._match[name].tolist()[0])

    def outcome(self, name: str) -> Any:
        """Return a field of the hand's outcome as plain Python, cut to the seats in play if it is by seat."""
        return self._of_seats(self._outcome[name].tolist()[0])

    def _of_seats(self, value: Any) -> Any:
        return value[: self._seats] if isinstance(value, list) else value

    def write(self, hand: EnteredHand, rules: Ruleset, *, stops: bool) -> None:
        """Start the next hand; ``stops``: the dealer ends the game if the rules offer the choice."""
        self._hand[:] = _EMPTY
        outcome, riichi = self._outcome, self._entries["riichi"]
        outcome["ended"][0] = ENDED[hand.abort or hand.end]
        outcome["discarder"][0] = state.NO_SEAT if hand.discarder is None else hand.discarder
        outcome["winners"][0] = mask(win.seat for win in hand.wins)
        outcome["tenpai"][0], outcome["nagashi"][0] = mask(hand.tenpai), mask(hand.nagashi)
        self._stops[0] = stops
        self._wareme[0] = 0 if hand.wareme is None else 1 + hand.wareme
        for seat in hand.riichi:
            riichi[seat] = 1
        if hand.riichi_tile and rules.riichi.stick_when_declaration_is_ronned == "kept":
            riichi[hand.discarder] = 0
        for win in hand.wins:
            self._write_win(win)
            if rules.chips.value:
                self._entries["chips"][win.seat] = chips_in(win, hand, rules) or 0
        for i, committed in enumerate(hand.fouls):
            cost = choice(f"fouls.{committed.foul}", cost_of(committed, hand, rules))
            self._entries["entered_fouls"][i] = committed.seat, foul(committed.foul), cost
        self._count[0] = len(hand.fouls)

    def _write_win(self, win: EnteredWin) -> None:
        seat, entries = win.seat, self._entries
        entries["han"][seat], entries["fu"][seat], entries["yakuman"][seat] = win.han, win.fu, win.yakuman
        entries["limit_base"][seat] = LIMIT_BASE[win.limit] if win.limit else 0
        if win.pao is not None:
            entries["liable"][seat] = win.pao.yakuman
            entries["liable_seats"][seat] = mask(win.pao.seats)
            entries["first_liable"][seat] = win.pao.seats[0]
        if win.feeder is not None:
            entries["feeder"][seat] = win.feeder


def _columns(records: Any) -> dict[str, Any]:
    return {name: records[name] for name in records.dtype.names}


def mask(seats: Iterable[int]) -> int:
    """Return the seats as a bit mask."""
    return sum(1 << seat for seat in seats)


def seats_in(mask: int) -> tuple[int, ...]:
    """Return the seats of a bit mask, in order."""
    return tuple(seat for seat in range(MAX_SEATS) if mask >> seat & 1)

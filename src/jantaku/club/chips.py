"""The chips of an entered win: as somebody entered them, or as its yaku and dora make them."""

from jantaku.club.entered_hands import BONUS, EnteredHand, EnteredWin
from jantaku.kernels.engine.chips_and_yakitori import counted_chips, yakuman_chips
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset


def chips_in(win: EnteredWin, hand: EnteredHand, rules: Ruleset) -> int | None:
    """The chips that each payer gives for a win; ``None`` if nobody entered enough to tell."""
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
    """Whether the hand was open; ``None`` if nobody recorded it."""
    if win.seat in hand.riichi:
        return False
    return win.open if hand.calls is None else win.seat in hand.calls

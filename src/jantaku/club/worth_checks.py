"""Refuse entered wins whose value or yaku no hand can have under a ruleset.

The possible values come from ``possible_worths``, which also supplies the desk and the recorder.
"""

from functools import lru_cache
from typing import Final

from jantaku.club.entered_hands import ENTERED_LIMITS, EnteredHand, EnteredWin
from jantaku.club.possible_worths import BY_RON, BY_TSUMO, max_yakuman, min_han, min_han_with
from jantaku.errors import EntryError, Phrases, phrase
from jantaku.kernels.points import limit_of
from jantaku.kernels.rules import rules_record
from jantaku.kernels.win import LIMITS
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import YAKUMAN, catalogue
from jantaku.rules.worths import worth_in

ONLY_TSUMO: Final = BY_TSUMO | {"menzen_tsumo"}
OF_RIICHI: Final = frozenset(("riichi", "double_riichi", "ippatsu", "open_riichi", "double_open_riichi"))
OF_OTHERS: Final = frozenset(("chiihou", "renhou"))
FIRST: Final = OF_OTHERS | {"tenhou"}
LAST_OR_KAN: Final = frozenset(("haitei", "houtei", "rinshan_kaihou", "chankan"))
CACHE_SIZE: Final = 64
MIN_FU: Final = 20


@lru_cache(maxsize=CACHE_SIZE)
def _worths(rules: Ruleset) -> tuple[dict[tuple[int, bool], int], int]:
    return min_han(rules), max_yakuman(rules)


def check_worth(win: EnteredWin, hand: EnteredHand, dealer: int, rules: Ruleset, at: str) -> None:
    """Refuse a win that no hand can have under ``rules``.

    Raises ``EntryError``; ``at`` is the prefix of the field name, such as ``hands[2].wins[0].``.
    """
    minimum, limit = _worths(rules)
    tsumo = hand.end == "tsumo"
    by = phrase(f"explain.how.{hand.end}")
    if win.yakuman > limit:
        raise EntryError("too_many_yakuman", field=f"{at}yakuman", count=win.yakuman, most=limit)
    if win.fu and (win.fu, tsumo) not in minimum:
        raise EntryError("fu_of_no_hand", field=f"{at}fu", fu=win.fu, by=by)
    if win.fu and win.han < (needed := minimum[win.fu, tsumo]):
        raise EntryError("too_few_han", field=f"{at}han", fu=win.fu, by=by, fewest=needed)
    for name in win.yaku or ():
        if _contradicts(name, win, hand, dealer):
            raise EntryError("impossible_yaku", field=f"{at}yaku", yaku=phrase(f"yaku.{name}.name"))
    _check_sum(win, hand, rules, at)
    _check_shape(win, hand, rules, at)


def _check_shape(win: EnteredWin, hand: EnteredHand, rules: Ruleset, at: str) -> None:
    """Refuse yaku that no hand can have together, or none with the entered fu and han."""
    names = frozenset(name for name in win.yaku or () if name in catalogue() and name in rules.yaku)
    if not names or "nagashi_mangan" in names:
        return
    opened = _is_open(win, hand)
    closed = None if opened is None else not opened
    minimum = min_han_with(rules, names, hand.end == "tsumo", closed, win.seat in hand.riichi)
    listed = Phrases(phrase(f"yaku.{name}.name") for name in win.yaku or () if name in names)
    by = phrase(f"explain.how.{hand.end}")
    if not minimum:
        raise EntryError("yaku_never_together", field=f"{at}yaku", yaku=listed, by=by)
    if win.fu and 0 not in minimum:
        if win.fu not in minimum:
            raise EntryError("fu_of_other_yaku", field=f"{at}fu", fu=win.fu, yaku=listed, by=by)
        if win.han < (needed := minimum[win.fu]):
            raise EntryError("too_few_han", field=f"{at}han", fu=win.fu, by=by, fewest=needed)


def _is_open(win: EnteredWin, hand: EnteredHand) -> bool | None:
    """Whether the winner's hand is open; ``None`` if the entry does not determine it."""
    if win.open is not None:
        return win.open
    if win.seat in hand.riichi:
        return False
    return None if hand.calls is None else win.seat in hand.calls


def _contradicts(name: str, win: EnteredWin, hand: EnteredHand, dealer: int) -> bool:
    """Whether the rest of the hand rules out this yaku."""
    others = frozenset(win.yaku or ()) - {name}
    opened = bool(_is_open(win, hand))
    return (
        name in (BY_RON if hand.end == "tsumo" else ONLY_TSUMO)
        or (name == "tenhou" and win.seat != dealer)
        or (name in OF_OTHERS and win.seat == dealer)
        or (name in OF_RIICHI and (win.seat not in hand.riichi or opened))
        or (name in FIRST and (win.seat in hand.riichi or opened or bool(others & LAST_OR_KAN)))
        or (name in LAST_OR_KAN and bool(others & LAST_OR_KAN))
        or (name == "menzen_tsumo" and opened)
    )


def _check_sum(win: EnteredWin, hand: EnteredHand, rules: Ruleset, at: str) -> None:
    """Refuse yaku that do not count in such a hand, or are together worth more than the entered value."""
    known = [name for name in win.yaku or () if name in rules.yaku]
    replaced = {lower for name in known for lower in rules.yaku[name].replaces}
    opened = _is_open(win, hand)
    totals = []
    for closed in (True, False) if opened is None else (not opened,):
        worths = {name: worth_in(rules, name, closed) for name in known}
        if any(worth is False for worth in worths.values()):
            continue  # these yaku do not count in a hand of this kind
        counted = [worth for name, worth in worths.items() if name not in replaced]
        if any(worth in YAKUMAN for worth in counted) and not (win.yakuman or rules.score.aotenjou):
            raise EntryError("yaku_above_worth", field=f"{at}yaku")
        totals.append(sum(worth for worth in counted if type(worth) is int))
    if not totals:
        names = Phrases(phrase(f"yaku.{name}.name") for name in known)
        raise EntryError("yaku_not_counted", field=f"{at}yaku", yaku=names)
    total = min(totals)
    if win.limit is not None:
        limit = LIMITS[int(limit_of(total, MIN_FU, rules_record(rules)[0]))]
        reached = ENTERED_LIMITS.index(limit) if limit in ENTERED_LIMITS else -1 if limit is None else 9
        above = reached > ENTERED_LIMITS.index(win.limit)
    else:
        above = bool(win.fu) and total > win.han
    if above:
        raise EntryError("yaku_above_worth", field=f"{at}yaku")

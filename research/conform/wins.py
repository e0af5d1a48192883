"""Compares the value of wins with other packages: validity, han, fu, yaku, yakuman and payments."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from jantaku.adjudication import batch
from jantaku.adjudication.masks import yaku_in
from jantaku.kernels.win import NO_ERROR
from jantaku.rules import Ruleset, load
from naive.generate import table_of
from research.conform.cases import Case, Worth, random_cases, records
from research.conform.found_differences import Conformance
from research.conform.reasons import win_reason

PORTION: Final = 2000
MANGAN_HAN: Final = 5


Peer = Callable[[Case, int], Worth | None]


def ours(cases: Sequence[Case], rules: Ruleset) -> list[Worth | None]:
    """Return our values of the wins; ``None`` for a hand that does not win."""
    scored = batch.score(records(list(cases)), rules)
    columns = (scored.error, scored.han, scored.fu, scored.yakuman, scored.yaku, scored.payments)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    players = rules.match.players
    return [
        None if error != NO_ERROR else Worth(han, fu, yakuman, names(mask), tuple(paid[:players]))
        for error, han, fu, yakuman, mask, paid in rows
    ]


_names: dict[int, frozenset[str]] = {}


def names(mask: int) -> frozenset[str]:
    """Return the yaku of a mask, cached."""
    known = _names.get(mask)
    if known is None:
        known = _names[mask] = frozenset(yaku_in(mask))
    return known


def same(worth: Worth | None, other: Worth | None) -> bool:
    """Return whether two values agree; fu are ignored from mangan on, and han for yakuman."""
    if worth is None or other is None:
        return worth is other
    if worth.payments != other.payments or worth.yakuman != other.yakuman or worth.yaku != other.yaku:
        return False
    return bool(worth.yakuman) or (
        worth.han == other.han and (worth.han >= MANGAN_HAN or worth.fu == other.fu)
    )


def compare(rules: str, peer: Peer, seed: str, count: int) -> Conformance:
    """Compare ``count`` random wins under one ruleset."""
    tally, ruleset = Conformance(), load(rules)
    rng, table = Random(seed), table_of(ruleset)
    for start in range(0, count, PORTION):
        cases = list(random_cases(rng, min(PORTION, count - start), table))
        for case, mine in zip(cases, ours(cases, ruleset), strict=True):
            its = peer(case, ruleset.match.players)
            _count(tally.seen, mine)
            if not same(mine, its):
                tally.differ(win_reason(case, mine, its), f"{rules}: {case}; ours {mine}, its {its}")
    return tally


def _count(seen: Counter[str], worth: Worth | None) -> None:
    seen["wins"] += 1
    if worth is None:
        seen["no yaku"] += 1
    elif worth.yakuman:
        seen["yakuman"] += 1
    if worth is not None:
        seen.update(worth.yaku)


def payments(case: Case, players: int, dealer: int, child: int, ron: int) -> tuple[int, ...]:
    """Return the payments by wind: ``dealer`` and ``child`` pay at a tsumo, the discarder pays ``ron``."""
    moved: list[Any] = [0] * players
    if case.tsumo:
        for other in range(players):
            if other != case.seat:
                moved[other] = -(child if other else dealer)
    else:
        moved[(case.seat + case.source) % players] = -ron
    moved[case.seat] = -sum(moved)
    return tuple(moved)

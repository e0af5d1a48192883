"""The oracle: scores a hand under a ruleset by the rulebook, without lookup tables."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from jantaku.rules import Ruleset
from jantaku.tiles import format_tiles, kinds_of
from naive.dora import dora_han
from naive.fu import fu_items, rounded
from naive.points import YAKUMAN, Base, base_points, settle
from naive.readings import WHITE, Reading, readings
from naive.rulebook import Counted, counting, special_forms
from naive.sakizuke import qualifying, won_on
from naive.situation import Situation, read, valued

Answer = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Count:
    """One way to score a winning hand; ``han`` includes bonus tiles."""

    base: Base
    yaku: dict[str, int]
    han: int = 0
    fu: int = 0
    items: dict[str, int]
    multiples: dict[str, int]
    tile: int | None = None  # the kind that the drawn white dragon stands for

    def rank(self) -> tuple[int, bool, int, int]:
        """Prefer more points, then a true yakuman, then more han, then more fu."""
        return self.base.points, bool(self.multiples), self.han, self.fu


def adjudicate(request: Mapping[str, Any], rules: Ruleset) -> Answer:
    """Return an answer to a request, without its id: the best count, or why the hand may not win."""
    return answers(request, rules)[0]


def answers(request: Mapping[str, Any], rules: Ruleset) -> list[Answer]:
    """Return all correct answers: readings with equal points, han and fu are equally good."""
    s = replace(read(request, rules.match.players), valued=valued(rules))
    complete = [(one, r) for one in _last_tiles(s, rules) for r in _readings(one, rules)]
    if not complete:
        return [_error("not_complete")]
    if s.ron and "furiten" in s.flags:
        return [_error("furiten")]
    if rules.calls.sakizuke == "kanzen":
        fixed = qualifying(s, [r for _, r in complete], rules)
        complete = [(one, r) for one, r in complete if r in fixed]
    with_yaku = [(one, r, yaku) for one, r in complete if _may_win(yaku := counting(one, r, rules))]
    if not with_yaku:
        return [_error("no_yaku")]
    counts: dict[int, list[Count]] = {}
    for win, r, yaku in with_yaku:
        ways = _counts(win, r, yaku, rules)
        if is_any_tile(s, rules):
            ways = [replace(count, tile=win.win) for count in ways]
        counts.setdefault(win.win, []).extend(ways)
    if not any(counts.values()):
        return [_error("two_han_minimum")]
    if is_any_tile(s, rules):
        return [_answer(count, s, rules) for count in _best_tile(counts, s.win)]
    return [_answer(count, s, rules) for count in _best(counts, s.win)]


def is_any_tile(s: Situation, rules: Ruleset) -> bool:
    """Return whether the winning tile is a white dragon that counts as any tile."""
    drawn = s.tsumo and s.win == WHITE and s.riichi is not None
    return (
        drawn and {"off": False, "ippatsu": "ippatsu" in s.flags, "always": True}[rules.riichi.shiro_pocchi]
    )


def _best_tile(counts: Mapping[int, list[Count]], drawn: int) -> list[Count]:
    """Return the best counts over all tiles the white dragon may be; in a tie, itself or else the lowest."""
    best = max(count.rank() for kinds in counts.values() for count in kinds)
    tiles = [tile for tile in (drawn, *sorted(counts)) if any(c.rank() == best for c in counts.get(tile, ()))]
    return [count for count in counts[tiles[0]] if count.rank() == best]


def _best(counts: Mapping[int, list[Count]], drawn: int) -> list[Count]:
    """Return the best counts; a last tile other than the drawn one is used only if it pays more."""
    ranks = {tile: max(count.rank() for count in kinds) for tile, kinds in counts.items() if kinds}
    highest = max(rank[:2] for rank in ranks.values())
    tiles = [tile for tile, rank in ranks.items() if rank[:2] == highest]
    tiles = [drawn] if drawn in tiles else tiles
    return [count for tile in tiles for count in counts[tile] if count.rank() == ranks[tile]]


def _readings(s: Situation, rules: Ruleset) -> list[Reading]:
    return readings(s.concealed, s.melds, s.win, ron=s.ron, special=special_forms(s, rules))


def _last_tiles(s: Situation, rules: Ruleset) -> list[Situation]:
    """Return the win with each tile that may count as the last; under some rules, any tile of a tenhou hand.

    A white dragon that counts as any tile may be each kind of which the hand does not hold all four.
    """
    if is_any_tile(s, rules):
        kinds = kinds_of(rules.tiles.man)
        return [win for kind in range(34) if kind in kinds and (win := won_on(kind, s)) is not None]
    dealt = not s.ron and "first_turn" in s.flags and s.seat == 0
    if rules.score.tenhou_wait != "best" or not dealt:
        return [s]
    return [replace(s, win=kind) for kind, count in enumerate(s.concealed) if count]


def _may_win(yaku: list[Counted]) -> bool:
    """Return whether a yaku counts for the minimum; bonus tiles do not, and a yakuman always does."""
    return any(entry.minimum or entry.multiple for entry in yaku)


def _counts(s: Situation, r: Reading, yaku: list[Counted], rules: Ruleset) -> list[Count]:
    """Return the ways to count one reading; none if it falls short of a two-han minimum."""
    if any(entry.multiple for entry in yaku):
        return [_count_yakuman(yaku, rules)]
    if _falls_short(s, yaku, rules):
        return []
    limits = [entry for entry in yaku if entry.is_limit]
    if not limits or rules.score.limit_yaku == "adds":
        return [_count_han(s, r, yaku, rules)]
    alone = _count_alone(s, r, limits, rules)
    rest = [entry for entry in yaku if not entry.is_limit]
    if rules.score.limit_yaku == "caps" or not _may_win(rest) or _falls_short(s, rest, rules):
        return [alone]
    ordinary = _count_han(s, r, rest, rules)
    return [ordinary if ordinary.base.points >= alone.base.points else alone]


def _falls_short(s: Situation, yaku: list[Counted], rules: Ruleset) -> bool:
    """Return whether the honba require two han of yaku and the hand has fewer."""
    needed = rules.win.two_han_from_honba
    return 0 < needed <= s.honba and sum(entry.han for entry in yaku if entry.minimum) < 2


def _count_yakuman(yaku: list[Counted], rules: Ruleset) -> Count:
    """Count a yakuman hand, in which other yaku do not count."""
    multiples: dict[str, int] = {}
    for entry in yaku:
        if entry.multiple:
            multiples[entry.reported] = multiples.get(entry.reported, 0) + entry.multiple
    paid = sum(multiples.values())
    if not rules.score.multiple_yakuman:
        paid = max(entry.multiple for entry in yaku)
    return Count(
        base=Base(YAKUMAN * paid, "yakuman"),
        yaku={name: 13 * multiple for name, multiple in multiples.items()},
        items={},
        multiples=multiples,
    )


def _count_han(s: Situation, r: Reading, yaku: list[Counted], rules: Ruleset) -> Count:
    """Count yaku and bonus tiles together."""
    worth: dict[str, int] = {}
    for entry in yaku:
        worth[entry.reported] = worth.get(entry.reported, 0) + entry.han
    worth |= dora_han(s, rules)
    return _plain(s, r, worth, sum(worth.values()), rules)


def _count_alone(s: Situation, r: Reading, limits: list[Counted], rules: Ruleset) -> Count:
    """Count only the yaku worth a limit; the most valuable one determines the payment."""
    worth = {entry.reported: entry.han for entry in limits}
    return _plain(s, r, worth, max(worth.values()), rules)


def _plain(s: Situation, r: Reading, worth: dict[str, int], han: int, rules: Ruleset) -> Count:
    items = rounded(fu_items(s, r, rules), han, rules)
    fu = sum(items.values())
    base = base_points(han, fu, rules)
    return Count(base=base, yaku=worth, han=han, fu=fu, items=items, multiples={})


def _answer(count: Count, s: Situation, rules: Ruleset) -> Answer:
    liable = count.yaku if rules.score.aotenjou else count.multiples
    points, payments = settle(count.base.points, liable, s, rules)
    is_yakuman = bool(count.multiples)
    other = {} if count.tile in (None, s.win) else {"counted_as": format_tiles([count.tile])}
    return {
        **other,
        "han": None if is_yakuman else count.han,
        "fu": None if is_yakuman else count.fu,
        "yakuman": count.base.points // YAKUMAN if is_yakuman else 0,
        "limit": count.base.limit,
        "points": points,
        "yaku": count.yaku,
        "fu_items": count.items,
        "payments": payments,
    }


def _error(code: str) -> Answer:
    return {"error": {"code": code}}

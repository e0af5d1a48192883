"""The possible values of a win under a ruleset, from the shapes of hands and the yaku that count.

Every dora adds a han, so a ruleset only decides the minimum han for a hand of given fu; all higher values are
possible.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from jantaku.club.entered_hands import ENTERED_LIMITS, EnteredWorth
from jantaku.club.hand_shapes import FORCED, FORMS, HandShape, hand_shapes
from jantaku.kernels.points import lifted_fu, limit_of
from jantaku.kernels.reading import UNCONNECTED
from jantaku.kernels.rules import rules_record
from jantaku.kernels.win import NO_LIMIT
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import LIMIT_HAN, YAKUMAN, han_of
from jantaku.rules.worths import conditions, worth_in

BELOW_LIMITS: Final = LIMIT_HAN["mangan"]
MAX_LISTED_HAN: Final = 26
# Runs that a hand needs for a yaku its shape does not force
ENOUGH_RUNS: Final = {"iipeikou": 2, "sanshoku_doujun": 3, "ittsuu": 3, "ryanpeikou": 4}
VALUED: Final = frozenset(
    ("yakuhai_haku", "yakuhai_hatsu", "yakuhai_chun", "round_wind", "seat_wind", "yakuhai_north")
)
BY_RON: Final = frozenset(("houtei", "chankan", "tsubame_gaeshi", "open_riichi_deal_in", "renhou"))
BY_TSUMO: Final = frozenset(("haitei", "rinshan_kaihou", "tenhou", "chiihou"))
NEVER_SIMPLE: Final = VALUED | {
    "chanta", "junchan", "honroutou", "ittsuu", "shousangen", "daisangen", "tsuuiisou", "chinroutou",
    "shousuushii", "daisuushii", "chuuren_poutou", "junsei_chuuren",
}  # fmt: skip
"""Yaku of hands that never consist of simples alone."""
CACHE_SIZE: Final = 256
NEVER_FREE: Final = frozenset((*FORCED, *FORMS.values(), "menzen_tsumo", "nagashi_mangan"))
"""Yaku that a hand has through its shape or not at all."""

Slots = tuple[tuple[str, ...], ...]
_FIRST: Final = ("tenhou", "chiihou", "renhou")
_TRIPLETS: Final = (("suuankou", "suuankou_tanki"), ("suukantsu", *_FIRST))
TOGETHER: Final[tuple[Slots, ...]] = (
    (("tsuuiisou",), ("shousuushii", "daisuushii"), *_TRIPLETS),
    (("tsuuiisou",), ("daisangen",), *_TRIPLETS),
    (("chinroutou",), *_TRIPLETS),
    (("ryuuiisou",), *_TRIPLETS),
    (("suurenkou",), *_TRIPLETS),
    (("kokushi_musou", "kokushi_juusanmen"), _FIRST),
    (("chuuren_poutou", "junsei_chuuren"), _FIRST),
    (("shousharin", "daisharin"), _FIRST),
    (("tsuuiisou",), ("daichisei",), _FIRST),
)
"""The yakuman that one hand can combine: at most one from each inner tuple."""


def possible_worths(rules: Ruleset) -> list[tuple[EnteredWorth, bool, bool]]:
    """List every value of a win, and whether it is possible by ron and by tsumo: han and fu, limits, yakuman.

    Han and fu are listed below mangan, for fu that score below a limit with some han; limits cover the rest.
    Under rules without limits, han and fu are listed up to ``MAX_LISTED_HAN`` han.
    """
    free = rules.score.aotenjou
    minimum, record = min_han(rules), rules_record(rules)[0]
    below = {fu for (fu, _), han in minimum.items() if limit_of(han, fu, record) == NO_LIMIT}
    worths: list[tuple[EnteredWorth, bool, bool]] = []
    for fu in sorted(below):
        for han in range(MAX_LISTED_HAN + 1 if free else BELOW_LIMITS):
            ron, tsumo = ((fu, by) in minimum and han >= minimum[fu, by] for by in (False, True))
            if ron or tsumo:
                worths.append(({"han": han, "fu": fu}, ron, tsumo))
    if free:
        return worths
    worths += [({"limit": limit}, True, True) for limit in ENTERED_LIMITS]
    return worths + [({"yakuman": count}, True, True) for count in range(1, max_yakuman(rules) + 1)]


def min_han(rules: Ruleset) -> dict[tuple[int, bool], int]:
    """Return the minimum han of a win by (fu, tsumo), for fu with which some win is below mangan."""
    minimum: dict[tuple[int, bool], int] = {}
    counted = _CountedYaku(rules)
    for shape in hand_shapes(rules):
        key = shape.fu, shape.tsumo
        minimum[key] = min(minimum.get(key, BELOW_LIMITS), counted.min_han(shape))
    return _lifted(minimum, rules)


@lru_cache(maxsize=CACHE_SIZE)
def min_han_with(
    rules: Ruleset, names: frozenset[str], tsumo: bool, closed: bool | None, riichi: bool
) -> dict[int, int]:
    """Return the minimum han by fu of wins with these yaku; empty if no hand has all of them.

    ``closed`` is ``None`` if unknown. Yaku whose hands always reach a limit give ``{0: 0}``.
    """
    counted, minimum = _CountedYaku(rules), dict[tuple[int, bool], int]()
    if not _may_meet(names - {lower for name in names for lower in rules.yaku[name].replaces}):
        return {}
    more = names | {"riichi"} if riichi else names
    for shape in hand_shapes(rules):
        fits = shape.tsumo == tsumo and closed in (None, shape.closed) and counted.may_have_all(shape, names)
        if fits:
            key = shape.fu, shape.tsumo
            han = counted.min_han(shape._replace(forced=shape.forced | more))
            minimum[key] = min(minimum.get(key, BELOW_LIMITS), han)
    lifted = {fu: han for (fu, _), han in _lifted(minimum, rules).items()}
    return lifted or dict.fromkeys([0] if minimum else [], 0)


def _lifted(minimum: Mapping[tuple[int, bool], int], rules: Ruleset) -> dict[tuple[int, bool], int]:
    """Move hands whose fu the rules raise to the raised fu."""
    lifted: dict[tuple[int, bool], int] = {}
    record = rules_record(rules)[0]
    for (fu, tsumo), start in sorted(minimum.items()):
        for han in range(start, BELOW_LIMITS + rules.score.aotenjou):
            key = fu + int(lifted_fu(han, fu, record)), tsumo
            lifted[key] = min(lifted.get(key, BELOW_LIMITS), han)
    return lifted


class _CountedYaku:
    """The han of each yaku under a ruleset, and the minimum for a hand of a given shape."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.values = rules.yaku
        self.han = {closed: _han(rules, closed) for closed in (True, False)}
        self.sometimes = {name: conditions(rules, name) for name in rules.yaku}

    def min_han(self, shape: HandShape) -> int:
        """Return the minimum han with which such a hand can win, at most the han of mangan."""
        han = self.han[shape.closed]
        met = {"tsumo"} if shape.tsumo else set()
        forced = [name for name in shape.forced if name in han and self.sometimes[name] <= met]
        if FORMS[UNCONNECTED] in shape.forced and not forced:
            return BELOW_LIMITS  # not a complete hand without its yaku
        others = [name for name in han if name not in forced and self._may_have(shape, name)]
        totals = (self._total([*forced, *other], han) for other in ((), *((name,) for name in others)))
        return min(totals, default=BELOW_LIMITS)

    def may_have_all(self, shape: HandShape, names: frozenset[str]) -> bool:
        """Whether one hand of such a shape can have all of these yaku."""
        if "tanyao" in names and names & NEVER_SIMPLE:
            return False
        return all(name in shape.forced or self._may_have(shape, name) for name in names)

    def _total(self, names: list[str], han: Mapping[str, int]) -> int:
        """Sum the han of these yaku without replaced ones; the han of mangan if they cannot win alone."""
        replaced = {lower for name in names for lower in self.values[name].replaces}
        left = [name for name in names if name not in replaced]
        return sum(han[name] for name in left) if any(self.values[n].minimum for n in left) else BELOW_LIMITS

    def _may_have(self, shape: HandShape, name: str) -> bool:
        """Whether such a hand can have a yaku its shape does not force; rare yaku are assumed possible."""
        if name in NEVER_FREE and name not in shape.forced:
            return False
        if name in (BY_RON if shape.tsumo else BY_TSUMO) or (name in VALUED and not shape.valued):
            return False
        if name == "rinshan_kaihou" and not (shape.quad or self.rules.kita.nukidora):
            return False
        if shape.runs < ENOUGH_RUNS.get(name, 0) or (name == "tanyao" and not shape.simple):
            return False
        return shape.tsumo or "tsumo" not in self.sometimes[name]


def _han(rules: Ruleset, closed: bool) -> dict[str, int]:
    worths = {name: worth_in(rules, name, closed) for name in rules.yaku}
    return {name: han_of(worth) for name, worth in worths.items() if worth is not False}


_MAX_KAZOE: Final = {"sanbaiman": 0, "yakuman": 1, "multiples": 5}


def max_yakuman(rules: Ruleset) -> int:
    """Return the maximum number of yakuman of one hand; 0 if the rules have none."""
    totals = [_max_together(rules, closed=closed) for closed in (True, False)]
    return max(*totals, _MAX_KAZOE[rules.score.kazoe])


def _may_meet(names: frozenset[str]) -> bool:
    """Whether one hand can have all these yakuman, as far as ``TOGETHER`` covers them."""
    usual = {name for slots in TOGETHER for slot in slots for name in slot} & names
    rows = (sum(len(usual.intersection(slot)) == 1 for slot in slots) for slots in TOGETHER)
    return len(usual) < 2 or max(rows) == len(usual)


def _max_together(rules: Ruleset, *, closed: bool) -> int:
    """Return the most yakuman that a closed or open hand can score; rare yakuman may be combined."""
    worth = {name: YAKUMAN.get(str(worth_in(rules, name, closed)), 0) for name in rules.yaku}
    if not rules.score.multiple_yakuman:
        return max(worth.values())
    usual = {name for slots in TOGETHER for slot in slots for name in slot}
    rare = sum(count for name, count in worth.items() if name not in usual and name != "nagashi_mangan")
    return rare + max(sum(max(worth[name] for name in slot) for slot in slots) for slots in TOGETHER)

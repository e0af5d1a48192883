"""Bonus tiles."""

from functools import cache

from jantaku.rules import Ruleset
from jantaku.tiles import Tile, next_kind
from naive.readings import EAST
from naive.situation import Situation


def dora_han(s: Situation, rules: Ruleset) -> dict[str, int]:
    """Return the han of each bonus: dora, red dora, ura dora, norths set aside and kans, without zeros."""
    indicators = s.dora if rules.dora.kan_dora else s.dora[:1]
    ura = s.ura if rules.dora.kan_ura else s.ura[:1]
    if s.riichi is None or not rules.dora.ura:
        ura = ()
    red = red_kinds(rules)
    worths = {
        "dora": _pointed_to(indicators, s, rules),
        "red_dora": sum(tile >= 34 and tile % 34 in red for tile in s.tiles),
        "ura_dora": _pointed_to(ura, s, rules),
        "kita": s.kita * rules.kita.han,
        "kan_han": sum(meld.shape == "quad" for meld in s.melds) * rules.score.kan_han,
    }
    return {name: han for name, han in worths.items() if han}


@cache
def red_kinds(rules: Ruleset) -> frozenset[int]:
    """Return the kinds of which the ruleset has red tiles."""
    return frozenset(Tile.parse(name) % 34 for name, count in rules.tiles.red.items() if count)


def _pointed_to(indicators: tuple[int, ...], s: Situation, rules: Ruleset) -> int:
    """Count the dora in the hand and the norths set aside; each of several equal indicators counts."""
    kinds = [*(tile % 34 for tile in s.tiles), *[EAST + 3] * s.kita]
    return sum(kinds.count(_next(indicator, rules)) for indicator in indicators)


def _next(indicator: int, rules: Ruleset) -> int:
    """Return the kind that an indicator points to, skipping man tiles missing from the set."""
    few = {"one_nine": {0: 8, 8: 0}, "one_five_nine": {0: 4, 4: 8, 8: 0}}.get(rules.tiles.man, {})
    return few.get(indicator % 34, next_kind(indicator))

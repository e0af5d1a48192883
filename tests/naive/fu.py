"""Fu, item by item."""

from jantaku.rules import Ruleset
from naive.readings import Group, Reading, is_yaochuu
from naive.rulebook import holding
from naive.situation import Situation


def fu_items(s: Situation, r: Reading, rules: Ruleset) -> dict[str, int]:
    """Return the fu items before ``one_han_20_fu`` and rounding, without zeros."""
    if rules.score.fixed_fu:
        return {"fixed": rules.score.fixed_fu}
    if r.form == "chiitoitsu":
        return {"chiitoitsu": 25}
    if r.form != "standard":
        return {"base": 30}
    items = {
        "base": 20,
        "menzen_ron": 10 if s.closed and s.ron else 0,
        "tsumo": _tsumo_fu(s, r, rules),
        "pair": _pair_fu(s, r, rules),
        "triplets": sum(map(_triplet_fu, r.groups)),
        "wait": 2 if r.wait in ("kanchan", "penchan", "tanki") else 0,
    }
    if not s.closed and sum(items.values()) == 20:
        items["open_pinfu"] = 10
    return {name: fu for name, fu in items.items() if fu}


def rounded(items: dict[str, int], han: int, rules: Ruleset) -> dict[str, int]:
    """Add the 1 han 20 fu item and the rounding to tens; 25 fu and fixed fu are not rounded."""
    if items.keys() & {"chiitoitsu", "fixed"}:
        return items
    total = sum(items.values())
    lift = 10 if total == 20 and han <= 1 and not rules.score.one_han_20_fu else 0
    more = {"one_han_20_fu": lift, "rounding": -(total + lift) % 10}
    return items | {name: fu for name, fu in more.items() if fu}


def _tsumo_fu(s: Situation, r: Reading, rules: Ruleset) -> int:
    """Return 2 for tsumo, except with pinfu, or on a replacement tile if the rules exclude it."""
    if s.ron or any(entry.id == "pinfu" for entry in holding(s, r, rules)):
        return 0
    if "rinshan" in s.flags and not rules.score.rinshan_tsumo_fu:
        return 0
    return 2


def _pair_fu(s: Situation, r: Reading, rules: Ruleset) -> int:
    if r.pair == s.round_wind == s.seat_wind:
        return int(rules.score.double_wind_pair_fu)
    return 2 if r.pair in s.valued or r.pair in (s.round_wind, s.seat_wind) else 0


def _triplet_fu(group: Group) -> int:
    """Return 2 for an open triplet of simples; doubled if concealed or yaochuu, times 4 for a quad."""
    if group.shape == "run":
        return 0
    fu = 2
    fu *= 2 if group.concealed else 1
    fu *= 2 if is_yaochuu(group.kind) else 1
    return fu * (4 if group.shape == "quad" else 1)

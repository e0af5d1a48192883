"""Kanzen sakizuke: a yaku must be certain on every tile the hand waits for."""

import dataclasses

from jantaku.rules import Ruleset
from naive.readings import Reading, readings
from naive.rulebook import Counted, holding, special_forms
from naive.situation import Situation


def qualifying(s: Situation, ways: list[Reading], rules: Ruleset) -> list[Reading]:
    """Return the readings with at least one yaku that is certain in advance."""
    fixed = fixed_yaku(s, rules)
    return [r for r in ways if any(entry.id in fixed for entry in holding(s, r, rules))]


def fixed_yaku(s: Situation, rules: Ruleset) -> set[str]:
    """Return the yaku that the hand has, in some reading, on every tile that completes it."""
    on_each: list[set[str]] = []
    for kind in range(34):
        other = won_on(kind, s)
        if other is None:
            continue
        special = special_forms(other, rules)
        ways = readings(other.concealed, other.melds, kind, ron=other.ron, special=special)
        if ways:
            entries = [entry for r in ways for entry in holding(other, r, rules)]
            on_each.append({entry.id for entry in entries if _may_be_fixed(entry)})
    return set.intersection(*on_each) if on_each else set()


def _may_be_fixed(entry: Counted) -> bool:
    return entry.minimum and not entry.accidental


def won_on(kind: int, s: Situation) -> Situation | None:
    """Return the same win on a different kind; ``None`` if the hand holds all four tiles of that kind."""
    waiting = list(s.concealed)
    waiting[s.win] -= 1
    in_melds = [k for meld in s.melds for k in meld.kinds for _ in range(_copies(meld.shape))]
    if waiting[kind] + in_melds.count(kind) >= 4:
        return None
    waiting[kind] += 1
    kinds = {k for k in range(34) if waiting[k]} | set(in_melds)
    tiles = list(s.tiles)
    tiles.remove(next(tile for tile in s.tiles if tile % 34 == s.win))
    return dataclasses.replace(
        s, concealed=tuple(waiting), kinds=frozenset(kinds), tiles=(*tiles, kind), win=kind
    )


def _copies(shape: str) -> int:
    return {"run": 1, "triplet": 3, "quad": 4}[shape]

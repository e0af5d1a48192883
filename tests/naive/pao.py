"""Liability for a yakuman made certain by a discard."""

from dataclasses import dataclass

from jantaku.rules import Ruleset
from naive.rulebook import order
from naive.situation import Situation


@dataclass(frozen=True, slots=True)
class Debt:
    """A number of yakuman owed by these seats, in the order of the request."""

    multiple: int
    liable: tuple[int, ...]


def named(yakuman: dict[str, int], s: Situation, rules: Ruleset) -> list[tuple[str, int]]:
    """Return the yakuman with liability under the rules and their liable seats, in the request's order."""
    possible = set(yakuman) & set(rules.pao.yakuman)
    return [(name, who) for name, who in s.pao.items() if name in possible]


def debts(yakuman: dict[str, int], total: int, s: Situation, rules: Ruleset) -> list[Debt]:
    """Return what the liable seats owe: at most ``total`` yakuman, the number that the hand is paid for.

    In equal shares they have one common debt. Otherwise each owes its own yakuman, and if the rules charge
    the whole hand, the first named seat owes the rest.
    """
    owed: dict[int, int] = {}
    first = named(yakuman, s, rules)
    for name, who in sorted(first, key=lambda item: order(item[0])):
        multiple = min(yakuman[name], total - sum(owed.values()))
        owed[who] = owed.get(who, 0) + multiple
    if first and rules.pao.scope == "whole_hand":
        owed[first[0][1]] += total - sum(owed.values())
    owed = {who: multiple for who, multiple in owed.items() if multiple}
    if owed and (rules.pao.tsumo if s.tsumo else rules.pao.ron) == "equal_shares":
        return [Debt(sum(owed.values()), tuple(owed))]
    return [Debt(multiple, (who,)) for who, multiple in owed.items()]


def shares(debt: Debt, amount: int, s: Situation, rules: Ruleset) -> dict[int, int]:
    """Return how much each seat pays of the ``amount`` of a debt."""
    if s.discarder is None:
        return split(amount, debt.liable)
    everyone = tuple(dict.fromkeys((s.discarder, *debt.liable)))
    if rules.pao.ron == "equal_shares" or len(everyone) == 1:
        return split(amount, everyone)
    paid = split(amount // 2, debt.liable)
    paid[s.discarder] = paid.get(s.discarder, 0) + round_up(amount // 2)
    return paid


def split(amount: int, seats: tuple[int, ...]) -> dict[int, int]:
    """Split into equal shares, each rounded up to a hundred."""
    return {seat: round_up(-(-amount // len(seats))) for seat in seats}


def rinshan_feeder(s: Situation, rules: Ruleset) -> int | None:
    """Return the seat that pays a whole rinshan win because its discard was called for the kan."""
    if rules.pao.rinshan_after_daiminkan == "feeder_pays" and s.tsumo and "rinshan" in s.flags:
        return s.pao.get("rinshan_kaihou")
    return None


def round_up(points: int) -> int:
    """Round up to a hundred."""
    return -(-points // 100) * 100

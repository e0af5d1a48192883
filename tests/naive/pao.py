"""Liability: who else pays for a yakuman that his tile made certain."""

from dataclasses import dataclass

from jantaku.rules import Ruleset
from naive.situation import Situation


@dataclass(frozen=True, slots=True)
class Debt:
    """So many yakuman are owed by these seats, the first named first."""

    multiple: int
    liable: tuple[int, ...]


def debts(yakuman: dict[str, int], total: int, s: Situation, rules: Ruleset) -> list[Debt]:
    """One debt for each liable yakuman, or one for the whole hand where the rules say so.

    ``total`` is how many yakuman the hand is paid: no more than that can be owed.
    """
    possible = set(yakuman) & set(rules.pao.yakuman)
    named = {name: who for name, who in s.pao.items() if name in possible}
    if not named:
        return []
    if rules.pao.scope == "whole_hand":
        return [Debt(total, tuple(dict.fromkeys(named.values())))]
    found: list[Debt] = []
    for name, who in named.items():
        multiple = min(yakuman[name], total - sum(debt.multiple for debt in found))
        if multiple:
            found.append(Debt(multiple, (who,)))
    return found


def shares(debt: Debt, amount: int, s: Situation, rules: Ruleset) -> dict[int, int]:
    """Who pays how much of the ``amount`` that a debt stands for."""
    if s.discarder is None:
        return split(amount, debt.liable)
    everyone = tuple(dict.fromkeys((s.discarder, *debt.liable)))
    if rules.pao.ron == "equal_shares" or len(everyone) == 1:
        return split(amount, everyone)
    paid = split(amount // 2, debt.liable)
    paid[s.discarder] = paid.get(s.discarder, 0) + round_up(amount // 2)
    return paid


def split(amount: int, seats: tuple[int, ...]) -> dict[int, int]:
    """Equal shares, each rounded up to a hundred."""
    return {seat: round_up(-(-amount // len(seats))) for seat in seats}


def rinshan_feeder(s: Situation, rules: Ruleset) -> int | None:
    """Who pays a whole rinshan win because he fed the open kan before it."""
    if rules.pao.rinshan_after_daiminkan == "feeder_pays" and s.tsumo and "rinshan" in s.flags:
        return s.pao.get("rinshan_kaihou")
    return None


def round_up(points: int) -> int:
    """Up to the next hundred."""
    return -(-points // 100) * 100

"""Base points from han and fu, and the payments of each seat."""

from collections import Counter
from dataclasses import dataclass

from jantaku.rules import Ruleset
from naive import pao
from naive.situation import SEATS, Situation

MANGAN, YAKUMAN = 2000, 8000
LIMITS = (
    (13, YAKUMAN, "kazoe_yakuman"),
    (11, 6000, "sanbaiman"),
    (8, 4000, "baiman"),
    (6, 3000, "haneman"),
    (5, MANGAN, "mangan"),
)


@dataclass(frozen=True, slots=True)
class Base:
    """Base points and the name of the limit, if one is reached."""

    points: int
    limit: str | None


def base_points(han: int, fu: int, rules: Ruleset) -> Base:
    """Return the base points of a hand without yakuman."""
    if rules.score.aotenjou:
        nothing = han == 0 and rules.score.zero_han_win == "none"
        return Base(0 if nothing else min(fu * 2 ** (2 + han), 10**12), None)
    for minimum, points, limit in LIMITS:
        if han >= minimum and (limit != "kazoe_yakuman" or rules.score.kazoe != "sanbaiman"):
            times = han // 13 if limit == "kazoe_yakuman" and rules.score.kazoe == "multiples" else 1
            return Base(times * points, limit)
    if han == 0 and rules.score.zero_han_win == "none":
        return Base(0, None)
    points = fu * 2 ** (2 + han)
    lifted = rules.score.kiriage_mangan and (han, fu) in ((4, 30), (3, 60))
    return Base(MANGAN, "mangan") if lifted or points > MANGAN else Base(points, None)


def settle(base: int, yakuman: dict[str, int], s: Situation, rules: Ruleset) -> tuple[int, dict[str, int]]:
    """Return the points of the hand, and the payments of each seat with honba and deposits.

    ``yakuman`` has the multiple of each yakuman that counts; it is empty for other hands.
    """
    honba_payer = s.discarder
    debts = pao.debts(yakuman, base // YAKUMAN, s, rules)
    unit = YAKUMAN
    if rules.score.aotenjou and (first := pao.named(yakuman, s, rules)):
        debts, unit = [pao.Debt(1, (first[0][1],))], base  # without limits, one seat owes the whole hand
    shares: Counter[int] = Counter()
    for debt in debts:
        shares.update(pao.shares(debt, whole(unit * debt.multiple, s, rules), s, rules))
    shares.update(ordinary_shares(base - unit * sum(debt.multiple for debt in debts), s, rules))
    if debts and (s.tsumo or rules.pao.honba == "liable"):
        honba_payer = pao.named(yakuman, s, rules)[0][1]
    shares = wareme_shares(shares, s, {"hand", "hand_and_honba"}, rules)
    points = shares.total()
    shares.update(wareme_shares(Counter(honba_shares(honba_payer, s, rules)), s, {"hand_and_honba"}, rules))
    feeder = pao.rinshan_feeder(s, rules)
    if feeder is not None:
        shares = Counter({feeder: shares.total()})
    payments = {name: -shares[seat] for seat, name in enumerate(SEATS[: rules.match.players])}
    payments[SEATS[s.seat]] = shares.total() + sticks(s, rules)
    return points, payments


def sticks(s: Situation, rules: Ruleset) -> int:
    """Return the points of riichi sticks that the winner gets; in the final hand they go to any winner."""
    takes = rules.riichi.sticks_to == "any_winner" or s.riichi or "final_hand" in s.flags
    return s.deposits * rules.riichi.deposit if takes else 0


def whole(base: int, s: Situation, rules: Ruleset) -> int:
    """Return the total that all payers pay; a tsumo of three players may pay less than a ron."""
    return sum(ordinary_shares(base, s, rules).values()) if s.tsumo else base * _ron_factor(s)


def ordinary_shares(base: int, s: Situation, rules: Ruleset) -> dict[int, int]:
    """Return payments without liability: the discarder pays a ron, everyone a tsumo, the dealer double."""
    if s.discarder is not None:
        return {s.discarder: pao.round_up(base * _ron_factor(s))}
    others = [seat for seat in rules.seats if seat != s.seat]
    paid = {seat: pao.round_up(base * (2 if s.dealer or seat == 0 else 1)) for seat in others}
    return with_missing_share(paid, base, s, rules) if base and len(others) < 3 else paid


def with_missing_share(paid: dict[int, int], base: int, s: Situation, rules: Ruleset) -> dict[int, int]:
    """Return the shares at a three-player table under the rule for the missing fourth player's share."""
    if rules.score.missing_share == "plus_1000":
        return {seat: points + 1000 for seat, points in paid.items()}
    if rules.score.missing_share == "split":
        half = pao.round_up(-(-pao.round_up(base * (2 if s.dealer else 1)) // 2))
        return {seat: points + half for seat, points in paid.items()}
    if rules.score.missing_share == "in_proportion":
        whole = pao.round_up(base * _ron_factor(s))
        parts = {seat: 2 if seat == 0 else 1 for seat in paid}
        each = whole / sum(parts.values())
        return {seat: int((each * part + 50) // 100) * 100 for seat, part in parts.items()}
    return paid


def honba_shares(payer: int | None, s: Situation, rules: Ruleset) -> dict[int, int]:
    """Return the honba payments: by one player, or in equal shares for an ordinary tsumo."""
    if payer is not None:
        return {payer: s.honba * rules.score.honba_value}
    share = pao.round_up(-(-s.honba * rules.score.honba_value // (len(rules.seats) - 1)))
    return {seat: share for seat in rules.seats if seat != s.seat}


def wareme_shares(shares: Counter[int], s: Situation, where: set[str], rules: Ruleset) -> Counter[int]:
    """Double what the seat of the broken wall pays or receives, if ``score.wareme`` is in ``where``."""
    if rules.score.wareme not in where:
        return shares
    return Counter({seat: paid * (1 + (s.wareme in (s.seat, seat))) for seat, paid in shares.items()})


def _ron_factor(s: Situation) -> int:
    return 6 if s.dealer else 4

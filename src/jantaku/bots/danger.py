"""The danger of each tile: the opponents that may wait for it, the probability of that, and its cost.

The probability that a tenpai opponent waits for a kind is proportional to a weighted count of the shapes that
unseen tiles can form: two-sided waits whose other end is not safe, closed and edge waits, pairs and single
tiles. Opponents cannot win on tiles that they discarded, or that they passed on since their riichi. Suji and
walls need no rules of their own: they follow from the count.
"""

from typing import Final

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import NORTH, RED
from jantaku.kernels.engine.sight import waits_shown
from jantaku.kernels.engine.state import NO_TILE
from jantaku.kernels.engine.wall import MAX_INDICATORS
from jantaku.kernels.masks import popcount
from jantaku.kernels.rules import CLOSED, OPEN, choice
from jantaku.kernels.win import ANKAN, CHI, ROUND_WINDS

OPEN_DEAL_IN_YAKUMAN = choice("riichi.open_deal_in", "yakuman")

# Relative frequency of each wait shape, per way to hold it
TWO_SIDED, CLOSED_WAIT, EDGE, PAIRS, SINGLE, HONOUR_SINGLE = 0.206, 0.042, 0.05, 0.127, 0.05, 0.1
WAITED: Final = 1.75  # average number of kinds that a tenpai hand waits for
OTHER_SUIT: Final = 0.3  # factor on the danger of a suit if all melds are of another one
# Probability of tenpai by number of melds, before the first discard
FROM_ZERO: Final = (0.0, 0.0, 0.02, 0.25, 0.95)
A_TURN: Final = (0.006, 0.018, 0.037, 0.045, 0.0)  # added for each discard
DORA_TOO: Final = 0.5  # relative extra cost of a tile for each dora it counts as
PROBABLE, COST, SUIT = range(3)  # columns of ``work.threat``
POINTS: Final = (700, 1000, 2000, 3900, 7000, 8000, 12000, 12500, 16000, 16500, 17000, 24000, 24500, 32000)


@kernel
def dora_of(view, kind, rules):
    """Return how many dora a tile of the kind counts as, excluding red ones."""
    total = 0
    for i in range(MAX_INDICATORS):
        indicator = int(view.indicators[i])
        if indicator != NO_TILE:
            total += int(int(rules.next_kind[indicator % RED]) == kind)
    return total


@kernel
def points_of(han):
    """Return the average points of a non-dealer's hand of ``han``, which may be a fraction."""
    whole = min(max(int(han), 0), 12)
    return POINTS[whole] + (POINTS[whole + 1] - POINTS[whole]) * min(max(han - whole, 0.0), 1.0)


@kernel
def yakuhai_han(view, seat, kind, rules):
    """Return the han of a triplet of the kind for ``seat`` in an open hand."""
    worth = 0
    if kind >= 31:
        worth += int(rules.yaku.worth[OPEN, bits.YAKUHAI_HAKU + kind - 31])
    if kind == 27 + int(view.number) // int(view.seats) % ROUND_WINDS:
        worth += int(rules.yaku.worth[OPEN, bits.ROUND_WIND])
    if kind == 27 + (seat - int(view.dealer)) % int(view.seats):
        worth += int(rules.yaku.worth[OPEN, bits.SEAT_WIND])
    if kind == NORTH and int(rules.valued) >> NORTH & 1:
        worth += int(rules.yaku.worth[OPEN, bits.YAKUHAI_NORTH])
    return worth


@kernel
def meld_suit(view, seat):
    """Return the only suit of the seat's melds, 3 for honours alone, −1 for several suits or no melds."""
    result = -1
    for i in range(int(view.melds[seat])):
        if int(view.meld_first[seat, i]) == NO_TILE:
            continue
        suit = int(view.meld_first[seat, i]) // 9
        if suit == 3:
            result = 3 if result == -1 else result
        elif result < 0 or result == 3:
            result = suit
        elif result != suit:
            return -1
    return result


@kernel
def _open_han(view, seat, rules):
    """Estimate the han of an open hand from its melds."""
    han, fixed, simple = 0.0, 0, True
    for i in range(int(view.melds[seat])):
        meld, first = int(view.meld[seat, i]), int(view.meld_first[seat, i])
        if first == NO_TILE:
            continue
        han += popcount(int(view.meld_red[seat, i]))
        if meld == CHI:
            simple = simple and 0 < first % 9 < 6
            for k in range(3):
                han += dora_of(view, first + k, rules)
        else:
            simple = simple and first < 27 and 0 < first % 9 < 8
            han += dora_of(view, first, rules) * (4 if meld >= ANKAN else 3)
            fixed += yakuhai_han(view, seat, first, rules)
    suit = meld_suit(view, seat)
    if int(view.melds[seat]) >= 2 and 0 <= suit < 3:
        return han + fixed + int(rules.yaku.worth[OPEN, bits.HONITSU])
    return han + max(fixed, 1 if simple else 1.3) + 0.5


@kernel
def _write_threat(view, seat, rules, threat):
    """Write the seat's probability of tenpai, the cost of its hand and its suit to ``threat``."""
    melds, turns = int(view.melds[seat]), int(view.discards[seat])
    threat[PROBABLE] = min(FROM_ZERO[melds] + A_TURN[melds] * turns, 0.95)
    threat[SUIT] = meld_suit(view, seat) if melds >= 2 else -1
    if view.riichi[seat]:
        threat[PROBABLE] = 1.0
        indicators = 0
        for i in range(MAX_INDICATORS):
            indicators += int(int(view.indicators[i]) != NO_TILE)
        riichi = bits.OPEN_RIICHI if view.open_riichi[seat] else bits.RIICHI
        han = int(rules.yaku.worth[CLOSED, riichi]) + 1.3 + 0.6 * indicators
        if rules.dora.ura:
            han += 0.3 * indicators
        if view.ippatsu[seat] and rules.riichi.ippatsu:
            han += 1.0
    else:
        han = _open_han(view, seat, rules)
    each = int(rules.kita.han) + dora_of(view, NORTH, rules)
    cost = points_of(han + int(view.kita[seat]) * each)
    if view.open_riichi[seat] and rules.riichi.open_deal_in == OPEN_DEAL_IN_YAKUMAN:
        cost = 32000.0
    honba = 1.0 * int(rules.score.honba_value) * int(view.honba)
    threat[COST] = cost * (1.5 if seat == int(view.dealer) else 1.0) + honba
    if view.dead[seat]:
        threat[PROBABLE] = 0.0


@kernel
def safe_from(view, seat, rules):
    """Return the kinds on which ``seat`` cannot win before its next discard, as a mask."""
    safe = int(view.discarded[seat]) | int(view.passed[seat])
    if rules.furiten.riichi_permanent:
        safe |= int(view.passed_riichi[seat])
    return safe


@kernel
def _weight(seen, kind, safe):
    """Return the number of possible waits on ``kind``, weighted by the frequency of each shape."""
    left = 4 - int(seen[kind])
    weight = PAIRS * left * (left - 1) / 2
    if kind >= 27:
        return weight + HONOUR_SINGLE * left
    weight += SINGLE * left
    rank = kind % 9
    up1 = 4 - int(seen[kind + 1]) if rank < 8 else 0
    down1 = 4 - int(seen[kind - 1]) if rank > 0 else 0
    if rank < 7:
        pairs = up1 * (4 - int(seen[kind + 2]))
        if rank == 6:
            weight += EDGE * pairs
        elif safe >> kind + 3 & 1 == 0:
            weight += TWO_SIDED * pairs
    if rank > 1:
        pairs = down1 * (4 - int(seen[kind - 2]))
        if rank == 2:
            weight += EDGE * pairs
        elif safe >> kind - 3 & 1 == 0:
            weight += TWO_SIDED * pairs
    return weight + CLOSED_WAIT * up1 * down1


@routine
def _estimate_waits(view, seat, rules, threat, risk):
    """Write the probability that ``seat``, if tenpai, waits for each kind to ``risk``."""
    safe = safe_from(view, seat, rules)
    suit = threat[SUIT]
    total = 0.0
    for kind in range(34):
        risk[kind] = 0.0
        if safe >> kind & 1:
            continue
        weight = _weight(view.seen, kind, safe)
        if 0 <= suit < 3 and kind < 27 and kind // 9 != suit:
            weight *= OTHER_SUIT
        risk[kind] = weight
        total += weight
    for kind in range(34):
        risk[kind] = min(1.0, WAITED * risk[kind] / max(total, 0.5))


@kernel
def _shown_waits(view, seat, rules, context, risk):
    """Write these probabilities for an open riichi, whose shown tiles reveal its waits."""
    waits = waits_shown(view.shown[seat], int(view.melds[seat]), context)
    waits &= ~safe_from(view, seat, rules)
    for kind in range(34):
        risk[kind] = float(waits >> kind & 1)


@routine
def find_risks(view, rules, context, work):
    """Write the expected cost in points of discarding each kind to ``work.risk[0]``.

    ``work.risk[1:4]`` gets the probability that each opponent, if tenpai, waits for the kind; ``work.threat``
    gets each opponent's probability of tenpai and the cost of the hand.
    """
    risk = work.risk
    for kind in range(34):
        risk[0, kind] = 0.0
    for seat in range(1, int(view.seats)):
        threat = work.threat[seat]
        _write_threat(view, seat, rules, threat)
        if view.open_riichi[seat]:
            _shown_waits(view, seat, rules, context, risk[seat])
        else:
            _estimate_waits(view, seat, rules, threat, risk[seat])
        for kind in range(34):
            risk[0, kind] += threat[PROBABLE] * risk[seat, kind] * threat[COST]
    for kind in range(34):
        if risk[0, kind] > 0:
            risk[0, kind] *= 1.0 + DORA_TOO * dora_of(view, kind, rules)

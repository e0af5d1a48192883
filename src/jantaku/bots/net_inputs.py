"""The numbers from which the network of ``strong`` judges: the situation, and what an option adds to it.

All are scaled to about −2 to 2. Points are in tens of thousands, risks in thousands of points.
"""

from math import log
from typing import Final

from jantaku.bots import discard_features as features
from jantaku.bots.caution import hands_left, is_last_hand
from jantaku.bots.danger import COST, PROBABLE, SUIT, dora_of, safe_from, yakuhai_han
from jantaku.bots.efficient import tiles_left
from jantaku.bots.plan import plan_of
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.game_end import last_number
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.engine.state import DECLARATION, NO_TILE, TSUMOGIRI
from jantaku.kernels.rules import CLOSED
from jantaku.kernels.win import NO_MELD

SAFE_RISK: Final = 30.0  # points below which a discard counts as safe
EARLY: Final = 6  # first discards of an opponent
LATEST: Final = 4  # its last discards
POINTS: Final = 10_000.0
OWN: Final = 36  # numbers of a situation before those of the opponents
OPPONENT: Final = 20  # numbers for each opponent
SAFE: Final = 28  # column of the share of safe tiles in the hand
SAFE_HELD: Final = 18  # column, among an opponent's, of those safe from it
EXTRA: Final = features.COUNT  # where the numbers of a discard beyond its features begin


@kernel
def _clipped(value, most):
    return max(-most, min(value, most))


@routine
def write_situation(view, shanten, rules, work):
    """Write the situation before a decision; needs ``find_risks`` and the lowest ``shanten`` of the hand."""
    out = work.inputs.situation
    plan = plan_of(view.hand, view, NO_MELD, 0, rules)
    seats = int(view.seats)
    out[0] = int(seats == 3)
    out[1] = int(view.live_left) / 70.0
    out[2] = int(view.discards[0]) / 18.0
    out[3] = int(view.dealer == 0)
    out[4] = min(int(view.honba), 5) / 5.0
    out[5] = min(int(view.deposits), 5) / 5.0
    out[6] = min(int(view.number) / max(last_number(rules), 1), 1.5)
    out[7] = int(is_last_hand(view, rules))
    out[8] = hands_left(view, rules) / 8.0
    for place in range(4):
        out[9 + place] = int(int(view.places[0]) == place)
    own, above, below, most, least = int(view.scores[0]), 30000, 30000, 0, 0
    for seat in range(1, seats):
        gap = int(view.scores[seat]) - own
        most, least = max(most, gap), min(least, gap)
        if int(view.places[seat]) < int(view.places[0]):
            above = min(above, gap)
        else:
            below = min(below, -gap)
    out[13] = _clipped(above / POINTS, 3.0)
    out[14] = _clipped(below / POINTS, 3.0)
    out[15] = _clipped(most / POINTS, 3.0)
    out[16] = _clipped(least / POINTS, 3.0)
    out[17] = int(plan.side == CLOSED)
    out[18] = int(view.melds[0]) / 4.0
    for stage in range(5):
        out[19 + stage] = int(min(max(shanten, 0), 4) == stage)
    out[24] = min(plan.bonus, 8) / 4.0
    out[25] = min(plan.yakuhai, 4) / 2.0
    out[26] = min(plan.yakuhai_pairs, 4) / 2.0
    out[27] = plan.pairs / 7.0
    safe, tiles, total, least_risk = 0, 0, 0.0, 1e9
    for kind in range(34):
        held = int(view.hand[kind])
        if held:
            tiles += held
            safe += held * int(work.risk[0, kind] < SAFE_RISK)
            total += held * work.risk[0, kind]
            least_risk = min(least_risk, work.risk[0, kind])
    out[SAFE] = safe / 14.0
    out[29] = min(total / max(tiles, 1) / 1000.0, 3.0)
    out[30] = min(least_risk / 1000.0, 3.0)
    out[31] = int(view.kans) / 4.0
    out[32] = int(view.furiten)
    out[33] = int(view.kita[0]) / 4.0
    out[34] = int(int(view.drawn) == NO_TILE)
    out[35] = int(view.untouched)
    for seat in range(1, seats):
        _write_opponent(view, seat, rules, work, out, OWN + OPPONENT * (seat - 1))


@routine
def _write_opponent(view, seat, rules, work, out, at):
    """Write what is known of an opponent from column ``at`` on."""
    count = int(view.discards[seat])
    declared, middle, honours = 0, 0, 0
    for i in range(count):
        kind = int(view.river[seat, i]) % RED
        if int(view.river_marks[seat, i]) & DECLARATION:
            declared = i
        if i < EARLY:
            honours += int(kind >= 27)
            middle += int(kind < 27 and 2 <= kind % 9 <= 6)
    from_hand, since = 0, 0
    for i in range(count - 1, -1, -1):
        drawn = int(view.river_marks[seat, i]) & TSUMOGIRI
        if drawn == 0 and count - i <= LATEST:
            from_hand += 1
        if drawn != 0 and since == count - 1 - i:
            since += 1
    threat = work.threat[seat]
    out[at] = int(view.riichi[seat] != 0)
    out[at + 1] = min(count - declared, 10) / 10.0 if view.riichi[seat] else 0.0
    out[at + 2] = int(view.ippatsu[seat] != 0)
    out[at + 3] = int(view.melds[seat]) / 4.0
    out[at + 4] = count / 18.0
    out[at + 5] = int(seat == int(view.dealer))
    out[at + 6] = threat[PROBABLE]
    out[at + 7] = min(threat[COST] / POINTS, 3.0)
    for suit in range(3):
        out[at + 8 + suit] = int(threat[SUIT] == suit)
    out[at + 11] = _clipped((int(view.scores[seat]) - int(view.scores[0])) / POINTS, 3.0)
    out[at + 12] = from_hand / LATEST
    out[at + 13] = min(since, 6) / 6.0
    out[at + 14] = middle / EARLY
    out[at + 15] = honours / EARLY
    out[at + 16] = int(view.kita[seat]) / 4.0
    out[at + 17] = int(view.dead[seat] != 0)
    safe, held = safe_from(view, seat, rules), 0
    for kind in range(34):
        held += int(view.hand[kind]) if safe >> kind & 1 else 0
    out[at + SAFE_HELD] = held / 14.0
    out[at + 19] = int(int(view.places[seat]) < int(view.places[0]))


@routine
def write_discard(view, kind, best, rules, work, row):
    """Write the numbers of the discard of ``kind`` to ``row`` (``float32[OPTION]``), after the situation.

    ``best`` is the lowest shanten. Needs ``describe_discards``, which leaves the value of hands in tenpai or
    one tile before it in ``work.utility``.
    """
    described = work.features[kind]
    worth = work.utility[kind] if best <= 1 and work.choices[kind, 0] == best else 0.0
    for i in range(features.COUNT):
        row[i] = described[i]
    honour, rank = kind >= 27, kind % 9
    for i in range(5):
        row[EXTRA + i] = 0.0
    row[EXTRA + (0 if honour else 1 + min(rank, 8 - rank, 3))] = 1.0
    row[EXTRA + 5] = yakuhai_han(view, 0, kind, rules) / 2.0 if honour else 0.0
    row[EXTRA + 6] = dora_of(view, kind, rules) / 2.0
    row[EXTRA + 7] = int(view.hand[kind]) / 4.0
    row[EXTRA + 8] = int(view.seen[kind]) / 4.0
    after = work.choices[kind, 0]
    for stage in range(5):
        row[EXTRA + 9 + stage] = int(min(after, 4) == stage)
    left = tiles_left(work.choices[kind, 1], view.seen)
    row[EXTRA + 14] = min(left, 40) / 20.0
    row[EXTRA + 15] = min(left, 8) / 8.0 if after == 0 else 0.0
    row[EXTRA + 16] = log((worth + 100.0) / 5000.0) / 3.0 if worth > 0 and after == 0 else 0.0
    row[EXTRA + 17] = log((worth + 1000.0) / 50000.0) / 3.0 if worth > 0 and after == 1 else 0.0
    row[EXTRA + 18] = min(work.risk[0, kind] / 1000.0, 6.0) / 2.0
    row[EXTRA + 41] = int(after == best)
    _write_safety(view, kind, rules, work, row)
    _write_neighbours(view, kind, row)


@kernel
def _write_safety(view, kind, rules, work, row):
    """Write how safe a discard is from each opponent, and how many safe tiles it leaves."""
    at = EXTRA + 19
    for seat in range(1, int(view.seats)):
        likely = work.threat[seat, PROBABLE]
        safe = safe_from(view, seat, rules)
        row[at] = work.risk[seat, kind] * likely * 3.0
        row[at + 1] = min(work.risk[seat, kind] * likely * work.threat[seat, COST] / 1000.0, 6.0) / 2.0
        row[at + 2] = safe >> kind & 1
        held = work.inputs.situation[OWN + OPPONENT * (seat - 1) + SAFE_HELD] * 14.0
        row[at + 3] = (held - (safe >> kind & 1)) * likely / 4.0
        row[EXTRA + 41 + seat] = work.risk[seat, kind] * 3.0
        at += 4
    row[EXTRA + 31] = work.inputs.situation[SAFE] - int(work.risk[0, kind] < SAFE_RISK) / 14.0


@kernel
def _write_neighbours(view, kind, row):
    """Write how many tiles the hand has near a kind and of its suit, and how many of them are visible."""
    for i in range(8):
        row[EXTRA + 32 + i] = 0.0
    rank = kind % 9
    start, end = (27, 34) if kind >= 27 else (kind - rank, kind - rank + 9)
    for other in range(max(kind - 2, start), min(kind + 3, end)):
        if kind < 27 and other != kind:
            column = EXTRA + 32 + other - kind + (2 if other < kind else 1)
            row[column] = int(view.hand[other]) / 4.0
            row[column + 4] = int(view.seen[other]) / 4.0
    alike = 0
    for other in range(start, end):
        alike += int(view.hand[other])
    row[EXTRA + 40] = alike / 14.0


@kernel
def write_call(view, code, count, after, work, row):
    """Write the numbers of a call: its ``count`` features, and ``after``, the (shanten, tiles) it leaves.

    Needs ``describe_call``.
    """
    left, tiles = after
    described = work.features[0]
    for i in range(count):
        row[i] = described[i]
    kind = int(view.claimed) % RED
    for i in range(count, count + 20):
        row[i] = 0.0
    for stage in range(5):
        row[count + stage] = int(min(max(left, 0), 4) == stage)
    row[count + 5] = min(tiles, 40) / 20.0
    row[count + 6 + (0 if kind >= 27 else 1 + min(kind % 9, 8 - kind % 9, 3))] = 1.0
    row[count + 11] = min(tiles, 8) / 8.0 if left == 0 else 0.0
    row[count + 12] = int(view.seen[kind]) / 4.0
    row[count + 12 + int(view.claimed_from)] = 1.0
    row[count + 16] = int(int(view.claimed) >= RED)
    safe = held = 0
    for other in range(34):
        if int(work.trial[other]):
            held += int(work.trial[other])
            safe += int(work.trial[other]) * int(work.risk[0, other] < SAFE_RISK)
    row[count + 17] = safe / 14.0
    row[count + 18] = held / 14.0
    row[count + 19] = int(code & 3) / 3.0


@kernel
def write_riichi(view, kind, count, worths, work, row):
    """Write the numbers of riichi after discarding ``kind``.

    They are its first ``count`` features and ``worths``: the tiles left to win on, and the mean points of a
    win in riichi and of a silent one. Needs ``riichi.judge``.
    """
    left, declared, silent = worths
    described = work.features[0]
    for i in range(count):
        row[i] = described[i]
    row[count] = min(left, 12) / 12.0
    row[count + 1] = log(declared / 4000.0)
    row[count + 2] = log(silent / 4000.0)
    row[count + 3] = min(work.risk[0, kind] / 1000.0, 6.0) / 2.0
    row[count + 4] = int(left <= 2)
    row[count + 5] = min(left, 4) / 4.0
    at = count + 6
    for seat in range(1, int(view.seats)):
        row[at] = work.threat[seat, PROBABLE]
        at += 1

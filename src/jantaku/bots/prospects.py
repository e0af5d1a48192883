"""Prospects of a hand: its distance to each plan, the chance of completing it, and the value of that.

The combined value of all plans is an expected number of points. Because plans partly exclude one another, the
best counts in full, the second for half and the third for a quarter. How people decide when each yaku has its
usual value is known from real games; under other rules, decisions shift according to how much more or less
the plans pay.
"""

from math import exp
from typing import Final

from jantaku.bots import plan_tables as plans
from jantaku.bots import targets
from jantaku.bots.distance import FAR, NEVER, distance, held_of
from jantaku.bots.plan import worth_of
from jantaku.bots.stakes import IPPATSU_CHANCE, TSUMO_CHANCE, WINS, needs_two_han, riichi_chips
from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import popcount
from jantaku.kernels.rules import CLOSED
from jantaku.kernels.score import KANZEN
from jantaku.kernels.win import ROUND_WINDS

LEAST: Final = FAR  # column of ``work.reach`` after those of the distances
COUNTED: Final = 3  # number of plans that are added up
LASTS: Final = 0.65  # share of the remaining wall that is drawn before a hand ends
CALLS: Final = 1.5  # factor on the rate of useful tiles if the hand can call them
COMPLETED: Final = 3.0  # unseen tiles that would replace one discarded from a finished plan
TILES: Final = 14
WHOLE: Final = 0.9  # chance to win when a plan that is a whole hand is complete
URA_HAN: Final = 0.35  # average han from ura dora in a riichi win
SECOND_YAKU: Final = 2  # extra missing tiles, for a second yaku where one is not enough
LATE_DRAWS: Final = 4  # the last tile is considered within this many draws per player
GOES_ON: Final = 0.8  # chance that no one wins in a go-around of late draws
WALL_UNSEEN: Final = 60.0  # unseen tiles during the late draws
LAST_RON: Final = 0.5  # factor for a ron on the last discard, which players choose with care


@kernel
def points_at(han, points):
    """Return the points of a win of ``han``, which may be a fraction."""
    most = plans.POINTS - 1
    whole = min(max(int(han), 0), most - 1)
    part = min(max(han - whole, 0.0), 1.0)
    return points[whole] + part * (points[whole + 1] - points[whole])


@kernel
def added_points(code, han, points):
    """Return the points that a plan with the value ``code`` adds to a hand of ``han``."""
    if code < 0.0:
        return 0.0
    alone = points_at(han, points)
    if code >= plans.FROM_YAKUMAN:
        return max(points[plans.POINTS] * code / plans.FROM_YAKUMAN - alone, 0.0)
    if code >= plans.FROM_LIMIT:
        return max(points_at(code - plans.FROM_LIMIT, points) - alone, 0.0)
    return points_at(han + code, points) - alone


@kernel
def worth_code(yaku, side, rules):
    """Return the value of a yaku under the rules, encoded like that of a plan (``bots.plan_tables``)."""
    if int(rules.yaku.available[side]) >> yaku & 1 == 0:
        return plans.NOTHING
    worth = float(int(rules.yaku.worth[side, yaku]))
    if int(rules.yaku.yakuman[side]) >> yaku & 1 and not rules.score.aotenjou:
        return plans.FROM_YAKUMAN * worth
    return plans.FROM_LIMIT + worth if int(rules.yaku.limit[side]) >> yaku & 1 else worth


@kernel
def riichi_han(rules):
    """Return the average han that riichi and the yaku and dora that accompany it add to a closed hand."""
    ippatsu = worth_of(bits.IPPATSU, CLOSED, rules) if rules.riichi.ippatsu else 0
    return (
        worth_of(bits.RIICHI, CLOSED, rules)
        + IPPATSU_CHANCE * ippatsu
        + URA_HAN * int(rules.dora.ura)
        + TSUMO_CHANCE * worth_of(bits.MENZEN_TSUMO, CLOSED, rules)
    )


@kernel
def other_han(plan, rules):
    """Return the han that the hand can expect apart from its plans."""
    return plan.bonus + plan.yakuhai + (riichi_han(rules) if plan.side == CLOSED else 0.5)


@kernel
def _add_target(reach, row, hand, held, plan, rate):
    """Add one target to its plan's discards by number of missing tiles; return that number and the ease."""
    far = distance(row, hand, held, plan, rate)
    plain = max(far.lacks, far.strays)
    if plain > FAR:
        return NEVER, 0.0
    if plain < FAR:
        reach[plain] |= held.one & ~(far.off | far.further)
    worse, better = max(far.lacks + 1, far.strays), max(far.lacks, far.strays - 1)
    if worse < FAR:
        reach[worse] |= far.further & ~far.off
    if better < FAR:
        reach[better] |= far.off
    return plain, far.ease


@kernel
def is_whole(row):
    """Return whether the sets and pairs of a target make up a whole hand."""
    return 3 * int(row[targets.LEAST]) + 2 * int(row[targets.PAIRS]) == TILES or int(row[targets.SETS]) == 4


@routine
def find_plans(hand, view, plan, shanten, rules, work):
    """Fill ``work.reach``, the discards by number of tiles still missing, and ``work.odds`` for each plan.

    A row of ``reach`` has a mask of discards for each distance below ``FAR``, and the least distance before a
    discard. ``odds`` has the chance to get one missing tile, and the chance to win a hand of this ``shanten``
    when the plan is complete.
    """
    seat, number = -int(view.dealer) % int(view.seats), int(view.number) // int(view.seats) % ROUND_WINDS
    held = held_of(hand, view, plan, 1 << 27 + seat, 1 << 27 + number, int(rules.valued))
    total = 0
    for kind in range(34):
        total += 4 - int(view.seen[kind])
    draws = LASTS * int(view.live_left) / int(view.seats) / max(total, 1)
    table, rows, reach = work.plans, work.targets, work.reach
    for p in range(len(table)):
        for d in range(FAR):
            reach[p, d] = 0
        least, ease, best = NEVER, 0.0, 0
        rate = draws * (CALLS if table[p, plans.OPEN] >= 0.0 else 1.0)
        if table[p, plans.CLOSED + plan.side] >= 0.0 or table[p, plans.USUAL_CLOSED + plan.side] >= 0.0:
            for i in range(int(table[p, plans.BEGIN]), int(table[p, plans.END])):
                missing, comes = _add_target(reach[p], rows[i], hand, held, plan, rate)
                if missing < least or (missing == least and comes > ease):
                    least, ease, best = missing, comes, i
        reach[p, LEAST] = least
        work.odds[p, 0] = ease ** (1.0 / least) if 0 < least < FAR else 1.0 - exp(-COMPLETED * rate)
        wins = WHOLE if least < FAR and is_whole(rows[best]) else WINS[min(max(shanten, 0), 6)]
        work.odds[p, 1] = wins * int(rows[best, targets.CHANCE]) / targets.MILLIONTHS if least < FAR else 0.0


@kernel
def _insert(best, value):
    """Insert a value among the highest ones."""
    for i in range(COUNTED):
        if value > best[i]:
            value, best[i] = best[i], value


@kernel
def _sum_best(best):
    """Return the combined value of several plans, in thousands of points."""
    total, part = 0.0, 1.0
    for i in range(COUNTED):
        total, part = total + part * best[i], part / 2.0
    return total / 1000.0


@kernel
def reset_best(best):
    """Clear ``best``.

    Its first half holds plan values under the current rules, its second half those with the usual value of
    each yaku.
    """
    for i in range(2 * COUNTED):
        best[i] = 0.0


@kernel
def consider(p, chance, side, han, best, work):
    """Count a plan that succeeds with ``chance`` in a hand with ``han`` from other sources."""
    _insert(best[:COUNTED], chance * added_points(work.plans[p, plans.CLOSED + side], han, work.points))
    usual = added_points(work.plans[p, plans.USUAL_CLOSED + side], han, work.points)
    _insert(best[COUNTED:], chance * usual)


@kernel
def beyond_usual(best):
    """Return how much more than usual the plans are worth, in thousands of points; negative if less."""
    return _sum_best(best[:COUNTED]) - _sum_best(best[COUNTED:])


@routine
def prospect(plan, rules, work):
    """Return ``beyond_usual`` of the hand last given to ``find_plans``, before any discard."""
    if work.differs[0] == 0:
        return 0.0
    best, han = work.best[0], other_han(plan, rules)
    reset_best(best)
    for p in range(len(work.plans)):
        missing = int(work.reach[p, LEAST])
        if missing < FAR:
            consider(p, work.odds[p, 1] * work.odds[p, 0] ** missing, plan.side, han, best, work)
    return beyond_usual(best)


@kernel
def _closed_points(han, riichi, ippatsu, tsumo, points):
    """Return the points of a closed hand of ``han`` in riichi, given the ``worth_code`` of three yaku."""
    total = points_at(han, points) + added_points(riichi, han, points)
    total += IPPATSU_CHANCE * added_points(ippatsu, han, points)
    return total + TSUMO_CHANCE * added_points(tsumo, han, points)


@kernel
def closed_beyond_usual(plan, shanten, rules, work):
    """Return the extra value that riichi and accompanying yaku give a closed hand, in thousands of points."""
    han = float(plan.bonus + plan.yakuhai)
    ippatsu = worth_code(bits.IPPATSU, CLOSED, rules) if rules.riichi.ippatsu else plans.NOTHING
    riichi, tsumo = worth_code(bits.RIICHI, CLOSED, rules), worth_code(bits.MENZEN_TSUMO, CLOSED, rules)
    now = _closed_points(han + URA_HAN * int(rules.dora.ura), riichi, ippatsu, tsumo, work.points)
    usual = _closed_points(han + URA_HAN, 1.0, 1.0, 1.0, work.points)
    return WINS[min(max(shanten, 0), 6)] * (now - usual + riichi_chips(rules)) / 1000.0


@kernel
def last_tile_beyond_usual(view, tiles, plan, rules, work):
    """Return the extra value of the last tile of the wall to a tenpai hand that waits for ``tiles``.

    The result is in thousands of points. In the last go-around it is known which player draws last.
    """
    left, seats = int(view.live_left), int(view.seats)
    if left == 0 or left > LATE_DRAWS * seats:
        return 0.0
    han, side = float(plan.bonus + plan.yakuhai), plan.side
    haitei = added_points(worth_code(bits.HAITEI, side, rules), han, work.points)
    houtei = added_points(worth_code(bits.HOUTEI, side, rules), han, work.points)
    usual = added_points(1.0, han, work.points)
    mine = int(left % seats == 0) if left <= seats else 1.0 / seats
    lasts = GOES_ON ** (left / seats)
    brings = mine * (haitei - usual) + LAST_RON * (1.0 - mine) * (houtei - usual)
    return lasts * tiles / WALL_UNSEEN * brings / 1000.0


@kernel
def nearest_yaku(plan, view, rules, work):
    """Return how many tiles the open hand lacks for the nearest yaku that lets it win, at most ``FAR``.

    If the first call must make a yaku certain, only a completed one counts after it.
    """
    two = needs_two_han(view, rules)
    if plan.yakuhai > int(two):
        return 0
    least = 1 if plan.yakuhai_pairs > 0 and plan.yakuhai + plan.yakuhai_pairs > int(two) else FAR
    for p in range(len(work.plans)):
        if counts_open(p, work):
            together = plan.yakuhai + work.plans[p, plans.OPEN]
            least = min(least, int(work.reach[p, LEAST]) + (SECOND_YAKU if two and together < 2.0 else 0))
    first = plan.melds - popcount(plan.ankans) == 1
    return FAR if least > 0 and first and rules.calls.sakizuke == KANZEN else min(least, FAR)


@kernel
def counts_open(p, work):
    """Return whether an open hand may win by the plan alone."""
    return work.plans[p, plans.OPEN] >= 0.0 and work.plans[p, plans.COUNTS] != 0.0


@kernel
def usual_worth(p, side, work):
    """Return the usual han of a plan, 5 for limits and yakuman."""
    return max(min(work.plans[p, plans.USUAL_CLOSED + side], 5.0), 0.0)

"""How many tiles a hand lacks for a target, and which discards bring it closer or take it further away.

All tiles are handled at once, as masks of the kinds of which the hand has at least one, two, three and four.
"""

from math import exp
from typing import Final, NamedTuple

from jantaku.bots import targets
from jantaku.bots.run_hands import run_hand
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import FIRSTS, SUIT_MAN, TRIPLE_ROOM, popcount
from jantaku.rules.own.codes import ALL_KINDS, ROUND_WIND, SEAT_WIND, VALUED

FAR: Final = 6  # plans with this many tiles missing are ignored
NEVER: Final = 14  # distance to a target that the hand can no longer reach
SUITS: Final = SUIT_MAN * FIRSTS
BEGINS: Final = TRIPLE_ROOM
PAIRS_ALONE: Final = 5  # number of pairs from which a hand may become seven pairs
RUN_COMES: Final = 0.6  # chance of drawing each missing tile of a hand of runs
FITS: Final = 0.6  # share of the allowed tiles that a hand can use
SOME_COMES: Final = 0.5
KANS: Final = 2.5  # factor: others have no use for a fourth tile, so any of them may discard it
SEVEN: Final = 7
RONS: Final = 2.5


class Held(NamedTuple):
    """Masks of kinds: ``one`` … ``four`` are those of which the hand holds at least that many tiles.

    ``all_1`` … include melds. ``open_1`` … are the kinds of which the hand can still get that many,
    ``left_1`` … those of which that many are unseen. ``seat`` and ``round`` are the winds as masks,
    ``valued`` the kinds that are yakuhai for everyone.
    """

    one: int
    two: int
    three: int
    four: int
    all_1: int
    all_2: int
    all_3: int
    all_4: int
    open_1: int
    open_2: int
    open_3: int
    open_4: int
    left_1: int
    left_2: int
    left_3: int
    left_4: int
    seat: int
    round: int
    valued: int


class Demand(NamedTuple):
    """Missing tiles of a requirement, the kinds whose discard adds one, and the chance to get all of them."""

    missing: int
    further: int
    ease: float


@kernel
def each_comes(missing, tiles, rate):
    """Return the chance to get all ``missing`` tiles if ``tiles`` unseen ones help."""
    return (1.0 - exp(-rate * tiles / missing)) ** missing if missing > 0 else 1.0


@kernel
def some_come(missing, tiles, rate):
    """Return the chance to get at least ``missing`` of ``tiles``, whichever they are (Poisson)."""
    term, total = exp(-rate * tiles), 0.0
    for i in range(missing):
        total += term
        term *= rate * tiles / (i + 1)
    return max(1.0 - total, 0.0)


@kernel
def held_of(hand, view, plan, seat, round_wind, valued):
    """Return the ``Held`` of a hand with the melds of ``plan``."""
    one = two = three = four = 0
    left_1 = left_2 = left_3 = left_4 = 0
    open_1 = open_2 = open_3 = open_4 = 0
    for kind in range(34):
        count, left = int(hand[kind]), 4 - int(view.seen[kind])
        bit = 1 << kind
        if count:
            one |= bit
            two |= bit if count >= 2 else 0
            three |= bit if count >= 3 else 0
            four |= bit if count >= 4 else 0
        if left > 0:
            left_1 |= bit
            left_2 |= bit if left >= 2 else 0
            left_3 |= bit if left >= 3 else 0
            left_4 |= bit if left >= 4 else 0
        can = count + left
        open_1 |= bit if can >= 1 else 0
        open_2 |= bit if can >= 2 else 0
        open_3 |= bit if can >= 3 else 0
        open_4 |= bit if can >= 4 else 0
    in_runs = plan.runs | plan.runs << 1 | plan.runs << 2
    sets = plan.triplets
    return Held(
        one, two, three, four,
        one | in_runs | sets, two | (one & in_runs) | sets, three | (two & in_runs) | sets,
        four | (three & in_runs) | (one & sets) | plan.kans,
        open_1, open_2, open_3, open_4, left_1, left_2, left_3, left_4, seat, round_wind, valued,
    )  # fmt: skip


@kernel
def kinds_of(mask, held):
    """Return the kinds of a mask, including the winds and value tiles it stands for."""
    kinds = mask & ALL_KINDS
    if mask > ALL_KINDS:
        kinds |= held.seat if mask & SEAT_WIND else 0
        kinds |= held.round if mask & ROUND_WIND else 0
        kinds |= held.valued if mask & VALUED else 0
    return kinds


@kernel
def unseen(kinds, held):
    """Count the unseen tiles of the kinds."""
    return (
        popcount(kinds & held.left_1)
        + popcount(kinds & held.left_2)
        + popcount(kinds & held.left_3)
        + popcount(kinds & held.left_4)
    )


@kernel
def outside(allowed, held):
    """Count the tiles of the hand that are not of these kinds."""
    bad = ~allowed
    if held.one & bad == 0:
        return 0
    return (
        popcount(held.one & bad)
        + popcount(held.two & bad)
        + popcount(held.three & bad)
        + popcount(held.four & bad)
    )


@kernel
def beside(tiles):
    """Return the kinds that can be in a run with one of the tiles."""
    suited = tiles & SUITS
    begins = (suited | suited >> 1 | suited >> 2) & BEGINS
    return begins | begins << 1 | begins << 2


@kernel
def tiles_needed(row, held, plan, rate):
    """Return the ``Demand`` of the tiles that a target names."""
    one, two, three, four = held.one, held.two, held.three, held.four
    n1, n2 = int(row[targets.NEED_1]), int(row[targets.NEED_2])
    n3, n4 = int(row[targets.NEED_3]), int(row[targets.NEED_4])
    sets = int(row[targets.SETS])
    if plan.melds > 0 and sets == 0:
        one, two, three, four = held.all_1, held.all_2, held.all_3, held.all_4
    elif plan.melds > 0:
        runs, triplets = plan.runs & int(row[targets.RUNS]), plan.triplets & int(row[targets.TRIPLETS])
        if plan.melds - popcount(runs) - popcount(triplets) > 4 - sets:
            return Demand(NEVER, 0, 0.0)
        in_runs = runs | runs << 1 | runs << 2
        n1, n2, n3 = n1 & ~(in_runs & ~n2), n2 & ~(in_runs & ~n3), n3 & ~in_runs
        n1, n2, n3 = n1 & ~triplets, n2 & ~triplets, n3 & ~triplets
    lacks_1, lacks_2, lacks_3, lacks_4 = n1 & ~one, n2 & ~two, n3 & ~three, n4 & ~four
    if lacks_1 & ~held.open_1 | lacks_2 & ~held.open_2 | lacks_3 & ~held.open_3 | lacks_4 & ~held.open_4:
        return Demand(NEVER, 0, 0.0)
    missing = popcount(lacks_1) + popcount(lacks_2) + popcount(lacks_3) + popcount(lacks_4)
    further = n1 & one & ~two | n2 & two & ~three | n3 & three & ~four | n4 & four
    tiles = unseen(lacks_1 | lacks_2 | lacks_3 | lacks_4, held)
    return Demand(missing, further, each_comes(missing, tiles, rate) if missing < FAR else 0.0)


@kernel
def _sets_needed(least, pairs, mask, melded, held, rate):
    """Return the ``Demand`` of ``least`` triplets, ``melded`` of them melds, and ``pairs`` among ``mask``."""
    made = popcount(held.three & mask) + melded
    k = max(least - made, 0)
    spare, slots = max(made - least, 0), k + pairs
    twos, ones = held.two & ~held.three & mask, held.one & ~held.two & mask
    good = twos & held.open_3 if k else twos
    two_kinds = popcount(good) + min(pairs, spare + popcount(twos & ~good))
    used = min(two_kinds, slots)
    rest = slots - used
    single = ones & (held.open_3 if k else held.open_2)
    taken = min(popcount(single), rest)
    new = mask & ~held.one & (held.open_3 if k else held.open_2)
    if rest - taken > popcount(new):
        return Demand(NEVER, 0, 0.0)
    further = held.three & ~held.four & mask if made <= least + int(twos == 0 and pairs > 0) else 0
    further |= twos if two_kinds <= slots else 0
    further |= single if 0 < popcount(single) <= rest else 0
    missing = 3 * k + 2 * pairs - 2 * used - taken
    if k == 0:
        tiles = unseen(single, held) * (1.0 - missing / (2.0 * max(popcount(single), missing, 1)))
        tiles *= RONS if missing == 1 and pairs == SEVEN else 1.0  # the last tile may be a discard
        return Demand(missing, further, some_come(missing, tiles, rate))
    thirds = 2.0 * max(popcount(good), k)
    paired = each_comes(missing - k, unseen(single | new if rest > taken else single, held), rate)
    return Demand(missing, further, some_come(k, thirds, rate) * paired)


@kernel
def _kans_needed(least, mask, plan, held, rate):
    """Return the ``Demand`` of ``least`` kans among the kinds of ``mask``."""
    called = plan.triplets & ~plan.kans & mask
    k = max(least - popcount(plan.kans & mask), 0)
    four = held.four & mask | called & held.one
    three = held.three & ~held.four & held.open_4 & mask | called & ~held.one & held.left_1
    two = held.two & ~held.three & held.open_4 & mask
    one = held.one & ~held.two & held.open_4 & mask
    missing, further, wanted = 0, 0, 0
    for lacks in range(4):
        tiles = four if lacks == 0 else three if lacks == 1 else two if lacks == 2 else one
        count = popcount(tiles)
        if k > 0:
            further |= tiles if count <= k else 0
            wanted |= tiles if lacks else 0
        taken = min(count, k)
        missing, k = missing + taken * lacks, k - taken
    missing += 4 * k
    return Demand(missing, further & held.one, each_comes(missing, KANS * unseen(wanted, held), rate))


@kernel
def _twins_needed(mask, held, rate):
    """Return the ``Demand`` of two pairs of identical runs, which may be the same run four times."""
    best = second = equal = NEVER
    best_kinds = second_kinds = equal_kinds = 0
    starts = mask & BEGINS
    for start in range(25):
        kinds = 7 << start
        if starts >> start & 1 == 0 or kinds & ~held.open_2:
            continue
        missing = popcount(kinds & ~held.one) + popcount(kinds & ~held.two)
        if missing < best:
            best, second, second_kinds, best_kinds = missing, best, best_kinds, kinds
        elif missing < second:
            second, second_kinds = missing, kinds
        missing += popcount(kinds & ~held.three) + popcount(kinds & ~held.four)
        if missing < equal and kinds & ~held.open_4 == 0:
            equal, equal_kinds = missing, kinds
    if equal < best + second:
        ease = each_comes(equal, unseen(equal_kinds & ~held.four, held), rate) if equal < FAR else 0.0
        return Demand(equal, equal_kinds & held.one, ease)
    kinds = best_kinds | second_kinds
    missing = best + second
    if missing >= FAR:
        return Demand(NEVER, 0, 0.0)
    ease = each_comes(missing, unseen(kinds & ~held.two, held), rate)
    return Demand(missing, kinds & held.one & ~held.three, ease)


@kernel
def group_needed(row, hand, held, plan, rate):
    """Return the ``Demand`` of the sets and pairs that a target requires among certain kinds."""
    mask = kinds_of(int(row[targets.GROUP]), held)
    mask &= kinds_of(int(row[targets.ALLOWED]), held)
    sort, least, pairs = int(row[targets.SORT]), int(row[targets.LEAST]), int(row[targets.PAIRS])
    if sort in (targets.RUN, targets.RYANMEN):
        if plan.triplets:
            return Demand(NEVER, 0, 0.0)
        free = held.two & ~kinds_of(int(row[targets.PAIR_FREE]), held)
        missing, further = run_hand(hand, plan.melds, free, sort == targets.RYANMEN)
        return Demand(missing, further, RUN_COMES**missing)
    if sort == targets.TWINS:
        return _twins_needed(mask, held, rate)
    fits = plan.ankans if sort == targets.CONCEALED else plan.triplets
    melded = popcount(fits & mask)
    if plan.melds - melded > 4 - least:
        return Demand(NEVER, 0, 0.0)
    if sort == targets.QUAD:
        return _kans_needed(least, mask, plan, held, rate)
    return _sets_needed(least, pairs, mask, melded, held, rate)


@kernel
def some_needed(row, held):
    """Return how many tiles the required groups still lack, and how many tiles are in excess."""
    count = missing = over = 0
    for i in range(targets.MAX_SOME):
        count += int(row[targets.SOME + i] != 0)
    room = 3 * (6 - count) if popcount(held.two) < PAIRS_ALONE else 14
    for i in range(count):
        mask = kinds_of(int(row[targets.SOME + i]), held)
        has = popcount(held.all_1 & mask)
        if count == 1:
            return int(has == 0), 0
        missing += 2 if has == 0 else int(has == 1 and held.all_2 & mask == 0)
        over += max(outside(~mask, held) - room, 0)
    return missing, over


@kernel
def gathered(row, held, rate):
    """Return the ``Demand`` of a number of tiles, or of kinds, among certain ones."""
    mask = kinds_of(int(row[targets.GATHER]), held)
    wanted, kinds = int(row[targets.GATHERED]) & 15, int(row[targets.GATHERED]) >> 4 == targets.KINDS
    has = popcount(held.all_1 & mask)
    if not kinds:
        has += popcount(held.all_2 & mask) + popcount(held.all_3 & mask) + popcount(held.all_4 & mask)
    missing = max(wanted - has, 0)
    further = (held.one & ~held.two if kinds else held.one) & mask if has <= wanted else 0
    tiles = unseen(mask & ~held.all_1 if kinds else mask, held)
    return Demand(missing, further, some_come(min(missing, FAR), tiles, rate))


@kernel
def is_possible(row, held, plan):
    """Return whether the melds and the winds allow a target."""
    if int(row[targets.WINDS]):
        fits = int(row[targets.SEAT]) << 27 & held.seat and int(row[targets.ROUND]) << 27 & held.round
        if not fits:
            return False
    if plan.melds == 0:
        return True
    if plan.melds > int(row[targets.MELDS]):
        return False
    allowed, touch = kinds_of(int(row[targets.ALLOWED]), held), int(row[targets.TOUCH])
    if plan.runs & ~(allowed & allowed >> 1 & allowed >> 2) | plan.triplets & ~allowed:
        return False
    touch = kinds_of(touch, held) if touch else ALL_KINDS
    return plan.runs & ~(touch | touch >> 1 | touch >> 2) | plan.triplets & ~touch == 0


@kernel
def strays(touch, held):
    """Return the number and the kinds of the tiles that fit in no set with one of ``touch``."""
    near_2, near_3 = beside(held.two & touch), beside(held.three & touch)
    lone_1 = held.one & ~(touch | beside(touch))
    lone_2, lone_3 = held.two & ~touch & ~near_2, held.three & ~touch & ~near_3
    lone_4 = held.four & ~touch
    return popcount(lone_1) + popcount(lone_2) + popcount(lone_3) + popcount(lone_4), lone_1 | lone_2 | lone_3


class Distance(NamedTuple):
    """Distance of a hand from a target: tiles to draw, tiles to discard, and what changes these.

    A discard among ``further`` adds one to ``lacks``, one among ``off`` takes one from ``strays``. ``ease``
    is the chance to get the missing tiles.
    """

    lacks: int
    strays: int
    further: int
    off: int
    ease: float


@routine
def distance(row, hand, held, plan, rate):
    """Return the ``Distance`` of a hand, and of the melds of ``plan``, from the target ``row``.

    ``rate`` is the expected number of copies drawn per unseen tile.
    """
    if not is_possible(row, held, plan):
        return Distance(NEVER, 0, 0, 0, 0.0)
    allowed, touch = kinds_of(int(row[targets.ALLOWED]), held), int(row[targets.TOUCH])
    off, bad = held.one & ~allowed, outside(allowed, held)
    if touch:
        bad, off = strays(kinds_of(touch, held), held)
    if bad > FAR:
        return Distance(NEVER, 0, 0, 0, 0.0)
    needed = tiles_needed(row, held, plan, rate)
    lacks, further, ease = needed.missing, needed.further, needed.ease
    if int(row[targets.GROUP]) and lacks < FAR:
        part = group_needed(row, hand, held, plan, rate)
        lacks, further, ease = lacks + part.missing, further | part.further, ease * part.ease
    if int(row[targets.SOME]):
        some, over = some_needed(row, held)
        lacks, bad, ease = lacks + some, max(bad, over), ease * SOME_COMES**some
    if int(row[targets.GATHER]):
        part = gathered(row, held, rate)
        further |= part.further
        lacks, ease = max(lacks, part.missing), min(ease, part.ease)
    if bad > 0:
        fits = kinds_of(touch, held) if touch else 0
        fits = fits | beside(fits) if touch else allowed
        ease = min(ease, some_come(bad, FITS * unseen(fits, held), rate))
    return Distance(lacks, bad, further, off, ease)

"""The yaku below yakuman that depend on the tiles of a reading, one predicate each."""

from naive.readings import (
    DRAGONS,
    EAST,
    GREEN,
    RED,
    WHITE,
    WINDS,
    Group,
    Reading,
    is_honour,
    is_terminal,
    is_yaochuu,
)
from naive.readings import number as number_of
from naive.readings import suit as suit_of
from naive.situation import Situation


def pinfu(s: Situation, r: Reading) -> bool:
    """Four runs, a pair other than value tiles, a ryanmen wait; the catalogue requires a closed hand."""
    valueless = r.pair not in s.valued and r.pair not in (s.round_wind, s.seat_wind)
    return len(r.runs) == 4 and valueless and r.wait == "ryanmen"


def tanyao(s: Situation, r: Reading) -> bool:
    """Only suit tiles from 2 to 8."""
    return not any(is_yaochuu(kind) for kind in s.kinds)


def iipeikou(s: Situation, r: Reading) -> bool:
    """Two identical runs, both concealed."""
    return _twin_runs(r) >= 1


def ryanpeikou(s: Situation, r: Reading) -> bool:
    """Two pairs of identical runs, or one run four times."""
    return _twin_runs(r) == 2


def yakuhai_haku(s: Situation, r: Reading) -> bool:
    """A triplet of White dragons."""
    return WHITE in r.triplets


def yakuhai_hatsu(s: Situation, r: Reading) -> bool:
    """A triplet of Green dragons."""
    return GREEN in r.triplets


def yakuhai_chun(s: Situation, r: Reading) -> bool:
    """A triplet of Red dragons."""
    return RED in r.triplets


def round_wind(s: Situation, r: Reading) -> bool:
    """A triplet of the round wind."""
    return s.round_wind in r.triplets


def seat_wind(s: Situation, r: Reading) -> bool:
    """A triplet of the seat wind."""
    return s.seat_wind in r.triplets


def yakuhai_north(s: Situation, r: Reading) -> bool:
    """A triplet of North, a value tile of every seat under some rules."""
    return EAST + 3 in r.triplets


def sanshoku_doujun(s: Situation, r: Reading) -> bool:
    """The same run in all three suits."""
    return any({low, low + 9, low + 18} <= set(r.runs) for low in range(7))


def ittsuu(s: Situation, r: Reading) -> bool:
    """123, 456 and 789 of one suit."""
    return any({start, start + 3, start + 6} <= set(r.runs) for start in (0, 9, 18))


def sanshoku_tsuukan(s: Situation, r: Reading) -> bool:
    """123, 456 and 789, each in a different suit."""
    orders = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    return any({9 * a, 9 * b + 3, 9 * c + 6} <= set(r.runs) for a, b, c in orders)


def chiitoitsu(s: Situation, r: Reading) -> bool:
    """Seven different pairs."""
    return r.form == "chiitoitsu"


def sanshoku_doukou(s: Situation, r: Reading) -> bool:
    """The same triplet in all three suits."""
    return any({kind, kind + 9, kind + 18} <= set(r.triplets) for kind in range(9))


def sanrenkou(s: Situation, r: Reading) -> bool:
    """Triplets of three consecutive numbers of one suit."""
    return any(_consecutive(r, low, 3) for low in r.triplets)


def chanta(s: Situation, r: Reading) -> bool:
    """A terminal or an honour in every set and the pair, with at least one run."""
    return len(r.runs) >= 1 and _in_every_part(r, yaochuu=True)


def junchan(s: Situation, r: Reading) -> bool:
    """A terminal in every set and the pair, with at least one run."""
    return len(r.runs) >= 1 and _in_every_part(r, yaochuu=False)


def honroutou(s: Situation, r: Reading) -> bool:
    """Only terminals and honours, as four triplets or seven pairs."""
    return r.form in ("standard", "chiitoitsu") and all(is_yaochuu(kind) for kind in s.kinds)


def toitoi(s: Situation, r: Reading) -> bool:
    """Four triplets or quads."""
    return len(r.triplets) == 4


def sanankou(s: Situation, r: Reading) -> bool:
    """Three triplets or quads formed without a call or a ron."""
    return r.concealed_triplets >= 3


def sankantsu(s: Situation, r: Reading) -> bool:
    """Three quads."""
    return r.quads >= 3


def shousangen(s: Situation, r: Reading) -> bool:
    """Triplets of two dragons and a pair of the third."""
    return r.pair in DRAGONS and sum(kind in DRAGONS for kind in r.triplets) == 2


def honitsu(s: Situation, r: Reading) -> bool:
    """Tiles of one suit together with honours."""
    suits = {suit_of(kind) for kind in s.kinds}
    return len(suits) == 2 and 3 in suits


def chinitsu(s: Situation, r: Reading) -> bool:
    """Tiles of one suit only."""
    suits = {suit_of(kind) for kind in s.kinds}
    return len(suits) == 1 and 3 not in suits


def uumensai(s: Situation, r: Reading) -> bool:
    """Tiles of all three suits, a wind and a dragon, in a hand of any form."""
    suits = {suit_of(kind) for kind in s.kinds}
    has_wind = any(kind in WINDS for kind in s.kinds)
    has_dragon = any(kind in DRAGONS for kind in s.kinds)
    return suits == {0, 1, 2, 3} and has_wind and has_dragon


def _twin_runs(r: Reading) -> int:
    """Count the pairs of identical concealed runs; four identical runs are two pairs."""
    runs = [group.kind for group in r.groups if group.shape == "run" and group.concealed]
    return sum(runs.count(low) // 2 for low in set(runs))


def _consecutive(r: Reading, low: int, length: int) -> bool:
    """Return whether there are triplets of ``length`` ranks of a suit from ``low`` upwards."""
    if is_honour(low) or number_of(low) + length - 1 > 9:
        return False
    return all(low + step in r.triplets for step in range(length))


def _in_every_part(r: Reading, *, yaochuu: bool) -> bool:
    wanted = is_yaochuu if yaochuu else is_terminal
    parts = (*r.groups, Group("triplet", r.pair, concealed=True))
    return r.form == "standard" and all(any(map(wanted, part.kinds)) for part in parts)

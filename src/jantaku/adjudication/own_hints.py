"""Random hints for building hands that meet a condition, used to find examples of custom yaku.

Hints may be wrong or incomplete; the scorer judges every hand built from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random
from typing import Final

from jantaku.rules.own import codes, vocabulary
from jantaku.rules.own.filters import Literal
from jantaku.rules.own.reader import Pattern, Sum, Term, known_yaku, runs_in
from jantaku.tiles import EAST, KINDS

UNLIMITED: Final = 99
_WORDS: Final = frozenset(vocabulary.WORDS)
_NO_BOUND: Final = 10**9
_MAXIMUM: Final = {
    "honba": 30, "streak": 30, "kita": 4, "dora": 16, "ura": 16, "red": 4, "reds": 4, "turn": 18,
    "score": 200_000, "discarded": 17, "melds": 4, "suits": 3, "twin_runs": 2, "kinds": 14, "count": 14,
    "run": 4, "triplet": 4, "concealed_triplet": 4, "quad": 4, "concealed_quad": 4, "pair": 7,
}  # fmt: skip
"""The quantities that can be chosen for a hand, with the maximum of each."""
_COUNT_AS: Final = {
    "triplet": ("concealed_triplet", "quad", "concealed_quad"),
    "concealed_triplet": ("concealed_quad",),
    "quad": ("concealed_quad",),
}
"""Other kinds of set that count as each kind."""
_FIVES: Final = (4, 13, 22)
_START: Final = 4
_DRAWS, _STEPS = 12, 60
_SUIT_ORDERS: Final = tuple(permutations(range(3)))


@dataclass(slots=True)
class HandHints:
    """What a hand should contain.

    ``seat`` and ``round`` are kinds. ``sets`` are (``run``, ``triplet`` …, lowest kind), ``pairs`` kinds and
    ``tiles`` the minimum count of kinds. ``allowed``, ``touched`` and ``win`` are masks of kinds: those the
    hand may contain, those of which every group must contain one, and those it may be won on. ``words`` maps
    circumstances, forms and waits to whether they should be true.
    """

    seat: int
    round: int
    sets: list[tuple[str, int]] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)
    tiles: dict[int, int] = field(default_factory=dict)
    allowed: int = codes.ALL_KINDS
    touched: int = codes.ALL_KINDS
    win: int = codes.ALL_KINDS
    max_runs: int = UNLIMITED
    max_triplets: int = UNLIMITED
    words: dict[str, bool] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    yaku: list[str] = field(default_factory=list)
    discarded: list[int] = field(default_factory=list)

    def kinds(self, mask: int) -> int:
        """Resolve a mask of the condition language, which may name the winds of the hand, into kinds."""
        kinds = mask & codes.ALL_KINDS
        kinds |= 1 << self.seat if mask & codes.SEAT_WIND else 0
        kinds |= 1 << self.round if mask & codes.ROUND_WIND else 0
        return kinds | (0b111 << 31 if mask & codes.VALUED else 0)


def hints_for(literals: Sequence[Literal], letters: dict[str, int], chance: Random, seats: int) -> HandHints:
    """Derive hints from the tests of one alternative and the values of its letters."""
    hints = HandHints(*_winds(literals, chance, seats))
    compared = _draw_compared(literals, chance)
    for (what, mask), value in compared.items():
        _hint_term(hints, Term(1, what, mask), value, value, chance)
    for literal in literals:
        if isinstance(literal.test, Pattern):
            _hint_pattern(hints, literal.test, letters, literal.holds)
        elif isinstance(literal.test, Sum) and not compared.keys() & _numbers_in(literal.test).keys():
            _hint_sum(hints, literal.test, chance, literal.holds)
    return hints


Number = tuple[str, int]  # what is counted, and among which kinds


@dataclass(frozen=True, slots=True)
class _Bounded:
    """A weighted sum of numbers that must lie from ``low`` to ``high``."""

    factors: dict[Number, int]
    low: int
    high: int

    def lacks(self, values: dict[Number, int]) -> int:
        """Return what must be added to the sum to meet the bounds; negative if it is too high."""
        total = sum(factor * values[number] for number, factor in self.factors.items())
        return max(self.low - total, 0) + min(self.high - total, 0)


def _numbers_in(test: Sum) -> dict[Number, int]:
    factors: dict[Number, int] = {}
    for term in test.terms:
        factors[term.what, term.mask] = factors.get((term.what, term.mask), 0) + term.factor
    return factors


def _draw_compared(literals: Sequence[Literal], chance: Random) -> dict[Number, int]:
    """Draw values for numbers that are compared with each other; empty if no attempt meets all tests."""
    sums = [(_numbers_in(literal.test), literal) for literal in literals if isinstance(literal.test, Sum)]
    sums = [row for row in sums if _MAXIMUM.keys() >= {what for what, _ in row[0]}]
    together = {number for numbers, _ in sums if len(numbers) > 1 for number in numbers}
    for _ in range(_DRAWS if together else 0):
        tests = [
            _Bounded(numbers, *_drawn_bounds(literal, chance))
            for numbers, literal in sums
            if together & numbers.keys()
        ]
        limit = _START if chance.random() < 0.7 else _NO_BOUND
        values = {
            number: chance.randint(int(number[0] == "turn"), min(limit, _MAXIMUM[number[0]]))
            for number in sorted(together)
        }
        for _ in range(_STEPS):
            wrong = [test for test in tests if test.lacks(values)]
            if not wrong:
                return values
            _adjust(chance.choice(wrong), values, chance)
    return {}


def _adjust(test: _Bounded, values: dict[Number, int], chance: Random) -> None:
    """Change one number so that the sum is within bounds, or as near as that number allows."""
    lacks = test.lacks(values)
    number, factor = chance.choice([*test.factors.items()])
    if factor:
        steps = -(-abs(lacks) // abs(factor)) * (1 if lacks * factor > 0 else -1)
        minimum = int(number[0] == "turn")
        values[number] = min(max(values[number] + steps, minimum), _MAXIMUM[number[0]])


def _drawn_bounds(literal: Literal, chance: Random) -> tuple[int, int]:
    """Return bounds that meet the test; for a number to avoid, choose a side at random."""
    test = literal.test
    assert isinstance(test, Sum)
    if test.relation != "==":
        return (test.bound, _NO_BOUND) if literal.holds else (-_NO_BOUND, test.bound - 1)
    if literal.holds:
        return test.bound, test.bound
    return (test.bound + 1, _NO_BOUND) if chance.random() < 0.5 else (-_NO_BOUND, test.bound - 1)


def letters_for(condition_letters: Sequence[str], chance: Random) -> dict[str, int]:
    """Choose a suit or a rank for each letter at random."""
    suits = iter(chance.choice(_SUIT_ORDERS))
    return {
        letter: next(suits) if letter in vocabulary.SUIT_LETTERS else chance.randint(1, 9)
        for letter in condition_letters
    }


def _winds(literals: Sequence[Literal], chance: Random, seats: int) -> tuple[int, int]:
    """Choose a seat wind and a round wind that meet the tests."""
    winds = {"seat": [EAST + i for i in range(seats)], "round": [EAST, EAST + 1]}
    for test, holds in literals:
        if not isinstance(test, Sum) or len(test.terms) > 1 or test.terms[0].what not in winds:
            continue
        what, mask = test.terms[0].what, test.terms[0].mask
        fitting = [kind for kind in winds[what] if bool(mask >> kind & 1) == holds]
        others = [EAST + i for i in range(4) if what == "round" and bool(mask >> EAST + i & 1) == holds]
        winds[what] = fitting or others or winds[what]
    return chance.choice(winds["seat"]), chance.choice(winds["round"])


def _hint_pattern(hints: HandHints, test: Pattern, letters: dict[str, int], holds: bool) -> None:
    rank = test.rank.of(letters)
    suit = letters[test.suit] if test.suit in letters else vocabulary.SUITS[test.suit]
    if not holds or not 1 <= rank <= 9:
        return
    _hint_group(hints, test.what, suit * 9 + rank - 1, test.least)


def _hint_group(hints: HandHints, what: str, kind: int, least: int) -> None:
    """Add a set, a pair or tiles to the hints."""
    if what == "count":
        hints.tiles[kind] = max(hints.tiles.get(kind, 0), least)
    elif what == "pair":
        hints.pairs.append(kind)
    elif what == "won_on":
        hints.win = 1 << kind
        hints.tiles.setdefault(kind, 1)
    elif what == "run":
        missing = least - hints.sets.count(("run", kind))
        hints.sets += [("run", kind)] * max(0, missing)
    else:
        index = next(
            (i for i, group in enumerate(hints.sets) if group[0] != "run" and group[1] == kind), None
        )
        if index is None:
            hints.sets.append((what, kind))
        elif "quad" in what:
            hints.sets[index] = (what, kind)


def _hint_sum(hints: HandHints, test: Sum, chance: Random, holds: bool) -> None:
    low, high = _bounds(test, holds)
    if len(test.terms) > 1:
        if all(term.what.startswith("missing_") for term in test.terms):
            for term in test.terms:
                _hint_term(hints, term, low, high, chance)
        elif low > 0:
            positive = [term for term in test.terms if term.factor > 0]
            if positive:
                _hint_term(hints, chance.choice(positive), low, UNLIMITED, chance)
        return
    term = test.terms[0]
    if term.factor < 0:
        low, high = -high, -low
    _hint_term(hints, term, max(0, low), high, chance)


def _bounds(test: Sum, holds: bool) -> tuple[int, int]:
    """Return the bounds of a sum that meets the test."""
    if test.relation == "==":
        return (test.bound, test.bound) if holds else (test.bound + 1, UNLIMITED)
    return (test.bound, UNLIMITED) if holds else (-UNLIMITED, test.bound - 1)


def _hint_term(hints: HandHints, term: Term, low: int, high: int, chance: Random) -> None:
    """Hint at a number, from ``low`` to ``high``, of what a term counts."""
    what, mask = term.what, hints.kinds(term.mask)
    if what in ("only", "every_set"):
        if high == 0 and what == "only":
            hints.allowed &= mask
        elif high == 0:
            hints.touched &= mask
    elif what.startswith("missing_"):
        for kind in _kinds(mask) if high == 0 else ():
            hints.tiles[kind] = max(hints.tiles.get(kind, 0), int(what[-1]))
    elif what == "yaku" or what in vocabulary.MAYBE_UNKNOWN:
        _hint_stated(hints, term, _kinds(mask), (low, high), chance)
    elif what in vocabulary.GROUPS:
        _hint_groups(hints, what, mask, (low, high), chance)
    elif what in _WORDS:
        hints.words[what] = low > 0
    elif what == "kinds":
        _hint_kinds(hints, mask, (low, high), chance)
    elif what == "suits":
        least = min(3, max(0, low))
        chosen = chance.sample(range(3), chance.randint(least, max(least, min(high, 3))))
        hints.allowed &= sum(0b111111111 << 9 * suit for suit in chosen) | 0b1111111 << 27
    elif what not in ("seat", "round"):
        _hint_number(hints, what, mask, low, chance)


def _hint_number(hints: HandHints, what: str, mask: int, low: int, chance: Random) -> None:
    """Hint at a minimum of twin runs, of red tiles, or of a circumstance with a number, such as honba."""
    if what == "twin_runs":
        starts = [kind for kind in _kinds(runs_in(hints.allowed)) for _ in range(2)]
        for start in chance.sample(starts, min(low, 2)) if starts and low > 0 else ():
            hints.sets += [("run", start)] * 2
        return
    name = "red" if what == "reds" else what
    hints.numbers[name] = max(hints.numbers.get(name, low), low)
    if name == "red" and low > 0:
        fives = [kind for kind in _kinds((mask or hints.allowed) & hints.allowed) if kind in _FIVES]
        for kind in chance.sample(fives, min(low, len(fives))):
            hints.tiles.setdefault(kind, 1)


def _hint_stated(
    hints: HandHints, term: Term, kinds: list[int], bounds: tuple[int, int], chance: Random
) -> None:
    """Hint at another yaku, discards of these kinds, a turn or points."""
    low, high = bounds
    if term.what == "yaku":
        hints.yaku += [known_yaku()[term.mask]] if low > 0 and not term.name else []
    elif term.what == "discarded":
        hints.discarded += chance.sample(kinds, min(low, len(kinds)))
    else:
        hints.numbers[term.what] = low if low > 0 or high == UNLIMITED else high


def _hint_groups(hints: HandHints, what: str, mask: int, bounds: tuple[int, int], chance: Random) -> None:
    """Hint at a number of sets, pairs or tiles among some kinds."""
    low, high = bounds
    if high == 0 and what == "count":
        hints.allowed &= ~mask
    if what == "run":
        hints.max_runs = min(hints.max_runs, high if mask == codes.ALL_KINDS else UNLIMITED)
    elif "triplet" in what:
        hints.max_triplets = min(hints.max_triplets, high if mask == codes.ALL_KINDS else UNLIMITED)
    elif what == "won_on" and low > 0:
        hints.win &= mask
        return
    starts = mask & mask >> 1 & mask >> 2 & 0b1111111 * (1 | 1 << 9 | 1 << 18) if what == "run" else mask
    fitting = _kinds(starts & hints.allowed)
    if not fitting or low <= 0:
        return
    if what == "count":
        if low == high and chance.random() < 0.5 and _hint_whole_sets(hints, mask, low, chance):
            return
        for _ in range(min(low, 14)):
            kind = chance.choice(fitting)
            hints.tiles[kind] = min(4, hints.tiles.get(kind, 0) + 1)
        return
    have = [kind for group, kind in hints.sets if group in (what, *_COUNT_AS.get(what, ()))]
    fewer = [kind for group, kind in hints.sets if what in _COUNT_AS.get(group, ()) and kind in fitting]
    missing = max(0, min(low, 7) - len(set(have) & set(fitting)))
    new = [kind for kind in fitting if kind not in have and kind not in fewer]
    chosen = chance.sample(fewer, min(len(fewer), missing))
    for kind in chosen + chance.sample(new, min(len(new), missing - len(chosen))):
        _hint_group(hints, what, kind, 1)


def _hint_whole_sets(hints: HandHints, mask: int, count: int, chance: Random) -> bool:
    """Hint at exactly ``count`` tiles, as whole sets and a pair; return False if that is impossible."""
    fitting = _kinds(mask & hints.allowed)
    starts = _kinds(runs_in(mask & hints.allowed))
    quads = count % 3 == 1
    sets = count // 3 - quads
    if sets < 0 or len(fitting) < 2:
        return False
    for _ in range(sets):
        kind = chance.choice(starts or fitting)
        hints.sets.append(("run", kind) if starts and chance.random() < 0.8 else ("triplet", kind))
    if quads:
        hints.sets.append(("quad", chance.choice(fitting)))
    if count % 3 == 2:
        hints.pairs.append(chance.choice(fitting))
    hints.allowed &= ~mask
    return True


def _hint_kinds(hints: HandHints, mask: int, bounds: tuple[int, int], chance: Random) -> None:
    """Hint at a number of different kinds."""
    low, high = bounds
    fitting = _kinds(mask & hints.allowed)
    if high == 0:
        hints.allowed &= ~mask
    for kind in chance.sample(fitting, min(low, len(fitting))) if mask != codes.ALL_KINDS else ():
        hints.tiles.setdefault(kind, 1)


def _kinds(mask: int) -> list[int]:
    return [kind for kind in range(KINDS) if mask >> kind & 1]

"""What a hand should be like to meet a condition: hints, drawn at random, for the search for examples.

A hint may be wrong or incomplete; the scorer decides about every hand that is built from it.
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

MANY: Final = 99
_WORDS: Final = frozenset(vocabulary.WORDS)
_NO_BOUND: Final = 10**9
_MOST_OF: Final = {
    "honba": 30, "streak": 30, "kita": 4, "dora": 16, "ura": 16, "red": 4, "reds": 4, "turn": 18,
    "score": 200_000, "discarded": 17, "melds": 4, "suits": 3, "twin_runs": 2, "kinds": 14, "count": 14,
    "run": 4, "triplet": 4, "concealed_triplet": 4, "quad": 4, "concealed_quad": 4, "pair": 7,
}  # fmt: skip
"""The numbers that a hand can be given, and the most of each."""
_COUNT_AS: Final = {
    "triplet": ("concealed_triplet", "quad", "concealed_quad"),
    "concealed_triplet": ("concealed_quad",),
    "quad": ("concealed_quad",),
}
"""The sets that count as another, too."""
_FIVES: Final = (4, 13, 22)
_START: Final = 4
_DRAWS, _STEPS = 12, 60
_TURNED: Final = tuple(permutations(range(3)))


@dataclass(slots=True)
class Wish:
    """What a hand should have. Tiles are kinds or masks of kinds; ``sets`` are (``run`` …, lowest tile).

    ``words`` says which circumstances, forms and waits should hold or not.
    """

    seat: int
    round: int
    sets: list[tuple[str, int]] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)
    tiles: dict[int, int] = field(default_factory=dict)
    allowed: int = codes.ALL_KINDS
    touched: int = codes.ALL_KINDS
    win: int = codes.ALL_KINDS
    most_runs: int = MANY
    most_triplets: int = MANY
    words: dict[str, bool] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    yaku: list[str] = field(default_factory=list)
    discarded: list[int] = field(default_factory=list)

    def kinds(self, mask: int) -> int:
        """The kinds that a mask of the language names at this seat."""
        kinds = mask & codes.ALL_KINDS
        kinds |= 1 << self.seat if mask & codes.SEAT_WIND else 0
        kinds |= 1 << self.round if mask & codes.ROUND_WIND else 0
        return kinds | (0b111 << 31 if mask & codes.VALUED else 0)


def wish_for(literals: Sequence[Literal], letters: dict[str, int], chance: Random, seats: int) -> Wish:
    """A wish that follows from the tests of one alternative and a choice of its letters."""
    wish = Wish(*_winds(literals, chance, seats))
    compared = _compared(literals, chance)
    for (what, mask), value in compared.items():
        _wish_term(wish, Term(1, what, mask), value, value, chance)
    for literal in literals:
        if isinstance(literal.test, Pattern):
            _wish_pattern(wish, literal.test, letters, literal.holds)
        elif isinstance(literal.test, Sum) and not compared.keys() & _numbers_in(literal.test).keys():
            _wish_sum(wish, literal.test, chance, literal.holds)
    return wish


Number = tuple[str, int]  # what is counted, and among which kinds


@dataclass(frozen=True, slots=True)
class _Between:
    """A sum of numbers, each with its factor, that must be from ``low`` to ``high``."""

    factors: dict[Number, int]
    low: int
    high: int

    def lacks(self, values: dict[Number, int]) -> int:
        """What must be added to the sum; below 0 if it is too much."""
        total = sum(factor * values[number] for number, factor in self.factors.items())
        return max(self.low - total, 0) + min(self.high - total, 0)


def _numbers_in(test: Sum) -> dict[Number, int]:
    factors: dict[Number, int] = {}
    for term in test.terms:
        factors[term.what, term.mask] = factors.get((term.what, term.mask), 0) + term.factor
    return factors


def _compared(literals: Sequence[Literal], chance: Random) -> dict[Number, int]:
    """Values, drawn at random, of numbers that are compared with each other; none if the dice found none."""
    sums = [(_numbers_in(literal.test), literal) for literal in literals if isinstance(literal.test, Sum)]
    sums = [row for row in sums if _MOST_OF.keys() >= {what for what, _ in row[0]}]
    together = {number for numbers, _ in sums if len(numbers) > 1 for number in numbers}
    for _ in range(_DRAWS if together else 0):
        tests = [
            _Between(numbers, *_drawn_bounds(literal, chance))
            for numbers, literal in sums
            if together & numbers.keys()
        ]
        most = _START if chance.random() < 0.7 else _NO_BOUND
        values = {
            number: chance.randint(int(number[0] == "turn"), min(most, _MOST_OF[number[0]]))
            for number in sorted(together)
        }
        for _ in range(_STEPS):
            wrong = [test for test in tests if test.lacks(values)]
            if not wrong:
                return values
            _mend(chance.choice(wrong), values, chance)
    return {}


def _mend(test: _Between, values: dict[Number, int], chance: Random) -> None:
    """Change one number so that the sum is right, or as near as that number allows."""
    lacks = test.lacks(values)
    number, factor = chance.choice([*test.factors.items()])
    if factor:
        steps = -(-abs(lacks) // abs(factor)) * (1 if lacks * factor > 0 else -1)
        least = int(number[0] == "turn")
        values[number] = min(max(values[number] + steps, least), _MOST_OF[number[0]])


def _drawn_bounds(literal: Literal, chance: Random) -> tuple[int, int]:
    """Between which numbers the sum must be; on either side of one that it must not be."""
    test = literal.test
    assert isinstance(test, Sum)
    if test.relation != "==":
        return (test.bound, _NO_BOUND) if literal.holds else (-_NO_BOUND, test.bound - 1)
    if literal.holds:
        return test.bound, test.bound
    return (test.bound + 1, _NO_BOUND) if chance.random() < 0.5 else (-_NO_BOUND, test.bound - 1)


def letters_for(condition_letters: Sequence[str], chance: Random) -> dict[str, int]:
    """Some choice of the letters."""
    suits = iter(chance.choice(_TURNED))
    return {
        letter: next(suits) if letter in vocabulary.SUIT_LETTERS else chance.randint(1, 9)
        for letter in condition_letters
    }


def _winds(literals: Sequence[Literal], chance: Random, seats: int) -> tuple[int, int]:
    """The seat and the round, as the tests ask for them."""
    winds = {"seat": [EAST + i for i in range(seats)], "round": [EAST, EAST + 1]}
    for test, holds in literals:
        if not isinstance(test, Sum) or len(test.terms) > 1 or test.terms[0].what not in winds:
            continue
        what, mask = test.terms[0].what, test.terms[0].mask
        fitting = [kind for kind in winds[what] if bool(mask >> kind & 1) == holds]
        others = [EAST + i for i in range(4) if what == "round" and bool(mask >> EAST + i & 1) == holds]
        winds[what] = fitting or others or winds[what]
    return chance.choice(winds["seat"]), chance.choice(winds["round"])


def _wish_pattern(wish: Wish, test: Pattern, letters: dict[str, int], holds: bool) -> None:
    rank = test.rank.of(letters)
    suit = letters[test.suit] if test.suit in letters else vocabulary.SUITS[test.suit]
    if not holds or not 1 <= rank <= 9:
        return
    _wish_group(wish, test.what, suit * 9 + rank - 1, test.least)


def _wish_group(wish: Wish, what: str, kind: int, least: int) -> None:
    """Ask for a set, a pair or tiles."""
    if what == "count":
        wish.tiles[kind] = max(wish.tiles.get(kind, 0), least)
    elif what == "pair":
        wish.pairs.append(kind)
    elif what == "won_on":
        wish.win = 1 << kind
        wish.tiles.setdefault(kind, 1)
    elif what == "run":
        missing = least - wish.sets.count(("run", kind))
        wish.sets += [("run", kind)] * max(0, missing)
    else:
        before = next(
            (i for i, group in enumerate(wish.sets) if group[0] != "run" and group[1] == kind), None
        )
        if before is None:
            wish.sets.append((what, kind))
        elif "quad" in what:
            wish.sets[before] = (what, kind)


def _wish_sum(wish: Wish, test: Sum, chance: Random, holds: bool) -> None:
    low, high = _bounds(test, holds)
    if len(test.terms) > 1:
        if all(term.what.startswith("missing_") for term in test.terms):
            for term in test.terms:
                _wish_term(wish, term, low, high, chance)
        elif low > 0:
            more = [term for term in test.terms if term.factor > 0]
            if more:
                _wish_term(wish, chance.choice(more), low, MANY, chance)
        return
    term = test.terms[0]
    if term.factor < 0:
        low, high = -high, -low
    _wish_term(wish, term, max(0, low), high, chance)


def _bounds(test: Sum, holds: bool) -> tuple[int, int]:
    """Between which numbers the sum must be."""
    if test.relation == "==":
        return (test.bound, test.bound) if holds else (test.bound + 1, MANY)
    return (test.bound, MANY) if holds else (-MANY, test.bound - 1)


def _wish_term(wish: Wish, term: Term, low: int, high: int, chance: Random) -> None:
    """Ask for at least ``low`` and at most ``high`` of what a term counts."""
    what, mask = term.what, wish.kinds(term.mask)
    if what in ("only", "every_set"):
        if high == 0 and what == "only":
            wish.allowed &= mask
        elif high == 0:
            wish.touched &= mask
    elif what.startswith("missing_"):
        for kind in _kinds(mask) if high == 0 else ():
            wish.tiles[kind] = max(wish.tiles.get(kind, 0), int(what[-1]))
    elif what == "yaku" or what in vocabulary.UNSAID:
        _wish_stated(wish, term, _kinds(mask), (low, high), chance)
    elif what in vocabulary.GROUPS:
        _wish_groups(wish, what, mask, (low, high), chance)
    elif what in _WORDS:
        wish.words[what] = low > 0
    elif what == "kinds":
        _wish_kinds(wish, mask, (low, high), chance)
    elif what == "suits":
        least = min(3, max(0, low))
        chosen = chance.sample(range(3), chance.randint(least, max(least, min(high, 3))))
        wish.allowed &= sum(0b111111111 << 9 * suit for suit in chosen) | 0b1111111 << 27
    elif what not in ("seat", "round"):
        _wish_number(wish, what, mask, low, chance)


def _wish_number(wish: Wish, what: str, mask: int, low: int, chance: Random) -> None:
    """Ask for at least so many twin runs, red tiles, or of a number that a hand is given."""
    if what == "twin_runs":
        starts = [kind for kind in _kinds(runs_in(wish.allowed)) for _ in range(2)]
        for start in chance.sample(starts, min(low, 2)) if starts and low > 0 else ():
            wish.sets += [("run", start)] * 2
        return
    name = "red" if what == "reds" else what
    wish.numbers[name] = max(wish.numbers.get(name, low), low)
    if name == "red" and low > 0:
        fives = [kind for kind in _kinds((mask or wish.allowed) & wish.allowed) if kind in _FIVES]
        for kind in chance.sample(fives, min(low, len(fives))):
            wish.tiles.setdefault(kind, 1)


def _wish_stated(wish: Wish, term: Term, kinds: list[int], bounds: tuple[int, int], chance: Random) -> None:
    """Ask for another yaku, for discards of these kinds, for a turn or for points."""
    low, high = bounds
    if term.what == "yaku":
        wish.yaku += [known_yaku()[term.mask]] if low > 0 and not term.name else []
    elif term.what == "discarded":
        wish.discarded += chance.sample(kinds, min(low, len(kinds)))
    else:
        wish.numbers[term.what] = low if low > 0 or high == MANY else high


def _wish_groups(wish: Wish, what: str, mask: int, bounds: tuple[int, int], chance: Random) -> None:
    """Ask for so many sets, pairs or tiles among some kinds."""
    low, high = bounds
    if high == 0 and what == "count":
        wish.allowed &= ~mask
    if what == "run":
        wish.most_runs = min(wish.most_runs, high if mask == codes.ALL_KINDS else MANY)
    elif "triplet" in what:
        wish.most_triplets = min(wish.most_triplets, high if mask == codes.ALL_KINDS else MANY)
    elif what == "won_on" and low > 0:
        wish.win &= mask
        return
    starts = mask & mask >> 1 & mask >> 2 & 0b1111111 * (1 | 1 << 9 | 1 << 18) if what == "run" else mask
    fitting = _kinds(starts & wish.allowed)
    if not fitting or low <= 0:
        return
    if what == "count":
        if low == high and chance.random() < 0.5 and _wish_whole_sets(wish, mask, low, chance):
            return
        for _ in range(min(low, 14)):
            kind = chance.choice(fitting)
            wish.tiles[kind] = min(4, wish.tiles.get(kind, 0) + 1)
        return
    have = [kind for group, kind in wish.sets if group in (what, *_COUNT_AS.get(what, ()))]
    fewer = [kind for group, kind in wish.sets if what in _COUNT_AS.get(group, ()) and kind in fitting]
    missing = max(0, min(low, 7) - len(set(have) & set(fitting)))
    new = [kind for kind in fitting if kind not in have and kind not in fewer]
    chosen = chance.sample(fewer, min(len(fewer), missing))
    for kind in chosen + chance.sample(new, min(len(new), missing - len(chosen))):
        _wish_group(wish, what, kind, 1)


def _wish_whole_sets(wish: Wish, mask: int, count: int, chance: Random) -> bool:
    """Ask for so many tiles as whole sets and a pair, and for no others; False if they come to none."""
    fitting = _kinds(mask & wish.allowed)
    starts = _kinds(runs_in(mask & wish.allowed))
    quads = count % 3 == 1
    sets = count // 3 - quads
    if sets < 0 or len(fitting) < 2:
        return False
    for _ in range(sets):
        kind = chance.choice(starts or fitting)
        wish.sets.append(("run", kind) if starts and chance.random() < 0.8 else ("triplet", kind))
    if quads:
        wish.sets.append(("quad", chance.choice(fitting)))
    if count % 3 == 2:
        wish.pairs.append(chance.choice(fitting))
    wish.allowed &= ~mask
    return True


def _wish_kinds(wish: Wish, mask: int, bounds: tuple[int, int], chance: Random) -> None:
    """Ask for so many different tiles."""
    low, high = bounds
    fitting = _kinds(mask & wish.allowed)
    if high == 0:
        wish.allowed &= ~mask
    for kind in chance.sample(fitting, min(low, len(fitting))) if mask != codes.ALL_KINDS else ():
        wish.tiles.setdefault(kind, 1)


def _kinds(mask: int) -> list[int]:
    return [kind for kind in range(KINDS) if mask >> kind & 1]

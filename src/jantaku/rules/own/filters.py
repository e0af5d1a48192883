"""What a reading must have before an alternative of a condition is tried, as a few integers to compare.

A filter never refuses a reading that meets the alternative. The tests that it decides alone need no steps.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from jantaku.rules.own import codes, vocabulary
from jantaku.rules.own.reader import Pattern, Sum, Term, Test

_WINDS: Final = 0b1111
_FIRST_WIND: Final = 27
_NO_LIMIT: Final = 1 << 30
_NUMBERS: Final = (*vocabulary.GROUPS.items(), *vocabulary.NUMBERS.items())
_COUNTED: Final = {
    name: codes.COUNTED.index(code)
    for name, code in (*_NUMBERS, ("kinds", codes.KINDS), ("reds", codes.RED))
    if code in codes.COUNTED
}
_BITS: Final = {
    **vocabulary.FLAGS,
    **{form: 1 << codes.FORM_AT + i for i, form in enumerate(vocabulary.FORMS)},
    **{wait: 1 << codes.WAIT_AT + i for i, wait in enumerate(vocabulary.WAITS)},
    "closed": 1 << codes.CLOSED_AT,
}


class Literal(NamedTuple):
    """A test, or its opposite."""

    test: Test
    holds: bool


@dataclass
class Filter:
    """The bounds that an alternative sets, gathered test by test."""

    care: int = 0
    want: int = 0
    low: list[int] = field(default_factory=lambda: [0] * len(codes.COUNTED))
    high: list[int] = field(default_factory=lambda: [codes.MOST_COUNTED] * len(codes.COUNTED))
    none_of: int = 0
    some_of: int = codes.ALL_KINDS
    possible: bool = True

    @property
    def numbers(self) -> tuple[int, ...]:
        """The columns of a filter, as compiled code reads them."""
        return (
            self.care,
            self.want,
            _packed(self.low),
            _packed(self.high) | codes.GUARDS,
            self.none_of,
            self.some_of,
        )

    def circumstance(self, bits: int, holds: bool) -> None:
        """Ask that all of these bits are set, or none."""
        wanted = bits if holds else 0
        self.possible &= not self.care & bits & (self.want ^ wanted)
        self.care |= bits
        self.want |= wanted

    def bound(self, index: int, low: int, high: int) -> bool:
        """Ask that a number is from ``low`` to ``high``; False if the filter cannot say that."""
        most = codes.MOST_COUNTED
        self.low[index] = max(self.low[index], min(low, most))
        if high < most:
            self.high[index] = min(self.high[index], high)
        self.possible &= self.low[index] <= self.high[index]
        return low <= most and (high < most or high == _NO_LIMIT)

    def some(self, kinds: int) -> bool:
        """Ask for one of these kinds; False if the filter asks for one of others already."""
        free = self.some_of == codes.ALL_KINDS
        self.some_of = kinds if free else self.some_of
        return free


def filtered(literals: Sequence[Literal]) -> tuple[tuple[int, ...], tuple[Literal, ...]] | None:
    """The filter of an alternative and the tests that it leaves over; ``None`` if nothing meets it."""
    out = Filter()
    rest = tuple(
        literal
        for literal in literals
        if not (isinstance(literal.test, Sum) and _decides(out, literal.test, literal.holds))
    )
    _suppose(
        out, [literal.test for literal in literals if isinstance(literal.test, Pattern) and literal.holds]
    )
    return (out.numbers, rest) if out.possible else None


def _packed(numbers: Iterable[int]) -> int:
    return sum(number << codes.NUMBER_WIDTH * i for i, number in enumerate(numbers))


def _decides(out: Filter, test: Sum, holds: bool) -> bool:
    """Add what a sum says to the filter; whether the filter decides all of it."""
    if not test.terms or any(term.what in vocabulary.UNSAID for term in test.terms):
        return False  # what is not said meets neither a test nor its opposite; points may be below zero
    if (interval := bounds(test, holds)) is None:
        return False
    (low, high), term = interval, test.terms[0]
    # all terms of such a sum are tiles that the hand must have
    if term.what.startswith("missing_") and holds:
        out.some(term.mask & -term.mask & codes.ALL_KINDS or codes.ALL_KINDS)
    if len(test.terms) > 1:
        return False
    out.possible &= low <= high
    if term.what in _BITS or term.what in ("seat", "round"):
        return _of_circumstance(out, term, low, high)
    if term.what in _COUNTED and term.mask in (0, codes.ALL_KINDS):
        return out.bound(_COUNTED[term.what], low, high)
    if term.what in vocabulary.GROUPS and term.what in _COUNTED:
        out.bound(_COUNTED[term.what], low, _NO_LIMIT)
    return _of_tiles(out, term, low, high)


def bounds(test: Sum, holds: bool) -> tuple[int, int] | None:
    """From where to where the number of a test with one term may be; ``None`` if that is no interval."""
    factor, bound = test.terms[0].factor, test.bound
    if test.relation == "==" and holds:
        return max(0, factor * bound), factor * bound
    if test.relation == "==":
        return (1, _NO_LIMIT) if bound == 0 else None
    low = bound if holds else 1 - bound
    return (max(0, low), _NO_LIMIT) if (factor == 1) == holds else (0, -bound if holds else bound - 1)


def _of_circumstance(out: Filter, term: Term, low: int, high: int) -> bool:
    """A word that is true or false, or a wind, which is one of those named or one of the others."""
    if term.mask & ~codes.ALL_KINDS:
        return False
    out.possible &= low <= 1
    if term.what in _BITS:
        if low == 1 or high == 0:
            out.circumstance(_BITS[term.what], low == 1)
        return True
    named = term.mask >> _FIRST_WIND & _WINDS
    at = codes.SEAT_AT if term.what == "seat" else codes.ROUND_AT
    if low == 1 or high == 0:
        out.circumstance((_WINDS & ~named if low == 1 else named) << at, holds=False)
    return True


def _of_tiles(out: Filter, term: Term, low: int, high: int) -> bool:
    """How many there are of certain tiles, or of others."""
    if term.mask & ~codes.ALL_KINDS:
        return False
    kinds = term.mask if term.what in ("count", "kinds") else codes.ALL_KINDS & ~term.mask
    if term.what not in ("count", "kinds", "only"):
        return False
    if high == 0:
        out.none_of |= kinds
        return True
    return low == 1 and high == _NO_LIMIT and out.some(kinds)


def _suppose(out: Filter, patterns: Sequence[Pattern]) -> None:
    """Add what sets at certain numbers and suits need: so many of their sort, and so many suits."""
    real = [pattern for pattern in patterns if pattern.least > 0]
    for what in {pattern.what for pattern in real} & _COUNTED.keys():
        apart: list[Pattern] = []
        for pattern in real:
            if pattern.what == what and all(_are_apart(pattern, other) for other in apart):
                apart.append(pattern)
        out.bound(_COUNTED[what], sum(pattern.least for pattern in apart), _NO_LIMIT)
    letters = {pattern.suit for pattern in real if pattern.suit in vocabulary.SUIT_LETTERS}
    suits = max(len(letters), len({pattern.suit for pattern in real if pattern.suit in vocabulary.SUITS}))
    out.bound(_COUNTED["suits"], suits, _NO_LIMIT)


def _are_apart(one: Pattern, other: Pattern) -> bool:
    """Whether the two cannot be the same place, whatever the letters are."""
    if one.suit != other.suit:
        return (one.suit in vocabulary.SUITS) == (other.suit in vocabulary.SUITS)
    return one.rank.letter == other.rank.letter and one.rank.offset != other.rank.offset

"""Filters: necessary conditions of an alternative, as a few integers that are compared with a reading first.

A filter never rejects a reading that meets the alternative. Tests that it decides alone need no steps.
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
    """A test or its negation."""

    test: Test
    holds: bool


@dataclass
class Filter:
    """The bounds of an alternative, collected test by test."""

    care: int = 0
    want: int = 0
    low: list[int] = field(default_factory=lambda: [0] * len(codes.COUNTED))
    high: list[int] = field(default_factory=lambda: [codes.MAX_COUNTED] * len(codes.COUNTED))
    none_of: int = 0
    some_of: int = codes.ALL_KINDS
    possible: bool = True

    @property
    def numbers(self) -> tuple[int, ...]:
        """The columns of the filter for compiled code."""
        return (
            self.care,
            self.want,
            _packed(self.low),
            _packed(self.high) | codes.GUARDS,
            self.none_of,
            self.some_of,
        )

    def circumstance(self, bits: int, holds: bool) -> None:
        """Require that all of these bits are set (``holds``), or that none is."""
        wanted = bits if holds else 0
        self.possible &= not self.care & bits & (self.want ^ wanted)
        self.care |= bits
        self.want |= wanted

    def bound(self, index: int, low: int, high: int) -> bool:
        """Require a number from ``low`` to ``high``; False if the filter cannot express it exactly."""
        most = codes.MAX_COUNTED
        self.low[index] = max(self.low[index], min(low, most))
        if high < most:
            self.high[index] = min(self.high[index], high)
        self.possible &= self.low[index] <= self.high[index]
        return low <= most and (high < most or high == _NO_LIMIT)

    def some(self, kinds: int) -> bool:
        """Require at least one of these kinds; False if the filter already requires one of other kinds."""
        free = self.some_of == codes.ALL_KINDS
        self.some_of = kinds if free else self.some_of
        return free


def filtered(literals: Sequence[Literal]) -> tuple[tuple[int, ...], tuple[Literal, ...]] | None:
    """Return the filter of an alternative and the tests it does not decide; ``None`` if it is impossible."""
    out = Filter()
    rest = tuple(
        literal
        for literal in literals
        if not (isinstance(literal.test, Sum) and _decides(out, literal.test, literal.holds))
    )
    _add_implied(
        out, [literal.test for literal in literals if isinstance(literal.test, Pattern) and literal.holds]
    )
    return (out.numbers, rest) if out.possible else None


def _packed(numbers: Iterable[int]) -> int:
    return sum(number << codes.NUMBER_WIDTH * i for i, number in enumerate(numbers))


def _decides(out: Filter, test: Sum, holds: bool) -> bool:
    """Add a sum to the filter; return whether the filter decides it entirely."""
    if not test.terms or any(term.what in vocabulary.MAYBE_UNKNOWN for term in test.terms):
        return False  # an unknown value meets neither a test nor its negation; scores may be negative
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
        return _add_circumstance(out, term, low, high)
    if term.what in _COUNTED and term.mask in (0, codes.ALL_KINDS):
        return out.bound(_COUNTED[term.what], low, high)
    if term.what in vocabulary.GROUPS and term.what in _COUNTED:
        out.bound(_COUNTED[term.what], low, _NO_LIMIT)
    return _add_tiles(out, term, low, high)


def bounds(test: Sum, holds: bool) -> tuple[int, int] | None:
    """Return the range allowed by a test with one term; ``None`` if it is not an interval."""
    factor, bound = test.terms[0].factor, test.bound
    if test.relation == "==" and holds:
        return max(0, factor * bound), factor * bound
    if test.relation == "==":
        return (1, _NO_LIMIT) if bound == 0 else None
    low = bound if holds else 1 - bound
    return (max(0, low), _NO_LIMIT) if (factor == 1) == holds else (0, -bound if holds else bound - 1)


def _add_circumstance(out: Filter, term: Term, low: int, high: int) -> bool:
    """Add a word that is true or false, or the seat or round wind, to the filter."""
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


def _add_tiles(out: Filter, term: Term, low: int, high: int) -> bool:
    """Add a count of certain tiles, or of all others, to the filter."""
    if term.mask & ~codes.ALL_KINDS:
        return False
    kinds = term.mask if term.what in ("count", "kinds") else codes.ALL_KINDS & ~term.mask
    if term.what not in ("count", "kinds", "only"):
        return False
    if high == 0:
        out.none_of |= kinds
        return True
    return low == 1 and high == _NO_LIMIT and out.some(kinds)


def _add_implied(out: Filter, patterns: Sequence[Pattern]) -> None:
    """Add what patterns imply: minimum numbers of each type of set, and of suits."""
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
    """Return whether two patterns can never refer to the same tile, whatever the letters."""
    if one.suit != other.suit:
        return (one.suit in vocabulary.SUITS) == (other.suit in vocabulary.SUITS)
    return one.rank.letter == other.rank.letter and one.rank.offset != other.rank.offset

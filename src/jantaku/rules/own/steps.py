"""Compiler of conditions: turns the tree into alternatives of tests, and these into integers."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from jantaku.errors import RulesError
from jantaku.rules.own import codes, reader, vocabulary
from jantaku.rules.own.filters import Literal, filtered
from jantaku.rules.own.naming import named_by

MAX_ALTERNATIVES: Final = 64
_ROWS: Final = 1 | 1 << 9 | 1 << 18

Step = tuple[int, int, int]


class Alternative(NamedTuple):
    """A filter and the remaining steps, tried for each value of k and each order of the suits."""

    filter: tuple[int, ...]
    steps: tuple[Step, ...]
    values_of_k: int
    orders: int


class Program(NamedTuple):
    """A condition for compiled code; ``size``, the number of steps before filtering, is bounded.

    Steps refer to custom yaku by their index in ``named``.
    """

    alternatives: tuple[Alternative, ...]
    size: int
    named: tuple[str, ...] = ()


@lru_cache(maxsize=1024)
def program(condition: reader.Condition, path: str = "when") -> Program:
    """Compile a condition; raises ``RulesError`` (``own_too_large``) if it needs too many steps."""
    ways: list[Alternative] = []
    size, named = 0, named_by(condition)
    for literals in alternatives(condition, path):
        chosen = sorted(dict.fromkeys(literals), key=_cost)
        size += 1 + sum(
            len(literal.test.terms) + 1 if isinstance(literal.test, reader.Sum) else 1 for literal in chosen
        )
        if size > codes.MAX_STEPS:
            raise RulesError("own_too_large", path=path)
        if result := filtered(chosen):
            ways.append(_alternative(*result, named))
    return Program(tuple(ways), size, named)


def _alternative(
    numbers: tuple[int, ...], literals: tuple[Literal, ...], named: tuple[str, ...]
) -> Alternative:
    names = _names(literals)
    steps = _all_steps(literals, names, named)
    swaps = (str.maketrans(a + b, b + a) for a, b in combinations(vocabulary.SUIT_LETTERS, 2))
    swapped = ({letter: name.translate(swap) for letter, name in names.items()} for swap in swaps)
    alike = any(set(_all_steps(literals, names, named)) == set(steps) for names in swapped)
    return Alternative(numbers, steps, 9 if "k" in names.values() else 1, 1 if alike else 2)


def _all_steps(
    literals: Iterable[Literal], names: dict[str, str], named: tuple[str, ...]
) -> tuple[Step, ...]:
    return tuple(step for literal in literals for step in _steps(literal, names, named))


def alternatives(condition: reader.Condition, path: str = "when") -> tuple[tuple[Literal, ...], ...]:
    """Return the condition in disjunctive normal form: alternatives of literals that must all hold."""
    return tuple(_alternatives(condition.tree, True, path))


def _alternatives(node: reader.Node, holds: bool, path: str) -> list[tuple[Literal, ...]]:
    if isinstance(node, reader.Not):
        return _alternatives(node.part, not holds, path)
    if not isinstance(node, reader.Several):
        return [(Literal(node, holds),)]
    if node.every != holds:
        ways = [way for part in node.parts for way in _alternatives(part, holds, path)]
        _check_size(ways, path)
        return ways
    whole: list[tuple[Literal, ...]] = [()]
    for part in node.parts:
        more = _alternatives(part, holds, path)
        if len(whole) * len(more) > MAX_ALTERNATIVES:
            raise RulesError("own_too_large", path=path)
        whole = [(*way, *other) for way in whole for other in more]
        _check_size(whole, path)
    return whole


def _check_size(ways: list[tuple[Literal, ...]], path: str) -> None:
    if len(ways) > MAX_ALTERNATIVES or sum(map(len, ways)) > codes.MAX_STEPS * 2:
        raise RulesError("own_too_large", path=path)


def _names(literals: Iterable[Literal]) -> dict[str, str]:
    """Map the letters to those of the evaluator: the first number is n, the first suit x."""
    used = reader.letters_of(literal.test for literal in literals)
    numbers = [letter for letter in used if letter in vocabulary.NUMBER_LETTERS]
    suits = [letter for letter in used if letter in vocabulary.SUIT_LETTERS]
    return dict(zip(numbers, "nk", strict=False)) | dict(zip(suits, "xyz", strict=False))


def _cost(literal: Literal) -> int:
    """Estimate the cost of a test; cheap ones come first, as evaluation stops at the first that fails."""
    test = literal.test
    if isinstance(test, reader.Sum):
        return len(test.terms) + sum(3 for term in test.terms if term.what == "run")
    return 3 if isinstance(test, reader.Pattern) and test.what == "run" and test.least > 1 else 1


def _steps(literal: Literal, names: dict[str, str], named: tuple[str, ...]) -> Iterator[Step]:
    test, holds = literal
    if isinstance(test, reader.Sum):
        for term in test.terms:
            mask = named.index(term.name) if term.name else _mask_of(term)
            yield codes.TERM + _code_of(term), mask, term.factor
        equal, unequal = (codes.EQUAL, codes.UNEQUAL)
        least, below = (codes.AT_LEAST, codes.BELOW)
        op = (equal if holds else unequal) if test.relation == "==" else (least if holds else below)
        yield op, 0, test.bound
    elif isinstance(test, reader.Pattern):
        yield codes.PATTERN if holds else codes.NO_PATTERN, 0, _pattern(test, names)
    else:
        yield _numbers(test, holds, names)


def _code_of(term: reader.Term) -> int:
    """Return the code for what a term counts."""
    what = term.what
    for table in (vocabulary.GROUPS, vocabulary.NUMBERS, vocabulary.AMONG, vocabulary.OF_TILES):
        if what in table:
            return table[what]
    if what in vocabulary.FLAGS:
        return codes.FLAG
    if what in vocabulary.FORMS:
        return codes.FORM
    if what in vocabulary.WAITS:
        return codes.WAIT
    if what == "yaku":
        return codes.OWN if term.name else codes.YAKU
    return {"reds": codes.RED, "closed": codes.CLOSED}.get(what) or (codes.MISSING_1 + int(what[-1]) - 1)


def _mask_of(term: reader.Term) -> int:
    """Return the operand of the code: tiles, or the circumstance, form, wait or yaku."""
    what = term.what
    if what in vocabulary.FLAGS:
        return vocabulary.FLAGS[what]
    if what in vocabulary.FORMS:
        return vocabulary.FORMS.index(what)
    return vocabulary.WAITS.index(what) if what in vocabulary.WAITS else term.mask


def _pattern(test: reader.Pattern, names: dict[str, str]) -> int:
    """Pack a pattern into one integer: what, how many, rank and suit."""
    kind, offset = codes.RANK_FIXED, test.rank.offset - 1
    if test.rank.letter:
        kind = codes.RANK_N if names[test.rank.letter] == "n" else codes.RANK_K
        offset = test.rank.offset
    suit = names.get(test.suit, "")
    letter = "xyz".index(suit) if suit else codes.SUIT_FIXED + vocabulary.SUITS[test.suit]
    what = vocabulary.GROUPS[test.what]
    return what | test.least << 4 | kind << 8 | letter << 12 | offset + codes.OFFSET << 16


def _numbers(test: reader.Numbers, holds: bool, names: dict[str, str]) -> Step:
    """Return the step of a comparison of ranks: a constant mask if only one letter occurs."""
    left, right = test.left, test.right
    letters = {names[side.letter] for side in (left, right) if side.letter}
    if letters == {"n", "k"}:
        if names[left.letter] == "k":
            holds, left, right = _swapped(test, holds)
        offset = left.offset - right.offset
        if test.relation == ">=":
            return codes.N_AT_LEAST_K if holds else codes.N_BELOW_K, 0, offset
        return codes.N_IS_K if holds else codes.N_IS_NOT_K, 0, offset
    letter = next((side.letter for side in (left, right) if side.letter), "")
    row = sum(1 << n - 1 for n in range(1, 10) if _compare(test, {letter: n}) == holds)
    return (codes.VALUES_OF_K, row, 0) if letters == {"k"} else (codes.RANKS, row * _ROWS, 0)


def _swapped(test: reader.Numbers, holds: bool) -> tuple[bool, reader.Rank, reader.Rank]:
    """Swap the sides of a comparison with k on the left: k ≥ n becomes not n ≥ k + 1."""
    if test.relation == "==":
        return holds, test.right, test.left
    return not holds, test.right, reader.Rank(test.left.letter, test.left.offset + 1)


def _compare(test: reader.Numbers, letters: dict[str, int]) -> bool:
    left, right = test.left.of(letters), test.right.of(letters)
    return left == right if test.relation == "==" else left >= right


def uses(condition: reader.Condition, what: str) -> bool:
    """Return whether any test of the condition counts ``what``."""
    return any(
        test.what == what
        if isinstance(test, reader.Pattern)
        else any(term.what == what for term in test.terms)
        for test in reader.tests(condition.tree)
        if isinstance(test, reader.Pattern | reader.Sum)
    )

"""A condition as a typed tree. Every node knows the part of the text that it was read from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rank:
    """The number of a tile: ``letter`` (n, k or none) plus ``offset``; without a letter the number itself."""

    letter: str
    offset: int

    def of(self, letters: dict[str, int]) -> int:
        """The number under a choice of the letters; it may be no number of a tile."""
        return self.offset + (letters[self.letter] if self.letter else 0)


@dataclass(frozen=True, slots=True)
class Term:
    """``factor`` times the number of ``what`` (a name of the language) among the tiles of ``mask``.

    ``name`` is the own yaku that is meant, if one is.
    """

    factor: int
    what: str
    mask: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """Whether the sum of the terms is at least (``relation`` ``>=``) or exactly (``==``) ``bound``."""

    terms: tuple[Term, ...]
    relation: str
    bound: int
    span: Span


@dataclass(frozen=True, slots=True)
class Pattern:
    """Whether the hand has at least ``least`` of ``what`` at a number and suit with letters."""

    what: str
    rank: Rank
    suit: str
    least: int
    span: Span


@dataclass(frozen=True, slots=True)
class Numbers:
    """Whether one number is at least (``>=``) or exactly (``==``) another."""

    left: Rank
    relation: str
    right: Rank
    span: Span


@dataclass(frozen=True, slots=True)
class Not:
    """Whether ``part`` does not hold."""

    part: "Node"
    span: Span


@dataclass(frozen=True, slots=True)
class Several:
    """All (``every``) or at least one of the parts."""

    every: bool
    parts: tuple["Node", ...]
    span: Span

    @property
    def is_joined(self) -> bool:
        """Whether a word joins the parts, and not a comparison that says several things at once."""
        spans = [part.span for part in self.parts]
        return all(one[1] <= other[0] for one, other in pairwise(spans))


Test = Sum | Pattern | Numbers
Node = Test | Not | Several


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that was read: its text, with single spaces, and its tree."""

    text: str
    tree: Node

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that occur, numbers first."""
        return letters_of(tests(self.tree))

    @property
    def parts(self) -> tuple[Node, ...]:
        """The conditions that must all hold, as far as the text joins them with ``and``."""
        tree = self.tree
        return tree.parts if isinstance(tree, Several) and tree.every and tree.is_joined else (tree,)

    @property
    def options(self) -> tuple[Node, ...]:
        """The conditions of which one must hold, if the text is joined with ``or``; otherwise none."""
        tree = self.tree
        return tree.parts if isinstance(tree, Several) and not tree.every else ()

    def said(self, node: Node) -> str:
        """The text of a part."""
        return self.text[slice(*node.span)]

    def written(self, node: Node) -> str:
        """The text of a part, in brackets if it must stand in them beside others."""
        joined = isinstance(node, Several) and node.is_joined
        return f"({self.said(node)})" if joined else self.said(node)


def tests(node: Node) -> Iterator[Test]:
    """The tests of a tree, from left to right."""
    if isinstance(node, Not):
        yield from tests(node.part)
    elif isinstance(node, Several):
        for part in node.parts:
            yield from tests(part)
    else:
        yield node


def letters_of(tests: Iterable[Test]) -> tuple[str, ...]:
    """The letters that occur in tests, numbers first."""
    used = {letter for test in tests for letter in _letters(test)}
    return tuple(letter for letter in "nkxyz" if letter in used)


def _letters(test: Test) -> tuple[str, ...]:
    if isinstance(test, Pattern):
        return test.rank.letter, test.suit
    return (test.left.letter, test.right.letter) if isinstance(test, Numbers) else ()

"""Parser of conditions: reads the text once from left to right into a tree."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from jantaku.bounded import shown
from jantaku.errors import NotationError, Phrase, RulesError, phrase
from jantaku.nearest_word import nearest
from jantaku.rules.catalogue import catalogue
from jantaku.rules.own import codes, vocabulary
from jantaku.tiles import KINDS, RED, parse_tiles

_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t\r\n]+)|(?P<number>[0-9]+)|(?P<word>[a-z][a-z0-9_]*)"""
    r"""|(?P<tiles>"[^"\n]*"|'[^'\n]*')|(?P<sign>>=|<=|==|!=|[<>(),+-])"""
)


class Token(NamedTuple):
    """A word, number, quoted text or sign; the kind ``end`` marks the end of the text."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Index after its last character."""
        return self.start + len(self.text)


def problem(code: str, path: str, start: int, **details: object) -> RulesError:
    """Return an error at the index ``start``; messages count characters from 1."""
    return RulesError(code, path=path, at=start + 1, **details)


def expected(path: str, token: Token, wanted: str) -> RulesError:
    """Return the error for a token where something else is expected."""
    if token.kind == "end":
        return problem("own_expected_end", path, token.start, wanted=expectation(wanted))
    return problem("own_expected", path, token.start, found=shown(token.text, 30), wanted=expectation(wanted))


def expectation(what: str) -> Phrase:
    """Return what is expected, in words."""
    return phrase(f"errors.own.{what}")


def tokens(text: str, path: str) -> list[Token]:
    """Split a condition into tokens without spaces; the last one has the kind ``end``."""
    read, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            sign = text[at]
            code = "own_quote" if sign in "\"'" else "own_sign"
            raise problem(code, path, at, found=shown(sign), point=f"U+{ord(sign):04X}")
        if match.lastgroup != "space":
            read.append(Token(str(match.lastgroup), match.group(), at))
        at = match.end()
    return [*read, Token("end", "", len(text))]


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rank:
    """The rank of a tile: ``letter`` (n, k or empty) plus ``offset``; without a letter, just ``offset``."""

    letter: str
    offset: int

    def of(self, letters: dict[str, int]) -> int:
        """Return the rank when the letters have these values; it may be outside 1–9."""
        return self.offset + (letters[self.letter] if self.letter else 0)


@dataclass(frozen=True, slots=True)
class Term:
    """``factor`` times the number of ``what`` (a word of the language) among the tiles of ``mask``.

    ``name`` is the id of a custom yaku, if the term refers to one.
    """

    factor: int
    what: str
    mask: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """Test whether the sum of the terms is at least (``relation`` ``>=``) or exactly (``==``) ``bound``."""

    terms: tuple[Term, ...]
    relation: str
    bound: int
    span: Span


@dataclass(frozen=True, slots=True)
class Pattern:
    """Test whether the hand has at least ``least`` of ``what`` at a rank and suit, which may be letters."""

    what: str
    rank: Rank
    suit: str
    least: int
    span: Span


@dataclass(frozen=True, slots=True)
class Numbers:
    """Test whether one rank is at least (``>=``) or equal to (``==``) another."""

    left: Rank
    relation: str
    right: Rank
    span: Span


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of ``part``."""

    part: "Node"
    span: Span


@dataclass(frozen=True, slots=True)
class Several:
    """The conjunction (``every``) or disjunction of the parts."""

    every: bool
    parts: tuple["Node", ...]
    span: Span

    @property
    def is_joined(self) -> bool:
        """Whether ``and`` or ``or`` joins the parts, rather than a chained comparison (``1 < n < 9``)."""
        spans = [part.span for part in self.parts]
        return all(first[1] <= second[0] for first, second in pairwise(spans))


Test = Sum | Pattern | Numbers
Node = Test | Not | Several


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition: its text, with single spaces, and its tree."""

    text: str
    tree: Node

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that occur, numbers before suits."""
        return letters_of(tests(self.tree))

    @property
    def parts(self) -> tuple[Node, ...]:
        """The conditions that ``and`` joins at the top level; otherwise the whole condition."""
        tree = self.tree
        return tree.parts if isinstance(tree, Several) and tree.every and tree.is_joined else (tree,)

    @property
    def options(self) -> tuple[Node, ...]:
        """The conditions that ``or`` joins at the top level; otherwise none."""
        tree = self.tree
        return tree.parts if isinstance(tree, Several) and not tree.every else ()

    def said(self, node: Node) -> str:
        """Return the text of a part."""
        return self.text[slice(*node.span)]

    def written(self, node: Node) -> str:
        """Return the text of a part, in brackets if it needs them next to others."""
        joined = isinstance(node, Several) and node.is_joined
        return f"({self.said(node)})" if joined else self.said(node)


def tests(node: Node) -> Iterator[Test]:
    """Yield the tests of a tree from left to right."""
    if isinstance(node, Not):
        yield from tests(node.part)
    elif isinstance(node, Several):
        for part in node.parts:
            yield from tests(part)
    else:
        yield node


def letters_of(tests: Iterable[Test]) -> tuple[str, ...]:
    """Return the letters that occur in tests, numbers before suits."""
    used = {letter for test in tests for letter in _letters(test)}
    return tuple(letter for letter in "nkxyz" if letter in used)


def _letters(test: Test) -> tuple[str, ...]:
    if isinstance(test, Pattern):
        return test.rank.letter, test.suit
    return (test.left.letter, test.right.letter) if isinstance(test, Numbers) else ()


MAX_NUMBER: Final = 999_999
MAX_ARGUMENTS: Final = 20
EXAMPLE: Final = phrase("errors.own.text", example="'only(\"1579s7z\")'")
ID: Final = re.compile("[a-z][a-z0-9_]{0,39}")
AT_A_DRAW: Final = "nagashi_mangan"
"""The yaku that is paid at an exhaustive draw, so no winning hand has it."""
_COPIES: Final = 4


@dataclass(frozen=True, slots=True)
class Truth:
    """An operand that is true or false."""

    node: Node


@dataclass(frozen=True, slots=True)
class Number:
    """An operand that is a sum of terms and a constant."""

    terms: tuple[Term, ...]
    constant: int
    span: Span


@dataclass(frozen=True, slots=True)
class Letter:
    """An operand that is a rank with a letter."""

    rank: Rank
    span: Span


@dataclass(frozen=True, slots=True)
class Located:
    """An operand that counts ``what`` at a rank and suit."""

    what: str
    rank: Rank
    suit: str
    span: Span


Operand = Truth | Number | Letter | Located


def number(token: Token, path: str) -> Number:
    """Read a number; raises ``RulesError`` if it is too long."""
    if len(token.text) > len(str(MAX_NUMBER)):
        raise problem("own_number", path, token.start, most=MAX_NUMBER)
    return Number((), int(token.text), (token.start, token.end))


def truth(operand: Operand, path: str) -> Node:
    """Convert an operand to a condition; a number is true if it is at least 1."""
    if isinstance(operand, Truth):
        return operand.node
    if isinstance(operand, Located):
        return Pattern(operand.what, operand.rank, operand.suit, 1, operand.span)
    if isinstance(operand, Number) and operand.terms:
        return Sum(operand.terms, ">=", 1 - operand.constant, operand.span)
    raise problem("own_no_condition", path, operand.span[0])


def span_of(operand: Operand) -> Span:
    """Return the position of an operand."""
    return operand.node.span if isinstance(operand, Truth) else operand.span


def added(left: Operand, right: Operand, sign: int, path: str) -> Operand:
    """Add two operands, or subtract them (``sign`` −1)."""
    if isinstance(left, Letter) and isinstance(right, Number) and not right.terms:
        rank = Rank(left.rank.letter, left.rank.offset + sign * right.constant)
        return Letter(rank, (left.span[0], right.span[1]))
    for operand in (left, right):
        if not isinstance(operand, Number):
            raise problem("own_no_number", path, span_of(operand)[0], wanted=expectation("sum"))
    assert isinstance(left, Number)
    assert isinstance(right, Number)
    more = tuple(Term(sign * term.factor, term.what, term.mask) for term in right.terms)
    span = (left.span[0], right.span[1])
    return Number((*left.terms, *more), left.constant + sign * right.constant, span)


def compared(left: Operand, sign: Token, right: Operand, span: Span, path: str) -> Node:
    """Compare two operands."""
    relation = sign.text
    if isinstance(right, Located) or (isinstance(right, Letter) and isinstance(left, Number)):
        flipped = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
        left, right, relation = right, left, flipped.get(relation, relation)
    if isinstance(left, Number) and isinstance(right, Number):
        if not left.terms and not right.terms:
            raise problem("own_constant", path, span[0])
        terms = (*left.terms, *(Term(-term.factor, term.what, term.mask) for term in right.terms))
        return _related(relation, right.constant - left.constant, span, lambda r, c: Sum(terms, r, c, span))
    constant = right.constant if isinstance(right, Number) and not right.terms else None
    rank = right.rank if isinstance(right, Letter) else None if constant is None else Rank("", constant)
    if isinstance(left, Letter) and rank is not None:
        return _related(
            relation, 0, span, lambda r, c: Numbers(left.rank, r, Rank(rank.letter, rank.offset + c), span)
        )
    if isinstance(left, Located) and constant is not None:
        return _compared_count(left, relation, constant, span)
    wrong = next(operand for operand in (left, right) if not isinstance(operand, Number))
    wanted = expectation("plain_number" if isinstance(left, Located | Letter) else "sum")
    raise problem("own_no_number", path, span_of(wrong)[0], wanted=wanted)


def _related(relation: str, bound: int, span: Span, test: Callable[[str, int], Node]) -> Node:
    """Express any comparison with ``>=``, ``==`` and ``not``."""
    if relation in (">=", ">"):
        return test(">=", bound + (relation == ">"))
    if relation in ("<", "<="):
        return Not(test(">=", bound + (relation == "<=")), span)
    equal = test("==", bound)
    return equal if relation == "==" else Not(equal, span)


def _compared_count(located: Located, relation: str, bound: int, span: Span) -> Node:
    def least(relation: str, bound: int) -> Node:
        if relation == "==":
            more = Not(least(">=", bound + 1), span)
            return Several(True, (least(">=", bound), more), span)
        return Pattern(located.what, located.rank, located.suit, max(0, min(bound, _COPIES + 1)), span)

    return _related(relation, bound, span, least)


def word(token: Token, given: list[list[Token]], closing: Token | None, path: str) -> Operand:  # noqa: PLR0911
    """Read a word with its arguments; ``closing`` is the bracket after them, if there is one."""
    name = vocabulary.PLURALS.get(token.text, token.text)
    span = (token.start, (closing or token).end)
    if closing is None:
        return _alone(token, name, span, path)
    if name in vocabulary.GROUPS:
        return _group(token, name, given, span, path)
    if name in vocabulary.AMONG:
        return Number((Term(1, name, _tiles(given, path)),), 0, span)
    if name in ("only", "every_set"):
        return Truth(Sum((Term(1, name, _tiles(given, path)),), "==", 0, span))
    if name in ("seat", "round"):
        return Truth(Sum((Term(1, name, _tiles(given, path)),), ">=", 1, span))
    if name == "has":
        return Truth(_has(given, span, path))
    if name == "yaku":
        return Truth(_yaku(given, span, path))
    if name in (*vocabulary.WORDS, *vocabulary.NUMBERS, *vocabulary.NUMBER_LETTERS):
        raise problem("own_no_brackets", path, token.end, word=token.text)
    raise unknown(token, path)


def _alone(token: Token, name: str, span: Span, path: str) -> Operand:  # noqa: PLR0911
    if name in vocabulary.NUMBER_LETTERS:
        return Letter(Rank(name, 0), span)
    if name in vocabulary.OPPOSITES:
        return Truth(Not(Sum((Term(1, vocabulary.OPPOSITES[name], 0),), ">=", 1, span), span))
    if name == "dealer":
        return Truth(Sum((Term(1, "seat", 1 << 27),), ">=", 1, span))
    if name in vocabulary.WORDS:
        return Truth(Sum((Term(1, name, 0),), ">=", 1, span))
    if name in vocabulary.NUMBERS:
        return Number((Term(1, name, 0),), 0, span)
    if name == "red":
        return Number((Term(1, "reds", 0),), 0, span)
    if (name in vocabulary.GROUPS and name not in ("count", "won_on")) or name in vocabulary.AMONG:
        return Number((Term(1, name, codes.ALL_KINDS),), 0, span)
    if name in (*vocabulary.OF_TILES, *vocabulary.GROUPS, "has", "yaku"):
        raise expected(path, Token("end", "", token.end), "opening")
    if name in (*vocabulary.TILES, *vocabulary.SUIT_LETTERS):
        raise problem("own_misplaced", path, token.start, word=token.text)
    raise unknown(token, path)


def unknown(token: Token, path: str) -> RulesError:
    """Return the error for an unknown word, with a suggestion."""
    near = nearest(token.text, vocabulary.CONDITIONS)
    code = "own_unknown_nearest" if near else "own_unknown"
    return problem(code, path, token.start, word=shown(token.text, 40), nearest=near)


def _group(token: Token, name: str, given: list[list[Token]], span: Span, path: str) -> Operand:
    """Read sets, pairs or tiles with a rank and a suit, or among tiles."""
    first = given[0]
    if first[0].kind != "number" and first[0].text not in vocabulary.NUMBER_LETTERS:
        if name == "run" and len(given) == 1 and first[0].kind == "tiles":
            _check_run(first[0], path)
        return Number((Term(1, name, _tiles(given, path)),), 0, span)
    if len(given) != 2:
        raise problem("own_two_arguments", path, token.start, word=token.text)
    rank, suit = _rank(first, path), given[1]
    known = (*vocabulary.SUIT_LETTERS, *vocabulary.SUITS)
    if suit[0].text not in known or len(suit) > 1:
        raise expected(path, suit[0], "suit")
    return Located(name, rank, suit[0].text, span)


def _check_run(token: Token, path: str) -> None:
    """Raise ``RulesError`` if the tiles given for a run contain none."""
    if not runs_in(_mask_of(token, path)):
        raise expected(path, token, "run")


def runs_in(mask: int) -> int:
    """Return a mask of the lowest tiles of the runs that these kinds contain."""
    return mask & mask >> 1 & mask >> 2 & 0b1111111 * (1 | 1 << 9 | 1 << 18)


def _rank(given: list[Token], path: str) -> Rank:
    """Read a rank: 1–9, n or k, and an optional offset."""
    head = given[0]
    offset = 0
    if len(given) > 1:
        offset = number(given[2], path).constant * (-1 if given[1].text == "-" else 1)
    rank = Rank(head.text, offset) if head.kind == "word" else Rank("", number(head, path).constant + offset)
    low, high = (-8, 8) if rank.letter else (1, 9)
    if not low <= rank.offset <= high:
        raise expected(path, given[-1], "offset" if rank.letter else "rank")
    return rank


def _tiles(given: list[list[Token]], path: str) -> int:
    """Return a mask of the kinds in all arguments."""
    mask = 0
    for tokens in given:
        if len(tokens) > 1:
            raise expected(path, tokens[1], "comma")
        mask |= _mask_of(tokens[0], path)
    return mask


def _mask_of(token: Token, path: str) -> int:
    if token.kind == "tiles":
        return sum(1 << kind for kind in set(_kinds(token, path)))
    if token.kind == "word" and token.text in vocabulary.TILES:
        return vocabulary.TILES[token.text]
    near = nearest(token.text, list(vocabulary.TILES)) if token.kind == "word" else ""
    if near:
        raise problem("own_unknown_nearest", path, token.start, word=shown(token.text, 40), nearest=near)
    raise expected(path, token, "tiles")


def _kinds(token: Token, path: str) -> list[int]:
    """Return the kinds in a quoted text in tile notation."""
    try:
        tiles = parse_tiles(token.text[1:-1])
    except NotationError as error:
        raise problem("own_tiles", path, token.start + 1, reason=error) from error
    if not tiles or any(tile >= RED for tile in tiles):
        raise problem("own_tiles_empty" if not tiles else "own_red", path, token.start + 1)
    return [tile % KINDS for tile in tiles]


def _has(given: list[list[Token]], span: Span, path: str) -> Node:
    """Test whether the hand has at least the given number of each of these tiles."""
    levels: dict[int, int] = {}
    for tokens in given:
        if len(tokens) > 1:
            raise expected(path, tokens[1], "comma")
        if tokens[0].kind != "tiles":
            levels[1] = levels.get(1, 0) | _mask_of(tokens[0], path)
            continue
        held = _kinds(tokens[0], path)
        for kind in set(held):
            level = held.count(kind)
            if level > _COPIES:
                raise problem("own_tiles_many", path, tokens[0].start + 1)
            levels[level] = levels.get(level, 0) | 1 << kind
    return Sum(
        tuple(Term(1, f"missing_{level}", mask) for level, mask in sorted(levels.items())), "==", 0, span
    )


def _yaku(given: list[list[Token]], span: Span, path: str) -> Node:
    """Test whether the hand has a built-in or custom yaku."""
    token = given[0][0]
    name = token.text.strip("\"'")
    if len(given) > 1 or len(given[0]) > 1:
        raise problem("own_one_argument", path, token.start)
    if name in known_yaku():
        return Sum((Term(1, "yaku", known_yaku().index(name)),), ">=", 1, span)
    if name == AT_A_DRAW:
        raise problem("own_yaku_at_draw", path, token.start, word=name)
    if not ID.fullmatch(name):
        raise no_yaku(name, path, token.start, known_yaku())
    return Sum((Term(1, "yaku", 0, name),), ">=", 1, span)


def no_yaku(name: str, path: str, start: int, known: Collection[str]) -> RulesError:
    """Return the error for an unknown yaku, with a suggestion."""
    near = nearest(name, known)
    code = "own_no_yaku_nearest" if near else "own_no_yaku"
    return problem(code, path, start, word=shown(name, 40), nearest=near)


def known_yaku() -> tuple[str, ...]:
    """Return the built-in yaku that a winning hand can have, in the order of their bits."""
    return tuple(name for name in catalogue() if name != AT_A_DRAW)


MAX_TEXT: Final = 500  # characters of one condition
MAX_DEPTH: Final = 20  # of nested brackets and nots
_SIGNS: Final = (">=", "<=", "==", "!=", ">", "<")


@lru_cache(maxsize=1024)
def read(text: str, path: str = "when") -> Condition:
    """Parse a condition; raises ``RulesError`` with the position of the mistake."""
    if len(text) > MAX_TEXT:
        raise RulesError("own_too_long", path=path, count=len(text), most=MAX_TEXT)
    condition = Condition(text, _ConditionReader(text, path).whole())
    spaced = " ".join(text.split())
    return condition if spaced == text else read(spaced, path)


class _ConditionReader:
    """Recursive-descent parser of one condition."""

    def __init__(self, text: str, path: str) -> None:
        self.path, self.at, self.depth = path, 0, 0
        self.tokens = tokens(text, path)

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        """Consume and return the next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, *texts: str) -> Token | None:
        """Consume and return the next token if it is one of these."""
        return self.take() if self.next.text in texts and self.next.kind != "tiles" else None

    def demand(self, text: str, wanted: str) -> Token:
        """Consume and return the next token, which must be this one."""
        token = self.accept(text)
        if token is None:
            raise expected(self.path, self.next, wanted)
        return token

    def whole(self) -> Node:
        """Parse the whole text as one condition."""
        node = self.truth(self.either())
        if self.next.kind != "end":
            raise expected(self.path, self.next, "joiner")
        return node

    def deeper(self) -> None:
        """Enter one level of nesting; raises ``RulesError`` beyond ``MAX_DEPTH``."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise problem("own_too_deep", self.path, self.next.start, most=MAX_DEPTH)

    def either(self) -> Operand:
        """Parse conditions joined by ``or``."""
        return self.joined("or", self.both)

    def both(self) -> Operand:
        """Parse conditions joined by ``and``."""
        return self.joined("and", self.negated)

    def joined(self, word: str, part) -> Operand:  # type: ignore[no-untyped-def]
        start, first = self.next.start, part()
        if self.next.text != word:
            return first  # type: ignore[no-any-return]
        parts = [self.truth(first)]
        while self.accept(word):
            parts.append(self.truth(part()))
        return Truth(Several(word == "and", tuple(parts), (start, self.tokens[self.at - 1].end)))

    def negated(self) -> Operand:
        """Parse a condition after any number of ``not``."""
        start = self.next.start
        if not self.accept("not"):
            return self.comparison()
        self.deeper()
        inner = self.truth(self.negated())
        self.depth -= 1
        return Truth(Not(inner, (start, self.tokens[self.at - 1].end)))

    def comparison(self) -> Operand:
        """Parse a chain of comparisons, or a single sum."""
        start, left = self.next.start, self.total()
        parts: list[Node] = []
        while sign := self.accept(*_SIGNS):
            right = self.total()
            span = (start, self.tokens[self.at - 1].end)
            parts.append(compared(left, sign, right, span, self.path))
            left = right
        if not parts:
            return left
        whole = (start, self.tokens[self.at - 1].end)
        return Truth(parts[0] if len(parts) == 1 else Several(True, tuple(parts), whole))

    def total(self) -> Operand:
        """Parse a sum or difference."""
        sign = self.accept("-")
        start, operand = self.next.start, self.item()
        if sign:
            operand = added(Number((), 0, (start, start)), operand, -1, self.path)
        while sign := self.accept("+", "-"):
            operand = added(operand, self.item(), -1 if sign.text == "-" else 1, self.path)
        return operand

    def item(self) -> Operand:
        """Parse a number, a word with its arguments, or a condition in brackets."""
        token = self.next
        if token.kind == "number":
            return number(self.take(), self.path)
        if token.text == "(":
            self.take()
            self.deeper()
            operand = self.either()
            self.depth -= 1
            self.demand(")", "closing")
            return operand
        if token.kind != "word" or token.text in ("and", "or", "not"):
            raise expected(self.path, token, "condition")
        name = self.take()
        if self.next.text != "(":
            return word(name, [], None, self.path)
        self.take()
        arguments = self.arguments()
        closing = self.demand(")", "comma" if arguments else "argument")
        return word(name, arguments, closing, self.path)

    def arguments(self) -> list[list[Token]]:
        """Parse the arguments up to the bracket: quoted tiles, words, or ranks with an optional offset."""
        given: list[list[Token]] = []
        while not given or self.accept(","):
            if self.next.kind not in ("tiles", "word", "number"):
                raise expected(self.path, self.next, "argument")
            tokens = [self.take()]
            if sign := self.accept("+", "-"):
                if self.next.kind != "number":
                    raise expected(self.path, self.next, "number")
                tokens += [sign, self.take()]
            given.append(tokens)
            if len(given) > MAX_ARGUMENTS:
                raise problem("own_arguments", self.path, tokens[0].start, most=MAX_ARGUMENTS)
        return given

    def truth(self, operand: Operand) -> Node:
        """Convert an operand to a condition."""
        return truth(operand, self.path)


def problem_of(text: object, path: str) -> RulesError | None:
    """Return what is wrong with a condition, which may be of any type; ``None`` if it is valid."""
    if not isinstance(text, str):
        return RulesError("wrong_value", path=path, value=shown(text), wanted=EXAMPLE)
    try:
        read(text, path)
    except RulesError as error:
        return error
    return None

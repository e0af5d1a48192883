"""What the words of a condition mean, and what may be compared and added."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from jantaku.bounded import shown
from jantaku.errors import NotationError, RulesError, phrase
from jantaku.nearest_word import nearest
from jantaku.rules.catalogue import catalogue
from jantaku.rules.own import codes, vocabulary
from jantaku.rules.own.tokens import Token, expected, problem, wish
from jantaku.rules.own.tree import Node, Not, Numbers, Pattern, Rank, Several, Span, Sum, Term
from jantaku.tiles import KINDS, RED, parse_tiles

MOST_NUMBER: Final = 999_999
MOST_ARGUMENTS: Final = 20
SUCH: Final = phrase("errors.own.text", example="'only(\"1579s7z\")'")
ID: Final = re.compile("[a-z][a-z0-9_]{0,39}")
AT_A_DRAW: Final = "nagashi_mangan"
"""The one yaku that no winning hand has: it is paid at a draw."""
_COPIES: Final = 4


@dataclass(frozen=True, slots=True)
class Truth:
    """A condition."""

    node: Node


@dataclass(frozen=True, slots=True)
class Number:
    """A sum of terms and a constant."""

    terms: tuple[Term, ...]
    constant: int
    span: Span


@dataclass(frozen=True, slots=True)
class Letter:
    """A number of a tile with a letter."""

    rank: Rank
    span: Span


@dataclass(frozen=True, slots=True)
class Located:
    """How many of ``what`` there are at a number and suit with letters; it can be compared with a number."""

    what: str
    rank: Rank
    suit: str
    span: Span


Operand = Truth | Number | Letter | Located


def number(token: Token, path: str) -> Number:
    """A number as it is written."""
    if len(token.text) > len(str(MOST_NUMBER)):
        raise problem("own_number", path, token.start, most=MOST_NUMBER)
    return Number((), int(token.text), (token.start, token.end))


def truth(operand: Operand, path: str) -> Node:
    """The operand as a condition."""
    if isinstance(operand, Truth):
        return operand.node
    if isinstance(operand, Located):
        return Pattern(operand.what, operand.rank, operand.suit, 1, operand.span)
    if isinstance(operand, Number) and operand.terms:
        return Sum(operand.terms, ">=", 1 - operand.constant, operand.span)
    raise problem("own_no_condition", path, operand.span[0])


def span_of(operand: Operand) -> Span:
    """Where an operand stands."""
    return operand.node.span if isinstance(operand, Truth) else operand.span


def added(left: Operand, right: Operand, sign: int, path: str) -> Operand:
    """The sum of two operands, or their difference (``sign`` -1)."""
    if isinstance(left, Letter) and isinstance(right, Number) and not right.terms:
        rank = Rank(left.rank.letter, left.rank.offset + sign * right.constant)
        return Letter(rank, (left.span[0], right.span[1]))
    for operand in (left, right):
        if not isinstance(operand, Number):
            raise problem("own_no_number", path, span_of(operand)[0], wanted=wish("sum"))
    assert isinstance(left, Number)
    assert isinstance(right, Number)
    more = tuple(Term(sign * term.factor, term.what, term.mask) for term in right.terms)
    span = (left.span[0], right.span[1])
    return Number((*left.terms, *more), left.constant + sign * right.constant, span)


def compared(left: Operand, sign: Token, right: Operand, span: Span, path: str) -> Node:
    """The comparison of two operands."""
    relation = sign.text
    if isinstance(right, Located) or (isinstance(right, Letter) and isinstance(left, Number)):
        turned = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
        left, right, relation = right, left, turned.get(relation, relation)
    if isinstance(left, Number) and isinstance(right, Number):
        if not left.terms and not right.terms:
            raise problem("own_constant", path, span[0])
        terms = (*left.terms, *(Term(-term.factor, term.what, term.mask) for term in right.terms))
        return _related(relation, right.constant - left.constant, span, lambda r, c: Sum(terms, r, c, span))
    plain = isinstance(right, Number) and not right.terms
    if isinstance(left, Letter) and (plain or isinstance(right, Letter)):
        rank = right.rank if isinstance(right, Letter) else Rank("", right.constant)  # type: ignore[union-attr]
        return _related(
            relation, 0, span, lambda r, c: Numbers(left.rank, r, Rank(rank.letter, rank.offset + c), span)
        )
    if isinstance(left, Located) and isinstance(right, Number) and plain:
        return _of_found(left, relation, right.constant, span)
    wrong = next(operand for operand in (left, right) if not isinstance(operand, Number))
    wanted = wish("plain_number" if isinstance(left, Located | Letter) else "sum")
    raise problem("own_no_number", path, span_of(wrong)[0], wanted=wanted)


def _related(relation: str, bound: int, span: Span, test) -> Node:  # type: ignore[no-untyped-def]
    """A comparison by ``>=``, ``==`` and ``not`` alone."""
    if relation in (">=", ">"):
        return test(">=", bound + (relation == ">"))  # type: ignore[no-any-return]
    if relation in ("<", "<="):
        return Not(test(">=", bound + (relation == "<=")), span)
    equal = test("==", bound)
    return equal if relation == "==" else Not(equal, span)


def _of_found(located: Located, relation: str, bound: int, span: Span) -> Node:
    def least(relation: str, bound: int) -> Node:
        if relation == "==":
            more = Not(least(">=", bound + 1), span)
            return Several(True, (least(">=", bound), more), span)
        return Pattern(located.what, located.rank, located.suit, max(0, min(bound, _COPIES + 1)), span)

    return _related(relation, bound, span, least)


def word(token: Token, given: list[list[Token]], closing: Token | None, path: str) -> Operand:  # noqa: PLR0911
    """A word with its arguments; ``closing`` is the bracket after them, if it had brackets."""
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
    """The error for a word that the language does not have, with the nearest that it has."""
    near = nearest(token.text, vocabulary.CONDITIONS)
    code = "own_unknown_nearest" if near else "own_unknown"
    return problem(code, path, token.start, word=shown(token.text, 40), nearest=near)


def _group(token: Token, name: str, given: list[list[Token]], span: Span, path: str) -> Operand:
    """Sets, pairs or tiles: with a number and a suit, or among tiles."""
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
    """A run that is written out must have room for three tiles."""
    if not runs_in(_mask_of(token, path)):
        raise expected(path, token, "run")


def runs_in(mask: int) -> int:
    """The lowest tiles of the runs that need no other tiles than these."""
    return mask & mask >> 1 & mask >> 2 & 0b1111111 * (1 | 1 << 9 | 1 << 18)


def _rank(given: list[Token], path: str) -> Rank:
    """A number of a tile: 1–9, n or k, with what is added to it."""
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
    """The kinds of tiles that the arguments name together."""
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
    """The kinds of a quoted text in tile notation."""
    try:
        tiles = parse_tiles(token.text[1:-1])
    except NotationError as error:
        raise problem("own_tiles", path, token.start + 1, reason=error) from error
    if not tiles or any(tile >= RED for tile in tiles):
        raise problem("own_tiles_empty" if not tiles else "own_red", path, token.start + 1)
    return [tile % KINDS for tile in tiles]


def _has(given: list[list[Token]], span: Span, path: str) -> Node:
    """Whether the hand has these tiles, each as often as it is written."""
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
    """Whether the hand has a yaku of the catalogue."""
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
    """The error for a yaku that does not exist, with the nearest that does."""
    near = nearest(name, known)
    code = "own_no_yaku_nearest" if near else "own_no_yaku"
    return problem(code, path, start, word=shown(name, 40), nearest=near)


def known_yaku() -> tuple[str, ...]:
    """The yaku that a hand can have, in the order of their bits."""
    return tuple(name for name in catalogue() if name != AT_A_DRAW)

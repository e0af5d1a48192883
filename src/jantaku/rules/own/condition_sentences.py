"""Conditions in words, for explanations, the booklet and the editor."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Final

from jantaku import terms
from jantaku.rules.own import codes, vocabulary
from jantaku.rules.own.reader import (
    Condition,
    Node,
    Not,
    Numbers,
    Pattern,
    Rank,
    Several,
    Sum,
    Term,
    known_yaku,
)
from jantaku.terms import Language
from jantaku.tiles import KINDS, format_tiles, tile_name

_OPPOSITE: Final = {word: opposite for opposite, word in vocabulary.OPPOSITES.items()}
_ONLY_IF_NONE: Final = {"only": "only", "every_set": "every_set"}
_DEALER: Final = 1 << 27
Named = Callable[[str], str]


def condition_text(condition: Condition, language: Language | None = None, named: Named = str) -> str:
    """Return the whole condition as a clause, without a capital letter and full stop.

    ``named`` returns the name of another custom yaku by id, here and in the functions below.
    """
    return _ConditionWords(language, named).of(condition.tree)


def part_texts(
    condition: Condition,
    language: Language | None = None,
    parts: Iterable[Node] | None = None,
    named: Named = str,
) -> list[str]:
    """Return the given parts, or all parts that must hold, in words."""
    words = _ConditionWords(language, named)
    return [words.of(part) for part in (condition.parts if parts is None else parts)]


def definition_of(condition: Condition, language: Language | None = None, named: Named = str) -> str:
    """Return the condition as a sentence that explains its letters."""
    words = _ConditionWords(language, named)
    clause, letters = words.of(condition.tree), words.letters(condition.letters)
    if clause[1:2].isascii() and clause[1:2].isalpha():  # unless the clause begins with a variable letter
        clause = clause[0].upper() + clause[1:]
    if letters:
        return terms.text("own.said.noted", language, parts=clause, letters=letters)
    return terms.text("own.said.whole", language, parts=clause)


def letters_text(condition: Condition, language: Language | None = None) -> str:
    """Explain the letters of a condition; empty if it has none."""
    return _ConditionWords(language).letters(condition.letters)


class _ConditionWords:
    """Puts the nodes of a condition into words of one language."""

    def __init__(self, language: Language | None, named: Named = str) -> None:
        self.language, self.named = language, named

    def say(self, key: str, **values: object) -> str:
        return terms.text(f"own.said.{key}", self.language, **values)

    def word(self, name: str) -> str:
        return terms.text(f"own.word.{name}", self.language)

    def some(self, name: str, tiles: str) -> str:
        return terms.text(f"own.some.{name}", self.language, tiles=tiles)

    def letters(self, used: tuple[str, ...]) -> str:
        """Explain the letters."""
        numbers = [letter for letter in used if letter in vocabulary.NUMBER_LETTERS]
        suits = [letter for letter in used if letter in vocabulary.SUIT_LETTERS]
        clauses = [self.say("any_number", letters=terms.listed(numbers, self.language))] if numbers else []
        if suits:
            key = "any_suit" if len(suits) == 1 else "different_suits"
            clauses.append(self.say(key, letters=terms.listed(suits, self.language)))
        return "; ".join(clauses)

    def of(self, node: Node, *, inside: str = "") -> str:
        """Return a node in words; ``inside`` is the conjunction of the enclosing node, if any."""
        if isinstance(node, Several):
            return self.several(node, inside)
        if isinstance(node, Not):
            return self.opposite(node.part)
        if isinstance(node, Numbers):
            return self.numbers(node, holds=True)
        return self.pattern(node, "times") if isinstance(node, Pattern) else self.sum(node)

    def several(self, node: Several, inside: str) -> str:
        """Join parts with ``and`` or ``or``, in brackets inside the other conjunction."""
        if exact := _exactly(node):
            return self.pattern(exact, "times_exactly")
        joiner = "and" if node.every else "or"
        clause = reduce(
            lambda first, second: self.say(joiner, first=first, second=second),
            (self.of(part, inside=joiner) for part in node.parts),
        )
        return f"({clause})" if inside and inside != joiner else clause

    def opposite(self, part: Node) -> str:
        """Return the negation of a part in words."""
        if isinstance(part, Numbers):
            return self.numbers(part, holds=False)
        if isinstance(part, Pattern) and part.least > 1:
            return self.pattern(
                Pattern(part.what, part.rank, part.suit, part.least - 1, part.span), "times_at_most"
            )
        if isinstance(part, Sum):
            single = part.terms[0].what if len(part.terms) == 1 else ""
            if single in _OPPOSITE:
                return self.word(_OPPOSITE[single])
            if self.is_amount(part):
                return self.sum(part, holds=False)
        return self.say("not", part=self.of(part))

    def pattern(self, node: Pattern, counted: str) -> str:
        """Describe sets or tiles with a rank and a suit; ``counted`` is the key of the quantity."""
        name = "run_from" if node.what == "run" else node.what
        clause = self.some(name, self.place(node.rank, node.suit))
        if node.least == 1 and counted == "times":
            return clause
        return self.say(counted, part=clause, count=node.least)

    def place(self, rank: Rank, suit: str) -> str:
        """Describe a tile whose rank or suit may be a letter."""
        if not rank.letter and suit in vocabulary.SUITS:
            return _tile(vocabulary.SUITS[suit] * 9 + rank.offset - 1, self.language)
        suit_text = self.word(suit) if suit in vocabulary.SUITS else suit
        return self.say("place", rank=rank_text(rank), suit=suit_text)

    def numbers(self, node: Numbers, *, holds: bool) -> str:
        """Describe a comparison of two ranks."""
        keys = {("==", True): "number_is", ("==", False): "number_is_not", (">=", True): "number_at_least"}
        key = keys.get((node.relation, holds), "number_below")
        return self.say(key, left=rank_text(node.left), right=rank_text(node.right))

    @staticmethod
    def is_amount(node: Sum) -> bool:
        """Return whether the sum is a quantity and not a single fact, which is true or false."""
        first = node.terms[0]
        alone = len(node.terms) == 1 and first.factor == 1
        is_fact = first.what in vocabulary.WORDS or first.what in ("yaku", "seat", "round", "won_on")
        none = (first.what in _ONLY_IF_NONE or first.what.startswith("missing_")) and node.bound == 0
        return not (alone and (is_fact or none)) and not all(
            t.what.startswith("missing_") for t in node.terms
        )

    def sum(self, node: Sum, holds: bool = True) -> str:
        """Describe the comparison of a sum with a number."""
        if not self.is_amount(node):
            return self.fact(node)
        if all(term.factor < 0 for term in node.terms):
            return self.sum(*_positive(node, holds))
        amount, bound = self.amount(node.terms), node.bound
        single = node.terms[0] if len(node.terms) == 1 and node.terms[0].factor == 1 else None
        if single and (node.relation, holds, bound) == (">=", True, 1) and self.has_some(single):
            return self.some(single.what, self.tiles(single.mask))
        if single and (node.relation, holds, bound) in (("==", True, 0), (">=", False, 1)):
            return self.say("none", what=amount)
        if node.relation == "==":
            return self.say("exactly" if holds else "unlike", what=amount, count=bound)
        return self.say("at_least" if holds else "at_most", what=amount, count=bound - (not holds))

    @staticmethod
    def has_some(term: Term) -> bool:
        """Return whether there is a short phrase for "at least one" of the term."""
        return term.what in vocabulary.GROUPS and term.mask != codes.ALL_KINDS

    def fact(self, node: Sum) -> str:
        """Describe a fact: a word, or a statement about tiles."""
        first = node.terms[0]
        if first.what.startswith("missing_"):
            tiles = [(int(term.what[-1]), term.mask) for term in node.terms]
            return self.say("has", tiles=self.repeated(tiles))
        if first.what == "won_on":
            return self.some("won_on", self.tiles(first.mask))
        if first.what == "yaku":
            built_in = "" if first.name else known_yaku()[first.mask]
            name = self.named(first.name) or terms.text(f"yaku.{built_in}.name", self.language)
            return self.say("yaku", yaku=name)
        if first.what == "seat" and first.mask == _DEALER:
            return self.word("dealer")
        if first.what in ("only", "every_set", "seat", "round"):
            return self.say(first.what, tiles=self.tiles(first.mask))
        return self.word(first.what)

    def repeated(self, tiles: list[tuple[int, int]]) -> str:
        """List tiles, repeating each as many times as the hand must have it."""
        if len(tiles) == 1 and tiles[0][0] == 1:
            return self.tiles(tiles[0][1])
        special = [self.tiles(mask & ~codes.ALL_KINDS) for _, mask in tiles if mask & ~codes.ALL_KINDS]
        kinds = sorted(kind for level, mask in tiles for kind in _kinds(mask) for _ in range(level))
        return terms.listed([terms.tile_text(format_tiles(kinds)), *special], self.language)

    def amount(self, counted: tuple[Term, ...]) -> str:
        """Join the terms of a sum with their signs."""
        text = ""
        for term in counted:
            sign = " − " if term.factor < 0 else " + " if text else ""
            text += f"{sign}{self.term(term)}"
        return text.strip()

    def term(self, term: Term) -> str:
        """Return what a term counts."""
        what = term.what
        if what in ("only", "every_set"):
            return self.say("outside", tiles=self.tiles(term.mask))
        if what.startswith("missing_"):
            return self.say("missing", tiles=self.tiles(term.mask))
        if what == "reds":
            return self.word("red")
        if what in vocabulary.AMONG and term.mask != codes.ALL_KINDS:
            return self.say(what, tiles=self.tiles(term.mask))
        if what in vocabulary.GROUPS and term.mask != codes.ALL_KINDS:
            key = "of_count" if what == "count" else "of"
            return self.say(key, what=self.word(what), tiles=self.tiles(term.mask))
        return self.word("seat_wind" if what == "seat" else "round_wind" if what == "round" else what)

    def tiles(self, mask: int) -> str:
        """List tiles by the words of the language where possible, otherwise one by one."""
        named, left = [], mask
        for word, kinds in sorted(vocabulary.TILES.items(), key=lambda row: -row[1].bit_count()):
            if kinds.bit_count() > (0 if kinds & ~codes.ALL_KINDS else 2) and kinds & left == kinds:
                named.append(self.word(word))
                left &= ~kinds
        others = _kinds(left)
        if len(others) == 1:
            named.append(_tile(others[0], self.language))
        elif others:
            named.append(terms.tile_text(format_tiles(others)))
        return terms.listed(named, self.language)


def rank_text(rank: Rank) -> str:
    """Return a rank as text: ``5``, ``n + 1``."""
    if not rank.letter or not rank.offset:
        return rank.letter or str(rank.offset)
    return f"{rank.letter} {'+' if rank.offset > 0 else '−'} {abs(rank.offset)}"


def _exactly(node: Several) -> Pattern | None:
    """Return the pattern of a comparison like ``run(n, x) == 2``, which is parsed as at least 2 and not 3."""
    first = node.parts[0]
    if isinstance(first, Pattern) and node.every and all(part.span == first.span for part in node.parts):
        return first
    return None


def _positive(node: Sum, holds: bool) -> tuple[Sum, bool]:
    """Return the comparison with all signs flipped: ``-runs >= -3`` becomes ``not runs >= 4``."""
    turned = tuple(Term(-term.factor, term.what, term.mask) for term in node.terms)
    if node.relation == "==":
        return Sum(turned, "==", -node.bound, node.span), holds
    return Sum(turned, ">=", 1 - node.bound, node.span), not holds


def _kinds(mask: int) -> list[int]:
    return [kind for kind in range(KINDS) if mask >> kind & 1]


def _tile(kind: int, language: Language | None) -> str:
    return terms.tile_text(format_tiles([kind]), tile_name(kind, language))

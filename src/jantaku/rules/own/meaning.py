"""A plain evaluator of conditions, which tries all values of the letters.

Explanations use it, and tests compare the compiled evaluator with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Final

from jantaku.rules.own import codes, vocabulary
from jantaku.rules.own.reader import Condition, Node, Not, Numbers, Pattern, Several, Term, known_yaku
from jantaku.tiles import KINDS

_SUIT_WIDTH: Final = 9
Letters = Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class ReadingFacts:
    """One reading of a win. Tiles are kinds; ``counts`` has the number of each, including melds.

    ``runs`` has the lowest tile of each run, ``own_runs`` that of each concealed one.
    """

    counts: tuple[int, ...]
    runs: tuple[int, ...] = ()
    own_runs: tuple[int, ...] = ()
    triplets: frozenset[int] = frozenset()
    concealed: frozenset[int] = frozenset()
    quads: frozenset[int] = frozenset()
    pairs: frozenset[int] = frozenset()
    win: int
    seat: int
    round: int
    valued: frozenset[int] = frozenset()
    reds: tuple[int, ...] = ()
    # those of ``vocabulary.NUMBERS`` that are known
    numbers: Mapping[str, int] = field(default_factory=dict)
    discarded: frozenset[int] | None = None  # kinds; ``None`` if unknown
    words: frozenset[str] = frozenset()  # those of ``vocabulary.WORDS`` that hold
    yaku: frozenset[str] = frozenset()

    def tiles_of(self, mask: int) -> set[int]:
        """Return the kinds of a mask; what its bits above 33 stand for depends on this win."""
        kinds = {kind for kind in range(KINDS) if mask >> kind & 1}
        kinds |= {self.seat} if mask & codes.SEAT_WIND else set()
        kinds |= {self.round} if mask & codes.ROUND_WIND else set()
        kinds |= {self.win} if mask & codes.WINNING_TILE else set()
        return kinds | (self.valued if mask & codes.VALUED else set())

    def groups(self, what: str) -> list[int]:
        """Return the lowest tile of each set or pair of a kind; for ``count``, all tiles."""
        if what == "count":
            return [kind for kind, count in enumerate(self.counts) for _ in range(count)]
        if what == "won_on":
            return [self.win]
        if what == "run":
            return list(self.runs)
        sets = {"triplet": self.triplets, "concealed_triplet": self.concealed, "quad": self.quads,
                "concealed_quad": self.quads & self.concealed, "pair": self.pairs}  # fmt: skip
        return sorted(sets[what])


def choices(condition: Condition) -> Iterator[dict[str, int]]:
    """Yield all values of the letters: numbers 1–9, which may be equal, and different suits."""
    numbers = [letter for letter in condition.letters if letter in vocabulary.NUMBER_LETTERS]
    suits = [letter for letter in condition.letters if letter in vocabulary.SUIT_LETTERS]
    for ranks, chosen in product(
        product(range(1, 10), repeat=len(numbers)), permutations(range(3), len(suits))
    ):
        yield dict(zip([*numbers, *suits], [*ranks, *chosen], strict=True))


def is_met(condition: Condition, facts: ReadingFacts) -> bool:
    """Return whether the whole condition holds for any values of the letters."""
    return any(holds(condition.tree, facts, letters) for letters in choices(condition))


def nearest_choice(condition: Condition, facts: ReadingFacts) -> dict[str, int]:
    """Return the first values of the letters for which the most parts of the condition hold."""
    return max(choices(condition), key=lambda letters: sum(holds(p, facts, letters) for p in condition.parts))


def holds(node: Node, facts: ReadingFacts, letters: Letters, wanted: bool = True) -> bool:
    """Return whether a part of a condition holds when the letters have these values.

    If ``wanted`` is false, return whether its negation holds. A comparison with an unknown value never holds,
    and neither does its negation.
    """
    if isinstance(node, Not):
        return holds(node.part, facts, letters, not wanted)
    if isinstance(node, Several):
        every = all if node.every == wanted else any
        return every(holds(part, facts, letters, wanted) for part in node.parts)
    if isinstance(node, Numbers):
        left, right = node.left.of(dict(letters)), node.right.of(dict(letters))
        return (left == right if node.relation == "==" else left >= right) == wanted
    if isinstance(node, Pattern):
        return (_amount(node, facts, letters) >= node.least) == wanted
    if not all(_is_known(term, facts) for term in node.terms):
        return False
    total = sum(term.factor * amount(term, facts) for term in node.terms)
    return (total == node.bound if node.relation == "==" else total >= node.bound) == wanted


def _is_known(term: Term, facts: ReadingFacts) -> bool:
    if term.what == "discarded":
        return facts.discarded is not None
    return term.what not in vocabulary.MAYBE_UNKNOWN or term.what in facts.numbers


def _amount(test: Pattern, facts: ReadingFacts, letters: Letters) -> int:
    """Count the groups at the rank and suit of a pattern."""
    rank = test.rank.of(dict(letters))
    suit = letters[test.suit] if test.suit in letters else vocabulary.SUITS[test.suit]
    if not 1 <= rank <= _SUIT_WIDTH:
        return 0
    return facts.groups(test.what).count(suit * _SUIT_WIDTH + rank - 1)


def amount(term: Term, facts: ReadingFacts) -> int:
    """Return the value of a term, without its factor."""
    what = term.what
    if what == "yaku":
        return int((term.name or known_yaku()[term.mask]) in facts.yaku)
    if what in vocabulary.WORDS:
        return int(what in facts.words)
    if what in ("reds", "suits", "twin_runs"):
        return _of_hand(what, facts)
    return (
        facts.numbers[what] if what in vocabulary.NUMBERS else _among(what, facts.tiles_of(term.mask), facts)
    )


def _of_hand(what: str, facts: ReadingFacts) -> int:
    if what == "reds":
        return len(facts.reds)
    if what == "suits":
        return len({kind // _SUIT_WIDTH for kind in _kinds(facts) if kind < 3 * _SUIT_WIDTH})
    return sum(facts.own_runs.count(run) // 2 for run in set(facts.own_runs))


def _kinds(facts: ReadingFacts) -> set[int]:
    return {kind for kind, count in enumerate(facts.counts) if count}


def _among(what: str, tiles: set[int], facts: ReadingFacts) -> int:
    """Count ``what`` among certain tiles."""
    if what == "run":
        return sum({run, run + 1, run + 2} <= tiles for run in facts.runs)
    if what in vocabulary.GROUPS:
        return sum(kind in tiles for kind in facts.groups(what))
    if what.startswith("missing_"):
        return sum(facts.counts[kind] < int(what[-1]) for kind in tiles)
    return {
        "kinds": lambda: len(_kinds(facts) & tiles),
        "only": lambda: len(_kinds(facts) - tiles),
        "every_set": lambda: _without(tiles, facts),
        "seat": lambda: int(facts.seat in tiles),
        "round": lambda: int(facts.round in tiles),
        "red": lambda: len(set(facts.reds) & tiles),
        "discarded": lambda: len((facts.discarded or frozenset()) & tiles),
    }[what]()


def _without(tiles: set[int], facts: ReadingFacts) -> int:
    """Count the sets and pairs with none of the tiles; in hands without sets, count the other kinds."""
    if "standard" not in facts.words:
        return len((_kinds(facts) | facts.pairs) - tiles)
    runs = sum(not {run, run + 1, run + 2} & tiles for run in facts.runs)
    return runs + len((facts.triplets | facts.pairs) - tiles)

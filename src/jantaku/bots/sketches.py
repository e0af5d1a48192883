"""Derives sketches from conditions: requirements on the tiles of a hand that meets the condition.

A requirement that no tile of the hand decides, such as winning on the last tile of the wall, only scales the
chance. Anything that cannot be measured in missing tiles is left out, so a hand may be nearer to a target
than to the yaku, but never further away.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from jantaku.bots import targets
from jantaku.bots.completing import completed
from jantaku.bots.targets import EVERY_WIND, Target, TargetSketch
from jantaku.rules.own import Condition, codes, read
from jantaku.rules.own.filters import Literal, bounds
from jantaku.rules.own.meaning import choices
from jantaku.rules.own.reader import Numbers, Pattern, Sum, Term, known_yaku
from jantaku.rules.own.steps import alternatives
from jantaku.rules.own.vocabulary import FLAGS, FORMS, GROUPS, SUITS, TILES, WAITS
from jantaku.rules.own.written import written

MAX_TARGETS: Final = 64  # per yaku, those with the best chance
UNLIKELY: Final = 1e-3  # targets with a lower chance are dropped
SUIT_MASKS: Final = (TILES["man"], TILES["pin"], TILES["sou"])
HONOURS: Final = TILES["honours"]
_FIRST_WIND: Final = 27
_LUCK: Final = {
    "tsumo": 0.4, "riichi": 0.5, "double_riichi": 0.002, "open_riichi": 0.1, "ippatsu": 0.1,
    "last_tile": 0.02, "rinshan": 0.01, "chankan": 0.002, "first_turn": 0.0, "riichi_tile": 0.03,
    "furiten": 0.02, "discarder_riichi": 0.2, "final_hand": 0.12, "kan_discard": 0.01,
    "ryanmen": 0.5, "shanpon": 0.2, "kanchan": 0.15, "penchan": 0.1, "tanki": 0.2, "won_on": 0.35,
    "honba": 0.3, "sum": 0.3, "streak": 0.1, "dora": 0.5, "ura": 0.3, "reds": 0.4, "red": 0.4, "kita": 0.5,
}  # fmt: skip
"""Rough frequency of each circumstance in wins of four bots."""


@lru_cache(maxsize=512)
def targets_of(text: str) -> tuple[Target, ...]:
    """Return the targets of a condition, likeliest first; none if no tile decides it."""
    targets: dict[Target, None] = {}
    for sketch in _sketches(read(text), [TargetSketch()], frozenset()):
        if sketch.luck >= UNLIKELY:
            targets |= dict.fromkeys(target for target in completed(sketch) if target.depends_on_tiles)
    ordered = sorted(targets, key=lambda target: -target.chance)
    return tuple(_without_harder(ordered)[:MAX_TARGETS])


def _without_harder(targets: Sequence[Target]) -> list[Target]:
    """Return the targets without those that require everything another one requires, and more tiles."""
    kept: list[Target] = []
    for target in sorted(targets, key=lambda target: sum(mask.bit_count() for mask in target.need)):
        easier = (other for other in kept if _but_needs(other) == _but_needs(target))
        if not any(
            other.chance >= target.chance
            and all(a & ~b == 0 for a, b in zip(other.need, target.need, strict=True))
            for other in easier
        ):
            kept.append(target)
    return sorted(kept, key=lambda target: -target.chance)


def _but_needs(target: Target) -> tuple[int, ...]:
    numbers = tuple(target.numbers)
    return (numbers[targets.ALLOWED], *numbers[targets.GROUP : targets.PLAN])


def _sketches(
    condition: Condition, given: Sequence[TargetSketch], within: frozenset[str]
) -> Iterator[TargetSketch]:
    """Yield each sketch of ``given``, extended by the requirements of each alternative of a condition."""
    for literals in alternatives(condition):
        for letters in choices(condition):
            for before in given:
                yield from _with_tests(before.copied(), literals, letters, within)


def _with_tests(
    sketch: TargetSketch, literals: Sequence[Literal], letters: dict[str, int], within: frozenset[str]
) -> Iterator[TargetSketch]:
    others: list[str] = []
    for test, holds in literals:
        if isinstance(test, Numbers):
            left, right = test.left.of(letters), test.right.of(letters)
            if (left == right if test.relation == "==" else left >= right) != holds:
                return
        elif isinstance(test, Pattern):
            if not _require_pattern(sketch, test, holds, letters):
                return
        elif test.terms and test.terms[0].what == "yaku" and len(test.terms) == 1:
            name = test.terms[0].name or known_yaku()[test.terms[0].mask]
            others += [name] if holds and name in written() and name not in within else []
        else:
            _require_sum(sketch, test, holds)
    sketches: Sequence[TargetSketch] = [sketch]
    for name in others:
        sketches = list(_sketches(read(written()[name]), sketches, within | {name}))[:MAX_TARGETS]
    yield from sketches


def _require_pattern(sketch: TargetSketch, test: Pattern, holds: bool, letters: dict[str, int]) -> bool:
    """Add a set or tiles of a given number and suit; return False if there is no such number."""
    rank = test.rank.of(letters)
    suit = letters[test.suit] if test.suit in letters else SUITS[test.suit]
    kind = 9 * suit + rank - 1
    inside = 1 <= rank <= (7 if test.what == "run" else 9)
    if not holds or test.least == 0:
        if inside and test.what == "count" and test.least == 1:
            sketch.allowed &= ~(1 << kind)
        return True
    if not inside:
        return False
    if test.what == "run":
        sketch.runs[kind] = max(sketch.runs[kind], test.least)
    elif test.what == "count":
        sketch.held[kind] = max(sketch.held[kind], test.least)
    elif test.what == "won_on":
        sketch.held[kind] = max(sketch.held[kind], 1)
        sketch.luck *= _LUCK["won_on"]
    else:
        sketch.sets[test.what.replace("concealed_quad", "quad")].add(kind)
    return True


def _require_sum(sketch: TargetSketch, test: Sum, holds: bool) -> None:
    """Add the requirement of a number: of its first term, if it has several different ones."""
    terms = [term for term in test.terms if term.factor == test.terms[0].factor]
    if not terms or (interval := bounds(test, holds)) is None:
        return
    if terms[0].what.startswith("missing_"):
        _require_tiles(sketch, terms, interval[1] == 0)
        return
    alike = all(term.what == terms[0].what for term in test.terms)
    mask = 0
    for term in terms:
        alike &= not mask & term.mask
        mask |= term.mask
    if alike or len(test.terms) == 1:
        _require(sketch, Term(1, terms[0].what, mask), *interval)
    else:
        sketch.luck *= _LUCK["sum"]


def _require_tiles(sketch: TargetSketch, terms: Sequence[Term], has: bool) -> None:
    """Require tiles, each as many times as it is listed."""
    for term in terms if has else ():
        for kind in _kinds_of(term.mask):
            sketch.held[kind] = max(sketch.held[kind], int(term.what[-1]))


def _require(sketch: TargetSketch, term: Term, low: int, high: int) -> None:
    """Require a number to be from ``low`` to ``high``."""
    what, mask = term.what, term.mask
    if what in _LUCK and what not in ("won_on", "ryanmen"):
        share = _LUCK[what] ** max(low, 1)
        sketch.luck *= share if low else 1.0 - share if high == 0 else 1.0
    elif what == "won_on" or (what in WAITS and what != "ryanmen"):
        sketch.luck *= _LUCK["won_on"] if low else 1.0
    elif what == "ryanmen":
        sketch.ryanmen |= low > 0
    elif what in FORMS:
        _require_form(sketch, what, low > 0)
    elif what in ("closed", "melds"):
        _require_melds(sketch, what, low, high)
    elif what in ("seat", "round"):
        winds = mask >> _FIRST_WIND & EVERY_WIND
        setattr(sketch, what, getattr(sketch, what) & (winds if low else EVERY_WIND & ~winds))
    elif what == "suits":
        _require_suits(sketch, low, high)
    elif what == "twin_runs":
        sketch.twins = max(sketch.twins, min(low, 2))
    elif what not in FLAGS:
        _require_among(sketch, what, mask, low, high)


def _require_form(sketch: TargetSketch, form: str, wanted: bool) -> None:
    if not wanted:
        sketch.without |= {form}
    elif sketch.form in ("", form) and form != "unconnected":
        sketch.form = form
    else:
        sketch.luck = 0.0


def _require_melds(sketch: TargetSketch, what: str, low: int, high: int) -> None:
    if what == "melds":
        sketch.melds = min(sketch.melds, high)
        sketch.luck *= 0.5 if low else 1.0
    else:
        sketch.luck *= 0.5 if high == 0 else 1.0  # open only; the plan's values decide the rest


def _require_suits(sketch: TargetSketch, low: int, high: int) -> None:
    if high == 0:
        sketch.allowed &= HONOURS
    elif high == 1:
        sketch.splits.append(tuple(suit | HONOURS for suit in SUIT_MASKS))
    elif low == 3:
        sketch.some += SUIT_MASKS
    elif high == 2:
        sketch.splits.append(tuple(codes.ALL_KINDS & ~suit for suit in SUIT_MASKS))


def _require_among(sketch: TargetSketch, what: str, mask: int, low: int, high: int) -> None:
    """Require tiles, sets and pairs among certain kinds."""
    plain = mask & codes.ALL_KINDS
    if what == "only":
        if high == 0:
            sketch.allowed &= mask
        elif low == 1:
            sketch.some.append(codes.ALL_KINDS & ~plain)
    elif what == "every_set":
        sketch.touch = mask if high == 0 else sketch.touch
    elif what in ("count", "kinds"):
        if high == 0:
            sketch.allowed &= ~plain
        elif low == 1:
            sketch.some.append(mask)
        elif low > 1:
            sketch.gathers.append((mask, low, targets.TILES if what == "count" else targets.KINDS))
    elif what in GROUPS:
        if high == 0:
            _require_none(sketch, what, mask)
        elif low:
            sketch.groups.append((what.replace("concealed_quad", "quad"), mask, low))


def _require_none(sketch: TargetSketch, what: str, mask: int) -> None:
    if what == "pair":
        sketch.pair_free |= mask
    elif mask & codes.ALL_KINDS == codes.ALL_KINDS:
        sketch.without |= {what}


def _kinds_of(mask: int) -> list[int]:
    return [kind for kind in range(34) if mask >> kind & 1]

"""Trials of a custom yaku: hands that have it, hands that just miss it, and the yaku that accompany it.

Hands are drawn at random, up to a fixed number and with a seed derived from the condition, so a condition
always gives the same result. The scorer judges every hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.masks import yaku_in
from jantaku.adjudication.own_changes import HandChange, changed_wins
from jantaku.adjudication.own_facts import ConditionPart, parts_of
from jantaku.adjudication.own_hands import hand_for
from jantaku.adjudication.own_hints import HandHints, hints_for, letters_for
from jantaku.adjudication.reading_yaku import reading_yaku
from jantaku.adjudication.score import Score, score, score_records, value_rows
from jantaku.adjudication.win_records import win_records
from jantaku.errors import HandError, JantakuError
from jantaku.kernels import win as layout
from jantaku.kernels.reading import ROW
from jantaku.rules import Ruleset, catalogue
from jantaku.rules.own import read
from jantaku.rules.own.filters import Literal
from jantaku.rules.own.reader import Sum, known_yaku, letters_of
from jantaku.rules.own.steps import alternatives
from jantaku.rules.own.written import written
from jantaku.rules.own_yaku import naming
from jantaku.terms import Language
from jantaku.tiles import EAST, RED
from jantaku.win import Win

BATCH: Final = 250
BATCHES: Final = 12
MAX_TRIED: Final = BATCH * BATCHES  # hands drawn in one search
WANTED: Final = 240  # hands with the yaku to collect, enough to see which other yaku go with it
MAX_EXAMPLES: Final = 5
MAX_BASES: Final = 6  # hands with the yaku that are changed to find near ones
_MAX_TESTS: Final = 100
_MIN_SAMPLE: Final = 30  # hands with the yaku needed to compare other yaku
_MIN_EXPECTED: Final = 8  # expected hands with another yaku needed for its absence to be significant
_COMPLETE: Final = (layout.NO_ERROR, layout.FURITEN, layout.NO_YAKU, layout.TWO_HAN_MINIMUM)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NearHand:
    """A complete hand without the yaku, how it differs from one with it, and the parts of the condition."""

    win: Win
    change: HandChange
    parts: tuple[ConditionPart, ...]


@dataclass(frozen=True, slots=True)
class YakuTrial:
    """The result of trying a custom yaku.

    ``having`` are hands with the yaku; the score of a hand is ``None`` if the yaku does not count in it, for
    instance because a yakuman overrides it. ``near`` are hands that just miss it. ``tried`` is the number of
    hands found that have it; ``always`` and ``never`` are the built-in yaku that all or none of these have.
    """

    having: tuple[tuple[Win, Score | None], ...]
    near: tuple[NearHand, ...]
    always: tuple[str, ...]
    never: tuple[str, ...]
    tried: int


def try_yaku(rules: Ruleset, yaku: str, language: Language) -> YakuTrial:
    """Search for hands that have a custom yaku of a ruleset and for hands that just miss it."""
    trial = _TrialRules(rules, yaku)
    chance = trial.chance
    wins = list(_wins_having(trial, chance, WANTED))
    counting = [(score.win, score) for score in _counting(wins, rules, yaku)]
    having = _chosen(counting or [(win, None) for win in wins])
    near = _near(trial, [win for win, _ in having], chance, language)
    always, never = _company(trial, wins, chance) if len(wins) >= _MIN_SAMPLE else ((), ())
    return YakuTrial(tuple(having[:MAX_EXAMPLES]), tuple(near), always, never, len(wins))


@lru_cache(maxsize=64)
def example_win(rules: Ruleset, yaku: str) -> Score | None:
    """Return the first hand found in which a custom yaku counts; ``None`` if the search finds none."""
    trial = _TrialRules(rules, yaku)
    wins = _wins_having(trial, trial.chance, WANTED)
    return next(iter(_counting(wins, rules, yaku)), None)


def judged(win: Win, rules: Ruleset, yaku: str, language: Language) -> tuple[str, bool, list[ConditionPart]]:
    """Return the error code of a hand (``""`` if it may win), whether the yaku counts and the parts."""
    error, has = "", False
    try:
        valued = score(win, rules).as_counted
        win, has = valued.win, yaku in valued.yaku
    except HandError as failed:
        error = failed.code
    return error, has, [] if error == "not_complete" else nearest_parts(win, rules, yaku, language)


def nearest_parts(win: Win, rules: Ruleset, yaku: str, language: Language) -> list[ConditionPart]:
    """Return the parts of the condition for the reading of the hand that meets most of them."""
    condition = next(own.condition for own in rules.own_yaku if own.id == yaku)
    named = naming(rules.own_yaku, language)
    rows = (row[layout.READING : layout.READING + ROW] for row in value_rows(win, rules).tolist())
    readings = [parts_of(condition, reading_yaku(win, rules, row).facts, language, named) for row in rows]
    return max(readings, key=lambda parts: sum(bool(part.holds) for part in parts), default=[])


class _TrialRules:
    """The ruleset with the yaku as a yakuman, and without it; unrelated custom yaku are off."""

    def __init__(self, rules: Ruleset, yaku: str) -> None:
        self.rules, self.yaku = rules, yaku
        self.condition = next(own.condition for own in rules.own_yaku if own.id == yaku)
        self.chance = Random(self.condition)  # noqa: S311 — the same hands for the same condition
        named = _named_by(rules, yaku)
        others = (own.id for own in rules.own_yaku if own.id not in {yaku, *named})
        self.having = rules.with_changes(
            {f"yaku.{yaku}.replaces": [], f"yaku.{yaku}.only": "none", **_worth(yaku, "yakuman")}
            | {path: worth for other in others for path, worth in _worth(other, False).items()}
        )
        self.plain = self.having.with_changes(_worth(yaku, False))
        self.bit = 1 << [own.id for own in self.having.own_yaku].index(yaku)

    def split(self, wins: Sequence[Win]) -> tuple[list[Win], list[Win]]:
        """Split complete hands into those that have the yaku in some reading and those that do not."""
        if not wins:
            return [], []
        rows = score_records(win_records(wins), self.having)
        complete = np.isin(rows[:, layout.ERROR], _COMPLETE)
        has = rows[:, layout.OWN_YAKU] & self.bit != 0
        return _picked(wins, complete & has), _picked(wins, complete & ~has)


def _worth(yaku: str, worth: str | bool) -> dict[str, Any]:
    return {f"yaku.{yaku}.closed": worth, f"yaku.{yaku}.open": worth}


def _named_by(rules: Ruleset, yaku: str) -> set[str]:
    """Return the custom yaku that its condition refers to, directly or indirectly."""
    by_id, names, left = {own.id: own for own in rules.own_yaku}, set[str](), [yaku]
    while left:
        more = [name for name in by_id[left.pop()].names if name not in names]
        names.update(more)
        left += more
    return names


def _picked(wins: Sequence[Win], which: "npt.NDArray[Any]") -> list[Win]:
    return [wins[i] for i in which.nonzero()[0].tolist()]


def _wins_having(trial: _TrialRules, chance: Random, wanted: int) -> Iterator[Win]:
    """Yield different hands that have the yaku, batch by batch, until there are at least ``wanted``."""
    ways = alternatives(read(trial.condition))
    seats, seen = len(trial.rules.seats), set[tuple[Any, ...]]()
    for _ in range(BATCHES):
        chosen = (_with_named(chance.choice(ways), trial, chance) for _ in range(BATCH))
        drawn_hints = (
            hints_for(way, letters_for(letters_of(literal.test for literal in way), chance), chance, seats)
            for way in chosen
        )
        drawn = [win for hints in drawn_hints if (win := hand_for(hints, trial.rules, chance)) is not None]
        for win in trial.split(drawn)[0]:
            key = (win.hand, win.tile, win.tsumo)
            if key not in seen:
                seen.add(key)
                yield win
        if len(seen) >= wanted:
            return


def _with_named(way: Sequence[Literal], trial: _TrialRules, chance: Random) -> list[Literal]:
    """Return the tests of an alternative and those of the custom yaku it refers to."""
    literals, pending = list[Literal](), list(way)
    while pending and len(literals) < _MAX_TESTS:
        literal = pending.pop(0)
        literals.append(literal)
        names = (
            [term.name for term in literal.test.terms if term.name] if isinstance(literal.test, Sum) else []
        )
        for name in names if literal.holds else ():
            condition = next(yaku.condition for yaku in trial.having.own_yaku if yaku.id == name)
            pending += chance.choice(alternatives(read(condition)) or ((),)) if condition else ()
        pending += _as_written(literal, chance)
    return literals


def _as_written(literal: Literal, chance: Random) -> Sequence[Literal]:
    """Return the tests of a built-in yaku without an example in the catalogue."""
    test = literal.test
    if not (
        isinstance(test, Sum) and literal.holds and len(test.terms) == 1 and test.terms[0].what == "yaku"
    ):
        return ()
    name = test.terms[0].name or known_yaku()[test.terms[0].mask]
    entry = catalogue().get(name)
    if entry is None or "hand" in entry.example:
        return ()
    return chance.choice(alternatives(read(written()[name])))


def _counting(wins: "Sequence[Win] | Iterator[Win]", rules: Ruleset, yaku: str) -> Iterator[Score]:
    """Yield the scores of the hands in which the yaku counts under the unchanged ruleset."""
    for win in wins:
        try:
            value = score(win, rules)
        except JantakuError:
            continue
        if yaku in value.yaku:
            yield value


def _chosen(wins: Sequence[tuple[Win, Score | None]]) -> list[tuple[Win, Score | None]]:
    """Choose a few hands that differ in more than their tiles."""
    kinds: dict[tuple[Any, ...], list[tuple[Win, Score | None]]] = {}
    for win, value in wins:
        suits = {tile % RED // 9 for tile in (*win.hand.all_tiles, win.tile)}
        kinds.setdefault((win.hand.is_closed, win.tsumo, len(suits)), []).append((win, value))
    return _in_turn(sorted(kinds.values(), key=len, reverse=True), MAX_BASES)


def _in_turn(rows: Sequence[Sequence[T]], limit: int) -> list[T]:
    """Return the first item of each row, then the second of each row …, up to ``limit`` items."""
    return [row[i] for i in range(limit) for row in rows if i < len(row)][:limit]


def _near(trial: _TrialRules, bases: Sequence[Win], chance: Random, language: Language) -> list[NearHand]:
    """Return hands without the yaku that differ by one tile or circumstance from hands with it."""
    by_kind: dict[tuple[int, str], list[tuple[Win, HandChange]]] = {}
    for base in bases:
        variants = {change: win for win, change in changed_wins(base, trial.rules)}
        without = set(map(id, trial.split(list(variants.values()))[1]))
        for change, win in variants.items():
            if id(win) in without:
                by_kind.setdefault((change.distance, change.kind), []).append((win, change))
    rows = [chance.sample(row, len(row)) for _, row in sorted(by_kind.items(), key=lambda item: item[0])]
    close = [row for row in rows if row[0][1].distance == 1] or rows
    return _most_varied(trial, _in_turn(close or [_others(trial, chance)], 4 * MAX_EXAMPLES), language)


def _others(trial: _TrialRules, chance: Random) -> list[tuple[Win, HandChange]]:
    """Return unrelated hands without the yaku, to use if no small change removes it."""
    return [
        (win, HandChange("other", 3, "", ""))
        for win in trial.split(_any_hands(trial, chance))[1][:MAX_EXAMPLES]
    ]


def _any_hands(trial: _TrialRules, chance: Random) -> list[Win]:
    """Return hands drawn without any hints."""
    drawn = [hand_for(HandHints(EAST + 1, EAST), trial.rules, chance) for _ in range(2 * BATCH)]
    return [win for win in drawn if win is not None]


def _most_varied(
    trial: _TrialRules, picked: Sequence[tuple[Win, HandChange]], language: Language
) -> list[NearHand]:
    """Choose near hands, preferring those that lack different parts of the condition."""
    by_parts: dict[tuple[bool, ...], list[NearHand]] = {}
    for win, change in picked:
        parts = tuple(nearest_parts(win, trial.having, trial.yaku, language))
        if not all(part.holds for part in parts):
            by_parts.setdefault(tuple(bool(part.holds) for part in parts), []).append(
                NearHand(win, change, parts)
            )
    return _in_turn(list(by_parts.values()), MAX_EXAMPLES)


def _company(
    trial: _TrialRules, wins: Sequence[Win], chance: Random
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the built-in yaku that all these hands have, and those that only other hands have."""
    masks, other_masks = _masks(trial, wins), _masks(trial, _any_hands(trial, chance))
    if not len(masks):
        return (), ()
    some, every = int(np.bitwise_or.reduce(masks)), int(np.bitwise_and.reduce(masks))
    never = [
        name
        for name in yaku_in(int(np.bitwise_or.reduce(other_masks)) & ~some)
        if np.mean([name in yaku_in(int(mask)) for mask in other_masks]) * len(masks) >= _MIN_EXPECTED
    ]
    return tuple(yaku_in(every)), tuple(never)


def _masks(trial: _TrialRules, wins: Sequence[Win]) -> "npt.NDArray[np.int64]":
    """Return the built-in yaku of each hand.

    Hands with a yakuman, which hides other yaku, are left out unless too few hands would remain.
    """
    rows = score_records(win_records(wins), trial.plain)
    rows = rows[np.isin(rows[:, layout.ERROR], _COMPLETE)]
    plain = rows[rows[:, layout.YAKUMAN] == 0]
    return (plain if len(plain) >= _MIN_SAMPLE else rows)[:, layout.YAKU]

"""Tries an own yaku: hands that have it, hands that nearly have it, and the yaku it goes with.

Everything is drawn with a seed from the condition and within a fixed number of hands, so that the same
condition always gives the same answer, and every hand is judged by the scorer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.had_yaku import had_yaku
from jantaku.adjudication.masks import yaku_in
from jantaku.adjudication.own_changes import HandChange, changed
from jantaku.adjudication.own_facts import ConditionPart, parts_of
from jantaku.adjudication.own_hands import hand_for
from jantaku.adjudication.own_wishes import Wish, letters_for, wish_for
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
MOST_TRIED: Final = BATCH * BATCHES  # hands before the search for an example ends
WANTED: Final = 240  # hands that have the yaku, to compare its company with that of other hands
SHOWN: Final = 5
BASES: Final = 6
_MOST_TESTS: Final = 100
_COMPANY: Final = 30  # hands at least before anything is said of other yaku
_EXPECTED: Final = 8  # of a yaku among them, before its absence says something
_COMPLETE: Final = (layout.NO_ERROR, layout.FURITEN, layout.NO_YAKU, layout.TWO_HAN_MINIMUM)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NearHand:
    """A complete hand that does not have the yaku, what was changed, and the parts of the condition."""

    win: Win
    change: HandChange
    parts: tuple[ConditionPart, ...]


@dataclass(frozen=True, slots=True)
class YakuTrial:
    """What was found of an own yaku; ``tried`` hands had it, and ``always`` and ``never`` are about those.

    A hand has no score where the yaku counts for nothing, as beside a yakuman that overrides it.
    """

    having: tuple[tuple[Win, Score | None], ...]
    near: tuple[NearHand, ...]
    always: tuple[str, ...]
    never: tuple[str, ...]
    tried: int


def try_yaku(rules: Ruleset, yaku: str, language: Language) -> YakuTrial:
    """Look for hands that have an own yaku of a ruleset, and for hands that nearly do."""
    trial = _TrialRules(rules, yaku)
    chance = trial.chance
    wins = list(_wins_having(trial, chance, WANTED))
    counting = [(score.win, score) for score in _counting(wins, rules, yaku)]
    having = _chosen(counting or [(win, None) for win in wins])
    near = _near(trial, [win for win, _ in having], chance, language)
    always, never = _company(trial, wins, chance) if len(wins) >= _COMPANY else ((), ())
    return YakuTrial(tuple(having[:SHOWN]), tuple(near), always, never, len(wins))


@lru_cache(maxsize=64)
def example_win(rules: Ruleset, yaku: str) -> Score | None:
    """The first hand that is found in which an own yaku counts."""
    trial = _TrialRules(rules, yaku)
    wins = _wins_having(trial, trial.chance, WANTED)
    return next(iter(_counting(wins, rules, yaku)), None)


def judged(win: Win, rules: Ruleset, yaku: str, language: Language) -> tuple[str, bool, list[ConditionPart]]:
    """Why a hand may not win (a code or nothing), whether the yaku counts in it, and the parts."""
    error, has = "", False
    try:
        valued = score(win, rules).as_counted
        win, has = valued.win, yaku in valued.yaku
    except HandError as failed:
        error = failed.code
    return error, has, [] if error == "not_complete" else nearest_parts(win, rules, yaku, language)


def nearest_parts(win: Win, rules: Ruleset, yaku: str, language: Language) -> list[ConditionPart]:
    """The parts of the condition in the reading of the hand that meets most of them."""
    condition = next(own.condition for own in rules.own_yaku if own.id == yaku)
    named = naming(rules.own_yaku, language)
    rows = (row[layout.READING : layout.READING + ROW] for row in value_rows(win, rules).tolist())
    readings = [parts_of(condition, had_yaku(win, rules, row).facts, language, named) for row in rows]
    return max(readings, key=lambda parts: sum(bool(part.holds) for part in parts), default=[])


class _TrialRules:
    """The rules with the yaku above all others, and without it; own yaku that it does not name are off."""

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
        """The complete hands that have the yaku in some reading, and those that do not."""
        if not wins:
            return [], []
        rows = score_records(win_records(wins), self.having)
        complete = np.isin(rows[:, layout.ERROR], _COMPLETE)
        has = rows[:, layout.OWN_YAKU] & self.bit != 0
        return _picked(wins, complete & has), _picked(wins, complete & ~has)


def _worth(yaku: str, worth: str | bool) -> dict[str, Any]:
    return {f"yaku.{yaku}.closed": worth, f"yaku.{yaku}.open": worth}


def _named_by(rules: Ruleset, yaku: str) -> set[str]:
    """The own yaku that its condition names, and those that these name."""
    by_id, names, left = {own.id: own for own in rules.own_yaku}, set[str](), [yaku]
    while left:
        more = [name for name in by_id[left.pop()].names if name not in names]
        names.update(more)
        left += more
    return names


def _picked(wins: Sequence[Win], which: "npt.NDArray[Any]") -> list[Win]:
    return [wins[i] for i in which.nonzero()[0].tolist()]


def _wins_having(trial: _TrialRules, chance: Random, most: int) -> Iterator[Win]:
    """Different hands that have the yaku, batch by batch."""
    ways = alternatives(read(trial.condition))
    seats, seen = len(trial.rules.seats), set[tuple[Any, ...]]()
    for _ in range(BATCHES):
        chosen = (_with_named(chance.choice(ways), trial, chance) for _ in range(BATCH))
        wishes = (
            wish_for(way, letters_for(letters_of(literal.test for literal in way), chance), chance, seats)
            for way in chosen
        )
        made = [win for wish in wishes if (win := hand_for(wish, trial.rules, chance)) is not None]
        for win in trial.split(made)[0]:
            mark = (win.hand, win.tile, win.tsumo)
            if mark not in seen:
                seen.add(mark)
                yield win
        if len(seen) >= most:
            return


def _with_named(way: Sequence[Literal], trial: _TrialRules, chance: Random) -> list[Literal]:
    """The tests of an alternative, with those of the own yaku that it names."""
    literals, left = list[Literal](), list(way)
    while left and len(literals) < _MOST_TESTS:
        literal = left.pop(0)
        literals.append(literal)
        names = (
            [term.name for term in literal.test.terms if term.name] if isinstance(literal.test, Sum) else []
        )
        for name in names if literal.holds else ():
            condition = next(yaku.condition for yaku in trial.having.own_yaku if yaku.id == name)
            left += chance.choice(alternatives(read(condition)) or ((),)) if condition else ()
        left += _as_written(literal, chance)
    return literals


def _as_written(literal: Literal, chance: Random) -> Sequence[Literal]:
    """The tests of a built-in yaku of which no example can be shown."""
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
    """The scores of those hands in which the yaku counts under the rules themselves."""
    for win in wins:
        try:
            value = score(win, rules)
        except JantakuError:
            continue
        if yaku in value.yaku:
            yield value


def _chosen(wins: Sequence[tuple[Win, Score | None]]) -> list[tuple[Win, Score | None]]:
    """A few hands that differ in more than their tiles."""
    kinds: dict[tuple[Any, ...], list[tuple[Win, Score | None]]] = {}
    for win, value in wins:
        suits = {tile % RED // 9 for tile in (*win.hand.all_tiles, win.tile)}
        kinds.setdefault((win.hand.is_closed, win.tsumo, len(suits)), []).append((win, value))
    return _in_turn(sorted(kinds.values(), key=len, reverse=True), BASES)


def _in_turn(rows: Sequence[Sequence[T]], most: int) -> list[T]:
    """The first of each row, then the second of each row, and so on."""
    return [row[i] for i in range(most) for row in rows if i < len(row)][:most]


def _near(trial: _TrialRules, bases: Sequence[Win], chance: Random, language: Language) -> list[NearHand]:
    """Hands that differ from those that have the yaku by one tile or one circumstance."""
    by_kind: dict[tuple[int, str], list[tuple[Win, HandChange]]] = {}
    for base in bases:
        made = {change: win for win, change in changed(base, trial.rules)}
        without = set(map(id, trial.split(list(made.values()))[1]))
        for change, win in made.items():
            if id(win) in without:
                by_kind.setdefault((change.distance, change.kind), []).append((win, change))
    rows = [chance.sample(row, len(row)) for _, row in sorted(by_kind.items(), key=lambda item: item[0])]
    close = [row for row in rows if row[0][1].distance == 1] or rows
    return _telling(trial, _in_turn(close or [_others(trial, chance)], 4 * SHOWN), language)


def _others(trial: _TrialRules, chance: Random) -> list[tuple[Win, HandChange]]:
    """Other hands without the yaku, where no small change of a hand takes it away."""
    return [
        (win, HandChange("other", 3, "", "")) for win in trial.split(_any_hands(trial, chance))[1][:SHOWN]
    ]


def _any_hands(trial: _TrialRules, chance: Random) -> list[Win]:
    """Hands that were drawn without any wish."""
    drawn = [hand_for(Wish(EAST + 1, EAST), trial.rules, chance) for _ in range(2 * BATCH)]
    return [win for win in drawn if win is not None]


def _telling(
    trial: _TrialRules, picked: Sequence[tuple[Win, HandChange]], language: Language
) -> list[NearHand]:
    """Those that show different parts missing come first."""
    shown: dict[tuple[bool, ...], list[NearHand]] = {}
    for win, change in picked:
        parts = tuple(nearest_parts(win, trial.having, trial.yaku, language))
        if not all(part.holds for part in parts):
            shown.setdefault(tuple(bool(part.holds) for part in parts), []).append(
                NearHand(win, change, parts)
            )
    return _in_turn(list(shown.values()), SHOWN)


def _company(
    trial: _TrialRules, wins: Sequence[Win], chance: Random
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The built-in yaku that all of the hands have, and those that none has although other hands do."""
    masks, often = _masks(trial, wins), _masks(trial, _any_hands(trial, chance))
    if not len(masks):
        return (), ()
    some, every = int(np.bitwise_or.reduce(masks)), int(np.bitwise_and.reduce(masks))
    never = [
        name
        for name in yaku_in(int(np.bitwise_or.reduce(often)) & ~some)
        if np.mean([name in yaku_in(int(mask)) for mask in often]) * len(masks) >= _EXPECTED
    ]
    return tuple(yaku_in(every)), tuple(never)


def _masks(trial: _TrialRules, wins: Sequence[Win]) -> "npt.NDArray[np.int64]":
    """The built-in yaku of each hand; hands with a yakuman, which hides the others, only if most have one."""
    rows = score_records(win_records(wins), trial.plain)
    rows = rows[np.isin(rows[:, layout.ERROR], _COMPLETE)]
    plain = rows[rows[:, layout.YAKUMAN] == 0]
    return (plain if len(plain) >= _COMPANY else rows)[:, layout.YAKU]

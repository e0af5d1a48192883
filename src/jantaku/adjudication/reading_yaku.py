"""All yaku of a reading, before one replaces another or a yakuman overrides the rest."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from jantaku.adjudication.masks import yaku_in
from jantaku.adjudication.own_facts import facts_of
from jantaku.adjudication.reading_view import reading_view
from jantaku.adjudication.win_records import win_records
from jantaku.kernels.hand import whole_hand
from jantaku.kernels.reading import (
    ROW_CONCEALED,
    ROW_FORM,
    ROW_PAIRS,
    ROW_QUADS,
    ROW_RUNS,
    ROW_TRIPLETS,
    ROW_TWICE,
    ROW_WAIT,
    PackedReading,
)
from jantaku.kernels.rules import rules_record
from jantaku.kernels.value import available, counted
from jantaku.rules import Ruleset
from jantaku.rules.own import read
from jantaku.rules.own.meaning import ReadingFacts, is_met
from jantaku.rules.own.naming import in_order
from jantaku.tiles import counts
from jantaku.win import Win

# Kernels are untyped
_whole_hand: Callable[..., Any] = whole_hand
_available: Callable[..., int] = available
_counted: Callable[..., int] = counted
_COLUMNS: Final = {
    "runs": ROW_RUNS,
    "twice": ROW_TWICE,
    "triplets": ROW_TRIPLETS,
    "concealed": ROW_CONCEALED,
    "quads": ROW_QUADS,
    "pairs": ROW_PAIRS,
    "wait": ROW_WAIT,
    "form": ROW_FORM,
}


class ReadingYaku(NamedTuple):
    """The facts of a reading, including all its yaku, and the custom yaku whose condition it meets.

    The yaku in ``own`` need not count: their value or their ``only`` condition may exclude them.
    """

    facts: ReadingFacts
    own: tuple[str, ...]


def packed_reading(win: Win, rules: Ruleset, row: Sequence[int]) -> PackedReading:
    """Return the reading of a result row in the form the yaku predicates take."""
    held = np.array(counts((*win.hand.all_tiles, win.tile)), np.int64)
    whole = PackedReading(*_whole_hand(win_records([win])[0], held, rules_record(rules)[0]))
    return whole._replace(**{name: int(row[column]) for name, column in _COLUMNS.items()})


def reading_yaku(win: Win, rules: Ruleset, row: Sequence[int]) -> ReadingYaku:
    """Return the facts and the custom yaku of the reading in a result row.

    This repeats what the compiled scorer does for custom yaku, which cannot be called from Python.
    """
    reading, record = packed_reading(win, rules, row), rules_record(rules)[0]
    wanted = int(_counted(reading, record["own_yaku"])) if rules.own_yaku else 0
    facts = facts_of(reading_view(row, win), win, rules, yaku_in(int(_available(reading, record))))
    met = []
    for yaku in in_order(rules.own_yaku):
        if is_met(read(yaku.condition), facts):
            met.append(yaku.id)
            if wanted >> rules.own_yaku.index(yaku) & 1:
                facts = replace(facts, yaku=facts.yaku | {yaku.id})
    return ReadingYaku(facts, tuple(met))

"""All readings of a win with their values."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

from jantaku.adjudication.reading_view import Form, ReadingView, SetView, WaitForm, reading_view
from jantaku.adjudication.score import ERROR_CODES, Score, value_row, value_rows
from jantaku.adjudication.win_records import check_against_rules
from jantaku.kernels import win as layout
from jantaku.kernels.score import is_better
from jantaku.rules import Ruleset, load
from jantaku.tiles import Tile
from jantaku.win import Win

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to divide a winning hand into sets and pairs, with its value.

    ``form``, ``sets``, ``pairs`` and ``wait`` are as in ``ReadingView``. The values are as in ``Score``:
    ``han`` and ``fu`` are ``None`` for a yakuman, ``base`` is in base points, ``yaku`` maps ids to han.
    ``error`` is a code if this reading may not win (``no_yaku``, ``two_han_minimum``), otherwise ``None``.
    """

    form: Form
    sets: tuple[SetView, ...]
    pairs: tuple[Tile, ...]
    wait: WaitForm
    han: int | None
    fu: int | None
    yakuman: int
    base: int
    yaku: Mapping[str, int]
    error: str | None


def readings(win: Win, rules: Ruleset | str = "standard") -> list[Reading]:
    """Return all readings of ``win`` with their values, best first; empty if the hand is not complete.

    ``score`` uses the first. Furiten and sakizuke apply to the win as a whole and are left to ``score``.
    Raises ``RulesError`` if the win has red tiles or a kind of riichi that the ruleset lacks.

    >>> from jantaku.win import Win
    >>> for reading in readings(Win.parse("111222333m44p99s 9s", tsumo=True)):
    ...     print(reading.wait, reading.base, *(one.kind for one in reading.sets))
    shanpon 8000 triplet triplet triplet triplet
    shanpon 480 run run run triplet
    """
    ruleset = load(rules)
    check_against_rules(win, ruleset)
    counted = Score(win, ruleset, value_row(win, ruleset)).as_counted.win
    rows = sorted(value_rows(counted, ruleset), key=cmp_to_key(_compare))
    return [_reading(row, counted, ruleset) for row in rows]


def _compare(one: "npt.NDArray[Any]", other: "npt.NDArray[Any]") -> int:
    return int(is_better(other, one)) - int(is_better(one, other))


def _reading(row: "npt.NDArray[Any]", win: Win, rules: Ruleset) -> Reading:
    value = Score(win, rules, row.tobytes())
    view: ReadingView = reading_view(value.reading, win)
    return Reading(
        view.form,
        view.sets,
        view.pairs,
        view.wait,
        value.han,
        value.fu,
        value.yakuman,
        value.base,
        value.yaku,
        ERROR_CODES.get(row.item(layout.ERROR)),
    )

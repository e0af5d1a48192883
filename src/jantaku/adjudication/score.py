"""``score``: the value of one win under one ruleset."""

from contextlib import suppress
from dataclasses import replace
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jantaku.adjudication.masks import yaku_in
from jantaku.adjudication.win_records import check_against_rules, packed, win_records
from jantaku.errors import HandError, RequestError
from jantaku.hand import Wind
from jantaku.kernels import win as layout
from jantaku.kernels._jit import Direct, expect_calls
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.fu import FU_ITEMS
from jantaku.kernels.reading import MOST_READINGS
from jantaku.kernels.rules import rules_record
from jantaku.kernels.score import score_batch, score_packed, score_readings
from jantaku.kernels.value import ITEMS, RESULT
from jantaku.rules import Ruleset, catalogue, load
from jantaku.rules.catalogue import han_of
from jantaku.rules.worths import worth_in
from jantaku.seats import sources_of, winds_of
from jantaku.tiles import TILES, Tile
from jantaku.win import Win

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from jantaku.kernels.cuts import Cuts


ERROR_CODES: Final = {
    layout.NOT_COMPLETE: "not_complete",
    layout.NO_YAKU: "no_yaku",
    layout.TWO_HAN_MINIMUM: "two_han_minimum",
    layout.FURITEN: "furiten",
}
BONUS: Final = (
    ("dora", layout.DORA),
    ("red_dora", layout.RED),
    ("ura_dora", layout.URA),
    ("kita", layout.KITA),
    ("kan_han", layout.KANS),
)

Row = bytes | bytearray
"""The bytes of a result row (``int64[RESULT]``): they are made in less time than an array."""
EMPTY_ROW: Final = bytes(8 * RESULT)
_number_at: Final = Struct("<q").unpack_from  # faster than a view, for what is read of every score
_POINTS_AT: Final = 8 * layout.POINTS
_VALUE: Final = Direct(
    score_packed, lambda: (b"", rules_record(Ruleset()), cut_tables(), bytearray(EMPTY_ROW))
)
_cuts: "Cuts | None" = None  # a cached function would take longer to call


class Score:
    """The value of a win: han, fu, yaku, points and payments. Immutable.

    ``han`` and ``fu`` are ``None`` for a yakuman; ``yakuman`` is how many the hand counts for. ``limit`` is
    ``None`` below mangan. ``points`` is the value of the hand itself; ``payments`` is what each seat
    receives, honba and deposits included. ``yaku`` maps each id to its han (13 times the multiple for a
    yakuman), dora last.
    """

    __slots__ = ("_row", "_rules", "_win")  # every public attribute is read from them

    def __init__(self, win: Win, rules: Ruleset, row: Row) -> None:
        """``row`` belongs to the score from now on."""
        self._win, self._rules, self._row = win, rules, row

    @property
    def _columns(self) -> "memoryview[int]":
        """The numbers of the row, which are read only when somebody asks for them."""
        return memoryview(self._row).cast("q")

    @property
    def win(self) -> Win:
        """The win that has this value."""
        return self._win

    @property
    def stands_for(self) -> Tile | None:
        """The kind as which the drawn tile counts, if it is a white dragon that stands for another."""
        kind = self._columns[layout.STANDS_FOR]
        return TILES[kind - 1] if kind else None

    @property
    def as_counted(self) -> "Score":
        """The same with the tile as which the drawn one counts: the reading belongs to that win."""
        if self.stands_for is None:
            return self
        row = bytearray(self._row)
        memoryview(row).cast("q")[layout.STANDS_FOR] = 0
        return Score(self._win.counted_as(self.stands_for), self._rules, row)

    @property
    def rules(self) -> Ruleset:
        """The ruleset under which it has this value."""
        return self._rules

    @property
    def yakuman(self) -> int:
        """How many yakuman the hand counts for, 0 for none."""
        return self._columns[layout.YAKUMAN]

    @property
    def han(self) -> int | None:
        """Han with dora; ``None`` for a yakuman."""
        return None if self._columns[layout.YAKUMAN] else self._columns[layout.HAN]

    @property
    def fu(self) -> int | None:
        """Fu, rounded up; ``None`` for a yakuman."""
        return None if self._columns[layout.YAKUMAN] else self._columns[layout.FU]

    @property
    def limit(self) -> str | None:
        """``mangan`` … ``sanbaiman``, ``kazoe_yakuman``, ``yakuman``; ``None`` below."""
        return layout.LIMITS[self._columns[layout.LIMIT]]

    @property
    def base(self) -> int:
        """Base points: a quarter of a non-dealer's ron before rounding."""
        return self._columns[layout.BASE]

    @property
    def points(self) -> int:
        """The value of the hand itself, without honba and deposits."""
        points: int = _number_at(self._row, _POINTS_AT)[0]
        return points

    @property
    def payments(self) -> dict[Wind, int]:
        """What each seat receives (negative: pays), honba and deposits included.

        If nobody says who discarded the tile of a ron (``win.source``), only what is the same whoever it was:
        what the winner receives.
        """
        if not self.lacks_source:
            return self.all_payments
        first, *others = self._possible_payments()
        return {seat: paid for seat, paid in first.items() if all(other[seat] == paid for other in others)}

    @property
    def lacks_source(self) -> bool:
        """Whether it is a ron of which nobody says who discarded the tile."""
        return self._win.source is None and not self._win.tsumo

    @property
    def all_payments(self) -> dict[Wind, int]:
        """``payments`` with a seat that stands for a discarder of whom nobody speaks."""
        winds = winds_of(self._rules.match.players)
        paid = self._columns[layout.PAYMENT : layout.PAYMENT + len(winds)].tolist()
        return dict(zip(winds, paid, strict=True))

    def _possible_payments(self) -> "Iterator[dict[Wind, int]]":
        """The payments for each player who can have discarded the tile."""
        for source in sources_of(self._rules.match.players):
            with suppress(RequestError):  # of a player who has no turn yet
                win = replace(self._win, source=source)
                yield Score(win, self._rules, value_row(win, self._rules)).all_payments

    @property
    def yaku(self) -> dict[str, int]:
        """The han of each yaku and bonus; a double form appears under the id of its yakuman."""
        han_of: dict[str, int] = {}
        for name, _, han in self.counted():
            han_of[name] = han_of.get(name, 0) + han
        return han_of | self.bonus

    @property
    def bonus(self) -> dict[str, int]:
        """The han of dora, red dora, ura dora and norths set aside, if any."""
        return {name: self._columns[column] for name, column in BONUS if self._columns[column]}

    @property
    def fu_items(self) -> dict[str, int]:
        """Each part of the fu that is not zero; empty for a yakuman."""
        if self._columns[layout.YAKUMAN]:
            return {}
        items = zip(FU_ITEMS, self._columns[ITEMS : ITEMS + len(FU_ITEMS)].tolist(), strict=True)
        return {name: points for name, points in items if points}

    @property
    def reading(self) -> "Sequence[int]":
        """The row of the valued reading (``jantaku.kernels.reading``)."""
        columns: list[int] = self._columns[layout.READING : ITEMS].tolist()
        return columns

    def counted(self) -> list[tuple[str, str, int]]:
        """(reported id, actual id, han) of every yaku that counts, in catalogue order, own yaku last."""
        mask, made = self._columns[layout.YAKU], self._columns[layout.OWN_YAKU]
        rows = [(catalogue()[name].form_of or name, name, self.worth(name)) for name in yaku_in(mask)]
        own = [yaku.id for i, yaku in enumerate(self.rules.own_yaku) if made >> i & 1]
        return rows + [(name, name, self.worth(name)) for name in own]

    def worth(self, yaku: str) -> int:
        """The han of a yaku in this hand under these rules; 13 times the multiple for a yakuman."""
        return han_of(worth_in(self.rules, yaku, self.win.hand.is_closed))

    def to_dict(self) -> dict[str, Any]:
        """The answer of the JSON-lines contract, without ``id``."""
        return {
            "han": self.han,
            "fu": self.fu,
            "yakuman": self.yakuman,
            "limit": self.limit,
            "points": self.points,
            "yaku": self.yaku,
            "fu_items": self.fu_items,
            "payments": self.payments,
            **({"not_stated": ["from"]} if self.lacks_source else {}),
            **({} if self.stands_for is None else {"counted_as": str(self.stands_for)}),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return (self._win, self._rules, self._row) == (other._win, other._rules, other._row)

    def __hash__(self) -> int:
        return hash((self.win, self.rules))

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (self.win, self.rules, bytes(self._row))

    def __repr__(self) -> str:
        value = self.limit or f"{self.han} han {self.fu} fu"
        return f"<Score {value} {self.points} {' '.join(self.yaku)}>"


def score(win: Win, rules: Ruleset | str = "standard") -> Score:
    """Adjudicate one win.

    Raises ``HandError`` if the hand may not win (``not_complete``, ``no_yaku``, ``two_han_minimum``,
    ``furiten``) and ``RulesError`` if it has red tiles or a riichi that the ruleset does not have.

    >>> score(Win.parse("234m567p34567s99p 8s")).points
    1000
    """
    ruleset = rules if type(rules) is Ruleset else load(rules)
    check_against_rules(win, ruleset)
    cuts, row = _load_cuts() if _cuts is None else _cuts, bytearray(EMPTY_ROW)
    if error := _VALUE.call(packed(win), rules_record(ruleset), cuts, row):
        raise HandError(ERROR_CODES[error])
    return Score(win, ruleset, row)


def value_row(win: Win, rules: Ruleset) -> Row:
    """The result row of one win (columns as in ``jantaku.kernels.win``), even if it may not win."""
    row = bytearray(EMPTY_ROW)
    _VALUE.call(packed(win), rules_record(rules), _load_cuts() if _cuts is None else _cuts, row)
    return row


def _load_cuts() -> "Cuts":
    global _cuts  # noqa: PLW0603
    _cuts = cut_tables()
    return _cuts


def value_rows(win: Win, rules: Ruleset) -> "npt.NDArray[np.int64]":
    """The result rows of every complete reading of one win, without payments: ``int64[n, RESULT]``."""
    rows = np.zeros((MOST_READINGS, RESULT), np.int64)
    count = score_readings(win_records([win]), rules_record(rules), cut_tables(), rows)
    complete: npt.NDArray[np.int64] = rows[:count][rows[:count, layout.ERROR] != layout.NOT_COMPLETE]
    return complete


def score_records(wins: "npt.NDArray[Any]", rules: Ruleset | str = "standard") -> "npt.NDArray[np.int64]":
    """Adjudicate ``WIN[n]`` records at once: ``int64[n, RESULT]``, columns as in ``jantaku.kernels.win``."""
    expect_calls(score_batch, len(wins))
    results: npt.NDArray[np.int64] = score_batch(wins, rules_record(load(rules)), cut_tables())
    return results

"""The value of one win under one ruleset."""

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
from jantaku.kernels.reading import MAX_READINGS
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
"""The bytes of a result row (``int64[RESULT]``), which are faster to create than an array."""
EMPTY_ROW: Final = bytes(8 * RESULT)
_number_at: Final = Struct("<q").unpack_from  # faster than a memoryview for a single number
_POINTS_AT: Final = 8 * layout.POINTS
_VALUE: Final = Direct(
    score_packed, lambda: (b"", rules_record(Ruleset()), cut_tables(), bytearray(EMPTY_ROW))
)
_cuts: "Cuts | None" = None  # a global, because a cached function is slower to call


class Score:
    """The value of a win: han, fu, yaku, points and payments. Immutable and hashable.

    ``han`` and ``fu`` are ``None`` for a yakuman; ``yakuman`` is the number of yakuman. ``limit`` is ``None``
    below mangan. ``points`` is the value of the hand without honba and deposits; ``payments`` maps each seat
    to the points it receives (negative: pays), including honba and deposits. ``yaku`` maps the id of each
    yaku to its han (13 per yakuman), with dora last.
    """

    __slots__ = ("_row", "_rules", "_win")

    def __init__(self, win: Win, rules: Ruleset, row: Row) -> None:
        """Take ownership of ``row``, which the caller must not change afterwards."""
        self._win, self._rules, self._row = win, rules, row

    @property
    def _columns(self) -> "memoryview[int]":
        """The numbers of the row."""
        return memoryview(self._row).cast("q")

    @property
    def win(self) -> Win:
        """The win that was scored."""
        return self._win

    @property
    def stands_for(self) -> Tile | None:
        """The kind the winning tile stands for if it is a white dragon used as a joker, else ``None``."""
        kind = self._columns[layout.STANDS_FOR]
        return TILES[kind - 1] if kind else None

    @property
    def as_counted(self) -> "Score":
        """The score of the win with the tile the white dragon stands for; ``reading`` belongs to that win."""
        if self.stands_for is None:
            return self
        row = bytearray(self._row)
        memoryview(row).cast("q")[layout.STANDS_FOR] = 0
        return Score(self._win.counted_as(self.stands_for), self._rules, row)

    @property
    def rules(self) -> Ruleset:
        """The ruleset the win was scored under."""
        return self._rules

    @property
    def yakuman(self) -> int:
        """Number of yakuman the hand counts for; 0 if it is not a yakuman."""
        return self._columns[layout.YAKUMAN]

    @property
    def han(self) -> int | None:
        """Han including dora; ``None`` for a yakuman."""
        return None if self._columns[layout.YAKUMAN] else self._columns[layout.HAN]

    @property
    def fu(self) -> int | None:
        """Fu, rounded up; ``None`` for a yakuman."""
        return None if self._columns[layout.YAKUMAN] else self._columns[layout.FU]

    @property
    def limit(self) -> str | None:
        """``mangan`` … ``sanbaiman``, ``kazoe_yakuman`` or ``yakuman``; ``None`` below mangan."""
        return layout.LIMITS[self._columns[layout.LIMIT]]

    @property
    def base(self) -> int:
        """Base points: a quarter of a child's ron before rounding."""
        return self._columns[layout.BASE]

    @property
    def points(self) -> int:
        """Value of the hand in points, without honba and deposits."""
        points: int = _number_at(self._row, _POINTS_AT)[0]
        return points

    @property
    def payments(self) -> dict[Wind, int]:
        """Points each seat receives (negative: pays), including honba and deposits.

        For a ron without a source (``lacks_source``) only seats whose points do not depend on the discarder
        are included, so usually only the winner.
        """
        if not self.lacks_source:
            return self.all_payments
        first, *others = self._possible_payments()
        return {seat: paid for seat, paid in first.items() if all(other[seat] == paid for other in others)}

    @property
    def lacks_source(self) -> bool:
        """Whether the win is a ron that does not state who discarded the tile (``Win.source``)."""
        return self._win.source is None and not self._win.tsumo

    @property
    def all_payments(self) -> dict[Wind, int]:
        """``payments`` of all seats; without a source, some seat pays in place of the unknown discarder."""
        winds = winds_of(self._rules.match.players)
        paid = self._columns[layout.PAYMENT : layout.PAYMENT + len(winds)].tolist()
        return dict(zip(winds, paid, strict=True))

    def _possible_payments(self) -> "Iterator[dict[Wind, int]]":
        """Yield the payments for each player who may have discarded the tile."""
        for source in sources_of(self._rules.match.players):
            with suppress(RequestError):  # this player cannot have discarded by then
                win = replace(self._win, source=source)
                yield Score(win, self._rules, value_row(win, self._rules)).all_payments

    @property
    def yaku(self) -> dict[str, int]:
        """Han of each yaku and bonus by id; a double yakuman has the id of its base form."""
        han_of: dict[str, int] = {}
        for name, _, han in self.counted():
            han_of[name] = han_of.get(name, 0) + han
        return han_of | self.bonus

    @property
    def bonus(self) -> dict[str, int]:
        """Han of each bonus the hand has: dora, red dora, ura dora, norths set aside and kans."""
        return {name: self._columns[column] for name, column in BONUS if self._columns[column]}

    @property
    def fu_items(self) -> dict[str, int]:
        """Fu of each item that is not zero; empty for a yakuman."""
        if self._columns[layout.YAKUMAN]:
            return {}
        items = zip(FU_ITEMS, self._columns[ITEMS : ITEMS + len(FU_ITEMS)].tolist(), strict=True)
        return {name: points for name, points in items if points}

    @property
    def reading(self) -> "Sequence[int]":
        """The scored reading as a row of ``jantaku.kernels.reading``; ``reading_view`` unpacks it."""
        columns: list[int] = self._columns[layout.READING : ITEMS].tolist()
        return columns

    def counted(self) -> list[tuple[str, str, int]]:
        """Return (reported id, actual id, han) of the yaku that count, by catalogue, custom ones last."""
        mask, made = self._columns[layout.YAKU], self._columns[layout.OWN_YAKU]
        rows = [(catalogue()[name].form_of or name, name, self.worth(name)) for name in yaku_in(mask)]
        own = [yaku.id for i, yaku in enumerate(self.rules.own_yaku) if made >> i & 1]
        return rows + [(name, name, self.worth(name)) for name in own]

    def worth(self, yaku: str) -> int:
        """Return the han of a yaku in this hand under these rules; 13 per yakuman."""
        return han_of(worth_in(self.rules, yaku, self.win.hand.is_closed))

    def to_dict(self) -> dict[str, Any]:
        """Return what ``jantaku score --jsonl`` prints (docs/scoring-requests.md), without ``id``."""
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
    """Return the value of one win under a ruleset or the preset with this name.

    Raises ``HandError`` if the hand may not win (``not_complete``, ``no_yaku``, ``two_han_minimum``,
    ``furiten``), and ``RulesError`` if the win has tiles, a seat or a kind of riichi that the ruleset lacks.
    Pass the result to ``explain``.

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
    """Return the result row of one win (columns of ``jantaku.kernels.win``), even if it may not win."""
    row = bytearray(EMPTY_ROW)
    _VALUE.call(packed(win), rules_record(rules), _load_cuts() if _cuts is None else _cuts, row)
    return row


def _load_cuts() -> "Cuts":
    global _cuts  # noqa: PLW0603
    _cuts = cut_tables()
    return _cuts


def value_rows(win: Win, rules: Ruleset) -> "npt.NDArray[np.int64]":
    """Return the result row of every complete reading of a win, without payments: ``int64[n, RESULT]``."""
    rows = np.zeros((MAX_READINGS, RESULT), np.int64)
    count = score_readings(win_records([win]), rules_record(rules), cut_tables(), rows)
    complete: npt.NDArray[np.int64] = rows[:count][rows[:count, layout.ERROR] != layout.NOT_COMPLETE]
    return complete


def score_records(wins: "npt.NDArray[Any]", rules: Ruleset | str = "standard") -> "npt.NDArray[np.int64]":
    """Score ``WIN[n]`` records; return ``int64[n, RESULT]`` with the columns of ``jantaku.kernels.win``."""
    expect_calls(score_batch, len(wins))
    results: npt.NDArray[np.int64] = score_batch(wins, rules_record(load(rules)), cut_tables())
    return results

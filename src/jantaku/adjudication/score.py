"""``score``: the value of one win under one ruleset."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jantaku.adjudication.masks import yaku_in
from jantaku.adjudication.records import check_against_rules, win_record
from jantaku.errors import HandError
from jantaku.hand import Win, Wind
from jantaku.kernels import win as layout
from jantaku.kernels._jit import direct
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.fu import FU_ITEMS
from jantaku.kernels.reading import MOST_READINGS
from jantaku.kernels.rules import rules_record
from jantaku.kernels.score import score_batch, score_one, score_readings
from jantaku.kernels.value import ITEMS, RESULT
from jantaku.rules import Ruleset, catalogue, load
from jantaku.rules.catalogue import han_of
from jantaku.rules.worths import worth_in
from jantaku.seats import winds_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

ERROR_CODES: Final = {
    layout.NOT_COMPLETE: "not_complete",
    layout.NO_YAKU: "no_yaku",
    layout.TWO_HAN_MINIMUM: "two_han_minimum",
    layout.FURITEN: "furiten",
}
BONUS: Final = (("dora", layout.DORA), ("red_dora", layout.RED), ("ura_dora", layout.URA))


class Score:
    """The value of a win: han, fu, yaku, points and payments. Immutable.

    ``han`` and ``fu`` are ``None`` for a yakuman; ``yakuman`` is how many the hand counts for. ``limit`` is
    ``None`` below mangan. ``points`` is the value of the hand itself; ``payments`` is what each seat
    receives, honba and deposits included. ``yaku`` maps each id to its han (13 times the multiple for a
    yakuman), dora last.
    """

    __slots__ = ("_result", "rules", "win")

    def __init__(self, win: Win, rules: Ruleset, result: "Sequence[int]") -> None:
        object.__setattr__(self, "win", win)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "_result", result)

    win: Win
    rules: Ruleset
    _result: Sequence[int]

    def __setattr__(self, name: str, value: object) -> None:
        message = f"cannot assign to {name!r}: a score does not change"
        raise AttributeError(message)

    @property
    def yakuman(self) -> int:
        """How many yakuman the hand counts for, 0 for none."""
        return self._result[layout.YAKUMAN]

    @property
    def han(self) -> int | None:
        """Han with dora; ``None`` for a yakuman."""
        return None if self._result[layout.YAKUMAN] else self._result[layout.HAN]

    @property
    def fu(self) -> int | None:
        """Fu, rounded up; ``None`` for a yakuman."""
        return None if self._result[layout.YAKUMAN] else self._result[layout.FU]

    @property
    def limit(self) -> str | None:
        """``mangan`` … ``sanbaiman``, ``kazoe_yakuman``, ``yakuman``; ``None`` below."""
        return layout.LIMITS[self._result[layout.LIMIT]]

    @property
    def base(self) -> int:
        """Base points: a quarter of a non-dealer's ron before rounding."""
        return self._result[layout.BASE]

    @property
    def points(self) -> int:
        """The value of the hand itself, without honba and deposits."""
        return self._result[layout.POINTS]

    @property
    def payments(self) -> dict[Wind, int]:
        """What each seat receives (negative: pays), honba and deposits included."""
        winds = winds_of(self.rules.match.players)
        paid = self._result[layout.PAYMENT : layout.PAYMENT + len(winds)]
        return dict(zip(winds, paid, strict=True))

    @property
    def yaku(self) -> dict[str, int]:
        """The han of each yaku and bonus; a double form appears under the id of its yakuman."""
        found: dict[str, int] = {}
        for name, _, han in self.counted():
            found[name] = found.get(name, 0) + han
        return found | self.bonus

    @property
    def bonus(self) -> dict[str, int]:
        """The han of dora, red dora and ura dora, if any."""
        return {name: self._result[column] for name, column in BONUS if self._result[column]}

    @property
    def fu_items(self) -> dict[str, int]:
        """Each part of the fu that is not zero; empty for a yakuman."""
        if self._result[layout.YAKUMAN]:
            return {}
        items = zip(FU_ITEMS, self._result[ITEMS : ITEMS + len(FU_ITEMS)], strict=True)
        return {name: points for name, points in items if points}

    @property
    def reading(self) -> "Sequence[int]":
        """The row of the valued reading (``jantaku.kernels.reading``)."""
        return self._result[layout.READING : ITEMS]

    def counted(self) -> list[tuple[str, str, int]]:
        """(reported id, actual id, han) of every yaku that counts, in catalogue order, local yaku last."""
        mask, local = self._result[layout.YAKU], self._result[layout.LOCAL]
        rows = [(catalogue()[name].form_of or name, name, self.worth(name)) for name in yaku_in(mask)]
        own = [yaku.id for i, yaku in enumerate(self.rules.local) if local >> i & 1]
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
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return (self.win, self.rules, [*self._result]) == (other.win, other.rules, [*other._result])

    def __hash__(self) -> int:
        return hash((self.win, self.rules))

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (self.win, self.rules, self._result)

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
    ruleset = load(rules)
    check_against_rules(win, ruleset)
    row = value_row(win, ruleset)
    if row[layout.ERROR]:
        raise HandError(ERROR_CODES[row[layout.ERROR]])
    return Score(win, ruleset, row)


def value_row(win: Win, rules: Ruleset) -> list[int]:
    """The result row of one win (columns as in ``jantaku.kernels.win``), even if it may not win."""
    row = np.zeros(RESULT, np.int64)
    _score_one()(win_record(win), rules_record(rules), cut_tables(), row)
    found: list[int] = row.tolist()
    return found


@lru_cache(maxsize=1)
def _score_one() -> (
    "Callable[[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]], None]"
):
    win, rules = np.zeros(1, layout.WIN), rules_record(Ruleset())
    return direct(score_one, win, rules, cut_tables(), np.zeros(RESULT, np.int64))


def value_rows(win: Win, rules: Ruleset) -> "npt.NDArray[np.int64]":
    """The result rows of every complete reading of one win, without payments: ``int64[n, RESULT]``."""
    rows = np.zeros((MOST_READINGS, RESULT), np.int64)
    found = score_readings(win_record(win), rules_record(rules), cut_tables(), rows)
    complete: npt.NDArray[np.int64] = rows[:found][rows[:found, layout.ERROR] != layout.NOT_COMPLETE]
    return complete


def score_records(wins: "npt.NDArray[Any]", rules: Ruleset | str = "standard") -> "npt.NDArray[np.int64]":
    """Adjudicate ``WIN[n]`` records at once: ``int64[n, RESULT]``, columns as in ``jantaku.kernels.win``."""
    results: npt.NDArray[np.int64] = score_batch(wins, rules_record(load(rules)), cut_tables())
    return results

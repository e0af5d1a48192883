"""Lists that are read page by page, the newest first.

A page ends at a position: the time of its last row and that row's id. The id decides between rows of the same
millisecond, so that none of them is left out or shown twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Select, and_, or_

Row = TypeVar("Row")
POSITION: Final = r"^\d{1,15}(\.[0-9a-zA-Z_-]{1,24})?$"
"""The text of a position; earlier versions gave the time alone."""


class PageEnd(NamedTuple):
    """Where a page ends; without an id it stands before all rows of that time."""

    at: int
    id: str = ""

    @classmethod
    def parse(cls, text: str | None) -> "PageEnd | None":
        """Read the text of a position, which fits ``POSITION``."""
        if text is None:
            return None
        at, _, id_ = text.partition(".")
        return cls(int(at), id_)

    def __str__(self) -> str:
        return f"{self.at}.{self.id}"


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row]):
    """The readable rows of a page, and the position at which the next one begins; ``None`` after the last."""

    rows: list[Row]
    next: PageEnd | None


def newest(
    query: Select[Any],
    order: tuple[ColumnElement[Any], ColumnElement[str]],
    before: PageEnd | None,
    most: int,
) -> Select[Any]:
    """The rows before a position, the newest first; ``order`` are the columns of the time and the id."""
    at, id_ = order
    if before is not None:
        query = query.where(or_(at < before.at, and_(at == before.at, id_ < before.id)))
    return query.order_by(at.desc(), id_.desc()).limit(most)


def following(rows: Sequence[Any], at: str, most: int) -> PageEnd | None:
    """The position after the rows as found, readable or not; ``at`` names the column of the time."""
    return PageEnd(getattr(rows[-1], at), rows[-1].id) if len(rows) == most else None

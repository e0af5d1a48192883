"""The parts of an explanation: rows of translated text for a terminal or a browser to lay out."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from jantaku.hand import Wind
from jantaku.terms import Language, signed

SECTIONS: Final = ("rules", "reading", "yaku", "near_misses", "fu", "arithmetic", "payments")


@dataclass(frozen=True, slots=True)
class Group:
    """A set, a pair or a whole special hand, in notation.

    ``winning`` is the winning tile if it belongs to this group, otherwise empty.
    """

    tiles: str
    kind: str
    label: str
    concealed: bool = True
    melded: bool = False
    winning: str = ""


@dataclass(frozen=True, slots=True)
class YakuRow:
    """A yaku or bonus that counts; ``han`` is 13 per yakuman, ``worth`` its value as text."""

    id: str
    name: str
    reading: str
    han: int
    worth: str
    why: str


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A yaku that the hand does not have, and why."""

    id: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class FuRow:
    """One part of the fu."""

    item: str
    label: str
    detail: str
    points: int


@dataclass(frozen=True, slots=True)
class PaymentRow:
    """The points a seat receives (negative: pays), its role in the win and the sticks it pays with.

    ``sticks`` maps the value of a stick to the number of sticks.
    """

    seat: Wind
    name: str
    points: int
    sticks: Mapping[int, int]
    role: str = ""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Why a win has its value, or why a hand may not win (``error`` is then the code of the ``HandError``).

    All texts are in ``language``. ``headings`` maps section keys to their titles; ``notes`` explain what a
    hand lacks or which tile a white dragon stands for. ``fu_before`` is the sum of the fu before rounding,
    ``fu_after`` the fu that count; both are ``None`` if the hand has no fu.
    """

    language: Language
    title: str
    rules: str
    headings: Mapping[str, str]
    error: str = ""
    notes: tuple[str, ...] = ()
    form: str = ""
    wait: str = ""
    reading: tuple[Group, ...] = ()
    yaku: tuple[YakuRow, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    fu: tuple[FuRow, ...] = ()
    fu_before: int | None = None
    fu_after: int | None = None
    fu_total: str = field(default="", repr=False)
    arithmetic: tuple[str, ...] = ()
    payments: tuple[PaymentRow, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys of ``sticks`` become strings, as JSON requires."""
        data = asdict(self)
        for row in data["payments"]:
            row["sticks"] = {str(value): count for value, count in row["sticks"].items()}
        return data

    def text(self) -> str:
        """Return the whole explanation as plain text in aligned columns."""
        blocks = ["\n".join([self.title, f"{self.headings['rules']}: {self.rules}"])]
        if self.notes:
            blocks.append("\n".join(self.notes))
        for section, lines in self._sections():
            if lines:
                heading = self.headings[section]
                blocks.append("\n".join([heading, *(f"  {line}".rstrip() for line in lines)]))
        return "\n\n".join(blocks)

    def __str__(self) -> str:
        return self.text()

    def _named(self, row: YakuRow) -> str:
        """Return the name of a yaku with its pronunciation; the English reading is a gloss and left out."""
        name_only = self.language == "en" or row.reading in ("", row.name)
        return row.name if name_only else f"{row.name} ({row.reading})"

    def _sections(self) -> Iterator[tuple[str, list[str]]]:
        hand = [[g.tiles, g.label, g.winning and f"← {g.winning}"] for g in self.reading]
        shape = [" · ".join(filter(None, (self.form, self.wait)))] if self.reading else []
        yield "reading", [*shape, *_columns(hand)]
        yield "yaku", _columns([[self._named(row), row.worth, row.why] for row in self.yaku])
        yield "near_misses", [f"{row.name}: {row.why}" for row in self.near_misses]
        fu = [[row.label, f"{row.points:>3}", row.detail] for row in self.fu]
        yield "fu", [*_columns(fu), *([self.fu_total] if fu else [])]
        yield "arithmetic", list(self.arithmetic)
        moved = [row for row in self.payments if row.points or row.role]
        paid = [[row.name, f"{signed(row.points):>8}", row.role, _sticks_text(row)] for row in moved]
        yield "payments", _columns(paid)


def _sticks_text(row: PaymentRow) -> str:
    return " + ".join(f"{value}×{count}" for value, count in row.sticks.items() if count)


def _width(text: str) -> int:
    """Return the display width of a string in terminal columns; wide East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Format rows as lines with aligned columns."""
    widths = [max(map(_width, cells)) for cells in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True) if width
        )
        for row in rows
    ]

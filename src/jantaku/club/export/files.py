"""Export formats of an event: CSV, an Excel workbook, JSON, and a standalone HTML page.

No text of an event can be read as a formula.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from jantaku import terms
from jantaku.club.export.event_tables import (
    MINUTE,
    Cell,
    EventTables,
    ExportSheet,
    prize,
    prizes,
    sheet,
    sheets,
)
from jantaku.club.export.page import event_page
from jantaku.terms import Language

# Spreadsheets may read a formula at the start of a cell, or after the field separator of another locale,
# which splits even quoted cells. Japanese spreadsheets also accept full-width signs.
_FORMULA: Final = re.compile(r"(^|[,;|])([ \"]*)(?=[=+\-@＝＋－＠])")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]+")

BOM: Final = "\ufeff"  # makes Excel read the file as UTF-8
MAX_CELL: Final = 32_767  # characters that Excel allows in a cell
MAX_WIDTH: Final = 60  # of a column, in characters


def csv_text(sheet: ExportSheet) -> str:
    """Return a table as CSV with quoted texts; an apostrophe escapes text that could start a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(map(_safe, sheet.titles))
    writer.writerows(map(_safe, row) for row in sheet.rows)
    return BOM + out.getvalue()


def _safe(cell: Cell) -> Cell:
    if isinstance(cell, datetime):
        return f"{cell:{MINUTE} %z}".rstrip()
    if not isinstance(cell, str):
        return cell
    return _FORMULA.sub(r"\1\2'", _CONTROL.sub(" ", cell))


def xlsx_bytes(sheets: Iterable[ExportSheet], language: Language) -> bytes:
    """Return an Excel workbook with one sheet per table; texts, numbers and times are typed cells."""
    import xlsxwriter  # noqa: PLC0415  (only needed here)

    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"created": datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)})
        bold, minute = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        for sheet in sheets:
            page = book.add_worksheet(terms.text(f"export.sheet.{sheet.name}", language))
            page.freeze_panes(1, 0)
            for column, title in enumerate(sheet.titles):
                longest = max(
                    (len(str(_safe(row[column]))) for row in sheet.rows if row[column] is not None), default=0
                )
                page.set_column(column, column, min(MAX_WIDTH, 2 + max(len(title), longest)))
                page.write_string(0, column, title, bold)
            for number, row in enumerate(sheet.rows, 1):
                for column, cell in enumerate(row):
                    if isinstance(cell, str):
                        page.write_string(number, column, cell[:MAX_CELL])
                    elif isinstance(cell, datetime):
                        page.write_datetime(number, column, cell.replace(tzinfo=None), minute)
                    elif cell is not None:
                        page.write_number(number, column, cell)
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: file suffix, media type and writer; with ``one_table``, the writer takes a table's name."""

    name: str
    media_type: str
    write: Callable[[EventTables, str, Language], bytes]
    one_table: bool = False


def _csv(tables: EventTables, name: str, language: Language) -> bytes:
    return csv_text(sheet(tables, name, language)).encode()


def _xlsx(tables: EventTables, _sheet: str, language: Language) -> bytes:
    return xlsx_bytes(sheets(tables, language), language)


def _html(tables: EventTables, _sheet: str, language: Language) -> bytes:
    return event_page(tables, language).encode()


def _json(tables: EventTables, _sheet: str, _language: Language) -> bytes:
    """Return the standings and the results of all games as JSON (docs/club.md)."""
    games = [
        {
            "id": game.id,
            "stage": game.stage,
            "at": game.at,
            **({"label": game.label} if game.label else {}),
            **({"round": game.round} if game.round else {}),
            "players": list(game.players),
            "scores": game.result.scores,
            "final": game.final,
            "places": game.places,
            **{name: list(prize(game, name)) for name in prizes(tables)},
        }
        for game in tables.games
    ]
    data: dict[str, Any] = {"name": tables.event.name, "players": tables.names}
    return json.dumps({**data, **tables.standings.to_dict(), "games": games}, ensure_ascii=False).encode()


XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


EXPORTS: Final = {
    option.name: option
    for option in (
        ExportFormat("csv", "text/csv; charset=utf-8", _csv, one_table=True),
        ExportFormat("xlsx", XLSX, _xlsx),
        ExportFormat("json", "application/json", _json),
        ExportFormat("html", "text/html; charset=utf-8", _html),
    )
}

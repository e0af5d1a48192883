"""An event in the formats that it leaves in: CSV, an Excel workbook, JSON, and a page of its own.

No text of an event is ever read as a formula.
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

# What a spreadsheet may read as a formula: at the beginning of a text, or behind a separator of another
# country, which divides a cell even if it is quoted. Japanese spreadsheets also know the wide signs.
_FORMULA: Final = re.compile(r"(^|[,;|])([ \"]*)(?=[=+\-@＝＋－＠])")


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]+")


MARK: Final = "\ufeff"  # tells Excel that the file is UTF-8


MOST_CELL: Final = 32_767  # letters that Excel allows in a cell


WIDEST: Final = 60


def csv_text(sheet: ExportSheet) -> str:
    """A table as CSV, texts in quotes. What could be a formula in a text has an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(map(_safe, sheet.titles))
    writer.writerows(map(_safe, row) for row in sheet.rows)
    return MARK + out.getvalue()


def _safe(cell: Cell) -> Cell:
    if isinstance(cell, datetime):
        return f"{cell:{MINUTE} %z}".rstrip()
    if not isinstance(cell, str):
        return cell
    return _FORMULA.sub(r"\1\2'", _CONTROL.sub(" ", cell))


def xlsx_bytes(sheets: Iterable[ExportSheet], language: Language) -> bytes:
    """Tables as sheets of an Excel workbook; texts are texts in it, numbers numbers, and times times."""
    import xlsxwriter  # noqa: PLC0415  (only who exports needs it)

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
                page.set_column(column, column, min(WIDEST, 2 + max(len(title), longest)))
                page.write_string(0, column, title, bold)
            for number, row in enumerate(sheet.rows, 1):
                for column, cell in enumerate(row):
                    if isinstance(cell, str):
                        page.write_string(number, column, cell[:MOST_CELL])
                    elif isinstance(cell, datetime):
                        page.write_datetime(number, column, cell.replace(tzinfo=None), minute)
                    elif cell is not None:
                        page.write_number(number, column, cell)
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: the suffix of its files, their type, and what writes them (``sheet``: the table for CSV)."""

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
    """The standings in the form of the contract, and the results of all games."""
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

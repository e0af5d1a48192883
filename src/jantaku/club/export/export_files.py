"""An event in the formats that it leaves in: CSV, an Excel workbook, JSON, and a page of its own."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from jantaku.club.export.csv_and_xlsx import csv_text, xlsx_bytes
from jantaku.club.export.event_tables import EventTables, prize, prizes, sheet, sheets
from jantaku.club.export.page import event_page
from jantaku.terms import Language


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

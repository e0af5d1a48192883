"""Export an event for use elsewhere: tables, spreadsheets and a standalone page."""

from jantaku.club.export.event_tables import EventTables, ExportSheet, sheets
from jantaku.club.export.files import EXPORTS, ExportFormat, csv_text, xlsx_bytes
from jantaku.club.export.page import event_page

__all__ = [
    "EXPORTS",
    "EventTables",
    "ExportFormat",
    "ExportSheet",
    "csv_text",
    "event_page",
    "sheets",
    "xlsx_bytes",
]

"""A report as Markdown, for a blog or a wiki."""

import re
from typing import Final

from jantaku.club.report.sections import ReportSection, ReportText

MARKS: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


def report_markdown(report: ReportText) -> str:
    """The report with a table for each section; no name in it is markup."""
    parts = [f"# {_plain(report.title)}", _plain(report.about)]
    for section in report.sections:
        parts += [f"## {_plain(section.title)}", _table(section)]
    return "\n\n".join(parts) + "\n"


def _table(section: ReportSection) -> str:
    rows = [section.columns, *section.rows]
    cells = [[_plain(cell) for cell in row] for row in rows]
    for row, tiles in zip(cells[1:], section.tiles, strict=False):
        if tiles:
            row[2] += f" `{tiles}`"
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * len(section.columns), *lines[1:]])


def _plain(text: str) -> str:
    return MARKS.sub(r"\\\1", " ".join(text.split()))

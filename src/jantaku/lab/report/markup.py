"""The building blocks of a report's HTML page."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.rows import Kind, with_minus
from jantaku.terms import text

_NARROW: Final = 2  # columns that fit on a phone


def report_text(key: str, **values: object) -> str:
    """Return a text from the report in the current language."""
    return text(f"lab.report.{key}", None, **values)


def section(key: str, *parts: str) -> str:
    """Return a section: heading, explanation, and its plots and tables."""
    heading, about = escape(report_text(f"{key}.title")), escape(report_text(f"{key}.about"))
    return f"<section><h2>{heading}</h2><p>{about}</p>{''.join(parts)}</section>"


def figure(picture: str) -> str:
    """Wrap a plot (SVG)."""
    return f"<figure>{picture}</figure>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; on a phone a table with many columns becomes a list with the column names inline."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join(f"<tr>{_row(heads, row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>' if len(heads) > _NARROW else table


def _row(heads: Sequence[str], row: Sequence[str]) -> str:
    first, *rest = row
    named = zip(heads[1:], rest, strict=True)
    cells = (f'<td data-head="{escape(head)}"><b>{_cell(cell)}</b></td>' for head, cell in named)
    return f"<td>{_cell(first)}</td>{''.join(cells)}"


def _cell(cell: str) -> str:
    """Return a cell; its interval wraps below the estimate if the table is too wide."""
    value, bracket, interval = escape(cell).partition(" (")
    return f"{value} <span>({interval}</span>" if bracket else value


def percent(estimate: Estimate | None) -> str:
    """Format a share with its interval."""
    if estimate is None:
        return "–"
    return with_minus(f"{estimate.value:.2%} ({estimate.low:.2%} … {estimate.high:.2%})")


def points(estimate: Estimate | None) -> str:
    """Format points with their interval."""
    if estimate is None:
        return "–"
    return with_minus(f"{estimate.value:,.0f} ({estimate.low:,.0f} … {estimate.high:,.0f})")


def collapsed(heading: str, content: str) -> str:
    """Return content collapsed behind a heading; it is not printed."""
    return f"<details><summary>{escape(heading)}</summary>{content}</details>"


def estimated(estimate: Estimate | None, kind: Kind) -> str:
    """Format an estimate with its interval, according to its unit."""
    if estimate is None or kind == "points":
        return points(estimate)
    if kind == "share":
        return percent(estimate)
    return with_minus(f"{estimate.value:.2f} ({estimate.low:.2f} … {estimate.high:.2f})")

"""The parts that the page of a report is made of."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.rows import Kind, with_minus
from jantaku.terms import text

_FEW: Final = 2  # columns that fit a phone


def said(key: str, **values: object) -> str:
    """A text of the report."""
    return text(f"lab.report.{key}", None, **values)


def section(key: str, *parts: str) -> str:
    """A section: heading, what it means, and its plots and tables."""
    heading, about = escape(said(f"{key}.title")), escape(said(f"{key}.about"))
    return f"<section><h2>{heading}</h2><p>{about}</p>{''.join(parts)}</section>"


def figure(picture: str) -> str:
    """A plot."""
    return f"<figure>{picture}</figure>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; on a phone one with several columns becomes a list, in which each value names its column."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join(f"<tr>{_row(heads, row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>' if len(heads) > _FEW else table


def _row(heads: Sequence[str], row: Sequence[str]) -> str:
    first, *rest = row
    named = zip(heads[1:], rest, strict=True)
    cells = (f'<td data-head="{escape(head)}"><b>{_cell(cell)}</b></td>' for head, cell in named)
    return f"<td>{_cell(first)}</td>{''.join(cells)}"


def _cell(cell: str) -> str:
    """A cell; its interval goes below the estimate where the table is too wide for the page."""
    value, bracket, interval = escape(cell).partition(" (")
    return f"{value} <span>({interval}</span>" if bracket else value


def percent(estimate: Estimate | None) -> str:
    """A share with its interval."""
    if estimate is None:
        return "–"
    return with_minus(f"{estimate.value:.2%} ({estimate.low:.2%} … {estimate.high:.2%})")


def points(estimate: Estimate | None) -> str:
    """Points with their interval."""
    if estimate is None:
        return "–"
    return with_minus(f"{estimate.value:,.0f} ({estimate.low:,.0f} … {estimate.high:,.0f})")


def folded(heading: str, content: str) -> str:
    """What is read on a screen only, behind its heading."""
    return f"<details><summary>{escape(heading)}</summary>{content}</details>"


def estimated(estimate: Estimate | None, kind: Kind) -> str:
    """An estimate with its interval, as what it counts is written."""
    if estimate is None or kind == "points":
        return points(estimate)
    if kind == "share":
        return percent(estimate)
    return with_minus(f"{estimate.value:.2f} ({estimate.low:.2f} … {estimate.high:.2f})")

"""A report as one picture for chats: an SVG with text, which a browser turns into a PNG."""

import html
import unicodedata
from collections.abc import Iterator
from typing import Final

from jantaku.club.report.sections import ReportSection, ReportText
from jantaku.errors import NotationError
from jantaku.svg.drawing import Piece, row_svg
from jantaku.tiles import parse_tiles

WIDTH: Final = 1080
EDGE: Final = 56
FONT: Final = "system-ui,'Apple SD Gothic Neo','Noto Sans CJK KR','Noto Sans KR','Noto Sans JP',sans-serif"
PAPER, INK, MUTED, FELT, PLUS, MINUS = "#fbfaf6", "#1c2420", "#67716b", "#12543d", "#1f7a54", "#b3402e"
MOST_ROWS: Final = {"standings": 10, "best": 3, "records": 6, "numbers": 4}
LINE: Final = 48
SMALLEST: Final = 34  # a long title becomes smaller before it is cut
TILE: Final = 44.0
WIDE: Final = 0.7  # of a bold Latin letter in units of its size, as wide fonts have it


def report_picture(report: ReportText) -> str:
    """The SVG: the first standings, the best hands, records and numbers, as high as it needs to be."""
    drawn, y = [_head(report)], 250.0
    kinds = set[str]()
    for section in report.sections:
        if section.kind in kinds:  # the standings of one stage are enough for a picture
            continue
        kinds.add(section.kind)
        part, y = _section(section, y)
        drawn.append(part)
    drawn.append(_text("Jantaku 雀卓", (WIDTH - EDGE, y + 26), 22, MUTED, anchor="end"))
    height = round(y + 56)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="{FONT}" role="img"><title>{html.escape(report.title)}</title>'
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>{"".join(drawn)}</svg>'
    )


def _head(report: ReportText) -> str:
    room = WIDTH - 2 * EDGE
    size = max(SMALLEST, min(56, int(56 * room / max(1.0, sum(_widths(report.title, 56))))))
    title = _text(_fitted(report.title, room, size), (EDGE, 104), size, "#fff", bold=True)
    about = _text(_fitted(report.about, WIDTH - 2 * EDGE, 32), (EDGE, 160), 32, "#d7e6dd")
    return f'<rect width="{WIDTH}" height="204" fill="{FELT}"/>{title}{about}'


def _section(section: ReportSection, y: float) -> tuple[str, float]:
    """A section that begins at ``y``, and where it ends."""
    parts = [_text(section.title, (EDGE, y + 30), 30, FELT, bold=True)]
    y += 58
    drawers = {"standings": _standing, "best": _best}
    rows = list(zip(section.rows, section.tiles or [""] * len(section.rows), strict=True))
    for i, (row, tiles) in enumerate(rows[: MOST_ROWS[section.kind]]):
        if i:
            parts.append(f'<path d="M{EDGE} {y}H{WIDTH - EDGE}" stroke="{INK}" stroke-opacity=".12"/>')
        part, height = drawers.get(section.kind, _fact)(row, tiles, y)
        parts.append(part)
        y += height
    return "".join(parts), y + 34


def _standing(row: tuple[str, ...], _: str, y: float) -> tuple[str, float]:
    """Rank, move, name, points and change; a whole event has no moves."""
    rank, *middle = row
    move, name, points, change, _games = middle if len(middle) == 5 else ("", *middle[:2], "", "")
    base = y + 33
    colour = PLUS if move.startswith("▲") else MINUS if move.startswith("▼") else MUTED
    return (
        _text(rank, (EDGE + 44, base), 30, INK, anchor="end", bold=True)
        + _text(move, (EDGE + 66, base), 22, colour)
        + _text(_fitted(name, 480, 30), (EDGE + 140, base), 30, INK)
        + _text(points, (840, base), 30, INK, anchor="end", bold=True)
        + _text(change, (WIDTH - EDGE, base), 26, _sign(change), anchor="end"),
        LINE,
    )


def _best(row: tuple[str, ...], tiles: str, y: float) -> tuple[str, float]:
    """Who won how much with what; below it the tiles, if they are known."""
    name, points, worth, where = row
    drawn = (
        _text(_fitted(name, 560, 30), (EDGE, y + 34), 30, INK, bold=True)
        + _text(points, (WIDTH - EDGE, y + 34), 30, PLUS, anchor="end", bold=True)
        + _text(_fitted(f"{worth} · {where}", WIDTH - 2 * EDGE, 24), (EDGE, y + 70), 24, MUTED)
    )
    hand = _tiles(tiles)
    if not hand:
        return drawn, 92
    return f'{drawn}<svg x="{EDGE}" y="{y + 84}"{hand.removeprefix("<svg")}', 84 + TILE * 1.5 + 22


def _tiles(tiles: str) -> str:
    """The picture of a hand; empty if nobody recorded its tiles, or they cannot be read."""
    try:
        groups = [[Piece(tile) for tile in parse_tiles(group)] for group in tiles.split()]
    except NotationError:
        return ""
    return row_svg(groups, title=html.escape(tiles), size=TILE) if groups else ""


def _fact(row: tuple[str, ...], _: str, y: float) -> tuple[str, float]:
    """A label, a name if there is one, and a value."""
    label, *names, value = row
    name = _text(_fitted("".join(names), 430, 26), (470, y + 33), 26, INK)
    return (
        _text(_fitted(label, 400 if names else 700, 26), (EDGE, y + 33), 26, MUTED)
        + name
        + _text(value, (WIDTH - EDGE, y + 33), 28, INK, anchor="end", bold=True),
        LINE,
    )


def _sign(text: str) -> str:
    return PLUS if text.startswith("+") else MINUS if text.startswith("−") else MUTED


def _text(
    text: str, at: tuple[float, float], size: int, fill: str, *, anchor: str = "start", bold: bool = False
) -> str:
    if not text:
        return ""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{weight}>'
        f"{html.escape(_printable(text))}</text>"
    )


def _printable(text: str) -> str:
    """Without the signs that XML forbids."""
    return "".join(letter for letter in text if unicodedata.category(letter) not in ("Cc", "Cs", "Co", "Cn"))


def _widths(text: str, size: int) -> Iterator[float]:
    for letter in text:
        yield size * (1.0 if unicodedata.east_asian_width(letter) in "WF" else WIDE)


def _fitted(text: str, room: float, size: int) -> str:
    """A text cut so that it is about as wide as there is room."""
    if sum(_widths(text, size)) <= room:
        return text
    used, line = size * WIDE, ""
    for letter, width in zip(text, _widths(text, size), strict=True):
        if (used := used + width) > room:
            break
        line += letter
    return line + "…"

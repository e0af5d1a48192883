"""Booklets as Markdown, for wikis and chats, with hands in notation."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from jantaku import terms
from jantaku.booklet import document
from jantaku.tiles import format_tiles

_SPECIAL: Final = re.compile(r"([\\`*_\[\]|~])")
_AT_START: Final = re.compile(r"^(\s*)([#>+-]|\d+[.)])(?=\s)", re.MULTILINE)


def markdown_text(booklet: document.Booklet) -> str:
    """Return the whole file."""
    cover = booklet.cover
    top = " · ".join(_escaped(text) for text in (cover.club, cover.date) if text)
    with terms.using(booklet.language):
        parts = [
            f"# {_escaped(booklet.title)}",
            top,
            _escaped(booklet.about),
            f"`{booklet.mark.replace('`', '')}`",
        ]
        for chapter in booklet.chapters:
            parts += [f"## {_escaped(chapter.title)}", _escaped(chapter.about)]
            for block in chapter.blocks:
                parts += _BLOCKS[type(block)](block)
        parts.append(_escaped(terms.text("sheet.booklet.made")))
    return "\n\n".join(part for part in parts if part) + "\n"


def _escaped(text: str) -> str:
    """Escape Markdown and HTML, and join the lines."""
    line = html.escape(" ".join(text.split()), quote=False)
    return _AT_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", line))


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = [_cell(text) for text in columns]
    lines = [_line(head), _line(["---"] * len(head)), *(_line(map(_cell, row)) for row in rows)]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return "<br>".join(_escaped(line) for line in text.splitlines()) or " "


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _steps(block: document.Steps) -> Iterator[str]:
    yield "\n".join(
        f"{i}. **{_escaped(title)}** {_escaped(text)}" for i, (title, text) in enumerate(block.items, 1)
    )


def _options(block: document.OptionRows) -> Iterator[str]:
    rows = []
    for row in block.rows:
        value = "\n".join(text for text in (row.value, row.standard) if text)
        rows.append(("● " * bool(row.standard) + row.label, value, row.about))
    yield _table(("", "", ""), rows)


def _grid(block: document.Grid) -> Iterator[str]:
    if block.caption:
        yield f"### {_escaped(block.caption)}"
    yield _table(block.columns, block.rows)


def _cards(block: document.YakuCards) -> Iterator[str]:
    yield f"### {_escaped(block.title)}" if block.title else ""
    for card in block.cards:
        yield from _card(card)


def _card(card: document.YakuCard) -> Iterator[str]:
    yield f"#### {_escaped(card.name)} · {_escaped(card.worth)}"
    yield " · ".join(_escaped(name) for name in card.names.values())
    yield _escaped(card.standard)
    yield _escaped(card.definition)
    yield from map(_escaped, card.notes)
    if card.example:
        caption = terms.text("sheet.yaku.example", None, how=card.example.how, value=card.example.value)
        yield f"`{_notation(card.example)}` {_escaped(caption)}"


def _notation(example: document.ExampleHand) -> str:
    parts = [format_tiles(example.hand), format_tiles([example.win]), *map(str, example.melds)]
    return "  ".join(parts)


_BLOCKS: Final[dict[type[document.Block], Callable[[Any], Iterable[str]]]] = {
    document.Paragraph: lambda block: [_escaped(block.text)],
    document.Steps: _steps,
    document.Facts: lambda block: [_table(("", ""), block.rows)],
    document.OptionRows: _options,
    document.Grid: _grid,
    document.YakuCards: _cards,
}

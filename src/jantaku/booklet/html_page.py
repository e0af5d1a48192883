"""Booklets as self-contained HTML files without scripts, for printing and for phones."""

import base64
import html
from collections.abc import Callable, Iterable
from typing import Any, Final

from jantaku import terms
from jantaku.booklet import document
from jantaku.booklet.paper import Paper
from jantaku.pages import page, style
from jantaku.svg import hand_svg
from jantaku.svg.shared_tiles import SharedTiles

TILE_PX: Final = 36  # width of a tile if the page is wide enough
_escaped = html.escape


def html_page(booklet: document.Booklet, paper: Paper) -> str:
    """Return the whole file. All texts are escaped, because some come from users."""
    tiles = SharedTiles()
    size = f"@page {{ size: {paper.width_mm}mm {paper.height_mm}mm; margin: {paper.margin_mm}mm; }}\n"
    items = "".join(
        f'<li><a href="#{chapter.id}">{_escaped(chapter.title)}</a></li>' for chapter in booklet.chapters
    )
    with terms.using(booklet.language):
        chapters = "".join(_chapter(chapter, tiles) for chapter in booklet.chapters)
        contents, made = (terms.text(f"sheet.booklet.{key}") for key in ("contents", "made"))
    nav = f'<nav aria-labelledby="contents"><h3 id="contents">{contents}</h3><ol>{items}</ol></nav>'
    body = (
        f"{_header(booklet)}{'' if booklet.one_page else nav}"
        f'<main>{chapters}</main><footer><p class="soft">{_escaped(made)}</p>'
        f'<p class="mark">{_escaped(booklet.mark)}</p></footer>{tiles.symbols()}'
    )
    if booklet.one_page:
        body = f'<div class="short">{body}</div>'
    return page(booklet.title, booklet.language, size + style(__package__, "booklet.css"), body)


def _header(booklet: document.Booklet) -> str:
    cover = booklet.cover
    logo = "" if cover.logo is None else f'<img src="{_data_url(cover.logo)}" alt="">'
    line = " · ".join(_escaped(text) for text in (cover.club, cover.date) if text)
    top = f'<div class="club"><span>{line}</span>{logo}</div>' if line or logo else ""
    about = f"<p>{_escaped(booklet.about)}</p>" if booklet.about else ""
    title, mark = _escaped(booklet.title), _escaped(booklet.mark)
    return f'<header>{top}<h1>{title}</h1>{about}<p class="mark">{mark}</p></header>'


def _data_url(logo: document.Logo) -> str:
    return f"data:{logo.media_type};base64,{base64.b64encode(logo.data).decode()}"


def _chapter(chapter: document.Chapter, tiles: SharedTiles) -> str:
    blocks = "".join(
        _cards(block, tiles) if isinstance(block, document.YakuCards) else _BLOCKS[type(block)](block)
        for block in chapter.blocks
    )
    about = f'<p class="about">{_escaped(chapter.about)}</p>' if chapter.about else ""
    return f'<section id="{chapter.id}"><h2>{_escaped(chapter.title)}</h2>{about}{blocks}</section>'


def _paragraph(block: document.Paragraph) -> str:
    return f"<p>{_escaped(block.text)}</p>"


def _steps(block: document.Steps) -> str:
    items = (f"<li><strong>{_escaped(title)}</strong> {_escaped(text)}</li>" for title, text in block.items)
    return f'<ol class="steps">{"".join(items)}</ol>'


def _facts(block: document.Facts) -> str:
    rows = (f"<div><dt>{_escaped(name)}</dt><dd>{_escaped(value)}</dd></div>" for name, value in block.rows)
    return f'<dl class="facts">{"".join(rows)}</dl>'


def _options(block: document.OptionRows) -> str:
    return f'<dl class="options">{"".join(map(_option, block.rows))}</dl>'


def _option(row: document.OptionRow) -> str:
    marked = ' class="differs"' if row.standard else ""
    small = f"<small>{_escaped(row.standard)}</small>" if row.standard else ""
    return (
        f"<div{marked}><dt>{_escaped(row.label)}</dt><dd><span class='answer'>{_escaped(row.value)}</span>"
        f"{small}<small>{_escaped(row.about)}</small></dd></div>"
    )


def _grid(block: document.Grid) -> str:
    kind = "" if block.caption else ' class="words"'
    caption = f"<h3>{_escaped(block.caption)}</h3>" if block.caption else ""
    head = "".join(f'<th scope="col">{_escaped(text)}</th>' for text in block.columns)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in block.rows)
    table = f"<table{kind}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'{caption}<div class="wide">{table}</div>'


def _cells(row: Iterable[str]) -> str:
    first, *rest = map(_escaped, row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest)


def _cards(block: document.YakuCards, tiles: SharedTiles) -> str:
    title = f"<h3>{_escaped(block.title)}</h3>" if block.title else ""
    return title + "".join(_card(card, tiles) for card in block.cards)


def _card(card: document.YakuCard, tiles: SharedTiles) -> str:
    others = " · ".join(
        f'<span lang="{language}">{_escaped(name)}</span>' for language, name in card.names.items()
    )
    names = f'<p class="soft">{others}</p>' if others else ""
    standard = f" <small>{_escaped(card.standard)}</small>" if card.standard else ""
    notes = "".join(f"<p class='soft'>{_escaped(note)}</p>" for note in card.notes)
    differs = ' class="differs"' if card.standard else ""
    return (
        f'<article{differs} id="yaku-{_escaped(card.id)}"><div class="top"><h4>{_escaped(card.name)}</h4>'
        f'<span class="worth">{_escaped(card.worth)}</span></div>{names}{standard}'
        f"<p>{_escaped(card.definition)}</p>{notes}{_example(card.example, tiles)}</article>"
    )


def _example(example: document.ExampleHand | None, tiles: SharedTiles) -> str:
    if example is None:
        return ""
    caption = _escaped(terms.text("sheet.yaku.example", None, how=example.how, value=example.value))
    win = example.to_draw
    picture = hand_svg(win.hand, win.tile, size=TILE_PX, title=caption, shared=tiles)
    return f"{picture}<small>{caption}</small>"


_BLOCKS: Final[dict[type[document.Block], Callable[[Any], str]]] = {
    document.Paragraph: _paragraph,
    document.Steps: _steps,
    document.Facts: _facts,
    document.OptionRows: _options,
    document.Grid: _grid,
}

"""Booklets as PDF, laid out by Typst (extra ``sheet``) with the fonts installed on this machine.

Typst receives the texts as data, so that they are never parsed as markup, and cannot read any file.
"""

import html
import json
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from jantaku import terms
from jantaku.booklet import document
from jantaku.booklet.paper import Paper
from jantaku.errors import Phrases, RequestError
from jantaku.svg import hand_svg
from jantaku.terms import Language

FONTS: Final[dict[Language, tuple[str, ...]]] = {
    "ko": (
        "Noto Sans CJK KR", "Noto Sans KR", "Source Han Sans KR", "Pretendard", "Apple SD Gothic Neo",
        "Malgun Gothic", "NanumGothic", "Nanum Gothic", "UnDotum", "Baekmuk Dotum",
    ),
    "ja": (
        "Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans JP", "Hiragino Sans",
        "Hiragino Kaku Gothic ProN", "Yu Gothic", "Meiryo", "BIZ UDPGothic", "IPAexGothic", "IPAGothic",
        "TakaoGothic", "VL Gothic",
    ),
}  # fmt: skip
"""Fonts in order of preference; the first one found is used. Every booklet has yaku in both languages."""
SMALLER: Final = 0.65  # scale of tiles in one-page booklets
LATIN: Final = ("Noto Sans", "Inter", "Helvetica Neue", "Segoe UI", "Arial", "Liberation Sans", "DejaVu Sans")


def pdf_bytes(booklet: document.Booklet, paper: Paper, fonts: Path | None = None) -> bytes:
    """Write a PDF; ``fonts`` is a folder with further fonts.

    Raises ``RequestError``: ``missing_extra`` without Typst, ``no_font`` without a Korean or Japanese font,
    ``logo_type`` for a broken image.
    """
    typst = _typst()
    folders = [str(fonts)] if fonts else []
    available = typst.Fonts(include_system_fonts=True, include_embedded_fonts=True, font_paths=folders)
    families = chosen_fonts(booklet.language, available.families())
    with terms.using(booklet.language):
        data = json.dumps(_data(booklet, paper, families), ensure_ascii=False)
    with tempfile.TemporaryDirectory() as empty:  # the only folder accessible to the layout
        layout = _layout("one_page" if booklet.one_page else "whole_booklet")
        compiler = typst.Compiler(layout, root=empty, font_paths=available, sys_inputs={"booklet": data})
        try:
            made: bytes = compiler.compile(format="pdf")
        except RuntimeError as error:  # TypstError; the logo is the only input that can be invalid
            if booklet.cover.logo is None:
                raise
            raise RequestError("logo_type", field="logo") from error
    return made


def _typst() -> Any:
    try:
        import typst  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise RequestError("missing_extra", field="typst", extra="sheet") from error
    return typst


@cache
def _layout(name: str) -> bytes:
    """Return the Typst source: the common layout and that of the kind of booklet."""
    folder = resources.files(__package__)
    return b"\n".join(folder.joinpath(f"{part}.typ").read_bytes() for part in ("layout", name))


def chosen_fonts(language: Language, families: Sequence[str]) -> list[str]:
    """Return the fonts for a booklet in order: the language's own, those of other languages, Latin.

    Raises ``RequestError`` (``no_font``) if no Korean or no Japanese font is installed.
    """
    installed = {name.casefold(): name for name in families}
    font_of: dict[str, str] = {}
    for key, names in FONTS.items():
        name = next((installed[name.casefold()] for name in names if name.casefold() in installed), None)
        if name is None:
            raise RequestError("no_font", field="fonts", wanted=Phrases(names[:4]), language=key)
        font_of[key] = name
    latin = [installed[name.casefold()] for name in LATIN if name.casefold() in installed][:1]
    own = [font_of.pop(language)] if language in font_of else latin
    return list(dict.fromkeys([*own, *font_of.values(), *latin]))


def _data(booklet: document.Booklet, paper: Paper, fonts: list[str]) -> dict[str, Any]:
    """Return the booklet's data for the layout."""
    cover = booklet.cover
    tile = paper.tile_px * (SMALLER if booklet.one_page else 1)
    size = {"width": paper.width_mm, "height": paper.height_mm, "margin": paper.margin_mm}
    return {
        "language": booklet.language,
        "title": booklet.title,
        "about": booklet.about,
        "mark": booklet.mark,
        "club": cover.club,
        "date": cover.date,
        "logo": None if cover.logo is None else _logo(cover.logo),
        "fonts": fonts,
        "paper": {**size, "text": paper.text_pt, "narrow": paper.is_narrow},
        "words": {
            **{key: terms.text(f"sheet.booklet.{key}") for key in ("contents", "made")},
            "more": _more(booklet) if booklet.one_page else [],
        },
        "one-page": booklet.one_page,
        "chapters": [
            {
                "id": chapter.id,
                "title": chapter.title,
                "about": chapter.about,
                "blocks": [_block(block, tile) for block in chapter.blocks],
            }
            for chapter in booklet.chapters
        ],
    }


def _more(booklet: document.Booklet) -> list[str]:
    """Return the note about omitted differences for every possible number of them."""
    most = sum(len(block.rows) for block in booklet.chapters[0].blocks if isinstance(block, document.Grid))
    return [terms.text("sheet.short.more", booklet.language, count=count) for count in range(most + 1)]


def _logo(logo: document.Logo) -> dict[str, Any]:
    return {"format": "png" if logo.media_type == "image/png" else "jpg", "data": list(logo.data)}


def _block(block: document.Block, tile: float) -> dict[str, Any]:
    match block:
        case document.Paragraph(text):
            return {"kind": "paragraph", "text": text}
        case document.Steps(items):
            return {"kind": "steps", "items": items}
        case document.Facts(rows):
            return {"kind": "facts", "rows": rows}
        case document.OptionRows(options):
            names = ("label", "about", "value", "standard")
            return {
                "kind": "options",
                "rows": [{name: getattr(row, name) for name in names} for row in options],
            }
        case document.Grid(caption, columns, cells):
            return {"kind": "grid", "caption": caption, "columns": columns, "rows": cells}
        case document.YakuCards(title, cards):
            return {"kind": "cards", "title": title, "cards": [_card(card, tile) for card in cards]}


def _card(card: document.YakuCard, size: float) -> dict[str, Any]:
    example = card.example
    caption = terms.text("sheet.yaku.example", None, how=example.how, value=example.value) if example else ""
    win = example.to_draw if example else None
    return {
        "name": card.name,
        "names": " · ".join(name for name in card.names.values()),
        "worth": card.worth,
        "standard": card.standard,
        "definition": card.definition,
        "notes": card.notes,
        "picture": hand_svg(win.hand, win.tile, size=size, title=html.escape(caption)) if win else None,
        "example": caption,
    }

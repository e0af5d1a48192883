"""The file formats of booklets, and writing the booklets of all presets."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jantaku.booklet.document import Booklet, Cover
from jantaku.booklet.html_page import html_page
from jantaku.booklet.markdown import markdown_text
from jantaku.booklet.one_page import one_page
from jantaku.booklet.paper import Paper
from jantaku.booklet.pdf import pdf_bytes
from jantaku.booklet.whole_booklet import booklet
from jantaku.rules import load, preset_names
from jantaku.rules.sheet import known_presets
from jantaku.terms import LANGUAGES


@dataclass(frozen=True, slots=True)
class BookletFormat:
    """A file format. ``name`` is also the suffix of its files.

    ``write`` takes the booklet, the paper, and a folder with further fonts, which only PDF uses.
    """

    name: str
    media_type: str
    write: Callable[[Booklet, Paper, Path | None], bytes]


def _html(made: Booklet, paper: Paper, _fonts: Path | None) -> bytes:
    return html_page(made, paper).encode()


def _markdown(made: Booklet, _paper: Paper, _fonts: Path | None) -> bytes:
    return markdown_text(made).encode()


FORMATS: Final = {
    option.name: option
    for option in (
        BookletFormat("html", "text/html; charset=utf-8", _html),
        BookletFormat("pdf", "application/pdf", pdf_bytes),
        BookletFormat("md", "text/markdown; charset=utf-8", _markdown),
    )
}


def every_booklet(
    format_: str, paper: Paper, cover: Cover, fonts: Path | None = None, known: str | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield the booklet of every preset in every language, as file name and bytes.

    With ``known``, instead yield one-page booklets of the presets that can be compared with it.
    """
    for name in preset_names():
        rules = load(name)
        if known is not None and known not in known_presets(rules):
            continue
        for language in LANGUAGES:
            made = (
                booklet(rules, language, cover) if known is None else one_page(rules, known, language, cover)
            )
            yield f"{name}.{language}.{format_}", FORMATS[format_].write(made, paper, fonts)

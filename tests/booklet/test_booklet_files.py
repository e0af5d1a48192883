"""Booklet files: user texts are escaped, logos are limited, and PDF needs its fonts."""

import builtins
import re
import struct
import zlib
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from jantaku.booklet import FORMATS, PAPERS, Booklet, Cover, booklet, read_logo
from jantaku.booklet.logo import MAX_BYTES, MAX_PIXELS
from jantaku.booklet.pdf import FONTS, chosen_fonts
from jantaku.errors import RequestError
from jantaku.rules import load
from jantaku.terms import LANGUAGES, Language
from support.paged import pages_of, torn

EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)> `*_[x](javascript:1) #read("/etc/passwd")'
SHARED = "Noto Sans CJK JP", "Noto Sans CJK KR"
VOID = {"meta", "br", "img", "rect", "path", "circle", "use", "ellipse", "line", "polygon"}


def png(width: int, height: int) -> bytes:
    """A PNG file of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x80\x20\x20" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def jpeg(width: int, height: int) -> bytes:
    """The beginning of a JPEG file."""
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\1\x11\0"
    return b"\xff\xd8\xff\xe0" + struct.pack(">H", 4) + b"JF" + frame


class Elements(HTMLParser):
    """Parses the elements of a page and checks that each is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def evil() -> Booklet:
    """Return a booklet in which every user text is an attack."""
    rules = load({"name": {"en": EVIL[:100]}, "about": {"en": EVIL}})
    return booklet(rules, "en", Cover(EVIL[:100], EVIL[:100], read_logo(png(8, 8))))


def test_nothing_from_outside_becomes_markup() -> None:
    page = Elements(FORMATS["html"].write(evil(), PAPERS["a4"], None).decode())
    assert page.open == []
    for tag, attributes in page.found:
        assert tag != "script"
        assert not any(name.startswith("on") for name in attributes)
        for name in ("src", "href"):
            address = attributes.get(name)
            assert address is None or address.startswith(("#", "data:image/png;base64,")), (tag, address)
    written = FORMATS["md"].write(evil(), PAPERS["a4"], None).decode()
    assert "<script" not in written
    assert not re.search(r"(?<!\\)\]\(", written)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_needs_no_network(language: Language) -> None:
    page = FORMATS["html"].write(booklet(load("standard"), language), PAPERS["phone"], None).decode()
    for sign in ("http://", "https://", "url(", "@import"):
        assert sign not in page.replace("http://www.w3.org/2000/svg", "")
    assert "size: 90mm 180mm" in page


@pytest.mark.parametrize(("make", "media"), [(png, "image/png"), (jpeg, "image/jpeg")])
def test_logos_are_bounded(make: Callable[[int, int], bytes], media: str) -> None:
    assert read_logo(make(20, 10)).media_type == media
    for data, code in (
        (make(MAX_PIXELS + 1, 1) if make is jpeg else png(MAX_PIXELS + 1, 1), "logo_too_large"),
        (make(20, 10) + b"\0" * MAX_BYTES, "logo_too_large"),
        (make(0, 5), "logo_type"),
        (make(20, 10)[:14], "logo_type"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "logo_type"),
        (b"GIF89a" + b"\0" * 20, "logo_type"),
        (b"", "logo_type"),
    ):
        with pytest.raises(RequestError) as caught:
            read_logo(data)
        assert caught.value.code == code


def test_reading_a_jpeg_without_a_frame_terminates() -> None:
    for data in (b"\xff\xd8\xff\xe0\0\0" + b"\xff" * 50, b"\xff\xd8" + b"\xff\xe0\0\x04JF" * 1000):
        with pytest.raises(RequestError):
            read_logo(data)


def test_long_texts_on_the_cover_are_refused() -> None:
    with pytest.raises(RequestError) as caught:
        Cover(club="x" * 101)
    assert caught.value.code == "text_too_long"
    assert Cover(club=" a\u202e\nb\0 ").club == "ab"


@pytest.mark.parametrize("language", LANGUAGES)
def test_fonts_are_chosen_by_language(language: Language) -> None:
    fonts = chosen_fonts(language, ["DejaVu Sans", *SHARED])
    assert fonts[0] == {"ko": SHARED[1], "ja": SHARED[0], "en": "DejaVu Sans"}[language]
    assert set(fonts) == {"DejaVu Sans", *SHARED}


@pytest.mark.parametrize("missing", FONTS)
def test_a_missing_font_is_named(missing: Language) -> None:
    there = [names[0] for language, names in FONTS.items() if language != missing]
    with pytest.raises(RequestError) as caught:
        chosen_fonts("en", there)
    assert caught.value.code == "no_font"
    for language in LANGUAGES:
        assert FONTS[missing][0] in caught.value.message(language)
        assert "--fonts" in caught.value.message(language)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "typst":
            raise ImportError(name)
        return whole(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(RequestError) as caught:
        FORMATS["pdf"].write(booklet(load("standard"), "en"), PAPERS["a4"], None)
    assert caught.value.code == "missing_extra"
    assert "jantaku[sheet]" in caught.value.message("en")


def written_pdf(made: Booklet, paper: str) -> bytes:
    pytest.importorskip("typst", reason="the extra sheet is not installed")
    try:
        return FORMATS["pdf"].write(made, PAPERS[paper], None)
    except RequestError as error:
        if error.code != "no_font":
            raise
        pytest.skip("no Korean and Japanese font is installed")


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_the_pdf_shows_user_texts_literally(paper: str) -> None:
    assert written_pdf(evil(), paper).startswith(b"%PDF-")


@pytest.mark.slow
@pytest.mark.parametrize("broken", [jpeg(20, 10), png(20, 10)[:60], png(20, 10)[:30] + b"\0" * 40])
def test_a_broken_logo_is_refused_with_a_message(broken: bytes) -> None:
    written_pdf(booklet(load("standard"), "en"), "a4")  # skips the test without Typst or fonts
    with pytest.raises(RequestError) as caught:
        written_pdf(booklet(load("standard"), "en", Cover(logo=read_logo(broken))), "a4")
    assert caught.value.code == "logo_type"


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_pdf_in_every_language(language: Language) -> None:
    made = booklet(load("bgm-2025"), language, Cover("BGM", "2025", read_logo(png(30, 20))))
    for paper in PAPERS:
        assert written_pdf(made, paper).startswith(b"%PDF-")


@pytest.mark.long
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_do_not_break_across_pages(language: Language, paper: str, tmp_path: Path) -> None:
    for name in ("bgm-2025", "korea-3"):
        made = booklet(load(name), language)
        assert torn(made, pages_of(written_pdf(made, paper), tmp_path)) == []


@pytest.mark.slow
def test_an_empty_folder_of_fonts_changes_nothing(tmp_path: Path) -> None:
    made = booklet(load("standard"), "en")
    written_pdf(made, "a4")
    assert FORMATS["pdf"].write(made, PAPERS["a4"], tmp_path).startswith(b"%PDF-")

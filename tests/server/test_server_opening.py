"""The client's HTML page as sent: preload links for the address, and its language."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request

from jantaku import terms
from jantaku.server.edge.html_page import LIST, MARK, language_for, opening

PAGE = f'<html lang="en"><head>{MARK}<link rel="manifest" href="/manifest.en.webmanifest"></head></html>'
NAMES = {"": "Lobby", "t": "Table", "Lost": "Lost"}
BUILT = {
    "entry": "/assets/index-1.js",
    "pages": {page: [f"/assets/{name}-1.js", f"/assets/{name}-1.css"] for page, name in NAMES.items()},
    "languages": {
        language: {page: [f"/assets/{name}-{language}-1.js"] for page, name in NAMES.items()}
        for language in terms.LANGUAGES
    },
}


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page that was built, and the list beside it."""
    (tmp_path / "index.html").write_text(PAGE, "utf-8")
    (tmp_path / LIST).write_text(json.dumps(BUILT), "utf-8")
    return tmp_path / "index.html"


@pytest.mark.parametrize(
    ("path", "chunk"),
    [("", "Lobby"), ("t/abc", "Table"), ("t", "Table"), ("none", "Lost"), ("index.html", "Lost")],
)
@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_a_page_preloads_the_files_it_needs(
    page: Path, path: str, chunk: str, language: terms.Language
) -> None:
    opened = opening(page, path, language)
    assert f'<link rel="stylesheet" crossorigin href="/assets/{chunk}-1.css">' in opened
    for file in (f"{chunk}-1.js", f"{chunk}-{language}-1.js"):
        assert f'<link rel="modulepreload" crossorigin href="/assets/{file}">' in opened
    assert opened.count("modulepreload") == 2
    assert f'<html lang="{language}"' in opened
    assert f"/manifest.{language}.webmanifest" in opened


def test_a_page_without_a_preload_list_is_sent_unchanged(page: Path) -> None:
    page.with_name(LIST).unlink()
    assert opening(page, "", "ko") == PAGE


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"accept-language": "ko-KR,en;q=0.5"}, "ko"),
        ({"accept-language": "fr, ja;q=0.9"}, "ja"),
        ({"accept-language": "ko", "cookie": "jantaku_language=ja"}, "ja"),
        ({"accept-language": "ko", "cookie": "jantaku_language=<script>"}, "ko"),
    ],
)
def test_the_chosen_language_wins_over_the_browsers(headers: dict[str, str], language: str) -> None:
    written = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert language_for(Request({"type": "http", "headers": written})) == language

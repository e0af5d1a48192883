"""The client's single page, prepared for an address: its language, and links to the files it loads first.

Without these links a browser discovers the files one after another, and each step costs a round trip.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request

from jantaku import terms
from jantaku.server.edge.request_guard import language_of

LANGUAGE_COOKIE: Final = "jantaku_language"  # written by the client when the user chooses a language
MARK: Final = "<!-- opening -->"
LIST: Final = "opening.json"
_OTHER: Final = "Lost"


def language_for(request: Request) -> terms.Language:
    """The language chosen in this browser, else the browser's preference."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    for language in terms.LANGUAGES:
        if language == chosen:
            return language
    return language_of(request.headers.get("accept-language", ""))


def opening(page: Path, path: str, language: terms.Language) -> str:
    """The built ``index.html`` (``page``) for an address; unchanged if the build left no file list."""
    listed = page.with_name(LIST)
    if not listed.is_file():
        return page.read_text("utf-8")
    pages = _built(listed, listed.stat().st_mtime_ns)["pages"]
    first = path.partition("/")[0]
    return _filled(page, page.stat().st_mtime_ns, first if first in pages else _OTHER, language)


@lru_cache(maxsize=2)
def _built(listed: Path, _changed: int) -> dict[str, Any]:
    """The build's list of files for each page and each language."""
    built: dict[str, Any] = json.loads(listed.read_text("utf-8"))
    return built


def _is_style(file: str) -> bool:
    return file.endswith(".css")


@lru_cache(maxsize=64)
def _filled(page: Path, _changed: int, first: str, language: terms.Language) -> str:
    listed = page.with_name(LIST)
    built = _built(listed, listed.stat().st_mtime_ns)
    files = dict.fromkeys([*built["pages"][first], *built["languages"][language][first]])
    links = [f'<link rel="modulepreload" crossorigin href="{file}">' for file in files if not _is_style(file)]
    styles = [f'<link rel="stylesheet" crossorigin href="{file}">' for file in files if _is_style(file)]
    text = page.read_text("utf-8").replace(MARK, "".join(links))
    text = text.replace("</head>", f"{''.join(styles)}</head>")  # after the styles of all pages
    text = text.replace('<html lang="en"', f'<html lang="{language}"')
    return text.replace("/manifest.en.webmanifest", f"/manifest.{language}.webmanifest")

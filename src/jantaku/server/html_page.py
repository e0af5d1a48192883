"""The client's one page as it is sent for an address: in a language, with links to all it loads first.

Without the links a browser learns of a page's files one after another: on a slow line each step is a wait.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request

from jantaku import terms
from jantaku.server.security import language_of

LANGUAGE_COOKIE: Final = "jantaku_language"  # written by the client when somebody chooses a language
MARK: Final = "<!-- opening -->"
LIST: Final = "opening.json"
_OTHER: Final = "Lost"


def language_for(request: Request) -> terms.Language:
    """The language somebody chose in this browser, else what the browser asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    for language in terms.LANGUAGES:
        if language == chosen:
            return language
    return language_of(request.headers.get("accept-language", ""))


def opening(page: Path, path: str, language: terms.Language) -> str:
    """The text of ``page``, the built ``index.html``, for an address; as built where no list is beside it."""
    listed = page.with_name(LIST)
    if not listed.is_file():
        return page.read_text("utf-8")
    pages = _built(listed, listed.stat().st_mtime_ns)["pages"]
    first = path.partition("/")[0]
    return _filled(page, page.stat().st_mtime_ns, first if first in pages else _OTHER, language)


@lru_cache(maxsize=2)
def _built(listed: Path, _changed: int) -> dict[str, Any]:
    """What the build wrote down: the files of each page and each language."""
    found: dict[str, Any] = json.loads(listed.read_text("utf-8"))
    return found


@lru_cache(maxsize=64)
def _filled(page: Path, _changed: int, first: str, language: terms.Language) -> str:
    listed = page.with_name(LIST)
    built = _built(listed, listed.stat().st_mtime_ns)
    files = dict.fromkeys([*built["pages"][first], *built["languages"][language]])
    links = "".join(f'<link rel="modulepreload" crossorigin href="{file}">' for file in files)
    text = page.read_text("utf-8").replace(MARK, links)
    text = text.replace('<html lang="en"', f'<html lang="{language}"')
    return text.replace("/manifest.en.webmanifest", f"/manifest.{language}.webmanifest")

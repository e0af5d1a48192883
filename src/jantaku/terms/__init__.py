"""All texts that users read, in English, Japanese and Korean.

``NAME.toml`` is one table of terms; a folder ``NAME`` is one table in several files. Each entry is an array
of its text, or list of texts, in English, Japanese and Korean. Code refers to a text as ``table.key``; texts
may contain ``{placeholders}``.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from jantaku.terms.agreement import in_agreement
from jantaku.terms.literals import counted as counted
from jantaku.terms.literals import decimals as decimals
from jantaku.terms.literals import fill
from jantaku.terms.literals import literal as literal
from jantaku.terms.literals import signed as signed
from jantaku.terms.literals import thousands as thousands

if TYPE_CHECKING:
    from pathlib import Path

Language = Literal["en", "ja", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

_BETWEEN: Final[Mapping[Language, str]] = {"ja": ""}  # separator of sentences, if not a space
TILE_MARKS: Final = "⟦⟧"
_language: ContextVar[Language] = ContextVar("jantaku_language", default="en")
_pictures: ContextVar[bool] = ContextVar("jantaku_pictures", default=False)


def names() -> list[str]:
    """Return the names of all tables."""
    folder = _folder()
    return sorted({file.relative_to(folder).parts[0].split(".")[0] for file in folder.rglob("*.toml")})


def _folder() -> "Path":
    from pathlib import Path  # noqa: PLC0415  (most programs show no text)

    return Path(__file__).parent


@cache
def table(name: str, language: Language) -> dict[str, Any]:
    """Return all terms of one table in one language."""
    return cast("dict[str, Any]", _in_one(entries(name), LANGUAGES.index(language)))


@cache
def entries(name: str) -> dict[str, Any]:
    """Return one table with all languages, as read from its TOML files."""
    import tomllib  # noqa: PLC0415  (likewise)

    folder = _folder()
    files = sorted((folder / name).glob("*.toml")) or [folder / f"{name}.toml"]
    return {key: part for file in files for key, part in tomllib.loads(file.read_text("utf-8")).items()}


def _in_one(entry: Any, language: int) -> Any:
    if isinstance(entry, dict):
        return {key: _in_one(part, language) for key, part in entry.items()}
    return entry[language]


def current() -> Language:
    """Return the current language: English, or that of the innermost ``using`` block."""
    return _language.get()


@contextmanager
def using(language: Language) -> Iterator[None]:
    """Make ``language`` the current one inside the ``with`` block."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


@contextmanager
def with_pictures() -> Iterator[None]:
    """Mark tiles in texts inside the ``with`` block (``⟦123m⟧``), for displays that draw them as pictures."""
    token = _pictures.set(True)
    try:
        yield
    finally:
        _pictures.reset(token)


def tile_text(notation: str, name: str = "") -> str:
    """Return tiles for a sentence: marked notation inside ``with_pictures``, else the name or notation."""
    return notation.join(TILE_MARKS) if _pictures.get() else name or notation


def from_locale() -> Language:
    """Return the language of the user's locale, or English if it is not supported."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            break
    else:
        import locale  # noqa: PLC0415

        value = locale.getlocale()[0] or ""
    code = value[:2].lower()
    return next((language for language in LANGUAGES if language == code), "en")


def text(key: str, language: Language | None = None, /, **values: object) -> str:
    """Return the text ``table.key[.key…]`` with its placeholders filled from ``values``.

    Particles and plurals are made to agree (``agreement``). Raises ``KeyError`` for an unknown key, which is
    a bug in the caller.
    """
    name, *path = key.split(".")
    value: Any = table(name, language or current())
    for part in path:
        value = value[part]
    return in_agreement(cast("str", value), lambda template: fill(template, values) if values else template)


def listed(items: Iterable[object], language: Language | None = None) -> str:
    """Join items in one line with the separator of the language."""
    return text("explain.separator", language).join(map(str, items))


def paragraph(sentences: Iterable[str], language: Language | None = None) -> str:
    """Join sentences, skipping empty ones, with a space except in Japanese."""
    return _BETWEEN.get(language or current(), " ").join(filter(None, sentences))


def with_tiles(key: str, language: Language | None, details: Mapping[str, object]) -> str:
    """Return ``text`` filled from ``details``, whose ``tile``, ``tiles`` and ``called`` are in notation."""
    marked = {name: tile_text(str(details[name])) for name in ("tile", "tiles", "called") if name in details}
    return text(key, language, **{**details, **marked})

"""Fields of an event read from JSON: lists, words, ids and times."""

from collections.abc import Mapping
from datetime import UTC, datetime

from jantaku.adjudication.requests import MOST_TEXT, Request, typed
from jantaku.bounded import nearest, shown
from jantaku.errors import RequestError
from jantaku.terms import LANGUAGES


def entries(fields: Request, name: str, most: int, place: str = "") -> list[tuple[object, str]]:
    """The entries of a list, each with its place: ``players[3].``."""
    given: list[object] = [] if fields.get(name) is None else typed(fields, name, list, place=place)
    if len(given) > most:
        raise RequestError("too_many", field=f"{place}{name}", count=len(given), most=most)
    return [(one, f"{place}{name}[{i}].") for i, one in enumerate(given)]


def names_from(fields: Request, name: str) -> Mapping[str, str]:
    """Words in several languages: ``{"ko": "…"}``."""
    given = {} if fields.get(name) is None else typed(fields, name, dict)
    return {
        language: typed(given, language, str, place=f"{name}.") for language in LANGUAGES if language in given
    }


def text(fields: Request, name: str, place: str, default: str | None = None) -> str:
    """A text that is not empty, without surrounding spaces."""
    found = typed(fields, name, str, default, place=place).strip()
    if not found and default is None:
        raise RequestError("missing_field", field=f"{place}{name}")
    return found


def known_id(value: object, known: set[str], field: str) -> str:
    """A known id; otherwise raises ``RequestError`` with the nearest one."""
    if isinstance(value, str) and value in known:
        return value
    near = nearest(value, known, 0.6) if len(known) < MOST_TEXT else ""
    code = "unknown_id_nearest" if near else "unknown_id"
    raise RequestError(code, field=field, value=shown(value), nearest=near)


def instant(fields: Request, name: str, place: str) -> datetime | None:
    """An ISO 8601 time; without an offset it is UTC."""
    given = fields.get(name)
    if given is None:
        return None
    try:
        found = datetime.fromisoformat(typed(fields, name, str, place=place))
    except ValueError as error:
        raise RequestError("no_time", field=f"{place}{name}", value=shown(given)) from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)

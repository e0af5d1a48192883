"""Read untrusted JSON field by field, checking each value where it is used.

Errors name the full path of the field: ``hands[2].wins[0].fu``. A library's model would not do: errors need
our codes, messages in three languages and suggestions, and most bounds depend on the rules of the game.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, TypeVar, cast

from jantaku.bounded import named, shown
from jantaku.errors import EntryError, Phrases, RequestError, kind_of_value, wrong_choice
from jantaku.nearest_word import nearest

if TYPE_CHECKING:
    from datetime import datetime

MAX_TEXT: Final = 1000  # characters; 136 tiles written singly, with spaces, take 408
Value = TypeVar("Value")
Word = TypeVar("Word", bound=str)


class Fields(Mapping[str, Any]):
    """The fields of one JSON object; ``within`` (``hands[2].``) is the prefix of their paths in errors.

    >>> Fields({"seat": 7}, ("seat", "foul"), "fouls[0].").whole("seat", 0, 3)
    Traceback (most recent call last):
    jantaku.errors.RequestError: fouls[0].seat cannot be 7; give a number from 0 to 3.
    """

    def __init__(self, data: object, known: Collection[str], within: str = "") -> None:
        """Raise ``RequestError`` if ``data`` is not an object or has an unknown field."""
        if not isinstance(data, Mapping):
            raise RequestError(
                "wrong_type", field=within.rstrip(".") or "request", wanted=kind_of_value(dict)
            )
        for name in data:
            if name not in known:
                near = nearest(name, known)
                code = "unknown_field_nearest" if near else "unknown_field"
                field = f"{within}{named(name)}"
                raise RequestError(code, field=field, nearest=near, known=Phrases(known))
        self._data, self.within = data, within

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def path(self, name: str) -> str:
        """Return the path of a field for errors."""
        return f"{self.within}{name}"

    def typed(self, name: str, wanted: type[Value], default: Value | None = None) -> Value:
        """Return the field, which must have exactly that type, or ``default`` if it is missing."""
        value = self.get(name, default)
        if value is None and name not in self:
            raise RequestError("missing_field", field=self.path(name))
        if type(value) is not wanted:
            raise RequestError("wrong_type", field=self.path(name), wanted=kind_of_value(wanted))
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise RequestError("text_too_long", field=self.path(name), most=MAX_TEXT)
        return value

    def optional(self, name: str, wanted: type[Value]) -> Value | None:
        """Return the field, or ``None`` if it is missing or null."""
        return None if self.get(name) is None else self.typed(name, wanted)

    def whole(self, name: str, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``."""
        return whole(self.get(name), self.path(name), low, high)

    def optional_whole(self, name: str, low: int, high: int) -> int | None:
        """Return a whole number, or ``None`` if it is missing or null."""
        return None if self.get(name) is None else self.whole(name, low, high)

    def choice(self, name: str, known: Sequence[Word]) -> Word:
        """Return a string that must be one of the known words."""
        return choice(self.typed(name, str), self.path(name), known)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string without surrounding spaces; it may be empty only if there is a default."""
        text = self.typed(name, str, default).strip()
        if not text and default is None:
            raise RequestError("missing_field", field=self.path(name))
        return text

    def entries(self, name: str, most: int) -> list[tuple[object, str]]:
        """Return up to ``most`` entries of a list, each with the prefix of its fields (``players[3].``)."""
        given: list[object] = self.optional(name, list) or []
        if len(given) > most:
            raise RequestError("too_many", field=self.path(name), count=len(given), most=most)
        return [(entry, f"{self.path(name)}[{i}].") for i, entry in enumerate(given)]

    def known_id(self, name: str, known: set[str]) -> str:
        """Return a field that must be a known id."""
        return known_id(self.get(name), known, self.path(name))

    def instant(self, name: str) -> "datetime | None":
        """Return an ISO 8601 time, or ``None`` if the field is missing; a time without an offset is UTC."""
        from datetime import UTC, datetime  # noqa: PLC0415 — few callers need it

        given = self.optional(name, str)
        if given is None:
            return None
        try:
            time = datetime.fromisoformat(given)
        except ValueError as error:
            raise RequestError("no_time", field=self.path(name), value=shown(given)) from error
        return time if time.tzinfo else time.replace(tzinfo=UTC)


def choice(value: object, field: str, known: Sequence[Word]) -> Word:
    """Return ``value`` if it is a known word; raise ``RequestError`` with the nearest one otherwise."""
    for word in known:
        if isinstance(value, str) and value == word:
            return word
    raise wrong_choice(field, value, known)


def whole(value: object, field: str, low: int | None = None, high: int | None = None) -> int:
    """Return ``value`` as an int from ``low`` to ``high``; raise ``RequestError`` otherwise."""
    try:
        number = index(cast("SupportsIndex", value))
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise RequestError("wrong_type", field=field, wanted=kind_of_value(int))
    if (low is not None and number < low) or (high is not None and number > high):
        raise RequestError("number_range", field=field, value=shown(number), low=low, high=high)
    return number


def known_id(value: object, known: set[str], field: str) -> str:
    """Return ``value`` if it is a known id; raise ``RequestError`` with the nearest one otherwise."""
    if isinstance(value, str) and value in known:
        return value
    near = nearest(value, known, 0.6) if len(known) < MAX_TEXT else ""
    code = "unknown_id_nearest" if near else "unknown_id"
    raise RequestError(code, field=field, value=shown(value), nearest=near)


def check_different(seats: tuple[int, ...], field: str) -> None:
    """Raise ``EntryError`` if a seat occurs twice."""
    for i, seat in enumerate(seats):
        if seat in seats[:i]:
            raise EntryError("seat_twice", field=field, seat=seat)

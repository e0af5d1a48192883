"""The exceptions that Jantaku raises: a code for programs, and a message that says how to fix the problem."""

import errno
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, get_args

from jantaku import terms
from jantaku.bounded import MAX_DETAIL, MAX_TEXT, Sketch, shown
from jantaku.nearest_word import nearest

_SYSTEM = {
    errno.ENOENT: "absent",
    errno.ENOTDIR: "absent",
    errno.EISDIR: "folder",
    errno.EEXIST: "file",
    errno.EACCES: "forbidden",
    errno.EPERM: "forbidden",
    errno.EROFS: "forbidden",
    errno.ENOSPC: "full",
    errno.EADDRINUSE: "in_use",
    errno.EADDRNOTAVAIL: "no_address",
    errno.ENAMETOOLONG: "long_name",
}
# Python's messages for these errors describe our code and not the content of the file
_PYTHON = {
    "UnicodeDecodeError": "not_utf8",
    "KeyError": "missing",
    "EOFError": "cut",
    "BadGzipFile": "cut",
    "error": "cut",  # of zlib
    "TypeError": "invalid",
    "AttributeError": "invalid",
    "IndexError": "invalid",
    "RecursionError": "invalid",
    "Error": "invalid",  # of CSV
}
_INVALID = "errors.causes.invalid"
_AT_END = " (at end of document)"
_WORDS = 3  # more words than that are a sentence from Python and not a value


class Phrase:
    """Part of a message that comes from the term tables, so it appears in the language of the message."""

    def __init__(self, key: str, details: Mapping[str, object] | None = None) -> None:
        self.key, self.details = key, details or {}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.key)

    def message(self, language: terms.Language | None = None) -> str:
        """Return the text in ``language``."""
        return terms.text(self.key, language, **_all_displayed(self.details, language))

    def __str__(self) -> str:
        return self.message()


class _Place(Phrase):
    """Position at which a parser stopped, followed in English by the parser's own message."""

    def __init__(self, where: Phrase, english: str) -> None:
        super().__init__(where.key, where.details)
        self.english = english

    def message(self, language: terms.Language | None = None) -> str:
        """Return the text in ``language``."""
        place = super().message(language)
        return f"{self.english}, {place}" if (language or terms.current()) == "en" else place


class _Foreign(Phrase):
    """Message of a third-party exception in English; in other languages only the type of the exception."""

    def __init__(self, kind: Phrase, english: str) -> None:
        super().__init__(kind.key, kind.details)
        self.english = english

    def message(self, language: terms.Language | None = None) -> str:
        """Return the text in ``language``."""
        in_english = self.english and (language or terms.current()) == "en"
        return self.english if in_english else super().message(language)


class Phrases:
    """Several parts of a message, joined as a list."""

    def __init__(self, parts: Iterable[object]) -> None:
        self.parts = tuple(parts)  # may be an iterator

    def message(self, language: terms.Language | None = None) -> str:
        """Return the parts in ``language`` as a list in one line."""
        return terms.listed((_displayed(part, language) for part in self.parts), language)

    def __str__(self) -> str:
        return self.message()


def _displayed(value: object, language: terms.Language | None) -> object:
    """Return a detail for display: in ``language``, in the spelling of rules files, and of bounded length."""
    if isinstance(value, Phrases):
        return shown(value.message(language), MAX_DETAIL)
    if isinstance(value, Phrase | JantakuError):
        return value.message(language)
    if value is None or isinstance(value, bool):
        return Sketch(terms.literal(value))
    return shown(value, MAX_DETAIL)


def _all_displayed(details: Mapping[str, object], language: terms.Language | None) -> dict[str, object]:
    return {name: _displayed(value, language) for name, value in details.items()}


def phrase(key: str, **details: object) -> Phrase:
    """Return the text ``key`` of the term tables, with ``details`` filled in, as part of a message."""
    return Phrase(key, details)


@contextmanager
def file_errors(path: str | os.PathLike[str], *, writing: bool = False) -> Iterator[None]:
    """Convert the operating system's errors about the file ``path`` to ``RecordError``."""
    try:
        yield
    except (OSError, ValueError) as error:  # a path that no file can have is a ValueError
        if isinstance(error, JantakuError):
            raise
        raise RecordError(
            "unwritable_file" if writing else "unreadable_file", path=str(path), reason=cause(error)
        ) from error


def cause(error: BaseException) -> object:
    """Explain an exception as a detail of a message, in its language and without Python's wording."""
    if isinstance(error, JantakuError):
        return error
    system = _SYSTEM.get(getattr(error, "errno", None) or 0)
    if system:
        return phrase(f"errors.causes.{system}")
    text = str(getattr(error, "msg", None) or getattr(error, "strerror", None) or error)
    line, column = getattr(error, "lineno", None), getattr(error, "colno", None)
    at = phrase("errors.causes.end") if text.endswith(_AT_END) else None  # TOML, like the next one
    if place := re.search(r" \(at line (\d+), column (\d+)\)$", text):
        text, line, column = text[: place.start()], int(place[1]), int(place[2])
    if line is not None and column is not None:
        at = phrase("errors.causes.place", line=line, column=column)
    if at is not None:
        return _Place(at, text.removesuffix(_AT_END))
    name = type(error).__name__
    if name in _PYTHON:
        return phrase(f"errors.causes.{_PYTHON[name]}", name=shown(str(error).strip("'\"")))
    value = re.sub(r"^invalid literal .*: |^could not convert .*: ", "", text)
    if isinstance(error, ValueError | ArithmeticError | LookupError):
        is_value = isinstance(error, ValueError) and value.count(" ") < _WORDS
        return phrase("errors.causes.value", value=value) if is_value else phrase(_INVALID)
    foreign = phrase("errors.causes.foreign", name=name)
    return _Foreign(foreign, text)


def did_you_mean(word: object, known: Iterable[str]) -> Phrase | str:
    """Return “Did you mean …?” with the nearest known word; empty if there is none or ``word`` is known."""
    words = list(known)
    near = "" if word in words else nearest(word, words)
    return phrase("errors.kinds.meant", nearest=near) if near else ""


class JantakuError(Exception):
    """Base class of all errors.

    ``code`` is stable and identifies the error to programs. ``details`` fill the placeholders of the message.
    ``str(error)`` is the message in the current language, ``error.message("ja")`` in another one.
    """

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def message(self, language: terms.Language | None = None) -> str:
        """Return what went wrong and how to fix it, in ``language`` (by default the current one)."""
        return terms.with_tiles(f"errors.{self.code}", language, self.display_details(language))

    def display_details(self, language: terms.Language | None = None) -> dict[str, object]:
        """Return the details for display, cut to bounded lengths because they may be untrusted."""
        return _all_displayed(self.details, language)

    def __str__(self) -> str:
        return self.message()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.code, self.__dict__)


def _restore(kind: type[JantakuError], code: str, state: dict[str, object]) -> JantakuError:
    error = kind.__new__(kind)
    error.args = (code,)
    error.__dict__.update(state)
    return error


class NotationError(JantakuError, ValueError):
    """Invalid tile notation or an impossible set of tiles; ``position`` is an index into ``source``."""

    def __init__(self, code: str, *, source: str = "", position: int = 0, **details: object) -> None:
        super().__init__(code, source=source, position=position, **details)
        self.source = source
        self.position = position

    def message(self, language: terms.Language | None = None) -> str:
        """Return the message, followed by the source text and a caret below the position."""
        text = super().message(language)
        if not self.source:
            return text
        start = max(0, self.position - MAX_TEXT // 2)
        source = shown(self.source[start : start + MAX_TEXT])
        return f"{text}\n  {source}\n  {' ' * (self.position - start)}^"


class RulesError(JantakuError, ValueError):
    """An invalid ruleset, or a hand that the ruleset does not allow; ``path`` names the option.

    The message begins with the detail ``place``, a position in a file, if there is one.
    """

    def __init__(self, code: str, *, path: str = "", **details: object) -> None:
        super().__init__(code, path=path, **details)
        self.path = path

    def message(self, language: terms.Language | None = None) -> str:
        """Return what went wrong, where, and how to fix it."""
        place = _displayed(self.details.get("place", ""), language)
        text = super().message(language)
        return f"{place}: {text}" if place else text


class RulesFileError(RulesError):
    """All errors of one rules file, in ``problems``; only the first ones if ``more`` is true."""

    def __init__(self, code: str, *, source: str, problems: list[RulesError], more: bool = False) -> None:
        count = f"{len(problems)}+" if more else len(problems)
        super().__init__(code, source=source, problems=problems, count=count)
        self.problems = problems

    def message(self, language: terms.Language | None = None) -> str:
        """Return a headline and one line for each problem."""
        lines = [f"  {problem.message(language)}" for problem in self.problems]
        return "\n".join([super().message(language), *lines])


class HandError(JantakuError, ValueError):
    """A hand that may not win; ``code`` is, for example, ``no_yaku``, ``not_complete`` or ``furiten``."""


class RequestError(JantakuError, ValueError):
    """An argument or a field of a request that is wrong; ``field`` is its path.

    ``names`` has the players' names by seat where the message is for the players at a table.
    """

    def __init__(self, code: str, *, field: str, **details: object) -> None:
        super().__init__(code, field=field, **details)
        self.field = field
        self.names: Sequence[str] | None = None

    def display_details(self, language: terms.Language | None = None) -> dict[str, object]:
        """Return the details for display; for players, a generic word replaces the path of the field."""
        text = super().display_details(language)
        return text if self.names is None else {**text, "field": terms.text("errors.kinds.entry", language)}


def wrong_choice(field: str, value: object, known: Iterable[str]) -> RequestError:
    """Return the error for a value that is not a known word; its message suggests the most similar one."""
    words = list(known)
    near = nearest(value, words, 0.6)
    code = "wrong_choice_nearest" if near else "wrong_choice"
    return RequestError(code, field=field, value=shown(value), nearest=near, known=Phrases(words))


class EntryError(RequestError):
    """An impossible hand or final result in an entered game, explained for the players at the table.

    Without ``names`` the message begins with the path of the field. ``details`` always contain codes.
    """

    _LABELS: ClassVar = {"foul": "fouls", "acting": "fouls", "kind": "draw"}

    def message(self, language: terms.Language | None = None) -> str:
        """Return what is wrong and how to fix it."""
        text = super().message(language)
        return f"{self.field}: {text}" if self.names is None else text

    def display_details(self, language: terms.Language | None = None) -> dict[str, object]:
        """Return the details for display: players by name, fouls and draws by their labels."""
        text, seat = super().display_details(language), self.details.get("seat")
        for name in self.details.keys() & self._LABELS.keys():
            text[name] = terms.text(f"options.{self._LABELS[name]}.{self.details[name]}.label", language)
        if isinstance(seat, int):
            named = dict(enumerate(self.names or ()))
            text["seat"] = named.get(seat) or terms.text("errors.kinds.seat", language, seat=seat)
        return text


KINDS = {str: "string", int: "integer", bool: "boolean", list: "array", dict: "object"}
"""Types of JSON values, with their keys in the term tables."""


def kind_of_value(wanted: type) -> Phrase:
    """Return the name of a type in words, such as “a whole number”."""
    if wanted in KINDS:
        return phrase(f"errors.kinds.{KINDS[wanted]}")
    kinds = get_args(wanted) or (wanted,)
    return phrase("errors.kinds.instance", name=" | ".join(kind.__name__ for kind in kinds))


def either(one: type, other: type) -> Phrase:
    """Return “a string or an array” for two accepted types."""
    return phrase("errors.kinds.either", one=kind_of_value(one), other=kind_of_value(other))


def expect(value: object, wanted: Any, field: str) -> None:
    """Raise ``RequestError`` unless the argument ``field`` has the type ``wanted``; a bool is not an int."""
    if isinstance(value, wanted) and not (wanted is int and isinstance(value, bool)):
        return
    if isinstance(value, str) and hasattr(wanted, "parse"):
        raise RequestError("not_parsed", field=field, wanted=wanted.__name__)
    raise RequestError("wrong_type", field=field, wanted=kind_of_value(wanted))


def chosen_language(language: terms.Language | None) -> terms.Language:
    """Return the language, by default the current one; raises ``RequestError`` for an unsupported one."""
    if language is None:
        return terms.current()
    if not isinstance(language, str) or language not in terms.LANGUAGES:
        raise wrong_choice("language", language, terms.LANGUAGES)
    return language


class RecordError(JantakuError, ValueError):
    """A game record or data file that cannot be read."""

    def display_details(self, language: terms.Language | None = None) -> dict[str, object]:
        """Return the details for display; a record without a file is called “the log”."""
        unnamed = {"path": Phrase("errors.kinds.the_log")} if self.details.get("path") == "" else {}
        return _all_displayed({**self.details, **unnamed}, language)


class IllegalActionError(JantakuError, ValueError):
    """An illegal action; ``legal`` contains the actions that the seat may take instead.

    ``why`` is the reason: a key of the term tables and the values of its placeholders.
    """

    def __init__(
        self,
        code: str,
        *,
        why: tuple[str, Mapping[str, object]],
        actions: Sequence[Any] = (),
        **details: object,
    ) -> None:
        super().__init__(code, **details)
        self.why = why
        self.legal: tuple[Any, ...] = tuple(actions)  # of ``game.Action``

    def message(self, language: terms.Language | None = None) -> str:
        """Return which action was refused, why, and which ones are possible."""
        key, details = self.why
        reason = terms.with_tiles(key, language, details)
        return terms.text(f"errors.{self.code}", language, **self.display_details(language), why=reason)

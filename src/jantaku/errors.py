"""Everything Jantaku raises: each error has a code for programs and a message that says what to do."""

import errno
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, get_args

from jantaku import terms
from jantaku.bounded import MOST_DETAIL, MOST_TEXT, Sketch, shown
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
# What Python says of a file's content is about our code, not about the file
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
_WORDS = 3  # a value of more words is a sentence of Python's


class Phrase:
    """A part of a message that is itself a text of the term tables, written in the message's language."""

    def __init__(self, key: str, details: Mapping[str, object] | None = None) -> None:
        self.key, self.details = key, details or {}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.key)

    def message(self, language: terms.Language | None = None) -> str:
        """The text in ``language``."""
        return terms.text(self.key, language, **_in_words(self.details, language))

    def __str__(self) -> str:
        return self.message()


class _Place(Phrase):
    """Where a parser stopped, and in English also what it said, as parsers speak no other language."""

    def __init__(self, where: Phrase, said: str) -> None:
        super().__init__(where.key, where.details)
        self.said = said

    def message(self, language: terms.Language | None = None) -> str:
        """The text in ``language``."""
        place = super().message(language)
        return f"{self.said}, {place}" if (language or terms.current()) == "en" else place


class _Foreign(Phrase):
    """What a program of others said, in English; in other languages only what kind of error it is."""

    def __init__(self, kind: Phrase, said: str) -> None:
        super().__init__(kind.key, kind.details)
        self.said = said

    def message(self, language: terms.Language | None = None) -> str:
        """The text in ``language``."""
        english = self.said and (language or terms.current()) == "en"
        return self.said if english else super().message(language)


class Phrases:
    """Several parts, listed one after the other."""

    def __init__(self, parts: Iterable[object]) -> None:
        self.parts = tuple(parts)  # what is given may pass once only

    def message(self, language: terms.Language | None = None) -> str:
        """The parts in ``language``, listed."""
        return terms.listed((_said(part, language) for part in self.parts), language)

    def __str__(self) -> str:
        return self.message()


def _said(value: object, language: terms.Language | None) -> object:
    """A detail as a message shows it: in the message's language, as a file writes it, and bounded."""
    if isinstance(value, Phrases):
        return shown(value.message(language), MOST_DETAIL)
    if isinstance(value, Phrase | JantakuError):
        return value.message(language)
    if value is None or isinstance(value, bool):
        return Sketch(terms.literal(value))
    return shown(value, MOST_DETAIL)


def _in_words(details: Mapping[str, object], language: terms.Language | None) -> dict[str, object]:
    return {name: _said(value, language) for name, value in details.items()}


def phrase(key: str, **details: object) -> Phrase:
    """The text ``key`` of the term tables as a part of a message."""
    return Phrase(key, details)


@contextmanager
def file_errors(path: str | os.PathLike[str], *, writing: bool = False) -> Iterator[None]:
    """Raise a ``RecordError`` instead of what the system says of a file that is read or written."""
    try:
        yield
    except (OSError, ValueError) as error:  # a ValueError of a path that no file can have
        if isinstance(error, JantakuError):
            raise
        raise RecordError(
            "unwritable_file" if writing else "unreadable_file", path=str(path), reason=cause(error)
        ) from error


def cause(error: BaseException) -> object:
    """Why something failed, as a detail of a message: in the message's language, without Python's words."""
    if isinstance(error, JantakuError):
        return error
    system = _SYSTEM.get(getattr(error, "errno", None) or 0)
    if system:
        return phrase(f"errors.causes.{system}")
    said = str(getattr(error, "msg", None) or getattr(error, "strerror", None) or error)
    line, column = getattr(error, "lineno", None), getattr(error, "colno", None)
    at = phrase("errors.causes.end") if said.endswith(_AT_END) else None  # TOML, here and in the next line
    if place := re.search(r" \(at line (\d+), column (\d+)\)$", said):
        said, line, column = said[: place.start()], int(place[1]), int(place[2])
    if line is not None and column is not None:
        at = phrase("errors.causes.place", line=line, column=column)
    if at is not None:
        return _Place(at, said.removesuffix(_AT_END))
    name = type(error).__name__
    if name in _PYTHON:
        return phrase(f"errors.causes.{_PYTHON[name]}", name=shown(str(error).strip("'\"")))
    value = re.sub(r"^invalid literal .*: |^could not convert .*: ", "", said)
    if isinstance(error, ValueError | ArithmeticError | LookupError):
        is_value = isinstance(error, ValueError) and value.count(" ") < _WORDS
        return phrase("errors.causes.value", value=value) if is_value else phrase(_INVALID)
    foreign = phrase("errors.causes.foreign", name=name)
    return _Foreign(foreign, said)


def meant(word: object, known: Iterable[str]) -> Phrase | str:
    """“Did you mean …?” with the most similar known word; empty if there is none, or for a known word."""
    words = list(known)
    near = "" if word in words else nearest(word, words)
    return phrase("errors.kinds.meant", nearest=near) if near else ""


class JantakuError(Exception):
    """Base of all errors.

    ``code`` is stable and meant for programs; ``details`` fill the placeholders of the message, which
    ``str()`` gives in the current language and ``message`` in any.
    """

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def message(self, language: terms.Language | None = None) -> str:
        """What went wrong and what to do about it, in ``language``."""
        return terms.with_tiles(f"errors.{self.code}", language, self.to_show(language))

    def to_show(self, language: terms.Language | None = None) -> dict[str, object]:
        """The details for display, cut to bounded lengths because they may be untrusted."""
        return _in_words(self.details, language)

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
    """Invalid tile notation or impossible tiles: ``position`` counts from 0."""

    def __init__(self, code: str, *, source: str = "", position: int = 0, **details: object) -> None:
        super().__init__(code, source=source, position=position, **details)
        self.source = source
        self.position = position

    def message(self, language: terms.Language | None = None) -> str:
        """What is wrong, with the source text and a mark below the position."""
        said = super().message(language)
        if not self.source:
            return said
        start = max(0, self.position - MOST_TEXT // 2)
        source = shown(self.source[start : start + MOST_TEXT])
        return f"{said}\n  {source}\n  {' ' * (self.position - start)}^"


class RulesError(JantakuError, ValueError):
    """An invalid ruleset, or a hand the ruleset does not allow; ``path`` names the option.

    If a detail ``place`` says where in a file it is, the message begins with that.
    """

    def __init__(self, code: str, *, path: str = "", **details: object) -> None:
        super().__init__(code, path=path, **details)
        self.path = path

    def message(self, language: terms.Language | None = None) -> str:
        """What went wrong, where, and what to do about it."""
        place = _said(self.details.get("place", ""), language)
        said = super().message(language)
        return f"{place}: {said}" if place else said


class RulesFileError(RulesError):
    """The errors of one rules file: ``problems`` holds them, or only the first ones if ``more``."""

    def __init__(self, code: str, *, source: str, problems: list[RulesError], more: bool = False) -> None:
        count = f"{len(problems)}+" if more else len(problems)
        super().__init__(code, source=source, problems=problems, count=count)
        self.problems = problems

    def message(self, language: terms.Language | None = None) -> str:
        """The headline and one line for every problem."""
        lines = [f"  {problem.message(language)}" for problem in self.problems]
        return "\n".join([super().message(language), *lines])


class HandError(JantakuError, ValueError):
    """A hand that may not win: ``no_yaku``, ``not_complete``, ``furiten``, ``two_han_minimum``."""


class RequestError(JantakuError, ValueError):
    """A request with a wrong field; ``field`` names it.

    ``names`` are those of the players, by seat, once the message is for the people at their table.
    """

    def __init__(self, code: str, *, field: str, **details: object) -> None:
        super().__init__(code, field=field, **details)
        self.field = field
        self.names: Sequence[str] | None = None

    def to_show(self, language: terms.Language | None = None) -> dict[str, object]:
        """The details for display, without the path of the field for people at a table."""
        text = super().to_show(language)
        return text if self.names is None else {**text, "field": terms.text("errors.kinds.entry", language)}


def no_choice(field: str, value: object, known: Iterable[str]) -> RequestError:
    """The error for a value that is none of the known words; it names the most similar one."""
    words = list(known)
    near = nearest(value, words, 0.6)
    code = "wrong_choice_nearest" if near else "wrong_choice"
    return RequestError(code, field=field, value=shown(value), nearest=near, known=Phrases(words))


class EntryError(RequestError):
    """An entered hand or end of a game that cannot be, said in the words of the people at the table.

    For programs the message begins with the field, and ``details`` hold codes.
    """

    _LABELS: ClassVar = {"foul": "fouls", "acting": "fouls", "kind": "draw"}

    def message(self, language: terms.Language | None = None) -> str:
        """What is wrong and what to do about it."""
        said = super().message(language)
        return f"{self.field}: {said}" if self.names is None else said

    def to_show(self, language: terms.Language | None = None) -> dict[str, object]:
        """The details in words: players by name, fouls and draws by their labels."""
        text, seat = super().to_show(language), self.details.get("seat")
        for name in self.details.keys() & self._LABELS.keys():
            text[name] = terms.text(f"options.{self._LABELS[name]}.{self.details[name]}.label", language)
        if isinstance(seat, int):
            named = dict(enumerate(self.names or ()))
            text["seat"] = named.get(seat) or terms.text("errors.kinds.seat", language, seat=seat)
        return text


KINDS = {str: "string", int: "integer", bool: "boolean", list: "array", dict: "object"}
"""The types of requests and their names in the term tables."""


def kind_of_value(wanted: type) -> Phrase:
    """A type in words."""
    if wanted in KINDS:
        return phrase(f"errors.kinds.{KINDS[wanted]}")
    kinds = get_args(wanted) or (wanted,)
    return phrase("errors.kinds.instance", name=" | ".join(kind.__name__ for kind in kinds))


def either(one: type, other: type) -> Phrase:
    """Two types in words, of which a value must have one."""
    return phrase("errors.kinds.either", one=kind_of_value(one), other=kind_of_value(other))


def expect(value: object, wanted: Any, field: str) -> None:
    """Raise ``RequestError`` if an argument has the wrong type."""
    if isinstance(value, wanted) and not (wanted is int and isinstance(value, bool)):
        return
    if isinstance(value, str) and hasattr(wanted, "parse"):
        raise RequestError("not_parsed", field=field, wanted=wanted.__name__)
    raise RequestError("wrong_type", field=field, wanted=kind_of_value(wanted))


def chosen_language(language: terms.Language | None) -> terms.Language:
    """The language, by default the current one; raises ``RequestError`` for one that there is not."""
    if language is None:
        return terms.current()
    if not isinstance(language, str) or language not in terms.LANGUAGES:
        raise no_choice("language", language, terms.LANGUAGES)
    return language


class RecordError(JantakuError, ValueError):
    """A game record or data file that cannot be read."""

    def to_show(self, language: terms.Language | None = None) -> dict[str, object]:
        """The details for display; a record that is no file is named in words."""
        unnamed = {"path": Phrase("errors.kinds.the_log")} if self.details.get("path") == "" else {}
        return _in_words({**self.details, **unnamed}, language)


class IllegalActionError(JantakuError, ValueError):
    """An action that a seat may not take now; ``legal`` holds its legal actions.

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
        """What was refused, why, and what is possible."""
        key, details = self.why
        said = terms.with_tiles(key, language, details)
        return terms.text(f"errors.{self.code}", language, **self.to_show(language), why=said)

"""Read and write game records in every format; formats are detected by content and chosen by file name.

Each format is a row of ``FORMATS``, which commands, server and docs use.
"""

import gzip
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Final

from jantaku.errors import JantakuError, Phrases, RecordError, cause, expect, file_errors
from jantaku.game import Game
from jantaku.records import mjlog
from jantaku.records.as_recorded import LoggedGame, recorded_game
from jantaku.records.majiang import logged_of_majiang, parse_majiang
from jantaku.records.mjai import dumps_mjai, parse_mjai
from jantaku.records.mjai.read import logged_of_mjai
from jantaku.records.mjlog.game import game_of, logged_of_mjlog
from jantaku.records.mjlog.write import dumps_mjlog
from jantaku.records.native import game_file as record
from jantaku.records.native.compact import compact, compact_names, expand
from jantaku.records.sniff import MAX_BYTES, Content, content_of
from jantaku.records.tenhou6 import dumps_tenhou, parse_tenhou
from jantaku.records.tenhou6.read import logged_of_tenhou
from jantaku.records.texts import bounded_name
from jantaku.rules import Ruleset

Write = Callable[[Game, Sequence[str] | None], str]


@dataclass(frozen=True)
class Recorded:
    """A game read from a record, with the players' names if the record has them.

    ``chips`` are each seat's chips after each hand, at tables with chips.
    """

    game: Game
    format: str
    names: tuple[str, ...] = ()
    chips: tuple[tuple[int, ...] | None, ...] = ()
    difference: RecordError | None = None  # where record and rules differ, for a game read as recorded


@dataclass(frozen=True)
class Format:
    """How a format is detected, read and written; the first row that matches a file is used."""

    name: str
    suffixes: tuple[str, ...]  # accepted file name suffixes; exported files get the first
    matches: Callable[[Content], bool]
    read: Callable[[Content, Ruleset | None], Recorded]
    write: Write | None = None
    media_type: str = "text/plain"
    read_logged: Callable[[Content, Ruleset | None], LoggedGame] | None = None  # for games as recorded
    has_yaku: bool = False  # whether wins have yaku, han and fu


def _read_mjlog(content: Content, rules: Ruleset | None) -> Recorded:
    log = _mjlog_of(content, rules)
    return Recorded(game_of(log), "mjlog", log.names, log.chips)


def _logged_mjlog(content: Content, rules: Ruleset | None) -> LoggedGame:
    return logged_of_mjlog(_mjlog_of(content, rules))


def _mjlog_of(content: Content, rules: Ruleset | None) -> mjlog.Log:
    log = mjlog.parse(content.data, content.path, rules)
    if not log.hands:
        raise RecordError("record_short", line=1)
    return log


def _logged_mjai(content: Content, rules: Ruleset | None) -> LoggedGame:
    return logged_of_mjai(content.text, rules)


def _logged_tenhou(content: Content, rules: Ruleset | None) -> LoggedGame:
    return logged_of_tenhou(content.text, rules)


def _read_mjai(content: Content, rules: Ruleset | None) -> Recorded:
    game, names = parse_mjai(content.text, rules)
    return Recorded(game, "mjai", tuple(names))


def _read_tenhou(content: Content, rules: Ruleset | None) -> Recorded:
    game, names = parse_tenhou(content.text, rules)
    return Recorded(game, "tenhou", tuple(names))


def _read_majiang(content: Content, rules: Ruleset | None) -> Recorded:
    game, names = parse_majiang(content.text, rules)
    return Recorded(game, "majiang", tuple(names))


def _logged_majiang(content: Content, rules: Ruleset | None) -> LoggedGame:
    return logged_of_majiang(content.text, rules)


def _read_own(content: Content, rules: Ruleset | None) -> Recorded:
    return Recorded(record.loads(content.text, rules), "jantaku", record.names_in(content.head))


def _read_compact(content: Content, rules: Ruleset | None) -> Recorded:
    return Recorded(expand(content.text, rules), "compact", compact_names(content.text))


def _compact(game: Game, names: Sequence[str] | None = None) -> str:
    return compact(game, names) + "\n"


def _own(game: Game, names: Sequence[str] | None = None) -> str:
    return record.dumps(game, None, names)


_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
JSON: Final = "application/json"
JSON_LINES: Final = "application/x-ndjson"
FORMATS: Final = (
    Format(
        *("mjlog", (".mjlog", ".xml"), lambda it: it.is_xml, _read_mjlog, dumps_mjlog),
        *("application/xml", _logged_mjlog, True),
    ),
    Format(
        "mjai", (".mjson", ".mjai"), lambda it: it.is_mjai, _read_mjai, dumps_mjai, JSON_LINES, _logged_mjai
    ),
    Format("jantaku", (".jsonl", ".jantaku"), lambda it: it.is_own, _read_own, _own, JSON_LINES),
    Format(
        *("tenhou", (".json",), lambda it: it.is_tenhou, _read_tenhou, dumps_tenhou),
        *(JSON, _logged_tenhou, True),
    ),
    Format("compact", (".txt",), lambda it: it.is_compact, _read_compact, _compact),
    Format("majiang", (), lambda it: it.is_majiang, _read_majiang, read_logged=_logged_majiang),
)
BY_NAME: Final = {row.name: row for row in FORMATS if row.write}  # formats that can be written
# The file name suffixes that select a format for writing
SUFFIXES: Final = {suffix: row.name for row in FORMATS for suffix in row.suffixes}


def format_in(content: Content) -> Format | None:
    """Return the format of the contents; ``None`` if they are not a game record."""
    try:
        return next((row for row in FORMATS if row.matches(content)), None)
    except RecordError:  # not text
        return None


def read(path: str | Path, rules: Ruleset | None = None) -> Game:
    """Read the game from a record in any format; see ``read_record``."""
    return read_record(path, rules).game


def read_record(path: str | Path, rules: Ruleset | None = None, *, as_recorded: bool = False) -> Recorded:
    """Read a record in any format, optionally gzip-compressed, and replay it.

    ``rules`` apply to records that do not name their rules. With ``as_recorded``, a game that differs from
    the rules is returned as recorded, with the difference. Raises ``RecordError`` with the position at which
    the record is invalid or differs from the rules.
    """
    return read_content(content_in(path), rules, as_recorded=as_recorded)


def content_in(path: str | Path) -> Content:
    """Return the contents of a file; raise ``RecordError`` if it cannot be read."""
    expect(path, str | PathLike, "path")
    with file_errors(path), Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return content_of(data, str(path))


def parse_record(data: bytes, rules: Ruleset | None = None, path: str = "") -> Recorded:
    """``read_record`` for a file's contents."""
    return read_content(content_of(data, path), rules)


def read_content(content: Content, rules: Ruleset | None = None, *, as_recorded: bool = False) -> Recorded:
    """``read_record`` for uncompressed contents."""
    kind = _known_format(content)
    with _malformed(content, kind):
        try:
            return _with_bounded_names(kind.read(content, rules))
        except RecordError as error:
            if not as_recorded or kind.read_logged is None or "engine" not in error.details:
                raise
            return _as_recorded(kind, kind.read_logged(content, rules), error)


def read_to_convert(path: str | Path, name: str, rules: Ruleset | None = None) -> Recorded:
    """Read a record in any format in order to write it in the format ``name``.

    The game stays as recorded, without a replay, if the record has all results that the target format stores;
    otherwise the rules complete it. Raises ``RecordError`` with the position of an impossible step.
    """
    content = content_in(path)
    kind, target = _known_format(content), BY_NAME[name]
    if kind.read_logged is None:
        return read_content(content, rules)
    with _malformed(content, kind):
        logged = kind.read_logged(content, rules)
        if logged.cut is not None:
            raise logged.cut
        if target.read_logged is None:
            return read_content(content, rules)
        difference = None
        if logged.needs_rules or (target.has_yaku and not kind.has_yaku):
            try:
                return read_content(content, rules)
            except RecordError as error:
                if "engine" not in error.details:
                    raise
                difference = error
        return _as_recorded(kind, logged, difference, adds_up=True)


def _known_format(content: Content) -> Format:
    kind = format_in(content)
    if kind is None:
        known = Phrases(row.name for row in FORMATS)
        raise content.refusal() or RecordError("unknown_format", path=content.path, known=known)
    return kind


@contextmanager
def _malformed(content: Content, kind: Format) -> Iterator[None]:
    """Raise ``RecordError`` for values of unexpected types."""
    try:
        yield
    except JantakuError:
        raise
    except _MALFORMED as error:
        raise RecordError(
            "record_malformed", path=content.path, format=kind.name, reason=cause(error)
        ) from error


def _as_recorded(
    kind: Format, logged: LoggedGame, difference: RecordError | None, *, adds_up: bool = False
) -> Recorded:
    game = recorded_game(logged, adds_up=adds_up)
    return _with_bounded_names(Recorded(game, kind.name, logged.names, logged.chips, difference))


def _with_bounded_names(recorded: Recorded) -> Recorded:
    names = tuple(map(bounded_name, recorded.names))
    recorded.game.names = names
    return replace(recorded, names=names)


def dumps(
    game: Game, name: str, names: Sequence[str] | None = None, absent: Sequence[Sequence[int]] | None = None
) -> str:
    """Return the text of a game in one of ``FORMATS``.

    ``names`` default to those of the record the game was read from; an empty sequence omits them. ``absent``
    lists the hands of each seat that substitutes played; only Jantaku's own game files store it.
    """
    write = writable(name)
    names = game.names if names is None else names
    return record.dumps(game, absent, names) if name == "jantaku" else write(game, names)


def writable(name: str) -> Write:
    """Return the writer of a format; raise ``RecordError`` if it cannot be written."""
    write = BY_NAME[name].write if name in BY_NAME else None
    if write is None:
        raise RecordError("unwritable_format", path=name, known=Phrases(BY_NAME))
    return write


def format_of(path: str | Path) -> str:
    """Return the format selected by a file name, ignoring a final ``.gz``."""
    name = Path(path)
    suffix = Path(name.stem).suffix if name.suffix == ".gz" else name.suffix
    if suffix not in SUFFIXES:
        raise RecordError("unwritable_format", path=str(path), known=Phrases(BY_NAME))
    return SUFFIXES[suffix]


def write(game: Game, path: str | Path, name: str | None = None, names: Sequence[str] | None = None) -> None:
    """Write a game to a file in the named format or that of the file name; ``.gz`` compresses it."""
    expect(path, str | PathLike, "path")
    data = dumps(game, name or format_of(path), names).encode()
    if Path(path).suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    with file_errors(path, writing=True):
        Path(path).write_bytes(data)

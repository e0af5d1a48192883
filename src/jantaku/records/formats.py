"""Game records of every format: read by what is in them, written by the name of a format or a file."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jantaku.errors import RecordError
from jantaku.game import Game, record
from jantaku.game.compact import compact, expand
from jantaku.records.from_log import game_of
from jantaku.records.mjai import dumps_mjai, parse_mjai
from jantaku.records.mjlog import parse_log
from jantaku.records.tenhou6 import dumps_tenhou, parse_tenhou
from jantaku.rules import Ruleset

MOST_BYTES: Final = 16 << 20
OWN: Final = "jantaku"  # in the first line of a game file
_GZIP: Final = b"\x1f\x8b"
# The endings of file names that say which format to write
SUFFIXES: Final = {
    ".jsonl": "jantaku",
    ".jantaku": "jantaku",
    ".mjai": "mjai",
    ".mjson": "mjai",
    ".json": "tenhou",
    ".txt": "compact",
}


@dataclass(frozen=True)
class Recorded:
    """A game read from a record: its format, and the players' names where the record has them."""

    game: Game
    format: str
    names: tuple[str, ...] = ()


def read(path: str | Path, rules: Ruleset | None = None) -> Game:
    """The game of a record in any format; see ``read_record``."""
    return read_record(path, rules).game


def read_record(path: str | Path, rules: Ruleset | None = None) -> Recorded:
    """Read a record in any format, perhaps packed with gzip, and play it anew.

    ``rules`` is for records that do not say under which they were played. Raises ``RecordError`` that
    names the place where the record cannot be read, or differs from what the rules give.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RecordError("unreadable_file", path=str(path), reason=error.strerror or str(error)) from error
    return parse_record(data, rules, str(path))


def parse_record(data: bytes, rules: Ruleset | None = None, path: str = "") -> Recorded:
    """The same of a file's contents."""
    if data[:2] == _GZIP:
        data = _unpacked(data, path)
    if len(data) > MOST_BYTES:
        raise RecordError("record_too_large", path=path, most=MOST_BYTES >> 20)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError("unknown_format", path=path) from error
    if text.lstrip().startswith("<"):
        log = parse_log(data, path)
        return Recorded(game_of(log), "mjlog", log.names)
    return _by_content(text, rules, path)


def _unpacked(data: bytes, path: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise RecordError("mjlog_bad_gzip", path=path, reason=str(error)) from error


def _by_content(text: str, rules: Ruleset | None, path: str) -> Recorded:
    first = next((line for line in text.splitlines() if line.strip()), "")
    try:
        head = json.loads(first)
    except ValueError:
        head = {}
    head = head if isinstance(head, dict) else {}
    if "type" in head:
        game, names = parse_mjai(text, rules)
        return Recorded(game, "mjai", tuple(names))
    if OWN in head:
        return Recorded(record.loads(text, rules), "jantaku")
    if text.lstrip().startswith("{"):
        game, names = parse_tenhou(text, rules)
        return Recorded(game, "tenhou", tuple(names))
    if first and " " not in first.strip():
        return Recorded(expand(text, rules), "compact")
    raise RecordError("unknown_format", path=path)


def _compact(game: Game, _: Sequence[str] | None = None) -> str:
    return compact(game) + "\n"


def _own(game: Game, _: Sequence[str] | None = None) -> str:
    return record.dumps(game)


WRITERS: Final[dict[str, Callable[[Game, Sequence[str] | None], str]]] = {
    "jantaku": _own,
    "mjai": dumps_mjai,
    "tenhou": dumps_tenhou,
    "compact": _compact,
}


def dumps(game: Game, name: str, names: Sequence[str] | None = None) -> str:
    """The text of a game in a format: ``jantaku``, ``mjai``, ``tenhou`` or ``compact``."""
    if name not in WRITERS:
        raise RecordError("unwritable_format", path=name, known=", ".join(WRITERS))
    return WRITERS[name](game, names)


def format_of(path: str | Path) -> str:
    """The format that a file's name asks for, ``.gz`` at its end not counted."""
    name = Path(path)
    suffix = Path(name.stem).suffix if name.suffix == ".gz" else name.suffix
    if suffix not in SUFFIXES:
        raise RecordError("unwritable_format", path=str(path), known=", ".join(WRITERS))
    return SUFFIXES[suffix]


def write(game: Game, path: str | Path, name: str | None = None, names: Sequence[str] | None = None) -> None:
    """Write a game to a file, in the format named or that of the file's name; ``.gz`` packs it."""
    data = dumps(game, name or format_of(path), names).encode()
    if Path(path).suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise RecordError("unwritable_file", path=str(path), reason=error.strerror or str(error)) from error

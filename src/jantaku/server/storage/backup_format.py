"""The lines of a backup: see ``docs/backup.md``. Nothing here knows what the tables mean."""

import base64
import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from jantaku.errors import RequestError, cause, phrase

VERSION: Final = 1
MARK: Final = "jantaku_backup"
BYTES: Final = "base64"  # the only key of an object that stands for bytes
MOST_LINE: Final = 64 << 20


class BackupHead(NamedTuple):
    """What a backup says of itself: its ``schema`` is the revision of the database's tables."""

    version: int
    schema: str
    made: str
    jantaku: str


class BackupRows(NamedTuple):
    """Some rows of one table, with the names of their columns."""

    table: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


class BackupWriter:
    """Writes the lines into a compressed file, and the count and hash of them at the end."""

    def __init__(self, file: BinaryIO, head: BackupHead) -> None:
        self._file = gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0, filename="")
        self._hash, self._rows = hashlib.sha256(), 0
        said = {MARK: head.version, **head._asdict()}
        del said["version"]
        self._line(said)

    def table(self, name: str, columns: Sequence[str]) -> None:
        """Begin a table."""
        self._line({"table": name, "columns": list(columns)})

    def rows(self, rows: Sequence[Sequence[Any]]) -> None:
        """Write rows of the table that has begun."""
        self._rows += len(rows)
        self._write(b"".join(map(_line, rows)))

    def close(self) -> int:
        """Write the end, and return the number of rows."""
        self._line({"end": True, "rows": self._rows, "sha256": self._hash.hexdigest()})
        self._file.close()
        return self._rows

    def _line(self, value: object) -> None:
        self._write(_json(value))

    def _write(self, lines: bytes) -> None:
        self._hash.update(lines)
        self._file.write(lines)


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), default=_bytes).encode() + b"\n"


def _line(row: Sequence[Any]) -> bytes:
    return _json(list(row))


def _bytes(value: object) -> dict[str, str]:
    """What stands for bytes, which JSON does not have."""
    if not isinstance(value, bytes | memoryview):
        raise TypeError(type(value).__name__)
    return {BYTES: base64.b64encode(bytes(value)).decode()}


class BackupReader:
    """Reads a backup line by line; raises ``RequestError`` for a file that is none, or damaged."""

    def __init__(self, path: Path) -> None:
        self._path, self._hash, self._rows = path, hashlib.sha256(), 0
        try:
            self._file: Any = gzip.GzipFile(fileobj=path.open("rb"))
        except OSError as error:
            raise self._refuse(error) from error
        try:
            self.head = self._head()
        except RequestError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.fileobj.close()

    def _refuse(self, why: Exception | str) -> RequestError:
        reason = phrase(f"errors.causes.{why}") if isinstance(why, str) else cause(why)
        return RequestError("backup_unreadable", field="FILE", path=str(self._path), reason=reason)

    def _next(self) -> tuple[bytes, Any]:
        try:
            line = self._file.readline(MOST_LINE)
            data = json.loads(line) if line.endswith(b"\n") else None
        except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
            raise self._refuse(error) from error
        if not line.endswith(b"\n"):
            raise self._refuse("cut")
        return line, data

    def _head(self) -> BackupHead:
        line, head = self._next()
        self._hash.update(line)
        if not isinstance(head, dict) or type(head.get(MARK)) is not int:
            raise self._refuse("no_backup")
        if head[MARK] > VERSION:
            raise RequestError("backup_newer", field="FILE", path=str(self._path))
        named = {name: str(head.get(name, "")) for name in ("schema", "made", "jantaku")}
        return BackupHead(head[MARK], **named)

    def parts(self, most: int) -> Iterator[BackupRows]:
        """The rows of all tables in order, at most so many at once; checks count and hash at the end."""
        table, columns, rows = "", tuple[str, ...](), list[list[Any]]()
        while True:
            line, part = self._next()
            if isinstance(part, list):
                if not table or len(part) != len(columns):
                    raise self._refuse("row")
                rows.append([self._read(value) for value in part])
                self._rows += 1
            if rows and (len(rows) >= most or isinstance(part, dict)):
                yield BackupRows(table, columns, rows)
                rows = []
            if isinstance(part, dict):
                if part.get("end"):
                    return self._check_end(part)
                table, columns = str(part.get("table", "")), tuple(map(str, part.get("columns", ())))
            elif not isinstance(part, list):
                raise self._refuse("row")
            self._hash.update(line)

    def _read(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        try:
            return base64.b64decode(value[BYTES], validate=True)
        except (LookupError, ValueError, TypeError) as error:
            raise self._refuse(error) from error

    def _check_end(self, end: Mapping[str, Any]) -> None:
        if end.get("rows") != self._rows or end.get("sha256") != self._hash.hexdigest():
            raise self._refuse("changed")

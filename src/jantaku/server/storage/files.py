"""The SQLite database files: readable only by their owner, and locked by one server."""

import asyncio
import logging
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from jantaku.errors import RequestError
from jantaku.server import tasks

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
SUFFIXES: Final = ("", "-wal", "-shm", "-journal", ".lock")  # of the files of an SQLite database


def private_folder(folder: Path) -> None:
    """Create a folder accessible only to its owner, or remove other users' access to an existing one.

    The modes of shared folders (``/tmp``), the home folder and the root are left unchanged, because these
    hold other data.
    """
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    state = folder.stat()
    shared = state.st_mode & stat.S_ISVTX or folder.resolve() in (Path.home(), Path("/"))
    if state.st_mode & 0o077 and not shared and _owned(state):
        folder.chmod(FOLDER_MODE)


def private_database(file: Path) -> None:
    """Create the database file with access only for its owner, and restrict access to existing files.

    SQLite creates its other files with the mode of the database.
    """
    private_file(file)
    for suffix in SUFFIXES:
        existing = file.with_name(file.name + suffix)
        if existing.exists():
            _restrict(existing)


def private_file(file: Path) -> None:
    """Create an empty file that only its owner can read, unless it exists."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, FILE_MODE))


def _restrict(file: Path) -> None:
    stat = file.stat()
    if stat.st_mode & 0o077 and _owned(stat):
        file.chmod(FILE_MODE)


def _owned(stat: os.stat_result) -> bool:
    """Whether this process may change the mode of a file."""
    owner = getattr(os, "geteuid", lambda: stat.st_uid)()
    return owner in (0, stat.st_uid)


LOG = logging.getLogger("jantaku.server")
CHECK_INTERVAL_S: Final = 2.0  # between checks of the files
ADVICE: Final = "Restore it or restart the server."
Identity = tuple[int, int]  # of a file: its device and inode


class FileLock:
    """Lock file next to an SQLite database. The kernel releases the lock however the process ends.

    ``held`` is False while a file is missing or has been replaced; nothing may be stored then. A missing lock
    file is created and locked again; ``regained`` is then called, because another server may have written in
    the meantime. A missing database counts as restored only if it is the same file.
    """

    def __init__(self, database: Path, regained: Callable[[], None]) -> None:
        self.path = database.with_name(database.name + ".lock")
        self._database, self._regained = database, regained
        self._wal = database.with_name(database.name + "-wal")
        self._wal_seen = False  # some file systems have no write-ahead log
        self._file: int | None = None
        self._known: Identity | None = None
        self._fault = ""
        self._one = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def held(self) -> bool:
        """Whether this server may write, as of the last check."""
        return not self._fault

    async def acquire(self) -> None:
        """Acquire the lock; raises ``RequestError("already_running")`` if another server holds it."""
        if self._file is not None:
            return
        file = _opened(self.path)
        if file is None:
            raise RequestError("already_running", field="--data", where=str(self._database))
        self._file, self._known, self._fault = file, _identity(self._database), ""
        self._task = asyncio.create_task(self._watch(), name="storage-lock")

    async def release(self) -> None:
        """Release the lock but leave the file: if it were deleted, two servers could lock two files."""
        if self._task is not None:
            await tasks.end(self._task)
            self._task = None
        async with self._one:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    async def still_held(self, *, writing: bool = False) -> bool:
        """Check the files. With ``writing``, a transaction is open and the write-ahead log must exist."""
        async with self._one:
            if self._file is not None:
                self._report(await asyncio.to_thread(self._check_files, self._file, writing))
        return self.held

    def _check_files(self, file: int, writing: bool) -> str:
        """Return a description of the fault, or an empty string."""
        if self._known is not None and _identity(self._database) != self._known:
            return f"{self._database} was deleted or replaced. {ADVICE}"
        if _identity(self.path) != _identity(file):
            return f"{self.path} was deleted or replaced."
        if writing:
            exists = self._wal.exists()
            self._wal_seen |= exists
            if self._wal_seen and not exists:
                return f"{self._wal} was deleted. {ADVICE}"
        elif self._fault.startswith(str(self._wal)) and not self._wal.exists():
            return self._fault
        return ""

    def _report(self, fault: str) -> None:
        """Store the current fault; log it once, and log the recovery."""
        if fault and fault != self._fault:
            LOG.error("The database %s fails, so nothing is stored: %s", self._database, fault)
        elif self._fault and not fault:
            self._regained()  # before anything is stored, so that no table acts on stale memory
            LOG.warning("The database %s works again: its files are back.", self._database)
        self._fault = fault

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(CHECK_INTERVAL_S)
            before = self._fault
            if not await self.still_held() and before == self._fault:
                await self._acquire_again()

    async def _acquire_again(self) -> None:
        """Lock a new file if the old one is gone and no other server has locked the new one."""
        async with self._one:
            if self._file is None or _identity(self._database) != self._known:
                return
            with suppress(OSError):
                file = await asyncio.to_thread(_opened, self.path)
                if file is not None:
                    os.close(self._file)
                    self._file = file


def _opened(path: Path) -> int | None:
    """Open and lock a file; return its descriptor, or ``None`` if another process has locked it."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), FILE_MODE)
    try:
        _lock(file)
    except OSError:
        os.close(file)
        return None
    return file


def _identity(file: Path | int) -> Identity | None:
    """Return the identity of a path or an open file; ``None`` if it does not exist."""
    try:
        stat = os.fstat(file) if isinstance(file, int) else file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _lock(file: int) -> None:
    """Lock a file for this process; raises ``OSError`` immediately if it is locked."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415  (only on Windows)

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415  (not on Windows)

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

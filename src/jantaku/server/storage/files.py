"""The files of the database: private to the operator, and locked by one server."""

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

FOLDER: Final = 0o700
FILE: Final = 0o600
# suffixes of the files that belong to an SQLite database
BESIDE: Final = ("", "-wal", "-shm", "-journal", ".lock")


def private_folder(folder: Path) -> None:
    """Create a folder for its owner alone, or remove other users' access to an existing one.

    A shared folder (``/tmp``) and the home folder stay as they are, because they hold other data too.
    """
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    state = folder.stat()
    shared = state.st_mode & stat.S_ISVTX or folder.resolve() in (Path.home(), Path("/"))
    if state.st_mode & 0o077 and not shared and _owned(state):
        folder.chmod(FOLDER)


def private_database(file: Path) -> None:
    """Create the database file for its owner alone; SQLite gives the files beside it the same mode."""
    private_file(file)
    for end in BESIDE:
        beside = file.with_name(file.name + end)
        if beside.exists():
            _close(beside)


def private_file(file: Path) -> None:
    """Create an empty file that only its owner can read, unless it exists."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, FILE))


def _close(file: Path) -> None:
    stat = file.stat()
    if stat.st_mode & 0o077 and _owned(stat):
        file.chmod(FILE)


def _owned(stat: os.stat_result) -> bool:
    """Whether we may change the mode of a file."""
    owner = getattr(os, "geteuid", lambda: stat.st_uid)()
    return owner in (0, stat.st_uid)


LOG = logging.getLogger("jantaku.server")
LOOKS_S: Final = 2.0  # how often the files are checked while nothing is stored
AGAIN: Final = "Put it back or restart the server."
Identity = tuple[int, int]  # of a file: its device and inode


class FileLock:
    """Locks a file beside an SQLite database. The kernel releases the lock however the process ends.

    ``held`` is False while a file is missing or replaced, and nothing may be stored then. A missing lock file
    is created and locked anew; ``regained`` is then called, because another server may have stored something
    meanwhile. A missing database counts as restored only if it is the same file.
    """

    def __init__(self, database: Path, regained: Callable[[], None]) -> None:
        self.path = database.with_name(database.name + ".lock")
        self._database, self._regained = database, regained
        self._log = database.with_name(database.name + "-wal")
        self._logged = False  # whether the write-ahead log has existed; some file systems have none
        self._file: int | None = None
        self._known: Identity | None = None
        self._gone = ""
        self._one = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def held(self) -> bool:
        """Whether this server may store, as of the last check."""
        return not self._gone

    async def take(self) -> None:
        """Take the lock; raises ``already_running`` if another server has it."""
        if self._file is not None:
            return
        file = _opened(self.path)
        if file is None:
            raise RequestError("already_running", field="--data", where=str(self._database))
        self._file, self._known, self._gone = file, _identity(self._database), ""
        self._task = asyncio.create_task(self._watch(), name="storage-lock")

    async def release(self) -> None:
        """Release the lock. The file stays, because deleting it would let two servers lock two files."""
        if self._task is not None:
            await tasks.end(self._task)
            self._task = None
        async with self._one:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    async def still_held(self, *, writing: bool = False) -> bool:
        """Check the files. ``writing``: within a transaction, while the write-ahead log must exist."""
        async with self._one:
            if self._file is not None:
                self._note(await asyncio.to_thread(self._check_files, self._file, writing))
        return self.held

    def _check_files(self, file: int, writing: bool) -> str:
        """What is wrong with the files; empty if nothing is."""
        if self._known is not None and _identity(self._database) != self._known:
            return f"{self._database} was deleted or replaced. {AGAIN}"
        if _identity(self.path) != _identity(file):
            return f"{self.path} was deleted or replaced."
        if writing:
            there = self._log.exists()
            self._logged |= there
            if self._logged and not there:
                return f"{self._log} was deleted. {AGAIN}"
        elif self._gone.startswith(str(self._log)) and not self._log.exists():
            return self._gone
        return ""

    def _note(self, gone: str) -> None:
        """Remember what is wrong, and report it once."""
        if gone and gone != self._gone:
            LOG.error("The database %s fails, so nothing is stored: %s", self._database, gone)
        elif self._gone and not gone:
            self._regained()  # before anything is stored, so that no table acts on stale memory
            LOG.warning("The database %s works again: its files are back.", self._database)
        self._gone = gone

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOKS_S)
            before = self._gone
            if not await self.still_held() and before == self._gone:
                await self._take_again()

    async def _take_again(self) -> None:
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
    """Open and lock the file for this process; ``None`` if another process has locked it."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), FILE)
    try:
        _lock(file)
    except OSError:
        os.close(file)
        return None
    return file


def _identity(file: Path | int) -> Identity | None:
    """The identity of a path or an open file; ``None`` if it does not exist."""
    try:
        stat = os.fstat(file) if isinstance(file, int) else file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _lock(file: int) -> None:
    """Lock a file for this process, or fail at once."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415  (only there)

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415  (not on Windows)

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

"""Makes the files of the database readable by the server's operator only."""

import os
import stat
from pathlib import Path
from typing import Final

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

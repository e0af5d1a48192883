"""The files of the database: nobody but whoever runs the server reads them."""

import os
import stat
from pathlib import Path
from typing import Final

FOLDER: Final = 0o700
FILE: Final = 0o600
BESIDE: Final = ("", "-wal", "-shm", "-journal", ".lock")  # what belongs to an SQLite file


def private_folder(folder: Path) -> None:
    """Make a folder for its owner alone, or close one that is there to others.

    A folder that many share (``/tmp``) and the home folder stay as they are: they hold more than our data.
    """
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    found = folder.stat()
    shared = found.st_mode & stat.S_ISVTX or folder.resolve() in (Path.home(), Path("/"))
    if found.st_mode & 0o077 and not shared and _owned(found):
        folder.chmod(FOLDER)


def private_database(file: Path) -> None:
    """Make the file of a database for its owner alone; SQLite gives those beside it the same mode."""
    private_file(file)
    for end in BESIDE:
        one = file.with_name(file.name + end)
        if one.exists():
            _close(one)


def private_file(file: Path) -> None:
    """Make an empty file that only its owner reads, unless it is there."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, FILE))


def _close(file: Path) -> None:
    found = file.stat()
    if found.st_mode & 0o077 and _owned(found):
        file.chmod(FILE)


def _owned(found: os.stat_result) -> bool:
    """Whether we may change the mode of a file."""
    owner = getattr(os, "geteuid", lambda: found.st_uid)()
    return owner in (0, found.st_uid)

"""Databases for tests: an empty one is made once and copied, and commits do not wait for the disk.

What a test stores survives the end of a process all the same, and nobody cuts the power.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine

from jantaku.server.settings import DATABASE_FILE
from jantaku.server.storage import sqlite
from jantaku.server.storage.older import to_newest

PRAGMAS = sqlite.PRAGMAS  # those of a server
vars(sqlite)["PRAGMAS"] = (*PRAGMAS, "synchronous=OFF")


@cache
def _tables() -> bytes:
    """The file of a database with the newest tables and nothing in them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / DATABASE_FILE
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            to_newest(connection)
        engine.dispose()
        return path.read_bytes()


def with_tables(folder: Path) -> Path:
    """The folder, with an empty database unless it has one."""
    path = folder / DATABASE_FILE
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_tables())
        path.chmod(0o600)
    return folder

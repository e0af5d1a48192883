"""Databases for tests: an empty one is made once and copied, and commits do not wait for the disk.

What a test stores survives the end of a process all the same, and nobody cuts the power.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.ext.asyncio import create_async_engine

from jantaku.server.settings import DATABASE_FILE
from jantaku.server.storage import drivers
from jantaku.server.storage.base import METADATA
from jantaku.server.storage.migrations import migrate

DATABASES = ("sqlite", pytest.param("postgres", marks=pytest.mark.slow))
PRAGMAS = drivers.PRAGMAS  # those of a server
vars(drivers)["PRAGMAS"] = (*PRAGMAS, "synchronous=OFF")


@cache
def _tables() -> bytes:
    """The file of a database with the newest tables and nothing in them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / DATABASE_FILE
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            migrate(connection)
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


SITES: dict[Path, str] = {}  # the databases of sites, by the folder that they were to be in


def rows(folder: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    """What the database of a server says to a query with ``?`` for its values, behind the server's back."""
    numbers = count()
    named = "".join(f":v{next(numbers)}" if part == "?" else part for part in query)
    given = {f"v{number}": value for number, value in enumerate(values)}

    async def ask() -> list[tuple[Any, ...]]:
        file = f"sqlite+aiosqlite:///{folder / DATABASE_FILE}"
        engine = create_async_engine(SITES.get(folder, file).replace("postgresql:", "postgresql+asyncpg:"))
        try:
            async with engine.begin() as connection:
                answer = await connection.execute(text(named), given)
                assert answer.returns_rows or answer.rowcount, "nothing was changed"
                return [tuple(row) for row in answer] if answer.returns_rows else []
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as apart:  # the browser's loop runs in this thread
        return apart.submit(asyncio.run, ask()).result()


def dump(folder: Path) -> str:
    """Everything that is stored."""
    return "\n".join(str(rows(folder, f'SELECT * FROM "{table}"')) for table in METADATA.tables)

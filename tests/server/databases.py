"""Fast databases for tests: an empty one is created once and copied, and commits do not wait for the disk.

Data still survives when a process is killed; the tests do not simulate a power failure.
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
PRAGMAS = drivers.PRAGMAS  # the pragmas that the server uses
vars(drivers)["PRAGMAS"] = (*PRAGMAS, "synchronous=OFF")


@cache
def _tables() -> bytes:
    """Return an empty database file with the newest schema."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / DATABASE_FILE
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
        return path.read_bytes()


def with_tables(folder: Path) -> Path:
    """Put an empty database into the folder unless it has one; return the folder."""
    path = folder / DATABASE_FILE
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_tables())
        path.chmod(0o600)
    return folder


SITES: dict[Path, str] = {}  # database URL of each site, by data folder


def rows(folder: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a query with ``?`` placeholders directly on a server's database; return the rows."""
    numbers = count()
    named = "".join(f":v{next(numbers)}" if part == "?" else part for part in query)
    given = {f"v{number}": value for number, value in enumerate(values)}

    async def ask() -> list[tuple[Any, ...]]:
        file = f"sqlite+aiosqlite:///{folder / DATABASE_FILE}"
        engine = create_async_engine(SITES.get(folder, file).replace("postgresql:", "postgresql+asyncpg:"))
        try:
            async with engine.begin() as connection:
                answer = await connection.execute(text(named), given)
                assert answer.returns_rows or answer.rowcount, "no row was changed"
                return [tuple(row) for row in answer] if answer.returns_rows else []
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as apart:  # Playwright's event loop runs in this thread
        return apart.submit(asyncio.run, ask()).result()


def dump(folder: Path) -> str:
    """Return every value in the database as text."""
    return "\n".join(str(rows(folder, f'SELECT * FROM "{table}"')) for table in METADATA.tables)

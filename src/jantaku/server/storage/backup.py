"""Operator commands for the whole database: back it up while the server runs, and upgrade it."""

import asyncio
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import URL

from jantaku.errors import RequestError, cause
from jantaku.server.settings import Settings
from jantaku.server.storage.files import private_file
from jantaku.server.storage.lease import check_unused
from jantaku.server.storage.migrations import version_of
from jantaku.server.storage.store import Store, address_of

LIBPQ: Final = {"host": "PGHOST", "port": "PGPORT", "ssl": "PGSSLMODE", "passfile": "PGPASSFILE"}


def backup(settings: Settings, file: Path) -> str:
    """Write a consistent copy of the database to a new file; return ``sqlite`` or ``postgres``.

    The file is an SQLite database or a ``pg_dump`` archive in custom format. Raises ``RequestError`` if there
    is no database, or if ``file`` exists or cannot be written.
    """
    address = address_of(settings)
    is_file = address.drivername.startswith("sqlite")
    source = _existing(address, "FILE") if is_file else None
    if file.exists():
        raise RequestError("backup_is_there", field="FILE", path=str(file))
    try:
        private_file(file)
        if source is None:
            _dump(address, file)
        else:
            with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(file)) as copy:
                original.backup(copy)
    except (sqlite3.Error, subprocess.CalledProcessError, OSError) as error:
        file.unlink(missing_ok=True)
        reason = getattr(error, "stderr", "") or cause(error)
        raise RequestError("backup_failed", field="FILE", path=str(file), reason=reason) from None
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    return "sqlite" if is_file else "postgres"


def _dump(address: URL, file: Path) -> None:
    """Run ``pg_dump``, with the password in the environment rather than on the command line."""
    options: dict[str, object] = {**address.query}
    options |= {name: value for name in ("host", "port") if (value := getattr(address, name))}
    variables = {variable: str(options[name]) for name, variable in LIBPQ.items() if options.get(name)}
    variables |= {"PGUSER": address.username or "", "PGPASSWORD": str(address.password or "")}
    variables |= {"PGDATABASE": address.database or ""}
    command = ["pg_dump", "--format=custom", "--no-owner", f"--file={file}"]
    environment = os.environ | {name: value for name, value in variables.items() if value}
    subprocess.run(command, env=environment, check=True, capture_output=True, text=True)  # noqa: S603


def upgrade(settings: Settings) -> tuple[str, str]:
    """Migrate the database in one transaction; return its schema version before and after.

    A server does the same at startup. Raises ``RequestError`` if there is no database
    (``nothing_to_back_up``), a server is running (``already_running``) or the schema is newer than this
    version (``database_newer``).
    """
    return asyncio.run(_upgrade(settings))


async def _upgrade(settings: Settings) -> tuple[str, str]:
    address = address_of(settings)
    if address.drivername.startswith("sqlite"):
        _existing(address, "--data")
    store = Store(settings)
    try:
        await store.claim()
        await check_unused(store)
        async with store.reading() as connection:
            before = await connection.run_sync(version_of)
        await store.open()
        async with store.reading() as connection:
            return before, await connection.run_sync(version_of)
    finally:
        await store.close()


def _existing(address: URL, field: str) -> Path:
    """Return the file of an SQLite database; raises ``nothing_to_back_up`` if it does not exist."""
    file = Path(address.database or "")
    if not file.is_file():
        raise RequestError("nothing_to_back_up", field=field, path=str(file))
    return file

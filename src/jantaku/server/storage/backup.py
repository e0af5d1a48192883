"""What an operator does with the whole database: copy it while the server runs, and upgrade it."""

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
    """Copy the database as it is at one moment into a new file; which kind of database it is.

    A file of SQLite, or of ``pg_dump`` in its custom format. Raises ``RequestError`` if there is no database,
    or if ``file`` exists already or cannot be written.
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
            with closing(sqlite3.connect(source)) as before, closing(sqlite3.connect(file)) as after:
                before.backup(after)
    except (sqlite3.Error, subprocess.CalledProcessError, OSError) as error:
        file.unlink(missing_ok=True)
        reason = getattr(error, "stderr", "") or cause(error)
        raise RequestError("backup_failed", field="FILE", path=str(file), reason=reason) from None
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    return "sqlite" if is_file else "postgres"


def _dump(address: URL, file: Path) -> None:
    """Let ``pg_dump`` write the file; the password is in no command line."""
    given: dict[str, object] = {**address.query}
    given |= {name: value for name in ("host", "port") if (value := getattr(address, name))}
    told = {variable: str(given[name]) for name, variable in LIBPQ.items() if given.get(name)}
    told |= {"PGUSER": address.username or "", "PGPASSWORD": str(address.password or "")}
    told |= {"PGDATABASE": address.database or ""}
    command = ["pg_dump", "--format=custom", "--no-owner", f"--file={file}"]
    environment = os.environ | {name: value for name, value in told.items() if value}
    subprocess.run(command, env=environment, check=True, capture_output=True, text=True)  # noqa: S603


def upgrade(settings: Settings) -> tuple[str, str]:
    """Upgrade the database of the settings, in one transaction; the version of its tables before and after.

    A server does the same when it starts. Raises ``RequestError`` if there is no database
    (``nothing_to_back_up``), if a server runs (``already_running``) or if it is newer (``database_newer``).
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
    """The file of an SQLite database."""
    file = Path(address.database or "")
    if not file.is_file():
        raise RequestError("nothing_to_back_up", field=field, path=str(file))
    return file

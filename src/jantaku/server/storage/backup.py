"""Copies the database while the server runs."""

import sqlite3
from contextlib import closing
from pathlib import Path

from jantaku.errors import RequestError
from jantaku.server.settings import Settings
from jantaku.server.storage.address import address_of
from jantaku.server.storage.files import private_file


def backup(settings: Settings, file: Path) -> None:
    """Copy the whole database into a new SQLite file; the server may keep running.

    Raises ``RequestError`` if the database is PostgreSQL (use ``pg_dump``), if there is no database, or if
    ``file`` exists already or cannot be written.
    """
    address = address_of(settings)
    if not address.drivername.startswith("sqlite"):
        raise RequestError("backup_elsewhere", field="FILE")
    source = Path(address.database or "")
    if not source.is_file():
        raise RequestError("nothing_to_back_up", field="FILE", path=str(source))
    if file.exists():
        raise RequestError("backup_is_there", field="FILE", path=str(file))
    try:
        private_file(file)
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("VACUUM INTO ?", (str(file),))
    except (sqlite3.Error, OSError) as error:
        file.unlink(missing_ok=True)
        raise RequestError("backup_failed", field="FILE", path=str(file), reason=str(error)) from error

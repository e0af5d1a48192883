"""Copies the whole database into one file while the server runs, from SQLite and from PostgreSQL alike."""

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import MetaData, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku import __version__
from jantaku.errors import RequestError, cause
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings
from jantaku.server.storage.backup_format import VERSION, BackupHead, BackupWriter
from jantaku.server.storage.database_address import address_of
from jantaku.server.storage.private_files import private_file
from jantaku.server.storage.schema import server_keys
from jantaku.server.storage.server_keys import BACKED_UP
from jantaku.server.storage.store import Store

LEFT_OUT: Final = ("alembic_version", "links", "processes", "pulse")  # a link must not work a second time
AT_ONCE: Final = 500


def backup(settings: Settings, file: Path) -> int:
    """Write everything that is stored into a new file and return the number of rows.

    The server may keep running: the file has the database as it was at one moment. Raises ``RequestError`` if
    there is no database, or if ``file`` exists already or cannot be written.
    """
    return asyncio.run(write_backup(settings, file))


async def write_backup(settings: Settings, file: Path) -> int:
    """``backup`` within an event loop."""
    address = address_of(settings)
    source = Path(address.database or "")
    if address.drivername.startswith("sqlite") and not source.is_file():
        raise RequestError("nothing_to_back_up", field="FILE", path=str(source))
    if file.exists():
        raise RequestError("backup_is_there", field="FILE", path=str(file))
    store = Store(settings)
    try:
        private_file(file)
        return await _write(store, file)
    except (SQLAlchemyError, ServerError, OSError) as error:
        file.unlink(missing_ok=True)
        raise RequestError("backup_failed", field="FILE", path=str(file), reason=cause(error)) from error
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    finally:
        await store.close()


async def _write(store: Store, file: Path) -> int:
    """Write all tables as one transaction sees them."""
    one_moment = {} if store.sqlite else {"isolation_level": "REPEATABLE READ"}
    async with store.engine.connect() as plain:
        connection = await plain.execution_options(**one_moment)
        await store.take_time(connection)
        tables = MetaData()
        await connection.run_sync(tables.reflect)
        with file.open("wb") as out:
            made = datetime.now(UTC).isoformat(timespec="seconds")
            writer = BackupWriter(out, BackupHead(VERSION, await schema_of(connection), made, __version__))
            for table in tables.sorted_tables:
                if table.name in LEFT_OUT:
                    continue
                writer.table(table.name, [column.name for column in table.columns])
                query = table.select()
                if table.name == server_keys.name:
                    query = query.where(table.c.name.in_(BACKED_UP))
                stream = await connection.stream(query, execution_options={"yield_per": AT_ONCE})
                async for rows in stream.partitions():
                    writer.rows(rows)
            count = writer.close()
            out.flush()
            os.fsync(out.fileno())
    return count


async def schema_of(connection: AsyncConnection) -> str:
    """The revision of the tables."""
    return str((await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one())

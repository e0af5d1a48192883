"""Brings a database to the tables of this version, whatever version they are of."""

import asyncio
from pathlib import Path

from jantaku.errors import RequestError
from jantaku.server.settings import Settings
from jantaku.server.storage.database_address import address_of
from jantaku.server.storage.lease import check_unused
from jantaku.server.storage.migrations import version_of
from jantaku.server.storage.store import Store


def upgrade(settings: Settings) -> tuple[str, str]:
    """Upgrade the database of the settings, in one transaction; the version of its tables before and after.

    A server does the same when it starts. Raises ``RequestError`` if there is no database
    (``nothing_to_back_up``), if a server runs (``already_running``) or if it is newer (``database_newer``).
    """
    return asyncio.run(_upgrade(settings))


async def _upgrade(settings: Settings) -> tuple[str, str]:
    address = address_of(settings)
    source = Path(address.database or "")
    if address.drivername.startswith("sqlite") and not source.is_file():
        raise RequestError("nothing_to_back_up", field="--data", path=str(source))
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

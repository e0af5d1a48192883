"""Many want a connection of the database at once: they wait for it, and are told when the database fails."""

import asyncio
import logging

import pytest

from jantaku.server.errors import ServerError
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import CONNECTIONS

pytestmark = pytest.mark.anyio


async def test_people_who_come_at_once_are_no_failure_of_the_database(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """More than there are connections wait longer than an answer may take, and all are served."""
    monkeypatch.setattr("jantaku.server.storage.store.ANSWER_S", 0.05)
    caplog.set_level(logging.WARNING, "jantaku.server")
    monkeypatch.setattr(services.store.engine.pool, "_timeout", 0.05)

    async def read() -> None:
        async with services.store.reading():
            await asyncio.sleep(0.02)

    await asyncio.gather(*(read() for _ in range(200)))
    assert await services.store.check()
    assert not [record for record in caplog.records if "fails" in record.getMessage()]


async def test_work_with_a_connection_can_take_another(services: Services) -> None:
    """Otherwise all could wait for each other."""
    halfway = asyncio.Barrier(CONNECTIONS)

    async def read_twice() -> None:
        async with services.store.reading():
            await halfway.wait()
            assert await services.accounts.find("nobody") is None

    async with asyncio.timeout(30):
        await asyncio.gather(*(read_twice() for _ in range(CONNECTIONS)))


async def test_whoever_waits_is_told_when_the_database_fails(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.server.storage.store.ANSWER_S", 0.05)
    free = asyncio.Event()

    async def hold() -> None:
        async with services.store.reading():
            await free.wait()

    holding = [asyncio.create_task(hold()) for _ in range(CONNECTIONS)]
    await asyncio.sleep(0.2)
    services.store.faults.note(OSError("gone"))
    with pytest.raises(ServerError, match="store"):
        await services.accounts.find("nobody")
    free.set()
    await asyncio.gather(*holding)
    assert await services.accounts.find("nobody") is None


async def test_many_look_at_once_whether_the_database_can_be_read(services: Services) -> None:
    """One that came when the check of the others had just ended used to be answered with an error."""

    async def looks() -> list[bool]:
        return [await services.store.check() for _ in range(20)]

    assert all(map(all, await asyncio.gather(*(looks() for _ in range(10)))))

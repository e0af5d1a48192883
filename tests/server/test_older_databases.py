"""Databases and backups from before the first release, of each version of their tables, in both databases.

``revisions.sql`` has the statements with which each of these versions changed the tables.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from jantaku.records.native.hand_log import hand_logs
from jantaku.rules import load
from jantaku.server.names import skeleton
from jantaku.server.storage.backup import write_backup
from jantaku.server.storage.guest_names import guest_marks
from jantaku.server.storage.moves import banks_of, moves_of
from jantaku.server.storage.older_databases import LAST
from jantaku.server.storage.restore import read_backup
from jantaku.server.storage.schema import METADATA
from jantaku.server.storage.services import Services
from support.playing import played

pytestmark = pytest.mark.anyio
STORED = Path(__file__).parents[1] / "data" / "stored"
VERSIONS = [f"{number:04}" for number in range(1, int(LAST) + 1)]
FEW = [VERSIONS[0], LAST]
ALL = [pytest.param(version, marks=[] if version in FEW else pytest.mark.slow) for version in VERSIONS]
GAME = played("tenhou", 3)
SITTERS = [{"name": "Mina", "person": "p1"}, {"name": "Ren", "bot": "x"}, {"name": "Guest", "person": "g1"}]


def statements(until: str) -> Iterator[str]:
    for part in (STORED / "revisions.sql").read_text("utf-8").split("-- revision ")[1:]:
        if part[:4] <= until:
            yield from filter(str.strip, part[4:].split(";\n"))


def rows(version: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a server of the version may have stored."""
    fingerprint = load("tenhou").fingerprint
    for key, name, account, created in (
        ("p1", "Mina", "mina", 5), ("p2", "MINA", "mιna", 9), ("g1", "Guest", None, 7),
    ):  # fmt: skip
        person = {"id": key, "name": name, "account": account, "role": "player", "language": "ko"}
        yield "people", person | {"created": created}
    table = {"id": "t", "name": "T", "owner": "p1", "rules": "tenhou", "fingerprint": fingerprint}
    yield "tables", table | {"options": "{}", "status": "closed", "game": 3, "created": 5}
    own = {"table_id": "t", "seed": GAME.seed, "rules": "tenhou", "fingerprint": fingerprint, "started": 5}
    for number, (key, players, status, ended) in enumerate((
        ("whole", json.dumps(SITTERS), "finished", 7),
        ("broken", "{", "finished", 8),
        ("ended", json.dumps(SITTERS), "aborted", 9),
    )):  # fmt: skip
        game = {"id": key, "number": number, "players": players, "status": status, "ended": ended}
        yield "games", own | game | {"hands": 1}
    for number, (_, seat, action) in enumerate(GAME.moves):
        yield "actions", {"game": "whole", "number": number, "seat": seat, "action": str(action)}
    yield "uploads", {"id": "u", "name": "log", "text": "x", "created": 5}
    if version >= "0006":
        event = {"id": "e", "name": "{}", "rules": "tenhou", "fingerprint": "f", "plan": "{}", "code": "c"}
        yield "events", event | {"status": "open", "listed": True, "revision": 1, "results": 1, "created": 7}
        entry = {"event": "e", "id": "a", "number": 1, "name": "A", "team": "", "person": "p1"}
        yield "event_entries", entry | {"status": "playing", "created": 9}


def make(connection: Connection, version: str) -> None:
    """An older database with these rows instead of the one that is there."""
    METADATA.drop_all(connection)
    connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
    postgres = connection.dialect.name == "postgresql"
    for statement in statements(version):
        connection.execute(text(statement.replace("BLOB", "BYTEA") if postgres else statement))
    for table, row in rows(version):
        names = ", ".join(row)
        values = ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({values})"), row)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text(f"INSERT INTO alembic_version VALUES ('{version}')"))


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), METADATA))


async def check(services: Services, version: str) -> None:
    """Nothing is lost, and old rows have what new ones have, unless their version made it itself."""

    async def all_of(query: str) -> list[tuple[Any, ...]]:
        async with services.store.reading() as connection:
            return sorted(tuple(row) for row in await connection.execute(text(query)))

    async with services.store.reading() as connection:
        assert await connection.run_sync(differences) == []
    assert await services.games.moves("whole") == [(seat, str(action)) for _, seat, action in GAME.moves]
    assert banks_of((await moves_of(services.store, "whole"))["whole"], 0) == []
    assert await services.uploads.find("u") == ("log", "x")
    assert (await services.accounts.find("p1")) is not None
    assert await all_of("SELECT id, numbers_shown, reviews_shown FROM people") == [
        ("g1", 0, 1), ("p1", 0, 1), ("p2", 0, 1),
    ]  # fmt: skip
    names = {
        skeleton(name): person
        for name, person in (("mιna", "p2"), ("MINA", "p2"), ("mina", "p1"), ("Mina", "p1"))
    }
    assert await all_of("SELECT skeleton, person FROM names") == (
        sorted(names.items()) if version < "0003" else []
    )
    assert await services.games.hands("whole") == (hand_logs(GAME, ended=True) if version < "0004" else [])
    marks_of = await guest_marks(services.store)
    marks = sorted((marks_of(name),) for name in ("Guest", "Mina"))
    assert await all_of("SELECT mark FROM guest_names") == (marks if version < "0015" else [])
    mine = [row.id for row in (await services.games.finished(None, "p1", 9)).rows]
    assert mine == (["whole"] if version < LAST else [])
    players = await all_of("SELECT game, seat, person FROM game_players")
    of_both = [(game, seat, who) for game in ("ended", "whole") for seat, who in ((0, "p1"), (2, "g1"))]
    assert players == (of_both if version < LAST else [])
    if version >= "0006":
        [entry] = await services.entries.all("e")
        assert (entry.id, entry.name, entry.person, entry.erased) == ("a", "A", "p1", None)


@pytest.mark.parametrize("version", ALL)
async def test_a_database_of_before_the_first_release_is_lifted(services: Services, version: str) -> None:
    async with services.store.writing() as connection:
        await connection.run_sync(make, version)
    await services.store.open()
    await check(services, version)
    await services.store.open()  # nothing is left to do
    await check(services, version)


@pytest.mark.parametrize("version", ALL)
async def test_so_is_a_backup_of_one(services: Services, version: str, tmp_path: Path) -> None:
    async with services.store.writing() as connection:
        await connection.run_sync(make, version)
    await write_backup(services.settings, tmp_path / "file")
    await read_backup(services.settings, tmp_path / "file", replace=True)
    await check(services, version)


async def test_a_newer_database_is_refused(services: Services) -> None:
    async with services.store.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0018'"))
    with pytest.raises(Exception, match="newer"):
        await services.store.open()

"""Everything that is stored, in SQLite and in PostgreSQL alike."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, text

from jantaku.rules import load
from jantaku.server.errors import ServerError
from jantaku.server.protocol import TableOptions
from jantaku.server.services import Services
from jantaku.server.settings import Settings
from jantaku.server.storage.accounts import PersonRow, new_id
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.schema import METADATA
from jantaku.server.storage.seating import Sitter, TableRow
from jantaku.server.storage.writer import Move

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite", "postgres"])
async def services(
    request: pytest.FixtureRequest, tmp_path: Path, anyio_backend: str
) -> AsyncIterator[Services]:
    """All that is stored, empty, in either database."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("cluster").url
    found = Services.of(Settings(data_dir=tmp_path, database_url=url))
    await found.store.open()
    yield found
    await found.writer.stop()
    if url:
        async with found.store.writing() as connection:
            await connection.run_sync(METADATA.drop_all)
            await connection.execute(text("DROP TABLE alembic_version"))
    await found.store.close()


def somebody(name: str = "Mina", account: str | None = None) -> PersonRow:
    return PersonRow(new_id(), name, account, "player", "ko")


async def a_game(services: Services) -> tuple[TableRow, GameRow]:
    options = TableOptions(clock=False)
    sitters = (Sitter("Mina", "p1"), None, None, Sitter("Sora", bot="standard"))
    row = TableRow(secrets.token_hex(4), "卓", "p1", "standard", "f" * 16, options, sitters=sitters)
    await services.seating.add(row)
    players = (Sitter("Mina", "p1"), *(Sitter("Sora", bot="standard") for _ in range(3)))
    game = GameRow(new_id(), row.id, 1, b"\x00\xff" * 16, "standard", "f" * 16, players, started=5)
    playing = TableRow(**{**vars(row), "status": "playing", "game": 1})
    await services.games.begin(game, playing)
    return playing, game


async def test_migrations_make_the_tables_as_they_are_declared(services: Services) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with services.store.reading() as connection:
        assert await connection.run_sync(differences) == []


async def test_opening_twice_changes_nothing(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    await services.store.open()
    assert await services.accounts.find(person.id) == person


async def test_sessions_are_kept_as_hashes_and_end(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    token = await services.accounts.new_session(person.id, 1)
    old = await services.accounts.new_session(person.id, -1)
    assert await services.accounts.of_session(token) == person
    assert await services.accounts.of_session(old) is None
    async with services.store.reading() as connection:
        kept = [row.token for row in await connection.execute(text("SELECT token FROM sessions"))]
    assert token not in kept
    await services.accounts.end_session(token)
    assert await services.accounts.of_session(token) is None


async def test_a_link_works_once(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    token, _ = await services.accounts.new_link(person.id, "referee", 1)
    assert (await services.accounts.use_link(token)).role == "referee"
    for bad in (token, "no such token", (await services.accounts.new_link(person.id, None, -1))[0]):
        with pytest.raises(ServerError, match="link"):
            await services.accounts.use_link(bad)


async def test_an_account_name_belongs_to_one(services: Services) -> None:
    await services.accounts.add(somebody(account="mina"), "hash")
    with pytest.raises(ServerError) as caught:
        await services.accounts.add(somebody(account="mina"), "hash")
    assert caught.value.code == "name_taken"
    found = await services.accounts.by_account("mina")
    assert found is not None
    assert found[1] == "hash"
    assert await services.accounts.number_of_accounts() == 1


async def test_tables_come_back_as_they_were(services: Services) -> None:
    row, game = await a_game(services)
    assert await services.seating.find(row.id) == row
    assert await services.seating.going_on() == [row]
    assert await services.games.of_table(row.id, 1) == game
    assert await services.games.find("nothing") is None


async def test_finished_games_are_listed(services: Services) -> None:
    row, game = await a_game(services)
    assert await services.games.finished(None, None, 10) == []
    result = {"final": [1, 2, 3, -6], "places": [3, 2, 1, 4]}
    ended = GameRow(**{**vars(game), "status": "finished", "ended": 77, "hands": 9, "result": result})
    await services.games.end(ended, row)
    assert await services.games.finished(None, None, 10) == [ended]
    assert await services.games.finished(None, "p1", 10) == [ended]
    assert await services.games.finished(None, "p2", 10) == []
    assert await services.games.finished(77, None, 10) == []


async def test_actions_that_come_together_are_committed_together(services: Services) -> None:
    _, game = await a_game(services)
    commits: list[object] = []
    event.listen(services.store.engine.sync_engine, "commit", commits.append)
    services.writer.start()
    await asyncio.gather(*(services.writer.write(Move(game.id, i, i % 4, "5m*")) for i in range(100)))
    assert await services.games.moves(game.id) == [(i % 4, "5m*") for i in range(100)]
    assert 1 <= len(commits) <= 3


async def test_what_fails_is_not_written_and_can_be_written_again(services: Services) -> None:
    _, game = await a_game(services)
    services.writer.start()
    await services.writer.write(Move(game.id, 0, 0, "1m"))
    with pytest.raises(ServerError) as caught:
        await services.writer.write(
            Move("no such game" if not services.store.sqlite else game.id, 0, 1, "2m")
        )
    assert caught.value.code == "storage_lost"
    failing = [services.writer.failing]
    await services.writer.write(Move(game.id, 1, 2, "3m"))
    assert [*failing, services.writer.failing] == [True, False]
    kept = await services.games.moves(game.id)
    assert kept[-1] == (2, "3m")


async def test_doubtful_actions_are_taken_out_first(services: Services) -> None:
    """The answer to a commit was lost: what it wrote does not stand in the way of what happens instead."""
    _, game = await a_game(services)
    services.writer.start()
    for i in range(3):
        await services.writer.write(Move(game.id, i, i, "1m"))
    services.writer.doubt(game.id, 2)
    await services.writer.write(Move(game.id, 2, 3, "9p"))
    assert await services.games.moves(game.id) == [(0, "1m"), (1, "1m"), (3, "9p")]


async def test_rules_are_kept_by_fingerprint(services: Services) -> None:
    rules = load("bgm-2025").with_changes({"riichi.deposit": 500}, name="club")
    saved = await services.rulebooks.save(rules, "extends = …", "p1")
    assert await services.rulebooks.save(rules) == saved == rules.fingerprint
    assert await services.rulebooks.find(saved) == rules
    assert await services.rulebooks.toml(saved) == "extends = …"
    assert [found.fingerprint for found in await services.rulebooks.of_person("p1")] == [saved]
    assert await services.rulebooks.find("tenhou") is load("tenhou")
    with pytest.raises(ServerError) as caught:
        await services.rulebooks.find("0" * 16)
    assert caught.value.code == "no_rules"


async def test_uploads_are_kept(services: Services) -> None:
    upload = await services.uploads.add("log", "<mjloggm/>")
    assert await services.uploads.find(upload) == ("log", "<mjloggm/>")
    assert await services.uploads.find("x") is None

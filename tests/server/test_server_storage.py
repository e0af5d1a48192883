"""Storage, in SQLite and in PostgreSQL."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, text, update

from jantaku.rules import load
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import CreateEvent, create
from jantaku.server.events.registration.entries import Listed
from jantaku.server.events.registration.entries import register_entry as register
from jantaku.server.limits import Limits
from jantaku.server.settings import Settings
from jantaku.server.storage import drivers, writer
from jantaku.server.storage.games import GameRow, banks_of, moves_of
from jantaku.server.storage.people import DAY_MS, PersonRow, hashed, new_id
from jantaku.server.storage.rows import PageEnd
from jantaku.server.storage.schema import METADATA, people
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import Store, now_ms
from jantaku.server.storage.tables import Sitter, TableRow
from jantaku.server.storage.writer import Move
from server.databases import PRAGMAS, with_tables

pytestmark = pytest.mark.anyio


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


async def test_migrations_match_the_declared_tables(services: Services) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with services.store.reading() as connection:
        assert await connection.run_sync(differences) == []


@pytest.mark.parametrize("count", [0, 1, drivers.AT_ONCE, 2 * drivers.AT_ONCE + 7])
async def test_all_rows_come_however_many(services: Services, count: int) -> None:
    query = text(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= :count) "
        "SELECT i FROM n WHERE i <= :count"
    )
    async with services.store.reading(parts=True) as connection:
        assert len((await connection.execute(query, {"count": count})).all()) == count
        rows = await connection.stream(query, {"count": count}, execution_options={"yield_per": 300})
        assert [row.i async for part in rows.partitions() for row in part] == list(range(1, count + 1))
    async with services.store.reading(parts=True) as connection:
        rows = await connection.stream(query, {"count": count})
        assert await rows.scalar() == (1 if count else None)  # the others are left unread
    await services.accounts.add(somebody())


async def test_opening_twice_changes_nothing(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    await services.store.open()
    assert await services.accounts.find(person.id) == person


async def test_a_commit_of_a_server_waits_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drivers, "PRAGMAS", PRAGMAS)
    store = Store(Settings(data_dir=with_tables(tmp_path)))
    full = 2
    assert await store.value(text("PRAGMA synchronous")) == full
    await store.close()


async def test_sessions_are_kept_as_hashes_and_end(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    token = await services.sessions.begin(person.id, 1)
    old = await services.sessions.begin(person.id, -1)
    assert await services.sessions.person(hashed(token)) == person
    assert await services.sessions.person(hashed(old)) is None
    async with services.store.reading() as connection:
        kept = [row.token for row in await connection.execute(text("SELECT token FROM sessions"))]
    assert token not in kept
    await services.sessions.end(token)
    assert await services.sessions.person(hashed(token)) is None


async def test_a_used_session_is_extended(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    for left, renewed in ((1, True), (44, True), (46, False), (-1, False)):
        token = await services.sessions.begin(person.id, left)
        assert await services.sessions.renew(token, 90) is renewed
        assert not await services.sessions.renew(token, 90)
        assert (await services.sessions.person(hashed(token)) is None) == (left < 0)
    assert not await services.sessions.renew("no such token", 90)


async def test_a_link_works_once(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    token, _ = await services.one_time_links.make(person.id, "referee", hours=1)
    assert (await services.one_time_links.use(token)).role == "referee"
    for bad in (token, "no such token", (await services.one_time_links.make(person.id, None, hours=-1))[0]):
        with pytest.raises(ServerError, match="link"):
            await services.one_time_links.use(bad)


async def test_account_names_are_unique(services: Services) -> None:
    await services.accounts.add(somebody(account="mina"), "hash")
    with pytest.raises(ServerError) as caught:
        await services.accounts.add(somebody(account="mina"), "hash")
    assert caught.value.code == "name_taken"
    account = await services.accounts.by_account("mina")
    assert account is not None
    assert account[1] == "hash"
    assert await services.accounts.number_of_accounts() == 1


async def test_tables_are_loaded_as_they_were_saved(services: Services) -> None:
    row, game = await a_game(services)
    assert await services.seating.find(row.id) == row
    assert await services.games.of_table(row.id, 1) == game
    assert await services.games.find("nothing") is None


async def test_finished_games_are_listed(services: Services) -> None:
    row, game = await a_game(services)
    assert (await services.games.finished(None, None, 10)).rows == []
    result = {"final": [1, 2, 3, -6], "places": [3, 2, 1, 4]}
    ended = GameRow(**{**vars(game), "status": "finished", "ended": 77, "hands": 9, "result": result})
    await services.games.end(ended, row, [b"a hand"], 0, {})
    assert await services.games.hands(ended.id) == [b"a hand"]
    assert (await services.games.finished(None, None, 10)).rows == [ended]
    assert (await services.games.finished(None, "p1", 10)).rows == [ended]
    assert (await services.games.finished(None, "p2", 10)).rows == []
    assert (await services.games.finished(PageEnd(77), None, 10)).rows == []


async def test_concurrent_actions_share_one_commit(services: Services) -> None:
    _, game = await a_game(services)
    commits: list[object] = []
    event.listen(services.store.engine.sync_engine, "commit", commits.append)
    services.writer.start()
    await asyncio.gather(*(services.writer.write(Move(game.id, i, i % 4, "5m*")) for i in range(100)))
    assert await services.games.moves(game.id) == [(i % 4, "5m*") for i in range(100)]
    assert 1 <= len(commits) <= 3


async def test_a_bad_action_is_refused_and_the_rest_is_written(
    services: Services,
) -> None:
    (_, game), (_, other) = await a_game(services), await a_game(services)
    services.writer.start()
    await services.writer.write(Move(game.id, 0, 0, "1m"))
    wrong = Move("no such game" if not services.store.sqlite else game.id, 0, 1, "2m")
    right = [Move(other.id, number, 0, "9p") for number in range(3)]
    answers = await asyncio.gather(
        *(services.writer.write(move) for move in (right[0], wrong, *right[1:])), return_exceptions=True
    )
    assert [answers[0], *answers[2:]] == [None] * 3
    assert isinstance(answers[1], ServerError)
    assert answers[1].code == "table_fault"
    assert not services.writer.failing
    await services.writer.write(Move(game.id, 1, 2, "3m"))
    assert await services.games.moves(game.id) == [(0, "1m"), (2, "3m")]
    assert await services.games.moves(other.id) == [(0, "9p")] * 3


async def test_actions_of_a_failed_commit_are_removed_first(services: Services) -> None:
    """The answer to a commit was lost: its rows do not block the actions that follow."""
    _, game = await a_game(services)
    services.writer.start()
    for i in range(3):
        await services.writer.write(Move(game.id, i, i, "1m"))
    services.writer.doubt(game.id, 2)
    await services.writer.write(Move(game.id, 2, 3, "9p"))
    assert await services.games.moves(game.id) == [(0, "1m"), (1, "1m"), (3, "9p")]


async def test_rules_are_kept_by_fingerprint(services: Services) -> None:
    rules = load("bgm-2025").with_changes({"riichi.deposit": 500}, name="club")
    saved = await services.rulesets.save(rules, "extends = …", "p1")
    assert await services.rulesets.save(rules) == saved == rules.fingerprint
    assert await services.rulesets.find(saved) == rules
    assert await services.rulesets.toml(saved) == "extends = …"
    assert [ruleset.id for ruleset in await services.rulesets.of_person("p1")] == [saved]
    assert await services.rulesets.find("tenhou") is load("tenhou")
    other = load("bgm-2025").with_changes({"riichi.deposit": 300}, name="club")
    with pytest.raises(ServerError) as caught:
        await services.rulesets.save(other, "extends = …", "p1", Limits(rules_of_one=1))
    assert caught.value.code == "too_many_rules"
    assert await services.rulesets.save(rules, "extends = …", "p1", Limits(rules_of_one=1)) == saved
    with pytest.raises(ServerError) as caught:
        await services.rulesets.find("0" * 16)
    assert caught.value.code == "no_rules"


async def test_uploads_are_kept(services: Services) -> None:
    limits = Limits(uploads_of_one=1, kept_bytes_of_one=1000)
    upload = await services.uploads.add("log", "<mjloggm/>", "p1", limits)
    assert await services.uploads.find(upload) == ("log", "<mjloggm/>")
    assert await services.uploads.find("x") is None
    with pytest.raises(ServerError) as caught:
        await services.uploads.add("log", "<mjlog/>", "p1", limits)
    assert caught.value.code == "too_many_uploads"
    assert await services.uploads.add("log", "<mjloggm/>", "p2", limits)
    with pytest.raises(ServerError) as caught:
        await services.uploads.add("log", "x" * 1001, "p3", limits)
    assert caught.value.code == "too_much_kept"


async def test_reserves_are_stored_beside_the_actions(services: Services) -> None:
    _, game = await a_game(services)
    services.writer.start()
    for number, bank in enumerate((None, 9000, None, 0, 4000)):
        await services.writer.write(Move(game.id, number, number % 4, "1m", bank))
    moves = await moves_of(services.store, game.id, "other")
    assert banks_of(moves[game.id], 0) == [(1, 9000), (3, 0), (0, 4000)]
    assert banks_of(moves[game.id], 2) == [(3, 0), (0, 4000)]
    assert banks_of(moves["other"], 0) == []


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    while not holds():
        await asyncio.sleep(0.001)


async def test_writing_resumes_by_itself(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any new action; rows of the failed commit are removed."""
    monkeypatch.setattr(writer, "TRIES_S", (0.0, 0.001))
    _, game = await a_game(services)
    services.writer.start()
    for number in range(3):
        await services.writer.write(Move(game.id, number, 0, "1m"))
    services.writer.doubt(game.id, 1)
    services.store.broken.set()
    await until(lambda: not services.writer.failing and services.writer.doubtful_from(game.id) is None)
    assert await services.games.moves(game.id) == [(0, "1m")]
    await services.writer.write(Move(game.id, 1, 2, "9p"))
    assert await services.games.moves(game.id) == [(0, "1m"), (2, "9p")]


async def test_every_failed_write_is_noticed(services: Services) -> None:
    with pytest.raises(ServerError):
        async with services.store.writing() as connection:
            await connection.execute(text("SELECT nothing FROM nowhere"))
    broken = [services.store.broken.is_set()]
    await services.accounts.add(somebody())
    assert [*broken, services.store.broken.is_set()] == [True, False]


async def test_an_unstorable_text_is_not_a_storage_fault(services: Services) -> None:
    """PostgreSQL texts cannot contain NUL; a client that sends one does not stop the tables."""
    if services.store.sqlite:
        assert await services.uploads.add("\x00", "x", "p", Limits())
        return
    with pytest.raises(ServerError) as caught:
        await services.uploads.add("\x00", "x", "p", Limits())
    assert "UTF8" not in caught.value.message("en"), "the words of the driver are for nobody"
    assert caught.value.code == "unstorable_text"
    with pytest.raises(ServerError) as caught:
        await services.seating.find("\x00")
    assert caught.value.code == "unstorable_text"
    assert not services.store.broken.is_set()


async def test_guests_who_cannot_return_are_deleted(services: Services) -> None:
    row, game = await a_game(services)
    people = {name: somebody(name) for name in ("gone", "signed in", "linked", "seated", "owner")}
    people["account"] = somebody("account", "account")
    for person in people.values():
        await services.accounts.add(person)
    await services.sessions.begin(people["signed in"].id, 90)
    await services.sessions.begin(people["gone"].id, 1)
    await services.one_time_links.make(people["linked"].id, None, hours=24 * 90)
    sitters = (Sitter("seated", people["seated"].id), None, None, None)
    await services.seating.change(replace(row, owner=people["owner"].id, sitters=sitters))
    played, unused = (load("standard").with_changes({"riichi.deposit": n}, name="club") for n in (500, 300))
    for rules in (played, unused):
        await services.rulesets.save(rules, "extends = …", people["gone"].id)
    own = replace(row, id="ownrules", fingerprint=played.fingerprint, status="finished", sitters=(None,) * 4)
    await services.seating.add(own)
    uploads = [
        await services.uploads.add("log", "x", people[name].id, Limits()) for name in ("gone", "account")
    ]
    await services.cleanup.tidy()
    assert [name for name, person in people.items() if await services.accounts.find(person.id)] == [*people]
    await services.cleanup.tidy(now_ms() + 10 * DAY_MS)
    left = [name for name, person in people.items() if await services.accounts.find(person.id)]
    assert left == ["signed in", "linked", "seated", "owner", "account"]
    assert [await services.uploads.find(upload) is not None for upload in uploads] == [False, True]
    assert await services.rulesets.toml(played.fingerprint)
    assert not await services.rulesets.toml(unused.fingerprint)
    assert await services.games.find(game.id) == game


async def test_tables_closed_before_a_game_are_deleted(services: Services) -> None:
    row, _ = await a_game(services)
    closed = replace(row, id="closed00", status="closed", game=0)
    await services.seating.add(closed)
    await services.cleanup.tidy()
    assert await services.seating.find(closed.id)
    await services.cleanup.tidy(now_ms() + 2 * DAY_MS)
    assert await services.seating.find(closed.id) is None
    assert await services.seating.find(row.id) == row


async def test_an_entry_outlives_a_guest_who_cannot_return(services: Services) -> None:
    """Their results stay with the entry, and so do the rules of the event."""
    mina, guest = somebody(account="mina"), somebody()
    await services.accounts.add(mina)
    await services.accounts.add(guest)
    opened = await an_event(services, mina)
    async with services.events.changing(opened, guest) as change:
        entry = await register(change, guest, Listed("Guest"))
    async with services.store.writing() as connection:
        await connection.execute(update(people).values(created=0))
    await services.cleanup.tidy()
    assert await services.accounts.find(guest.id) is None
    entries = await services.entries.all(opened)
    assert [(row.id, row.name, row.person) for row in entries] == [(entry.id, "Guest", None)]
    log = await services.event_log.read(opened, None, None, 10)
    assert [(row.action, row.name) for row in log] == [("entry", "–"), ("create", mina.name)]


async def an_event(services: Services, who: PersonRow) -> str:
    """An event that ``who`` organises."""
    return await create(services, who, CreateEvent(name={"en": "E"}, rules="tenhou"))

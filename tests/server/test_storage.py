"""Storage in SQLite and in PostgreSQL."""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, func, insert, select, text, update
from sqlalchemy.engine import Engine

from jantaku.rules import load
from jantaku.server.edge.limits import Principal
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.edge.work import Workers, is_export, is_long
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import CreateEvent, create
from jantaku.server.events.organising import event_jobs
from jantaku.server.events.registration.entries import ListedPlayer
from jantaku.server.events.registration.entries import register_entry as register
from jantaku.server.events.results.counted_results import ResponseCache
from jantaku.server.events.rounds.seating_jobs import make_seating
from jantaku.server.settings import Limits, Settings
from jantaku.server.storage import drivers, writer
from jantaku.server.storage import rows as stored_rows
from jantaku.server.storage.base import METADATA
from jantaku.server.storage.cleanup import Packing
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.games import (
    ActionRow,
    GameRow,
    PackedMoves,
    PlayerRow,
    StoredMove,
    banks_of,
    moves_of,
    packed,
    unpacked,
)
from jantaku.server.storage.people import DAY_MS, PersonRow, hashed, new_id
from jantaku.server.storage.rows import POSITION, ListPage, PageEnd
from jantaku.server.storage.seasons import SeasonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import CONNECTIONS, Store, now_ms
from jantaku.server.storage.tables import Sitter, TableRow
from jantaku.server.storage.writer import Move
from server.clubs import RON, SCORES, Account, Club
from server.databases import PRAGMAS, rows, with_tables
from server.link_ends import until
from server.lobbies import somebody
from server.parlour import Person, Serve, only_limits
from server.sites import of_one_process


async def create_game(services: Services) -> tuple[TableRow, GameRow]:
    options = TableOptions(clock=False)
    sitters = (Sitter("Mina", "p1"), None, None, Sitter("Sora", bot="standard"))
    row = TableRow(secrets.token_hex(4), "卓", "p1", "standard", "f" * 16, options, sitters=sitters)
    await services.seating.add(row)
    players = (Sitter("Mina", "p1"), *(Sitter("Sora", bot="standard") for _ in range(3)))
    game = GameRow(new_id(), row.id, 1, b"\x00\xff" * 16, "standard", "f" * 16, players, started=5)
    playing = replace(row, status="playing", game=1)
    await services.games.begin(game, playing)
    return playing, game


async def test_migrations_match_the_declared_tables(services: Services) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with services.store.reading() as connection:
        assert await connection.run_sync(differences) == []


@pytest.mark.parametrize("count", [0, 1, drivers.PREFETCH_ROWS, 2 * drivers.PREFETCH_ROWS + 7])
async def test_queries_return_all_rows_whatever_the_prefetch_size(services: Services, count: int) -> None:
    query = text(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= :count) "
        "SELECT i FROM n WHERE i <= :count"
    )
    async with services.store.reading(in_transaction=True) as connection:
        assert len((await connection.execute(query, {"count": count})).all()) == count
        rows = await connection.stream(query, {"count": count}, execution_options={"yield_per": 300})
        assert [row.i async for part in rows.partitions() for row in part] == list(range(1, count + 1))
    async with services.store.reading(in_transaction=True) as connection:
        rows = await connection.stream(query, {"count": count})
        assert await rows.scalar() == (1 if count else None)  # the remaining rows are not fetched
    await services.accounts.add(somebody())


async def test_opening_the_store_again_changes_nothing(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    await services.store.open()
    assert await services.accounts.find(person.id) == person


async def test_server_commits_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "PRAGMAS", PRAGMAS)
    store = Store(Settings(data_dir=with_tables(tmp_path)))
    full = 2
    assert await store.value(text("PRAGMA synchronous")) == full
    await store.close()


async def test_sessions_are_stored_as_hashes_and_expire(services: Services) -> None:
    person = somebody()
    await services.accounts.add(person)
    token = await services.sessions.begin(person.id, 1)
    old = await services.sessions.begin(person.id, -1)
    assert await services.sessions.person(hashed(token)) == person
    assert await services.sessions.person(hashed(old)) is None
    async with services.store.reading() as connection:
        stored = [row.token for row in await connection.execute(text("SELECT token FROM sessions"))]
    assert token not in stored
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
    token, _ = await services.one_time_links.create(person.id, "referee", hours=1)
    assert (await services.one_time_links.use(token)).role == "referee"
    for bad in (token, "no such token", (await services.one_time_links.create(person.id, None, hours=-1))[0]):
        with pytest.raises(ServerError, match="link"):
            await services.one_time_links.use(bad)


async def test_account_names_are_unique(services: Services) -> None:
    await services.accounts.add(replace(somebody(account="mina"), password="hash"))
    with pytest.raises(ServerError) as caught:
        await services.accounts.add(somebody(account="mina"))
    assert caught.value.code == "name_taken"
    account = await services.accounts.by_account("mina")
    assert account is not None
    assert account.password == "hash"
    assert await services.accounts.number_of_accounts() == 1


async def test_stored_tables_and_games_are_loaded_unchanged(services: Services) -> None:
    row, game = await create_game(services)
    assert await services.seating.find(row.id) == row
    assert await services.games.of_table(row.id, 1) == game
    assert await services.games.find("nothing") is None


async def test_finished_games_are_listed(services: Services) -> None:
    row, game = await create_game(services)
    assert (await services.games.finished(None, None, 10)).rows == []
    result = {"final": [1, 2, 3, -6], "places": [3, 2, 1, 4]}
    ended = replace(game, status="finished", ended=77, hands=9, result=result)
    await services.games.end(ended, row, [b"a hand"], 0, {})
    assert await services.games.hands(ended.id) == [b"a hand"]
    assert (await services.games.finished(None, None, 10)).rows == [ended]
    assert (await services.games.finished(None, "p1", 10)).rows == [ended]
    assert (await services.games.finished(None, "p2", 10)).rows == []
    assert (await services.games.finished(PageEnd(77), None, 10)).rows == []


async def test_concurrent_actions_share_one_commit(services: Services) -> None:
    _, game = await create_game(services)
    commits: list[object] = []
    event.listen(services.store.engine.sync_engine, "commit", commits.append)
    services.writer.start()
    await asyncio.gather(*(services.writer.write(Move(game.id, i, i % 4, "5m*")) for i in range(100)))
    assert await services.games.moves(game.id) == [(i % 4, "5m*") for i in range(100)]
    assert 1 <= len(commits) <= 3


async def test_an_unstorable_action_is_refused_and_the_others_are_written(
    services: Services,
) -> None:
    (_, game), (_, other) = await create_game(services), await create_game(services)
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


async def test_doubtful_actions_are_removed_before_later_ones_are_written(services: Services) -> None:
    """If the result of a commit is unknown, the rows it may have written do not block later actions."""
    _, game = await create_game(services)
    services.writer.start()
    for i in range(3):
        await services.writer.write(Move(game.id, i, i, "1m"))
    services.writer.doubt(game.id, 2)
    await services.writer.write(Move(game.id, 2, 3, "9p"))
    assert await services.games.moves(game.id) == [(0, "1m"), (1, "1m"), (3, "9p")]


async def test_rules_are_stored_by_fingerprint(services: Services) -> None:
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


async def test_uploads_are_stored_within_their_limits(services: Services) -> None:
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


async def test_time_reserves_are_stored_with_the_actions(services: Services) -> None:
    _, game = await create_game(services)
    services.writer.start()
    for number, bank in enumerate((None, 9000, None, 0, 4000)):
        await services.writer.write(Move(game.id, number, number % 4, "1m", bank))
    moves = await moves_of(services.store, game.id, "other")
    assert banks_of(moves[game.id], 0) == [(1, 9000), (3, 0), (0, 4000)]
    assert banks_of(moves[game.id], 2) == [(3, 0), (0, 4000)]
    assert banks_of(moves["other"], 0) == []


async def test_writing_resumes_automatically(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing resumes without a new action, and rows of the failed commit are removed."""
    monkeypatch.setattr(writer, "RETRY_S", (0.0, 0.001))
    _, game = await create_game(services)
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
    """PostgreSQL cannot store NUL in a text; a client that sends one must not stop all tables."""
    if services.store.sqlite:
        assert await services.uploads.add("\x00", "x", "p", Limits())
        return
    with pytest.raises(ServerError) as caught:
        await services.uploads.add("\x00", "x", "p", Limits())
    assert "UTF8" not in caught.value.message("en"), "driver messages are not shown to clients"
    assert caught.value.code == "unstorable_text"
    with pytest.raises(ServerError) as caught:
        await services.seating.find("\x00")
    assert caught.value.code == "unstorable_text"
    assert not services.store.broken.is_set()


async def test_guests_who_cannot_return_are_deleted(services: Services) -> None:
    row, game = await create_game(services)
    people = {name: somebody(name) for name in ("gone", "signed in", "linked", "seated", "owner")}
    people["account"] = somebody("account", "account")
    for person in people.values():
        await services.accounts.add(person)
    await services.sessions.begin(people["signed in"].id, 90)
    await services.sessions.begin(people["gone"].id, 1)
    await services.one_time_links.create(people["linked"].id, None, hours=24 * 90)
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
    row, _ = await create_game(services)
    closed = replace(row, id="closed00", status="closed", game=0)
    await services.seating.add(closed)
    await services.cleanup.tidy()
    assert await services.seating.find(closed.id)
    await services.cleanup.tidy(now_ms() + 2 * DAY_MS)
    assert await services.seating.find(closed.id) is None
    assert await services.seating.find(row.id) == row


async def test_an_entry_stays_when_its_guest_is_deleted(services: Services) -> None:
    """The results stay with the entry, and the rules stay with the event."""
    mina, guest = somebody(account="mina"), somebody()
    await services.accounts.add(mina)
    await services.accounts.add(guest)
    opened = await create_event(services, mina)
    async with services.events.changing(opened, guest) as change:
        entry = await register(change, guest, ListedPlayer("Guest"))
    async with services.store.writing() as connection:
        await connection.execute(update(PersonRow).values(created=0))
    await services.cleanup.tidy()
    assert await services.accounts.find(guest.id) is None
    entries = await services.entries.all(opened)
    assert [(row.id, row.name, row.person) for row in entries] == [(entry.id, "Guest", None)]
    log = await services.event_log.read(opened, None, None, 10)
    assert [(row.action, row.name) for row in log] == [("entry", "–"), ("create", mina.name)]


async def create_event(services: Services, who: PersonRow) -> str:
    """Create an event with ``who`` as its organiser; return the id of the event."""
    return await create(services, who, CreateEvent(name="E", rules="tenhou"))


# The actions of an old game are packed into one row, and readers see no difference


MOVES = (
    StoredMove(0, "5m*"),
    StoredMove(1, "3z", bank=1500),
    StoredMove(2, "pon", absent=1),
    StoredMove(1, "1p_", bank=0),
)


async def play_game(services: Services, ended: int, status: str = "finished") -> str:
    row, game = await create_game(services)
    for number, move in enumerate(MOVES):
        await services.writer.write(Move(game.id, number, *move))
    if status != "playing":
        over = replace(game, status=status, ended=ended, hands=1)
        await services.games.end(over, row, [b"a hand"], 0, {})
    return game.id


async def read(services: Services, game: str) -> list[object]:
    games = services.games
    return [
        await games.moves(game),
        await games.absent_moves(game),
        (await moves_of(services.store, game))[game],
        await games.hands(game),
    ]


async def row_counts(services: Services, game: str) -> tuple[int, int]:
    store = services.store
    counts = [select(func.count()).where(one.game == game) for one in (ActionRow, PackedMoves)]
    return await store.value(counts[0]) or 0, await store.value(counts[1]) or 0


async def test_packed_games_are_read_unchanged(services: Services) -> None:
    services.writer.start()
    ends = ((100, "finished"), (100, "aborted"), (900, "finished"), (0, "playing"))
    old, aborted, young, running = [await play_game(services, *end) for end in ends]
    before = {game: await read(services, game) for game in (old, aborted, young, running)}
    packing = Packing(services.store)
    assert await packing.pack(500) == 2
    assert [await row_counts(services, game) for game in (old, aborted)] == [(0, 1)] * 2
    assert [await row_counts(services, game) for game in (young, running)] == [(len(MOVES), 0)] * 2
    assert {game: await read(services, game) for game in before} == before
    assert await packing.pack(500) == 0
    assert await packing.pack(1000) == 1
    assert await Packing(services.store).pack(1000) == 0  # a new process
    assert {game: await read(services, game) for game in before} == before


async def test_games_ending_at_the_same_time_are_all_packed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.server.storage.cleanup.SCAN_BATCH", 2)
    services.writer.start()
    games = [await play_game(services, 100) for _ in range(5)]
    assert await Packing(services.store).pack(500) == 5
    assert {await row_counts(services, game) for game in games} == {(0, 1)}


def test_packing_and_unpacking_actions_round_trips() -> None:
    assert unpacked(packed(MOVES)) == list(MOVES)


# Waiting for a database connection, and failures while waiting


async def test_many_concurrent_requests_are_not_reported_as_a_database_failure(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With more requests than connections, some wait longer than the answer timeout, but all are served."""
    monkeypatch.setattr("jantaku.server.storage.store.ANSWER_S", 0.05)
    caplog.set_level(logging.WARNING, "jantaku.server")
    monkeypatch.setattr(services.store.engine.pool, "_timeout", 0.05)

    async def read() -> None:
        async with services.store.reading():
            await asyncio.sleep(0.02)

    await asyncio.gather(*(read() for _ in range(200)))
    assert await services.store.check()
    assert not [record for record in caplog.records if "fails" in record.getMessage()]


async def test_a_task_with_a_connection_can_use_another(services: Services) -> None:
    """If a task had to wait for a second connection, all tasks could end up waiting for each other."""
    halfway = asyncio.Barrier(CONNECTIONS)

    async def read_twice() -> None:
        async with services.store.reading():
            await halfway.wait()
            assert await services.accounts.find("nobody") is None

    async with asyncio.timeout(30):
        await asyncio.gather(*(read_twice() for _ in range(CONNECTIONS)))


async def test_a_queued_task_fails_when_the_database_fails(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.server.storage.store.ANSWER_S", 0.05)
    free = asyncio.Event()

    async def hold() -> None:
        async with services.store.reading():
            await free.wait()

    holding = [asyncio.create_task(hold()) for _ in range(CONNECTIONS)]
    await asyncio.sleep(0.2)
    services.store.faults.report(OSError("gone"))
    with pytest.raises(ServerError, match="save"):
        await services.accounts.find("nobody")
    free.set()
    await asyncio.gather(*holding)
    assert await services.accounts.find("nobody") is None


async def test_concurrent_database_checks_all_succeed(services: Services) -> None:
    """One of the checks starts just as a check shared by the others ends."""

    async def looks() -> list[bool]:
        return [await services.store.check() for _ in range(20)]

    assert all(map(all, await asyncio.gather(*(looks() for _ in range(10)))))


# A stored row that cannot be read does not affect the rest of its list


CLUB = 'extends = "tenhou"\n[name]\nen = "Club {number}"\n[riichi]\ndeposit = {number}00\n'
BROKEN_TREES = [
    '{"name": {"en": 5}}', "{", "[]", "null", '{"match": {"uma": [1]}}', '{"yaku": {"foo": 0}}', "[" * 5000,
]  # fmt: skip


@pytest.mark.slow
def test_unreadable_rules_do_not_break_lists(
    serve: Serve, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_rows, "_LOGGED", OrderedDict())  # each damaged row is logged only once
    mina = Person(serve(limits=only_limits(tables_of_one=100)), "Mina")
    numbers = range(1, len(BROKEN_TREES) + 2)
    sound, *broken = (
        mina.post("/api/rules", toml=CLUB.replace("{number}", str(number)))["id"] for number in numbers
    )
    tables = {rules: mina.table(rules=rules)["id"] for rules in (sound, "standard", *broken)}
    serve.stack.close()
    for tree, rules in zip(BROKEN_TREES, broken, strict=True):
        rows(serve.data, "UPDATE rulesets SET tree = ? WHERE fingerprint = ?", tree, rules)
    with caplog.at_level(logging.ERROR, "jantaku.server"):
        serve()
        names = {row["id"]: row["name"] for row in mina.get("/api/rules", lang="en")["rules"]}
        listed = {table["id"] for table in mina.get("/api/tables")["tables"]}
    assert listed == {tables[sound], tables["standard"]}
    assert names[sound] == "Club 1"
    for number, rules in enumerate(broken, 2):
        assert names[rules] == f"Club {number} (cannot be read)"
        for request in (f"GET /api/tables/{tables[rules]}", f"GET /api/rules/{rules}"):
            mina.refused("rules_unreadable", request)
        mina.refused("rules_unreadable", "/api/tables", rules=rules)
        mina.delete(f"/api/rules/{rules}")
    assert any("cannot be read" in record.getMessage() for record in caplog.records)


@pytest.mark.slow
def test_unreadable_games_and_tables_do_not_break_lists(serve: Serve) -> None:
    mina = Person(serve(), "Mina")
    spoilt = ("players = '{'", "result = '{'", "players = '[5]'", "rules = 'x', fingerprint = 'x'")
    games = [mina.start()[0] for _ in range(len(spoilt) + 1)]
    tables = [mina.table()["id"] for _ in range(2)]
    serve.stack.close()
    rows(serve.data, "UPDATE games SET status = 'finished', ended = 5")
    for table, columns in zip(games, spoilt, strict=False):
        rows(serve.data, f"UPDATE games SET {columns} WHERE table_id = ?", table)
    for table in games:
        rows(serve.data, "UPDATE tables SET status = 'over' WHERE id = ?", table)
    rows(serve.data, "UPDATE tables SET options = '{' WHERE id = ?", tables[0])
    serve()
    names = [game["rules_name"] for game in mina.get("/api/games", lang="en")["games"]]
    assert len([name for name in names if name != "cannot be read"]) == 1
    assert {table["id"] for table in mina.get("/api/tables")["tables"]} == {tables[1]}
    mina.get(f"/api/tables/{tables[1]}")
    mina.refused("no_table", f"GET /api/tables/{tables[0]}")


# Lists in pages: rows of the same millisecond appear only once, and damaged rows are skipped


Read = Callable[[PageEnd | None, int], Awaitable[ListPage[Any]]]
COUNT, AT = 5, 1_750_000_000_000


async def with_events(services: Services, mina: PersonRow) -> Read:
    for i in range(COUNT):
        await create(services, mina, CreateEvent(name=f"E{i}", rules="tenhou"))
    async with services.store.writing() as connection:
        await connection.execute(update(EventRow).values(created=AT, listed=True))
    return lambda before, limit: services.events.of(None, before, limit)


async def with_seasons(services: Services, mina: PersonRow) -> Read:
    for i in range(COUNT):
        await services.seasons.add(SeasonRow(new_id(), f"S{i}", 20, True, mina.id, AT), COUNT)
    return lambda before, limit: services.seasons.of(None, before, limit)


async def with_games(services: Services, mina: PersonRow) -> Read:
    table = TableRow("t", "t", "p", "tenhou", "f" * 16, TableOptions(), 4, "closed", 1, AT)
    games = [
        GameRow(new_id(), "t", i + 1, b"s", "tenhou", "f" * 16, (), "finished", AT, AT, 1)
        for i in range(COUNT)
    ]
    async with services.store.writing() as connection:
        await connection.execute(insert(TableRow).values(table.values()))
        await connection.execute(insert(GameRow), [game.values() for game in games])
        own = [PlayerRow(game.id, i % 4, mina.id, AT, None) for i, game in enumerate(games)]
        other = [PlayerRow(game.id, (i + 1) % 4, "other", None, None) for i, game in enumerate(games)]
        await connection.execute(insert(PlayerRow), [row.values() for row in own + other])
    return lambda before, limit: services.games.finished(before, None, limit)


async def with_own_games(services: Services, mina: PersonRow) -> Read:
    await with_games(services, mina)
    assert (await services.games.finished(None, "other", COUNT)).rows == [], (
        "the other player's games have no end"
    )
    return lambda before, limit: services.games.finished(before, mina.id, limit)


@pytest.mark.parametrize("made", [with_events, with_seasons, with_games, with_own_games])
async def test_every_row_of_the_same_time_is_on_exactly_one_page(services: Services, made: Any) -> None:
    mina = somebody("Mina", "mina")
    await services.accounts.add(mina)
    read: Read = await made(services, mina)
    ids: list[str] = []
    before: PageEnd | None = None
    for _ in range(COUNT):
        page = await read(before, 2)
        ids += [row.id for row in page.rows]
        if page.next is None:
            break
        before = PageEnd.parse(str(page.next))
    assert len(ids) == len(set(ids)) == COUNT
    assert (await read(PageEnd(AT), 2)).rows == []  # a position that has no id


async def test_a_damaged_row_does_not_end_the_list(services: Services) -> None:
    mina = somebody("Mina", "mina")
    await services.accounts.add(mina)
    read = await with_games(services, mina)
    newest = max(row.id for row in (await read(None, COUNT)).rows)
    async with services.store.writing() as connection:
        damage = text("UPDATE games SET players = '{' WHERE id = :id")
        await connection.execute(damage, {"id": newest})
    page = await read(None, 2)
    assert len(page.rows) == 1
    assert page.next is not None
    assert len((await read(page.next, COUNT)).rows) == COUNT - 2


@pytest.mark.parametrize(("text", "position"), [(None, None), ("5", (5, "")), ("5.a-b_c", (5, "a-b_c"))])
def test_page_positions_are_parsed(text: str | None, position: tuple[int, str] | None) -> None:
    assert PageEnd.parse(text) == position
    assert POSITION.startswith("^")


# The number of SQL statements for a page does not grow with its content


@contextmanager
def counted() -> Iterator[list[str]]:
    """Record the SQL statements that are executed inside the block."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def statements(person: Person, path: str) -> int:
    """Return the number of SQL statements for a page that was requested before."""
    person.get(path)
    with counted() as sent:
        person.get(path)
    return len(sent)


PAGES = (
    "", "/entries", "/games", "/standings", "/payments", "/statistics", "/players/{player}", "/rounds/main",
    "/calls", "/doubts", "/penalties", "/log", "/claims", "/names", "/bets", "/file",
)  # fmt: skip


@pytest.fixture(scope="module")
def cups(url: str) -> list[Club]:
    """Two events, one of 8 and one of 24 people."""
    made = [Club(url, people) for people in (8, 24)]
    for cup in made:
        assert len([*cup.players]) == 4
        cup.seat(rounds=3)
        cup.run("publish")
        cup.play_round()
        cup.penalise("p0", -1, stage="main")
    return made


@of_one_process
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.slow
def test_an_event_page_needs_a_constant_number_of_statements(cups: list[Club], page: str) -> None:
    few, many = (statements(cup.organiser, cup.at + page.format(player="p0")) for cup in cups)
    assert few == many < (60 if page == "/file" else 30)  # an event file contains everything


@of_one_process
@pytest.mark.slow
def test_lists_and_statistics_need_a_constant_number_of_statements(url: str) -> None:
    """The people play in one, two and three leagues."""
    mina = Account(url, "player")
    numbers = {}
    for number in (1, 2, 3):
        club = Club(url, 8)
        club.entries[0] = mina.post(f"{club.at}/entries")["id"]
        for count in range(number):
            game = club.game(f"{number}-{count}", club.organiser)
            game.enter(RON)
            game.post("points", scores=SCORES, why="paper")
        numbers[number] = [
            statements(mina, path) for path in ("/api/me/profile", "/api/events", "/api/events?mine=true")
        ]
        clubs = mina.get("/api/me/profile")["clubs"]
        assert sum(club["games"] for club in clubs) == number * (number + 1) // 2
    assert numbers[1] == numbers[2] == numbers[3]


# Expensive responses about events are computed only once, and exports do not delay other long jobs


class Work:
    """A computation that counts its calls; the first ``fails`` calls fail."""

    def __init__(self, fails: int = 0) -> None:
        self.done, self._fails = 0, fails

    async def __call__(self) -> int:
        self.done += 1
        await asyncio.sleep(0.01)
        if self.done <= self._fails:
            raise ValueError
        return self.done


async def test_simultaneous_requests_share_one_computation_even_if_one_is_cancelled() -> None:
    cache, work = ResponseCache(2), Work()
    assert await asyncio.gather(*(cache.get("a", work) for _ in range(50))) == [1] * 50
    assert [await cache.get(key, work) for key in ("a", "b", "a", "c", "a", "b")] == [1, 2, 1, 3, 1, 4]
    cache, work = ResponseCache(2), Work()
    first = asyncio.create_task(cache.get("a", work))
    second = asyncio.create_task(cache.get("a", work))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second, work.done) == (1, 1)


async def test_a_failed_computation_is_retried() -> None:
    cache, work = ResponseCache(2), Work(fails=1)
    with pytest.raises(ValueError):  # noqa: PT011
        await cache.get("a", work)
    assert await cache.get("a", work) == 2


async def test_an_expired_response_is_recomputed() -> None:
    cache, work = ResponseCache(2, 0.2), Work()
    assert [await cache.get("a", work) for _ in range(3)] == [1, 1, 1]
    await asyncio.sleep(0.25)
    assert await cache.get("a", work) == 2


async def test_a_seating_does_not_wait_for_an_export(monkeypatch: pytest.MonkeyPatch) -> None:
    exports: tuple[Callable[..., Any], ...] = (
        event_jobs.export_event,
        event_jobs.export_ranking_file,
        event_jobs.report_event,
    )
    assert all(is_export(job) and is_long(job) for job in exports)
    assert not is_export(make_seating)
    workers, going, release = Workers(Limits()), list[str](), asyncio.Event()

    async def run(_self: Workers, function: object, _arguments: object) -> None:
        going.append(getattr(function, "__name__", ""))
        if function is not make_seating:
            await release.wait()

    monkeypatch.setattr(Workers, "_run", run)
    running = [
        asyncio.create_task(workers.run(Principal(str(i), str(i)), job)) for i, job in enumerate(exports)
    ]
    await asyncio.sleep(0)
    async with asyncio.timeout(2):
        await workers.run(Principal("organiser", "x"), make_seating)
    assert "make_seating" in going
    release.set()
    await asyncio.gather(*running)

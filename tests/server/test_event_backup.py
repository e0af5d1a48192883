"""The whole club in one file: from SQLite and PostgreSQL, into either, now and after years."""

import gzip
import hashlib
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from jantaku.cli.app import app
from jantaku.errors import RequestError
from jantaku.server.events.registration.entries import Listed, add_listed
from jantaku.server.events.results.event_standings import StandingsCache
from jantaku.server.run import prepare
from jantaku.server.settings import DATABASE_FILE, Settings
from jantaku.server.storage.accounts import PersonRow, new_id
from jantaku.server.storage.backup import LEFT_OUT, write_backup
from jantaku.server.storage.restore import read_backup
from jantaku.server.storage.schema import METADATA, server_keys
from jantaku.server.storage.server_keys import BACKED_UP, ONE_TIMES, server_key
from jantaku.server.storage.services import Services
from server.parlour import IMPORTS
from server.test_event_online import League
from support.playing import played

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
STORED = Path(__file__).parents[1] / "data" / "stored" / "backup-1.jsonl.gz"
Rows = dict[str, list[tuple[Any, ...]]]


async def rows_of(settings: Settings) -> Rows:
    """All rows of a database that a backup has, in a fixed order."""
    services = Services(settings)
    try:
        async with services.store.reading() as connection:
            lines = {}
            for table in METADATA.sorted_tables:
                if table.name not in LEFT_OUT:
                    query = table.select()
                    if table is server_keys:
                        query = query.where(table.c.name.in_(BACKED_UP))
                    rows = await connection.execute(query)
                    lines[table.name] = sorted((tuple(row) for row in rows), key=repr)
            return lines
    finally:
        await services.store.close()


@pytest.fixture(params=["sqlite", "postgres"])
async def empty(
    request: pytest.FixtureRequest, tmp_path: Path, anyio_backend: str
) -> AsyncIterator[Settings]:
    """An empty database of the other kind."""
    if request.param == "sqlite":
        yield Settings(data_dir=tmp_path / "empty")
        return
    cluster = request.getfixturevalue("cluster")
    admin = Services(Settings(data_dir=tmp_path, database_url=cluster.url))
    name = f"club_{new_id()}"
    async with admin.store.engine.connect() as connection:
        plain = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await plain.execute(text(f"CREATE DATABASE {name}"))
    await admin.store.close()
    yield Settings(data_dir=tmp_path, database_url=cluster.url.replace("/postgres?", f"/{name}?"))


async def club(services: Services) -> Settings:
    """A club with a league, a game of the parlour in it, hands as bytes, and texts of every script."""
    league = League(services)
    await league.open()
    await league.play(played("tenhou", 3))
    await league.counter.decide_all()
    async with services.events.changing(league.event, league.people[0]) as change:
        await add_listed(change, [Listed('민수 "姫" 🀄', "팀")])
    return services.settings


@pytest.mark.slow
async def test_a_backup_goes_from_any_database_into_any_and_back(
    services: Services, empty: Settings, tmp_path: Path
) -> None:
    settings, first, second = await club(services), tmp_path / "first", tmp_path / "second"
    before = await rows_of(settings)
    assert all(before[name] for name in ("people", "events", "recorded_games", "hand_versions", "hands"))
    await write_backup(settings, first)
    assert first.stat().st_mode & 0o777 == 0o600
    counts = await read_backup(empty, first)
    assert counts == {name: len(rows) for name, rows in before.items() if rows}
    assert await rows_of(empty) == before
    await write_backup(empty, second)
    back = Settings(data_dir=tmp_path / "back")
    await read_backup(back, second)
    assert await rows_of(back) == before
    again = Services(back)
    await again.store.open()  # nothing is left to migrate
    event = await again.events.find(before["events"][0][0])
    answers = [await StandingsCache(site).get(event) for site in (again, services)]
    await again.store.close()
    assert answers[0] == answers[1]


async def test_every_table_is_in_a_backup_or_left_out_on_purpose(services: Services, tmp_path: Path) -> None:
    await write_backup(services.settings, tmp_path / "file")
    lines = gzip.decompress((tmp_path / "file").read_bytes()).decode().splitlines()
    assert json.loads(lines[0])["jantaku_backup"] == 1
    named = {
        json.loads(line)["table"]: json.loads(line)["columns"] for line in lines[1:-1] if '"table"' in line
    }
    assert set(named) == {table.name for table in METADATA.sorted_tables} - set(LEFT_OUT)
    assert set(named["people"]) == set(METADATA.tables["people"].columns.keys())


async def test_a_backup_cannot_be_searched_for_a_short_code(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where what is sent by mail has six digits, of which every one can be tried."""
    code = "421337"
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: code)
    assert await services.sign_in.put("recover", None, {}, 3600) == code
    await write_backup(services.settings, tmp_path / "file")
    dumped = gzip.decompress((tmp_path / "file").read_bytes())
    (row,) = (json.loads(line) for line in dumped.splitlines() if b'"recover"' in line)
    found = set(row)
    guesses = (f"{number:06}".encode() for number in range(10**6))
    assert not any(hashlib.sha256(guess).hexdigest() in found for guess in guesses)
    assert code not in found
    assert (await server_key(services.store, ONE_TIMES)).hex().encode() not in dumped
    assert await services.sign_in.take("recover", "421338") is None
    assert await services.sign_in.take("recover", code)
    assert await services.sign_in.take("recover", code) is None


async def test_what_opens_an_account_is_kept_by_a_backup_and_found_by_no_guess(
    services: Services, tmp_path: Path
) -> None:
    """Addresses, subjects and codes can be guessed; without the key no guess can be compared with a row."""
    address, subject, code = "mina@example.org", "https://id.example.org\n1001", "421337"
    mina = await services.accounts.add(PersonRow(new_id(), "Mina", "mina", "member", "en"))

    async def found(among: Services) -> list[PersonRow | None]:
        ways = among.sign_in
        return [
            *await ways.of_address(await ways.mark(address), 2),
            await ways.identity(await ways.mark(subject)),
        ]

    await services.sign_in.set_address(mina.id, await services.sign_in.mark(address))
    await services.sign_in.add_identity(mina.id, await services.sign_in.mark(subject))
    await services.recovery.replace(mina.id, [code])
    assert await found(services) == [mina, mina]
    rows = repr(await rows_of(services.settings))
    for guessed in (address, subject, code):
        assert hashlib.sha256(guessed.encode()).hexdigest() not in rows
        assert guessed not in rows
    await write_backup(services.settings, tmp_path / "file")
    back = Services(Settings(data_dir=tmp_path / "back"))
    await read_backup(back.settings, tmp_path / "file")
    await back.store.open()
    try:
        assert await found(back) == [mina, mina]
        assert not await back.recovery.use(mina.id, "421338", "hash")
        assert await back.recovery.use(mina.id, code, "hash")
    finally:
        await back.store.close()


async def test_a_database_with_data_is_only_replaced_if_asked(services: Services) -> None:
    settings = await club(services)
    with pytest.raises(RequestError, match="people") as refused:
        await read_backup(settings, STORED)
    assert refused.value.code == "restore_not_empty"
    counts = await read_backup(settings, STORED, replace=True)
    assert counts["people"] == 4
    assert [row[1] for row in (await rows_of(settings))["events"]] == ['{"ko": "리그"}']


def prepare_in(settings: Settings) -> None:
    """Make a database with an admin in it, in a thread: it runs an event loop of its own."""
    thread = threading.Thread(target=prepare, args=(settings,), kwargs={"admin": True})
    thread.start()
    thread.join()


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "cut lines": lambda data: gzip.compress(b"\n".join(gzip.decompress(data).splitlines()[:-3]) + b"\n"),
    "changed": lambda data: gzip.compress(gzip.decompress(data).replace(b'"tenhou"', b'"tenhoi"', 1)),
    "no backup": lambda _: b"SQLite format 3\0",
    "not json": lambda _: gzip.compress(b"{\n"),
    "no mark": lambda _: gzip.compress(b"{}\n"),
    "odd row": lambda data: gzip.compress(data_with(data, b"[1,2,3]\n")),
    "odd table": lambda data: gzip.compress(data_with(data, b'{"table":"x","columns":["a"]}\n[1]\n')),
    "empty": lambda _: b"",
}


def data_with(data: bytes, line: bytes) -> bytes:
    head, rest = gzip.decompress(data).split(b"\n", 1)
    return head + b"\n" + line + rest


@pytest.fixture
def other(tmp_path: Path) -> Settings:
    """A database with an admin in it."""
    settings = Settings(data_dir=tmp_path / "other")
    prepare_in(settings)
    return settings


@pytest.mark.parametrize("name", DAMAGE)
async def test_a_damaged_file_changes_nothing(other: Settings, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(DAMAGE[name](STORED.read_bytes()))
    before = await rows_of(other)
    with pytest.raises(RequestError) as refused:
        await read_backup(other, tmp_path / "file", replace=True)
    assert refused.value.code == "backup_unreadable"
    assert await rows_of(other) == before


@pytest.mark.parametrize(
    "line", ['{"jantaku_backup":2,"schema":"0001"}', '{"jantaku_backup":1,"schema":"9999"}']
)
async def test_a_newer_backup_says_so(tmp_path: Path, line: str) -> None:
    (tmp_path / "file").write_bytes(gzip.compress(f"{line}\n".encode()))
    with pytest.raises(RequestError) as refused:
        await read_backup(Settings(data_dir=tmp_path), tmp_path / "file")
    assert refused.value.code == "backup_newer"


@pytest.mark.slow
async def test_a_restore_that_is_killed_leaves_the_database_as_it_was(
    other: Settings, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    before = await rows_of(other)
    os.mkfifo(pipe)
    code = "import sys;from pathlib import Path;from jantaku.server.settings import Settings;"
    code += "from jantaku.server.storage.restore import restore;"
    code += "restore(Settings(data_dir=Path(sys.argv[1])), Path(sys.argv[2]), replace=True)"
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(other.data_dir), str(pipe)], env=os.environ | {"PYTHONPATH": IMPORTS}
    )
    data, log = STORED.read_bytes(), other.data_dir / f"{DATABASE_FILE}-wal"
    with pipe.open("wb") as feeding:  # all but the end: the command waits for it within its transaction
        feeding.write(data[:-64])
        feeding.flush()
        for _ in range(200):
            if log.exists() and process.poll() is None:
                break
            time.sleep(0.05)
        time.sleep(0.5)
        assert process.poll() is None
        process.kill()
        process.wait()
    assert await rows_of(other) == before
    assert (await read_backup(other, STORED, replace=True))["recorded_games"] == 1


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_the_commands_copy_and_bring_back(language: str, tmp_path: Path) -> None:
    def called(command: str, *arguments: str) -> Any:
        return CliRunner().invoke(app, ["--lang", language, command, *arguments])

    data, other, file = (str(tmp_path / name) for name in ("data", "other", "file"))
    for missing in (called("backup", file, "--data", data), called("upgrade", "--data", data)):
        assert (missing.exit_code, Path(file).exists()) == (2, False)
        assert DATABASE_FILE in missing.output
    prepare(Settings(data_dir=Path(data)), admin=True)
    assert called("upgrade", "--data", data).exit_code == 0
    done = called("backup", file, "--data", data)
    assert done.exit_code == 0, done.output
    assert file in done.output
    assert called("backup", file, "--data", data).exit_code == 2  # never over a file
    assert called("backup", str(tmp_path / "nowhere" / "x"), "--data", data).exit_code == 2
    restored = called("restore", file, "--data", other)
    assert restored.exit_code == 0, restored.output
    again = called("restore", file, "--data", other)
    assert again.exit_code == 2
    assert "--replace" in again.output
    assert called("restore", file, "--data", other, "--replace").exit_code == 0

"""The whole club in one file, from SQLite and PostgreSQL, and back again."""

import shutil
import sqlite3
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from jantaku.cli.app import app
from jantaku.server.run import prepare
from jantaku.server.settings import DATABASE_FILE, Settings
from jantaku.server.storage.backup import backup
from jantaku.server.storage.schema import METADATA
from jantaku.server.storage.services import Services
from server.test_event_online import League
from support.playing import played

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def rows_of(settings: Settings) -> dict[str, list[tuple[Any, ...]]]:
    services = Services(settings)
    try:
        async with services.store.reading() as connection:
            found = {}
            for table in METADATA.sorted_tables:
                rows = await connection.execute(table.select())
                found[table.name] = sorted(map(tuple, rows), key=repr)
            return found
    finally:
        await services.store.close()


@pytest.fixture
async def empty(services: Services, tmp_path: Path) -> Settings:
    """A new database of the same kind."""
    url = services.settings.database_url
    if url:
        async with services.store.engine.connect() as connection:
            plain = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await plain.execute(text("CREATE DATABASE restored"))
        url = "/".join([url.partition("?")[0].rpartition("/")[0], "restored?" + url.partition("?")[2]])
    return Settings(data_dir=tmp_path / "restored", database_url=url)


async def test_a_copy_of_a_running_server_is_restored(
    services: Services, empty: Settings, tmp_path: Path
) -> None:
    league = League(services)
    await league.open()
    await league.play(played("tenhou", 3))
    await league.counter.decide_all()
    before, file = await rows_of(services.settings), tmp_path / "file"
    assert all(before[name] for name in ("people", "events", "recorded_games", "hand_versions", "hands"))
    kind = backup(services.settings, file)
    assert file.stat().st_mode & 0o777 == 0o600
    if kind == "sqlite":
        empty.data_dir.mkdir()
        shutil.copy(file, empty.data_dir / DATABASE_FILE)
    else:
        url = empty.database_url.replace("postgresql+asyncpg:", "postgresql:")
        subprocess.run(["pg_restore", "--no-owner", f"--dbname={url}", str(file)], check=True)
    assert await rows_of(empty) == before
    again = Services(empty)
    await again.store.open()
    await again.store.close()


async def test_a_copy_has_what_is_committed_while_it_is_made(tmp_path: Path) -> None:
    """Half of a transaction is in no copy, though the file changes below it."""
    settings = Settings(data_dir=tmp_path / "data")
    thread = threading.Thread(target=prepare, args=(settings,), kwargs={"admin": True})
    thread.start()
    thread.join()
    writing = sqlite3.connect(settings.data_dir / DATABASE_FILE, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("UPDATE people SET name = 'half'")
    backup(settings, tmp_path / "copy")
    writing.close()
    copy = sqlite3.connect(tmp_path / "copy")
    assert copy.execute("SELECT count(*) FROM people WHERE name = 'half'").fetchone() == (0,)
    copy.close()


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_the_command_copies_and_says_how_to_restore(language: str, tmp_path: Path) -> None:
    def called(command: str, *arguments: str) -> Any:
        return CliRunner().invoke(app, ["--lang", language, command, *arguments])

    data, file = (str(tmp_path / name) for name in ("data", "file"))
    for missing in (called("backup", file, "--data", data), called("upgrade", "--data", data)):
        assert (missing.exit_code, Path(file).exists()) == (2, False)
        assert DATABASE_FILE in missing.output
    prepare(Settings(data_dir=Path(data)), admin=True)
    assert called("upgrade", "--data", data).exit_code == 0
    done = called("backup", file, "--data", data)
    assert done.exit_code == 0, done.output
    assert file in done.output
    assert f"{DATABASE_FILE}-wal" in done.output
    assert called("backup", file, "--data", data).exit_code == 2  # never over a file
    assert called("backup", str(tmp_path / "nowhere" / "x"), "--data", data).exit_code == 2

"""One server per database, whose files only their owner can read."""

import os
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from jantaku import terms
from jantaku.errors import RequestError
from jantaku.server.settings import DATABASE_FILE, Settings
from jantaku.server.storage.backup import backup
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import RESHAPING, Store
from server.parlour import IMPORTS, Person, Process, free_port, open_server, quick
from server.postgres_cluster import Cluster
from server.sites import of_one_process

pytestmark = pytest.mark.anyio


def settings_of(folder: Path, cluster: Cluster | None) -> Settings:
    return quick(folder, database_url=cluster.url if cluster else "")


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    kind = request.param == "postgres"
    return settings_of(tmp_path, request.getfixturevalue("cluster") if kind else None)


async def begin(services: Services) -> None:
    await services.store.claim()
    await services.store.open()
    await services.lease.join()


@pytest.mark.slow
async def test_a_second_server_is_refused(settings: Settings) -> None:
    first, second = Services(settings), Services(settings)
    await begin(first)
    with pytest.raises(RequestError) as refused:
        await begin(second)
    assert refused.value.code == "already_running"
    for language in terms.LANGUAGES:
        assert second.store.where in refused.value.message(language)
    await first.lease.leave()
    await first.store.close()
    await begin(second)
    await second.lease.leave()
    await second.store.close()


async def test_a_server_that_knows_no_leases_is_noticed(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One from before would write to tables that others have."""
    monkeypatch.setattr("jantaku.server.storage.store.APART_S", 0.01)
    other, store = (Store(settings_of(tmp_path, cluster)) for _ in range(2))
    async with other.engine.connect() as connection:
        await connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": RESHAPING})
        with pytest.raises(RequestError) as refused:
            await store.open()
    assert refused.value.code == "already_running"
    for database in (other, store):
        await database.close()


@of_one_process
@pytest.mark.slow
def test_a_killed_server_leaves_no_lock(tmp_path: Path) -> None:
    process = Process(tmp_path, free_port())
    process.wait()
    command = [
        sys.executable,
        "-m",
        "jantaku",
        "--lang",
        "en",
        "serve",
        "--port",
        "0",
        "--data",
        str(tmp_path),
    ]
    environment = os.environ | {"PYTHONPATH": IMPORTS}
    second = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert second.returncode != 0
    assert "another server" in second.stderr
    assert "Traceback" not in second.stderr
    assert len(second.stderr.strip().splitlines()) == 1
    copy = tmp_path / "copy.sqlite3"
    backup(quick(tmp_path), copy)
    assert copy.stat().st_size > 0
    process.kill()
    with open_server(quick(tmp_path)) as url:
        assert httpx.get(f"{url}/api/health").status_code == 200


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@of_one_process
@pytest.mark.parametrize("there", [False, True])
@pytest.mark.slow
def test_data_files_are_readable_by_their_owner_only(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "data"
    if there:  # with wider modes, as an older version made them
        with open_server(quick(folder)):
            pass
        folder.chmod(0o755)
        for file in folder.iterdir():
            file.chmod(0o644)
    before = os.umask(0)
    try:
        with open_server(quick(folder)) as url, closing(Person(url, "Mina")):
            files = {file.name: mode(file) for file in folder.iterdir()}
            copy = tmp_path / "copy.sqlite3"
            backup(quick(folder), copy)
    finally:
        os.umask(before)
    assert mode(folder) == 0o700
    assert {DATABASE_FILE, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm"} <= set(files)
    assert set(files.values()) == {0o600}
    assert mode(copy) == 0o600


def test_a_shared_folder_keeps_its_mode(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    with open_server(quick(shared)):
        assert mode(shared / DATABASE_FILE) == 0o600
    assert mode(shared) == 0o1777

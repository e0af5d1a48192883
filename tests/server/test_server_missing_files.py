"""Database files deleted or replaced while the server runs: logged once, and nothing is stored."""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from jantaku.errors import RequestError
from jantaku.server.settings import DATABASE_FILE
from jantaku.server.storage.store import Store
from server.parlour import Person, open_server, quick
from server.sites import of_one_process

pytestmark = of_one_process

LOCK, LOG = f"{DATABASE_FILE}.lock", f"{DATABASE_FILE}-wal"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("jantaku.server.storage.files.LOOKS_S", 0.2)
    caplog.set_level(logging.WARNING, "jantaku.server")


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "The database" in record.getMessage()]


def status(url: str) -> int:
    return httpx.get(f"{url}/api/health", timeout=30).status_code


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def replace(file: Path) -> None:
    """Replace a file by another with the same contents, like a restored backup."""
    copy = file.with_name("copy")
    shutil.copy(file, copy)
    copy.replace(file)


GONE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "database deleted": (DATABASE_FILE, lambda folder: (folder / DATABASE_FILE).unlink()),
    "database replaced": (DATABASE_FILE, lambda folder: replace(folder / DATABASE_FILE)),
    "folder deleted": (DATABASE_FILE, shutil.rmtree),
    "folder moved": (DATABASE_FILE, lambda folder: folder.rename(folder.with_name("elsewhere"))),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GONE)
def test_a_missing_database_is_logged_once_and_shown_in_health(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    file, remove = GONE[name]
    folder = tmp_path / "data"
    with open_server(quick(folder)) as url, closing(Person(url, "Mina")) as mina:
        assert status(url) == 200
        remove(folder)
        assert status(url) == 503
        saved = mina.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"})
        assert saved.status_code == 503
        assert [status(url) for _ in range(3)] == [503] * 3
        assert len(told(caplog)) == 1
        assert f"{folder / file} was deleted or replaced" in told(caplog)[0]


@pytest.mark.slow
def test_a_missing_database_is_logged_without_a_request(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_server(quick(tmp_path)):
        (tmp_path / DATABASE_FILE).unlink()
        until(lambda: any("nothing is stored" in text for text in told(caplog)))


@pytest.mark.slow
def test_a_restored_database_is_used_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file, away = tmp_path / DATABASE_FILE, tmp_path / "away"
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        file.rename(away)
        assert mina.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"}).status_code == 503
        away.rename(file)
        until(lambda: status(url) == 200)
        mina.post("/api/rules", toml="[riichi]\ndeposit = 300")
        said = told(caplog)
        assert ["nothing is stored" in said[0], "works again" in said[1], len(said)] == [True, True, 2]


@pytest.mark.slow
def test_a_deleted_write_ahead_log_is_noticed_at_the_next_commit(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        (tmp_path / LOG).unlink()
        for _ in range(3):
            assert mina.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"}).status_code == 503
            assert status(url) == 503
        assert len(told(caplog)) == 1
        assert f"{LOG} was deleted" in told(caplog)[0]


@pytest.mark.slow
def test_a_missing_lock_file_is_logged_and_locked_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        with pytest.MonkeyPatch.context() as patch:  # or the lock could be taken again before we ask
            patch.setattr("jantaku.server.storage.files._opened", lambda _: None)
            (tmp_path / LOCK).unlink()
            assert status(url) == 503
        until(lambda: status(url) == 200)
        mina.post("/api/rules", toml="[riichi]\ndeposit = 300")
        said = told(caplog)
        assert ["deleted" in said[0], "works again" in said[1], len(said)] == [True, True, 2]
        with pytest.raises(RequestError, match="another"):
            asyncio.run(Store(quick(tmp_path)).claim())


@pytest.mark.slow
def test_a_lock_held_by_another_server_is_not_taken_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="locks of this system are others")
    theirs = tmp_path / "theirs"
    with open_server(quick(tmp_path)) as url:
        with theirs.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            theirs.replace(tmp_path / LOCK)
            for _ in range(5):
                assert status(url) == 503
                time.sleep(0.3)
        until(lambda: status(url) == 200)  # the other has ended
        assert len(told(caplog)) == 2

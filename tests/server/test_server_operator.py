"""Messages for the operator: failing databases, and failed starts."""

import logging
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from jantaku import terms
from jantaku.cli.app import app
from jantaku.server.settings import DATABASE_FILE, Settings
from jantaku.server.storage.store import Store
from server.parlour import IMPORTS, Person, open_server, quick
from server.postgres_cluster import Cluster
from server.sites import of_one_process

SECRET = "horse%40battery"
PASSWORD = "horse@battery"
HANGUL, KANA = re.compile("[가-힣]"), re.compile("[ぁ-ヿ]")


@pytest.fixture(autouse=True)
def warnings(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "jantaku.server")


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "The database" in record.getMessage()]


def health(url: str) -> int:
    """The status of the health page, which answers whatever the database does."""
    return httpx.get(f"{url}/api/health", timeout=30).status_code


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """A process and its children frozen."""
    processes = [process, *map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    for number in processes:
        os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        for number in processes:
            os.kill(number, signal.SIGCONT)


@pytest.mark.slow
def test_a_frozen_database_is_logged_once_and_health_answers(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("jantaku.server.storage.store.ANSWER_S", 1.0)
    postmaster = int((cluster.data / "postmaster.pid").read_text().split()[0])
    with open_server(quick(tmp_path, database_url=cluster.url)) as url, closing(Person(url, "Mina")) as mina:
        assert health(url) == 200
        with stopped(postmaster):
            for _ in range(3):
                assert health(url) == 503
            assert mina.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"}).status_code == 503
            assert health(url) == 503
        until(lambda: health(url) == 200)
        until(lambda: len(told(caplog)) == 2)
        said = told(caplog)
        assert "fails" in said[0]
        assert "Timeout" in said[0]
        assert "works again" in said[1]


@of_one_process
@pytest.mark.slow
def test_a_locked_database_is_logged_once_and_health_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("jantaku.server.storage.drivers.BUSY_MS", 300)
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        with closing(sqlite3.connect(tmp_path / DATABASE_FILE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for _ in range(2):
                saved = mina.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"})
                assert saved.status_code == 503
            assert health(url) == 503
            other.execute("ROLLBACK")
        until(lambda: health(url) == 200)
        said = told(caplog)
        assert len(said) == 2
        assert "database is locked" in said[0]
        assert "works again" in said[1]


def serve(*options: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "jantaku", "serve", "--port", "0", *options]
    variables = os.environ | {"PYTHONPATH": IMPORTS} | environment
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)


def newer(folder: Path) -> None:
    with open_server(quick(folder)):
        pass
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def no_database(folder: Path) -> None:
    (folder / DATABASE_FILE).write_bytes(b"this is no database " * 100)


def a_file(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("a file")


CASES: dict[str, tuple[Callable[[Path], object] | None, tuple[str, ...]]] = {
    "newer": (newer, ()),
    "no database": (no_database, ()),
    "a file for a folder": (a_file, ()),
    "nobody may write": (None, ("--data", "/proc/nowhere")),
    "away": (None, (f"postgresql://mina:{SECRET}@127.0.0.1:1/jantaku",)),
    "away by socket": (None, (f"postgresql://mina@/x?host=/nowhere&password={SECRET}",)),
    "unknown kind": (None, (f"oracle://mina:{SECRET}@localhost/x",)),
    "no address": (None, (f"mina:{SECRET}@localhost",)),
    "no port": (None, (f"postgresql://mina:ho/{SECRET}@localhost:port/x",)),
    "no site": (None, ("--public-url", "mahjong.example.org")),
    "no rules file": (None, ("--rules", "nowhere.toml")),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_failed_start_prints_one_line(tmp_path: Path, name: str) -> None:
    make, options = CASES[name]
    folder = tmp_path / "data"
    folder.mkdir()
    if make is not None:
        make(folder)
    given = {"JANTAKU_DATABASE_URL": options[0]} if options and SECRET in options[0] else {}
    options = () if given else options
    more = () if "--data" in options else ("--data", str(folder))
    language = terms.LANGUAGES[list(CASES).index(name) % len(terms.LANGUAGES)]  # a start takes a second
    said = refusal("--lang", language, *more, *options, **given)
    assert bool(HANGUL.search(said)) is (language == "ko")
    assert bool(KANA.search(said)) is (language == "ja")


def refusal(*options: str, **environment: str) -> str:
    """The one line printed by a server that cannot start."""
    done = serve(*options, **environment)
    assert done.returncode > 0
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    for secret in (SECRET, PASSWORD, "battery", "Traceback"):
        assert secret not in done.stderr + done.stdout
    return lines[0]


SHOWN = (
    ("--database", f"postgresql://mina:{SECRET}@127.0.0.1/club"),
    ("--database", f"postgresql://mina:{SECRET}@db.example.org/club"),
    ("--database", f"postgresql://mina:ho/{SECRET}@localhost:port/x"),
    ("--database", f"mina:{SECRET}@localhost"),
    ("--database", f"postgresql:///club?host=/run/postgresql&password={SECRET}"),
    ("--database", f"postgresql:///club?p%61ssword={SECRET}"),
    ("--database", f"postgresql:///club?sslPassword={SECRET}"),
    ("--nats", f"nats://jantaku:{SECRET}@127.0.0.1:4222"),
    ("--nats", f"nats://127.0.0.1:4222,tls://jantaku:{SECRET}@nats"),
    ("--nats", f"nats://{SECRET}@localhost"),  # a token
    ("--nats", f"{SECRET}@localhost"),
)
VARIABLE = {"--database": "JANTAKU_DATABASE_URL", "--nats": "JANTAKU_NATS"}
DATABASE_COMMANDS = (("serve",), ("backup", "file"), ("upgrade",))


@pytest.mark.parametrize(("option", "url"), SHOWN)
@pytest.mark.parametrize("words", DATABASE_COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("joined", [True, False])
def test_a_password_in_an_option_is_refused(
    words: tuple[str, ...], option: str, url: str, joined: bool
) -> None:
    if option == "--nats" and words != ("serve",):
        return
    given = [f"{option}={url}"] if joined else [option, url]
    done = CliRunner().invoke(app, [*words, *given])
    said = " ".join(done.output.split()) + str(done.exception)
    assert done.exit_code != 0
    assert VARIABLE[option] in said
    assert "horse" not in said


@pytest.mark.parametrize(
    "url", ["postgresql://mina@127.0.0.1:1/club", "postgresql://mina@127.0.0.1:1/club?passfile=/etc/pass"]
)
def test_an_address_without_a_password_may_stand_in_an_option(url: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["backup", str(tmp_path / "file"), "--database", url])
    said = " ".join(done.output.split()) + str(done.exception)
    assert "JANTAKU_DATABASE_URL" not in said  # it fails as nothing listens there


def test_no_message_contains_a_password(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(data_dir=tmp_path, database_url=f"postgresql://mina:{SECRET}@127.0.0.1:1/jantaku")
    store = Store(settings)
    store.faults.note(OSError(f"cannot connect with {SECRET} or {PASSWORD}"))
    for text_ in (
        repr(settings),
        str(store.where),
        repr(store.engine),
        repr(store.engine.url),
        *told(caplog),
    ):
        assert SECRET not in text_
        assert PASSWORD not in text_
    assert "***" in told(caplog)[0]


@pytest.mark.parametrize(
    ("cause", "advised"),
    [
        ("database or disk is full", True),
        ('could not extend file "base/5/16384": No space left on device', True),
        ("database is locked", False),
    ],
)
def test_the_log_says_what_to_do_about_a_full_disk(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, cause: str, advised: bool
) -> None:
    Store(Settings(data_dir=tmp_path)).faults.note(OSError(cause))
    [said] = told(caplog)
    assert cause in said
    assert ("Free space" in said) is advised

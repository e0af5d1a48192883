"""Databases and servers for the tests of the parlour."""

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text

from jantaku.server.settings import Settings
from jantaku.server.storage.schema import METADATA
from jantaku.server.storage.services import Services
from server.clubs import Gathering, Tournament
from server.databases import with_tables
from server.parlour import Person, open_server, quick

POSTGRES = (
    sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:] if Path("/usr/lib/postgresql").is_dir() else []
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for all tests of a module."""
    with open_server(quick(tmp_path_factory.mktemp("parlour"))) as url:
        yield url


@pytest.fixture
def gathering(url: str) -> Iterator[Gathering]:
    """An event with everybody who has to do with it."""
    gathering = Gathering(url, rules="tenhou")
    yield gathering
    gathering.close()


@pytest.fixture
def sixteen(url: str) -> Iterator[Tournament]:
    """An event of rounds with sixteen players."""
    cup = Tournament(url, 16)
    yield cup
    cup.close()


@pytest.fixture
def person(url: str) -> Iterator[Person]:
    person = Person(url, "Mina")
    yield person
    person.close()


@pytest.fixture
def other(url: str) -> Iterator[Person]:
    person = Person(url, "Jun")
    yield person
    person.close()


class Cluster:
    """A PostgreSQL server of one's own, on a socket in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.url = f"postgresql://postgres@/postgres?host={folder}"
        self._as = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self._run("initdb", "-D", str(self.data), "-A", "trust", "-U", "postgres", "--no-sync")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as, str(POSTGRES[0] / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", options, "start")

    def new_database(self, name: str) -> str:
        """The address of a database of its own."""
        self._run("createdb", "-h", str(self.folder), "-U", "postgres", name)
        return self.url.replace("/postgres?", f"/{name}?")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", "immediate", "stop")


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """PostgreSQL, where it is installed."""
    if not POSTGRES:
        pytest.skip("PostgreSQL is not installed")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    folder = Path("/tmp") / f"jantaku-pg-{uuid4().hex}"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    try:
        cluster = Cluster(folder)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
async def services(
    request: pytest.FixtureRequest, tmp_path: Path, anyio_backend: str
) -> AsyncIterator[Services]:
    """Empty storage services, in each database."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("cluster").url
    found = Services(Settings(data_dir=with_tables(tmp_path), database_url=url))
    await found.store.open()
    yield found
    await found.writer.stop()
    if url:
        async with found.store.writing() as connection:
            await connection.run_sync(METADATA.drop_all)
            await connection.execute(text("DROP TABLE alembic_version"))
    await found.store.close()

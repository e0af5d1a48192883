"""Databases and servers for the server tests."""

import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text

from jantaku.bots.review import reviews
from jantaku.server.edge import pages
from jantaku.server.play.lobby import Lobby
from jantaku.server.processes import streams
from jantaku.server.processes.links import InProcessBus, Messages
from jantaku.server.processes.nats import NatsMessages
from jantaku.server.services import AppServices
from jantaku.server.storage.base import METADATA
from jantaku.server.tasks import finish_shielded
from server.clubs import Club
from server.databases import DATABASES
from server.link_ends import End, Ends
from server.mail_site import Site
from server.parlour import SHORT, Person, Serve, fast_settings, open_server
from server.postgres_cluster import Cluster, require_postgres
from server.sign_in_owner import Owner
from server.sites import NatsServer

DATABASE_MODULES = ("server.test_storage", "server.test_event_storage")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def brief_reviews() -> Iterator[None]:
    """Let reviews end after a few rollouts, because they go on when a test does not look at them any more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jantaku.server.archive.reviews.reviews", partial(reviews, rollouts=600))
        yield


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a server for all tests that need no special settings; they use different account names."""
    with open_server(fast_settings(tmp_path_factory.mktemp("parlour"))) as url:
        yield url


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    serve = Serve(tmp_path)
    with serve.stack:
        yield serve


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Serve a built client from a temporary folder."""
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    return tmp_path


@pytest.fixture
def club(url: str) -> Club:
    return Club(url)


@pytest.fixture
def person(url: str) -> Person:
    return Person(url, "Mina")


@pytest.fixture
def other(url: str) -> Person:
    return Person(url, "Jun")


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Run PostgreSQL if it is installed."""
    require_postgres()
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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of the database itself on PostgreSQL as well as SQLite."""
    if "services" in metafunc.fixturenames and metafunc.module.__name__ in DATABASE_MODULES:
        metafunc.parametrize("services", DATABASES, indirect=True)


@pytest.fixture
async def services(
    request: pytest.FixtureRequest, tmp_path: Path, anyio_backend: str
) -> AsyncIterator[AppServices]:
    """Storage services with an empty database."""
    url = "" if getattr(request, "param", "sqlite") == "sqlite" else request.getfixturevalue("cluster").url
    stores = AppServices(fast_settings(tmp_path, database_url=url))
    await stores.store.open()
    yield stores
    await stores.writer.stop()
    if url:
        async with stores.store.writing() as connection:
            await connection.run_sync(METADATA.drop_all)
            await connection.execute(text("DROP TABLE alembic_version"))
    await stores.store.close()


@pytest.fixture
async def lobby(services: AppServices) -> AsyncIterator[Lobby]:
    """A table process without an HTTP server."""
    await services.lease.join()
    services.writer.start()
    await services.lobby.open()
    yield services.lobby
    await finish_shielded(10)
    await services.lobby.close()


@pytest.fixture(scope="session")
def short_game(url: str) -> tuple[Person, str]:
    """Play a short game against bots; return the player and the id of the game record."""
    mina = Person(url, "Mina")
    table, line = mina.start(rules=mina.post("/api/rules", toml=SHORT)["id"])
    line.finish()
    return mina, mina.get(f"/api/tables/{table}")["result"]["record"]


@pytest.fixture(params=["in-memory", pytest.param("nats", marks=pytest.mark.slow)])
async def ends(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, anyio_backend: str
) -> AsyncIterator[Ends]:
    """Two processes of a site, linked in memory and through NATS."""
    monkeypatch.setattr(streams, "BEAT_S", 0.05)
    house: dict[str, InProcessBus] = {}
    nats = NatsServer() if request.param == "nats" else None

    def messages() -> Messages:
        return NatsMessages(nats.url) if nats else InProcessBus(house)

    first, second = End("a", messages()), End("b", messages())
    await first.begin(["b"])
    await second.begin(["a"])
    yield first, second
    await first.end()
    await second.end()
    if nats:
        nats.stop()


@pytest.fixture
def owner(site: Site) -> Iterator[Owner]:
    """The owner of an account on the module's site."""
    with closing(Owner(site)) as owner:
        yield owner

"""The server, the Chromium and the guests of the browser tests, started once per test process."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.contexts import Contexts
from browser.parlour import Guest, MakeGuest, browsing, serving
from jantaku.server.run import load_compiled
from server.conftest import cluster


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the server's database."""
    return tmp_path_factory.mktemp("parlour")


@pytest.fixture(scope="session")
def parlour(data: Path) -> Iterator[str]:
    """A server that makes no pauses at tables and has loaded the compiled code."""
    load_compiled()
    with serving(data) as url:
        yield url


@pytest.fixture(scope="session")
def running() -> Iterator[tuple[Contexts, asyncio.AbstractEventLoop]]:
    """One Chromium for all browser tests, and the event loop that Playwright runs in this thread."""
    with browsing() as browser:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)


@pytest.fixture
def contexts(running: tuple[Contexts, asyncio.AbstractEventLoop]) -> Iterator[Contexts]:
    """The browser contexts of that Chromium.

    Playwright's event loop is set only during browser tests, because other tests run their own.
    """
    browser, loop = running
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture
def stranger(parlour: str, contexts: Contexts) -> Iterator[MakeGuest]:
    """Create people who are not signed in; at the end, assert that their pages reported no errors."""
    guests: list[Guest] = []

    def make(viewport: str = "phone", language: str = "en", *, fresh: bool = False) -> Guest:
        guests.append(Guest(contexts, parlour, viewport, language, fresh=fresh))
        return guests[-1]

    yield make
    for guest in guests:
        guest.close()
    assert [fault for visitor in guests for fault in visitor.faults] == []


@pytest.fixture
def guest(stranger: MakeGuest) -> MakeGuest:
    """Create people who have entered a name."""

    def make(name: str = "Mina", viewport: str = "phone", language: str = "en") -> Guest:
        return stranger(viewport, language).enter(name)

    return make


__all__ = ["cluster"]  # a fixture of the server tests that is used here

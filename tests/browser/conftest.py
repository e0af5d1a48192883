"""A server, a Chromium and guests for the tests in this folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.parlour import Guest, browsing, serving


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its database."""
    return tmp_path_factory.mktemp("parlour")


@pytest.fixture(scope="module")
def parlour(data: Path) -> Iterator[str]:
    """A server without pauses."""
    with serving(data) as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One Chromium for all tests here."""
    with browsing() as found:
        yield found


@pytest.fixture
def guest(parlour: str, browser: Any) -> Iterator[Callable[..., Guest]]:
    """Makes guests and checks at the end that their pages reported no error."""
    guests: list[Guest] = []

    def come(name: str = "Mina", viewport: str = "phone", language: str = "en") -> Guest:
        found = Guest(browser, parlour, viewport, language)
        guests.append(found)
        return found.enter(name)

    yield come
    for found in guests:
        found.close()
        assert found.faults == []

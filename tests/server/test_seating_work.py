"""Seatings that are computed in the background: how far they are, what becomes of them, and how they end."""

import asyncio
from pathlib import Path

import pytest

from jantaku.server.errors import ServerError
from jantaku.server.events.rounds import seating
from jantaku.server.events.rounds.seating import SeatingWorks

pytestmark = pytest.mark.anyio
KEY = ("event", "main")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "SOON_S", 0.0)


async def test_a_computation_tells_how_far_it_is_until_it_is_cancelled() -> None:
    works, began, folders = SeatingWorks(), asyncio.Event(), list[Path]()

    async def work(told: Path) -> None:
        folders.append(told.parent)
        await asyncio.to_thread(told.write_text, "0.250", "ascii")
        began.set()
        await asyncio.Event().wait()

    await works.start(KEY, "plan", work)
    await began.wait()
    shown = works.shown(KEY, "en")
    assert shown is not None
    assert (shown.state, shown.how, shown.progress) == ("working", "plan", 0.25)
    assert works.shown(("event", "final"), "en") is None
    with pytest.raises(ServerError) as error:
        await works.start(KEY, "plan", work)
    assert error.value.code == "seating_busy"
    await works.cancel(KEY)
    assert works.shown(KEY, "en") is None
    assert not folders[0].exists()


async def test_a_late_failure_is_shown_until_the_next_try(monkeypatch: pytest.MonkeyPatch) -> None:
    works, go = SeatingWorks(), asyncio.Event()

    async def fails(_: Path) -> None:
        await go.wait()
        raise ServerError("rounds_moved_on")

    await works.start(KEY, "rebuild", fails)
    go.set()
    while (shown := works.shown(KEY, "ko")) is not None and shown.state == "working":
        await asyncio.sleep(0)
    assert shown is not None
    assert shown.error is not None
    assert (shown.state, shown.error.code) == ("failed", "rounds_moved_on")
    monkeypatch.setattr(seating, "SOON_S", 60.0)
    with pytest.raises(ServerError):
        await works.start(KEY, "rebuild", fails)  # fails at once, so the request itself is refused
    assert works.shown(KEY, "en") is None


async def test_closing_stops_everything() -> None:
    works, stopped = SeatingWorks(), list[str]()

    async def work(_: Path) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append("one")
            raise

    for stage in ("a", "b"):
        await works.start(("event", stage), "plan", work)
    await asyncio.sleep(0)
    await works.close()
    assert stopped == ["one", "one"]

"""Costly answers about events are worked out once, and exports hold up no other long work."""

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jantaku.server.edge.holdings import Holder
from jantaku.server.edge.limited_work import is_export, is_long
from jantaku.server.edge.workers import Workers
from jantaku.server.events.organising import event_jobs
from jantaku.server.events.results.counted_results import KeptAnswers
from jantaku.server.events.rounds.seating_jobs import make_seating
from jantaku.server.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.anyio


class Work:
    """Work that is counted, and fails the first ``fails`` times."""

    def __init__(self, fails: int = 0) -> None:
        self.done, self._fails = 0, fails

    async def __call__(self) -> int:
        self.done += 1
        await asyncio.sleep(0.01)
        if self.done <= self._fails:
            raise ValueError
        return self.done


async def test_many_who_ask_for_one_thing_share_the_work() -> None:
    kept, work = KeptAnswers(2), Work()
    assert await asyncio.gather(*(kept.get("a", work) for _ in range(50))) == [1] * 50
    assert [await kept.get(key, work) for key in ("a", "b", "a", "c", "a", "b")] == [1, 2, 1, 3, 1, 4]


async def test_one_who_goes_away_takes_the_answer_from_nobody() -> None:
    kept, work = KeptAnswers(2), Work()
    first = asyncio.create_task(kept.get("a", work))
    second = asyncio.create_task(kept.get("a", work))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second, work.done) == (1, 1)


async def test_what_failed_is_tried_again() -> None:
    kept, work = KeptAnswers(2), Work(fails=1)
    with pytest.raises(ValueError):  # noqa: PT011
        await kept.get("a", work)
    assert await kept.get("a", work) == 2


async def test_an_answer_that_lasts_a_while_is_worked_out_anew() -> None:
    kept, work = KeptAnswers(2, 0.2), Work()
    assert [await kept.get("a", work) for _ in range(3)] == [1, 1, 1]
    await asyncio.sleep(0.25)
    assert await kept.get("a", work) == 2


async def test_a_seating_does_not_wait_for_an_export(monkeypatch: pytest.MonkeyPatch) -> None:
    exports: tuple[Callable[..., Any], ...] = (
        event_jobs.export_event,
        event_jobs.export_ranking_file,
        event_jobs.report_event,
    )
    assert all(is_export(job) and is_long(job) for job in exports)
    assert not is_export(make_seating)
    workers, going, release = Workers(Limits()), list[str](), asyncio.Event()

    async def run(_self: Workers, function: object, _arguments: object) -> None:
        going.append(getattr(function, "__name__", ""))
        if function is not make_seating:
            await release.wait()

    monkeypatch.setattr(Workers, "_run", run)
    held = [asyncio.create_task(workers.run(Holder(str(i), str(i)), job)) for i, job in enumerate(exports)]
    await asyncio.sleep(0)
    async with asyncio.timeout(2):
        await workers.run(Holder("organiser", "x"), make_seating)
    assert "make_seating" in going
    release.set()
    await asyncio.gather(*held)

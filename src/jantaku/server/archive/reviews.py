"""Reviews in the background: the first one at once, then ever deeper ones, while tables come first.

A review is stored as it deepens, so leaving the page or restarting the server loses nothing that was shown.
It is deterministic: after a restart it starts again, and the stored one stays until the new one is as deep.
"""

import asyncio
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from cachetools import LRUCache

from jantaku import terms
from jantaku.bots.policy_judge import STRONG_NAME
from jantaku.bots.review import Review, reviews
from jantaku.bots.review.words import sentences
from jantaku.game import Game
from jantaku.game.events import Discarded, HandStarted
from jantaku.kernels._jit import COMPILED
from jantaku.rules import Ruleset
from jantaku.server.archive.replay import GameReview, ReplayGame
from jantaku.server.edge.limits import Principal, Quota
from jantaku.server.edge.work import NICENESS, FairWork
from jantaku.server.errors import ServerError
from jantaku.server.programs import Programs
from jantaku.server.storage.reviews import GameCosts, ReviewKey, ReviewStore, Situation
from jantaku.server.tasks import LOG, end, reported
from jantaku.terms import Language

if TYPE_CHECKING:
    from jantaku.bots.review.model import MistakeKind

THREADS: Final = max(1, (os.cpu_count() or 1) // 2)
DEEP: Final = Quota(of_one=4, of_address=8, of_all=32)  # reviews that wait or run, with about 4 MB each
SAVE_S: Final = 5.0
FAILED: Final = 1000  # reviews remembered because only their first part could be computed
EARLY, MIDDLE = 6, 12  # discards
Steps = Iterator[Review]


@dataclass(frozen=True)
class Subject:
    """A review to compute for ``holder``; ``absent``: the hands in which the table played for the player."""

    key: ReviewKey
    holder: Principal
    load: Callable[[], Awaitable[ReplayGame]]
    absent: frozenset[int] = frozenset()


class Completed(NamedTuple):
    """A complete review."""

    subject: Subject
    game: Game
    review: Review


@dataclass(eq=False)
class _Job:
    """A review that is being computed. ``first`` ends with its first review or with its error."""

    subject: Subject
    latest: Review | None
    first: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    saved_at: float = 0.0
    task: asyncio.Task[None] | None = None


@dataclass(eq=False)
class _Batch:
    """Reviews computed one after another for one person."""

    subjects: Sequence[Subject]
    done: int = 0
    current: _Job | None = None
    task: asyncio.Task[None] | None = None


class Reviews:
    """The reviews of one process. ``completed`` is called with each review that is complete."""

    def __init__(self, store: ReviewStore, programs: Programs, share: Quota) -> None:
        self._store, self._programs = store, programs
        self._first = FairWork(share)
        self._slow = FairWork(share)  # by programs; other first reviews never wait for them
        self._deep = FairWork(DEEP, THREADS)
        self._pool = ThreadPoolExecutor(THREADS, "review", _lower_priority)
        self._jobs: dict[ReviewKey, _Job] = {}
        self._batches: dict[str, _Batch] = {}
        self._failed = LRUCache[ReviewKey, None](FAILED)
        self.completed: list[Callable[[Completed], Awaitable[None]]] = []

    async def latest(self, subject: Subject) -> tuple[Review, bool]:
        """Return the latest review, and whether a deeper one follows; start or continue it if necessary.

        Raises what the review or its judge raises, and ``busy``.
        """
        job = await self._job(subject)
        if isinstance(job, Review):
            return job, False
        if job.latest is None:
            await asyncio.shield(job.first)
        assert job.latest is not None
        return job.latest, self._goes_deeper(subject.key, job.latest)

    def review_all(self, person: str, subjects: Sequence[Subject]) -> None:
        """Complete these reviews one after another, unless others of this person are under way."""
        if person not in self._batches and subjects:
            batch = self._batches[person] = _Batch(subjects)
            batch.task = asyncio.create_task(self._review_all(person, batch))

    def pending(self, person: str) -> tuple[int, float]:
        """Return the number of reviews left of ``review_all``, and the progress of all of them."""
        batch = self._batches.get(person)
        if batch is None:
            return 0, 1.0
        latest = batch.current.latest if batch.current else None
        part = latest.progress if latest else 0.0
        return len(batch.subjects) - batch.done, (batch.done + part) / len(batch.subjects)

    async def forget(self, games: Sequence[str]) -> None:
        """Stop the reviews of these games, because a player has been erased."""
        jobs = [job for key, job in self._jobs.items() if key.source == "games" and key.game in games]
        await end(*(job.task for job in jobs if job.task))

    async def close(self) -> None:
        """Stop all reviews; a thread ends with its current step."""
        batches = (batch.task for batch in self._batches.values())
        jobs = (job.task for job in self._jobs.values())
        await end(*filter(None, (*batches, *jobs)))
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _job(self, subject: Subject) -> _Job | Review:
        """Return the running job of a review, or the stored review if no deeper one follows."""
        key = subject.key
        if key not in self._jobs:
            stored = await self._store.find(key)
            if stored is not None and not self._goes_deeper(key, stored):
                return stored
            if key not in self._jobs:  # another request may have started it in the meantime
                job = self._jobs[key] = _Job(subject, stored)
                job.first.add_done_callback(lambda first: first.cancelled() or first.exception())
                job.task = asyncio.create_task(self._run(job))
        return self._jobs[key]

    def _goes_deeper(self, key: ReviewKey, review: Review) -> bool:
        return COMPILED and review.progress < 1 and key not in self._failed

    async def _review_all(self, person: str, batch: _Batch) -> None:
        try:
            for subject in batch.subjects:
                with reported("reviewing a person's games failed"):
                    job = await self._job(subject)
                    if isinstance(job, _Job) and job.task is not None:
                        batch.current = job
                        await asyncio.wait([job.task])
                batch.done, batch.current = batch.done + 1, None
        finally:
            del self._batches[person]

    async def _run(self, job: _Job) -> None:
        key = job.subject.key
        try:
            await self._compute(job)
        except asyncio.CancelledError:
            job.first.cancel()
            raise
        except Exception as error:
            if not job.first.done():
                job.first.set_exception(error)
            elif not (isinstance(error, ServerError) and error.code == "busy"):
                self._failed[key] = None
                LOG.exception("deepening the review %s failed", key)
        finally:
            del self._jobs[key]

    async def _compute(self, job: _Job) -> None:
        steps: Steps | None = None
        holder = job.subject.holder
        if job.latest is None:
            quick = job.subject.key.judge == STRONG_NAME
            async with (self._first if quick else self._slow).turn(holder):
                game, steps = await self._begin(job)
        job.first.set_result(None)
        if job.latest is not None and not self._goes_deeper(job.subject.key, job.latest):
            return
        async with self._deep.turn(holder) as turn:
            if steps is None:
                game, steps = await self._begin(job)
            step = partial(asyncio.get_running_loop().run_in_executor, self._pool, next, steps, None)
            while (review := await step()) is not None:
                await self._advance(job, game, review)
                await self._deep.rest(turn)

    async def _begin(self, job: _Job) -> tuple[Game, Steps]:
        """Load the game and compute the first review; return the game and the steps that follow."""
        key = job.subject.key
        game = (await job.subject.load()).game
        if key.seat not in game.seats:
            raise ServerError("no_seat", seat=key.seat)
        first, steps = await asyncio.to_thread(self._started, game, key)
        await self._advance(job, game, first)
        return game, steps

    def _started(self, game: Game, key: ReviewKey) -> tuple[Review, Steps]:
        with nullcontext() if key.judge == STRONG_NAME else self._programs.judging(key.judge) as judge:
            steps = reviews(game, key.seat, judge)
            return next(steps), steps

    async def _advance(self, job: _Job, game: Game, review: Review) -> None:
        """Publish and store a review that is deeper than the latest one."""
        if job.latest is not None and review.progress < job.latest.progress:
            return
        job.latest, complete = review, review.progress >= 1
        if complete or time.monotonic() - job.saved_at >= SAVE_S:
            with reported("storing a review failed"):
                costs = game_costs(game, review, job.subject.absent) if complete else None
                await self._store.save(job.subject.key, review, costs)
            job.saved_at = time.monotonic()
        if complete:
            for call in self.completed:
                with reported("using a complete review failed"):
                    await call(Completed(job.subject, game, review))


def _lower_priority() -> None:
    """Let other threads go first; on Linux, a thread has its own priority."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def worded(review: Review, rules: Ruleset, language: Language, *, deeper: bool) -> GameReview:
    """Return a review with its reasons in words."""
    with terms.with_pictures():
        why = {one.step: sentences(one, rules, language) for one in review.mistakes}
    return GameReview(review=review, why=why, deeper=deeper)


def game_costs(game: Game, review: Review, absent: frozenset[int] = frozenset()) -> GameCosts:
    """Return what mistakes cost by kind and situation, without the ``absent`` hands."""
    lost: defaultdict[MistakeKind, float] = defaultdict(float)
    lost_in: defaultdict[Situation, float] = defaultdict(float)
    arose: defaultdict[Situation, set[int]] = defaultdict(set)
    hands, dealer, discards, riichi = -1, False, 0, False
    decisions = iter(sorted(review.decisions, key=lambda one: one.event))
    decision = next(decisions, None)
    for i, event in enumerate(game.events):
        while decision is not None and decision.event <= i:
            if decision.hand not in absent:
                for situation in _situations(dealer=dealer, discards=discards, riichi=riichi):
                    arose[situation].add(decision.hand)
                    lost_in[situation] += decision.loss
                if decision.mistake is not None:
                    lost[decision.mistake] += decision.loss
            decision = next(decisions, None)
        if isinstance(event, HandStarted):
            hands, dealer, discards, riichi = hands + 1, event.dealer == review.seat, 0, False
        elif isinstance(event, Discarded):
            discards += event.seat == review.seat
            riichi |= event.seat != review.seat and event.riichi is not None
    counts = {situation: len(found) for situation, found in arose.items()}
    return GameCosts(hands=hands + 1 - len(absent), lost=lost, lost_in=lost_in, arose=counts)


def _situations(*, dealer: bool, discards: int, riichi: bool) -> tuple[Situation, Situation, Situation]:
    phase: Situation = "early" if discards < EARLY else "middle" if discards < MIDDLE else "late"
    return "dealer" if dealer else "child", phase, "riichi" if riichi else "no_riichi"

"""Plays the choices of a position on several threads."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Final

from jantaku.bots.policies import BOTS
from jantaku.bots.search.kernels.rollouts import Chances
from jantaku.bots.search.position import KnownPosition
from jantaku.bots.search.trials import Results, Rollouts
from jantaku.errors import RequestError, wrong_choice
from jantaku.lab.chunks import cores
from jantaku.lab.discards.answer import MIN_DEALS, ORDERS, ChoiceCount, HandAnswer
from jantaku.lab.kernels.turns import CHOICES, WALLS, sources

CHUNK: Final = 8  # deals
DEALS: Final = 2  # purpose of a random source, in addition to those of ``lab.kernels.turns``
DEFAULT_GAMES: Final = 1000
MAX_GAMES: Final = 1_000_000


@dataclass(frozen=True)
class HandQuestion:
    """A position whose choices are to be played out, each from ``games`` deals of the unseen tiles.

    Deal ``g`` depends only on the position, the bot, ``seed`` and ``g``. The answer ranks the choices ``by``
    one of ``ORDERS``. Raises ``RequestError`` for an unknown bot or order and for numbers out of range.
    """

    known: KnownPosition
    games: int = DEFAULT_GAMES
    seed: int = 0
    bot: str = "standard"
    by: str = "place"

    def __post_init__(self) -> None:
        for field, value, words in (("bot", self.bot, BOTS), ("by", self.by, tuple(ORDERS))):
            if value not in words:
                raise wrong_choice(field, value, words)
        for field, number, low, high in (
            ("games", self.games, MIN_DEALS, MAX_GAMES),
            ("seed", self.seed, 0, (1 << 63) - 1),
        ):
            if not low <= number <= high:
                raise RequestError("number_range", field=field, value=number, low=low, high=high)


def play_deals(question: HandQuestion, first: int, count: int) -> Results:
    """Play out every choice from ``count`` deals, beginning with deal ``first``.

    Returns ``float64[count, choices, len(COLUMNS)]``. Raises ``RequestError`` if no tenpai hand of a player
    in riichi is consistent with the table.
    """
    chances = Chances(*(sources(question.seed, purpose, first, count) for purpose in (DEALS, WALLS, CHOICES)))
    rollouts = Rollouts(question.known, BOTS.index(question.bot), whole=True)
    return rollouts.play(question.known.codes, chances).results


def answers(question: HandQuestion, jobs: int | None = None) -> Iterator[HandAnswer]:
    """Yield increasingly exact answers; the last one covers all deals.

    The answers do not depend on ``jobs``, the number of threads. Closing the iterator stops the work.
    """
    jobs = cores() if jobs is None else jobs
    if jobs < 1:
        raise RequestError("number_range", field="jobs", value=jobs, low=1, high=cores())
    counted = ChoiceCount(question.known.choices)
    pool = ThreadPoolExecutor(jobs)
    try:
        for played in _in_order(pool, question, jobs):
            counted.add(played)
            yield HandAnswer(
                counted.games,
                question.games,
                question.seed,
                question.known.rules.id,
                question.by,
                counted.ordered(question.by),
            )
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(pool: ThreadPoolExecutor, question: HandQuestion, jobs: int) -> Iterator[Results]:
    futures = (
        pool.submit(play_deals, question, first, min(CHUNK, question.games - first))
        for first in range(0, question.games, CHUNK)
    )
    pending: deque[Future[Results]] = deque(islice(futures, 2 * jobs))
    while pending:
        yield pending.popleft().result()
        pending.extend(islice(futures, 1))

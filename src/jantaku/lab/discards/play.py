"""Plays the choices of a position on several threads."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source
from jantaku.bots.match import by_seat
from jantaku.bots.policies import BOTS
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RequestError, no_choice
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.hand import SOURCES
from jantaku.kernels.engine.state import GAME, NO_SEAT
from jantaku.kernels.rules import rules_record
from jantaku.lab.chunks import cores
from jantaku.lab.discards.answer import FEWEST_DEALS, ORDERS, ChoiceCount, HandAnswer
from jantaku.lab.discards.build import KnownPosition
from jantaku.lab.kernels.choices import COLUMNS, Chances, new_trial, play_choices
from jantaku.lab.kernels.draws import new_draws
from jantaku.lab.kernels.games import Players
from jantaku.lab.kernels.turns import CHOICES, WALLS, sources
from jantaku.lab.kernels.unseen import new_unseen
from jantaku.seats import source_of

CHUNK: Final = 8  # deals
DEALS: Final = 2  # the purpose of a random source, beside those of ``lab.kernels.turns``
USUAL_GAMES: Final = 1000
MOST_GAMES: Final = 1_000_000
NEARNESS: Final = Path(__file__).with_name("nearness.tsv")  # written by ``research.nearness``


@dataclass(frozen=True)
class HandQuestion:
    """Which choice is best at a position: ``games`` deals of the unseen tiles, each choice played from each.

    Deal ``g`` depends only on the position, the bot, ``seed`` and ``g``. ``by`` (``ORDERS``) says what the
    best choice is. Raises ``RequestError`` for unknown words and numbers out of range.
    """

    known: KnownPosition
    games: int = USUAL_GAMES
    seed: int = 0
    bot: str = "standard"
    by: str = "place"

    def __post_init__(self) -> None:
        for field, value, words in (("bot", self.bot, BOTS), ("by", self.by, tuple(ORDERS))):
            if value not in words:
                raise no_choice(field, value, words)
        for field, number, low, high in (
            ("games", self.games, FEWEST_DEALS, MOST_GAMES),
            ("seed", self.seed, 0, (1 << 63) - 1),
        ):
            if not low <= number <= high:
                raise RequestError("number_range", field=field, value=number, low=low, high=high)


@cache
def nearness() -> npt.NDArray[np.int64]:
    """The thousandths of hands with a shanten or less, ``int64[melds, discards, shanten]``."""
    rows = [line.split("\t") for line in NEARNESS.read_text("ascii").splitlines()[1:]]
    melds, discards = (1 + max(int(row[column]) for row in rows) for column in range(2))
    return np.array([row[2:] for row in rows], np.int64).reshape(melds, discards, -1)


def play_deals(question: HandQuestion, first: int, count: int) -> npt.NDArray[np.int64]:
    """Play every choice from ``count`` deals from number ``first`` on: ``int64[count, choices, COLUMNS]``.

    Raises ``RequestError`` if no tenpai hand of a player in riichi fits what lies on the table.
    """
    known, seed = question.known, question.seed
    tiles = np.array(tile_set(known.rules), np.uint8)
    unseen = new_unseen(nearness(), known.rivers, known.safe, known.own, known.indicators)
    base = np.frombuffer(known.state, GAME).copy()
    trial = new_trial(base, list(known.codes), known.seat, rules_record(known.rules), (unseen, tiles))
    chances = Chances(*(sources(seed, purpose, first, count) for purpose in (DEALS, WALLS, CHOICES)))
    policies = by_seat([BOTS.index(question.bot)] * len(known.rules.seats)).reshape(1, -1)
    work = new_bot_workspace(new_source(0), known.rules)
    bots = Players(policies, chances.choices, work, new_draws(len(tiles)))
    out = np.zeros((count, len(known.codes), len(COLUMNS)), np.int64)
    failed = int(play_choices(trial, chances, bots, out, context(known.rules.tiles.man)))
    if failed != NO_SEAT:
        field = source_of(known.seat, failed, len(known.rules.seats))
        raise RequestError("no_tenpai", field=field, place=SOURCES.index(field))
    return out


def answers(question: HandQuestion, jobs: int | None = None) -> Iterator[HandAnswer]:
    """The answer as it gets more exact, last the whole; the same for any number of threads.

    Leaving the iterator stops the work.
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


def _in_order(pool: ThreadPoolExecutor, question: HandQuestion, jobs: int) -> Iterator[npt.NDArray[np.int64]]:
    wanted = (
        pool.submit(play_deals, question, first, min(CHUNK, question.games - first))
        for first in range(0, question.games, CHUNK)
    )
    under_way: deque[Future[npt.NDArray[np.int64]]] = deque(islice(wanted, 2 * jobs))
    while under_way:
        yield under_way.popleft().result()
        under_way.extend(islice(wanted, 1))

"""Plays recorded games on several threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source
from jantaku.bots.net import OPTION
from jantaku.bots.net_file import TrainedBot
from jantaku.bots.policies import ADAPTED
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.kernels.win import MAX_SEATS
from jantaku.lab.chunks import Chunk, players_at
from jantaku.lab.kernels.games import NO_ROOM
from jantaku.lab.kernels.hand_rows import ENDED_GAME, ENDED_HAND
from jantaku.lab.kernels.recording import ROWS, STATE, STEPS, Recording, Training, play_recorded
from jantaku.lab.kernels.turns import CHOICES, new_batch, sources
from jantaku.rules import Ruleset
from jantaku.tiles import KINDS

GAMES: Final = 32
_ROOM: Final = 64  # hands


class Recorded(NamedTuple):
    """A chunk of games and the network's decisions in them (``Recording``), trimmed to the rows used."""

    chunk: Chunk
    states: npt.NDArray[np.float32]
    steps: npt.NDArray[np.int32]
    decisions: npt.NDArray[np.int32]
    options: npt.NDArray[np.float16]


class Play(NamedTuple):
    """How games are played: rules, policy of each player, the bot that learns, seed.

    ``least``: see ``Recording``.
    """

    rules: Ruleset
    policies: tuple[int, ...]
    bot: TrainedBot
    seed: int
    least: float


def play(plan: Play, first: int, count: int, sharpness: float = 1.0, room: int = _ROOM) -> Recorded:
    """Play ``count`` games from number ``first`` on; ``room`` is the first guess at the hands of a game."""
    seats = plan.rules.seats
    policies = np.zeros((count, MAX_SEATS), np.int64)
    policies[:, seats] = np.array(plan.policies)[players_at(np.arange(first, first + count), seats)]
    learners = int((np.array(plan.policies) == ADAPTED).sum()) if sharpness else 0
    steps, rows = count * learners * 3 * room + 1, count * learners * 8 * room + 40
    record = Recording(
        np.zeros((steps, STATE), np.float32),
        np.zeros((steps, 2), np.int32),
        np.zeros((steps, 5), np.int32),
        np.zeros((rows, OPTION), np.float32),
        np.zeros(3, np.int64),
        plan.least,
    )
    batch = new_batch(plan.rules, np.array(tile_set(plan.rules), np.uint8), plan.seed, first, count)
    work = new_bot_workspace(new_source(0), plan.rules, plan.bot)
    work.sharpness[0] = sharpness
    hands, games = np.zeros(room * count, ENDED_HAND), np.zeros(count, ENDED_GAME)
    players = Training(policies, sources(plan.seed, CHOICES, first, count), work, hands, games)
    done = int(play_recorded(batch, players, record, context(plan.rules.tiles.man)))
    full = record.used[STEPS] == steps or record.used[ROWS] + KINDS > rows
    if done == NO_ROOM or full:
        return play(plan, first, count, sharpness, 2 * room)
    chunk = Chunk(first, hands[:done], games, np.zeros((0, 4, 1), np.float32), seats)
    used = [int(number) for number in record.used]
    return Recorded(
        chunk,
        record.states[: used[0]].copy(),
        record.steps[: used[0]].copy(),
        record.decisions[: used[1]].copy(),
        record.options[: used[2]].astype(np.float16),
    )


def play_all(plan: Play, games: int, jobs: int, sharpness: float = 1.0) -> Iterator[Recorded]:
    """Play ``games`` games on ``jobs`` threads and yield them in order."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(
            lambda first: play(plan, first, min(GAMES, games - first), sharpness), range(0, games, GAMES)
        )

"""The match of an adapted bot against ``strong``, from which it started."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from jantaku.bots.net_file import TrainedBot
from jantaku.bots.policies import ADAPTED_NAME, BOTS, STRONG
from jantaku.lab.chunks import CHUNK, ChunkPlan, play_chunk
from jantaku.lab.experiment.estimates import Estimate, Z
from jantaku.rules import Ruleset

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MatchResult:
    """Average place and final score of one adapted bot against ``strong``, with 95% intervals."""

    games: int
    place: Estimate
    score: Estimate

    @classmethod
    def of(cls, bot: TrainedBot) -> "MatchResult":
        """Return the result that ``jantaku lab adapt`` notes in a bot's file."""
        match = bot.about["match"]
        return cls(int(match["games"]), Estimate(*match["place"]), Estimate(*match["score"]))

    def as_data(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return asdict(self)


def play_match(
    rules: Ruleset,
    bot: TrainedBot,
    games: int,
    seed: int,
    jobs: int = 1,
    progress: Callable[[int], object] = lambda _: None,
) -> MatchResult:
    """Play ``games`` games of one ``bot`` against ``strong`` on ``jobs`` threads.

    The seats rotate from game to game. ``progress`` is called with the number of games in each finished
    chunk.
    """
    plan = ChunkPlan(rules, (ADAPTED_NAME, *[BOTS[STRONG]] * (len(rules.seats) - 1)), games, seed, True, bot)

    def play(first: int) -> tuple[Floats, Floats]:
        chunk = play_chunk(plan, first, min(CHUNK, games - first))
        progress(len(chunk.games))
        own, seats = chunk.seated == 0, list(chunk.seats)
        return chunk.games["place"][:, seats][own], chunk.games["final"][:, seats][own]

    with ThreadPoolExecutor(jobs) as pool:
        places, scores = zip(*pool.map(play, range(0, games, CHUNK)), strict=True)
    return MatchResult(games, _mean(np.concatenate(places)), _mean(np.concatenate(scores)))


def _mean(values: Floats) -> Estimate:
    value, half = float(values.mean()), Z * float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(value, value - half, value + half)

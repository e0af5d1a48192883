"""Plays many bot games, writes every hand to a Parquet file and sums up each player's results."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from jantaku.kernels.engine.state import NO_SEAT, WON
from jantaku.kernels.win import MAX_SEATS
from jantaku.lab.chunks import Chunk, ChunkPlan, played_chunks
from jantaku.lab.parquet import ParquetWriter


def _zeros() -> npt.NDArray[np.int64]:
    return np.zeros(MAX_SEATS, np.int64)


@dataclass
class Summary:
    """Running totals; arrays are indexed by player (``ChunkPlan``), ``places`` by player and place."""

    games: int = 0
    hands: int = 0
    draws: int = 0
    decisions: int = 0
    complete: bool = False
    places: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((MAX_SEATS, MAX_SEATS), np.int64))
    scores: npt.NDArray[np.int64] = field(default_factory=_zeros)
    final: npt.NDArray[np.int64] = field(default_factory=_zeros)
    wins: npt.NDArray[np.int64] = field(default_factory=_zeros)
    won_points: npt.NDArray[np.int64] = field(default_factory=_zeros)
    deal_ins: npt.NDArray[np.int64] = field(default_factory=_zeros)
    riichi: npt.NDArray[np.int64] = field(default_factory=_zeros)
    calls: npt.NDArray[np.int64] = field(default_factory=_zeros)

    def add(self, chunk: Chunk) -> None:
        """Add a chunk to the totals."""
        hands, games = chunk.hands, chunk.games
        self.games += len(games)
        self.hands += len(hands)
        self.draws += int((hands["winners"] == 0).sum())
        self.decisions += int(games["decisions"].sum())
        seated, seats = chunk.seated, np.array(chunk.seats)
        np.add.at(self.places, (seated, games["place"][:, seats] - 1), 1)
        np.add.at(self.scores, seated, games["scores"][:, seats])
        np.add.at(self.final, seated, games["final"][:, seats])
        player = seated[hands["game"]]
        won = hands["winners"][:, None] >> seats & 1
        np.add.at(self.wins, player, won)
        np.add.at(self.won_points, player, hands["points"][:, seats])
        ron = (hands["discarder"] != NO_SEAT) & (hands["ended"] == WON)
        np.add.at(self.deal_ins, player, ron[:, None] & (hands["discarder"][:, None] == seats))
        np.add.at(self.riichi, player, hands["riichi"][:, seats] > 0)
        np.add.at(self.calls, player, hands["calls"][:, seats] > 0)


def simulate(
    plan: ChunkPlan,
    jobs: int,
    out: Path | None = None,
    progress: Callable[[Summary], object] | None = None,
) -> Summary:
    """Play all games on ``jobs`` threads and write every hand to ``out``; call ``progress`` after each chunk.

    After an interruption (``KeyboardInterrupt``) or a failure the file contains the games so far; an
    interrupted run returns with ``complete`` false. The result depends only on the plan. Raises
    ``RecordError`` if ``out`` cannot be written.
    """
    summary = Summary()
    writer = ParquetWriter(out, plan) if out else None
    try:
        with played_chunks(plan, jobs) as chunks:
            for chunk in chunks:
                if writer:
                    writer.add(chunk)
                summary.add(chunk)
                if progress:
                    progress(summary)
        summary.complete = True
    except KeyboardInterrupt:
        pass
    finally:
        if writer:
            writer.finish()
    return summary

"""Job for worker processes: seating the rounds of a stage."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from jantaku.club import ClubEvent
from jantaku.club.seating import Known, Seated, Wishes, next_round, reporting, reseat, seat
from jantaku.server.edge.work import long_job

Tables = Sequence[Sequence[str]]


class PlanTask(NamedTuple):
    """Task to seat future rounds: the players ``present`` in each, and the existing seatings ``kept``."""

    played: Sequence[Seated]
    present: Sequence[Sequence[str]]
    kept: Sequence[Tables]
    wishes: Wishes
    seats: int
    seed: int


class NextTask(NamedTuple):
    """Task to seat the next round of a stage; ``out`` are players who do not take part."""

    event: ClubEvent
    stage: str
    by: Literal["random", "swiss", "ranking", "interval"]
    out: Sequence[str]
    known: Known
    seed: int


SeatingTask = PlanTask | NextTask


class SeatingMade(NamedTuple):
    """The tables and the byes of each new round."""

    rounds: Sequence[Tables]
    byes: Sequence[Sequence[str]]


@long_job
def make_seating(task: SeatingTask, progress: str) -> SeatingMade:
    """Seat rounds, writing the progress of the search (0–1) to the file ``progress``."""
    if isinstance(task, NextTask):
        seating = next_round(task.event, task.stage, task.by, out=task.out, seed=task.seed, known=task.known)
        return SeatingMade([seating.tables], [seating.byes])
    with reporting(lambda part: _write(progress, part)):
        return _planned(task)


def _planned(task: PlanTask) -> SeatingMade:
    """Seat all rounds by construction if none has been played and nobody is ever absent, else by search."""
    same = all(set(players) == set(task.present[0]) for players in task.present)
    whole = same and not task.played and not task.kept
    if whole and (not task.wishes.reserves or len(task.present[0]) % task.seats == 0):
        names = list(task.present[0])
        keep: Any = {"apart": task.wishes.apart, "seats": task.seats, "seed": task.seed}
        plan = seat(names, len(task.present), **keep)
    else:
        more: Any = {"wishes": task.wishes, "seats": task.seats, "seed": task.seed}
        plan = reseat(task.played, task.present, planned=task.kept, **more)
    return SeatingMade(plan.rounds, plan.byes)


def _write(progress: str, part: float) -> None:
    Path(progress).write_text(f"{part:.3f}", "ascii")


def part_done(progress: Path) -> float:
    """Read the progress last written by the worker, 0–1; 0 if nothing has been written."""
    try:
        return float(progress.read_text("ascii"))
    except (OSError, ValueError):
        return 0.0


def seated_before(rounds: Sequence[Any]) -> list[Seated]:
    """Convert stored rounds for the search."""
    return [Seated(cast("Any", row.seating), row.byes) for row in rounds]

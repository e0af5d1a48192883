"""Seats rounds in a worker process."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from jantaku.club import ClubEvent
from jantaku.club.seating import Known, Seated, Wishes, next_round, reporting, reseat, seat
from jantaku.server.edge.work import long_job

Tables = Sequence[Sequence[str]]


class PlanTask(NamedTuple):
    """Seat the rounds to come: ``present`` for each who is there, ``kept`` how they were to be seated."""

    played: Sequence[Seated]
    present: Sequence[Sequence[str]]
    kept: Sequence[Tables]
    wishes: Wishes
    seats: int
    seed: int


class NextTask(NamedTuple):
    """Seat one more round of a stage: ``seated`` are all tables of its rounds so far."""

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
    """Seat rounds; writes how much of the search is done to the file ``progress``."""
    if isinstance(task, NextTask):
        seating = next_round(task.event, task.stage, task.by, out=task.out, seed=task.seed, known=task.known)
        return SeatingMade([seating.tables], [seating.byes])
    with reporting(lambda part: _write(progress, part)):
        return _planned(task)


def _planned(task: PlanTask) -> SeatingMade:
    """A construction for everybody, if nothing has been played and everybody is always there."""
    same = all(set(players) == set(task.present[0]) for players in task.present)
    whole = same and not task.played and not task.kept
    if whole and (not task.wishes.reserves or len(task.present[0]) % task.seats == 0):
        names = list(task.present[0])
        keep: Any = {"apart": task.wishes.apart, "seats": task.seats, "seed": task.seed}
        plan = seat(names, len(task.present), **keep)
    else:
        more: Any = {"wishes": task.wishes, "seats": task.seats, "seed": task.seed}
        plan = reseat(task.played, task.present, kept=task.kept, **more)
    return SeatingMade(plan.rounds, plan.byes)


def _write(progress: str, part: float) -> None:
    Path(progress).write_text(f"{part:.3f}", "ascii")


def part_done(progress: Path) -> float:
    """How much of the search is done, as its worker last wrote; 0 before it has."""
    try:
        return float(progress.read_text("ascii"))
    except (OSError, ValueError):
        return 0.0


def seated_before(rounds: Sequence[Any]) -> list[Seated]:
    """Stored rounds as the search takes them."""
    return [Seated(cast("Any", row.seating), row.byes) for row in rounds]

"""Seating rounds, in worker processes."""

from typing import TYPE_CHECKING

from jantaku.server.edge.limited_work import long_job

if TYPE_CHECKING:
    from jantaku.server.events.rounds.seating_tasks import SeatingMade, SeatingTask


@long_job
def make_seating(task: "SeatingTask", progress: str) -> "SeatingMade":
    """Seat rounds; writes how much of the search is done to the file ``progress``."""
    from jantaku.server.events.rounds.seating_tasks import made

    return made(task, progress)

"""``seat`` makes a seating plan for an event and measures its quality."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import numpy as np

from jantaku.club.seating.kept_apart import pairs_by_number
from jantaku.club.seating.quality import MEASURES, quality_of
from jantaku.club.seating.search import Task, best_rounds
from jantaku.club.seating.table_numbers import with_table_numbers
from jantaku.club.seating.winds import with_winds
from jantaku.errors import RequestError
from jantaku.fields import whole
from jantaku.kernels.win import MOST_SEATS

MOST_PLAYERS: Final = 400
MOST_ROUNDS: Final = 60


@dataclass(frozen=True, slots=True)
class SeatingPlan:
    """``rounds[r][table][seat]`` are players; ``byes[r]`` sit out in round ``r``.

    The measures are those of ``SeatingScore``. ``seconds``: how long the search took.
    """

    rounds: tuple[tuple[tuple[str, ...], ...], ...]
    byes: tuple[tuple[str, ...], ...]
    repeats: int
    bound: int
    seat_spread: int
    table_spread: int
    together: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As the JSON contract has it: ``byes`` only where there are any."""
        data: dict[str, Any] = {"rounds": self.rounds}
        if any(self.byes):
            data["byes"] = self.byes
        return {
            **data,
            **{name: getattr(self, name) for name in MEASURES},
            "seconds": round(self.seconds, 1),
        }


def seat(
    players: int | Sequence[str],
    rounds: int,
    *,
    teams: Mapping[str, str] | None = None,
    apart: Iterable[tuple[str, str]] = (),
    seats: int = MOST_SEATS,
    seed: int = 0,
) -> SeatingPlan:
    """Make a seating plan: few repeated opponents, even winds, even tables, byes that go round.

    ``players`` is how many (called ``"1"``, ``"2"``, …) or their names; ``seats`` of them sit at a table.
    Members of one of ``teams`` and the pairs in ``apart`` are kept apart as far as possible. The same
    ``seed`` gives the same plan. Raises ``RequestError``.
    """
    started = perf_counter()
    names = [str(i + 1) for i in range(players)] if isinstance(players, int) else list(players)
    check_players(len(names), seats)
    whole(rounds, "rounds", 1, MOST_ROUNDS)
    numbers = _numbered(names)
    task = Task(len(names), rounds, seats, pairs_by_number(numbers, teams or {}, apart))
    random = np.random.default_rng(seed)
    order = best_rounds(task, random)
    if not task.apart:  # nobody's seat follows from the order of registration
        order = random.permutation(task.players)[order]
    seated = with_winds(with_table_numbers(order, task.players, random).tolist())
    tables = tuple(tuple(tuple(names[i] for i in table) for table in round_) for round_ in seated)
    quality = quality_of(tables, seats, [(names[one], names[other]) for one, other in task.apart])
    byes = tuple(sitting_out(round_, names) for round_ in tables)
    return SeatingPlan(tables, byes, **quality.to_dict(), seconds=perf_counter() - started)


def check_players(count: int, seats: int) -> None:
    """Raise ``RequestError`` if so many players fill no table, or are more than a plan is made for."""
    if count < seats:
        raise RequestError("too_few_to_seat", field="players", count=count, wanted=seats)
    if count > MOST_PLAYERS:
        raise RequestError("number_range", field="players", value=count, low=seats, high=MOST_PLAYERS)


def _numbered(names: Sequence[str]) -> dict[str, int]:
    number_of: dict[str, int] = {}
    for i, name in enumerate(names):
        if name in number_of:
            raise RequestError("id_twice", field=f"players[{i}]", value=name)
        number_of[name] = i
    return number_of


def sitting_out(tables: Sequence[Sequence[str]], names: Sequence[str]) -> tuple[str, ...]:
    """Those of ``names`` who sit at no table."""
    playing = {player for table in tables for player in table}
    return tuple(name for name in names if name not in playing)

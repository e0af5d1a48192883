"""Seating plans on the command line: how they look, and ``jantaku event reseat``."""

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from jantaku.cli.console import out, printed, words
from jantaku.cli.console import table as new_table
from jantaku.cli.event_input import AsJson, read_json
from jantaku.errors import RequestError
from jantaku.seats import winds_of
from jantaku.terms import listed

if TYPE_CHECKING:
    from jantaku.club.seating import Seated, SeatingPlan

QUALITY: Final = ("repeats", "bound", "seat_spread", "table_spread", "seconds")

PlanFile = Annotated[str, typer.Argument(metavar="FILE")]
Names = Annotated[list[str] | None, typer.Option(metavar="NAME")]


def reseat(
    file: PlanFile,
    played: Annotated[int, typer.Option(metavar="N", min=0)],
    leave: Annotated[list[str] | None, typer.Option("--out", metavar="NAME[:N]")] = None,
    substitute: Names = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0)] = 0,
    as_json: AsJson = False,
) -> int:
    """Seat the rounds to come anew after the rounds that have been played."""
    from jantaku.club.seating import Wishes
    from jantaku.club.seating import reseat as make
    from jantaku.club.seating.plan_file import seated_rounds

    rounds = seated_rounds(read_json(file))
    if played >= len(rounds):
        raise RequestError("number_range", field="--played", value=played, low=0, high=len(rounds) - 1)
    done, kept = rounds[:played], rounds[played:]
    seats = max(len(table) for round_ in rounds for table in round_.tables)
    reserves = substitute or []
    present = [
        [name for name in there if name not in reserves] for there in _present(kept, played, leave or ())
    ]
    wishes = Wishes(reserves=reserves)
    seating = make(
        done, present, kept=[round_.tables for round_ in kept], wishes=wishes, seats=seats, seed=seed
    )
    plan = dataclasses.replace(
        seating,
        rounds=(*(_tuples(round_) for round_ in done), *seating.rounds),
        byes=(*(tuple(round_.byes) for round_ in done), *seating.byes),
    )
    if not printed(plan.to_dict, as_json, indent=None):
        show_plan(plan)
    return 0


def _tuples(round_: "Seated") -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(table) for table in round_.tables)


def _present(kept: Sequence["Seated"], played: int, leave: Sequence[str]) -> list[list[str]]:
    """Who is there in each round to come: whoever stands in it, without those who leave.

    ``leave`` has names, of whom some are only away in one round (``NAME:N``). Raises ``RequestError`` for a
    name or a round that is not there.
    """
    from jantaku.fields import whole

    names = [[*(player for table in round_.tables for player in table), *round_.byes] for round_ in kept]
    known = {name for listed in names for name in listed}
    for leaver in leave:
        name, colon, number = (leaver, "", "") if leaver in known else leaver.rpartition(":")
        if name not in known or (colon and not (number.isascii() and number.isdecimal())):
            raise RequestError("unknown_id", field="--out", value=leaver, nearest="")
        away = [whole(int(number), "--out", played + 1, played + len(names))] if colon else None
        for r, there in enumerate(names, played + 1):
            if away is None or r in away:
                there[:] = [player for player in there if player != name]
    return names


def show_round(tables: Sequence[Sequence[str]], byes: Sequence[str], title: str | None = None) -> None:
    """Print a round as a table."""
    from jantaku.cli.table_view import said

    titles = [words("event.table"), *(said(f"wind.{wind}") for wind in winds_of(len(tables[0])))]
    grid = new_table(*titles, title=title)
    for t, table in enumerate(tables):
        grid.add_row(str(t + 1), *table)
    out().print(grid)
    if byes:
        out().print(words("event.byes", players=listed(byes)))


def show_plan(plan: "SeatingPlan") -> None:
    """Print all rounds of a plan, and what it is worth."""
    for r, tables in enumerate(plan.rounds):
        show_round(tables, plan.byes[r], words("event.round", number=r + 1))
    score = plan.to_dict()
    out().print(words("event.quality", **{name: score[name] for name in QUALITY}), style="bold")
    if plan.together:
        out().print(words("event.together", count=plan.together), style="yellow")

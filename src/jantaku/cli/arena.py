"""``jantaku arena``: bots play every seat on the same walls to find the better one."""

# ruff: noqa: PLC0415  (compiled code is imported when a command runs)

import json
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from jantaku.cli.completion import RULES
from jantaku.cli.console import announce_compiling, err, out, progress, rules_named, table, words
from jantaku.terms import signed

if TYPE_CHECKING:
    from collections.abc import Callable

    from jantaku.bots.arena import ArenaStanding, Guest, Pairing

PLACES = ("first", "second", "third", "fourth")
MJAI = "mjai:"
THOUSAND = 1000


def arena(  # noqa: PLR0913, PLR0917  (each is an option)
    players: Annotated[list[str], typer.Argument(metavar="PLAYER…")],
    games: Annotated[int, typer.Option(metavar="N", min=1)] = 400,
    rules: Annotated[str, RULES] = "standard",
    seed: Annotated[int, typer.Option(metavar="N", min=0)] = 0,
    jobs: Annotated[int, typer.Option(metavar="N", min=1)] = 2,
    save: Annotated[Path | None, typer.Option(metavar="DIR", file_okay=False)] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> int:
    """Play the games in rounds in which every player sits in every seat, and print the results."""
    ruleset = rules_named(rules)
    announce_compiling()
    from jantaku.bots.arena import contest, pairing

    faults: list[str] = []
    makers = [_maker(name, faults) for name in players]
    meeting = pairing(ruleset, players, seed, makers, save)
    seats = len(ruleset.seats)
    rounds = -(-games // seats)  # in a round every player sits once in each seat
    started = time.perf_counter()
    with progress() as bar:
        task = bar.add_task(words("arena.working"), total=rounds * seats)
        found = contest(meeting, rounds, jobs, lambda done: bar.update(task, completed=done * seats))
    taken = time.perf_counter() - started
    if as_json:
        plain = {"rules": ruleset.id, "games": rounds * seats, "seconds": round(taken, 3), "faults": faults}
        out().print_json(json.dumps(plain | {"players": [_plain(one, seats) for one in found]}))
        return 0
    _show(meeting, found, taken)
    for said in dict.fromkeys(faults):
        err().print(words("arena.fault", said=said, times=faults.count(said)), style="yellow", markup=False)
    return 0


def _maker(name: str, faults: list[str]) -> "Callable[[], Guest] | None":
    """What makes a player that is none of our bots: a program that speaks mjai, or a class in Python."""
    from jantaku.bots.mjai import MjaiBot
    from jantaku.bots.python_bots import python_bot

    if name.startswith(MJAI):
        return partial(MjaiBot, name.removeprefix(MJAI), faults=faults)
    return python_bot(name) if ":" in name else None


def _rates(one: "ArenaStanding") -> dict[str, float]:
    """The rates of a player per hand, in display order."""
    from jantaku.bots.match import CALLED, DEAL_INS, HANDS, RIICHI, WINS

    columns = {"wins": WINS, "deal_ins": DEAL_INS, "calls": CALLED, "riichi": RIICHI}
    return {name: one.rate(column, HANDS) for name, column in columns.items()}


def _places(one: "ArenaStanding", places: int) -> list[float]:
    from jantaku.bots.match import FIRST, GAMES

    return [one.rate(FIRST + place, GAMES) for place in range(places)]


def _plain(one: "ArenaStanding", places: int) -> dict[str, Any]:
    from jantaku.bots.match import FINAL, GAMES, HANDS, POINTS

    certain = len(one.rounds) > 1
    return {
        "name": one.name,
        "games": int(one.tally[GAMES]),
        "hands": int(one.tally[HANDS]),
        "place": one.place,
        "interval": [one.place - one.interval, one.place + one.interval] if certain else None,
        "places": _places(one, places),
        "points": one.rate(POINTS, GAMES),
        "final": one.rate(FINAL, GAMES),
        **_rates(one),
    }


def _show(meeting: "Pairing", found: "list[ArenaStanding]", seconds: float) -> None:
    from jantaku.bots.match import GAMES, HANDS

    games, hands = int(found[0].tally[GAMES]), int(found[0].tally[HANDS])
    out().print(_results(meeting, found, games))
    out().print(words("arena.about"), style="dim")
    out().print()
    out().print(words("arena.played", games=games, hands=hands, seconds=seconds, speed=games / seconds))


def _results(meeting: "Pairing", found: "list[ArenaStanding]", games: int) -> Table:
    """One row per player, the best first."""
    from jantaku.bots.match import FINAL, GAMES

    names = ("player", "place", *PLACES[: len(found)], "final", "wins", "deal_ins")
    columns = [words(f"arena.{name}") for name in (*names, "calls", "riichi")]
    rows = table(*columns, title=words("arena.title", rules=meeting.rules.id, games=games))
    for column in rows.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    rows.columns[0].no_wrap, rows.columns[0].overflow = True, "ellipsis"
    rows.padding = (0, 1, 0, 0)  # so that it fits eighty columns
    for one in sorted(found, key=lambda standing: standing.place):
        rows.add_row(
            one.name,
            f"{one.place:.2f} ± {one.interval:.2f}" if len(one.rounds) > 1 else f"{one.place:.2f}",
            *(f"{share:.0%}" for share in _places(one, len(found))),
            signed(one.rate(FINAL, GAMES) / THOUSAND, 1),
            *(f"{rate:.1%}" for rate in _rates(one).values()),
        )
    return rows

"""``jantaku simulate`` and ``arena``: bulk games between bots, and matches with external programs."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from jantaku.cli.bot_games import bot_names, with_file
from jantaku.cli.command import INTERRUPTED, RULES, AsJson, Count, MaybeNumber, Number
from jantaku.cli.console import err, out, progress, rules_named, table, words
from jantaku.terms import signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jantaku.bots.arena import ArenaStanding, Pairing
    from jantaku.lab.chunks import ChunkPlan
    from jantaku.lab.simulate import Summary
    from jantaku.rules import Ruleset


PLACES = ("first", "second", "third", "fourth")


def arena(  # noqa: PLR0913, PLR0917  (each is an option)
    players: Annotated[list[str], typer.Argument(metavar="PLAYER…")],
    games: Annotated[int, typer.Option(metavar="N", min=1)] = 400,
    rules: Annotated[str, RULES] = "standard",
    seed: Count = 0,
    jobs: Annotated[int, typer.Option(metavar="N", min=1)] = 2,
    save: Annotated[Path | None, typer.Option(metavar="DIR", file_okay=False)] = None,
    as_json: AsJson = False,
) -> int:
    """Play rounds in which every player sits in each seat once, and print the results."""
    ruleset = rules_named(rules)
    from jantaku.bots.arena import contest, pairing

    meeting = pairing(ruleset, players, seed, save)
    seats = len(ruleset.seats)
    rounds = -(-games // seats)  # one game per seat
    started = time.perf_counter()
    with progress() as bar:
        task = bar.add_task(words("arena.working"), total=rounds * seats)
        standings = contest(meeting, rounds, jobs, lambda done: bar.update(task, completed=done * seats))
    taken = time.perf_counter() - started
    faults = [fault for standing in standings for fault in standing.faults]
    if as_json:
        plain = {"rules": ruleset.id, "games": rounds * seats, "seconds": round(taken, 3), "faults": faults}
        out().print_json(json.dumps(plain | {"players": [_plain(standing, seats) for standing in standings]}))
        return 0
    _show(meeting, standings, taken)
    for message in dict.fromkeys(faults):
        err().print(
            words("arena.fault", said=message, times=faults.count(message)), style="yellow", markup=False
        )
    return 0


def _rates(standing: "ArenaStanding") -> dict[str, float]:
    """Return a player's rates per hand in display order."""
    from jantaku.bots.match import CALLED, DEAL_INS, HANDS, RIICHI, WINS

    columns = {"wins": WINS, "deal_ins": DEAL_INS, "calls": CALLED, "riichi": RIICHI}
    return {name: standing.rate(column, HANDS) for name, column in columns.items()}


def _places(standing: "ArenaStanding", places: int) -> list[float]:
    from jantaku.bots.match import FIRST, GAMES

    return [standing.rate(FIRST + place, GAMES) for place in range(places)]


def _plain(standing: "ArenaStanding", places: int) -> dict[str, Any]:
    from jantaku.bots.match import FINAL, GAMES, HANDS, POINTS

    certain = len(standing.rounds) > 1
    return {
        "name": standing.name,
        "games": int(standing.tally[GAMES]),
        "hands": int(standing.tally[HANDS]),
        "place": standing.place,
        "interval": [standing.place - standing.interval, standing.place + standing.interval]
        if certain
        else None,
        "places": _places(standing, places),
        "points": standing.rate(POINTS, GAMES),
        "final": standing.rate(FINAL, GAMES),
        **_rates(standing),
    }


def _show(meeting: "Pairing", standings: "list[ArenaStanding]", seconds: float) -> None:
    from jantaku.bots.match import GAMES, HANDS

    games, hands = int(standings[0].tally[GAMES]), int(standings[0].tally[HANDS])
    out().print(_results(meeting, standings, games))
    out().print(words("arena.about"), style="dim")
    out().print()
    out().print(words("arena.played", games=games, hands=hands, seconds=seconds, speed=games / seconds))


def _results(meeting: "Pairing", standings: "list[ArenaStanding]", games: int) -> Table:
    """Return a table with one row per player, best first."""
    from jantaku.bots.match import FINAL, GAMES

    rows = _table(meeting.rules, games, len(standings))
    for column in rows.columns:
        column.no_wrap = True
    rows.columns[0].overflow = "ellipsis"
    rows.padding = (0, 1, 0, 0)  # to fit eighty columns
    for standing in sorted(standings, key=lambda standing: standing.place):
        interval = f" ± {standing.interval:.2f}" if len(standing.rounds) > 1 else ""
        rows.add_row(
            standing.name,
            f"{standing.place:.2f}{interval}",
            *_cells(
                _places(standing, len(standings)), standing.rate(FINAL, GAMES), _rates(standing).values()
            ),
        )
    return rows


def _table(rules: "Ruleset", games: int, places: int) -> Table:
    """Return an empty table for the results of bots."""
    names = ("player", "place", *PLACES[:places], "final", "wins", "deal_ins", "calls", "riichi")
    title = words("arena.title", rules=rules.id, games=games)
    return table(*(words(f"arena.{name}") for name in names), title=title, right=range(1, len(names)))


def _cells(places: "Iterable[float]", final: float, rates: "Iterable[float]") -> "Iterator[str]":
    """Format the shares of places, the average final points and the rates per hand."""
    yield from (f"{share:.0%}" for share in places)
    yield signed(final / 1000, 1)
    yield from (f"{rate:.1%}" for rate in rates)


def simulate(
    games: Number = 1000,
    rules: Annotated[str, RULES] = "standard",
    bots: Annotated[str, typer.Option(metavar="NAME[,NAME…]")] = "standard",
    seed: Number = 0,
    jobs: MaybeNumber = None,
    file: Annotated[Path | None, typer.Option("--out", metavar="FILE")] = None,
) -> int:
    """Let bots play and print a summary; exit with code 130 if interrupted."""
    ruleset = rules_named(rules)
    from jantaku.lab.chunks import ChunkPlan, cores
    from jantaku.lab.simulate import simulate as run

    names, adapted = with_file(bot_names(bots, len(ruleset.seats)))
    plan = ChunkPlan(ruleset, names, games, seed, adapted=adapted)
    started = time.perf_counter()
    with progress() as bar:
        task = bar.add_task(words("arena.working"), total=games)
        done = run(
            plan, cores() if jobs is None else jobs, file, lambda now: bar.update(task, completed=now.games)
        )
    _show_summary(plan, done, time.perf_counter() - started)
    if file is not None and done.games:
        games_file = file.with_name(f"{file.stem}-games{file.suffix}")
        out().print(words("simulate.written", hands=done.hands, file=file, games=games_file), soft_wrap=True)
    if done.complete:
        return 0
    err().print(words("simulate.interrupted", games=done.games, wanted=games), style="bold yellow")
    return INTERRUPTED


def _show_summary(plan: "ChunkPlan", done: "Summary", seconds: float) -> None:
    if not done.games:
        return
    grid = _table(plan.rules, done.games, len(plan.bots))
    for player, name in enumerate(plan.bots):
        shares = (done.places[player] / done.games).tolist()[: len(plan.bots)]
        place = sum(place * share for place, share in enumerate(shares, 1))
        rates = (rate[player] / done.hands for rate in (done.wins, done.deal_ins, done.calls, done.riichi))
        cells = _cells(shares, done.final[player] / done.games, rates)
        grid.add_row(f"{player} {name}", f"{place:.3f}", *cells)
    out().print(grid)
    out().print(words("simulate.about"), style="dim")
    out().print()
    share = done.draws / done.hands
    out().print(words("simulate.hands", games=done.games, hands=done.hands, draws=share, seconds=seconds))
    out().print(words("simulate.speed", speed=done.games / seconds), style="dim")

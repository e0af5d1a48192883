"""``jantaku simulate``: bots play many games; writes every hand to Parquet and sums up the players."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from jantaku.cli.command import INTERRUPTED
from jantaku.cli.completion import RULES
from jantaku.cli.console import err, out, progress, rules_named, table, words
from jantaku.cli.play.command import bot_names
from jantaku.terms import signed

if TYPE_CHECKING:
    from jantaku.lab.chunks import ChunkPlan
    from jantaku.lab.simulate import Summary

PLACES = ("first", "second", "third", "fourth")
THOUSAND = 1000


def simulate(
    games: Annotated[int, typer.Option(metavar="N")] = 1000,
    rules: Annotated[str, RULES] = "standard",
    bots: Annotated[str, typer.Option(metavar="NAME[,NAME…]")] = "standard",
    seed: Annotated[int, typer.Option(metavar="N")] = 0,
    jobs: Annotated[int | None, typer.Option(metavar="N")] = None,
    file: Annotated[Path | None, typer.Option("--out", metavar="FILE")] = None,
) -> int:
    """Let bots play and print a summary; exits with code 130 if interrupted."""
    ruleset = rules_named(rules)
    from jantaku.lab.chunks import ChunkPlan, cores
    from jantaku.lab.simulate import simulate as run

    plan = ChunkPlan(ruleset, tuple(bot_names(bots, len(ruleset.seats))), games, seed)
    started = time.perf_counter()
    with progress() as bar:
        task = bar.add_task(words("simulate.working"), total=games)
        done = run(
            plan, cores() if jobs is None else jobs, file, lambda now: bar.update(task, completed=now.games)
        )
    show(plan, done, time.perf_counter() - started)
    if file is not None and done.games:
        games_file = file.with_name(f"{file.stem}-games{file.suffix}")
        out().print(words("simulate.written", hands=done.hands, file=file, games=games_file), soft_wrap=True)
    if done.complete:
        return 0
    err().print(words("simulate.interrupted", games=done.games, wanted=games), style="bold yellow")
    return INTERRUPTED


def show(plan: "ChunkPlan", done: "Summary", seconds: float) -> None:
    """Print the results of the games."""
    if not done.games:
        return
    out().print(results(plan, done))
    out().print(words("simulate.about"), style="dim")
    out().print()
    share = done.draws / done.hands
    out().print(words("simulate.hands", games=done.games, hands=done.hands, draws=share, seconds=seconds))
    out().print(words("simulate.speed", speed=done.games / seconds), style="dim")


def results(plan: "ChunkPlan", done: "Summary") -> Table:
    """One row per player: places, points and how often it wins, deals in, calls and declares riichi."""
    names = ("bot", "place", *PLACES[: len(plan.bots)], "final")
    rates = (done.wins, done.deal_ins, done.calls, done.riichi)
    columns = [words(f"simulate.{name}") for name in (*names, "wins", "deal_ins", "calls", "riichi")]
    title = words("simulate.title", rules=plan.rules.id, games=done.games)
    grid = table(*columns, title=title, right=range(1, len(columns)))
    for player, name in enumerate(plan.bots):
        shares = (done.places[player] / done.games).tolist()[: len(plan.bots)]
        grid.add_row(
            f"{player} {name}",
            f"{sum(place * share for place, share in enumerate(shares, 1)):.3f}",
            *(f"{share:.0%}" for share in shares),
            signed(done.final[player] / done.games / THOUSAND, 1),
            *(f"{rate[player] / done.hands:.1%}" for rate in rates),
        )
    return grid

"""``jantaku lab train``: trains the network of a bot."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import TextColumn, TimeElapsedColumn, TimeRemainingColumn

from jantaku.cli.command import INTERRUPTED, RULES, MaybeNumber, Number, one_of
from jantaku.cli.console import err, out, progress, rules_named
from jantaku.errors import RequestError
from jantaku.terms import text


def train(  # noqa: PLR0913, PLR0917  (each is an option)
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR")],
    rules: Annotated[str, RULES] = "tenhou",
    games: Number = 300_000,
    start: Annotated[Path | None, typer.Option("--start", metavar="FILE")] = None,
    aim: Annotated[str, one_of("score|place")] = "place",
    seed: Number = 0,
    jobs: MaybeNumber = None,
) -> int:
    """Train a bot; an interrupted run exits with code 130 and can be resumed."""
    ruleset = rules_named(rules)
    try:
        from jantaku.lab.train.run import train
    except ModuleNotFoundError as error:
        raise RequestError("missing_extra", field="torch", extra="train") from error
    from jantaku.bots.net_file import TrainedBot
    from jantaku.lab.chunks import cores
    from jantaku.lab.train.folder import BOT, TrainingSettings

    if jobs is not None and jobs < 1:
        raise RequestError("number_range", field="--jobs", value=jobs, low=1, high=cores())
    settings = TrainingSettings(games=games, aim=aim, seed=seed)
    bot = None if start is None else TrainedBot.read(start)
    columns = TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[note]}")
    with progress(*columns) as bar:
        total = settings.iterations * settings.between
        task = bar.add_task(text("lab.train.working"), total=total, note="")

        def show(played: int, log: Mapping[str, float]) -> None:
            note = (
                text("lab.train.note", moved=log["discard.moved"], explained=log["explained"]) if log else ""
            )
            bar.update(task, completed=played, note=note)

        try:
            train(ruleset, settings, out_folder, start=bot, jobs=jobs or cores(), progress=show)
        except KeyboardInterrupt:
            err().print(text("lab.train.interrupted"), style="bold yellow")
            return INTERRUPTED
    out().print(text("lab.train.written", path=out_folder / BOT), soft_wrap=True)
    return 0

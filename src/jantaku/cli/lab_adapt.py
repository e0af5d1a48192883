"""``jantaku lab adapt``: fits a bot to a ruleset by self-play."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import TimeElapsedColumn, TimeRemainingColumn

from jantaku.cli.command import INTERRUPTED
from jantaku.cli.completion import RULES, one_of
from jantaku.cli.console import err, out, printed, progress, rules_named, table
from jantaku.errors import RequestError
from jantaku.terms import signed, text

if TYPE_CHECKING:
    from jantaku.lab.adapt.bot import AdaptedBot

_MOST_SHOWN = 12  # weights that moved most


def adapt(  # noqa: PLR0913, PLR0917  (each is an option)
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE")],
    rules: Annotated[str, RULES] = "standard",
    rounds: Annotated[int | None, typer.Option(metavar="N")] = None,
    games: Annotated[int | None, typer.Option(metavar="N")] = None,
    match: Annotated[int | None, typer.Option(metavar="N")] = None,
    aim: Annotated[str, one_of("score|place")] = "score",
    seed: Annotated[int, typer.Option(metavar="N")] = 0,
    jobs: Annotated[int | None, typer.Option(metavar="N")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> int:
    """Fit the weights of a bot to the rules; exits with code 130 if interrupted, and then goes on."""
    ruleset = rules_named(rules)
    from jantaku.lab.adapt.search import SearchSettings, adapt
    from jantaku.lab.chunks import cores

    if jobs is not None and jobs < 1:
        raise RequestError("number_range", field="--jobs", value=jobs, low=1, high=cores())
    given: dict[str, Any] = {"rounds": rounds, "games": games, "match_games": match}
    settings = replace(
        SearchSettings(aim=aim, seed=seed),
        **{name: value for name, value in given.items() if value is not None},
    )
    with progress(TimeElapsedColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task(text("lab.adapt.working"), total=settings.total)
        try:
            result = adapt(ruleset, settings, out_file, jobs or cores(), lambda n: bar.advance(task, n))
        except KeyboardInterrupt:
            err().print(text("lab.adapt.interrupted"), style="bold yellow")
            return INTERRUPTED
    if not printed(lambda: _plain(result), as_json):
        _show(result, out_file)
    return 0


def _plain(bot: "AdaptedBot") -> dict[str, object]:
    match = bot.match
    return {
        "rules": bot.ruleset,
        "fingerprint": bot.rules.fingerprint,
        "played": bot.played,
        "match": {"games": match.games, "place": match.place, "score": match.score},
        "weights": bot.named_weights,
    }


def _show(bot: "AdaptedBot", path: Path) -> None:
    """Print the match and the weights that moved most."""
    from jantaku.bots.weights import STANDARD_WEIGHTS, WEIGHT_NAMES

    place, score = bot.match.place, bot.match.score
    average = (len(bot.rules.seats) + 1) / 2
    said = text(
        "lab.adapt.match", games=bot.match.games, place=place.value, low=place.low, high=place.high,
        score=score.value, score_low=score.low, score_high=score.high,
    )  # fmt: skip
    out().print(said, highlight=False)
    verdict = "better" if place.high < average else "worse" if place.low > average else "even"
    out().print(text(f"lab.adapt.{verdict}"), style="bold")
    grid = table(text("lab.adapt.weight"), text("lab.adapt.plain"), text("lab.adapt.adapted"))
    rows = sorted(
        zip(WEIGHT_NAMES, STANDARD_WEIGHTS, bot.weights, strict=True), key=lambda row: -abs(row[2] - row[1])
    )
    for name, plain, adapted in rows[:_MOST_SHOWN]:
        grid.add_row(name, signed(plain, 2), signed(adapted, 2))
    out().print(grid)
    out().print(text("lab.adapt.written", path=path), soft_wrap=True)

"""``jantaku lab``: experiments with rules."""

import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import TextColumn, TimeRemainingColumn

from jantaku.cli.command import INTERRUPTED, Command, CommandGroup
from jantaku.cli.completion import RULES, one_of
from jantaku.cli.console import err, out, printed, progress, rules_named
from jantaku.cli.lab_adapt import adapt
from jantaku.cli.lab_hand import hand
from jantaku.cli.lab_tables import show_answer, show_summary
from jantaku.errors import Phrases, RequestError, file_errors, no_choice
from jantaku.rules import Ruleset
from jantaku.terms import current, text

if TYPE_CHECKING:
    from jantaku.lab.experiment.folder import ExperimentFolder
    from jantaku.lab.experiment.plan import Experiment, NamedRules
    from jantaku.lab.experiment.play import PlayedGames, PortionPlayer

app = typer.Typer(cls=CommandGroup, no_args_is_help=True)
app.command("adapt", cls=Command)(adapt)

RulesName = Annotated[str, RULES]
Seed = Annotated[int, typer.Option(metavar="N")]
Bots = Annotated[str, typer.Option(metavar="NAME[,NAME…]")]
Jobs = Annotated[int | None, typer.Option(metavar="N")]
Cluster = Annotated[str | None, typer.Option(metavar="ray|ray://HOST:PORT")]
Folder = Annotated[Path, typer.Argument(metavar="DIR")]
AsJson = Annotated[bool, typer.Option("--json")]
Luck = Annotated[bool, typer.Option("--luck")]
Seconds = Annotated[float | None, typer.Option(metavar="N", min=0.1, max=600)]
Adapted = Annotated[list[Path] | None, typer.Option("--adapted", metavar="FILE")]

app.command("hand", cls=Command)(hand)

_RAY = "ray"
_DRAWS = ("own", "wall")


@app.command("run", cls=Command)
def run(  # noqa: PLR0913, PLR0917  (each is an option)
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR")],
    rules: RulesName = "standard",
    against: Annotated[list[str] | None, RULES] = None,
    games: Annotated[int, typer.Option(metavar="N")] = 10_000,
    seed: Seed = 0,
    bots: Bots = "standard",
    jobs: Jobs = None,
    on: Cluster = None,
    adapted: Adapted = None,
    draws: Annotated[str, one_of("own|wall")] = "own",
    luck: Luck = False,
) -> int:
    """Play the same walls under each ruleset; exits with code 130 if interrupted."""
    from jantaku.lab.experiment.folder import ExperimentFolder
    from jantaku.lab.experiment.plan import Experiment

    if draws not in _DRAWS:
        raise no_choice("--draws", draws, _DRAWS)
    named = _played(_named([rules, *(against or [])]), adapted or [], luck=luck)
    experiment = Experiment(named, tuple(bots.split(",")), games, seed, own_draws=draws == _DRAWS[0])
    player = _player(jobs, on)
    folder = ExperimentFolder.begin(out_folder, experiment)
    if not folder.missing():
        out().print(text("lab.finished", path=out_folder), soft_wrap=True)
        return 0
    complete = _play(folder, player)
    if not complete:
        err().print(text("lab.interrupted", path=out_folder), style="bold yellow", soft_wrap=True)
        return INTERRUPTED
    out().print(text("lab.written", path=out_folder), soft_wrap=True)
    return 0


@app.command("summary", cls=Command)
def summary(folder: Folder, seconds: Seconds = None, as_json: AsJson = False) -> int:
    """Sum up an experiment."""
    from jantaku.lab.experiment.summary import as_data, summarise

    summary = summarise(_read(folder, seconds))
    if not printed(lambda: as_data(summary), as_json):
        show_summary(summary)
    return 0


@app.command("report", cls=Command)
def report(
    folder: Folder,
    file: Annotated[Path | None, typer.Option("--out", metavar="FILE.html")] = None,
    seconds: Seconds = None,
) -> int:
    """Write the report of an experiment as one HTML page."""
    from jantaku.lab.report.page import report as page

    content = page(_read(folder, seconds), current())
    path = file or folder / "report.html"
    with file_errors(path, writing=True):
        path.write_text(content, "utf-8")
    out().print(text("lab.report.written", path=path), soft_wrap=True)
    return 0


@app.command("ask", cls=Command)
def ask(  # noqa: PLR0913, PLR0917
    changes: Annotated[list[str], typer.Option("--set", metavar="OPTION=VALUE")],
    rules: RulesName = "standard",
    games: Annotated[int, typer.Option(metavar="N")] = 2_000,
    seed: Seed = 0,
    bots: Bots = "standard",
    jobs: Jobs = None,
    on: Cluster = None,
    adapted: Adapted = None,
    luck: Luck = False,
    seconds: Seconds = None,
    whole: Annotated[bool, typer.Option("--all")] = False,
    as_json: AsJson = False,
) -> int:
    """Answer what a change of the rules does; after an interruption, from the games played so far."""
    from jantaku.lab.experiment.folder import ExperimentFolder
    from jantaku.lab.experiment.plan import Experiment, NamedRules
    from jantaku.lab.experiment.summary import as_data, summarise

    before = rules_named(rules)
    after = changed(before, changes)
    pair = NamedRules(before.id, before), NamedRules(f"{before.id}-changed", after)
    named = _played(pair, adapted or [], luck=luck)
    experiment = _timed(
        Experiment(named, tuple(bots.split(",")), games, seed, portion=_portion_of(games)), seconds
    )
    with tempfile.TemporaryDirectory(prefix="jantaku-lab-") as path:
        folder = ExperimentFolder.begin(Path(path), experiment)
        complete = _play(folder, _player(jobs, on))
        summary = summarise(folder)
    if not printed(lambda: as_data(summary), as_json):
        show_answer(summary, before, after, whole=whole)
    return 0 if complete else INTERRUPTED


def changed(rules: Ruleset, changes: Sequence[str]) -> Ruleset:
    """The rules with changes like ``yaku.pinfu.closed=0``; raises ``RequestError`` or ``RulesError``."""
    values: dict[str, Any] = {}
    for change in changes:
        path, equals, value = change.partition("=")
        if not equals or not path.strip():
            raise RequestError("set_syntax", field="--set", value=change)
        values[path.strip()] = _value(value.strip())
    changed_rules = rules.with_changes(values)
    if changed_rules == rules:
        raise RequestError("set_nothing", field="--set", value=Phrases(changes))
    return changed_rules


def _value(text: str) -> Any:
    """A value as in a rules file; a word needs no quotation marks."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _portion_of(games: int) -> int:
    """Small portions for small experiments, so that an interrupted one has something to tell."""
    from jantaku.lab.experiment.plan import PORTION

    return max(1, min(PORTION, games // 20))


def _named(sources: Sequence[str]) -> "tuple[NamedRules, ...]":
    """The rulesets by the names of their presets or files."""
    from jantaku.lab.experiment.plan import NamedRules

    return tuple(
        NamedRules(Path(source).name.removesuffix(".toml"), rules_named(source)) for source in sources
    )


def _timed(experiment: "Experiment", seconds: float | None) -> "Experiment":
    """The experiment with the time that people take for a decision."""
    return experiment if seconds is None else replace(experiment, decision_s=seconds)


def _read(path: Path, seconds: float | None) -> "ExperimentFolder":
    """A stored experiment, with the time that people take for a decision."""
    from jantaku.lab.experiment.folder import ExperimentFolder

    folder = ExperimentFolder.read(path)
    folder.experiment = _timed(folder.experiment, seconds)
    return folder


def _played(
    named: "tuple[NamedRules, ...]", files: Sequence[Path], *, luck: bool
) -> "tuple[NamedRules, ...]":
    """The rulesets, again those that there are adapted bots for, and companions that tell of luck."""
    from jantaku.lab.adapt.bot import AdaptedBot
    from jantaku.lab.experiment.plan import ADAPTED_END, with_luck

    bots = named
    for file in files:
        bot = AdaptedBot.read(file)
        own = [player for player in named if player.rules.fingerprint == bot.rules.fingerprint]
        if not own:
            raise RequestError("adapted_other_rules", field="--adapted", path=str(file), name=bot.ruleset)
        bots += tuple(player._replace(name=player.name + ADAPTED_END, weights=bot.weights) for player in own)
    return with_luck(bots) if luck else bots


def _player(jobs: int | None, on: str | None) -> "PortionPlayer":
    """What plays the games: threads, or a Ray cluster."""
    from jantaku.lab.chunks import cores
    from jantaku.lab.experiment.play import on_threads

    if jobs is not None and jobs < 1:
        raise RequestError("number_range", field="--jobs", value=jobs, low=1, high=cores())
    if on is None:
        return on_threads(jobs or cores())
    cluster = checked_cluster("--on", on)
    from jantaku.lab.experiment.on_ray import on_ray

    return on_ray(cluster, jobs)


def checked_cluster(field: str, address: str) -> str:
    """The address of a Ray cluster; raises ``wrong_choice`` for another text."""
    if address != _RAY and not address.startswith(f"{_RAY}://"):
        raise RequestError("wrong_choice", field=field, value=address, known="ray, ray://HOST:PORT")
    return address


def _play(folder: "ExperimentFolder", player: "PortionPlayer") -> bool:
    """Play what is missing with a progress bar; returns whether it came to its end."""
    from jantaku.lab.experiment.play import play_missing

    speed = TextColumn("{task.fields[speed]}", markup=False)
    with progress(speed, TimeRemainingColumn()) as bar:
        total = sum(portion.size for portion in folder.missing())
        task = bar.add_task(text("lab.working"), total=total, speed="")

        def tell(played: "PlayedGames") -> None:
            elapsed = bar.tasks[task].elapsed or 0.0
            said = text("lab.speed", speed=played.hands / elapsed) if elapsed else ""
            bar.update(task, completed=played.games, speed=said)

        try:
            play_missing(folder, player, tell)
        except KeyboardInterrupt:
            return False
    return True

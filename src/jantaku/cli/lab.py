"""``jantaku lab``: experiments with rules."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.progress import TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from jantaku.cli.bot_games import with_file
from jantaku.cli.command import (
    INTERRUPTED,
    RULES,
    AsJson,
    Command,
    CommandGroup,
    MaybeNumber,
    Number,
    one_of,
    panel_option,
)
from jantaku.cli.console import err, heading, out, printed, progress, rules_named, table
from jantaku.cli.score import WINDS, Melds, melds_from_options
from jantaku.cli.training import train
from jantaku.errors import RequestError, file_errors, phrase, wrong_choice
from jantaku.fields import choice
from jantaku.game.action_words import action_text
from jantaku.hand import WIND_NAMES
from jantaku.lab.experiment.findings import findings
from jantaku.lab.experiment.names import own_of, played_name, yaku_label
from jantaku.lab.experiment.rows import (
    change_words,
    clarity,
    compared_rows,
    is_game_row,
    plain_rows,
    row_label,
    value_words,
)
from jantaku.rules.sheet import in_words, label
from jantaku.rules.typed_changes import changed
from jantaku.terms import current, listed, signed, text

if TYPE_CHECKING:
    from jantaku.bots.net_file import TrainedBot
    from jantaku.lab.discards import ChoiceEstimates, HandAnswer, HandQuestion, SeatPosition
    from jantaku.lab.experiment.estimates import Estimate
    from jantaku.lab.experiment.folder import ExperimentFolder
    from jantaku.lab.experiment.names import Own
    from jantaku.lab.experiment.plan import Experiment, NamedRules
    from jantaku.lab.experiment.play import PlayedGames, PortionPlayer
    from jantaku.lab.experiment.rows import ComparedRow
    from jantaku.lab.experiment.summary import Differences, ExperimentSummary
    from jantaku.rules import Ruleset


_MAX_WEIGHTS = 12  # weights listed


def adapt(  # noqa: PLR0913, PLR0917  (each is an option)
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE")],
    rules: Annotated[str, RULES] = "standard",
    rounds: MaybeNumber = None,
    games: MaybeNumber = None,
    match: MaybeNumber = None,
    aim: Annotated[str, one_of("score|place")] = "score",
    seed: Number = 0,
    jobs: MaybeNumber = None,
    as_json: AsJson = False,
) -> int:
    """Adapt ``strong`` to the rules; an interrupted run exits with code 130 and can be resumed."""
    ruleset = rules_named(rules)
    from jantaku.lab.adapt.progress import SearchSettings
    from jantaku.lab.adapt.search import adapt
    from jantaku.lab.chunks import cores

    _check_jobs(jobs)
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
    if not printed(lambda: _plain(result, ruleset), as_json):
        _show(result, ruleset, out_file)
    return 0


def _check_jobs(jobs: int | None) -> None:
    from jantaku.lab.chunks import cores

    if jobs is not None and jobs < 1:
        raise RequestError("number_range", field="--jobs", value=jobs, low=1, high=cores())


def _plain(bot: "TrainedBot", ruleset: "Ruleset") -> dict[str, object]:
    from jantaku.bots.weights import WEIGHT_NAMES

    weights = dict(zip(WEIGHT_NAMES, bot.weights, strict=True))
    return {"rules": ruleset.id, "fingerprint": ruleset.fingerprint, **bot.about, "weights": weights}


def _show(bot: "TrainedBot", ruleset: "Ruleset", path: Path) -> None:
    """Print the match result and the weights that changed most."""
    from jantaku.bots.net_file import trained_for
    from jantaku.bots.policies import BOTS, STRONG
    from jantaku.bots.weights import WEIGHT_NAMES
    from jantaku.lab.adapt.duel import MatchResult

    match = MatchResult.of(bot)
    place, score = match.place, match.score
    average = (len(ruleset.seats) + 1) / 2
    message = text(
        "lab.adapt.match", games=match.games, place=place.value, low=place.low, high=place.high,
        score=score.value, score_low=score.low, score_high=score.high,
    )  # fmt: skip
    out().print(message, highlight=False)
    verdict = "better" if place.high < average else "worse" if place.low > average else "even"
    out().print(text(f"lab.adapt.{verdict}"), style="bold")
    grid = table(text("lab.adapt.weight"), BOTS[STRONG], text("lab.adapt.adapted"))
    before = trained_for(ruleset).weights
    rows = sorted(zip(WEIGHT_NAMES, before, bot.weights, strict=True), key=lambda row: -abs(row[2] - row[1]))
    for name, old, new in rows[:_MAX_WEIGHTS]:
        grid.add_row(name, signed(old, 2), signed(new, 2))
    out().print(grid)
    out().print(text("lab.adapt.written", path=path), soft_wrap=True)


THOUSAND: Final = 1000
_ORDERS: Final = "place|points|final|win|deal_in"


River = Annotated[str, panel_option("table", metavar="TILES")]


def hand(  # noqa: PLR0913, PLR0917  (each is an option; they are read from the context)
    context: typer.Context,
    tiles: Annotated[list[str], typer.Argument(metavar="TILES")],
    chi: Melds = None,
    pon: Melds = None,
    ankan: Melds = None,
    daiminkan: Melds = None,
    kakan: Melds = None,
    round_wind: Annotated[str, panel_option("table", "--round", metavar=WINDS)] = "east",
    number: Annotated[int, panel_option("table", metavar="N")] = 1,
    seat: Annotated[str, panel_option("table", metavar=WINDS)] = "south",
    dora: Annotated[list[str] | None, panel_option("table", metavar="TILES")] = None,
    honba: Annotated[int, panel_option("table", metavar="N")] = 0,
    deposits: Annotated[int | None, panel_option("table", metavar="N")] = None,
    kita: Annotated[int, panel_option("table", metavar="N")] = 0,
    wareme: Annotated[str | None, panel_option("table", metavar=WINDS)] = None,
    scores: Annotated[str | None, panel_option("table", metavar="N,N,N,N")] = None,
    turn: Annotated[int | None, panel_option("table", metavar="N")] = None,
    discards: River = "",
    right: River = "",
    across: River = "",
    left: River = "",
    rules: Annotated[str, RULES] = "standard",
    games: Number = 1000,
    seed: Number = 0,
    bots: Annotated[str, typer.Option(metavar="NAME")] = "standard",
    by: Annotated[str, typer.Option(metavar=_ORDERS)] = "place",
    jobs: MaybeNumber = None,
    as_json: AsJson = False,
) -> int:
    """Find the best discard of a hand."""
    from jantaku.lab.discards import HandQuestion, known_position

    given = context.params
    known = known_position(position_from_options(given), rules_named(rules))
    question = HandQuestion(known, games, seed, bots, by)
    answer = _played(question, jobs)
    if not printed(answer.to_dict, as_json):
        show_choices(answer)
    return 0


def position_from_options(given: "dict[str, Any]") -> "SeatPosition":
    """Build the position described by the command's options."""
    from jantaku.lab.discards import SeatPosition

    return SeatPosition.parse(
        " ".join(given["tiles"]),
        melds_from_options(given),
        dora=" ".join(given["dora"] or []),
        scores=None if given["scores"] is None else _numbers(given["scores"]),
        round=choice(given["round_wind"], "--round", WIND_NAMES),
        seat=choice(given["seat"], "--seat", WIND_NAMES),
        wareme=given["wareme"] and choice(given["wareme"], "--wareme", WIND_NAMES),
        **{name: given[name] for name in ("number", "honba", "deposits", "kita", "turn")},
        **{name: given[name] for name in ("discards", "right", "across", "left")},
    )


def _numbers(message: str) -> list[int]:
    try:
        return [int(part) for part in message.split(",")]
    except ValueError as error:
        raise RequestError(
            "wrong_type",
            field="--scores",
            wanted=phrase("errors.kinds.such_text", example="25000,25000,25000,25000"),
        ) from error


def _played(question: "HandQuestion", jobs: int | None) -> "HandAnswer":
    """Return the answer, showing a progress bar; after Ctrl-C it covers the deals played so far."""
    from jantaku.lab.discards import answers

    answer = None
    with progress(TimeRemainingColumn()) as bar:
        task = bar.add_task(text("lab.hand.working"), total=question.games)
        try:
            for answer in answers(question, jobs):
                bar.update(task, completed=answer.games)
        except KeyboardInterrupt:
            if answer is None:
                raise
    assert answer is not None  # a question has at least two deals
    return answer


def show_choices(answer: "HandAnswer") -> None:
    """Print a row for each choice, best first."""
    names = ("choice", "place", "to_best", "final", "points", "win", "deal_in")
    grid = table(*(text(f"lab.hand.{name}") for name in names), right=range(1, len(names)))
    for column in grid.columns[1:]:
        column.no_wrap = True
    grid.padding = (0, 1, 0, 0)  # to fit eighty columns
    for row in answer.choices:
        grid.add_row(*_cells(row, answer.by))
    out().print(grid)
    about = text(
        "lab.hand.about", games=answer.games, rules=answer.rules, order=text(f"lab.hand.{answer.by}")
    )
    out().print(Text(about, "dim"))


def _cells(estimates: "ChoiceEstimates", by: str) -> list[str | Text]:
    """Return the cells of a choice; its difference from the best is bold if significant."""
    change = (estimates.against_best or {}).get(by)
    clear = change is not None and (change.low > 0 or change.high < 0)
    return [
        action_text(estimates.action),
        _figure(estimates.place, ".2f"),
        Text("–" if change is None else _shown(by, change), "bold" if clear else ""),
        _figure(estimates.final, "+.1f", THOUSAND),
        _figure(estimates.points, "+,.0f"),
        _figure(estimates.win, ".0f", 0.01),
        _figure(estimates.deal_in, ".0f", 0.01),
    ]


def _shown(by: str, change: "Estimate") -> str:
    """Format a difference in the unit of its column."""
    shapes = {"place": ("+.2f", 1), "final": ("+.1f", THOUSAND), "points": ("+,.0f", 1)}
    return _figure(change, *shapes.get(by, ("+.1f", 0.01)))


def _figure(estimate: "Estimate", shape: str, unit: float = 1) -> str:
    """Format an estimate with half the width of its interval, such as ``2.31 ± 0.08``."""
    half = (estimate.high - estimate.low) / 2 / unit
    return f"{estimate.value / unit:{shape}} ± {half:{shape.lstrip('+')}}"


_CLEAR: Final = "bold"


def show_summary(summary: "ExperimentSummary") -> None:
    """Print rates, means and yaku under each ruleset, with differences from the first."""
    out().print(Text(_about(summary)))
    out().print()
    changes = _changes(summary)
    out().print(_plain_table(summary, changes))
    out().print()
    out().print(_yaku_table(summary, changes))
    _show_adapted(summary)
    out().print(Text(text("lab.intervals"), "dim"))


def _show_adapted(summary: "ExperimentSummary") -> None:
    for change in summary.adapted:
        out().print()
        out().print(_adapted_table(summary, change))


def show_answer(
    summary: "ExperimentSummary", before: "Ruleset", after: "Ruleset", *, whole: bool = False
) -> None:
    """Print the effects of a rule change: significant differences, clearest first, or all with ``whole``."""
    out().print(heading(text("lab.changes")))
    for path, (old, new) in before.differences(after).items():
        out().print(f"  {label(path, rules=after)}: {in_words(path, old)} → {in_words(path, new)}")
    out().print()
    out().print(Text(_about(summary)))
    out().print()
    own = own_of(ruleset.named.rules for ruleset in summary.rulesets)
    for change in summary.reported:
        ruleset = summary.ruleset(change.name)
        if ruleset.named.adapted:
            out().print(heading(_against(summary, change)))
        rows = [row for row in compared_rows(summary, change) if row.change is not None]
        clear = sorted((row for row in rows if row.clear), key=clarity, reverse=True)
        for sentence in findings(rows, summary.ruleset(change.against).named.rules, ruleset.named.rules):
            out().print(f"· {sentence}", soft_wrap=True)
        out().print()
        if not ruleset.named.adapted:
            out().print(_game_table(rows, own))
            out().print()
        if whole or clear:
            out().print(_answer_table(rows if whole else clear, own))
        out().print(
            text("lab.clear_of" if clear else "lab.nothing_clear", clear=len(clear), tested=len(rows))
        )
        out().print()
    out().print(Text(text("lab.intervals"), "dim"))


def _against(summary: "ExperimentSummary", change: "Differences") -> str:
    name, against = (played_name(summary.ruleset(each).named) for each in (change.name, change.against))
    return text("lab.report.against", name=name, against=against)


def _about(summary: "ExperimentSummary") -> str:
    hands = sum(ruleset.hands for ruleset in summary.rulesets)
    message = text("lab.about", games=summary.games, hands=hands, bots=listed(summary.bots))
    return (
        message
        if summary.games == summary.wanted
        else f"{message} {text('lab.unfinished', wanted=summary.wanted)}"
    )


_PLAIN: Final = ("rate", "mean", "seat", "place")


def _interval(row: "ComparedRow") -> Text:
    """Format a difference, bold if significant."""
    return Text(change_words(row), _CLEAR if row.clear else "")


def _changes(summary: "ExperimentSummary") -> "list[dict[tuple[str, str], ComparedRow]]":
    """Return the rows of each ruleset compared with the first, by group and name."""
    return [{row[:2]: row for row in compared_rows(summary, change)} for change in summary.paired]


def _plain_table(summary: "ExperimentSummary", changes: "list[dict[tuple[str, str], ComparedRow]]") -> Table:
    columns = [ruleset.named.name for ruleset in summary.rulesets[:1]]
    for change in summary.paired:
        columns += [change.name, text("lab.difference")]
    grid = table("", *columns)
    for group, name, kind, estimate in plain_rows(summary.rulesets[0]):
        cells = [Text(row_label(group, name)), Text(value_words(estimate, kind))]
        for rows in changes:
            row = rows[group, name]
            cells += [Text(value_words(row.after, kind)), _interval(row)]
        grid.add_row(*cells)
    return grid


def _adapted_table(summary: "ExperimentSummary", change: "Differences") -> Table:
    """Return the differences between two rulesets when adapted bots play both."""
    grid = table("", text("lab.difference"), title=_against(summary, change))
    for row in compared_rows(summary, change):
        if row.group in _PLAIN:
            grid.add_row(Text(row_label(row.group, row.name)), _interval(row))
    return grid


def _yaku_table(summary: "ExperimentSummary", changes: "list[dict[tuple[str, str], ComparedRow]]") -> Table:
    """Return the share of wins with each yaku, most frequent first."""
    columns = [text("lab.yaku")]
    for i, ruleset in enumerate(summary.rulesets):
        columns += [ruleset.named.name, text("lab.points")] + [text("lab.difference")] * (i > 0)
    grid = table(*columns, title=text("lab.yaku_title"))
    first, own = summary.rulesets[0], own_of(ruleset.named.rules for ruleset in summary.rulesets)
    for name in sorted(first.yaku, key=lambda name: -first.yaku[name].share.value):
        cells = [Text(yaku_label(name, own))]
        for i, ruleset in enumerate(summary.rulesets):
            yaku = ruleset.yaku[name]
            cells += [Text(value_words(yaku.share, "share")), Text(value_words(yaku.points, "points"))]
            if i:
                cells.append(_interval(changes[i - 1]["share", name]))
        grid.add_row(*cells)
    return grid


def _game_table(rows: "list[ComparedRow]", own: "Own") -> Table:
    """Return the figures about whole games, which matter to organisers even if unchanged."""
    whole = [row for row in rows if is_game_row(row.group, row.name)]
    return _answer_table(whole, own, text("lab.whole"))


def _answer_table(rows: "list[ComparedRow]", own: "Own", title: str = "") -> Table:
    grid = table("", text("lab.before"), text("lab.after"), text("lab.difference"), title=title)
    for row in rows:
        before, after = value_words(row.before, row.kind), value_words(row.after, row.kind)
        grid.add_row(Text(row_label(row.group, row.name, own)), before, after, _interval(row))
    return grid


app = typer.Typer(cls=CommandGroup, no_args_is_help=True)
app.command("adapt", cls=Command)(adapt)
app.command("train", cls=Command)(train)

RulesName = Annotated[str, RULES]
Seed = Number
Bots = Annotated[str, typer.Option(metavar="NAME[,NAME…]")]
Jobs = MaybeNumber
Cluster = Annotated[str | None, typer.Option(metavar="ray|ray://HOST:PORT")]
Folder = Annotated[Path, typer.Argument(metavar="DIR")]
Luck = Annotated[bool, typer.Option("--luck")]
Seconds = Annotated[float | None, typer.Option(metavar="N", min=0.1, max=600)]
Adapted = Annotated[list[Path] | None, typer.Option("--adapted", metavar="FILE")]

app.command("hand", cls=Command)(hand)

_DRAWS = ("own", "wall")


@app.command("run", cls=Command)
def run(  # noqa: PLR0913, PLR0917  (each is an option)
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR")],
    rules: RulesName = "standard",
    against: Annotated[list[str] | None, RULES] = None,
    games: Number = 10_000,
    seed: Seed = 0,
    bots: Bots = "standard",
    jobs: Jobs = None,
    on: Cluster = None,
    adapted: Adapted = None,
    draws: Annotated[str, one_of("own|wall")] = "own",
    luck: Luck = False,
) -> int:
    """Play the same walls under each ruleset; exit with code 130 if interrupted."""
    from jantaku.lab.experiment.folder import ExperimentFolder
    from jantaku.lab.experiment.plan import Experiment, NamedRules

    if draws not in _DRAWS:
        raise wrong_choice("--draws", draws, _DRAWS)
    named = tuple(
        NamedRules(Path(source).name.removesuffix(".toml"), rules_named(source))
        for source in (rules, *(against or ()))
    )
    named = _with_companions(named, adapted, luck=luck)
    names, own_bot = with_file(bots.split(","))
    own_draws = draws == _DRAWS[0]
    experiment = Experiment(named, names, games, seed, own_draws=own_draws, adapted=own_bot)
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
    """Print the summary of an experiment."""
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
    games: Number = 2_000,
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
    """Estimate the effects of a rule change; after an interruption, from the games played so far."""
    from jantaku.lab.experiment.folder import ExperimentFolder
    from jantaku.lab.experiment.plan import Experiment, NamedRules, portion_of
    from jantaku.lab.experiment.summary import as_data, summarise

    before = rules_named(rules)
    after = changed(before, changes)
    pair = NamedRules(before.id, before), NamedRules(f"{before.id}-changed", after)
    named, portion = _with_companions(pair, adapted, luck=luck), portion_of(games)
    names, own_bot = with_file(bots.split(","))
    experiment = _timed(Experiment(named, names, games, seed, portion=portion, adapted=own_bot), seconds)
    with tempfile.TemporaryDirectory(prefix="jantaku-lab-") as path:
        folder = ExperimentFolder.begin(Path(path), experiment)
        complete = _play(folder, _player(jobs, on))
        summary = summarise(folder)
    if not printed(lambda: as_data(summary), as_json):
        show_answer(summary, before, after, whole=whole)
    return 0 if complete else INTERRUPTED


def _timed(experiment: "Experiment", seconds: float | None) -> "Experiment":
    """Return the experiment with people's time per decision in seconds."""
    return experiment if seconds is None else replace(experiment, decision_s=seconds)


def _read(path: Path, seconds: float | None) -> "ExperimentFolder":
    """Read a stored experiment, with people's time per decision in seconds."""
    from jantaku.lab.experiment.folder import ExperimentFolder

    folder = ExperimentFolder.read(path)
    folder.experiment = _timed(folder.experiment, seconds)
    return folder


def _with_companions(
    named: "tuple[NamedRules, ...]", files: Sequence[Path] | None, *, luck: bool
) -> "tuple[NamedRules, ...]":
    """Add rulesets played by adapted bots, and those for measuring luck, to an experiment."""
    from jantaku.lab.experiment.plan import with_adapted, with_luck

    bots = with_adapted(named, files or ())
    return with_luck(bots) if luck else bots


def _player(jobs: int | None, on: str | None) -> "PortionPlayer":
    """Return the player of the games: threads or a Ray cluster."""
    from jantaku.lab.chunks import cores
    from jantaku.lab.experiment.play import on_threads

    _check_jobs(jobs)
    if on is None:
        return on_threads(jobs or cores())
    from jantaku.lab.experiment.plan import cluster_address

    cluster = cluster_address("--on", on)
    from jantaku.lab.experiment.on_ray import on_ray  # Ray is optional

    return on_ray(cluster, jobs)


def _play(folder: "ExperimentFolder", player: "PortionPlayer") -> bool:
    """Play the missing games with a progress bar; return False if interrupted."""
    from jantaku.lab.experiment.play import play_missing

    speed = TextColumn("{task.fields[speed]}", markup=False)
    with progress(speed, TimeRemainingColumn()) as bar:
        total = sum(portion.size for portion in folder.missing())
        task = bar.add_task(text("lab.working"), total=total, speed="")

        def show_progress(played: "PlayedGames") -> None:
            elapsed = bar.tasks[task].elapsed or 0.0
            message = text("lab.speed", speed=played.hands / elapsed) if elapsed else ""
            bar.update(task, completed=played.games, speed=message)

        try:
            play_missing(folder, player, show_progress)
        except KeyboardInterrupt:
            return False
    return True

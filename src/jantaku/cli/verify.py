"""``jantaku verify``: compare answers with expected ones field by field, and replay game records."""

import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from jantaku.cli import console
from jantaku.cli.command import RULES, Count
from jantaku.errors import JantakuError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jantaku.adjudication.verify import Difference, Outcome

DIFFERS = 1
MAX_SHOWN = 20
DEFAULT_RULES = "standard"


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…")],
    rules: Annotated[str | None, RULES] = None,
    show: Count = MAX_SHOWN,
) -> int:
    """Compare the engine's answers with the expected ones in files, and replay game records."""
    records = [path for path in files if is_record(path)]
    differences = games(records, rules) if records else []
    wrong_games = len(differences)
    rows = wrong = 0
    started = time.perf_counter()
    for outcome in outcomes([path for path in files if path not in records], rules or DEFAULT_RULES):
        rows += 1
        if isinstance(outcome, list):
            wrong += 1
            differences += outcome
        elif outcome.differences:
            wrong += 1
            differences += outcome.differences
    seconds = time.perf_counter() - started
    if differences and show:
        print_differences(differences, show)
    if len(records) < len(files):
        style = "bold red" if wrong else "bold green"
        key = "differ" if wrong else "agree"
        message = console.words(f"verify.{key}", rows=rows, wrong=wrong, right=rows - wrong, seconds=seconds)
        console.out().print(message, style=style)
    return DIFFERS if wrong or wrong_games else 0


def is_record(path: Path) -> bool:
    """Whether the contents of a file are a game record instead of requests."""
    from jantaku.records.formats import format_in
    from jantaku.records.sniff import beginning

    return format_in(beginning(path)) is not None


def games(files: list[Path], rules: str | None) -> "list[Difference]":
    """Replay records; return the first difference of each record from the rules, or why it is unreadable."""
    from jantaku.game.events import HandStarted, Won
    from jantaku.records.formats import read_record
    from jantaku.records.script import logged_events

    given = console.rules_named(rules) if rules else None
    differences: list[Difference] = []
    hands = wins = 0
    with console.progress() as bar:
        task = bar.add_task(console.words("verify.working"), total=len(files))
        for path in files:
            try:
                events = logged_events(read_record(path, given).game)
            except JantakuError as error:
                differences.append(_difference(path, error))
            else:
                hands += sum(isinstance(event, HandStarted) for event in events)
                wins += sum(isinstance(event, Won) for event in events)
            bar.advance(task)
    right = len(files) - len(differences)
    message = console.words("verify.games", games=len(files), right=right, hands=hands, wins=wins)
    console.out().print(message, style="bold red" if differences else "bold green")
    return differences


def _difference(path: Path, error: JantakuError) -> "Difference":
    """Return the difference between a record and the rules, or why the record cannot be read."""
    from jantaku.adjudication.verify import Difference

    details = error.details
    if "engine" not in details:
        return Difference(path.name, "–", None, error.message())
    where = (
        console.words("verify.hand", log=path.name, hand=details["hand"]) if "hand" in details else path.name
    )
    what = details.get("what", details.get("line", "–"))
    return Difference(where, str(what), details["log"], details["engine"])


def outcomes(files: list[Path], rules: str) -> "Iterator[Outcome | list[Difference]]":
    """Yield the outcome of each row with a progress bar; an invalid line becomes a difference."""
    from jantaku.adjudication.verify import Difference, check_row

    ruleset = console.rules_named(rules)
    find = console.rules_finder(rules, ruleset)
    with ExitStack() as stack:
        streams = [(path, stack.enter_context(console.open_file(path))) for path in files]
        total = 0
        for _, stream in streams:
            total += sum(1 for _ in console.numbered(stream))
            stream.seek(0)
        bar = stack.enter_context(console.progress())
        task = bar.add_task(console.words("verify.working"), total=total)
        for path, stream in streams:
            for number, line in console.numbered(stream):
                name = f"{path.name}:{number}"
                try:
                    yield check_row(line, ruleset, name=name, find=find)
                except JantakuError as error:
                    yield [Difference(name, "–", None, error.message())]
                bar.advance(task)


def print_differences(differences: "list[Difference]", most: int) -> None:
    """Print the first differences, one field per row."""
    rows = console.table(
        console.words("verify.request"),
        console.words("verify.field"),
        console.words("verify.expected"),
        console.words("verify.found"),
        title=console.words("verify.title"),
    )
    for item in differences[:most]:
        rows.add_row(
            item.id,
            item.field,
            Text(_short(item.expected), "green"),
            Text(_short(item.given), "red"),
        )
    console.out().print(rows)
    if len(differences) > most:
        console.out().print(console.words("verify.more", count=len(differences) - most), style="dim")


def _short(value: object) -> str:
    if isinstance(value, str):
        return value
    return "–" if value is None else json.dumps(value, ensure_ascii=False, default=str).strip("{}")

"""``jantaku verify``: files of requests with expected answers, checked field by field."""

# ruff: noqa: PLC0415  (compiled code is imported when a command runs)

import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from jantaku.cli.console import (
    announce_compiling,
    numbered,
    open_file,
    out,
    progress,
    rules_finder,
    rules_named,
    table,
    words,
)
from jantaku.errors import JantakuError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jantaku.adjudication.verify import Difference, Outcome

DIFFERS = 1
SHOWN = 20


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…")],
    rules: Annotated[str, typer.Option(metavar="NAME|FILE")] = "standard",
    show: Annotated[int, typer.Option(metavar="N", min=0)] = SHOWN,
) -> int:
    """Compare what the engine answers with what files expect, and replay Tenhou logs (``*.mjlog``)."""
    logs = [path for path in files if ".mjlog" in path.suffixes]
    found = games(logs) if logs else []
    wrong_games = len(found)
    rows = wrong = 0
    started = time.perf_counter()
    for outcome in outcomes([path for path in files if path not in logs], rules):
        rows += 1
        if isinstance(outcome, list):
            wrong += 1
            found += outcome
        elif outcome.differences:
            wrong += 1
            found += outcome.differences
    seconds = time.perf_counter() - started
    if found and show:
        print_differences(found, show)
    if len(logs) < len(files):
        style = "bold red" if wrong else "bold green"
        key = "differ" if wrong else "agree"
        said = words(f"verify.{key}", rows=rows, wrong=wrong, right=rows - wrong, seconds=seconds)
        out().print(said, style=style)
    return DIFFERS if wrong or wrong_games else 0


def games(logs: list[Path]) -> "list[Difference]":
    """Replay every log; the first difference of each that differs."""
    announce_compiling()
    from jantaku.adjudication.verify import Difference
    from jantaku.records.mjlog import read_log
    from jantaku.records.verify import verify as verify_game

    read = [(path, read_log(path)) for path in logs]
    found: list[Difference] = []
    hands = wins = 0
    with progress() as bar:
        task = bar.add_task(words("verify.working"), total=len(logs))
        for path, log in read:
            report = verify_game(log)
            hands += report.hands
            wins += report.wins
            if report.difference:
                where = words("verify.hand", log=path.name, hand=report.difference.hand)
                item = report.difference
                found.append(Difference(where, item.what, item.log, item.engine))
            bar.advance(task)
    right = len(logs) - len(found)
    said = words("verify.games", games=len(logs), right=right, hands=hands, wins=wins)
    out().print(said, style="bold red" if found else "bold green")
    return found


def outcomes(files: list[Path], rules: str) -> "Iterator[Outcome | list[Difference]]":
    """What comes of each row, with a progress bar; a line that is no row is a difference itself."""
    announce_compiling()
    from jantaku.adjudication.verify import Difference, check_row

    ruleset = rules_named(rules)
    find = rules_finder(rules, ruleset)
    with ExitStack() as stack:
        streams = [(path, stack.enter_context(open_file(path))) for path in files]
        total = 0
        for _, stream in streams:
            total += sum(1 for _ in numbered(stream))
            stream.seek(0)
        bar = stack.enter_context(progress())
        task = bar.add_task(words("verify.working"), total=total)
        for path, stream in streams:
            for number, line in numbered(stream):
                name = f"{path.name}:{number}"
                try:
                    yield check_row(line, ruleset, name=name, find=find)
                except JantakuError as error:
                    yield [Difference(name, "–", None, error.message())]
                bar.advance(task)


def print_differences(found: "list[Difference]", most: int) -> None:
    """Show the first differences, one field a row."""
    rows = table(
        words("verify.request"),
        words("verify.field"),
        words("verify.expected"),
        words("verify.found"),
        title=words("verify.title"),
    )
    for item in found[:most]:
        rows.add_row(
            item.id,
            item.field,
            Text(_short(item.expected), "green"),
            Text(_short(item.found), "red"),
        )
    out().print(rows)
    if len(found) > most:
        out().print(words("verify.more", count=len(found) - most), style="dim")


def _short(value: object) -> str:
    if isinstance(value, str):
        return value
    return "–" if value is None else json.dumps(value, ensure_ascii=False, default=str).strip("{}")

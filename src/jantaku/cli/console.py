"""Shared helpers of commands: consoles, texts, errors, progress and input files."""

import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import typer
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from jantaku import terms
from jantaku.errors import JantakuError, RecordError, RequestError, cause
from jantaku.rules import Ruleset, load, load_file, preset_names

ACCENT = "cyan"
PROGRESS_INTERVAL_S = 10.0  # seconds between progress lines in a pipe
LABEL_COLOURS = {"error": "red", "warning": "yellow"}


def words(key: str, **values: object) -> str:
    """Return a text from the ``cli`` table."""
    return terms.text(f"cli.{key}", None, **values)


def out() -> Console:
    """Return a console for standard output; not cached because tests replace the stream."""
    return Console(highlight=False, markup=False, emoji=False)


def err() -> Console:
    """Return a console for standard error, used for messages and progress."""
    return Console(highlight=False, markup=False, emoji=False, stderr=True)


def print_message(text: str, style: str = "", *, label: str = "error") -> None:
    """Print a message on standard error; its ``label`` is “error”, “warning” or none."""
    message = Text()
    if label:
        message.append(words(label), f"bold {LABEL_COLOURS[label]}").append(" ")
    console = err()
    console.print(message.append(text, style), soft_wrap=not console.is_terminal)


def print_error(error: JantakuError) -> None:
    """Print the message of an error."""
    print_message(error.message())


def print_difference(error: JantakuError | None) -> None:
    """Print how a game displayed as recorded differs from the rules."""
    if error is not None:
        print_message(words("as_recorded", difference=error.message()), "yellow", label="")


def printed(data: Callable[[], object], as_json: bool, indent: int | None = 1) -> bool:
    """Print a result as JSON if ``as_json``; return ``as_json``."""
    if as_json:
        typer.echo(json.dumps(data(), ensure_ascii=False, indent=indent))
    return as_json


def table(*columns: str, title: str | None = None, right: Collection[int] = ()) -> Table:
    """Return an empty table in the common style; ``right``: right-aligned columns."""
    table = Table(
        box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0), show_header=any(columns)
    )
    if title is not None:
        table.title, table.title_justify, table.title_style = title, "left", f"bold {ACCENT}"
    for i, column in enumerate(columns):
        table.add_column(column, overflow="fold", justify="right" if i in right else "left")
    return table


def add_row(rows: Table, *cells: str, style: str = "") -> None:
    """Add a row of plain text without markup."""
    rows.add_row(*(Text(cell, style) for cell in cells))


def heading(text: str) -> Text:
    """Return text styled as a heading."""
    return Text(text, f"bold {ACCENT}")


def indented(content: RenderableType) -> Padding:
    """Indent content by two columns."""
    return Padding(content, (0, 0, 0, 2), expand=False)


def progress(*columns: ProgressColumn) -> Progress:
    """Return a progress bar on standard error that disappears when done.

    ``columns`` replace the elapsed time.

    If standard error is not a terminal, print a line every ``PROGRESS_INTERVAL_S`` seconds instead.
    """
    kind = Progress if err().is_terminal else _ProgressLines
    return kind(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        *(columns or (TimeElapsedColumn(),)),
        console=err(),
        transient=True,
    )


class _ProgressLines(Progress):
    """Progress as lines, for pipes and files."""

    _printed_at = 0.0

    def start(self) -> None:
        """Start measuring the time until the first line."""
        self._printed_at = time.monotonic()

    def stop(self) -> None:
        """Do nothing; there is no bar to remove."""

    def update(self, task_id: TaskID, **fields: Any) -> None:
        """Update a task, and print its progress if it is due."""
        super().update(task_id, **fields)
        self._print_progress(task_id)

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Advance a task, and print its progress if it is due."""
        super().advance(task_id, advance)
        self._print_progress(task_id)

    def _print_progress(self, task_id: TaskID) -> None:
        now, task = time.monotonic(), self._tasks[task_id]
        if now - self._printed_at >= PROGRESS_INTERVAL_S and task.total and not task.finished:
            self._printed_at = now
            err().print(f"{task.description} {task.completed:.0f}/{task.total:.0f}")


def rules_named(name: str) -> Ruleset:
    """Load a preset or a rules file; raises ``RulesError``."""
    return load(name) if name in preset_names() else load_file(name)


def refuse_unused(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Raise ``RequestError`` for the first of these parameters given on the command line to no effect.

    ``why`` is the option that makes it useless, as the user typed it.
    """
    labels = {str(parameter.name): str(parameter.opts[0]) for parameter in context.command.params}
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise RequestError("unused_option", field=labels[name], why=why)


def rules_finder(name: str, rules: Ruleset) -> Callable[[str], Ruleset]:
    """Return a cached loader of the rules files named in requests; ``name`` itself gives ``rules``."""
    own = None if name in preset_names() else Path(name).resolve()
    read = lru_cache(maxsize=64)(load_file)

    def find(path: str) -> Ruleset:
        return rules if own is not None and own == _resolved(path) else read(path)

    return find


def _resolved(path: str) -> Path | None:
    try:
        return Path(path).resolve()
    except (OSError, ValueError):
        return None


def open_file(path: Path) -> BinaryIO:
    """Open a JSON-lines file; raises ``RecordError`` if it cannot be read."""
    try:
        return path.open("rb")
    except OSError as error:
        raise RecordError("unreadable_file", path=str(path), reason=cause(error)) from error


def bar(share: float, width: int) -> str:
    """Draw a bar of ``share`` (0–1) of ``width`` columns, accurate to an eighth of a column."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def is_terminal() -> bool:
    """Whether standard output is a terminal with colours."""
    return out().is_terminal and not os.environ.get("NO_COLOR")


def numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the non-blank lines of a file with their numbers from 1."""
    return ((i, line) for i, line in enumerate(stream, 1) if line.strip())

"""Printing: consoles, texts, errors, and the input files of commands."""

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
TELL_EVERY = 10.0  # seconds between two lines of progress in a pipe
LABEL_COLOURS = {"error": "red", "warning": "yellow"}


def words(key: str, **values: object) -> str:
    """The text with that key in the command line's table."""
    return terms.text(f"cli.{key}", None, **values)


def out() -> Console:
    """The console of the current standard output (tests replace the stream)."""
    return Console(highlight=False, markup=False, emoji=False)


def err() -> Console:
    """The console of standard error: messages and progress, so that output can be piped."""
    return Console(highlight=False, markup=False, emoji=False, stderr=True)


def print_message(text: str, style: str = "", *, label: str = "error") -> None:
    """Print one message on standard error behind a ``label``: “error”, “warning”, or none."""
    said = Text()
    if label:
        said.append(words(label), f"bold {LABEL_COLOURS[label]}").append(" ")
    console = err()
    console.print(said.append(text, style), soft_wrap=not console.is_terminal)


def print_error(error: JantakuError) -> None:
    """Print what went wrong and how to fix it."""
    print_message(error.message())


def print_difference(error: JantakuError | None) -> None:
    """Print the difference between a record and the rules, for a game shown as recorded."""
    if error is not None:
        print_message(words("as_recorded", difference=error.message()), "yellow", label="")


def printed(data: Callable[[], object], as_json: bool, indent: int | None = 1) -> bool:
    """Print a result as JSON if that is wanted; returns whether it is."""
    if as_json:
        typer.echo(json.dumps(data(), ensure_ascii=False, indent=indent))
    return as_json


def table(*columns: str, title: str | None = None, right: Collection[int] = ()) -> Table:
    """An empty table in the style of all commands; ``right``: the columns of numbers."""
    table = Table(
        box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0), show_header=any(columns)
    )
    if title is not None:
        table.title, table.title_justify, table.title_style = title, "left", f"bold {ACCENT}"
    for i, column in enumerate(columns):
        table.add_column(column, overflow="fold", justify="right" if i in right else "left")
    return table


def add_row(rows: Table, *cells: str, style: str = "") -> None:
    """Add a row of plain text, in which nothing is markup."""
    rows.add_row(*(Text(cell, style) for cell in cells))


def heading(text: str) -> Text:
    """A heading."""
    return Text(text, f"bold {ACCENT}")


def indented(content: RenderableType) -> Padding:
    """The content, indented by two columns."""
    return Padding(content, (0, 0, 0, 2), expand=False)


def progress(*columns: ProgressColumn) -> Progress:
    """A progress bar on standard error that disappears when done; ``columns`` instead of the time elapsed.

    Where standard error is no terminal, a line now and then says how far it is.
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
    """Progress for a pipe or a file, in which nothing can be drawn over."""

    _shown_at = 0.0

    def start(self) -> None:
        """Begin to count the time until the first line."""
        self._shown_at = time.monotonic()

    def stop(self) -> None:
        """Nothing was drawn that could be taken away."""

    def update(self, task_id: TaskID, **fields: Any) -> None:
        """Take over the new numbers, and say them if it is time."""
        super().update(task_id, **fields)
        self._tell(task_id)

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Count on, and say it if it is time."""
        super().advance(task_id, advance)
        self._tell(task_id)

    def _tell(self, task_id: TaskID) -> None:
        now, task = time.monotonic(), self._tasks[task_id]
        if now - self._shown_at >= TELL_EVERY and task.total and not task.finished:
            self._shown_at = now
            err().print(f"{task.description} {task.completed:.0f}/{task.total:.0f}")


def rules_named(name: str) -> Ruleset:
    """The ruleset of a preset's name or a file; raises ``RulesError``."""
    return load(name) if name in preset_names() else load_file(name)


def refuse_unused(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Raise ``RequestError`` for the first of these parameters that the command line gives in vain.

    ``why`` is what makes it useless, as the user typed it.
    """
    labels = {str(parameter.name): str(parameter.opts[0]) for parameter in context.command.params}
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise RequestError("unused_option", field=labels[name], why=why)


def rules_finder(name: str, rules: Ruleset) -> Callable[[str], Ruleset]:
    """A function that finds the rules files requests name; ``rules`` were read from the user's ``name``."""
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
    """A bar of ``share`` (0–1) of ``width`` columns, accurate to an eighth of a column."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def is_terminal() -> bool:
    """Whether standard output goes directly to a terminal."""
    return out().is_terminal and not os.environ.get("NO_COLOR")


def numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, without blank ones."""
    return ((i, line) for i, line in enumerate(stream, 1) if line.strip())

"""``jantaku convert`` and ``fair``: convert recorded games, and check the walls of a game."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

from jantaku.cli.command import RULES
from jantaku.cli.console import err, out, print_message, progress, rules_named, words
from jantaku.errors import JantakuError, RecordError, RequestError, file_errors

if TYPE_CHECKING:
    from jantaku.rules import Ruleset

STDOUT = "-"
FAILED: Final = 1


def convert(
    sources: Annotated[list[Path], typer.Argument(metavar="IN…")],
    target: Annotated[str, typer.Argument(metavar="OUT")],
    to: Annotated[str | None, typer.Option(metavar="FORMAT")] = None,
    rules: Annotated[str | None, RULES] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite")] = False,
) -> int:
    """Read records of any format and write them in another."""
    from jantaku.records import formats

    name = to or formats.format_of(target)
    formats.writable(name)
    given = rules_named(rules) if rules else None
    if target != STDOUT and (len(sources) > 1 or sources[0].is_dir() or _is_folder(target)):
        with file_errors(target, writing=True):
            Path(target).mkdir(parents=True, exist_ok=True)
        return _convert_all(_planned(sources, Path(target), name), name, given, overwrite)
    if len(sources) > 1 or sources[0].is_dir():
        raise RequestError("several_to_stdout", field="OUT", count=len(sources))
    if target != STDOUT:
        _check_free(Path(target), overwrite)
    record = formats.read_to_convert(sources[0], name, given)
    if target == STDOUT:
        text = formats.dumps(record.game, name, record.names or None)
        cast("Any", sys.stdout).reconfigure(encoding="utf-8")
        sys.stdout.write(text)
        return 0
    formats.write(record.game, target, name, record.names or None)
    game = record.game
    message = words("convert.done", target=target, hands=len(game.walls), rules=game.rules.id, format=name)
    err().print(message, style="dim")
    return 0


def _is_folder(target: str) -> bool:
    return target.endswith(("/", "\\")) or Path(target).is_dir()


def _check_free(path: Path, overwrite: bool) -> None:
    """Raise ``RecordError`` for an existing file that may not be overwritten."""
    if path.exists() and not overwrite:
        raise RecordError("file_left", path=str(path))


def _planned(sources: Sequence[Path], folder: Path, name: str) -> dict[Path, Path]:
    """Map each source file to its target.

    Files of a folder keep their relative paths, below the folder's name if there are several inputs. A file
    whose target is already taken keeps its suffix.
    """
    from jantaku.records.formats import BY_NAME, SUFFIXES

    suffix = BY_NAME[name].suffixes[0]
    planned: dict[Path, Path] = {}
    taken: set[Path] = set()
    for source in sources:
        for path, place in _files(source, folder, alone=len(sources) == 1):
            stem = place.with_suffix("") if place.suffix == ".gz" else place
            written = (
                stem.with_suffix(suffix) if stem.suffix in SUFFIXES else stem.with_name(stem.name + suffix)
            )
            if written in taken:
                written = place.with_name(place.name + suffix)
            taken.add(written)
            planned[path] = folder / written
    return planned


def _files(source: Path, folder: Path, *, alone: bool) -> Iterator[tuple[Path, Path]]:
    """Yield each file of an input with its relative path in the target folder."""
    if not source.is_dir():
        yield source, Path(source.name)
        return
    inside = None if source.resolve() == folder.resolve() else folder.resolve()
    for path in sorted(source.rglob("*")):
        place = path.relative_to(source)
        hidden = any(part.startswith(".") for part in place.parts)
        if path.is_file() and not hidden and inside not in path.resolve().parents:
            yield path, place if alone else source.resolve().name / place


def _convert_all(planned: Mapping[Path, Path], name: str, rules: "Ruleset | None", overwrite: bool) -> int:
    """Convert many records, and finally list those that failed."""
    if not planned:
        raise RequestError("no_records", field="IN")
    failed: dict[Path, JantakuError] = {}
    with progress() as bar:
        task = bar.add_task(words("convert.working"), total=len(planned))
        for source, target in planned.items():
            try:
                _check_free(target, overwrite)
                _convert_one(source, target, name, rules)
            except JantakuError as error:
                failed[source] = error
            bar.advance(task)
    for source, found in failed.items():
        message = found.message()
        print_message(message if str(source) in message else f"{source}: {message}", "red", label="")
    done = len(planned) - len(failed)
    message = words("convert.all", done=done, count=len(planned), failed=len(failed), format=name)
    err().print(message, style="bold red" if failed else "bold green")
    return FAILED if failed else 0


def _convert_one(source: Path, target: Path, name: str, rules: "Ruleset | None") -> None:
    from jantaku.records import formats

    record = formats.read_to_convert(source, name, rules)
    with file_errors(target.parent, writing=True):
        target.parent.mkdir(parents=True, exist_ok=True)
    formats.write(record.game, target, name, record.names or None)


UNFAIR: Final = 1
# Errors of a game file whose seed does not reproduce its contents
DIFFERENCES: Final = ("record_commitment", "record_event", "record_action")


def fair(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    rules: Annotated[str | None, RULES] = None,
) -> int:
    """Check the commitment, its opening and all walls of a game."""
    from jantaku.game import fair_walls
    from jantaku.records.formats import read_record

    console = out()
    try:
        record = read_record(file, rules_named(rules) if rules else None)
    except RecordError as error:
        if error.code not in DIFFERENCES:
            raise
        console.print(words("fair.wrong", reason=error.message()), style="bold red")
        return UNFAIR
    game = record.game
    if game.seed is None:
        console.print(words("fair.given"), style="yellow")
        return 0
    if record.format == "compact":
        console.print(words("fair.uncommitted"), style="yellow")
        return 0
    commitment = fair_walls.commitment(game.seed)
    console.print(words("fair.commitment", commitment=commitment), soft_wrap=True)
    if not fair_walls.check(commitment, game.seed, game.walls):
        console.print(words("fair.wrong", reason=commitment), style="bold red")
        return UNFAIR
    console.print(words("fair.opening"), style="green")
    console.print(words("fair.walls", count=len(game.walls)), style="green")
    return 0

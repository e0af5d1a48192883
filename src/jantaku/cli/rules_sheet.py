"""``jantaku rules sheet``: writes a ruleset as a booklet for players."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from jantaku.cli.completion import RULES_ARGUMENT
from jantaku.cli.console import err, refuse_unused, rules_named, words
from jantaku.errors import RequestError, file_errors, no_choice
from jantaku.rules import preset_names

if TYPE_CHECKING:
    from jantaku.booklet import Cover

FORMAT_NAMES: Final = ("html", "pdf", "md")
PAPER_NAMES: Final = ("a4", "phone")

Text = Annotated[str | None, typer.Option(metavar="TEXT")]


def write_sheet(  # noqa: PLR0913, PLR0917  (each is an option)
    context: typer.Context,
    name: Annotated[str | None, RULES_ARGUMENT] = None,
    format_: Annotated[str | None, typer.Option("--format", metavar="FORMAT")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    club: Text = None,
    date: Text = None,
    logo: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    paper: Annotated[str, typer.Option(metavar="PAPER")] = "a4",
    fonts: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    everything: Annotated[Path | None, typer.Option("--all", metavar="DIR")] = None,
    known: Annotated[str | None, typer.Option("--one-page", metavar="PRESET")] = None,
) -> int:
    """Write the booklet of a ruleset, or those of all presets."""
    format_ = format_ or (out.suffix.removeprefix(".") if out else "") or "html"
    _check("format", format_, FORMAT_NAMES)
    _check("paper", paper, PAPER_NAMES)
    if (name is None) == (everything is None):
        raise RequestError("sheet_needs_one", field="NAME|FILE")
    if format_ != "pdf":
        refuse_unused(context, ("paper", "fonts"), f"--format {format_}")
    if format_ == "md":
        refuse_unused(context, ("logo",), "--format md")
    if everything is not None:
        refuse_unused(context, ("out",), "--all")
    from jantaku.booklet import FORMATS, PAPERS, booklet, every_booklet, one_page

    if known is not None:
        _check("one-page", known, tuple(preset_names()))
    cover = _cover(club or "", date or "", logo)
    if everything is not None:
        count = _write_all(everything, every_booklet(format_, PAPERS[paper], cover, fonts, known))
        err().print(words("rules.sheets_written", count=count, folder=str(everything)))
        return 0
    rules = rules_named(str(name))
    whole = booklet(rules, None, cover) if known is None else one_page(rules, known, None, cover)
    made = FORMATS[format_].write(whole, PAPERS[paper], fonts)
    if out is None and not (format_ == "pdf" and sys.stdout.isatty()):
        typer.echo(made, nl=False)
        return 0
    target = out or Path(f"{Path(str(name)).stem}.{format_}")
    _write(target, made)
    err().print(words("rules.sheet_written", file=str(target)))
    return 0


def _check(field: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise no_choice(f"--{field}", value, known)


def _cover(club: str, date: str, logo: Path | None) -> "Cover":
    from jantaku.booklet import Cover, read_logo
    from jantaku.booklet.logo import MOST_BYTES

    if logo is None:
        return Cover(club, date)
    with file_errors(logo), logo.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    return Cover(club, date, read_logo(data))


def _write_all(folder: Path, files: Iterator[tuple[str, bytes]]) -> int:
    count = 0
    for name, made in files:
        _write(folder / name, made)
        count += 1
    return count


def _write(path: Path, made: bytes) -> None:
    with file_errors(path, writing=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(made)

"""``jantaku rules``: list, show, compare and check rulesets."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from jantaku import terms
from jantaku.cli.command import GALLERY_ARGUMENT, RULES_ARGUMENT, Command, CommandGroup
from jantaku.cli.console import (
    ACCENT,
    err,
    heading,
    indented,
    out,
    print_message,
    refuse_unused,
    rules_named,
    table,
    words,
)
from jantaku.cli.hand_drawing import win_text
from jantaku.errors import RequestError, RulesError, file_errors, wrong_choice
from jantaku.rules import Ruleset, check_file, load, preset_names
from jantaku.rules.gallery import GalleryPart, gallery, part_of
from jantaku.rules.own_yaku import naming
from jantaku.rules.schema import schema as make_schema
from jantaku.rules.sheet import (
    Section,
    Sheet,
    differences_in_words,
    label,
    ruleset_name,
    sheet,
    worth_in_words,
)
from jantaku.rules.worths import worths
from jantaku.terms import Language

if TYPE_CHECKING:
    from jantaku.booklet import Cover


def gallery_parts(name: Annotated[str | None, GALLERY_ARGUMENT] = None) -> int:
    """List the gallery of custom yaku and house rules, or show one of its parts."""
    if name is not None:
        _show(part_of(name))
        return 0
    for kind in ("yaku", "house"):
        rows = table("id", words("rules.name"), words("rules.gallery.about"))
        for part in gallery().values():
            if part.kind == kind:
                about = Text(_localised(part.about), "dim")
                rows.add_row(Text(part.id, ACCENT), Text(_localised(part.name)), about)
        out().print(heading(words(f"rules.gallery.{kind}")))
        out().print(rows)
    return 0


def _localised(text: Mapping[Language, str]) -> str:
    return text[terms.current()]


def _show(part: GalleryPart) -> None:
    console = out()
    console.print(heading(_localised(part.name)).append(f"  {part.id}", "not bold dim"))
    console.print(indented(_localised(part.about)))
    if part.kind == "yaku":
        from jantaku.adjudication.requests import win_from_request

        own = part.rules["yaku"][part.id]
        worths = (f"{words(f'sheet.{side}')}: {worth_in_words(own[side])}" for side in ("closed", "open"))
        console.print(indented(Text(terms.listed(worths))))
        for kind in ("example", "near"):
            console.print()
            console.print(Text(words(f"rules.gallery.{kind}"), "dim"))
            console.print(indented(win_text(win_from_request(dict(getattr(part, kind))))))
    console.print()
    console.print(Text(words("rules.gallery.lines"), "dim"))
    typer.echo(part.toml)
    console.print()
    if part.source:
        console.print(Text(words("rules.gallery.source", source=part.source), "dim"), soft_wrap=True)
    if part.statements:
        console.print(Text(words("rules.gallery.statements", numbers=terms.listed(part.statements)), "dim"))


FORMAT_NAMES: Final = ("html", "pdf", "md")
PAPER_NAMES: Final = ("a4", "phone")

Line = Annotated[str | None, typer.Option(metavar="TEXT")]


def write_sheet(  # noqa: PLR0913, PLR0917  (each is an option)
    context: typer.Context,
    name: Annotated[str | None, RULES_ARGUMENT] = None,
    format_: Annotated[str | None, typer.Option("--format", metavar="FORMAT")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    club: Line = None,
    date: Line = None,
    logo: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    paper: Annotated[str, typer.Option(metavar="PAPER")] = "a4",
    fonts: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    everything: Annotated[Path | None, typer.Option("--all", metavar="DIR")] = None,
    known: Annotated[str | None, typer.Option("--one-page", metavar="PRESET")] = None,
) -> int:
    """Write the booklet of a ruleset, or the booklets of all presets."""
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
        raise wrong_choice(f"--{field}", value, known)


def _cover(club: str, date: str, logo: Path | None) -> "Cover":
    from jantaku.booklet import Cover, read_logo
    from jantaku.booklet.logo import MAX_BYTES

    if logo is None:
        return Cover(club, date)
    with file_errors(logo), logo.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
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


app = typer.Typer(cls=CommandGroup, no_args_is_help=True)
app.command("sheet", cls=Command)(write_sheet)
app.command("gallery", cls=Command)(gallery_parts)

LABEL_SHARE, VALUE_SHARE = 2, 3
DIFF_SHARES = (6, 5, 5)


@app.command("list", cls=Command)
def list_rules() -> int:
    """List the presets."""
    rows = table(words("rules.preset"), words("rules.name"))
    for name in preset_names():
        rules = load(name)
        about = Text(rules.about.get(terms.current(), ""), "dim")
        rows.add_row(Text(name, ACCENT), Text(ruleset_name(rules) + "\n").append_text(about))
    out().print(rows)
    return 0


@app.command("show", cls=Command)
def show(
    name: Annotated[str, RULES_ARGUMENT],
    everything: Annotated[bool, typer.Option("--all")] = False,
) -> int:
    """Show a ruleset as a sheet."""
    page = sheet(rules_named(name))
    console = out()
    console.print(heading(page.name).append(f"  {page.fingerprint}", "not bold dim"))
    console.print(indented(page.about))
    console.print(indented(Text(words("rules.marks"), "dim")))
    for section in page.sections:
        _print_section(section)
    _print_yaku(page, everything=everything)
    return 0


def _print_section(section: Section) -> None:
    rows = _two_columns()
    for row in section.rows:
        value = Text(row.value, "bold yellow" if row.differs else "")
        if row.differs:
            value.append("\n" + words("rules.usual", value=row.standard), "not bold dim")
        rows.add_row(_marked(row.label, row.differs), value)
    out().print()
    out().print(heading(section.label))
    out().print(rows)


def _two_columns() -> Table:
    rows = Table(box=None, show_header=False, padding=(0, 1, 0, 0), expand=True, pad_edge=False)
    rows.add_column(ratio=LABEL_SHARE, overflow="fold")
    rows.add_column(ratio=VALUE_SHARE, overflow="fold")
    return rows


def _marked(text: str, differs: bool) -> Text:
    mark = Text("● " if differs else "  ", "yellow")
    return mark.append(text, "bold" if differs else "")


def _print_yaku(sheet: Sheet, *, everything: bool) -> None:
    rows = table("  " + words("yaku.name"), words("sheet.closed"), words("sheet.open"), "")
    for row in sheet.yaku:
        if row.exists or row.differs or everything:
            usual = Text(words("rules.usual", value=row.standard) if row.differs else "", "dim")
            style = "yellow" if row.differs else ""
            worth = (Text(row.closed, style), Text(row.open, style))
            rows.add_row(_marked(row.name, row.differs), *worth, usual)
    out().print()
    out().print(heading(words("rules.yaku")))
    out().print(rows)
    left_out = sum(not row.exists and not row.differs for row in sheet.yaku)
    if left_out and not everything:
        out().print(Text(words("rules.left_out", count=left_out), "dim"))


@app.command("diff", cls=Command)
def diff(first: Annotated[str, RULES_ARGUMENT], second: Annotated[str, RULES_ARGUMENT]) -> int:
    """Show the differences between two rulesets."""
    rules, other = rules_named(first), rules_named(second)
    differences = differences_in_words(rules, other)
    if not differences:
        out().print(words("rules.same"), style="green")
        return 0
    rows = table(words("rules.option"), _short_name(rules), _short_name(other))
    for column, share in zip(rows.columns, DIFF_SHARES, strict=True):
        column.ratio = share
    rows.expand = True
    for path, (named, mine, theirs) in differences.items():
        rows.add_row(Text(named).append(f"\n{path}", "dim"), mine, theirs)
    out().print(rows)
    out().print(words("rules.count", count=len(differences)), style="dim")
    return 0


def _short_name(rules: Ruleset) -> str:
    name = ruleset_name(rules)
    return name if name == rules.id else f"{name} ({rules.id})"


@app.command("check", cls=Command)
def check(file: Annotated[str, typer.Argument(metavar="FILE")]) -> int:
    """Check a rules file: raise its errors, print its warnings."""
    report = None if file in preset_names() else check_file(file)
    rules = report.rules if report else load(file)
    changed = len(rules.differences(load("standard")))
    out().print(words("rules.fine", name=ruleset_name(rules)), style="bold green")
    out().print(words("rules.fingerprint", fingerprint=rules.fingerprint, count=changed))
    for path, value in (report.derived if report else {}).items():
        message = words("rules.derived", path=path, value=terms.literal(value), label=label(path))
        out().print(message, soft_wrap=True)
    for warning in report.warnings if report else ():
        print_message(warning.message(), "yellow", label="warning")
    for problem in _without_example(rules):
        print_message(problem.message(), "yellow", label="warning")
    for yaku in rules.own_yaku:
        out().print(words("rules.own", yaku=yaku.id), style="dim")
        out().print(indented(yaku.definition(None, naming(rules.own_yaku))))
    return 0


def _without_example(rules: Ruleset) -> Iterator[RulesError]:
    """Yield warnings about custom yaku for which no example hand was found."""
    own = [yaku.id for yaku in rules.own_yaku if worths(rules, yaku.id) != (False, False)]
    if own:
        from jantaku.adjudication.own_trial import MAX_TRIED, example_win

        missing = (name for name in own if example_win(rules, name) is None)
        yield from (RulesError("own_never_found", path=f"yaku.{name}", count=MAX_TRIED) for name in missing)


@app.command("schema", cls=Command)
def schema() -> int:
    """Print the JSON Schema of a rules file."""
    typer.echo(json.dumps(make_schema(), ensure_ascii=False, indent=2))
    return 0

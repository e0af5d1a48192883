"""``jantaku rules``: lists, shows, compares and checks rulesets."""

import json
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from jantaku import terms
from jantaku.cli.command import Command, CommandGroup
from jantaku.cli.completion import RULES_ARGUMENT
from jantaku.cli.console import ACCENT, heading, indented, out, print_message, rules_named, table, words
from jantaku.cli.rules_gallery import gallery_parts
from jantaku.cli.rules_sheet import write_sheet
from jantaku.errors import RulesError, RulesFileError
from jantaku.rules import Ruleset, check_file, load, preset_names
from jantaku.rules.local_marks import naming
from jantaku.rules.schema import schema as make_schema
from jantaku.rules.sheet import (
    Section,
    Sheet,
    differences_in_words,
    label,
    ruleset_name,
    sheet,
)
from jantaku.rules.worths import worths

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
        out().print(words("rules.same" if rules == other else "rules.same_but_code"), style="green")
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
    """Check a rules file; errors are raised and printed, warnings only printed."""
    report = None if file in preset_names() else check_file(file)
    rules = report.rules if report else load(file)
    if rules.coded:
        from jantaku.adjudication.local_yaku_trial import local_problems

        if problems := list(local_problems(rules)):
            raise RulesFileError("local_problems", source=file, problems=problems)
    changed = len(rules.differences(load("standard")))
    out().print(words("rules.fine", name=ruleset_name(rules)), style="bold green")
    out().print(words("rules.fingerprint", fingerprint=rules.fingerprint, count=changed))
    for path, value in (report.derived if report else {}).items():
        said = words("rules.derived", path=path, value=terms.literal(value), label=label(path))
        out().print(said, soft_wrap=True)
    for warning in report.warnings if report else ():
        print_message(warning.message(), "yellow", label="warning")
    for problem in _never_found(rules):
        print_message(problem.message(), "yellow", label="warning")
    for yaku in rules.local:
        out().print(words("rules.own" if yaku.condition else "rules.local", yaku=yaku.id), style="dim")
        if yaku.condition:
            out().print(indented(yaku.definition(None, naming(rules.local))))
    return 0


def _never_found(rules: Ruleset) -> Iterator[RulesError]:
    """Own yaku that count, but in no hand that was found."""
    own = [yaku.id for yaku in rules.local if yaku.condition and worths(rules, yaku.id) != (False, False)]
    if own:
        from jantaku.adjudication.own_trial import MOST_TRIED, example_win

        missing = (name for name in own if example_win(rules, name) is None)
        yield from (RulesError("own_never_found", path=f"yaku.{name}", count=MOST_TRIED) for name in missing)


@app.command("schema", cls=Command)
def schema() -> int:
    """Print the JSON Schema of a rules file."""
    typer.echo(json.dumps(make_schema(), ensure_ascii=False, indent=2))
    return 0

"""``jantaku yaku``: what a yaku is, what it is worth where, and a hand that has it."""

# ruff: noqa: PLC0415  (compiled code is imported when a command runs)

from typing import Annotated

import typer
from rich.padding import Padding
from rich.text import Text

from jantaku import terms
from jantaku.cli.console import heading, out, table, words
from jantaku.cli.draw import win_text
from jantaku.cli.search import search, the_yaku
from jantaku.errors import JantakuError
from jantaku.rules import Ruleset, catalogue, load, preset_names
from jantaku.rules.sheet import ruleset_name, worth_in_words, worths, yaku_name
from jantaku.terms import LANGUAGES

INDENT = (0, 0, 0, 2)


def yaku(
    name: Annotated[list[str] | None, typer.Argument(metavar="NAME")] = None,
    rules: Annotated[str | None, typer.Option(metavar="NAME|FILE")] = None,
) -> int:
    """Show one yaku, those that a search finds, or all."""
    from jantaku.cli.console import rules_named

    ruleset = rules_named(rules or "standard")
    if not name:
        _list(list(catalogue()), ruleset)
        return 0
    text = " ".join(name)
    found = search(text)
    if len(found) > 1:
        out().print(words("yaku.several", text=text))
        _list(found, ruleset)
        return 0
    _show(the_yaku(text), ruleset if rules else None)
    return 0


def _list(names: list[str], rules: Ruleset) -> None:
    columns = ("yaku.id", "yaku.name", "yaku.reading", "sheet.closed", "sheet.open")
    rows = table(*(words(key) for key in columns))
    rows.columns[2].ratio, rows.columns[2].no_wrap, rows.columns[2].overflow = 1, True, "ellipsis"
    for name in names:
        closed, opened = worths(rules, name)
        entry = terms.table("yaku", terms.current())[name]
        reading = entry["reading"] if entry["reading"] != entry["name"] else ""
        worth = (worth_in_words(closed), worth_in_words(opened))
        exists = closed is not False or opened is not False
        rows.add_row(
            Text(name, "dim"), entry["name"], reading, *worth, style="" if exists else "dim"
        )
    out().print(rows)
    out().print(words("yaku.hint", rules=ruleset_name(rules)), style="dim")


def _show(name: str, rules: Ruleset | None) -> None:
    console = out()
    title = heading(yaku_name(name)).append(f"  {name}", "not bold dim")
    console.print(title)
    console.print(Padding(terms.text(f"yaku.{name}.definition"), INDENT))
    console.print()
    names = table("", "", "")
    for language in LANGUAGES:
        entry = terms.table("yaku", language)[name]
        own = [entry["name"]] + [entry["reading"]] * (entry["reading"] != entry["name"])
        names.add_row(
            Text(language, "dim"), " · ".join(own), Text(", ".join(entry["aliases"]), "dim")
        )
    names.show_header = False
    console.print(Padding(names, INDENT))
    console.print()
    _print_worth(name, rules)
    _print_example(name, rules)


def _print_worth(name: str, rules: Ruleset | None) -> None:
    """What it is worth in each preset; rulesets that agree stand in one row."""
    alike: dict[tuple[str, str], list[str]] = {}
    for ruleset in [rules] if rules else map(load, preset_names()):
        closed, opened = (worth_in_words(worth) for worth in worths(ruleset, name))
        alike.setdefault((closed, opened), []).append(ruleset.id)
    rows = table(words("sheet.closed"), words("sheet.open"), words("yaku.presets"))
    for (closed, opened), ids in alike.items():
        rows.add_row(closed, opened, Text(", ".join(ids), "dim"))
    out().print(Padding(rows, INDENT))


def _print_example(name: str, rules: Ruleset | None) -> None:
    """The hand of the catalogue, scored under the first ruleset that has the yaku."""
    from jantaku.adjudication.jsonl import win_from_request
    from jantaku.adjudication.score import score
    from jantaku.cli.explanation import summary

    example = catalogue()[name].example
    if not example:
        return
    win = win_from_request(dict(example))
    reported = catalogue()[name].form_of or name
    for ruleset in [rules] if rules else map(load, preset_names()):
        try:
            result = score(win, ruleset)
        except JantakuError:
            continue
        if reported in result.yaku and name in {own for _, own, _ in result.counted()}:
            console = out()
            console.print()
            console.print(Text(words("yaku.example", rules=ruleset_name(ruleset)), "dim"))
            console.print(Padding(win_text(win), INDENT))
            console.print(Padding(summary(result), INDENT))
            return

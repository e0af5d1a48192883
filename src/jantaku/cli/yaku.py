"""``jantaku yaku``: what a yaku is, what it is worth where, and a hand that has it."""

# ruff: noqa: PLC0415  (compiled code is imported when a command runs)

from typing import Annotated

import typer
from rich.text import Text

from jantaku import terms
from jantaku.cli.console import announce_compiling, heading, indented, out, table, words
from jantaku.cli.draw import win_text
from jantaku.cli.search import search, the_yaku
from jantaku.errors import JantakuError
from jantaku.rules import Ruleset, catalogue, load, preset_names
from jantaku.rules.sheet import ruleset_name, worth_in_words, worths, yaku_name
from jantaku.terms import LANGUAGES


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
    # in English the names are spelled like the ids, so the meaning stands there instead
    part = "reading" if terms.current() == "en" else "name"
    columns = ("yaku.id", f"yaku.{part}", "sheet.closed", "sheet.open")
    rows = table(*(words(key) for key in columns))
    for name in names:
        worth = worths(rules, name)
        style = "dim" if worth == (False, False) else ""
        said = terms.text(f"yaku.{name}.{part}")
        rows.add_row(Text(name, "dim"), said, *map(worth_in_words, worth), style=style)
    out().print(rows)
    out().print(words("yaku.hint", rules=ruleset_name(rules)), style="dim")


def _show(name: str, rules: Ruleset | None) -> None:
    console = out()
    title = heading(yaku_name(name)).append(f"  {name}", "not bold dim")
    console.print(title)
    console.print(indented(terms.text(f"yaku.{name}.definition")))
    console.print()
    names = table("", "", "")
    for language in LANGUAGES:
        entry = terms.table("yaku", language)[name]
        own = [entry["name"]] + [entry["reading"]] * (entry["reading"] != entry["name"])
        names.add_row(Text(language, "dim"), " · ".join(own), Text(", ".join(entry["aliases"]), "dim"))
    names.show_header = False
    console.print(indented(names))
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
    out().print(indented(rows))


def _print_example(name: str, rules: Ruleset | None) -> None:
    """The hand of the catalogue, scored under the first ruleset that has the yaku."""
    announce_compiling()
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
            console.print(indented(win_text(win)))
            console.print(indented(summary(result)))
            return

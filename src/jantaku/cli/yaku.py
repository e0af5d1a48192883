"""``jantaku yaku``: explain a yaku, with its han by preset and an example hand."""

from typing import Annotated

import typer
from rich.text import Text

from jantaku import terms
from jantaku.cli.command import RULES
from jantaku.cli.console import heading, indented, out, rules_named, table, words
from jantaku.cli.hand_drawing import win_text
from jantaku.errors import JantakuError
from jantaku.rules import Ruleset, catalogue, load, preset_names
from jantaku.rules.own_yaku import OwnYaku, naming
from jantaku.rules.sentences import define_yaku
from jantaku.rules.sheet import ruleset_name, worth_in_words
from jantaku.rules.worths import displayed_worths, worths
from jantaku.rules.yaku_names import combination, find_yaku, search, yaku_name
from jantaku.terms import LANGUAGES, Language


def yaku(
    name: Annotated[list[str] | None, typer.Argument(metavar="NAME")] = None,
    rules: Annotated[str | None, RULES] = None,
) -> int:
    """Show one yaku, the matches of a search, or a list of all."""
    ruleset = rules_named(rules or "standard")
    if not name:
        _list([*catalogue(), *(own.id for own in ruleset.own_yaku)], ruleset)
        return 0
    text = " ".join(name)
    if together := combination(text):
        out().print(words("yaku.combination", text=text))
        _list(together, ruleset)
        return 0
    matches = search(text, ruleset)
    if len(matches) > 1:
        out().print(words("yaku.several", text=text))
        _list(matches, ruleset)
        return 0
    _show(find_yaku(text, ruleset), ruleset if rules else None)
    return 0


def _list(names: list[str], rules: Ruleset) -> None:
    # English names are spelled like the ids, so the meaning is listed instead
    part = "reading" if terms.current() == "en" else "name"
    columns = ("yaku.id", f"yaku.{part}", "sheet.closed", "sheet.open")
    rows = table(*(words(key) for key in columns))
    for name in names:
        worth = displayed_worths(rules, name)
        style = "dim" if worth == (False, False) else ""
        message = terms.text(f"yaku.{name}.{part}") if name in catalogue() else yaku_name(name, rules=rules)
        rows.add_row(Text(name, "dim"), message, *map(worth_in_words, worth), style=style)
    out().print(rows)
    out().print(words("yaku.hint", rules=ruleset_name(rules)), style="dim")


def _show(name: str, rules: Ruleset | None) -> None:
    console = out()
    every = rules.own_yaku if rules else ()
    local = next((own for own in every if own.id == name), None)
    title = heading(yaku_name(name, rules=rules)).append(f"  {name}", "not bold dim")
    console.print(title)
    console.print(
        indented(local.definition(None, naming(every)) if local else define_yaku(name, None, rules))
    )
    console.print()
    names = table("", "", "")
    for language in LANGUAGES:
        own, aliases = _names(name, language, local)
        names.add_row(Text(language, "dim"), " · ".join(own), Text(terms.listed(aliases), "dim"))
    console.print(indented(names))
    console.print()
    _print_worth(name, rules)
    _print_example(name, rules)
    if rules and local:
        _print_trial(name, rules)


def _names(name: str, language: Language, local: OwnYaku | None) -> tuple[list[str], list[str]]:
    """Return a yaku's name and reading in a language, and its aliases."""
    if local:
        return [local.words.get("name", {}).get(language, "–")], []
    entry = terms.table("yaku", language)[name]
    return list(dict.fromkeys([entry["name"], entry["reading"]])), entry["aliases"]


def _print_worth(name: str, rules: Ruleset | None) -> None:
    """Print the han in each preset; presets that agree share a row."""
    alike: dict[tuple[str, str], list[str]] = {}
    for ruleset in [rules] if rules else map(load, preset_names()):
        closed, opened = (worth_in_words(worth) for worth in displayed_worths(ruleset, name))
        alike.setdefault((closed, opened), []).append(ruleset.id)
    rows = table(words("sheet.closed"), words("sheet.open"), words("yaku.presets"))
    for (closed, opened), ids in alike.items():
        rows.add_row(closed, opened, Text(terms.listed(ids), "dim"))
    out().print(indented(rows))


def _print_example(name: str, rules: Ruleset | None) -> None:
    """Print an example hand, scored under the first ruleset that has the yaku."""
    from jantaku.booklet.examples import example_of
    from jantaku.cli.explanation import summary

    for ruleset in [rules] if rules else map(load, preset_names()):
        if worths(ruleset, name) == (False, False):
            continue
        try:
            example = example_of(name, ruleset)
        except JantakuError:
            continue
        if example is not None:
            console = out()
            console.print()
            console.print(Text(words("yaku.example", rules=ruleset_name(ruleset)), "dim"))
            console.print(indented(win_text(example.win)))
            console.print(indented(summary(example.score)))
            return


def _print_trial(name: str, rules: Ruleset) -> None:
    """Print hands that narrowly miss a custom yaku, and the yaku that always or never accompany it."""
    from jantaku.adjudication.circumstances import circumstances
    from jantaku.adjudication.own_trial import try_yaku

    console, language = out(), terms.current()
    trial = try_yaku(rules, name, language)
    for near in trial.near:
        console.print()
        missing = terms.listed(part.words for part in near.parts if not part.holds)
        message = words("yaku.nearly", change=near.change.text(language), missing=missing)
        console.print(Text(message, "dim"))
        console.print(indented(win_text(near.win)))
        console.print(indented(Text(circumstances(near.win, language), "dim")))
    for key, others in (("always", trial.always), ("never", trial.never)):
        if others:
            listed = terms.listed(yaku_name(other, rules=rules) for other in others)
            console.print()
            console.print(words(f"yaku.{key}", count=trial.tried, yaku=listed))

"""Generate the site's page of the rule inventory, and links to its statements for other generated pages."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from jantaku.rules.inventory import SOURCES, UNDECIDED, Statement, inventory, ranges
from jantaku.rules.markdown import table
from jantaku.rules.options import SECTIONS

INTRODUCTION: Final = """\
# The rule inventory

Search this page for a rule to see what decides it in Jantaku and which test covers it. It has the
statements of five public rule texts in our own words, each with a number and its source. Where the texts
contradict each other, an option decides. The readings at the end fill gaps and ambiguities of the texts.
Comments such as "inventory 85–88" in code, presets and tests cite these numbers.
"""
COLUMNS: Final = ("no.", "statement", "source", "decided by", "tested by")
TABLES: Final = {
    "settle": "settle.tsv",
    "bgm": "bgm.tsv",
    "options": "options.tsv",
    "statements": "statements.tsv",
    "option": "option_scenarios.py",
    "yaku": "yaku_scenarios.py",
    "sheet": "rule sheet",
    "clock": "clock",
    "entered": "entered.tsv",
}
"""Files of the test tables by the first part of a reference."""


def page() -> str:
    """Return the page as Markdown."""
    parts = [INTRODUCTION, "## The texts\n", table(("text", "what it is"), _texts())]
    for section, statements in groupby(inventory().values(), lambda statement: statement.section):
        parts += [f"## {section}\n", table(COLUMNS, map(_row, statements))]
    return "\n".join(parts)


def links(numbers: Iterable[str]) -> str:
    """Return links to statements, one for each range of numbers; a dash if there are none."""
    return ", ".join(_link(first, last) for first, last in ranges(numbers)) or "–"


def _link(first: str, last: str) -> str:
    name = first if first == last else f"{first}–{last}"
    return f"[{name}](inventory.md#{anchor(first)})"


def anchor(number: str) -> str:
    """Return the HTML anchor of a statement."""
    return f"statement-{number}"


def _texts() -> Iterator[tuple[str, ...]]:
    return iter(SOURCES.items())


def _row(statement: Statement) -> tuple[str, ...]:
    number = f'<a id="{anchor(statement.number)}"></a>{statement.number}'
    sources = "; ".join(statement.sources).replace(",", ", ")
    if statement.number.startswith("d"):
        sources = ", ".join(_link(source, source) for source in sources.replace("-", ", ").split(", "))
    if statement.is_decided:
        decided = ", ".join(map(_decider, statement.decided_by))
    else:
        decided = f"{UNDECIDED[statement.decided_by[0]]}. {statement.note}"
    return number, statement.text, sources, decided, "<br>".join(map(_test, statement.shown_by)) or "–"


def _decider(key: str) -> str:
    kind, _, name = key.partition("/")
    if kind == "preset":
        return f"[`{name}`](../../src/jantaku/rules/presets/{name}.toml)"
    if kind == "terms":
        return f"[`{name}` terms](../../src/jantaku/terms/{name}.toml)"
    section, _, option = key.partition(".")
    if option and section in {*SECTIONS, "yaku"}:
        return f"[`{key}`](rules.md#{key})"
    return f"[`{key}`](../../src/jantaku/{key.replace('.', '/')}.py)"


def _test(reference: str) -> str:
    kind, _, row = reference.partition("/")
    if kind in TABLES:
        return f"{TABLES[kind]}: {row}"
    return f"`{reference}`"

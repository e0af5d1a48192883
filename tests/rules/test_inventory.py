"""The rule inventory: every citation exists, and every statement has a source, a decider and a test."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from jantaku.rules import catalogue, preset_names
from jantaku.rules.check import hints
from jantaku.rules.inventory import (
    SOURCES,
    Statement,
    inventory,
    ranges,
    statements_about,
)
from jantaku.rules.inventory_page import anchor, page
from jantaku.rules.options import SECTIONS
from jantaku.terms import LANGUAGES

ROOT = Path(__file__).parents[2]
TESTS, DOCS, PACKAGE = ROOT / "tests", ROOT / "docs", ROOT / "src" / "jantaku"
PRESETS, TERMS = PACKAGE / "rules" / "presets", PACKAGE / "terms"
ALL = inventory()
OPTIONS = {f"{section}.{name}" for section, cls in SECTIONS.items() for name in hints(cls)}
DECIDED = [statement for statement in ALL.values() if statement.is_decided]

# Statements ----------------------------------------------------------------------------------------------


LINES: Final = re.compile(r"(\d{3}):\d+(-\d+)?(,\d+(-\d+)?)*")


def has_source(statement: Statement) -> bool:
    """Lines of a text; for a reading, the statements it is about; a dash if no text covers it."""
    if statement.sources == ("–",):
        return statement.text.startswith("No text")
    if statement.number.startswith("d"):
        known = [bool(cited(f"inventory {source}")) for source in statement.sources]
    else:
        matches = [LINES.fullmatch(source) for source in statement.sources]
        known = [match is not None and match[1] in SOURCES for match in matches]
    return bool(known) and all(known)


def test_every_statement_has_a_source() -> None:
    assert [rule.number for rule in ALL.values() if not has_source(rule)] == []


def exists(key: str) -> bool:
    """Whether an option, yaku, preset, term table or module of that name exists."""
    kind, _, name = key.partition("/")
    if kind == "preset":
        return name in preset_names()
    if kind == "terms":
        return all((TERMS / f"{name}.{language}.toml").is_file() for language in LANGUAGES)
    section, _, rest = key.partition(".")
    if section == "yaku":
        return rest in catalogue()
    return key in OPTIONS or (PACKAGE / f"{key.replace('.', '/')}.py").is_file()


def is_settled(statement: Statement) -> bool:
    """Whether a statement has deciders that exist and tests, or else a note."""
    if statement.is_decided:
        known = all(exists(key) for key in statement.decided_by)
        return known and bool(statement.shown_by) and not statement.note
    return len(statement.decided_by) == 1 and statement.note.endswith(".") and not statement.shown_by


def test_every_statement_has_a_decider_or_a_note() -> None:
    assert [rule.number for rule in ALL.values() if not is_settled(rule)] == []


# Tests ---------------------------------------------------------------------------------------------------

ROWS: Final = {
    "settle": "test_settle::test_a_settled_hand[{}]",
    "bgm": "test_bgm::test_bgm_hand[{}]",
    "options": "test_options::test_option_decides_the_value[after-{}]",
    "statements": "test_scenarios_statements::test_a_statement_about_one_win[{}]",
    "option": "test_option_scenarios::test_each_value_makes_a_difference[{}]",
    "yaku": "test_yaku_scenarios::test_a_yaku_is_won_and_pays[{}]",
    "sheet": "test_option_scenarios::test_options_without_effect_on_play_are_on_the_rule_sheet[{}]",
    "clock": "test_option_scenarios::test_the_clock_follows_the_rules[{}]",
    "entered": "test_club_settle::test_entered_hands[{}]",
}


def node(reference: str) -> str:
    """The test that a reference names, ``file::test`` or ``file::test[case]``, as pytest writes it."""
    table, _, row = reference.partition("/")
    whole = ROWS[table].format(row) if table in ROWS else reference
    return whole.encode("unicode_escape").decode("ascii")


@cache
def collected() -> frozenset[str]:
    """Every test of the files that the inventory names: its whole id and the id without its case."""
    stems = {node(reference).partition("::")[0] for rule in DECIDED for reference in rule.shown_by}
    files = [str(path) for path in sorted(TESTS.rglob("test_*.py")) if path.stem in stems]
    options = ["--collect-only", "-q", "-o", "addopts=", "-p", "no:randomly", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *files]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    matches = re.findall(r"^(?:.*/)?(test_\w+)\.py(::.+)$", run.stdout, re.MULTILINE)
    assert run.returncode == 0, run.stdout[-2000:]
    whole = {stem + name for stem, name in matches}
    return frozenset(whole | {name.partition("[")[0] for name in whole})


@pytest.mark.slow
@pytest.mark.xdist_group("inventory")
def test_the_tests_of_every_statement_exist() -> None:
    known = collected()
    wrong = {rule.number: [ref for ref in rule.shown_by if node(ref) not in known] for rule in DECIDED}
    assert {number: missing for number, missing in wrong.items() if missing} == {}


# Citations -----------------------------------------------------------------------------------------------

ONE: Final = r"d?\d{1,3}(?:[–-]d?\d{1,3})?"
CITATION: Final = re.compile(rf"\b[Ii]nventory\s+({ONE}(?:(?:,\s+|,| and ){ONE})*)(?!\d|:\d)")
LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def cited(text: str) -> list[str]:
    """The numbers that a text cites, with ranges expanded; unknown numbers unchanged."""
    order = list(ALL)
    parts = []
    for citation in CITATION.findall(LINK.sub(r"\1", text)):
        for part in re.findall(ONE, citation):
            first, *rest = re.split("[–-]", part)
            last = rest[0] if rest else first
            if first in ALL and last in ALL and order.index(first) <= order.index(last):
                parts += order[order.index(first) : order.index(last) + 1]
            else:
                parts.append(part)
    return parts


# Pages ---------------------------------------------------------------------------------------------------


def test_the_page_is_up_to_date() -> None:
    assert (DOCS / "inventory.md").read_text("utf-8") == page(), "run: make docs"


@pytest.mark.parametrize("name", sorted(path.name for path in DOCS.glob("*.md")))
def test_links_to_statements_resolve(name: str) -> None:
    anchors = {anchor(number) for number in ALL}
    text = (DOCS / name).read_text("utf-8")
    assert set(re.findall(r"inventory\.md#([\w-]+)", text)) <= anchors


def test_the_page_links_options_and_yaku_of_the_rules_page() -> None:
    targets = set(re.findall(r'<a id="([\w.]+)">', (DOCS / "rules.md").read_text("utf-8")))
    linked = set(re.findall(r"rules\.md#([\w.]+)", page()))
    assert linked - targets == set()
    assert {"calls.kuikae", "yaku.pinfu"} <= linked
    files = re.findall(r"\((\.\./src/[\w/.-]+)\)", page())
    assert [path for path in files if not (DOCS / path).resolve().is_file()] == []


def test_the_rules_page_links_every_statement_that_an_option_decides() -> None:
    text = (DOCS / "rules.md").read_text("utf-8")
    for key in [*OPTIONS, *(f"yaku.{name}" for name in catalogue())]:
        row = next(line for line in text.splitlines() if f'<a id="{key}">' in line)
        firsts = [anchor(first) for first, _ in ranges(statements_about(key))]
        assert re.findall(r"inventory\.md#([\w-]+)", row) == firsts


def test_a_range_holds_consecutive_numbers() -> None:
    assert ranges([]) == []
    assert ranges(["d1", "455", "3", "1", "2"]) == [("1", "3"), ("455", "d1")]

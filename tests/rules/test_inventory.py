"""The rule inventory: every citation exists; every statement has a source and a decider."""

import re
from pathlib import Path
from typing import Final

from jantaku.rules import catalogue, preset_names
from jantaku.rules.check import hints
from jantaku.rules.inventory import (
    SOURCES,
    Statement,
    inventory,
)
from jantaku.rules.inventory_page import page
from jantaku.rules.options import SECTIONS

ROOT = Path(__file__).parents[2]
TESTS, DOCS, PACKAGE = ROOT / "tests", ROOT / "docs", ROOT / "src" / "jantaku"
PRESETS, TERMS = PACKAGE / "rules" / "presets", PACKAGE / "terms"
ALL = inventory()
OPTIONS = {f"{section}.{name}" for section, cls in SECTIONS.items() for name in hints(cls)}

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
        return (TERMS / f"{name}.toml").is_file()
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

"""The rule inventory: what a statement names as its decider exists, and its page is up to date."""

from pathlib import Path

from jantaku.rules import catalogue, preset_names
from jantaku.rules.check import hints
from jantaku.rules.inventory import inventory
from jantaku.rules.inventory_page import page
from jantaku.rules.options import SECTIONS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "jantaku"
OPTIONS = {f"{section}.{name}" for section, cls in SECTIONS.items() for name in hints(cls)}


def exists(key: str) -> bool:
    """Whether an option, yaku, preset, term table or module of that name exists."""
    kind, _, name = key.partition("/")
    if kind == "preset":
        return name in preset_names()
    if kind == "terms":
        return (PACKAGE / "terms" / f"{name}.toml").is_file()
    section, _, rest = key.partition(".")
    if section == "yaku":
        return rest in catalogue()
    return key in OPTIONS or (PACKAGE / f"{key.replace('.', '/')}.py").is_file()


def test_what_decides_a_statement_exists() -> None:
    decided = [rule for rule in inventory().values() if rule.is_decided]
    assert [(rule.number, key) for rule in decided for key in rule.decided_by if not exists(key)] == []


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "inventory.md").read_text("utf-8") == page(), "run: make docs"

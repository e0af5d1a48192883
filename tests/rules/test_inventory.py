"""The rule inventory: the options and modules that it cites exist, and the links on its page work."""

import re
from pathlib import Path

from jantaku.rules import catalogue, preset_names
from jantaku.rules.check import hints
from jantaku.rules.inventory import inventory
from jantaku.rules.inventory_page import page
from jantaku.rules.options import SECTIONS
from jantaku.rules.reference import reference

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "jantaku"
OPTIONS = {f"{section}.{name}" for section, cls in SECTIONS.items() for name in hints(cls)}


def exists(key: str) -> bool:
    """Return whether an option, yaku, preset, term table or module of that name exists."""
    kind, _, name = key.partition("/")
    if kind == "preset":
        return name in preset_names()
    if kind == "terms":
        return (PACKAGE / "terms" / f"{name}.toml").is_file()
    section, _, rest = key.partition(".")
    if section == "yaku":
        return rest in catalogue()
    return key in OPTIONS or (PACKAGE / f"{key.replace('.', '/')}.py").is_file()


def test_cited_options_and_modules_exist() -> None:
    decided = [rule for rule in inventory().values() if rule.is_decided]
    assert [(rule.number, key) for rule in decided for key in rule.decided_by if not exists(key)] == []


def test_links_of_the_page_work() -> None:
    """Links are relative to ``docs/generated``, which also contains the page of options."""
    options = reference()
    for target in re.findall(r"\]\(([^)#]*#?[^)]*)\)", page()):
        file, _, anchor = target.partition("#")
        if file == "rules.md":
            assert f'<a id="{anchor}">' in options, target
        elif file == "inventory.md":
            assert f'<a id="{anchor}">' in page(), target
        else:
            assert (ROOT / "docs" / "generated" / file).resolve().is_file(), target

"""Each language uses one form per concept in everything that users read.

``tests/data/wording.tsv`` lists forbidden forms as regular expressions, each with the form to use instead;
``docs/terminology.md`` explains them. Aliases of yaku are search terms and are not checked.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku import load, terms
from jantaku.rules.ruleset import preset_names
from jantaku.rules.sheet import sheet
from jantaku.terms.agreement import FORMS
from support.scoring import table
from terms.test_terms import TABLES, leaves, texts

FORBIDDEN = table("wording.tsv")
ROOT = Path(__file__).parents[2]
PAGES = {
    language: [ROOT / f"README.{language}.md", *sorted(ROOT.glob(f"docs/*.{language}.md"))]
    for language in ("ko", "ja")
}
TRANSLATED = {page for pages in PAGES.values() for page in pages}
INNER = {  # pages for developers, with identifiers and names of tests
    *("architecture", "environments", "formats"),
    *("performance", "protocol", "terminology"),
}
ENGLISH = {*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "SECURITY.md"} - TRANSLATED
PAGES["en"] = sorted(page for page in ENGLISH if page.stem not in INNER)
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|<a id=[^>]*>", re.DOTALL)
JAPANESE = "ぁ-んァ-ヶー一-龠々"
# Key hints and commands, in which spaces are correct
SPACED = re.compile(r"play:.keys|cli:.replay.keys|cli:.yaku.hint")


def everything(language: terms.Language) -> Iterator[tuple[str, str]]:
    """Yield every text of a language, with its key or its page and line."""
    for name in TABLES:
        for key, text in texts(name, language).items():
            yield f"{name}:{key}", text
    for preset in preset_names():
        rules = load(preset)
        yield f"presets:{preset}.name", rules.name[language]
        yield f"presets:{preset}.about", rules.about[language]
    for page in PAGES.get(language, ()):
        text = page.read_text("utf-8")
        if language == "en":  # Korean and Japanese words in code blocks are checked
            text = CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{page.name}:{number}", line


def offending(row: dict[str, str], name: str, text: str) -> bool:
    """Return whether a text contains the form that a row forbids."""
    if row["tables"] != "*" and name.split(":", maxsplit=1)[0] not in row["tables"].split(","):
        return False
    if row["except"]:
        text = text.replace(row["except"], "")
    return re.search(row["avoid"], text) is not None


@pytest.mark.parametrize("row", FORBIDDEN, ids=[f"{row['language']}-{row['avoid']}" for row in FORBIDDEN])
def test_one_form_for_one_concept(row: dict[str, str]) -> None:
    language = next(tongue for tongue in terms.LANGUAGES if tongue == row["language"])
    wrong = [f"{name}: {text}" for name, text in everything(language) if offending(row, name, text)]
    assert wrong == [], f"use {row['use']}"


def test_korean_particles_are_resolved() -> None:
    """Texts may give both forms of a particle only where code chooses one of them."""
    for name in TABLES:
        for key, text in leaves(terms.table(name, "ko")):
            left = text
            for form in FORMS:
                left = left.replace(form, "")
            assert not re.search(r"[이가을를은는와과]\([이가을를은는와과]\)|\((으|이)\)", left), (
                f"{name}:{key}: {text}"
            )


def test_japanese_brackets_are_full_width() -> None:
    for name, text in everything("ja"):
        assert not re.search(rf"\([^()]*[{JAPANESE}][^()]*\)", without_links(text)), f"{name}: {text}"


def without_links(line: str) -> str:
    """Remove the addresses of links and code from a line."""
    return re.sub(r"\]\([^)]*\)|`[^`]*`", "", line)


def test_no_space_between_latin_and_japanese() -> None:
    """In the interface, a space may only separate a label from its value."""
    for name in TABLES:
        for key, text in texts(name, "ja").items():
            if not SPACED.match(f"{name}:{key}"):
                assert not re.search(rf"[A-Za-z0-9}}] [{JAPANESE}]|[{JAPANESE}] [A-Za-z0-9]", text), (
                    f"{name}:{key}: {text}"
                )


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_points_have_separators(language: terms.Language) -> None:
    """The rule also applies to numbers written out in texts, such as ``8,000``."""
    unit = {"en": " points", "ja": "点", "ko": "점"}[language]
    for name in TABLES:
        for key, text in texts(name, language).items():
            assert not re.search(rf"(?<![\d,])\d{{4,}}{unit}", text), f"{name}:{key}: {text}"


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_numbers_of_rules_have_units(language: terms.Language) -> None:
    """Korean and Japanese need a unit after a number, such as 4 players or 14 tiles."""
    bare = [
        f"{preset} {row.path}: {row.value}"
        for preset in preset_names()
        for part in sheet(load(preset), language).sections
        for row in part.rows
        if re.fullmatch(r"[\d,−]+", row.value)
    ]
    assert bare == []


def test_japanese_lists_have_japanese_separators() -> None:
    """The rows of every preset, on sheet and booklet, have no English comma between Japanese words."""
    for preset in preset_names():
        for part in sheet(load(preset), "ja").sections:
            for row in part.rows:
                assert not re.search(rf"[{JAPANESE}）], ", str(row.value)), f"{preset} {row.path}"

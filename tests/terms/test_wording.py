"""Each language uses one form for one concept, in everything a user reads.

``tests/data/wording.tsv`` holds the forms that may not occur, as regular expressions, with the form to use
instead; ``docs/terminology.md`` says why. Aliases of yaku are what people may type and are left out.
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
INNER = {  # for developers, who need the words of the code, and pages with names of tests
    *("architecture", "clients", "other-engines", "random-games", "engine", "environments", "formats"),
    *("inventory", "performance", "protocol", "terminology"),
}
ENGLISH = {*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "SECURITY.md"} - TRANSLATED
PAGES["en"] = sorted(page for page in ENGLISH if page.stem not in INNER)
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|<a id=[^>]*>", re.DOTALL)
JAPANESE = "ぁ-んァ-ヶー一-龠々"
CHOICE = 12
LARGEST = 120_000  # bytes of a picture
# Key hints in a row, and commands to type: the spaces belong to them
SPACED = re.compile(r"play:.keys|cli:.replay.keys|cli:.yaku.hint")


def everything(language: terms.Language) -> Iterator[tuple[str, str]]:
    """Every text of a language, by its key or the line of the page it stands on."""
    for name in TABLES:
        for key, text in texts(name, language).items():
            yield f"{name}:{key}", text
    for preset in preset_names():
        rules = load(preset)
        yield f"presets:{preset}.name", rules.name[language]
        yield f"presets:{preset}.about", rules.about[language]
    for page in PAGES.get(language, ()):
        text = page.read_text("utf-8")
        if language == "en":  # a Korean or Japanese word in a code block is on its page, too
            text = CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{page.name}:{number}", line


def offending(row: dict[str, str], name: str, text: str) -> bool:
    """Whether a text has the form that a row forbids."""
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


@pytest.mark.parametrize(("language", "hand"), [("ko", r"\}국(?!면)"), ("ja", r"\}局(?!面)")])
def test_games_are_not_counted_as_hands(language: terms.Language, hand: str) -> None:
    """A season asked for "3 hands" where it meant games, and a report told of "10 hands"."""
    named = [(name, key, text) for name in TABLES for key, text in texts(name, language).items()]
    counted = [term for term in named if re.search(r"(^|\.|_)games(_|$)|\{games", f"{term[1]} {term[2]}")]
    assert counted
    wrong = [term for term in counted if re.search(hand, re.sub(r"\{hands[^}]*\}.", "", term[2]))]
    assert wrong == []


def test_korean_particles_are_resolved() -> None:
    """Double forms in brackets occur only where the code picks one, and none remain in the output."""
    for name in TABLES:
        for key, text in leaves(terms.table(name, "ko")):
            left = text
            for form in FORMS:
                left = left.replace(form, "")
            assert not re.search(r"[이가을를은는와과]\([이가을를은는와과]\)|\((으|이)\)", left), (
                f"{name}:{key}: {text}"
            )


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_labels_and_choices_have_no_full_stop(language: terms.Language) -> None:
    ends = (".", "。")
    for key, text in texts("options", language).items():
        if key.endswith(".label") or ".values." in key:
            assert not text.endswith(ends), f"{key}: {text}"
    for key, text in texts("explain", language).items():
        if key.startswith((".near.", ".only.", ".detail.")):
            assert not text.endswith(ends), f"{key}: {text}"


def test_japanese_choices_are_short() -> None:
    """A choice fits into its box; conditions belong in the text about the option."""
    long = {
        key: text for key, text in texts("options", "ja").items() if ".values." in key and len(text) > CHOICE
    }
    assert long == {}


def test_japanese_brackets_are_full_width() -> None:
    for name, text in everything("ja"):
        assert not re.search(rf"\([^()]*[{JAPANESE}][^()]*\)", without_links(text)), f"{name}: {text}"


def without_links(line: str) -> str:
    """A line of a page without the addresses of its links and without code."""
    return re.sub(r"\]\([^)]*\)|`[^`]*`", "", line)


def test_no_space_between_latin_and_japanese() -> None:
    """In the interface; a space may only part a label from the value behind it."""
    for name in TABLES:
        for key, text in texts(name, "ja").items():
            if not SPACED.match(f"{name}:{key}"):
                assert not re.search(rf"[A-Za-z0-9}}] [{JAPANESE}]|[{JAPANESE}] [A-Za-z0-9]", text), (
                    f"{name}:{key}: {text}"
                )


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_points_have_separators(language: terms.Language) -> None:
    """``8,000``, also where a text holds the number; Japanese splits (1000-2000, 3900オール) have none."""
    unit = {"en": " points", "ja": "点", "ko": "점"}[language]
    for name in TABLES:
        for key, text in texts(name, language).items():
            assert not re.search(rf"(?<![\d,-])\d{{4,}}{unit}", text), f"{name}:{key}: {text}"


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_readmes_show_the_client_in_their_language(language: terms.Language) -> None:
    ending = "" if language == "en" else f"-{language}"
    page = (ROOT / f"README{ending.replace('-', '.')}.md").read_text("utf-8")
    pictures = re.findall(r'src="([^"]+)"', page)
    assert pictures == [f"docs/pictures/{name}-phone{ending}.jpg" for name in ("table", "win", "calculator")]
    assert all(0 < (ROOT / picture).stat().st_size < LARGEST for picture in pictures)


@pytest.mark.parametrize(("language", "first"), [("ko", "1위"), ("ja", "トップ"), ("en", "first place")])
def test_oka_is_explained_where_results_and_rules_show_it(language: terms.Language, first: str) -> None:
    rows = next(part for part in sheet(load("standard"), language).sections if part.id == "match").rows
    shown = [row.value for row in rows if row.path == "match.oka"]
    shown += [terms.text("web.result.about", language)]
    shown += [terms.table("play", language)["scores"]["uma"]]
    assert [text for text in shown if first not in text] == []


FIXED_COUNT = {
    "ko": r"(?<![0-9가-힣])(?:세|네) ?(?:명|사람)|(?<!\d)[34][명인](?! (?:마작|탁자|대국|리치))|[셋넷]이서",
    "ja": r"(?<![0-9十])[34三四]人(?!以上|打ち|麻雀)|(?<![0-9十])[34三四]名|[三四]家(?!和|立直)|[三四]者",
    "en": r"(?i)\b(?:three|four|3|4) (?:other )?(?:players|people|others|opponents|seats)\b",
}
"""How a text would say that a table has three or four players; both kinds of table read it."""
COUNTED = re.compile(  # what only one of them reads, or a number that the rule itself has
    r"options:.*(sanchahou|suucha|multiple_ron|floating_uma\.rows|no_fourth|tsumo_loss)"
    r"|guide:.*(three|kita|honest)|(web|guide):.*\.three|yaku:pei.*|.*:.*(three_players|players_3|players_4)"
)


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_texts_for_every_table_name_no_number_of_players(language: terms.Language) -> None:
    wrong = [
        f"{name}:{key}: {text}"
        for name in TABLES
        for key, text in texts(name, language).items()
        if re.search(FIXED_COUNT[language], text) and not COUNTED.match(f"{name}:{key.lstrip('.')}")
    ]
    assert wrong == []


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_numbers_of_rules_have_units(language: terms.Language) -> None:
    """A number alone, as 4 players or 14 tiles, is half a sentence in Korean and Japanese."""
    bare = [
        f"{preset} {row.path}: {row.value}"
        for preset in preset_names()
        for part in sheet(load(preset), language).sections
        for row in part.rows
        if re.fullmatch(r"[\d,−]+", row.value)
    ]
    assert bare == []


def test_no_reader_meets_the_inner_name_of_a_bot() -> None:
    inner = re.compile(r"(?<![\w.{/-])(standard|efficient|gentle)(?![\w}/-])")
    wrong = [
        f"{language} {key}: {text}"
        for language in ("ko", "ja")  # in English these are words, too
        for name in TABLES
        if name not in ("cli", "options")  # where people type them
        for key, text in texts(name, language).items()
        if inner.search(text)
    ]
    assert wrong == []


def test_lists_are_separated_as_japanese_does_it() -> None:
    """Rows of every preset, as the sheet and the booklet print them: no comma of English between words."""
    for preset in preset_names():
        for part in sheet(load(preset), "ja").sections:
            for row in part.rows:
                assert not re.search(rf"[{JAPANESE}）], ", str(row.value)), f"{preset} {row.path}"

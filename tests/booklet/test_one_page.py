"""One-page booklets: their contents for every pair of rules, and that they fit one page."""

import re
from pathlib import Path

import pytest

from booklet.test_booklet_files import EVIL, Elements, png, written_pdf
from jantaku.booklet import FORMATS, PAPERS, Cover, one_page, read_logo
from jantaku.booklet.document import Grid, Paragraph, YakuCards
from jantaku.errors import RequestError
from jantaku.rules import Ruleset, load, load_file, preset_names
from jantaku.rules.sheet import in_words, known_presets, label
from jantaku.terms import LANGUAGES, Language, text
from support.paged import pages_of, plain

OWN = """extends = "standard"
[match]
start_points = 30000
[yaku.pinfu]
closed = false
[yaku.red_snake]
name.en = "Red snake"
closed = 3
when = 'only("1579s7z")'
"""
PAIRS = [(name, known) for name in preset_names() for known in known_presets(load(name))]


def chapters(rules: Ruleset, known: str) -> dict[str, list[object]]:
    return {chapter.id: list(chapter.blocks) for chapter in one_page(rules, known, "en").chapters}


def changed(**options: object) -> Ruleset:
    return load("tenhou").with_changes({name.replace("__", "."): value for name, value in options.items()})


def test_the_page_lists_exactly_the_differences() -> None:
    rules = changed(dora__ura=False, end__tobi="off", yaku__pinfu__closed=2, yaku__sanrenkou__closed=3)
    parts = chapters(rules, "tenhou")
    ((table,), (worths,), (new,)) = parts["differences"], parts["worths"], parts["new"]
    assert isinstance(table, Grid)
    assert isinstance(worths, Grid)
    assert isinstance(new, YakuCards)
    values = {name: value for name, value, _ in table.rows}
    paths = {"dora.ura": False, "end.tobi": "off"}
    assert values.items() >= {(label(path), in_words(path, value)) for path, value in paths.items()}
    assert values.keys() - {label(path) for path in paths} <= {label("dora.kan_ura")}
    assert [row[1] for row in worths.rows] == ["2 han / –"]
    assert [card.id for card in new.cards] == ["sanrenkou"]
    assert new.cards[0].example is not None


def test_a_page_of_equal_rules_states_that_they_are_equal() -> None:
    parts = chapters(load("bgm-2025-4"), "bgm-2025")
    assert list(parts) == ["differences", "payments"]
    same = chapters(load("tenhou").with_changes({"clock.turn_s": 9}), "mahjongsoul")
    assert isinstance(same["differences"][0], Grid)
    nothing = chapters(changed(clock__turn_s=9, yaku__pinfu__closed=2), "tenhou")
    assert isinstance(nothing["differences"][0], Paragraph)


def test_custom_yaku_come_first_with_an_example(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text(OWN)
    (new,) = chapters(load_file(file), "jpml-a")["new"]
    assert isinstance(new, YakuCards)
    assert new.cards[0].id == "red_snake"
    assert new.cards[0].example is not None


def test_rules_that_cannot_be_compared_are_refused() -> None:
    for rules, known in (("tenhou", "tenhou-3"), ("tenhou", "tenhou"), ("tenhou", "nosuch")):
        with pytest.raises(RequestError) as caught:
            one_page(load(rules), known)
        assert caught.value.code == "wrong_choice"


def test_nothing_from_outside_becomes_markup() -> None:
    rules = load({"name": {"en": EVIL[:100]}, "about": {"en": EVIL}, "match": {"start_points": 30000}})
    made = one_page(rules, "tenhou", "en", Cover(EVIL[:100], EVIL[:100], read_logo(png(8, 8))))
    page = Elements(FORMATS["html"].write(made, PAPERS["a4"], None).decode())
    assert page.open == []
    assert not any(tag == "script" for tag, _ in page.found)
    assert "<script" not in FORMATS["md"].write(made, PAPERS["a4"], None).decode()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pdf_has_one_complete_page(language: Language, tmp_path: Path) -> None:
    rules = load("bgm-2025")
    made = one_page(rules, "tenhou", language, Cover("BGM", "2025", read_logo(png(30, 20))))
    for paper in PAPERS:
        pdf = written_pdf(made, paper)
        assert pages(pdf) == 1
        (page, _) = pages_of(pdf, tmp_path)
        for chapter in made.chapters:
            for block in chapter.blocks:
                if isinstance(block, Grid):
                    assert all(plain(row[0]) in page for row in block.rows), chapter.title


@pytest.mark.long
@pytest.mark.parametrize(("name", "known"), PAIRS)
def test_every_preset_fits_one_page(name: str, known: str) -> None:
    for language in LANGUAGES if known.startswith("tenhou") else ("en",):
        assert pages(written_pdf(one_page(load(name), known, language), "a4")) == 1


@pytest.mark.slow
def test_an_overfull_page_states_how_much_is_omitted(tmp_path: Path) -> None:
    """With all values of yaku and most options changed, the page is full and states how much it omits."""
    changes = {
        f"yaku.{name}.{side}": 4 for name in ("tanyao", "chanta", "ittsuu") for side in ("closed", "open")
    }
    rules = load("bgm-2025").with_changes({"about.en": "x " * 900, **changes})
    pdf = written_pdf(one_page(rules, "jpml-a", "en"), "a4")
    assert pages(pdf) == 1
    (page, _) = pages_of(pdf, tmp_path)
    said = plain(text("sheet.short.more", "en", count=7)).split("7")
    assert re.search(rf"{re.escape(said[0])}\d+{re.escape(said[1])}", page)


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))

"""Rules in the browser: the editor, rules files, the printed sheet; tiles as pictures in explanations."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from booklet.test_booklet_files import png
from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from jantaku import load, load_file, terms
from jantaku.booklet import FORMATS, PAPERS, booklet
from jantaku.terms import LANGUAGES
from support.paged import pages_of, torn

pytestmark = slow_in_a_browser
CLUB = """
# what the club plays
extends = "m-league"
name = { en = "Thursday club", ko = "목요 모임" }

[match]
uma = [20000, 10000, -10000, -20000]
floating_uma = [[12000, -1000, -3000, -8000], [8000, 4000, -4000, -8000], [8000, 3000, 1000, -12000]]

[tiles]
red = { "3m" = 1, "7p" = 2 }

[pao]
yakuman = ["daisangen"]

[yaku.pinfu]
closed = 0
"""
CHANGED = ("match.uma", "match.floating_uma", "tiles.red", "pao.yakuman")
BROKEN_NUMBERS = """[...document.querySelectorAll("table:not(.words) tbody td")].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
  return lines > cell.textContent.split("\\n").length || cell.closest(".wide").scrollWidth > innerWidth;
}).map((cell) => cell.textContent)"""
NOTATION = re.compile(r"[⟦⟧]|\b[0-9r]+[mpsz]\b")


def editing(player: Guest, rules: str = "standard") -> Any:
    """The editor's page, ready."""
    player.page.goto(f"/edit/{rules}")
    player.page.wait_for_selector("details")
    return player.page


def option(page: Any, path: str) -> Any:
    """The field of an option, found by its key."""
    page.fill("input[type=search]", path)
    locator = page.locator(f"[data-path='{path}']")
    locator.wait_for()
    return locator


def loaded(page: Any, text: str) -> None:
    """Load a rules file into the editor."""
    file = {"name": "club.toml", "mimeType": "application/toml", "buffer": text.encode()}
    page.set_input_files("input[type=file]", files=[file])


def test_a_yaku_of_the_gallery_goes_into_saved_rules_and_their_booklet(guest: Callable[..., Guest]) -> None:
    player = guest("가영", language="ko")
    page = editing(player)
    page.fill("input[type=search]", "홍공작")
    part = page.locator("[data-part=benikujaku]")
    part.get_by_role("button", name="홍공작 넣기").click()
    expect(part.get_by_role("button", name="홍공작 빼기")).to_be_visible()
    page.fill("input[type=search]", "야키토리")
    page.locator("[data-part=yakitori] button").click()
    page.get_by_role("button", name="링크로 저장").click()
    page.wait_for_url("**/rules/*saved")
    page.get_by_text("홍공작").first.wait_for()
    saved = page.url.split("/rules/")[1].split("?")[0]
    rules = page.request.get(f"/api/rules/{saved}").json()["tree"]
    assert rules["yaku"]["benikujaku"]["when"] == 'only("1579s7z")'
    assert rules["match"]["yakitori"] == 10_000
    guide = page.request.get(f"/api/rules/{saved}/yaku?lang=ko").json()
    assert "홍공작" in [yaku["name"] for group in guide["groups"] for yaku in group["yaku"]]


def test_tables_are_edited_and_checked_in_place(guest: Callable[..., Guest]) -> None:
    player = guest(language="ko")
    page = editing(player)
    uma = option(page, "match.uma")
    uma.get_by_label("1위").fill("15000")
    uma.locator(".problem").wait_for()
    expect(uma.locator(".problem")).to_contain_text("“우마”")
    uma.get_by_label("4위").fill("-15000")
    uma.locator(".problem").wait_for(state="detached")
    floating = option(page, "match.floating_uma")
    floating.get_by_role("checkbox").check()
    expect(floating.locator("input[type=number]")).to_have_count(12)
    sticks = option(page, "match.sticks")
    sticks.get_by_label("10000 개수").fill("0")
    sticks.locator(".problem").wait_for()
    sticks.get_by_role("button", name=terms.text("web.editor.remove", "ko") + " 10000").click()
    sticks.get_by_label("5000 개수").fill("4")
    sticks.locator(".problem").wait_for(state="detached")
    pao = option(page, "pao.yakuman")
    pao.locator("select").select_option("suurenkou")  # worth nothing under these rules
    pao.locator(".problem").wait_for()
    pao.locator(".button").click()
    pao.locator(".problem").wait_for(state="detached")
    expect(page.locator("textarea")).to_have_value(re.compile("\n5000 = 4\n"))
    assert "suurenkou" not in page.input_value("textarea")


def test_the_editor_shows_only_differences_and_resets_them(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = editing(player, "tenhou")
    option(page, "riichi.ippatsu").get_by_role("checkbox").uncheck()
    page.fill("input[type=search]", "pinfu")
    page.select_option("[data-yaku=pinfu] select >> nth=0", "0")
    page.fill("input[type=search]", "")
    page.check(".find input[type=checkbox]")
    assert page.eval_on_selector_all("[data-path]", "all => all.map(one => one.dataset.path)") == [
        "riichi.ippatsu"
    ]
    expect(page.locator("[data-yaku]")).to_have_count(1)
    page.click("[data-yaku=pinfu] .button")
    page.locator("[data-yaku]").wait_for(state="detached")
    page.select_option(".words select", "m-league")
    page.wait_for_url("**/edit/m-league")
    page.wait_for_function(
        "text => document.querySelector('textarea')?.value === text",
        arg='extends = "m-league"\n\n[riichi]\nippatsu = false\n',
    )


def test_a_rules_file_is_imported_and_exported(guest: Callable[..., Guest], tmp_path: Path) -> None:
    player = guest(language="ko")
    page = editing(player)
    loaded(page, CLUB)
    page.locator(".notices p").wait_for()
    page.check(".find input[type=checkbox]")
    paths = page.eval_on_selector_all("[data-path]", "all => all.map(one => one.dataset.path)")
    assert set(paths) == set(CHANGED)
    expect(page.locator(".words input >> nth=0")).to_have_value("목요 모임")
    with page.expect_download() as download:
        page.get_by_role("button", name=terms.text("web.editor.download", "ko"), exact=True).click()
    written = tmp_path / "club.toml"
    download.value.save_as(written)
    (tmp_path / "given.toml").write_text(CLUB, "utf-8")
    assert load_file(written).fingerprint == load_file(tmp_path / "given.toml").fingerprint
    assert dict(load_file(written).name) == {"en": "Thursday club", "ko": "목요 모임"}
    page.click(".bar button.primary")
    page.wait_for_url("**/rules/*")
    page.wait_for_selector("h1:has-text('목요 모임')")
    page.goto(page.url.replace("/rules/", "/edit/"))
    page.wait_for_selector("details")
    expect(page.locator(".words select")).to_have_value("m-league")
    assert (
        load_file(written).fingerprint
        == player.post("rules/check", {"toml": page.input_value("textarea")})["fingerprint"]
    )


# Rules files and what the page says about their faults
FAULTY = {
    "[riichi]\nopn = true\n": "riichi.opn",
    "[riichi": "TOML",
    'extends = "elsewhere.toml"\n': "elsewhere.toml",
}


def test_a_faulty_file_is_kept_and_its_faults_are_listed(guest: Callable[..., Guest]) -> None:
    page = editing(guest())
    form = page.get_by_role("button", name=terms.text("web.editor.form", "en"))
    for text, said in FAULTY.items():
        loaded(page, text)
        page.locator("p.problem", has_text=said).wait_for()
        expect(page.locator("textarea")).to_have_value(text)
        expect(form).to_be_disabled()
    page.fill("textarea", CLUB)
    page.locator("p.problem").first.wait_for(state="detached")
    form.click()
    page.wait_for_selector(".words")
    expect(page.locator(".words select")).to_have_value("m-league")


def test_edits_survive_a_reload(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    page = editing(player, "ema")
    option(page, "match.start_points").get_by_role("spinbutton").fill("3")
    page.locator("[data-path='match.start_points']").wait_for()
    page.wait_for_selector(".bar .problem")
    page.reload()
    page.wait_for_selector(".pill.wrong")
    expect(option(page, "match.start_points").get_by_role("spinbutton")).to_have_value("3")
    page.get_by_role("button", name=terms.text("web.editor.start_over", "en")).click()
    page.wait_for_selector(".pill", state="detached")
    expect(page.locator("textarea")).to_have_value('extends = "ema"\n')


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_printed_booklet_tears_no_row(
    guest: Callable[..., Guest], language: terms.Language, tmp_path: Path
) -> None:
    """Rows, steps and examples stand on one page; on a phone every number stands in one line."""
    page = guest("phone").page
    made = booklet(load("korea-3"), language)
    page.set_content(FORMATS["html"].write(made, PAPERS["a4"], None).decode())
    assert torn(made, pages_of(page.pdf(prefer_css_page_size=True), tmp_path)) == []
    assert page.evaluate(BROKEN_NUMBERS) == []


def test_the_booklet_is_printed_and_downloaded(guest: Callable[..., Guest], tmp_path: Path) -> None:
    player = guest(language="ko")
    page = player.page
    page.goto("/rules/bgm-2025")
    page.get_by_role("button", name=terms.text("web.booklet.button", "ko"), exact=True).click()
    page.get_by_label(terms.text("web.booklet.club", "ko")).fill("클럽 & 친구")
    page.get_by_label(terms.text("web.booklet.date", "ko")).fill("6월 1일")
    with page.expect_download() as download:
        page.get_by_role("button", name=terms.text("web.booklet.md", "ko"), exact=True).click()
    download.value.save_as(tmp_path / "rules.md")
    assert "클럽 &amp; 친구 · 6월 1일" in (tmp_path / "rules.md").read_text("utf-8")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name=terms.text("web.booklet.open", "ko"), exact=True).click()
    booklet = opened.value
    expect(booklet.locator("h1")).to_have_text("2025년 BGM 마작 이벤트 대회")
    expect(booklet.locator(".club span")).to_have_text("클럽 & 친구 · 6월 1일")
    expect(booklet.locator("#yaku-sankantsu svg")).to_be_visible()
    assert booklet.evaluate("document.documentElement.scrollWidth <= innerWidth")
    booklet.close()
    chosen = page.get_by_label(terms.text("web.booklet.logo", "ko"))
    chosen.set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": png(1200, 300)})
    expect(page.get_by_role("link", name=terms.text("web.booklet.open", "ko"), exact=True)).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name=terms.text("web.booklet.html", "ko"), exact=True).click()
    download.value.save_as(tmp_path / "rules.html")
    assert 'src="data:image/png;base64,' in (tmp_path / "rules.html").read_text("utf-8")
    page.get_by_role("button", name=terms.text("web.booklet.without_logo", "ko"), exact=True).click()
    expect(page.get_by_role("link", name=terms.text("web.booklet.open", "ko"), exact=True)).to_be_visible()
    chosen.set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(page.locator(".notices p").last).to_contain_text("logo.png")


def test_explanations_show_tiles_as_pictures(guest: Callable[..., Guest]) -> None:
    player = guest(language="ja")
    page = player.page
    hands = ("234567m345p6799s8s&dora=3s&riichi=riichi&by=tsumo&rules=bgm-2025", "123m55p678s1115z9s5p")
    for hand in hands:
        page.goto(f"/calc?hand={hand}")
        page.wait_for_selector(".explanation .sentence [role=img]")
        sentences = page.locator(".explanation .sentence").all_inner_texts()
        assert not [text for text in sentences if NOTATION.search(text)]
        labels = page.eval_on_selector_all(
            ".sentence [role=img]", "all => all.map(one => one.getAttribute('aria-label'))"
        )
        assert all(labels)
        assert not [label for label in labels if NOTATION.search(label)]

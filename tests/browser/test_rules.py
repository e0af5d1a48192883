"""Rules and hands: the editor, custom yaku, rules files, the printed booklet and the calculator."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from booklet.test_booklet_files import png
from browser.contexts import expect
from browser.parlour import ONE_WIN, Guest, MakeGuest, slow_in_a_browser
from jantaku import load, load_file, terms
from jantaku.booklet import FORMATS, PAPERS, booklet
from jantaku.cli.app import app
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
CHANGED = {"match.uma", "match.floating_uma", "tiles.red", "pao.yakuman"}
BROKEN_NUMBERS = """[...document.querySelectorAll("table:not(.words) tbody td")].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
  return lines > cell.textContent.split("\\n").length;
}).map((cell) => cell.textContent)"""
NOTATION = re.compile(r"[⟦⟧]|\b[0-9r]+[mpsz]\b")


def editing(player: Guest, rules: str = "standard") -> Any:
    """Open the editor and wait until it can be used."""
    player.page.goto(f"/edit/{rules}")
    search(player, "")
    return player.page


def search(player: Guest, text: str) -> None:
    player.field("web.editor.search").fill(text)


def option(player: Guest, path: str) -> Any:
    """Return the field of the option that has this key."""
    search(player, path)
    return player.page.get_by_role("group", name=player.say(f"options.{path}.label"), exact=True)


def load_file_into_editor(player: Guest, text: str) -> None:
    file = {"name": "club.toml", "mimeType": "application/toml", "buffer": text.encode()}
    player.field("web.editor.load").set_input_files(files=[file])


def written(player: Guest) -> Any:
    """Return the text field with the rules file, which is in a collapsed section."""
    return player.page.get_by_role("textbox", name=player.say("web.rules.file"), include_hidden=True)


def changed(player: Guest) -> Any:
    """Return the keys of the options that differ from the parent rules."""
    search(player, "")
    player.page.get_by_role("checkbox", name=player.say("web.editor.only_changed")).check()
    return player.page.get_by_role("code")


def test_a_yaku_from_the_gallery_is_saved_with_the_rules(guest: MakeGuest) -> None:
    player = guest("가영", language="ko")
    page = editing(player)
    search(player, "홍공작")
    player.press("web.gallery.add", name="홍공작")
    player.button("web.gallery.remove", name="홍공작").wait_for()
    search(player, "야키토리")
    player.press("web.gallery.add", name="야키토리")
    player.press("web.editor.save")
    page.wait_for_url("**/rules/*saved")
    page.get_by_text("홍공작").first.wait_for()
    saved = page.url.split("/rules/")[1].split("?")[0]
    rules = player.get(f"rules/{saved}")["tree"]
    assert rules["yaku"]["benikujaku"]["when"] == 'only("1579s7z")'
    assert rules["match"]["yakitori"] == 10_000
    guide = player.get(f"rules/{saved}/yaku?lang=ko")
    assert "홍공작" in [yaku["name"] for group in guide["groups"] for yaku in group["yaku"]]


def test_structured_options_are_edited_and_checked_in_place(guest: MakeGuest) -> None:
    player = guest(language="ko")
    editing(player)
    uma = option(player, "match.uma")
    uma.get_by_label("1위").fill("15000")
    expect(uma.get_by_role("alert")).to_contain_text("“우마”")
    uma.get_by_label("4위").fill("-15000")
    expect(uma.get_by_role("alert")).to_have_count(0)
    floating = option(player, "match.floating_uma")
    floating.get_by_role("checkbox").check()
    expect(floating.get_by_role("spinbutton")).to_have_count(12)
    sticks = option(player, "match.sticks")
    sticks.get_by_label("10000 개수").fill("0")
    sticks.get_by_role("alert").wait_for()
    sticks.get_by_label("5000 개수").fill("4")
    expect(sticks.get_by_role("alert")).to_have_count(0)
    pao = option(player, "pao.yakuman")
    pao.get_by_role("button", name="사연각").click()  # not a yaku under these rules
    pao.get_by_role("alert").wait_for()
    player.press("web.editor.reset", pao)
    expect(pao.get_by_role("alert")).to_have_count(0)
    expect(written(player)).to_have_value(re.compile("\n5000 = 4\n"))
    assert "suurenkou" not in written(player).input_value()


def test_the_editor_shows_only_differences_and_resets_them(guest: MakeGuest) -> None:
    player = guest()
    page = editing(player, "tenhou")
    option(player, "riichi.ippatsu").get_by_role("checkbox").uncheck()
    search(player, "pinfu")
    pinfu = page.get_by_role("row", name="Pinfu")
    pinfu.get_by_role("combobox").first.select_option("0")
    expect(changed(player)).to_have_text(["riichi.ippatsu"])
    player.press("web.editor.reset", pinfu)
    expect(pinfu).to_have_count(0)
    player.field("web.editor.start_from").select_option("m-league")
    page.wait_for_url("**/edit/m-league")
    expect(written(player)).to_have_value('extends = "m-league"\n\n[riichi]\nippatsu = false\n')


def test_a_rules_file_is_imported_and_exported(guest: MakeGuest, tmp_path: Path) -> None:
    player = guest(language="ko")
    page = editing(player)
    load_file_into_editor(player, CLUB)
    player.notice.wait_for()
    assert set(changed(player).all_inner_texts()) == CHANGED
    expect(player.field("web.editor.name")).to_have_value("목요 모임")
    with page.expect_download() as download:
        player.press("web.editor.download")
    download.value.save_as(file := tmp_path / "club.toml")
    (tmp_path / "given.toml").write_text(CLUB, "utf-8")
    assert load_file(file).fingerprint == load_file(tmp_path / "given.toml").fingerprint
    assert dict(load_file(file).name) == {"en": "Thursday club", "ko": "목요 모임"}
    player.press("web.editor.save")
    page.wait_for_url("**/rules/*")
    page.get_by_role("heading", name="목요 모임").first.wait_for()
    page.goto(page.url.replace("/rules/", "/edit/"))
    expect(player.field("web.editor.start_from")).to_have_value("m-league")
    checked = player.post("rules/check", {"toml": written(player).input_value()})
    assert load_file(file).fingerprint == checked["fingerprint"]


# Invalid rules files and a part of the error message
FAULTY = {
    "[riichi]\nopn = true\n": "riichi.opn",
    "[riichi": "TOML",
    'extends = "elsewhere.toml"\n': "elsewhere.toml",
}


def test_an_invalid_file_stays_in_the_editor_with_its_errors_listed(guest: MakeGuest) -> None:
    player = guest()
    page = editing(player)
    form = player.button("web.editor.form")
    for text, message in FAULTY.items():
        load_file_into_editor(player, text)
        page.get_by_role("paragraph").filter(has_text=message).wait_for()
        expect(written(player)).to_have_value(text)
        expect(form).to_be_disabled()
    written(player).fill(CLUB)
    form.click()
    expect(player.field("web.editor.start_from")).to_have_value("m-league")


def test_edits_survive_a_reload(guest: MakeGuest) -> None:
    player = guest(viewport="desktop")
    page = editing(player, "ema")
    option(player, "match.start_points").get_by_role("spinbutton").fill("3")
    player.button("web.editor.show_problem").wait_for()
    page.reload()
    player.button("web.editor.show_problem").wait_for()
    expect(option(player, "match.start_points").get_by_role("spinbutton")).to_have_value("3")
    player.press("web.editor.start_over")
    expect(player.button("web.editor.show_problem")).to_have_count(0)
    expect(written(player)).to_have_value('extends = "ema"\n')


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_row_of_a_printed_booklet_breaks_across_pages(
    guest: MakeGuest, language: terms.Language, tmp_path: Path
) -> None:
    """No table row, step or example is split between pages; on a phone, no number is split between lines."""
    page = guest("phone").page
    made = booklet(load("korea-3"), language)
    page.set_content(FORMATS["html"].write(made, PAPERS["a4"], None).decode())
    assert torn(made, pages_of(page.pdf(prefer_css_page_size=True), tmp_path)) == []
    assert page.evaluate(BROKEN_NUMBERS) == []


def test_the_booklet_is_printed_and_downloaded(guest: MakeGuest, tmp_path: Path) -> None:
    player = guest(language="ko")
    page, opens = player.page, player.link("web.booklet.open")
    page.goto("/rules/bgm-2025")
    player.press("web.booklet.button")
    player.field("web.booklet.club").fill("클럽 & 친구")
    player.field("web.booklet.date").fill("6월 1일")

    def saved(key: str) -> str:
        with page.expect_download() as download:
            player.press(f"web.booklet.{key}")
        download.value.save_as(tmp_path / key)
        return (tmp_path / key).read_text("utf-8")

    assert "클럽 &amp; 친구 · 6월 1일" in saved("md")
    with page.context.expect_page() as opened:
        opens.click()
    booklet = opened.value
    expect(booklet.get_by_role("heading", level=1)).to_have_text("2025년 BGM 마작 이벤트 대회")
    expect(booklet.get_by_text("클럽 & 친구 · 6월 1일").first).to_be_visible()
    assert booklet.evaluate("document.documentElement.scrollWidth <= innerWidth")
    booklet.close()
    chosen = player.field("web.booklet.logo")
    chosen.set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": png(1200, 300)})
    expect(opens).to_have_count(0)
    assert 'src="data:image/jpeg;base64,' in saved("html")
    player.press("web.booklet.without_logo")
    expect(opens).to_be_visible()
    chosen.set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(player.notice.last).to_contain_text("logo.png")


NAME = "어떻게든 화료"


def test_a_yaku_built_from_forms_is_played_and_saved(guest: MakeGuest, tmp_path: Path) -> None:
    player = guest(language="ko")
    page, say = player.page, player.say
    page.set_default_timeout(120_000)  # the server tries every edit, and bots play games
    page.goto(f"/edit/{player.rules(ONE_WIN)}")
    # The condition "tsumo or ron" is true for every win
    player.heading("web.editor.own.title").click()
    player.press("web.editor.own.new")
    player.box("web.editor.own.name").fill(NAME)
    for side in ("closed", "open"):
        page.get_by_role("combobox", name=f"{NAME} {say(f'web.rules.{side}')}").select_option("2")
    for circumstance in ("tsumo", "ron"):
        page.get_by_role("button", name=f"+ {say('web.editor.own.form.circumstance')}", exact=True).click()
        word = say(f"own.word.{circumstance}")
        page.get_by_role("button", name=word, exact=True).last.click()
        page.get_by_role("button", name=f"{say('web.editor.remove')} {circumstance}", exact=True).wait_for()
    player.choice("web.editor.own.joiner.or").check()
    player.heading("web.editor.own.having").wait_for()
    player.press("web.editor.own.play", games=128)
    played = page.get_by_role("status").filter(has_text="봇끼리 친 대국")
    expect(played).to_contain_text("이 역이 붙었습니다", timeout=120_000)
    expect(played).not_to_contain_text("붙지 않았습니다")
    player.fits()
    with page.expect_download() as download:
        player.press("web.editor.download")
    download.value.save_as(tmp_path / "own.toml")
    player.press("web.editor.save")
    page.wait_for_url("**/rules/*")
    rules = page.url.rsplit("/", 1)[-1].partition("?")[0]
    # The rules page lists the differences, and the booklet contains the custom yaku
    page.get_by_text(NAME).first.wait_for()
    booklet = page.request.get(f"/api/rules/{rules}/booklet?format=md&language=ko").text()
    assert NAME in booklet
    # In a game with bots, the win and the stored game contain it
    table = player.table(rules, 3)
    player.post(f"tables/{table}/start", {})
    player.sit_down(table)
    player.tiles.first.wait_for()
    player.hurry(until=NAME)
    player.sheet.get_by_text(NAME).first.wait_for()
    player.finish()
    games = page.request.get("/api/games?mine=true").json()
    page.goto(f"/g/{games['games'][0]['id']}")
    player.field("web.replay.hand").first.wait_for()
    # The command line scores a hand under the rules file that was downloaded
    made = load_file(tmp_path / "own.toml")
    own = made.own_yaku[0].id
    request = {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"}
    scored = CliRunner().invoke(
        app, ["score", "--jsonl", "--rules", str(tmp_path / "own.toml")], input=json.dumps(request) + "\n"
    )
    assert json.loads(scored.stdout.splitlines()[-1])["yaku"][own] == 2


PAIR = """extends = "standard"
[yaku.first]
name.ko = "먼저 만든 역"
closed = 2
open = 1
when = 'only("1579s7z")'
[yaku.second]
name.ko = "나중 역"
closed = 3
when = "tsumo"
"""


def test_other_custom_yaku_are_offered_by_name_in_conditions(guest: MakeGuest) -> None:
    player = guest(language="ko")
    page, form = player.page, player.say("web.editor.own.form.yaku")
    page.set_default_timeout(60_000)
    page.goto(f"/edit/{player.rules(PAIR)}")
    player.heading("web.editor.own.title").click()
    page.get_by_text("나중 역").last.click()
    page.get_by_role("button", name=f"+ {form}", exact=True).click()
    offered = page.get_by_role("combobox", name=form)
    assert "나중 역" not in offered.inner_text()
    offered.select_option(label="먼저 만든 역")
    player.row("먼저 만든 역").first.wait_for()
    player.fits()


def hand_buttons(player: Guest) -> Any:
    """Return the buttons of the tiles and melds of the hand, which remove them."""
    return player.page.get_by_role("group", name="Hand", exact=True).get_by_role("button")


def names(player: Guest) -> list[str]:
    return [
        str(name).removeprefix("Remove ")
        for name in hand_buttons(player).evaluate_all("all => all.map((one) => one.ariaLabel)")
    ]


def see_a_win(player: Guest) -> None:
    player.page.get_by_role("heading", name=re.compile("wins by")).wait_for()


def test_the_calculator_offers_only_what_the_rules_allow(guest: MakeGuest) -> None:
    player = guest()
    page = player.page
    palette = page.get_by_role("group", name="Tiles")
    for rules, reds, open_riichi in (("standard", "555", 0), ("bgm-2025", "333", 1), ("wrc", "", 0)):
        page.goto(f"/calc?rules={rules}")
        expect(palette.get_by_role("button")).to_have_count(34 + len(reds))
        for number, suit in zip(reds, ("man", "pin", "sou"), strict=False):
            red = palette.get_by_role("button", name=f"red {number} {suit}")
            red.click()
            expect(red).to_be_disabled()
        assert names(player) == [
            f"red {number} {suit}" for number, suit in zip(reds, ("man", "pin", "sou"), strict=False)
        ]
        expect(player.choice("web.calc.riichi_short.open")).to_have_count(open_riichi)
    page.goto("/calc?hand=234067m340p6799s8s&riichi=double_open&ura=1m&rules=wrc")
    see_a_win(player)
    assert names(player)[3] == "5 man"
    assert not [name for name in names(player) if "red" in name]
    assert "riichi=riichi" in page.url
    expect(player.notice).to_have_count(1)


def test_a_hand_can_be_typed_and_invalid_input_is_kept_and_explained(guest: MakeGuest) -> None:
    player = guest(viewport="desktop")
    page, text = player.page, player.field("web.calc.typed")
    page.goto("/calc?hand=123m")
    text.fill("123m45x")
    problem = page.get_by_role("status").filter(has_text="45x")
    problem.wait_for()
    page.get_by_role("heading", level=1).click()
    expect(text).to_have_value("123m45x")
    assert names(player) == ["1 man", "2 man", "3 man"]
    text.fill("동동동123萬")
    expect(problem).to_have_count(0)
    assert names(player) == ["1 man", "2 man", "3 man", "East", "East", "East"]
    text.fill("345p678s 9s9s (340m) [1111z]")
    see_a_win(player)
    expect(hand_buttons(player)).to_have_count(8)
    expect(player.button("web.calc.remove_meld")).to_have_count(2)
    text.press("Enter")
    expect(text).to_have_value("345p6789s 9s (340m) [1111z]")
    page.reload()
    see_a_win(player)
    expect(text).to_have_value("345p6789s 9s (340m) [1111z]")
    player.fold("web.calc.more").click()
    player.check("phone", "desktop")

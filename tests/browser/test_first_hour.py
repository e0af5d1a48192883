"""A beginner's first hour: the lesson, a name, a game with bots, and the help."""

import re

from browser.contexts import expect
from browser.parlour import MakeGuest, slow_in_a_browser

pytestmark = slow_in_a_browser


def test_the_lesson_is_won_by_keyboard_and_starts_a_game_with_easy_bots(stranger: MakeGuest) -> None:
    player = stranger()
    page, first = player.page, "guide.first"
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    player.link("web.lobby.learn").press("Enter")
    for card, go_on in (("tiles", "next"), ("finished", "next"), ("turn", "begin")):
        expect(player.heading(f"{first}.cards.{card}.title")).to_be_visible()
        player.check()
        player.button(f"{first}.{go_on}").press("Enter")

    def coach(step: str) -> None:
        text = re.split(r"⟦.*?⟧|\{.*?\}", player.say(f"{first}.coach.{step}"))[0]
        expect(page.get_by_role("status").filter(has_text=text).first).to_be_visible()

    coach("discard")
    player.free_tiles.first.wait_for()
    page.keyboard.press("d")  # the wind that was drawn
    coach("numbers")
    player.check()
    page.reload()  # the hand goes on after a reload
    coach("numbers")
    page.keyboard.press("d")
    player.claim("pon").wait_for()
    page.keyboard.press("x")
    expect(page.get_by_text("the discard that a strong bot would choose")).to_be_visible()
    page.get_by_role("group", name=player.say("web.table.own_hand")).get_by_role(
        "button", name="9 sou"
    ).press("Enter")
    player.claim("chi").wait_for()
    page.keyboard.press("x")
    coach("near")
    page.keyboard.press("d")
    player.claim("riichi").wait_for()
    page.keyboard.press("r")
    player.free_tiles.press("Enter")
    for step in ("waiting", "furiten"):
        coach(step)
        player.button(f"{first}.go_on").press("Enter")
    player.claim("win").wait_for()
    page.keyboard.press("h")
    player.button(f"{first}.next", player.sheet).press("Enter")
    expect(player.heading(f"{first}.won.title")).to_be_visible()
    player.check()
    player.button(f"{first}.play").press("Enter")  # asks for a name, then goes straight to the table
    expect(player.field("web.guest.name")).to_be_focused()
    page.keyboard.type("Newcomer")
    page.keyboard.press("Enter")
    level = player.say("web.bot.is", level=player.say("web.bot.name.gentle"))
    expect(page.get_by_role("img", name=level)).to_have_count(3)


def test_the_lesson_can_be_skipped_left_and_restarted(guest: MakeGuest) -> None:
    player = guest(language="ja")
    page = player.page
    page.goto("/first")
    player.press("guide.first.skip")
    player.free_tiles.last.tap()
    player.see_discards(1)
    player.press("web.menu.title")
    player.press("guide.first.again")
    expect(player.free_tiles.first).to_be_visible()
    assert player.discards() == 0
    player.press("web.menu.title")
    player.link("guide.first.leave").click()
    page.wait_for_url("**/practice")
    player.expect_fault("400")  # the page has stored moves that the server rejects
    page.evaluate("""localStorage.setItem('jantaku.first', '{"card":null,"moves":[{"type":"ron"}]}')""")
    page.goto("/first")
    player.free_tiles.first.wait_for()


def test_a_visitor_plays_after_one_tap_and_their_choice_is_remembered(stranger: MakeGuest) -> None:
    player = stranger()
    page = player.page
    page.goto("/")
    player.choice("web.lobby.hanchan").check()
    player.choice("web.bot.name.gentle").check()
    player.press("web.lobby.play")
    player.tiles.first.wait_for()
    page.goto("/")
    expect(player.choice("web.lobby.hanchan")).to_be_checked()
    expect(player.choice("web.bot.name.gentle")).to_be_checked()
    expect(
        page.get_by_text(player.say("web.lobby.hello", name=player.say("web.guest.usual")))
    ).to_be_visible()
    player.check("phone", "short", "desktop")
    player.link("web.lobby.back").first.click()
    player.tiles.first.wait_for()


def test_a_guest_enters_a_name_and_plays_by_tapping(stranger: MakeGuest) -> None:
    player = stranger(language="ko")
    page = player.page
    page.add_init_script("navigator.vibrate = () => (window.trembled = true)")
    page.goto("/")
    player.field("web.guest.name").fill("미나")
    player.press("web.lobby.play")
    player.rest()
    assert page.title() == "● 내 차례 · Jantaku"
    page.wait_for_function("window.trembled")
    level = player.say("web.bot.is", level=player.say("web.bot.name.standard"))
    expect(page.get_by_role("img", name=level)).to_have_count(3)
    before = player.discards()
    player.tiles.last.tap()
    player.see_discards(before + 1)
    assert page.evaluate(
        "[document.documentElement.lang, document.documentElement.scrollHeight > innerHeight]"
    )[:2] == ["ko", False]
    player.press("web.menu.title")
    player.fold("web.signs.title").click()
    player.fold("web.menu.yaku").click()
    player.field("guide.list.find").fill("탕야오")
    expect(player.sheet.get_by_role("heading", name="탕야오")).to_be_visible()
    expect(player.sheet.get_by_role("heading", name="핑후")).to_have_count(0)
    player.check()


def test_the_help_explains_words_yaku_and_other_sites(stranger: MakeGuest) -> None:
    player = stranger(language="ko")
    page = player.page
    page.goto("/")
    page.get_by_role("link").filter(has_text=player.say("practice.page.title")).tap()
    page.get_by_role("link").filter(has_text=player.say("practice.kind.words.name")).tap()
    page.get_by_role("group").get_by_role("button").first.tap()
    expect(page.get_by_role("article")).to_contain_text(" · ")  # the names in other languages
    player.link("practice.page.all").tap()
    page.get_by_role("link").filter(has_text=player.say("guide.learn.yaku")).tap()
    page.get_by_role("heading", name="리치").first.wait_for()
    page.evaluate(
        "localStorage.setItem('jantaku.rules', 'tenhou')"
    )  # so that the page compares with these rules
    page.goto("/coming/tenhou")
    rows = page.get_by_role("row")
    expect(rows.nth(2)).to_be_visible()
    with_standard = rows.all_inner_texts()
    # three-player rules that the site offers
    player.field("guide.coming.compare").select_option("standard-3")
    page.get_by_role("radio", name="작혼", exact=True).click()
    expect(player.link_to("/new?rules=mahjongsoul-3")).to_be_visible()
    assert rows.all_inner_texts() != with_standard
    assert "{" not in page.get_by_role("main").inner_text()

"""The pages for people who are new here: yaku with examples, ten words, what differs from other sites."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, against_bots, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms
from jantaku.rules import load
from jantaku.server.rules.pages import diff_rows

pytestmark = slow_in_a_browser
WEB = terms.table("web", "en")
GUIDE = terms.table("guide", "en")


def test_somebody_new_finds_the_help_from_the_lobby(stranger: Callable[..., Guest]) -> None:
    page = stranger(language="ko").page
    guide = terms.table("guide", "ko")
    page.goto("/")
    page.locator("a.card", has_text=terms.table("web", "ko")["lobby"]["help"]).tap()
    page.locator("a.card", has_text=guide["learn"]["words"]).tap()
    expect(page.locator("dl > div")).to_have_count(10)
    expect(page.locator("dt", has_text="텐파이").locator("span[lang=ja]")).to_have_text("テンパイ（聴牌）")
    assert page.locator("dd use[href='#tile-4m']").count() == 1
    page.get_by_role("link", name=guide["learn"]["title"]).tap()
    page.locator("a.card", has_text=guide["learn"]["yaku"]).tap()
    page.locator("li.card").first.wait_for()


@requires_axe
def test_yaku_are_listed_with_their_worth_at_the_table(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    against_bots(player, "bgm-2025")
    page.click("button.menu")
    page.locator("summary", has_text=WEB["menu"]["yaku"]).tap()
    pinfu = page.locator("#yaku-pinfu")
    # under these rules pinfu is worth nothing but lets a hand win
    expect(pinfu.locator(".worth")).to_contain_text("0 han")
    expect(pinfu.locator(".differs")).to_contain_text("standard: 1 han")
    assert pinfu.locator(".won-hand .tile").count() == 14
    page.get_by_label(GUIDE["list"]["find"]).fill("탕야오")
    expect(page.locator("li.card[id]")).to_have_count(1)
    assert serious_faults(player) == []


def test_rules_are_compared_with_those_of_another_site(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/coming/tenhou")
    rows = list(diff_rows(load("tenhou"), load("standard"), "en"))
    expect(page.locator("tbody tr")).to_have_count(len(rows))
    page.get_by_role("button", name="Mahjong Soul").press("Enter")
    expect(page.locator("thead")).to_contain_text("Mahjong Soul")
    page.get_by_label(GUIDE["coming"]["compare"]).select_option("mahjongsoul")
    page.get_by_text(GUIDE["coming"]["same"]).wait_for()
    page.get_by_label(GUIDE["coming"]["compare"]).select_option("standard-3")  # with their rules for three
    rows = list(diff_rows(load("mahjongsoul-3"), load("standard-3"), "en"))
    expect(page.locator("tbody tr")).to_have_count(len(rows))
    assert page.get_attribute(".card .button.primary", "href") == "/new?rules=mahjongsoul-3"
    # names of buttons are those of the table
    expect(page.locator("dl")).to_contain_text(WEB["automatic"]["noCalls"])
    assert "{" not in page.locator("dl").inner_text()


@requires_axe
def test_the_first_hand_is_won_by_keyboard_and_kept_on_the_way(stranger: Callable[..., Guest]) -> None:
    player = stranger()
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    page.get_by_role("link", name=WEB["lobby"]["learn"]).press("Enter")
    for card in ("tiles", "finished", "turn"):
        page.get_by_role("heading", name=GUIDE["first"]["cards"][card]["title"]).wait_for()
        assert serious_faults(player) == []
        page.locator(".page button.primary").press("Enter")
    said = page.locator(".coach [role=status]")
    expect(said).to_contain_text(GUIDE["first"]["coach"]["discard"].partition("⟦")[0])
    page.wait_for_selector(".tile-button.choosing")
    page.keyboard.press("d")  # the drawn wind
    expect(said).to_have_text(GUIDE["first"]["coach"]["numbers"])
    expect(page.locator(".count").first).to_have_attribute("data-tiles", "24")
    assert serious_faults(player) == []
    page.reload()  # the hand goes on where it was
    expect(said).to_have_text(GUIDE["first"]["coach"]["numbers"])
    page.keyboard.press("d")
    page.wait_for_selector("[data-claim=pon]")
    expect(said).to_contain_text("Pon would make it a triplet")
    page.keyboard.press("x")
    expect(said).to_contain_text("on average you end up 100 points worse off")
    page.locator(".tile-button[data-tile='9s']").press("Enter")
    page.wait_for_selector("[data-claim=chi]")
    page.keyboard.press("x")
    expect(said).to_have_text(GUIDE["first"]["coach"]["near"])
    page.keyboard.press("d")
    page.wait_for_selector("[data-claim=riichi]")
    page.keyboard.press("r")
    page.locator(".tile-button.choosing:not(.blocked)").press("Enter")
    for step in ("waiting", "furiten"):
        expect(said).to_have_text(GUIDE["first"]["coach"][step])
        expect(page.locator(".waits li")).to_have_count(2)
        page.get_by_role("button", name=GUIDE["first"]["go_on"]).press("Enter")
    page.wait_for_selector("[data-claim=win]")
    page.keyboard.press("h")
    page.locator(".sheet .foot button").press("Enter")
    page.get_by_role("heading", name=GUIDE["first"]["won"]["title"]).wait_for()
    assert serious_faults(player) == []
    # the gentle game begins from here, after a name and without the lobby
    page.get_by_role("button", name=GUIDE["first"]["play"]).press("Enter")
    expect(page.locator("#guest-name")).to_be_focused()
    page.keyboard.type("Newcomer")
    page.keyboard.press("Enter")
    page.wait_for_selector(".board .plate")
    expect(page.locator(".plate .face")).to_have_count(4)
    assert page.evaluate("localStorage.getItem('jantaku.level')") == "gentle"


def test_the_menu_shows_each_mark_beside_its_meaning(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    against_bots(player)
    page.click("button.menu")
    page.locator("summary", has_text=WEB["signs"]["title"]).tap()
    marks = page.locator("details[open] li i")
    expect(marks).to_have_count(7)
    sizes = [mark.bounding_box() or {} for mark in marks.all()]
    assert all(box.get("width", 0) > 5 and box.get("height", 0) > 4 for box in sizes)


def test_another_sites_rules_are_not_compared_with_themselves(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/")
    page.evaluate("localStorage.setItem('jantaku.rules', 'tenhou')")  # played last
    page.goto("/coming/tenhou")
    rows = list(diff_rows(load("tenhou"), load("standard"), "en"))
    expect(page.locator("tbody tr")).to_have_count(len(rows))


def test_the_lesson_can_be_skipped_left_and_begun_again(guest: Callable[..., Guest]) -> None:
    player = guest(language="ja")
    page, guide = player.page, terms.table("guide", "ja")["first"]
    page.goto("/learn")
    page.locator("a.card[href='/first']").tap()
    page.get_by_role("button", name=guide["skip"]).tap()
    page.wait_for_selector(".tile-button.choosing")
    page.locator(".tile-button").last.tap()
    page.locator(".river .tile").first.wait_for()
    page.locator("button.menu").tap()
    page.get_by_role("button", name=guide["again"]).tap()
    expect(page.locator(".river .tile")).to_have_count(0)
    page.locator("button.menu").tap()
    page.get_by_role("link", name=guide["leave"]).tap()
    page.wait_for_url("**/learn")
    # moves that the server does not understand, as those of another version may be
    player.expect_fault("400")
    page.evaluate("""localStorage.setItem('jantaku.first', '{"card":null,"moves":[{"type":"ron"}]}')""")
    page.goto("/first")
    page.wait_for_selector(".tile-button.choosing")

"""People at a table speak in stamps, mute each other, change seats, and find a table by themselves."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
WEB = terms.table("web", "en")
KOREAN = terms.table("web", "ko")


@requires_axe
def test_stamps_are_read_in_ones_own_language_until_muted(stranger: Callable[..., Guest]) -> None:
    ann, ben = stranger().enter("Ann"), stranger("phone", "ko").enter("Ben")
    table = ann.table("standard", 0)
    ben.post(f"tables/{table}/join", {"seat": 2})
    for guest in (ann, ben):
        guest.page.goto(f"/t/{table}")
        guest.page.get_by_role("region", name=(KOREAN if guest is ben else WEB)["say"]["title"]).wait_for()
    ann.page.get_by_role("button", name=WEB["say"]["good_luck"], exact=True).tap()
    expect(ben.page.locator(".sayings")).to_have_text(f"Ann {KOREAN['say']['good_luck']}")
    assert serious_faults(ben) == []
    expect(ann.page).to_have_title("(2 of 4) Standard · Jantaku")

    ben.page.get_by_role("switch", name=KOREAN["say"]["mute"].format(name="Ann")).check()
    expect(ben.page.locator(".sayings p")).to_have_count(0)
    ben.page.reload()  # the device tells the server again
    ben.page.get_by_role("switch", name=KOREAN["say"]["mute"].format(name="Ann")).wait_for()
    ben.page.locator("li button", has_text=KOREAN["room"]["move"]).first.tap()
    expect(ben.page.locator("li").nth(1)).to_contain_text("Ben")
    ann.page.get_by_role("button", name=WEB["say"]["wow"], exact=True).tap()
    expect(ann.page.locator(".sayings")).to_contain_text(WEB["say"]["wow"])
    expect(ben.page.locator(".sayings p")).to_have_count(0)


@requires_axe
def test_a_table_of_another_length_is_opened_and_found(stranger: Callable[..., Guest]) -> None:
    ann, ben = stranger().enter("Ann"), stranger().enter("Ben")
    page = ann.page
    page.goto("/new?rules=wrc")
    page.locator("label.choice", has_text=WEB["lobby"]["east"]).tap()
    page.get_by_role("switch", name=WEB["new"]["private"]).check()
    page.get_by_role("switch", name=WEB["new"]["chat"]).check()
    assert serious_faults(ann) == []
    page.get_by_role("button", name=WEB["new"]["create"]).tap()
    page.wait_for_url("**/t/*")
    page.fill("input[name=say]", "hello there")
    page.get_by_role("button", name=WEB["say"]["send"], exact=True).tap()
    expect(page.locator(".sayings")).to_have_text("Ann hello there")

    public = ann.post("tables", {"rules": "ema", "length": "east"})
    ben.page.goto("/")
    card = ben.page.locator("article", has_text="East only")
    card.first.wait_for()
    assert serious_faults(ben) == []
    ben.page.get_by_label(WEB["room"]["bot"], exact=True).select_option("with")
    expect(card).to_have_count(0)
    ben.page.get_by_label(WEB["room"]["bot"], exact=True).select_option("without")
    ben.page.get_by_label(WEB["new"]["rules"], exact=True).select_option(public["rules"]["id"])
    card.first.wait_for()
    filters = ben.page.get_by_role("group", name=WEB["lobby"]["filter"])
    filters.get_by_role("button", name=WEB["lobby"]["hanchan"], exact=True).tap()
    expect(card).to_have_count(0)
    filters.get_by_role("button", name=WEB["lobby"]["east"], exact=True).tap()
    ben.page.get_by_role("button", name=WEB["lobby"]["anywhere"], exact=True).tap()
    ben.page.wait_for_url("**/t/*")
    expect(ben.page.locator("li").nth(1)).to_contain_text("Ben")
    assert public["id"] in ben.page.url


@requires_axe
def test_players_swap_seats_and_begin_when_all_are_ready(stranger: Callable[..., Guest]) -> None:
    ann, ben = stranger().enter("Ann"), stranger("phone", "ko").enter("Ben")
    room, korean = WEB["room"], KOREAN["room"]
    table = ann.table("standard", 2, draw_seats=False, bot="gentle")
    ben.post(f"tables/{table}/join", {})
    for guest in (ann, ben):
        guest.sit_down(table)
        guest.page.locator(".room .pill.me").wait_for()
    ben.page.get_by_role("button", name=korean["swap_name"].format(name="Ann"), exact=True).tap()
    ann.page.get_by_text(room["swap_wanted"].format(name="Ben")).wait_for()
    assert serious_faults(ann) == []
    ann.page.get_by_role("button", name=WEB["say"]["wow"], exact=True).tap()
    ben.page.locator(".sayings p").wait_for()
    ann.page.get_by_role("button", name=room["swap_name"].format(name="Ben"), exact=True).tap()
    expect(ben.page.locator("li").first).to_contain_text("Ben")
    expect(ben.page.locator(".sayings")).to_have_text(f"Ann {KOREAN['say']['wow']}")  # it was she who said it
    expect(ann.page.locator("li svg")).to_have_count(4)  # a face for each
    ben.page.get_by_role("button", name=korean["say_ready"], exact=True).tap()
    ann.page.locator("li .ready").wait_for()
    ann.page.get_by_role("button", name=room["say_ready"], exact=True).tap()
    for guest in (ann, ben):
        guest.page.locator(".plate .face svg").nth(1).wait_for()


def test_a_name_leads_to_the_numbers_of_whoever_shows_them(stranger: Callable[..., Guest]) -> None:
    ann, ben = stranger("desktop").enter("Ann"), stranger().enter("Ben")
    table = ann.table("standard", 2)
    ben.post(f"tables/{table}/join", {})
    for guest in (ann, ben):
        guest.sit_down(table)
        guest.page.locator(".room .pill.me").wait_for()
    names = ann.page.locator("a[href^='/numbers/']")
    expect(names).to_have_count(0)
    assert ben.page.request.put("/api/me/numbers/shown", data={"on": True}).ok
    expect(names).to_have_text("Ben")  # at once, in the room
    expect(ben.page.locator("a[href^='/numbers/']")).to_have_count(0)  # nobody needs a link to themselves
    ann.post(f"tables/{table}/start", {})
    ann.page.wait_for_selector(".tile-button")
    expect(ann.page.locator(".plate a[href^='/numbers/']")).to_have_text("Ben")
    ann.page.click("button.menu")
    with ann.page.expect_popup() as opened:
        ann.page.locator(".sheet a[href^='/numbers/']").click()
    opened.value.get_by_role("heading", name="Ben").wait_for()
    opened.value.close()

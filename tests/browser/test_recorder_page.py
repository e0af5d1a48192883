"""The recorder where something is begun and not finished: fouls not noted, a reload without a network."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import ENTER, LOST, WORDS, Hands, Recording, cell

pytestmark = slow_in_a_browser


def test_a_foul_stays_only_once_it_is_noted(stranger: Callable[..., Guest]) -> None:
    recording = Recording(stranger())
    recording.start("fouls")
    page, hands = recording.page, Hands(recording.page)

    def name_a_foul() -> None:
        page.get_by_role("button", name=WORDS["foul"], exact=True).tap()
        page.locator(".sheet .seats button").nth(2).tap()
        page.locator("summary", has_text=WORDS["other_fouls"].split(" (")[0]).tap()
        page.locator(".fouls button", has_text="Slip in a call").first.tap()
        expect(page.locator(".noted li")).to_have_count(1)

    name_a_foul()
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="detached")
    name_a_foul()  # one line: the foul of before is gone
    page.get_by_role("button", name=WORDS["noted"], exact=True).tap()
    hands.drag(1, 0)
    hands.tap(cell(3, 40))
    hands.tap(ENTER)
    assert recording.sent(1)[0]["hand"]["fouls"] == [{"seat": 2, "foul": "call_slip"}]


def test_a_page_opened_without_a_network_has_its_form_and_comes_back_by_itself(
    stranger: Callable[..., Guest],
) -> None:
    recording = Recording(stranger())
    page = recording.page
    for lost in LOST:
        recording.player.expect_fault(lost)
    page.goto(recording.home)
    expect(page.locator("form.start select").first).to_be_visible()
    page.route("**/api/**", lambda route: route.abort())
    page.reload()
    expect(page.locator("form.start")).to_be_visible()
    page.wait_for_timeout(500)  # what was asked for is refused by now
    expect(page.locator("form.start")).to_be_visible()
    page.unroute("**/api/**")
    recording.player.post(f"{recording.event}/entries/list", {"entries": [{"name": "Late"}]})
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("form.start option", has_text="Late").first).to_be_attached()

"""What spares taps: passing by the table itself, a riichi in one tap, a result that steps aside."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.contexts import expect
from browser.parlour import Guest, against_bots, slow_in_a_browser
from browser.puppet import Puppet
from browser.test_hand_end import PAID, WIN, end
from browser.test_impatient import OFFERED, PASS, PON, messages, middle

pytestmark = slow_in_a_browser
RON = {"type": "ron"}
EMPTY = {"x": 60, "y": 330}  # beside the rivers of a table on a phone
SEEN_MS = 450  # longer than a question must have been open


@pytest.fixture
def puppet(guest: Callable[..., Guest]) -> Puppet:
    return Puppet(guest())


def bare(page: Any, at: dict[str, int]) -> bool:
    """Whether nothing lies there."""
    measured: bool = page.evaluate(
        "(at) => !document.elementFromPoint(at.x, at.y).closest('svg, button, .plate, .middle')", at
    )
    return measured


def test_a_tap_on_the_empty_table_passes_a_call_but_no_win(puppet: Puppet) -> None:
    page = puppet.page
    puppet.ask([PON, PASS], offered=OFFERED)
    assert bare(page, EMPTY)
    page.touchscreen.tap(**EMPTY)  # begun before anybody can have read the question
    puppet.settle()
    assert puppet.answers == []
    page.wait_for_timeout(SEEN_MS)
    page.touchscreen.tap(*middle(page.locator(".plate .points").first))
    puppet.settle()
    assert puppet.answers == []
    page.touchscreen.tap(**EMPTY)
    assert puppet.answered() == PASS
    puppet.ask([RON, PASS], offered=OFFERED)
    page.wait_for_timeout(SEEN_MS)
    page.touchscreen.tap(**EMPTY)
    puppet.settle()
    assert puppet.answers == []
    page.evaluate("localStorage.setItem('jantaku.settings', JSON.stringify({ tablePass: false }))")
    puppet.forget()
    page.reload()
    page.wait_for_selector(".tile-button")
    puppet.ask([PON, PASS], offered=OFFERED)
    page.wait_for_timeout(SEEN_MS)
    page.touchscreen.tap(**EMPTY)
    puppet.settle()
    assert puppet.answers == []


def test_a_right_click_passes_a_call_but_no_win(guest: Callable[..., Guest]) -> None:
    puppet = Puppet(guest(viewport="desktop"))
    page = puppet.page
    page.evaluate("addEventListener('contextmenu', (e) => (window.shut = e.defaultPrevented))")
    puppet.ask([PON, PASS], offered=OFFERED)
    page.mouse.click(640, 300, button="right")
    assert puppet.answered() == PASS
    assert page.evaluate("window.shut") is True
    puppet.ask([RON, PASS], offered=OFFERED)
    page.mouse.click(640, 300, button="right")
    puppet.settle()
    assert puppet.answers == []
    puppet.show()
    page.wait_for_timeout(700)  # longer than a double click
    page.mouse.click(640, 300, button="right")
    assert page.evaluate("window.shut") is False  # with nothing to answer, it is the browser's


def test_the_only_possible_discard_of_a_riichi_is_made_by_its_button(puppet: Puppet) -> None:
    page = puppet.page
    only = puppet.drawn | {"riichi": "riichi"}
    puppet.ask([*puppet.discards(), only])
    page.locator("[data-claim=riichi]").tap()
    assert puppet.answered() == only
    page.click("button.menu")
    page.get_by_label("Tap twice to discard").click()
    page.keyboard.press("Escape")
    puppet.ask([*puppet.discards(), only])
    page.locator("[data-claim=riichi]").tap()
    puppet.settle()
    assert puppet.answers == []
    expect(page.locator("[data-claim=riichi][aria-pressed=true]")).to_be_visible()


@pytest.mark.parametrize("viewport", ["phone", "desktop"])
def test_the_result_steps_aside_and_comes_back_as_it_was(guest: Callable[..., Guest], viewport: str) -> None:
    puppet = Puppet(guest(viewport=viewport))
    page = puppet.page
    puppet.show()
    end(puppet, WIN, PAID)
    page.locator(".sheet .win").wait_for()
    page.get_by_role("button", name="See the table").click()
    expect(page.locator(".sheet .win")).not_to_be_visible()
    expect(page.locator(".laid .opened-hand")).to_be_visible()
    back = page.get_by_role("button", name="Back to the result")
    expect(back).to_be_focused()
    box, hand = back.bounding_box(), page.locator(".own").bounding_box()
    assert box
    assert hand
    assert box["y"] + box["height"] <= hand["y"]  # it covers no tile of one's own
    page.keyboard.press("Enter")
    expect(page.locator(".sheet .win")).to_be_visible()
    assert messages(puppet, "ready") == []
    page.keyboard.press("Escape")
    expect(back).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".sheet .foot button").click()
    puppet.settle()
    assert len(messages(puppet, "ready")) == 1


def test_hints_that_were_lost_with_the_connection_are_asked_for_again(guest: Callable[..., Guest]) -> None:
    player = guest()
    player.expect_fault("WebSocket")
    puppet = Puppet(player)  # it keeps the answers of the server from the page
    page = puppet.page
    assert len(messages(puppet, "hints")) == 1
    puppet.forget()
    puppet.drop()
    page.locator("[role=status]", has_text="Connection lost").wait_for()
    expect(page.locator("[role=status]", has_text="Connection lost")).to_have_count(0)
    puppet.settle()
    assert len(messages(puppet, "hints")) == 2


def test_beside_a_riichi_no_difference_cuts_its_word(puppet: Puppet) -> None:
    puppet.show(scores=[15000, 61500, 12000, 11500], riichi=["riichi"] * 4)
    cut = "[...document.querySelectorAll('.plate .rest')].filter((e) => e.scrollWidth > e.clientWidth).length"
    assert puppet.page.locator(".plate .riichi").count() == 4
    assert puppet.page.evaluate(cut) == 0


def test_alone_with_bots_their_pace_is_in_the_menu_and_nobody_hears_stamps(puppet: Puppet) -> None:
    page = puppet.page
    page.click("button.menu")
    page.get_by_role("button", name="Quick").click()
    puppet.settle()
    assert [message["pace"] for message in messages(puppet, "pace")] == ["quick"]
    assert page.get_by_role("heading", name="Say something").count() == 0
    assert page.evaluate("JSON.parse(localStorage.getItem('jantaku.settings')).pace") == "quick"


def test_what_a_discard_costs_is_explained_on_a_tap(guest: Callable[..., Guest]) -> None:
    player = guest()
    against_bots(player, draw_seats=False)
    page = player.page
    page.locator(".read").tap()
    page.locator(".loss").tap()
    expect(page.get_by_text("on average, so many points worse")).to_be_visible()

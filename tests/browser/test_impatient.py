"""An impatient or clumsy player: double taps, second fingers, held keys, two tabs and lost connections."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from browser.contexts import expect
from browser.parlour import Guest, against_bots, slow_in_a_browser
from browser.puppet import Action, Puppet
from browser.test_hand_end import PAID, WIN, end

pytestmark = slow_in_a_browser

PASS: Action = {"type": "pass"}
PON: Action = {"type": "pon", "red": 0}
CHI: list[Action] = [{"type": "chi", "tiles": tiles} for tiles in ("23m", "35m", "56m")]
ANKAN: Action = {"type": "kan", "kind": "ankan", "tile": "4m"}
OFFERED = {"tile": "4m", "seat": 3, "kind": "discard"}


@pytest.fixture
def puppet(guest: Callable[..., Guest]) -> Puppet:
    return Puppet(guest())


def middle(found: Any) -> tuple[float, float]:
    """The middle of an element."""
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(session: Any, kind: str, *points: tuple[int, float, float]) -> None:
    """Send a touch: the finger that changes comes last."""
    fingers = [{"id": finger, "x": x, "y": y} for finger, x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


def messages(puppet: Puppet, kind: str) -> list[Any]:
    """What the page has sent of a kind."""
    return [data for text in puppet.sent if (data := json.loads(text))["type"] == kind]


def test_a_second_finger_on_the_hand_discards_nothing(puppet: Puppet) -> None:
    page = puppet.page
    puppet.ask(puppet.discards())
    tiles = page.locator(".tile-button")
    upper, lower = middle(tiles.nth(2)), middle(tiles.nth(10))
    assert lower[1] - upper[1] > 42  # two rows on a phone
    session = page.context.new_cdp_session(page)
    touch(session, "touchStart", (1, *upper))
    touch(session, "touchStart", (1, *upper), (2, *lower))
    touch(session, "touchMove", (1, upper[0] + 3, upper[1] + 2), (2, *lower))
    touch(session, "touchEnd", (2, *lower))  # the first finger is lifted
    puppet.settle()
    assert puppet.answers == []
    touch(session, "touchMove", (2, lower[0] + 3, lower[1] + 2))
    touch(session, "touchEnd")
    puppet.settle()
    session.detach()
    assert puppet.answers == []


def test_a_finger_that_opens_the_result_does_not_press_next(puppet: Puppet) -> None:
    page = puppet.page
    puppet.show()
    end(puppet, WIN, PAID)
    page.locator(".sheet .foot button").wait_for()
    page.mouse.click(10, 300)
    x, y = middle(page.locator(".sheet .foot button"))
    puppet.show()
    page.locator(".sheet").wait_for(state="detached")
    session = page.context.new_cdp_session(page)
    end(puppet, WIN, PAID)
    page.locator(".opened-hand").wait_for()
    touch(session, "touchStart", (1, x, y))
    page.locator(".sheet .win").wait_for()
    puppet.settle()
    touch(session, "touchEnd")
    puppet.settle()
    session.detach()
    assert messages(puppet, "ready") == []
    page.locator(".sheet .foot button").tap()
    puppet.settle()
    assert len(messages(puppet, "ready")) == 1


def test_a_held_key_answers_one_question(puppet: Puppet) -> None:
    keyboard = puppet.page.keyboard
    for key, legal in (("d", puppet.discards()), ("x", [PON, PASS]), ("p", [PON, PASS])):
        puppet.ask(legal, offered=OFFERED)
        keyboard.down(key)
        puppet.answered()
        puppet.ask(legal, offered=OFFERED)
        keyboard.down(key)  # repeated, as a held key is
        puppet.settle()
        assert puppet.answers == [], key
        keyboard.up(key)


def test_enter_held_on_a_tile_discards_once(puppet: Puppet) -> None:
    keyboard = puppet.page.keyboard
    puppet.ask(puppet.discards())
    puppet.page.locator(".tile-button").nth(3).focus()
    keyboard.down("Enter")
    puppet.answered()
    puppet.ask(puppet.discards())
    keyboard.down("Enter")
    puppet.settle()
    assert puppet.answers == []
    keyboard.up("Enter")


def test_the_second_of_two_taps_makes_no_choice(puppet: Puppet) -> None:
    page = puppet.page
    puppet.ask([*CHI, PASS], offered=OFFERED)
    x, y = middle(page.locator("[data-claim=chi]"))
    page.touchscreen.tap(x, y)
    page.touchscreen.tap(x, y)
    puppet.settle()
    assert puppet.answers == []
    expect(page.locator(".claim.tiles")).to_have_count(3)  # the second tap has not gone back either
    page.locator(".claim.tiles").first.tap()
    assert puppet.answered() == CHI[0]


def test_two_runs_are_each_one_tap_away(puppet: Puppet) -> None:
    puppet.ask([*CHI[:2], PASS], offered=OFFERED)
    runs = puppet.page.locator("[data-claim=chi]")
    expect(runs).to_have_count(2)
    runs.nth(1).tap()
    assert puppet.answered() == CHI[1]


def test_a_second_tap_on_pass_makes_no_kan(puppet: Puppet) -> None:
    page = puppet.page
    turn = [*puppet.discards(), *puppet.discards(riichi="riichi"), ANKAN]
    puppet.ask(turn)
    kan = page.locator("[data-claim=kan]").bounding_box()
    puppet.ask([{"type": "ron"}, PASS], offered=OFFERED)
    held = page.locator("[data-claim=pass]").bounding_box()
    x = max(kan["x"], held["x"]) + 4  # in both buttons
    y = held["y"] + held["height"] / 2
    assert x < min(kan["x"] + kan["width"], held["x"] + held["width"])
    page.touchscreen.tap(x, y)
    assert puppet.answered() == PASS
    puppet.ask(turn)  # the next turn comes at once
    page.touchscreen.tap(x, y)
    puppet.settle()
    assert puppet.answers == []


def test_enter_goes_on_after_a_hand(guest: Callable[..., Guest]) -> None:
    puppet = Puppet(guest(viewport="desktop"))
    puppet.show()
    end(puppet, WIN, PAID)
    puppet.page.locator(".opened-hand").wait_for()
    puppet.page.keyboard.press("Enter")  # the result
    puppet.page.locator(".sheet .win").wait_for()
    puppet.settle()
    assert messages(puppet, "ready") == []
    puppet.page.keyboard.press("Enter")  # on
    puppet.settle()
    assert len(messages(puppet, "ready")) == 1


def test_the_result_waits_for_an_open_menu(guest: Callable[..., Guest]) -> None:
    puppet = Puppet(guest(viewport="desktop"))
    page = puppet.page
    page.emulate_media(reduced_motion="reduce")  # the result comes at once
    puppet.show()
    page.click("button.menu")
    end(puppet, WIN, PAID)
    puppet.settle()
    expect(page.locator(".sheet")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".sheet .win")).to_be_visible()
    page.keyboard.press("Enter")
    puppet.settle()
    assert len(messages(puppet, "ready")) == 1


def test_reloading_in_the_choice_of_a_riichi_returns_to_the_turn(puppet: Puppet) -> None:
    page = puppet.page
    legal = [*puppet.discards(), *puppet.discards(riichi="riichi")]
    puppet.ask(legal)
    page.click("[data-claim=riichi]")
    puppet.forget()
    page.reload()
    page.wait_for_selector(".tile-button")
    puppet.ask(legal)
    expect(page.locator("[data-claim=riichi][aria-pressed=false]")).to_be_visible()
    page.keyboard.press("d")
    assert puppet.answered() == puppet.drawn


def test_a_table_in_two_tabs_is_played_in_the_last(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    table = against_bots(player)
    second = player.context.new_page()
    second.goto(f"/t/{table}")
    second.wait_for_selector(".tile-button.choosing")
    player.page.get_by_role("button", name="Play here").wait_for()
    second.keyboard.press("d")
    second.wait_for_function("() => document.querySelectorAll('.river .tile').length > 1")
    player.page.get_by_role("button", name="Play here").click()
    player.page.wait_for_selector(".tile-button")
    second.get_by_role("button", name="Play here").wait_for()
    second.close()


def test_a_discard_without_a_connection_is_made_once_it_returns(guest: Callable[..., Guest]) -> None:
    player = guest()
    against_bots(player)
    page = player.page
    player.expect_fault("WebSocket")
    player.expect_fault("net::ERR")
    before = page.locator(".river .tile").count()
    last = middle(page.locator(".tile-button").last)
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    page.locator("[role=status]", has_text="Connection lost").wait_for()
    for _ in range(3):
        page.touchscreen.tap(*last)
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    player.see_discards(before + 1)
    page.locator("[role=status]", has_text="Connection lost").wait_for(state="detached")

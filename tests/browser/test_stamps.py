"""Stamps at the table: over the own plate, by two taps or held and slid; faces that others see."""

from collections.abc import Callable

import pytest

from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser

pytestmark = slow_in_a_browser


@pytest.fixture(params=["phone", "landscape"])
def two(guest: Callable[..., Guest], request: pytest.FixtureRequest) -> list[Guest]:
    guests = [guest(name, request.param) for name in ("Mina", "Jun")]
    table = guests[0].table("standard", 2)
    guests[1].post(f"tables/{table}/join", {})
    for visitor in guests:
        visitor.sit_down(table)
    guests[0].post(f"tables/{table}/start", {})
    for visitor in guests:
        visitor.page.wait_for_selector(".own .tile")
    return guests


@requires_axe
def test_stamps_are_one_tap_away_and_can_be_slid_to(two: list[Guest]) -> None:
    page, heard = two[0].page, two[1].page.locator(".sayings p")
    page.locator(".over").click()
    page.locator(".wheel [data-stamp=nice]").wait_for()
    assert serious_faults(two[0]) == []
    page.locator(".wheel [data-stamp=nice]").click()
    heard.locator("svg").first.wait_for()
    page.locator(".wheel").wait_for(state="hidden")
    start = page.locator(".over").bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    target = page.locator(".wheel [data-stamp=wow]").bounding_box()
    page.mouse.move(target["x"] + 20, target["y"] + 20, steps=4)
    page.locator(".wheel .on[data-stamp=wow]").wait_for()
    page.mouse.up()
    heard.nth(1).wait_for()
    page.locator(".over").focus()
    page.keyboard.press("Enter")
    page.locator(".wheel button:focus").wait_for()
    page.keyboard.press("Escape")
    page.locator(".wheel").wait_for(state="hidden")
    box = page.viewport_size
    assert 0 <= target["x"] < target["x"] + target["width"] <= box["width"]
    assert 0 <= target["y"] < target["y"] + target["height"] <= box["height"]

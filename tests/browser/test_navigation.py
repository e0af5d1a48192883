"""Links, the history and the focus behave as in any site."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser

pytestmark = slow_in_a_browser


@pytest.mark.parametrize("modifier", ["Control", "Meta", "Shift", "Alt"])
def test_a_modified_click_is_the_browsers(guest: Callable[..., Guest], modifier: str) -> None:
    page = guest("Mina", "desktop").page
    page.goto("/rules")
    link = page.get_by_role("navigation").get_by_role("link", name="Settings")
    # The browser is kept from opening a window; the page must not have prevented it before
    page.evaluate(
        "window.addEventListener('click', (event) => {"
        " window.left = !event.defaultPrevented; event.preventDefault(); })"
    )
    link.click(modifiers=[modifier])
    assert page.evaluate("[window.left, location.pathname]") == [True, "/rules"]
    link.click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert page.evaluate("location.pathname") == "/settings"


def test_a_middle_click_opens_a_page_of_its_own(guest: Callable[..., Guest]) -> None:
    page = guest("Mina", "desktop").page
    page.goto("/rules")
    link = page.get_by_role("navigation").get_by_role("link", name="Settings")
    with page.context.expect_page() as opened:
        link.click(button="middle")
    opened.value.wait_for_url("**/settings")
    opened.value.close()
    assert page.evaluate("location.pathname") == "/rules"


def scrolled(page: Any, to: int) -> bool:
    return bool(page.wait_for_function("(to) => Math.abs(scrollY - to) < 2", arg=to))


@pytest.mark.parametrize("viewport", ["phone", "landscape", "desktop"])
def test_back_and_forward_return_to_where_one_was(guest: Callable[..., Guest], viewport: str) -> None:
    page = guest("Mina", viewport).page
    page.goto("/yaku/standard")
    page.wait_for_selector("li.card")
    page.evaluate("scrollTo(0, 900)")
    page.get_by_role("navigation").get_by_role("link", name="Settings").evaluate("(link) => link.click()")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert scrolled(page, 0)
    page.evaluate("scrollTo(0, 300)")
    page.go_back()
    page.wait_for_selector("li.card")
    assert scrolled(page, 900)
    page.go_forward()
    assert scrolled(page, 300)
    page.go_back()
    page.wait_for_selector("li.card")
    assert scrolled(page, 900)
    page.reload()
    assert scrolled(page, 900)

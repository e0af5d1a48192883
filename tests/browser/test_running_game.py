"""Every page leads back to the running game."""

from collections.abc import Callable

import pytest

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
BACK = terms.table("web", "en")["lobby"]["back"]


@pytest.mark.parametrize("viewport", ["phone", "landscape", "desktop"])
def test_every_page_leads_back_to_the_running_game(guest: Callable[..., Guest], viewport: str) -> None:
    player = guest("Mina", viewport)
    page = player.page
    table = player.table("standard", 3)
    player.post(f"tables/{table}/start", {})
    page.goto("/settings")
    back = page.get_by_role("link", name=BACK)
    expect(back.first).to_be_in_viewport()
    for path in ("/", "/rules", "/yaku/standard", "/first"):
        page.goto(path)
        expect(page.locator("h1").first).to_be_attached()
        expect(back.first).to_be_in_viewport()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(back.first).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto("/rules")
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/tables?" in request.url else None)
    page.get_by_role("navigation").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.wait_for_load_state("networkidle")
    assert len(asked) == 1
    back.first.click()
    page.wait_for_selector(".tile-button")
    expect(back).to_have_count(0)

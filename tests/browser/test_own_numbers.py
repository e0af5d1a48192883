"""The page of one's own numbers after a game."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.parlour import ONE_WIN, Guest, against_bots, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
WORDS = terms.table("learn", "en")["numbers"]


@requires_axe
@pytest.mark.parametrize("viewport", ["phone", "desktop"])
def test_a_finished_game_is_in_the_numbers(guest: Callable[..., Guest], viewport: str) -> None:
    player = guest("Mina", viewport)
    page = player.page
    page.goto("/numbers")
    expect(page.get_by_text(WORDS["none"])).to_be_visible()
    against_bots(player, ONE_WIN, spectator_delay_s=0)  # others see the game at once
    player.finish()
    page.goto("/games")
    page.get_by_role("link", name=WORDS["title"]).click()
    page.wait_for_url("**/numbers")
    expect(page.locator(".fact-grid dd").first).to_have_text("1")
    expect(page.get_by_role("row").filter(has_text="Bot")).to_have_count(1)
    expect(page.get_by_role("img").first).to_be_visible()
    assert serious_faults(player) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("file_json", "file_csv"):
        with page.expect_download() as download:
            page.get_by_role("link", name=WORDS[name]).click()
        assert download.value.suggested_filename.startswith("jantaku-numbers.")
    page.get_by_role("switch", name=WORDS["reviews"]).uncheck()
    page.get_by_role("switch", name=WORDS["show"]).check()
    expect(page.get_by_role("switch", name=WORDS["reviews"])).not_to_be_checked()
    with page.expect_response("**/api/people/*/numbers*"):
        page.get_by_role("link", name=WORDS["show_link"]).click()
    expect(page.get_by_role("heading", name=WORDS["title_of"].format(name="Mina"))).to_be_visible()
    expect(page.locator(".fact-grid dd").first).to_have_text("1")
    expect(page.get_by_role("row").filter(has_text="Bot")).to_have_count(0)
    assert serious_faults(player) == []

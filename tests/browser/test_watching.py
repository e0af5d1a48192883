"""Spectators in the browser: they see all hands once everyone at the table agrees."""

from collections.abc import Callable

from browser.parlour import Guest, against_bots, slow_in_a_browser

pytestmark = slow_in_a_browser
AGREE = "Spectators may see my hand"


def test_a_spectator_sees_hands_with_consent(guest: Callable[..., Guest]) -> None:
    player, fan = guest("Mina"), guest("Fan", "landscape")
    table = against_bots(player, spectators=True, spectator_delay_s=0, private=False)
    fan.page.goto(f"/t/{table}?watch")
    fan.page.wait_for_selector(".watching-bar")
    assert fan.page.locator(".board .strip [data-tile], .board .strip .tile").count() > 0
    assert fan.page.get_by_text("all hands open").count() == 0
    player.page.click("button.menu")
    player.page.locator("label", has_text=AGREE).click()
    fan.page.get_by_text("all hands open").wait_for()
    player.page.locator("label", has_text=AGREE).click()
    fan.page.get_by_text("all hands open").wait_for(state="detached")

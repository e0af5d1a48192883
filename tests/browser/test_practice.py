"""Practice at once: what one tap in the lobby begins, against whom, and the next game with one tap more."""

from collections.abc import Callable

from browser.contexts import expect, filled
from browser.parlour import ONE_WIN, Guest, against_bots, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
WORDS = terms.table("web", "en")


def test_one_tap_begins_against_bots_whose_faces_tell_their_level(guest: Callable[..., Guest]) -> None:
    player = guest("Mina at once")
    page = player.page
    page.goto("/")
    row = page.locator("fieldset", has_text=WORDS["lobby"]["quick"]).locator(".row").first
    names = [WORDS["lobby"][length] for length in ("east", "hanchan")]
    row.locator("button").nth(2).wait_for()
    assert row.locator("button").all_inner_texts() == [*names, filled(WORDS["lobby"]["players"], count=3)]
    row.locator("button").first.click()
    page.wait_for_selector(".tile-button")
    level = WORDS["bot"]["is"].format(level=WORDS["bot"]["name"]["standard"])
    assert page.locator(".board .plate").get_by_role("img", name=level).count() == 3
    info = page.request.get(f"/api/tables/{page.url.partition('/t/')[2]}").json()
    assert info["options"]["pace"] is None  # quick where one person plays
    assert not info["options"]["clock"]


def test_one_tap_begins_the_next_game(guest: Callable[..., Guest]) -> None:
    player = guest("Mina again")
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    against_bots(player, ONE_WIN)
    player.finish()
    page.evaluate("window.clearInterval(window.hurry)")
    page.get_by_role("button", name=WORDS["result"]["rematch"]).click()
    expect(page.locator(".own .tile-button").first).to_be_visible()

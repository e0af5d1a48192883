"""Votes between people at a table are asked of everybody who must answer."""

from collections.abc import Callable

import pytest

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser


def two_people(guest: Callable[..., Guest], viewport: str, language: str) -> tuple[Guest, Guest]:
    """Two people and two bots in a game."""
    host, other = guest("Aya", "desktop"), guest("Ben", viewport, language)
    table = host.table("standard", 2)
    for player in (host, other):
        player.sit_down(table)
        player.page.wait_for_selector(".room")
    free = terms.table("web", language)["room"]["sit"]
    other.page.get_by_role("button", name=free).first.click()
    other.page.locator(".room .pill.me, .tile-button").first.wait_for()
    if host.page.query_selector(".room"):  # a full table starts by itself
        host.page.evaluate("document.querySelector('.room .dock button.primary')?.click()")
    for player in (host, other):
        player.page.wait_for_selector(".tile-button")
    return host, other


def propose(player: Guest) -> None:
    """Propose to end the game, in the table's menu."""
    player.page.get_by_role("button", name="Table menu").click()
    player.page.get_by_role("button", name="Propose to end the game here").click()


@pytest.mark.parametrize(("viewport", "language"), [("phone", "ko"), ("landscape", "ja"), ("desktop", "en")])
def test_a_proposal_to_end_the_game_asks_the_others(
    guest: Callable[..., Guest], viewport: str, language: str
) -> None:
    host, other = two_people(guest, viewport, language)
    words = terms.table("web", language)["vote"]
    propose(host)
    asked = filled(words["abort"], players="Aya", agreed=1, people=2)
    expect(other.page.get_by_text(asked)).to_be_in_viewport(ratio=1)
    expect(host.page.get_by_text("Agreed: 1 of 2")).to_be_visible()
    other.page.get_by_role("button", name=words["decline"], exact=True).click()
    expect(other.page.get_by_text(asked)).to_be_hidden()
    expect(host.page.get_by_text("The proposal was declined.")).to_be_visible()
    propose(host)
    other.page.get_by_role("button", name=words["agree"], exact=True).click()
    for player in (host, other):
        player.page.wait_for_selector(".result h1")
    host.page.get_by_role("button", name="Another game", exact=True).click()
    again = filled(words["rematch"], players="Aya", agreed=1, people=2)
    expect(other.page.get_by_text(again)).to_be_in_viewport(ratio=1)
    other.page.get_by_role("button", name=words["agree"], exact=True).click()
    for player in (host, other):
        player.page.wait_for_selector(".tile-button")

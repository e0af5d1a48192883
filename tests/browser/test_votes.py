"""Votes, requests and invitations between people are seen and answered without opening a menu."""

from collections.abc import Callable
from itertools import count
from typing import Any, Final

import pytest

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from browser.test_evening import identity, tie
from jantaku import terms

pytestmark = slow_in_a_browser


SIZES: Final = [("phone", "ko"), ("landscape", "ja"), ("desktop", "en")]
in_sizes = pytest.mark.parametrize(("viewport", "language"), SIZES)
_NUMBERS: Final = count(1)


def two_people(
    guest: Callable[..., Guest], viewport: str, language: str, **options: Any
) -> tuple[Guest, Guest]:
    """Two people and two bots in a game."""
    host, other = guest("Aya", "desktop"), guest("Ben", viewport, language)
    table = host.table("standard", 2, **options)
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


@in_sizes
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


def member(stranger: Callable[..., Guest], viewport: str, language: str) -> tuple[Guest, str]:
    """Somebody with an account, and their name."""
    person, name = stranger(viewport, language), f"Asker {next(_NUMBERS)}"
    person.post("register", {"name": name, "password": "a long password", "language": language})
    return person, name


@in_sizes
def test_a_wish_to_show_the_hands_asks_the_others(
    guest: Callable[..., Guest], viewport: str, language: str
) -> None:
    host, other = two_people(guest, viewport, language, spectators=True)
    words = terms.table("web", language)["vote"]
    asked = filled(words["hands"], players="Aya", agreed=1, people=2)

    def wish() -> None:
        host.page.get_by_role("button", name="Table menu").click()
        host.page.get_by_role("switch", name="Spectators may see my hand").click()
        host.page.keyboard.press("Escape")

    wish()
    expect(other.page.get_by_text(asked)).to_be_in_viewport(ratio=1)
    other.page.get_by_role("button", name=words["decline"], exact=True).click()
    expect(other.page.get_by_text(asked)).to_be_hidden()
    expect(host.page.get_by_text("The proposal was declined.")).to_be_visible()
    wish()
    other.page.get_by_role("button", name=words["agree"], exact=True).click()
    for player in (host, other):
        expect(player.page.locator(".prompts section")).to_have_count(0)
    host.page.get_by_role("button", name="Table menu").click()
    agreed = host.page.get_by_role("switch", name="Spectators may see my hand")
    expect(agreed).to_be_checked()


@in_sizes
@pytest.mark.parametrize("place", ["lobby", "room", "game"])
def test_friends_and_invitations_are_asked_where_one_is(
    stranger: Callable[..., Guest], viewport: str, language: str, place: str
) -> None:
    (asker, name), (other, _) = member(stranger, "desktop", "en"), member(stranger, viewport, language)
    page, words = other.page, terms.table("web", language)["friends"]
    if place == "lobby":
        page.goto("/")
        page.wait_for_selector(".links")
    else:
        own = other.table("standard", 0 if place == "room" else 3)
        if place == "game":
            other.post(f"tables/{own}/start", {})
        other.sit_down(own)
        page.wait_for_selector(".tile-button" if place == "game" else ".room")
    page.wait_for_load_state("networkidle")
    buttons = page.locator("main :is(button, a.button):visible")
    still = """those => those.map((one) => [one.textContent, one.getBoundingClientRect().top])"""
    before = buttons.evaluate_all(still)

    def asked(text: str) -> None:
        expect(page.get_by_text(text)).to_be_in_viewport(ratio=1)
        if place != "game":  # where bots play on
            after = dict(map(tuple, buttons.evaluate_all(still)))
            assert {what: after[what] for what, _ in before} == dict(map(tuple, before))

    tie(asker, other)
    asked(words["asks"].format(name=name))
    page.get_by_role("button", name=words["decline"], exact=True).click()
    expect(page.locator(".prompts section")).to_have_count(0)
    assert asker.page.request.get("/api/friends").json()["wanted"] == []
    tie(asker, other)
    page.get_by_role("button", name=words["agree"], exact=True).click()
    expect(page.locator(".prompts section")).to_have_count(0)
    table = asker.table("standard", 0)
    there = {"table": table}
    asker.post(f"friends/{identity(other)}/invite", there)
    asked(words["invited"].format(name=name, table="").strip())
    page.get_by_role("button", name=words["decline"], exact=True).click()
    expect(page.locator(".prompts section")).to_have_count(0)
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".prompts section")).to_have_count(0)
    asker.post(f"friends/{identity(other)}/invite", there)
    page.get_by_role("link", name=words["to_table"]).click()
    page.wait_for_url(f"**/t/{table}")

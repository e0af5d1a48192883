"""Three players: a whole game in the page, norths set aside, its result and its replay."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.contexts import expect, filled
from browser.parlour import ASKED, Guest, against_bots, slow_in_a_browser
from browser.puppet import Puppet
from browser.test_board import looks_wrong
from jantaku import terms

pytestmark = slow_in_a_browser

EAST: Final = 'extends = "standard-3"\n[match]\nlength = "east"\n'
# Wins, sets every north aside, passes, and discards the rightmost tile
PLAYS: Final = """() => {
  const found = (selector) => document.querySelector(selector);
  const tiles = [...document.querySelectorAll('.tile-button.choosing:not(.blocked)')];
  const next = ['.sheet .foot button:enabled', '[data-claim=win]', '[data-claim=kita]', '[data-claim=pass]'];
  const pick = next.map(found).find(Boolean) ?? tiles.at(-1);
  pick?.click();
  return document.querySelector('.result ol') !== null;
}"""
SIZES: Final = ("phone", "desktop", "landscape")


def _look(page: Any) -> list[str]:
    """What is on the board: the sides of plates and rivers, and empty names."""
    wrong = []
    for kind in ("plate.below", "plate.right", "plate.left", "place.river.below", "place.river.right"):
        wrong += [kind] if page.locator(f".board .{kind}").count() != 1 else []
    if page.locator(".board .above").count():
        wrong.append("somebody sits across")
    return wrong + ["undefined"] * ("undefined" in page.inner_text("body"))


def test_a_quick_game_goes_by_the_rules_chosen_beside_it(guest: Callable[..., Guest]) -> None:
    page = guest().page
    words = terms.table("web", "en")["lobby"]
    page.goto("/")
    page.get_by_label(words["quick_rules"]).select_option("mahjongsoul-3")
    page.locator(".quick").get_by_role("button", name=words["east"]).click()
    page.wait_for_selector(".board .plate")
    assert _look(page) == []
    page.goto("/")  # and is offered again
    expect(page.get_by_label(words["quick_rules"])).to_have_value("mahjongsoul-3")


def test_a_quick_game_of_three_takes_one_tap(guest: Callable[..., Guest]) -> None:
    page = guest().page
    words = terms.table("web", "en")["lobby"]
    page.goto("/")
    page.locator(".quick").get_by_role("button", name=filled(words["players"], count=3)).click()
    page.wait_for_selector(".board .plate")
    assert _look(page) == []
    page.goto("/")
    expect(page.get_by_label(words["quick_rules"])).to_have_value("standard")  # what was chosen stays


def test_enter_starts_a_table_whose_seats_are_taken(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    player.sit_down(player.table("tenhou-3", 2))
    expect(player.page.locator(".room .dock .primary")).to_be_focused()
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector(".board .plate")


@pytest.mark.parametrize(
    "language", ["ko", *(pytest.param(language, marks=pytest.mark.long) for language in ("ja", "en"))]
)
def test_a_game_of_three_is_played_and_seen_again(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    against_bots(player, EAST)
    wrong: list[str] = []
    looked = -1
    while not page.evaluate(PLAYS):
        page.wait_for_selector(f"{ASKED}, .result ol")
        piles = page.locator(".board .set-aside .tile").count()
        if piles > looked:
            looked = piles
            for size in SIZES:
                wrong += [f"{size}, {piles} norths: {fault}" for fault in looks_wrong(player, size, opened=0)]
            player.resize("phone")
            wrong += _look(page) if page.query_selector(".board") else []
    assert wrong == []
    assert looked > 0
    page.wait_for_selector(".result ol")
    assert page.locator(".result ol li").count() == 3
    own = page.locator(".result li.me .name").inner_text().strip()
    last = page.locator(".result .hands li a").last
    link, name = last.get_attribute("href"), last.inner_text().split(" · ")[0]
    page.click(".result a[href^='/g/']")
    page.wait_for_selector(".replay .board")
    assert page.locator(".replay .board .plate > .plate").count() == 3
    assert page.locator(".replay .plate.below .name").inner_text() == own  # seen from the own seat
    page.goto(link)  # to a hand that is not the first
    expect(page.locator(".centre .round")).to_have_text(name)


def test_norths_are_set_aside_by_themselves_where_wanted(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    player.page.clock.install()
    puppet = Puppet(player, EAST)
    page, north = puppet.page, {"type": "kita"}
    switch = page.locator("[data-automatic=kita]")
    for press in (switch.click, lambda: page.keyboard.press("5")):
        puppet.ask([north, *puppet.discards()])
        page.clock.fast_forward(5000)
        puppet.settle()
        assert puppet.answers == []
        press()
        assert switch.get_attribute("aria-pressed") == "true"
        page.clock.fast_forward(5000)
        assert puppet.answered() == north
        press()

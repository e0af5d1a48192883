"""The client in a real Chromium against a real server: games, reconnection, permissions of the page."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.parlour import (
    PAGES,
    Guest,
    against_bots,
    requires_axe,
    requires_browser,
    seat_four,
    serious_faults,
)

pytestmark = [requires_browser, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
EAST = 'extends = "bgm-2025"\n[match]\nlength = "east"\n'
QUICK = 'extends = "standard"\n[match]\nlength = "east"\n'


def finish(player: Guest) -> None:
    """Play on to the result."""
    player.hurry()
    player.page.wait_for_selector(".result ol", timeout=240_000)


def test_a_guest_plays_a_hand_by_tapping(guest: Callable[..., Guest]) -> None:
    player = guest("미나", language="ko")
    player.page.click("text=봇과 대국")
    player.page.wait_for_selector(".tile-button")
    for _ in range(400):
        if player.page.query_selector(".river .tile"):
            break
        player.page.evaluate("document.querySelector('[data-claim=pass]')?.click()")
        player.page.wait_for_timeout(20)
    rivers = player.page.locator(".river .tile")
    before = rivers.count()
    player.hurry()
    player.see_discards(before + 4)
    assert player.page.evaluate("document.documentElement.lang") == "ko"
    scrolls = "document.documentElement.scrollHeight > window.innerHeight"
    assert not player.page.evaluate(scrolls)


def test_reloading_loses_nothing(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    against_bots(player, EAST)
    player.hurry()
    player.see_discards(14)
    player.page.evaluate("window.clearInterval(window.hurry)")
    player.page.wait_for_timeout(700)
    player.page.wait_for_selector(".tile-button")
    seen = "[...document.querySelectorAll('.river, .own, .numbers')].map((e) => e.ariaLabel ?? e.textContent)"
    tiles = "[...document.querySelectorAll('.tile-button')].map((e) => e.dataset.tile)"
    before = player.page.evaluate(seen), player.page.evaluate(tiles)
    player.page.reload()
    player.page.wait_for_selector(".tile-button")
    assert (player.page.evaluate(seen), player.page.evaluate(tiles)) == before


def test_a_lost_connection_is_restored(guest: Callable[..., Guest]) -> None:
    player = guest()
    against_bots(player, EAST)
    player.context.set_offline(True)
    player.page.evaluate("window.dispatchEvent(new Event('offline'))")
    player.context.set_offline(False)
    player.hurry()
    player.see_discards(20)


@requires_axe
@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_no_serious_fault(guest: Callable[..., Guest], theme: str) -> None:
    player = guest()
    player.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    faults = {}
    for name, (path, ready) in PAGES.items():
        player.page.goto(path)
        player.page.wait_for_selector(ready)
        faults[name] = serious_faults(player)
    against_bots(player, EAST)
    faults["table"] = serious_faults(player)
    player.page.click(".menu")
    player.page.wait_for_selector(".sheet")
    faults["menu"] = serious_faults(player)
    assert {name: found for name, found in faults.items() if found} == {}


def test_the_calculator_answers_at_every_tap(guest: Callable[..., Guest]) -> None:
    player = guest(language="ja")
    page = player.page
    page.goto("/calc")
    for kind in ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2z", "2z", "3s", "4s"):
        page.click(f"[data-kind='{kind}']")
    page.wait_for_selector(".waits li")
    assert page.locator(".waits li").count() == 2
    page.click("[data-kind='5s']")
    page.wait_for_selector(".explanation")
    assert "hand=" in page.url
    page.reload()
    page.wait_for_selector(".explanation")
    assert page.locator(".slots .row-of-tiles button").count() == 14


def test_rules_are_edited_checked_and_saved(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    page.goto("/edit/standard")
    page.click("details summary")
    page.fill("#option-match-return_points", "5")
    page.wait_for_selector(".option .problem")
    assert page.locator(".bar button.primary").is_disabled()
    page.fill("#option-match-return_points", "31000")
    page.wait_for_selector(".option .problem", state="detached")
    page.click(".bar button.primary")
    page.wait_for_url("**/rules/*")
    page.wait_for_selector("table")
    assert "31,000" in page.inner_text("table")
    page.click("a[href^='/new']")
    page.wait_for_selector("form select option:checked", state="attached")


def test_the_first_page_is_small(guest: Callable[..., Guest], parlour: str, browser: Any) -> None:
    """The compressed size of everything the lobby loads."""
    sizes: list[int] = []
    fresh = Guest(browser, parlour, "phone", "ko")
    session = fresh.context.new_cdp_session(fresh.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    fresh.page.goto("/")
    fresh.page.wait_for_selector("#guest-name")
    fresh.page.wait_for_load_state("networkidle")
    fresh.close()
    assert 10_000 < sum(sizes) < 250_000


def test_four_browsers_play_one_game(guest: Callable[..., Guest]) -> None:
    players = seat_four(guest, QUICK)
    for player in players:
        player.hurry(40)
    for player in players:
        player.see_discards(30)


@pytest.mark.parametrize("viewport", ["phone", "desktop"])
@pytest.mark.parametrize("language", ["ko", "ja", "en"])
def test_a_whole_east_game(guest: Callable[..., Guest], language: str, viewport: str) -> None:
    player = guest("Mina", viewport, language)
    against_bots(player, EAST)
    finish(player)
    places = player.page.locator(".result .place").all_inner_texts()
    assert sorted(places) == ["1", "2", "3", "4"]
    player.page.click("a[href^='/g/']")
    player.page.wait_for_selector(".replay .moment p")

"""The client in a real Chromium against a real server: games, reconnection, permissions of the page."""

from collections.abc import Callable

import pytest

from browser.contexts import expect
from browser.parlour import (
    PAGES,
    Guest,
    against_bots,
    in_a_browser,
    in_every_language,
    requires_axe,
    seat_four,
    serious_faults,
)

pytestmark = in_a_browser
EAST = 'extends = "bgm-2025"\n[match]\nlength = "east"\n'


@pytest.mark.slow
def test_a_guest_enters_a_name_and_plays_by_tapping(stranger: Callable[..., Guest]) -> None:
    player = stranger(language="ko")
    page = player.page
    page.goto("/")
    page.fill("#guest-name", "미나")
    page.press("#guest-name", "Enter")
    page.wait_for_selector("#guest-name", state="detached")
    page.locator(".quick button").first.click()
    page.wait_for_selector(".tile-button")
    player.rest()
    own = page.locator(".tile-button")
    before = page.locator(".river .tile").count()
    own.last.tap()
    player.see_discards(before + 1)
    assert page.evaluate("document.documentElement.lang") == "ko"
    scrolls = "document.documentElement.scrollHeight > window.innerHeight"
    assert not page.evaluate(scrolls)


@pytest.mark.slow
def test_reloading_loses_nothing(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    against_bots(player, EAST)
    player.hurry()
    player.see_discards(14)
    player.rest()
    player.still()
    seen = "[...document.querySelectorAll('.river, .own, .numbers')].map((e) => e.ariaLabel ?? e.textContent)"
    tiles = "[...document.querySelectorAll('.tile-button')].map((e) => e.dataset.tile)"
    looks = f"[{seen}, {tiles}]"
    before = player.page.evaluate(looks)
    player.page.reload()
    player.page.wait_for_function(f"before => JSON.stringify({looks}) === JSON.stringify(before)", arg=before)


def test_a_lost_connection_is_restored(guest: Callable[..., Guest]) -> None:
    player = guest()
    against_bots(player, EAST)
    player.context.set_offline(True)
    player.page.evaluate("window.dispatchEvent(new Event('offline'))")
    player.context.set_offline(False)
    player.hurry()
    player.see_discards(12)


THEMES = pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])


@requires_axe
@pytest.mark.slow
@THEMES
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_serious_fault_on_a_page(guest: Callable[..., Guest], name: str, theme: str) -> None:
    player = guest()
    player.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    player.visit(name)
    assert serious_faults(player) == []


@requires_axe
@pytest.mark.slow
@THEMES
def test_axe_finds_no_serious_fault_at_a_table(guest: Callable[..., Guest], theme: str) -> None:
    player = guest()
    player.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    against_bots(player, EAST)
    assert serious_faults(player) == []
    player.page.click(".menu")
    player.page.wait_for_selector(".sheet")
    assert serious_faults(player) == []


@pytest.mark.slow
def test_the_calculator_answers_at_every_tap(guest: Callable[..., Guest]) -> None:
    player = guest(language="ja")
    page = player.page
    page.goto("/calc")
    for kind in ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2z", "2z", "3s", "4s"):
        page.click(f"[data-kind='{kind}']")
    page.wait_for_selector(".waits li")
    expect(page.locator(".waits li")).to_have_count(2)
    page.click("[data-kind='5s']")
    page.wait_for_selector(".explanation")
    assert "hand=" in page.url
    page.reload()
    page.wait_for_selector(".explanation")
    expect(page.locator(".slots .row-of-tiles button")).to_have_count(14)


@pytest.mark.slow
def test_rules_are_edited_checked_and_saved(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    page.goto("/edit/standard")
    page.locator("details.card > summary").nth(1).click()  # after the gallery: the match
    page.fill("#option-match-return_points", "5")
    page.wait_for_selector(".option .problem")
    expect(page.locator(".bar button.primary")).to_be_disabled()
    page.fill("#option-match-return_points", "31000")
    page.wait_for_selector(".option .problem", state="detached")
    page.click(".bar button.primary")
    page.wait_for_url("**/rules/*")
    page.locator("table", has_text="31,000").wait_for()
    page.click("a[href^='/new']")
    page.wait_for_selector("form select option:checked", state="attached")


@pytest.mark.slow
def test_the_first_page_is_small(stranger: Callable[..., Guest]) -> None:
    """The compressed size of everything the lobby loads."""
    sizes: list[int] = []
    fresh = stranger(language="ko", fresh=True)
    session = fresh.context.new_cdp_session(fresh.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    fresh.page.goto("/")
    fresh.page.wait_for_selector("#guest-name")
    fresh.page.wait_for_load_state("networkidle")
    assert 10_000 < sum(sizes) < 250_000


@pytest.mark.slow
def test_four_browsers_play_one_game(guest: Callable[..., Guest]) -> None:
    players = seat_four(guest)
    for player in players:
        player.hurry()
    for player in players:
        player.see_discards(12)


@pytest.mark.slow
@pytest.mark.parametrize("viewport", ["phone", pytest.param("desktop", marks=pytest.mark.long)])
@in_every_language
def test_a_whole_east_game(guest: Callable[..., Guest], language: str, viewport: str) -> None:
    player = guest("Mina", viewport, language)
    against_bots(player, EAST)
    player.finish()
    places = player.page.locator(".result .place").all_inner_texts()
    assert sorted(places) == ["1", "2", "3", "4"]
    player.page.click("a[href^='/g/']")
    player.page.wait_for_selector(".replay .moment p")

"""Signals for a player who looks elsewhere: the tab's title, vibration, and a screen that stays on."""

from collections.abc import Callable

from browser.parlour import Guest, in_every_language, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
SPIES = """
window.trembled = 0;
window.held = [];
navigator.vibrate = () => { window.trembled++; return true; };
navigator.wakeLock.request = async (kind) => {
  window.held.push(kind);
  return { release: async () => { window.held.push('released'); } };
};
"""


def begin(player: Guest) -> None:
    """Start a game with three bots and tap once, because browsers vibrate only after a tap."""
    table = player.table("standard", 3)
    player.page.add_init_script(SPIES)
    player.sit_down(table)
    player.page.locator(".room .row > button.primary").click()
    player.page.wait_for_selector(".tile-button")
    player.rest()  # a bot may have ended the first hand already


TITLES = {"en": ("Your turn", "Lobby"), "ja": ("あなたの番です", "ロビー"), "ko": ("내 차례", "로비")}


@in_every_language
def test_titles_name_the_page_and_the_turn(language: terms.Language, guest: Callable[..., Guest]) -> None:
    turn, lobby = TITLES[language]
    player = guest(language=language)
    begin(player)
    assert player.page.title() == f"● {turn} · Jantaku"
    player.page.goto("/")
    player.page.wait_for_selector(".tables")
    assert player.page.title() == f"{lobby} · Jantaku"


def test_a_turn_vibrates_and_the_screen_stays_on(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    begin(player)
    page.wait_for_function("() => window.trembled >= 1")
    trembled = page.evaluate("window.trembled")  # more than once if calls were offered before
    assert page.evaluate("window.held") == ["screen"]
    page.click("button.menu")
    page.get_by_role("switch", name="Vibrate when it is my turn").click()
    page.keyboard.press("Escape")
    player.hurry()
    player.see_discards(12)
    assert page.evaluate("window.trembled") <= trembled + 1  # at most one while the menu was open
    page.evaluate("clearInterval(window.hurry)")
    page.evaluate("history.pushState(null, '', '/')")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    page.wait_for_function("() => window.held.at(-1) === 'released'")

"""Playing without seeing and without a mouse: sounds, spoken sentences, and keyboard only."""

import re
from collections.abc import Callable

import pytest

from browser.parlour import ASKED, EAST, Guest, against_bots, slow_in_a_browser, switch
from jantaku import terms

pytestmark = slow_in_a_browser
SPY = """
window.sounds = 0;
for (const kind of ['createOscillator', 'createBufferSource']) {
  const before = AudioContext.prototype[kind];
  AudioContext.prototype[kind] = function () { window.sounds++; return before.call(this); };
}
"""
LISTEN = """() => {
  window.said = [];
  const heard = (changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
    if (node.parentElement?.role === 'log') window.said.push(node.textContent);
  }));
  const log = document.querySelector('[role=log]');
  new MutationObserver(heard).observe(log, { childList: true, subtree: true });
}"""


def form(text: str) -> re.Pattern[str]:
    """A pattern for a text of the term table with its placeholders filled in."""
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)))


def is_said(text: str, heard: set[str]) -> bool:
    """Whether one of the sentences matches that text."""
    return any(map(form(text).fullmatch, heard))


def test_sounds_are_made_unless_muted(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    page.add_init_script(SPY)
    against_bots(player)
    switch(page, "sound")
    page.evaluate("window.sounds = 0")  # some sounds played before the switch was turned
    player.hurry()
    player.see_discards(10)
    assert page.evaluate("window.sounds") == 0
    player.rest()
    switch(page, "sound")
    player.hurry()
    page.wait_for_function("() => window.sounds > 0")


@pytest.mark.parametrize("language", ["ko", pytest.param("ja", marks=pytest.mark.long)])
def test_the_game_is_spoken(guest: Callable[..., Guest], language: terms.Language) -> None:
    player = guest(language=language)
    page = player.page
    words = terms.table("web", language)
    say, meld = words["say"], words["meld"]
    wanted = {
        "draw": [say["drew"]],
        "discard": [say["discarded"]],
        "call": [say["called"].replace("{call}", meld[name]) for name in ("chi", "pon")],
        "win": [say["ron"], say["tsumo"]],
    }
    heard: set[str] = set()
    missing = list(wanted)
    for _ in range(3):  # one game may lack some events; then another is played
        if not missing:
            break
        against_bots(player, EAST)
        page.evaluate(LISTEN)
        player.hurry()
        while missing and not page.query_selector(".result"):
            page.wait_for_function("() => window.said.length || document.querySelector('.result')")
            heard.update(page.evaluate("window.said.splice(0)"))
            missing = [
                name for name, texts in wanted.items() if not any(is_said(text, heard) for text in texts)
            ]
    assert missing == []


def test_a_hand_is_played_with_the_keyboard_only(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    page = player.page
    words = terms.table("web", "en")
    page.goto("/")
    page.locator(".quick button").first.wait_for()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == words["lobby"]["hanchan"]:
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".tile-button")
    page.evaluate(LISTEN)
    keys = {"[data-claim=win]": ["h"], "[data-claim=pass]": ["x"], ".choosing": ["ArrowRight", "Enter"]}
    next_hand, drew = form(words["say"]["hand_started"]), form(words["say"]["drew"])
    for _ in range(400):
        page.wait_for_selector(f"{ASKED}, .result")
        said = page.evaluate("window.said")
        drawn = [text for text in said if drew.fullmatch(text)]
        if page.query_selector(".result") or (any(map(next_hand.fullmatch, said)) and len(drawn) > 1):
            break  # a bot may win the first hand before the second draw
        pressed = next((keys[selector] for selector in keys if page.query_selector(selector)), [])
        for key in ["Tab", "Enter"] if page.query_selector(".foot button:enabled") else pressed:
            page.keyboard.press(key)
        player.settle()
    else:
        pytest.fail("the hand does not end")
    assert len(drawn) > 1

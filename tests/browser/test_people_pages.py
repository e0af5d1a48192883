"""The pages on which people meet, in three languages: sound for screen readers, and whole by the keyboard."""

from collections.abc import Callable
from typing import Final

import pytest

from browser.contexts import expect
from browser.parlour import Guest, in_every_language, requires_axe, serious_faults, slow_in_a_browser

pytestmark = slow_in_a_browser
PAGES: Final = {
    "/ranked": ".steps",
    "/people": "[role=switch]",
    "/people/{me}": "article",
    "/settings": ".ways, .sessions",
}
# What the Tab key should reach, and what it has reached; a group of radio buttons is one stop
STOPS: Final = """() => {
  const named = (one) => one.type === 'radio' ? `radio ${one.name}` : one;
  const stops = 'main :is(a[href], button, input, select, textarea, summary, [tabindex="0"])';
  const seen = [...document.querySelectorAll(stops)]
    .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
  window.wanted = new Set(seen.map(named));
  window.reached = new Set();
  window.unmarked = [];
  document.addEventListener('focusin', ({ target }) => {
    window.reached.add(named(target));
    const { outlineStyle, boxShadow } = getComputedStyle(target);
    const sibling = target.nextElementSibling && getComputedStyle(target.nextElementSibling).outlineStyle;
    const marked = [outlineStyle, boxShadow, sibling ?? 'none'].some((one) => one !== 'none');
    if (!marked) window.unmarked.push(target.outerHTML.slice(0, 90));
  });
  return window.wanted.size;
}"""
LEFT: Final = """() => [...window.wanted].filter((one) => !window.reached.has(one))
  .map((one) => one.outerHTML?.slice(0, 90) ?? one)"""


@requires_axe
@in_every_language
@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_people_is_sound_and_whole_by_keyboard(
    guest: Callable[..., Guest], language: str, page: str
) -> None:
    player = guest("Mina by keyboard", "desktop", language)
    body = {"name": f"Keys {language} {len(page)}", "password": "a long password", "language": language}
    me = player.post("register", body)["id"]
    player.page.goto(page.format(me=me))
    expect(player.page.locator(PAGES[page]).first).to_be_visible()
    assert serious_faults(player) == []
    stops = player.page.evaluate(STOPS)
    assert stops > 1
    for _ in range(stops + 40):  # with those of the frame around it
        player.page.keyboard.press("Tab")
    assert player.page.evaluate(LEFT) == []
    assert player.page.evaluate("window.unmarked") == []

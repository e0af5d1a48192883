"""What axe cannot check: focus order, doubled text size, reduced motion."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from browser.parlour import Guest, against_bots, slow_in_a_browser

pytestmark = slow_in_a_browser
NAMES = ("lobby", "new", "calculator", "drill", "sheet", "games", "settings")
MOST_STOPS = 90
COLUMN = 200  # pixels
FOCUSED = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect();
  if (at === document.body) return null;
  const whole = at.matches('input') && at.closest('label');
  const around = whole ? [whole, ...whole.querySelectorAll('*')] : [];
  const marks = [at, ...around].map((one) => getComputedStyle(one));
  return {
    name: at.ariaLabel || at.textContent.trim().slice(0, 30) || at.id || at.type || at.tagName,
    seen: marks.some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2),
    inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    top: box.top + scrollY,
    left: box.left,
    still: at.closest('header') !== null,
  };
}"""
NARROW = """() => ({
  scrolls: Math.max(document.documentElement.scrollWidth - innerWidth, 0),
  cut: [...document.querySelectorAll('main :is(button, a, label, h1, h2, p, td, th)')]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const hidden = getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 2;
      const scroller = one.closest('[data-scrolls], table')?.parentElement;
      const held = scroller && getComputedStyle(scroller).overflowX === 'auto';
      const letter = parseFloat(getComputedStyle(one).fontSize);
      const upright = one.textContent.trim().length > 2 && box.width < 2.2 * letter && box.height > 90;
      const spoken = getComputedStyle(one).clipPath !== 'none'; // for screen readers alone
      const outside = box.right > innerWidth + 1 || box.left < -1;
      return box.width && !held && !spoken && (hidden || upright || outside);
    }).map((one) => `${one.tagName} ${one.textContent.trim().slice(0, 40)}`),
})"""
# Notes every animation and transition from now on
WATCH_MOTION = """() => {
  window.moved = new Set();
  const look = () => {
    for (const one of document.getAnimations()) window.moved.add(one.animationName ?? one.transitionProperty);
    requestAnimationFrame(look);
  };
  look();
}"""


def stops(page: Any) -> list[dict[str, Any]]:
    """The elements that the focus visits on a page."""
    stops: list[dict[str, Any]] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None:
            break
        stops.append(at)
    return stops


@pytest.mark.parametrize("name", NAMES)
def test_keyboard_focus_moves_down_the_page_and_is_visible(guest: Callable[..., Guest], name: str) -> None:
    player = guest(viewport="desktop")
    page = player.page
    player.visit(name)
    ends = stops(page)
    assert len(ends) > 6
    assert [end["name"] for end in ends if not end["seen"]] == []
    assert [end["name"] for end in ends if not end["inside"]] == []
    moving = [end for end in ends if not end["still"]]
    back = [
        before["top"] - after["top"]
        for before, after in pairwise(moving)
        if after["left"] < before["left"] + COLUMN
    ]
    assert max(back, default=0) < 400, "the focus jumps far up, and not to the next column"


@pytest.mark.parametrize("name", NAMES)
def test_doubled_text_size_still_fits_a_phone(guest: Callable[..., Guest], name: str) -> None:
    player = guest()
    page = player.page
    player.table("bgm-2025", 2)
    player.visit(name)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    player.still()
    assert page.evaluate(NARROW) == {"scrolls": 0, "cut": []}


def test_a_sheet_traps_focus_and_returns_it(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    page = player.page
    against_bots(player)
    page.focus("button.menu")
    page.keyboard.press("Enter")
    page.wait_for_selector(".sheet")
    inside = "document.activeElement.closest('.sheet') !== null"
    for key in ["Tab"] * 14 + ["Shift+Tab"] * 20:
        page.keyboard.press(key)
        assert page.evaluate(inside)
    box = page.locator(".sheet").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 30)
    page.keyboard.press("Tab")
    assert page.evaluate(inside)
    page.mouse.click(5, 400)  # beside it
    page.wait_for_selector(".sheet", state="detached")
    assert page.evaluate("document.activeElement.matches('button.menu')")


@pytest.mark.parametrize("by", ["system", "setting"])
def test_reduced_motion_stops_all_animation(guest: Callable[..., Guest], by: str) -> None:
    player = guest(viewport="desktop")
    page = player.page
    if by == "system":
        page.emulate_media(reduced_motion="reduce")
    else:
        page.goto("/settings")
        page.get_by_role("switch", name="Animation").click()
    against_bots(player)
    page.evaluate(WATCH_MOTION)
    player.hurry()
    player.see_discards(16)
    assert page.evaluate("[...window.moved]") == []

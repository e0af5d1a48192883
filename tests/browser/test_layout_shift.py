"""Nothing moves under a tap while a page loads over a slow network."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.parlour import PAGES, Guest, slow_in_a_browser

pytestmark = slow_in_a_browser
MOST: Final = 0.05
LOADED: Final = (
    "lobby", "games", "settings", "ranked", "people", "rules", "events", "seasons", "drill", "lab", "numbers"
)  # fmt: skip
SLOW: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
WATCH: Final = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      const moved = shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 60) ?? '');
      if (!shift.hadRecentInput) window.shifts.push([shift.value, ...moved]);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}"""


def shifts(page: Any, name: str) -> tuple[float, list[Any]]:
    """How far a page has shifted once it is loaded, and what."""
    path, ready = PAGES[name]
    page.goto(path)
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle")
    found = page.evaluate("window.shifts")
    return sum(shift[0] for shift in found), found


@pytest.mark.parametrize("viewport", ["phone", "landscape", "desktop"])
def test_pages_stay_put_while_they_load(guest: Callable[..., Guest], viewport: str) -> None:
    player = guest("Mina", viewport)
    page = player.page
    player.table("standard", 0, private=False)
    table = player.table("standard", 3)
    player.post(f"tables/{table}/start", {})
    page.goto("/")  # this device has been here before
    page.wait_for_selector("a[href^='/t/']")
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send("Network.emulateNetworkConditions", SLOW)
    slow.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.add_init_script(f"({WATCH})()")
    found = {name: shifts(page, name) for name in LOADED}
    assert {name: shift for name, shift in found.items() if shift[0] >= MOST} == {}

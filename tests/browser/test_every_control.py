"""Somebody who presses whatever they see: every kind of control of every page, in many orders."""

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from browser.parlour import PAGES, Guest, against_bots, slow_in_a_browser
from server.clubs import PASSWORD

pytestmark = [*slow_in_a_browser, pytest.mark.long]
SEED: Final = 2
STEPS: Final = 2500
LEAST_PAGES: Final = 40  # that the walk comes to
SCORES: Final = (40000, 30000, 20000, 10000)
WORDS: Final = (
    "7",
    "-1",
    "",
    "1e9",
    "가온 & <b>",
    "234m345p6799s8s",
    "https://example.com/",
    "0.5",
    "x" * 300,
)
# Every control that a person could press now, with a name by which it is known again
CONTROLS: Final = """() => {
  const top = [...document.querySelectorAll('dialog[open], .sheet')].at(-1) ?? document;
  const all = 'button, summary, input, select, textarea, a[href^="/"], [role=switch], [role=tab]';
  const seen = [...top.querySelectorAll(all)].filter((one) => {
    const box = one.getBoundingClientRect();
    return !one.disabled && box.width && box.height && one.checkVisibility() && !one.closest('[inert]');
  });
  window.controls = seen;
  return seen.map((one) => {
    const name = one.ariaLabel || one.name || one.textContent.trim().slice(0, 24) || one.id;
    return `${one.tagName.toLowerCase()} ${one.type ?? ''} ${name}`.replace(/[0-9]+/g, 'N');
  });
}"""
PRESS: Final = """([index, word, share]) => {
  const one = window.controls[index];
  if (one.tagName === 'SELECT') one.selectedIndex = Math.floor(share * one.options.length);
  else if (one.type === 'range') one.value = String(share * 100);
  else if (one.selectionStart !== undefined && !['button', 'checkbox', 'radio', 'file'].includes(one.type)) {
    const own = one.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(own.prototype, 'value').set.call(one, word);
  } else return one.type === 'file' || one.click();
  one.dispatchEvent(new Event('input', { bubbles: true }));
  one.dispatchEvent(new Event('change', { bubbles: true }));
}"""
# What a page must never become, whatever was pressed
SICK: Final = """() => {
  if (!document.body.innerText.trim()) return 'nothing is shown';
  const wide = document.documentElement.scrollWidth - innerWidth;
  return wide > 1 ? `it is ${wide} pixels too wide` : null;
}"""
GONE: Final = ("context was destroyed", "navigat", "ERR_ABORTED")  # the page was left in the middle of a step
ENDING: Final = re.compile("sign out|delete", re.IGNORECASE)


def kind_of(url: str) -> str:
    """A page's address without what it is about."""
    path = "/" + url.split("//", 1)[1].partition("/")[2].partition("?")[0]
    return re.sub(r"(?<=/)(?=[^/]*[0-9A-Z_-])[^/]{6,}", "*", path)


class Presser:
    """A person at a browser who presses controls that were pressed least, and notes what goes wrong."""

    def __init__(self, player: Guest, starts: list[str], seed: int) -> None:
        self.player, self.starts, self.rng = player, starts, Random(seed)
        self.pressed: Counter[tuple[str, str]] = Counter()
        self.trail: list[str] = []
        self.wrong: list[str] = []
        self.seen: set[tuple[str, str]] = set()
        player.page.on("dialog", lambda dialog: dialog.accept())
        player.page.on("response", self._answered)
        player.page.on("pageerror", lambda error: self.note(f"{error} {error.stack}"))

    def _answered(self, response: Any) -> None:
        if response.status >= 500:
            self.note(f"{response.status} {response.request.method} {response.url}")

    def note(self, what: str) -> None:
        """Keep what went wrong with the last presses."""
        self.wrong.append(f"{what}\n    after " + "\n    then ".join(self.trail[-8:]))

    def step(self) -> None:
        """Press one control, or now and then open a page anew."""
        page = self.player.page
        controls = page.evaluate(CONTROLS)
        here = kind_of(page.url)
        usable = [i for i, name in enumerate(controls) if not ENDING.search(name)]
        if not usable or self.rng.random() < 0.04:
            start = self.rng.choice(self.starts)
            self.trail.append(f"go {start}")
            page.goto(start)
            page.wait_for_timeout(150)
            return
        least = min(usable, key=lambda i: (self.pressed[here, controls[i]], self.rng.random()))
        chosen = least if self.rng.random() < 0.8 else self.rng.choice(usable)
        self.pressed[here, controls[chosen]] += 1
        self.trail.append(f"{here}: {controls[chosen]}")
        page.evaluate(PRESS, [chosen, self.rng.choice(WORDS), self.rng.random()])
        page.wait_for_timeout(60)
        if page.evaluate(SICK):
            page.wait_for_timeout(1500)  # it may be loading
        if (sick := page.evaluate(SICK)) and (kind_of(page.url), sick) not in self.seen:
            self.seen.add((kind_of(page.url), sick))
            self.note(sick)

    def walk(self, steps: int) -> None:
        """Go on for so many steps."""
        for _ in range(steps):
            try:
                self.step()
            except Exception as error:
                if not any(text in str(error) for text in GONE):
                    raise


def organise(player: Guest, viewport: str) -> list[str]:
    """An account with an event of rounds, games and a season; returns their pages."""
    player.post("register", {"name": f"Presser {viewport}", "password": PASSWORD})
    stages = [{"id": "main", "kind": "rounds"}, {"id": "league"}]
    name = {"en": "Pressed"}
    opened = {"template": "bgm-2025", "name": name, "rules": "standard", "stages": stages}
    event = player.post("events", opened)["id"]
    names = [f"p{number}" for number in range(8)]
    listed = [{"name": name.upper(), "id": name} for name in names]
    player.post(f"events/{event}/entries/list", {"entries": listed})
    for game in range(3):
        body = {"stage": "league", "players": names[game : game + 4], "scores": SCORES}
        player.post(f"events/{event}/games", {"id": f"game-000{game}"} | body)
    season = player.post("seasons", {"name": name, "template": "bgm-2025-season", "rules": "bgm-2025"})["id"]
    tabs = ("", "/people", "/games", "/rounds", "/settings", "/standings")
    return [f"{room}/{event}{tab}" for room in ("/events", "/desk") for tab in tabs] + [f"/seasons/{season}"]


@pytest.mark.parametrize("viewport", ["phone", "desktop"])
def test_no_order_of_presses_breaks_a_page(stranger: Callable[..., Guest], viewport: str) -> None:
    player = stranger(viewport, fresh=True)
    own = organise(player, viewport)
    table = against_bots(player)
    starts = [path for path, _ in PAGES.values()] + [*own, f"/t/{table}"]
    presser = Presser(player, starts, SEED)
    presser.walk(STEPS)
    player.faults[:] = [fault for fault in player.faults if "status of 4" not in fault]
    assert not presser.wrong, "\n".join(presser.wrong)
    assert len({page for page, _ in presser.pressed}) >= LEAST_PAGES

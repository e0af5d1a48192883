"""A parlour for browsers: a server of our own in a thread, a Chromium, and people who play in it."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from browser.contexts import VIEWPORTS, Contexts, expect
from jantaku import terms
from jantaku.server.settings import NO_PAUSES
from server.parlour import open_server, quick

PASSWORD: Final = "correct horse"
_numbers = itertools.count(1)
CHROMIUM: Final = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--process-per-site",
]
STATIC: Final = Path(__file__).parents[2] / "src" / "jantaku" / "server" / "static" / "index.html"
AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS: Final = ("serious", "critical")
# Nobody waits for anything but for people at the end of a hand
PAUSES: Final = replace(NO_PAUSES, result=600)
EAST: Final = 'extends = "standard"\n[match]\nlength = "east"\n'
# The first payment of points ends the game
ONE_WIN: Final = (
    EAST + "start_points = 1000\nsticks = { 1000 = 1 }\n"
    '[draw]\nnoten_payment = 9000\n[end]\ntobi = "zero_or_below"\n'
)
# The paths of the pages, and a selector that shows when each is ready
PAGES: Final = {
    "lobby": ("/", ".links"),
    "new": ("/new", "form .card"),
    "calculator": ("/calc?hand=234567m345p6799s8s&riichi=riichi", ".explanation"),
    "drill": ("/drill?seed=5", ".choices button"),
    "rules": ("/rules", "li .card"),
    "sheet": ("/rules/bgm-2025", "table"),
    "learn": ("/learn", "a.card"),
    "first": ("/first", ".cards"),
    "yaku": ("/yaku/bgm-2025", "li.card"),
    "words": ("/words", "dl"),
    "coming": ("/coming/tenhou", "table"),
    "editor": ("/edit/bgm-2025", "details"),
    "ranked": ("/ranked", ".steps"),
    "people": ("/people", "[role=switch]"),
    "games": ("/games", "h1"),
    "numbers": ("/numbers", ".numbers-page"),
    "lab": ("/lab", ".questions"),
    "events": ("/events", "h1"),
    "settings": ("/settings", ".card"),
    "new_event": ("/desk/new", ".account"),
    "seasons": ("/seasons", "h1"),
    "new_season": ("/seasons/new", ".account"),
}

# Plays like somebody in a hurry: wins, else passes, else discards the rightmost tile
HURRY: Final = """
([step, until]) => {
  const pick = () => {
    const found = (selector) => document.querySelector(selector);
    const tiles = document.querySelectorAll('.tile-button.choosing:not(.blocked)');
    return found('.sheet .foot button:not(:disabled)') ?? found('[data-claim=win]') ??
      found('[data-claim=pass]') ??
      found('[data-claim=riichi][aria-pressed=false]') ?? tiles[tiles.length - 1];
  };
  window.hurry = window.setInterval(() => {
    if (until && document.querySelector(until)) window.clearInterval(window.hurry);
    else pick()?.click();
  }, step);
}
"""

# What the table shows, once it shows something else or the result
CHANGED: Final = """(seen) => {
  const shown = [...document.querySelectorAll('.river, .numbers')];
  const now = shown.map((one) => one.ariaLabel ?? one.textContent).join();
  return document.querySelector('.result ol') || now !== seen ? now || ' ' : null;
}"""
# Resolves once nothing has been added to the page, removed or moved for five frames
STILL: Final = """() => new Promise((resolve) => {
  let frames = 0;
  const watch = new MutationObserver(() => (frames = 0));
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  const look = () => {
    const moves = document.getAnimations().some((one) => one.playState === 'running');
    frames = moves ? 0 : frames + 1;
    if (frames > 5) return watch.disconnect(), resolve(true);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
# Resolves after what has been sent to the page is drawn
DRAWN: Final = "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"
# Passes and closes sheets; whether it is this player's turn with a choice. While a claim is asked for,
# another player may win, and the only legal discard is made by itself
RESTED: Final = """() => {
  const found = (selector) => document.querySelector(selector);
  if (found('.sheet')) return found('.sheet .foot button:enabled')?.click(), false;
  const tiles = document.querySelectorAll('.tile-button.choosing:not(.blocked)').length;
  if (tiles) return tiles > 1 || found('.claim') !== null;
  return found('[data-claim=pass]')?.click(), false;
}"""
SHOWN: Final = """() => [...document.querySelectorAll('.river, .numbers, button[data-tile]')].map(
  (one) => one.dataset.tile ?? one.ariaLabel ?? one.textContent)"""
in_every_language = pytest.mark.parametrize(
    "language", ["ko", *(pytest.param(language, marks=pytest.mark.long) for language in ("ja", "en"))]
)


def chromium() -> str | None:
    """The path of Chromium, if it is installed."""
    return next((path for name in CHROMIUM if (path := shutil.which(name))), None)


def needs() -> str:
    """What browser tests lack; empty if nothing."""
    if chromium() is None:
        return "no Chromium found: install Debian's chromium-headless-shell or chromium"
    if not STATIC.is_file():
        return "the client is not built: run make client"
    for module in ("playwright", "uvicorn", "fastapi"):
        try:
            __import__(module)
        except ImportError:
            return f"{module} is not installed: pip install 'jantaku[dev,server]'"
    return ""


@contextmanager
def serving(data_dir: Path, **changes: Any) -> Iterator[str]:
    """A server in a thread, with changed settings; yields its address."""
    with open_server(quick(data_dir, **{"pauses": PAUSES, "bot": "standard"} | changes)) as url:
        yield url


@contextmanager
def browsing() -> Iterator[Contexts]:
    """The contexts of a headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield Contexts(browser)
        browser.close()


def _without_others(route: Any) -> None:
    """Answer a request for the lobby, the events or the seasons without those of other tests."""
    answer = route.fetch()
    route.fulfill(response=answer, json=answer.json() | {"tables": [], "events": [], "seasons": []})


class Guest:
    """Somebody at a browser."""

    def __init__(
        self,
        contexts: Contexts,
        url: str,
        viewport: str = "phone",
        language: str = "en",
        *,
        fresh: bool = False,
    ) -> None:
        self.url = url
        self.language = language
        self.name = self.id = ""
        touch = viewport != "desktop"
        self._contexts = None if fresh else contexts
        self.context = (contexts.fresh if fresh else contexts.lend)(url, language, touch=touch)
        self.page = self.context.new_page()
        self.resize(viewport)
        self.faults: list[str] = []
        self._expected = ["net::ERR_INTERNET_DISCONNECTED"]  # of tests that take the network away
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._noted)

    def _noted(self, message: Any) -> None:
        if message.type == "error" and not any(fault in message.text for fault in self._expected):
            self.faults.append(f"{message.text} {message.location.get('url', '')}".strip())

    def expect_fault(self, text: str) -> None:
        """Allow errors with this text from now on: the browser may report them late."""
        self._expected.append(text)

    def resize(self, viewport: str) -> None:
        """Change the size of the window."""
        width, height = VIEWPORTS[viewport]
        self.page.set_viewport_size({"width": width, "height": height})

    def enter(self, name: str) -> "Guest":
        """Become a guest by one request, without a page; ``test_browser`` enters a name by hand."""
        self.post("guest", {"name": name, "language": self.language})
        return self

    def register(self, name: str) -> "Guest":
        """Open an account by one request; a number makes the name unique."""
        self.name = f"{name} {next(_numbers)}"
        body = {"name": self.name, "password": PASSWORD, "language": self.language}
        self.id = str(self.post("register", body)["id"])
        return self

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Call the server's HTTP interface as this person."""
        answer = self.page.request.fetch(f"/api/{path}", method=method, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def get(self, path: str) -> Any:
        return self.send("GET", path)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self.send("POST", path, body)

    # ------------------------------------------------------------------ what the pages say, and what is there

    def say(self, key: str, **values: object) -> str:
        """A text of the pages in this person's language."""
        return terms.text(key, self.language, **values)  # type: ignore[arg-type]

    def button(self, key: str, within: Any = None, **values: object) -> Any:
        return (within or self.page).get_by_role("button", name=self.say(key, **values), exact=True)

    def link(self, key: str, within: Any = None, **values: object) -> Any:
        return (within or self.page).get_by_role("link", name=self.say(key, **values))

    def toggle(self, key: str, within: Any = None, **values: object) -> Any:
        return (within or self.page).get_by_role("switch", name=self.say(key, **values))

    def choice(self, key: str, within: Any = None, **values: object) -> Any:
        """One of several values."""
        return (within or self.page).get_by_role("radio", name=self.say(key, **values), exact=True)

    def field(self, key: str, within: Any = None, **values: object) -> Any:
        return (within or self.page).get_by_label(self.say(key, **values))

    def box(self, key: str, within: Any = None, **values: object) -> Any:
        """A field for text by its whole label."""
        return (within or self.page).get_by_role("textbox", name=self.say(key, **values), exact=True)

    def heading(self, key: str, **values: object) -> Any:
        return self.page.get_by_role("heading", name=self.say(key, **values))

    def fold(self, key: str, within: Any = None, **values: object) -> Any:
        """The summary of what is folded."""
        return (within or self.page).locator("summary", has_text=self.say(key, **values))

    def press(self, key: str, within: Any = None, **values: object) -> None:
        """Press a button."""
        self.button(key, within, **values).click()

    def see(self, key: str, within: Any = None, **values: object) -> None:
        """Wait for a text."""
        expect((within or self.page).get_by_text(self.say(key, **values)).first).to_be_visible()

    def claim(self, name: str) -> Any:
        """The button of a call, a riichi, a win or a pass."""
        return self.page.locator(f"[data-claim={name}]")

    @property
    def sheet(self) -> Any:
        """The sheet that lies over the page."""
        return self.page.get_by_role("dialog")

    def sure(self, why: str = "") -> None:
        """Answer the question before something that cannot simply be undone, with a reason if it is asked."""
        if why:
            self.page.locator("input[name=why]").last.fill(why)
        self.sheet.last.get_by_role("button").last.click()

    def shut(self) -> None:
        """Close the sheet."""
        self.page.keyboard.press("Escape")
        expect(self.sheet).to_have_count(0)

    def check(self, *viewports: str) -> None:
        """The page has no serious fault, and nothing of it is beside the window."""
        for viewport in viewports or ("",):
            if viewport:
                self.resize(viewport)
            assert serious_faults(self) == []
            assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), self.page.url

    def rules(self, text: str) -> str:
        """The id of rules saved from a rules file."""
        return str(self.post("rules", {"toml": text})["id"])

    def table(self, rules: str, bots: int, **options: Any) -> str:
        """Open a table."""
        usual = {"clock": False, "spectators": False, "private": True}
        table = self.post("tables", {"rules": rules, "bots": bots, "options": usual | options})
        return str(table["id"])

    def sit_down(self, table: str) -> None:
        """Open the table's page and, if the game has begun, wait for the hand."""
        self.page.goto(f"/t/{table}")

    def hurry(self, step: int = 10, until: str = "") -> None:
        """Make a simple move every ``step`` milliseconds from now on, or until the page shows something."""
        self.page.evaluate(HURRY, [step, until])

    def visit(self, name: str) -> None:
        """Open one of ``PAGES``; other people's tables, events and seasons are left out."""
        for listed in ("tables", "events", "seasons"):
            self.page.route(f"**/api/{listed}?*", _without_others)
        path, ready = PAGES[name]
        self.page.goto(path)
        self.page.wait_for_selector(ready)

    def rest(self) -> None:
        """Stop hurrying, and wait until this player is on turn with a choice: only they can go on then."""
        self.page.evaluate("window.clearInterval(window.hurry)")
        self.page.wait_for_function(RESTED, polling=20)

    def settle(self) -> None:
        """Wait until the page has drawn everything it was sent."""
        self.page.evaluate(DRAWN)

    def still(self) -> None:
        """Wait until nothing on the page changes or moves."""
        self.page.evaluate(STILL)

    def state(self) -> Any:
        """What the board and the hand show."""
        return self.page.evaluate(SHOWN)

    def discards(self) -> int:
        """How many tiles the rivers hold."""
        return int(self.page.locator(".river .tile").count())

    def see_discards(self, number: int) -> None:
        """Wait until the rivers hold so many tiles."""
        self.page.locator(".river .tile").nth(number - 1).wait_for(state="attached")

    def finish(self) -> None:
        """Play on to the result; fails when nothing changes for a while."""
        self.hurry()
        seen = ""
        while not self.page.query_selector(".result ol"):
            seen = self.page.wait_for_function(CHANGED, arg=seen).json_value()

    def close(self) -> None:
        """Leave."""
        if self._contexts is None:
            self.context.close()
        else:
            self._contexts.give_back(self.context)


def against_bots(player: Guest, rules: str = "standard", **options: Any) -> str:
    """Start a game with three bots under a preset or the text of a rules file; returns the table's id."""
    table = player.table(player.rules(rules) if "\n" in rules else rules, 3, **options)
    player.post(f"tables/{table}/start", {})
    player.sit_down(table)
    player.page.wait_for_selector(".tile-button")
    player.rest()  # a bot may have ended the first hand already
    return table


def seat_four(guest: Callable[..., Guest], rules: str = "standard") -> list[Guest]:
    """Four people, each at a browser, at one table whose game has begun; whoever opened it is the first."""
    host = guest("East", "desktop")
    table = host.table(host.rules(rules) if "\n" in rules else rules, 0, spectators=True)
    players = [host, guest("South"), guest("West", language="ja"), guest("North", language="ko")]
    for player in players:
        player.sit_down(table)
    for player in players[1:]:
        player.button("web.room.sit").first.click()
        expect(player.button("web.room.leave")).to_be_visible()
    host.post(f"tables/{table}/start", {})
    for player in players:
        player.page.wait_for_selector("button[data-tile]")
    return players


def serious_faults(player: Guest) -> list[str]:
    """What axe-core finds on the open page."""
    if not AXE.is_file():
        return []
    player.still()
    player.page.evaluate(AXE.read_text("utf-8"))
    measured = player.page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in measured["violations"]
        if fault["impact"] in SERIOUS
    ]


requires_browser = pytest.mark.skipif(bool(needs()), reason=needs())
requires_axe = pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: run make client")
in_a_browser = [requires_browser, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
slow_in_a_browser = [*in_a_browser, pytest.mark.slow]

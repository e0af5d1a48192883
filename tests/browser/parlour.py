"""A parlour for browsers: a server of our own in a thread, a Chromium, and people who play in it."""

import asyncio
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from jantaku import terms

VIEWPORTS: Final = {
    "phone": (390, 844),
    "small": (360, 640),
    "tablet": (820, 1180),
    "landscape": (844, 390),
    "desktop": (1280, 800),
}
CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
STATIC: Final = Path(__file__).parents[2] / "src" / "jantaku" / "server" / "static" / "index.html"
AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS: Final = ("serious", "critical")
# The paths of the pages, and a selector that shows when each is ready
PAGES: Final = {
    "lobby": ("/", ".links"),
    "new": ("/new", "form .card"),
    "calculator": ("/calc?hand=234567m345p6799s8s&riichi=riichi", ".explanation"),
    "drill": ("/drill?seed=5", ".choices button"),
    "rules": ("/rules", "li .card"),
    "sheet": ("/rules/bgm-2025", "table"),
    "editor": ("/edit/bgm-2025", "details"),
    "games": ("/games", "h1"),
    "settings": ("/settings", ".card"),
}

# Plays like somebody in a hurry: wins, else passes, else discards the rightmost tile
HURRY: Final = """
(step) => {
  const pick = () => {
    const found = (selector) => document.querySelector(selector);
    const tiles = document.querySelectorAll('.tile-button.choosing:not(.blocked)');
    return found('.sheet .foot button:not(:disabled)') ?? found('[data-claim=win]') ??
      found('[data-claim=pass]') ??
      found('[data-claim=riichi][aria-pressed=false]') ?? tiles[tiles.length - 1];
  };
  window.hurry = window.setInterval(() => pick()?.click(), step);
}
"""


def chromium() -> str | None:
    """The path of Chromium, if it is installed."""
    return next((path for name in CHROMIUM if (path := shutil.which(name))), None)


def needs() -> str:
    """What browser tests lack; empty if nothing."""
    if chromium() is None:
        return "no Chromium found: install Debian's chromium"
    if not STATIC.is_file():
        return "the client is not built: run make client"
    for module in ("playwright", "uvicorn", "fastapi"):
        try:
            __import__(module)
        except ImportError:
            return f"{module} is not installed: pip install 'jantaku[dev,server]'"
    return ""


def free_port() -> int:
    """A free port."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(data_dir: Path, pauses: Any = None, house_rules: Any = ()) -> Iterator[str]:
    """A server in a thread; yields its address. It makes no pauses unless ``pauses`` is given."""
    import uvicorn

    from jantaku.server.app import create_app
    from jantaku.server.settings import NO_PAUSES, Limits, Settings

    often = Limits(
        messages_per_s=1000,
        message_burst=1000,
        requests_per_s=1000,
        request_burst=10_000,
        entries_per_min=10_000,
        heavy_per_s=1000,
        connects_per_s=1000,
        connect_burst=10_000,
        connects_of_address_per_s=1000,
        accounts_per_day=1e6,
        tries_of_account_per_h=1e6,
        tries_of_address_per_h=1e6,
    )
    settings = Settings(
        data_dir=data_dir, pauses=pauses or NO_PAUSES, limits=often, house_rules=tuple(house_rules)
    )
    app = create_app(settings)
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", ws="websockets-sansio"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)


@contextmanager
def browsing() -> Iterator[Any]:
    """A headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


class Guest:
    """Somebody at a browser."""

    def __init__(self, browser: Any, url: str, viewport: str = "phone", language: str = "en") -> None:
        width, height = VIEWPORTS[viewport]
        self.url = url
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            has_touch=viewport != "desktop",
            base_url=url,
            service_workers="block",
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(180_000)  # the first hand may wait for the compiler
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._noted)

    def _noted(self, message: Any) -> None:
        if message.type == "error":
            self.faults.append(message.text)

    def enter(self, name: str) -> "Guest":
        """Enter a name, on the open page or in the lobby."""
        if not self.page.url.startswith(self.url):
            self.page.goto("/")
        self.page.fill("#guest-name", name)
        self.page.press("#guest-name", "Enter")
        self.page.wait_for_selector("#guest-name", state="detached")
        return self

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Call the server's HTTP interface as this person."""
        answer = self.page.request.post(f"/api/{path}", data=body)
        assert answer.ok, answer.text()
        found: dict[str, Any] = answer.json()
        return found

    def rules(self, text: str) -> str:
        """The id of rules saved from a rules file."""
        return str(self.post("rules", {"toml": text})["id"])

    def table(self, rules: str, bots: int, **options: Any) -> str:
        """Open a table."""
        usual = {"clock": False, "spectators": False, "private": True}
        found = self.post("tables", {"rules": rules, "bots": bots, "options": usual | options})
        return str(found["id"])

    def sit_down(self, table: str) -> None:
        """Open the table's page and, if the game has begun, wait for the hand."""
        self.page.goto(f"/t/{table}")

    def hurry(self, step: int = 30) -> None:
        """Make a simple move every ``step`` milliseconds from now on."""
        self.page.evaluate(HURRY, step)

    def see_discards(self, number: int) -> None:
        """Wait until the rivers hold so many tiles."""
        self.page.locator(".river .tile").nth(number - 1).wait_for(state="attached")

    def close(self) -> None:
        """Leave."""
        self.context.close()


def against_bots(player: Guest, rules: str, **options: Any) -> str:
    """Start a game with three bots under the rules in ``text``; returns the table's id."""
    table = player.table(player.rules(rules), 3, **options)
    player.post(f"tables/{table}/start", {})
    player.sit_down(table)
    player.page.wait_for_selector(".tile-button")
    return table


def seat_four(guest: Callable[..., Guest], rules: str) -> list[Guest]:
    """Four people, each at a browser, at one table whose game has begun; whoever opened it is the first."""
    host = guest("East", "desktop")
    table = host.table(host.rules(rules), 0)
    players = [host, guest("South"), guest("West", language="ja"), guest("North", language="ko")]
    for player in players:
        player.sit_down(table)
        player.page.wait_for_selector(".room")
    for place, player in enumerate(players[1:], 1):
        player.page.locator(".room li").nth(place).locator("button.primary").click()
        player.page.locator(".room .badge.me").wait_for()  # seated, before a bot takes the seat
    host.page.wait_for_selector(".tile-button, .room .row > button.primary")
    host.page.evaluate("document.querySelector('.room .row > button.primary')?.click()")
    for player in players:
        player.page.wait_for_selector(".tile-button")
    return players


def switch(page: Any, name: str) -> None:
    """Turn a switch in the table's menu, which is in English."""
    page.click("button.menu")
    page.get_by_role("switch", name=terms.table("web", "en")["settings"][name]).click()
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="detached")


def serious_faults(player: Guest) -> list[str]:
    """What axe-core finds on the open page."""
    player.page.wait_for_timeout(350)
    player.page.evaluate(AXE.read_text("utf-8"))
    found = player.page.evaluate("axe.run()")
    return [
        f"{fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in found["violations"]
        if fault["impact"] in SERIOUS
    ]


requires_browser = pytest.mark.skipif(bool(needs()), reason=needs())
requires_axe = pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: run make client")

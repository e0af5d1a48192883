"""Nothing moves under a tap while a page loads over a slow network."""

from collections.abc import Callable
from itertools import count
from typing import Any, Final

import pytest

from browser.contexts import expect
from browser.parlour import DRAWN, PAGES, Guest, slow_in_a_browser
from browser.test_review import a_game
from server.clubs import DRAW, RON
from server.parlour import Message

pytestmark = slow_in_a_browser
MOST: Final = 0.05
LOADED: Final = (
    "lobby", "games", "settings", "ranked", "people", "rules", "events", "seasons", "drill", "lab", "numbers"
)  # fmt: skip
# The pages of an event and of its desk, by what follows the event's id
OF_AN_EVENT: Final = ("", "standings", "rounds", "games", "players", "statistics", "reports", "bets")
OF_THE_DESK: Final = ("", "people", "games", "logs", "rounds", "referee", "settings", "log", "print", "files")
PLAYERS: Final = tuple(f"p{i}" for i in range(7))
GAMES: Final[list[Message]] = [
    {"id": "by-hand", "stage": "league", "players": PLAYERS[:4], "hands": [RON, DRAW, RON]},
    {"id": "end-score", "stage": "league", "players": PLAYERS[3::-1], "scores": [40000, 30000, 20000, 10000]},
]
FILE: Final[Message] = {
    "jantaku_event": 1,
    "name": {"en": "Summer"},
    "rules": "tenhou",
    "players": [{"id": player, "name": player.upper()} for player in PLAYERS],
    "stages": [{"id": "main", "kind": "rounds"}, {"id": "league", "min_games": 1}],
    "games": [],
}
_numbers = count()
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


def slow_network(page: Any) -> None:
    """A slow network and no cache from now on."""
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send("Network.emulateNetworkConditions", SLOW)
    slow.send("Network.setCacheDisabled", {"cacheDisabled": True})


def slow_down(player: Guest, ready: str) -> None:
    """A slow network from now on, on a device that has been here before; shifts are watched."""
    page = player.page
    page.goto("/")
    page.wait_for_selector(ready)
    slow_network(page)
    page.add_init_script(f"({WATCH})()")


def shifts(page: Any, path: str, ready: str) -> tuple[float, list[Any]]:
    """How far a page has shifted once it is loaded, and what."""
    page.goto(path)
    page.locator(ready).first.wait_for()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".pending")).to_have_count(0)
    page.evaluate(DRAWN)
    found = page.evaluate("window.shifts")
    return sum(shift[0] for shift in found), found


@pytest.mark.parametrize("viewport", ["phone", "landscape", "desktop"])
def test_pages_stay_put_while_they_load(guest: Callable[..., Guest], viewport: str) -> None:
    player = guest("Mina", viewport)
    player.table("standard", 0, private=False)
    table = player.table("standard", 3)
    player.post(f"tables/{table}/start", {})
    slow_down(player, "a[href^='/t/']")
    found = {name: shifts(player.page, *PAGES[name]) for name in LOADED}
    assert {name: shift for name, shift in found.items() if shift[0] >= MOST} == {}


def event_of(player: Guest, games: list[Message]) -> tuple[str, str]:
    """An event with games that are over, and the player's entry in it."""
    event = player.post("events/import", {"file": FILE | {"games": games}})["id"]
    return event, player.post(f"events/{event}/entries", {})["id"]


def clubs_of(player: Guest) -> dict[str, str]:
    """The pages of an event before, during and after its games, of their season, and of a replay."""
    name = f"Organiser {next(_numbers)}"
    player.post("register", {"name": name, "password": "correct horse", "language": "en"})
    events = [event_of(player, games) for games in ([], GAMES, GAMES)]
    (before, _), (running, me), (ended, _) = events
    player.post(f"events/{ended}/status", {"status": "closed"})
    path, tables = f"events/{running}", (PLAYERS[:4], (*PLAYERS[4:], me))
    csv = "".join(
        f"{number},{table},{','.join(players)}\n"
        for number in (1, 2)
        for table, players in enumerate(tables, 1)
    )
    player.post(f"{path}/rounds/main/seating/import", {"csv": csv})
    player.post(f"{path}/rounds/main/publish", {"start": True})
    player.post(f"{path}/games", {"id": "now-played", "stage": "league", "players": [me, *PLAYERS[:3]]})
    player.post(f"{path}/games/now-played/hands", {"id": "now-hand", "follows": "", "hand": DRAW})
    player.post(f"{path}/penalties", {"stage": "league", "entry": "p2", "points": -20000, "why": "late"})
    parts = [{"id": event, "event": event} for event, _ in events]
    season = player.post("seasons", {"name": {"en": "Year"}, "cut": 2, "parts": parts})["id"]
    replay = player.post("uploads", {"name": "game.json", "text": a_game()})["id"]
    return {
        **{f"/events/{event}/{page}": "nav.page-links" for event, _ in events for page in OF_AN_EVENT},
        **{f"/events/{running}/games/{game}": "main ol" for game in ("now-played", "by-hand")},
        f"/events/{running}/players/p0": "main dl",
        f"/events/{running}/players/{me}": "main .title",
        f"/seasons/{season}": "main ol",
        f"/seasons/{season}/edit": "main form",
        "/seasons/new": "main form",
        **{f"/desk/{running}/{page}": "nav.tabs" for page in OF_THE_DESK},
        f"/desk/{before}": "nav.tabs",
        "/desk/new": "main form",
        f"/record/{running}": "form.start",
        f"/record/{running}/now-played": "[data-seat='0']",
        f"/u/{replay}?seat=0&at=60": ".moment",
        "/settings": ".sessions",
    }


def test_pages_of_a_club_stay_put_while_they_load(guest: Callable[..., Guest]) -> None:
    organiser = guest()
    pages = clubs_of(organiser)
    slow_down(organiser, ".links")
    found = {path: shifts(organiser.page, path, ready) for path, ready in pages.items()}
    assert {path: shift for path, shift in found.items() if shift[0] >= MOST} == {}


def test_pages_of_a_club_stay_put_for_visitors(guest: Callable[..., Guest]) -> None:
    pages = clubs_of(guest())
    visitor = guest("Visitor")
    slow_down(visitor, ".links")
    seen = {path: ready for path, ready in pages.items() if path.startswith(("/events", "/seasons/"))}
    own = ("/edit", "/new")
    found = {path: shifts(visitor.page, path, seen[path]) for path in seen if not path.endswith(own)}
    assert {path: shift for path, shift in found.items() if shift[0] >= MOST} == {}

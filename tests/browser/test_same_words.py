"""Pages on which everything says the same: equal names, wins and penalties; and a part that fails."""

import itertools
from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from browser.test_desk import button
from browser.test_desk_decisions import WORDS, Decisions
from server.clubs import PASSWORD
from server.parlour import Message

pytestmark = slow_in_a_browser
SAME: Final = "김민수"
_numbers = itertools.count()
RULES: Final = 'extends = "standard"\n[win]\nmultiple_ron = "all"\n[draw]\nsanchahou = false\n'
IDS: Final = tuple(f"p{i}" for i in range(4))
# Each of the winners takes 16,000 points: two of them end the game
WON: Final[Message] = {"han": 8, "fu": 40, "yaku": ["chinitsu", "riichi", "ippatsu"]}
DOUBLE: Final[Message] = {"end": "ron", "from": 1, "wins": [{"seat": seat, **WON} for seat in (0, 2)]}
TRIPLE: Final[Message] = {**DOUBLE, "wins": [{"seat": seat, **WON} for seat in (0, 2, 3)]}
TWICE: Final[Message] = {"end": "draw", "fouls": [{"seat": 0, "foul": "call_slip"}] * 2}
GAME: Final[Message] = {"players": IDS, "at": "2025-06-01T10:00:00Z"}
ENDS: Final[tuple[Message, ...]] = (
    {"hands": [TWICE, DOUBLE]},
    {"hands": [TWICE, TRIPLE]},
    {"scores": [25000] * 4},
)
FILE: Final[Message] = {
    "jantaku_event": 1,
    "name": {"en": SAME},
    "players": [{"id": id_, "name": SAME, "team": SAME} for id_ in IDS],
    "stages": [
        *({"id": id_, "name": {"en": SAME}} for id_ in ("league", "again")),
        *({"id": id_, "name": {"en": SAME}, "kind": "rounds"} for id_ in ("main", "more")),
    ],
    "games": [
        {"id": f"game-{i:03}", "stage": ("league", "again")[i % 2], **GAME, **ENDS[i % 3]} for i in range(6)
    ],
    "penalties": [{"stage": "league", "player": "p0", "points": -1000, "why": SAME}] * 2,
}
PAGES: Final = (
    "",
    "/standings",
    "/rounds",
    "/games",
    "/games/game-000",
    "/players",
    "/players/p0",
    "/statistics",
)
TABS: Final = ("", "people", "games", "logs", "rounds", "referee", "settings", "log", "print", "files")


class SameWords(Decisions):
    """An event in which nothing can be told apart by its words."""

    def __init__(self, player: Guest) -> None:
        self.player, self.page = player, player.page
        player.post("register", {"name": f"{SAME} {next(_numbers)}", "password": PASSWORD})
        self.rules = player.post("rules", {"toml": RULES})["id"]
        self.event = str(player.post("events/import", {"file": {**FILE, "rules": self.rules}})["id"])

    def play(self, name: str, *hands: Message) -> str:
        """A game that is entered by hand."""
        self.post("games", id=name, stage="league", players=IDS, label=SAME)
        for i, hand in enumerate(hands):
            follows = f"{name}-{i - 1}" if i else ""
            self.post(f"games/{name}/hands", id=f"{name}-{i}", follows=follows, hand=hand)
        return name

    def open_game(self, name: str) -> Any:
        """The dialog of a game at the desk, with the lines of its hands."""
        number = next(game["number"] for game in self.get("/games")["games"] if game["id"] == name)
        self.page.goto(f"/desk/{self.event}/games")
        self.page.locator("li button", has_text=WORDS["games"]["number"].format(number=number)).click()
        sheet = self.page.locator(".sheet")
        sheet.locator(".hands li").first.wait_for()
        return sheet


@pytest.fixture
def same(stranger: Callable[..., Guest]) -> SameWords:
    return SameWords(stranger())


@pytest.mark.parametrize("hand", [DOUBLE, TRIPLE], ids=["double", "triple"])
def test_a_referee_decides_on_games_with_several_equal_rons(same: SameWords, hand: Message) -> None:
    words, count = WORDS["game"], len(hand["wins"])
    confirmed, corrected, cancelled = (same.play(f"game-{name}", hand) for name in ("one", "two", "six"))
    sheet = same.open_game(confirmed)
    expect(sheet.locator(".hands li span", has_text="8 han")).to_have_count(count)
    button(sheet, words["confirm"]).click()
    same.sure()
    assert same.get(f"/games/{confirmed}")["status"] == "confirmed"
    sheet = same.open_game(corrected)
    button(sheet, words["points"]).click()
    for field in sheet.locator(".points input").all():
        field.fill("25000")
    sheet.locator("input[name=points-why]").fill("from the sheet")
    button(sheet, words["points_enter"]).click()
    sheet.locator("b", has_text="confirmed").wait_for()
    assert same.get(f"/games/{corrected}")["scores"] == [25000] * 4
    sheet = same.open_game(cancelled)
    button(sheet, words["cancel"]).click()
    same.sure("nobody came")
    assert same.get(f"/games/{cancelled}")["status"] == "cancelled"


@pytest.mark.parametrize("hand", [DOUBLE, TRIPLE], ids=["double", "triple"])
def test_a_dispute_about_several_equal_rons_shows_every_version(same: SameWords, hand: Message) -> None:
    game = same.play("disputed", hand)
    same.post(
        "games/disputed/hands", id="hand-two", follows="disputed-0", action="replace", place=0, hand=TWICE
    )
    same.post("calls", kind="dispute", game=game, version="hand-two", why=SAME)
    same.page.goto(f"/desk/{same.event}/referee")
    versions = same.page.locator(".version")
    expect(versions).to_have_count(2)
    expect(versions.first.locator("p", has_text="8 han")).to_have_count(len(hand["wins"]))
    button(same.page, WORDS["dispute"]["take"]).click()
    same.sure("all agree")
    expect(versions).to_have_count(3)
    assert len(same.get(f"/games/{game}")["hands"][0]["hand"]["wins"]) == len(hand["wins"])


def test_every_page_of_an_event_shows_what_says_the_same(same: SameWords) -> None:
    page, player = same.page, same.player
    same.play("game-running", TWICE, TWICE)
    for stage in ("main", "more"):
        same.post(f"rounds/{stage}/seating/import", csv=f"1,1,{','.join(IDS)}\n2,1,{','.join(IDS)}\n")
        same.post(f"rounds/{stage}/publish", start=True)
    for address in PAGES:
        page.goto(f"/events/{same.event}{address}")
        page.locator("main h1, main h2").first.wait_for()
        player.settle()
    for tab in TABS:
        page.goto(f"/desk/{same.event}/{tab}")
        page.locator("nav.tabs a[aria-current]").wait_for()
        player.still()
    page.goto(f"/screen/{same.event}")
    page.locator(".screen").wait_for()
    page.goto(f"/record/{same.event}/game-running")
    page.locator("[data-seat='0']").wait_for()
    player.still()
    assert player.faults == []


def test_an_error_in_a_dialog_says_so_and_can_be_closed(same: SameWords) -> None:
    page = same.page
    opened = page.locator(".sheet [role=alert]")

    def broken(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "hands": None})

    page.route("**/games/game-000?*", broken)
    page.goto(f"/desk/{same.event}/games")
    page.locator("li button", has_text=WORDS["games"]["number"].format(number=1)).click()
    opened.wait_for()
    assert same.player.faults  # it was reported like any other error
    same.player.faults.clear()
    opened.get_by_role("button", name="Close").click()
    page.locator(".sheet").wait_for(state="detached")
    page.unroute_all()
    same.open_game("game-000")

"""What players and spectators see of an event: home, standings, games, a player's page, the big screen."""

from collections.abc import Callable
from typing import Any, Final

from browser.contexts import expect, filled
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from browser.test_pages import SHOWN, untranslated
from jantaku import terms
from server.clubs import Account
from server.parlour import Message, Person

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("event", "ko")
PLAYERS: Final = ("가온", "나래", "다온", "라온", "마루")
BUST: Final = {"end": "ron", "from": 1, "riichi": [0], "wins": [{"seat": 0, "yakuman": 2}]}
FILE: Final[Message] = {
    "jantaku_event": 1,
    "name": "여름 대회",
    "rules": "tenhou",
    "players": [{"id": f"p{i}", "name": name, "team": "동서"[i % 2]} for i, name in enumerate(PLAYERS)],
    "stages": [
        {"id": "league", "name": "리그", "counts": {"best": 2}, "min_games": 1},
        {"id": "final", "name": "결승", "kind": "rounds", "from": "league", "cut": 2, "carry": 0.5},
    ],
    "games": [
        {"id": "first-game", "stage": "league", "players": ["p0", "p1", "p2", "p3"], "hands": [BUST]},
        {"id": "other-game", "stage": "league", "players": ["p3", "p2", "p1", "p0"],
         "scores": [40000, 30000, 20000, 10000]},
    ],
    "penalties": [{"stage": "league", "player": "p2", "points": -20000, "why": "지각"}],
    "tie_breaks": ["average_place"],
}  # fmt: skip
NARROW: Final = "() => document.documentElement.scrollWidth <= window.innerWidth"
FITS: Final = """() => [...document.querySelectorAll('.screen, .screen section *')].every((one) => {
  const box = one.getBoundingClientRect();
  return box.right <= window.innerWidth + 1 && box.bottom <= window.innerHeight + 1;
})"""

ONE_LINE: Final = """() => [...document.querySelectorAll('.slide b')].every((one) => {
  const { height } = one.getBoundingClientRect();
  one.textContent = '+1,182.45';
  return one.getBoundingClientRect().height === height;
})"""


class Visit:
    """A player's phone in an event, and its organiser behind the server's interface."""

    def __init__(self, url: str, player: Guest) -> None:
        self.player, self.page = player, player.page
        self.organiser: Person = Account(url, "주최자")
        self.event: Message = self.organiser.post("/api/events/import", file=FILE)
        self.path = f"/api/events/{self.event['id']}"

    def tab(self, name: str) -> None:
        """Open one of the event's pages by its tab."""
        self.page.locator("nav[aria-label] a", has_text=WORDS[name]).last.click()

    def check(self) -> None:
        """The page fits the phone, speaks Korean, and has no serious fault."""
        assert serious_faults(self.player) == []
        assert self.page.evaluate(NARROW), self.page.url
        assert untranslated(self.page.evaluate(SHOWN)) == set()

    def confirm_game(self) -> str:
        """Play and confirm a game of one hand; returns the points of the first player in thousands."""
        game = f"{self.path}/games/live-game"
        self.organiser.post(f"{game}/hands", id="live-hand", follows="", hand=BUST)
        self.organiser.post(f"{game}/confirm", head="live-hand", everybody=True)
        return f"{self.points('p4') / 1000:+.1f}"

    def points(self, player: str) -> int:
        """Somebody's points in the league."""
        rows = self.organiser.get(f"{self.path}/standings")["stages"][0]["standings"]
        return next(int(row["points"]) for row in rows if row["player"] == player)


def take_part(visit: Visit) -> None:
    """Find the event, register, and check in by the link with the code."""
    page, words = visit.page, WORDS["register"]
    page.goto("/")
    page.locator(".links a[href='/events']").click()
    page.locator(f"a.card[href='/events/{visit.event['id']}']").click()
    page.get_by_text(filled(WORDS["counts"]["best"], count=2)).wait_for()
    page.get_by_text(WORDS["counts"]["carry_part"].format(stage="리그", percent=50)).wait_for()
    page.get_by_role("button", name=words["go"]).click()
    page.get_by_text(words["playing"].format(name="미나")).wait_for()
    visit.check()
    page.goto(f"/events/{visit.event['id']}?code={visit.event['code']}")
    page.get_by_role("button", name=words["check_in"]).click()
    page.get_by_text(words["checked_in"]).wait_for()


def see_standings(visit: Visit) -> None:
    """Ranks, the cut and who is not ranked; a confirmed game appears at once, and opens to its hands."""
    page = visit.page
    visit.tab("standings")
    page.get_by_text(filled(WORDS["table"]["cut"], count=2)).wait_for()
    rows = page.locator("tbody tr:not(.mark) th")
    expected = ["1 가온 동", "2 라온 서", "3 다온 동", "4 나래 서", "– 마루 동", "– 미나"]
    expect(rows).to_have_text(expected, use_inner_text=True)
    body = {"id": "live-game", "stage": "league", "players": ["p4", "p0", "p1", "p3"]}
    visit.organiser.post(f"{visit.path}/games", **body)
    points = visit.confirm_game()
    page.locator("tbody tr", has_text="마루").locator(".points", has_text=points).wait_for()
    page.get_by_role("button", name="다온").click()
    page.get_by_text(WORDS["table"]["sum_penalty"].format(points="−20.0")).wait_for()
    visit.check()
    page.get_by_role("button", name="마루").click()
    page.locator(".within a[href*='/games/live-game']").click()
    page.get_by_text(WORDS["game"]["no_yaku"]).wait_for()
    expect(page.locator("article .trust")).to_have_text(WORDS["trust"]["locked"], use_inner_text=True)
    visit.check()


def see_player(visit: Visit) -> None:
    """Points over time, and the games they come from."""
    page = visit.page
    page.goto(f"/events/{visit.event['id']}/players/p0")
    about = page.locator("figure svg").get_attribute("aria-label")
    assert str(about).startswith("3대국 후")
    expect(page.locator("ol a[href*='/games/']")).to_have_count(3)
    visit.check()


def see_live_tables(visit: Visit) -> None:
    """A table that plays is listed with its scores, which change with each hand."""
    page, game = visit.page, f"{visit.path}/games/now-playing"
    visit.tab("games")
    page.locator(".card[href$='first-game']").wait_for()
    body = {"id": "now-playing", "stage": "league", "players": ["p1", "p2", "p3", "p4"], "label": "3번 탁자"}
    visit.organiser.post(f"{visit.path}/games", **body)
    card = page.get_by_role("region", name=WORDS["list"]["live"]).get_by_role("link", name="3번 탁자")
    card.wait_for()
    visit.organiser.post(f"{game}/hands", id="now-hand", follows="", hand={"end": "draw", "tenpai": [2]})
    card.get_by_text("28,000").wait_for()


def see_report(visit: Visit) -> None:
    """The report of the event and of a day."""
    page = visit.page
    visit.tab("reports")
    page.locator(".report .standings tbody tr", has_text="마루").wait_for()
    page.select_option("select[name=report-day]", index=1)
    page.locator(".report th", has_text=terms.text("report.change", "ko")).wait_for()
    visit.check()


def see_nothing_hidden(visit: Visit) -> None:
    """Standings that are hidden disappear from open pages and from the big screen."""
    page = visit.page
    page.goto(f"/events/{visit.event['id']}/standings")
    page.locator("table").wait_for()
    visit.player.expect_fault("403")  # the page may ask before it hears that they are hidden
    answer = visit.organiser.http.patch(visit.path, json={"hidden_standings": True})
    assert answer.status_code == 200
    page.get_by_text(WORDS["hidden"]).wait_for()
    expect(page.locator("table")).to_have_count(0)
    page.goto(f"/events/{visit.event['id']}/games/first-game")
    page.get_by_text(WORDS["hidden"]).wait_for()
    expect(page.locator("article")).to_have_count(0)
    page.goto(f"/events/{visit.event['id']}/reports")
    page.get_by_text(WORDS["hidden"]).wait_for()
    assert visit.player.page.request.get(f"{visit.path}/report").status == 403


def see_big_screen(visit: Visit) -> None:
    """The standings and the tables in turn, without scrolling, at any size of projector."""
    page: Any = visit.page
    page.goto(f"/screen/{visit.event['id']}")
    page.get_by_text("마루").first.wait_for()
    page.locator(".slide b").first.wait_for()
    assert page.evaluate(ONE_LINE)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        visit.player.still()
        assert page.evaluate(FITS)
        page.keyboard.press("ArrowRight")
        page.locator(".screen li").first.wait_for()
    visit.player.resize("phone")


@requires_axe
def test_an_event_from_registration_to_the_last_standings(
    parlour: str, stranger: Callable[..., Guest]
) -> None:
    visit = Visit(parlour, stranger(language="ko").enter("미나"))
    take_part(visit)
    see_standings(visit)
    see_player(visit)
    see_live_tables(visit)
    see_report(visit)
    see_big_screen(visit)
    see_nothing_hidden(visit)
    visit.organiser.close()

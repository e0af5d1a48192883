"""An event as players and spectators see it: pages, big screen, online tables and bets."""

from typing import Any, Final

from browser.contexts import expect
from browser.parlour import Guest, MakeGuest, slow_in_a_browser
from server.clubs import Account, Club
from server.parlour import Message, Person

pytestmark = slow_in_a_browser

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
# The number of elements of the big screen that are outside the window
BESIDE: Final = """(screen) => [screen, ...screen.querySelectorAll('section *')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
}).length"""
# Whether points with two more digits would still fit on one line
ONE_LINE: Final = """(all) => all.every((one) => {
  const { height } = one.getBoundingClientRect();
  one.textContent = '+1,182.45';
  return one.getBoundingClientRect().height === height;
})"""


class Visit:
    """A player's phone at an event whose organiser acts by HTTP."""

    def __init__(self, url: str, player: Guest) -> None:
        self.player, self.page = player, player.page
        self.organiser: Person = Account(url, "주최자")
        self.event: Message = self.organiser.post("/api/events/import", file=FILE)
        self.id = str(self.event["id"])
        self.path = f"/api/events/{self.id}"

    def tab(self, name: str) -> None:
        """Open a page of the event with its tab."""
        tabs = self.page.get_by_role("navigation", name=self.player.say("event.pages"))
        self.player.link(f"event.{name}", tabs).click()

    def confirm_game(self) -> str:
        """Play a game of one hand and confirm it; return the first player's points in thousands."""
        game = f"{self.path}/games/live-game"
        self.organiser.post(f"{game}/hands", id="live-hand", follows="", hand=BUST)
        self.organiser.post(f"{game}/confirm", head="live-hand", everybody=True)
        rows = self.organiser.get(f"{self.path}/standings")["stages"][0]["standings"]
        return next(f"{row['points'] / 1000:+.1f}" for row in rows if row["player"] == "p4")


def take_part(visit: Visit) -> None:
    """Find the event, register, and check in with the link that contains the code."""
    player, page = visit.player, visit.page
    page.goto("/")
    player.link_to("/events").first.click()
    player.link_to(f"/events/{visit.id}").click()
    player.see("event.counts.best", count=2)
    player.see("event.counts.carry_part", stage="리그", percent=50)
    player.press("event.register.go")
    player.see("event.register.playing", name="미나")
    player.check()
    page.goto(f"/events/{visit.id}?code={visit.event['code']}")
    player.press("event.register.check_in")
    player.see("event.register.checked_in")


def see_standings(visit: Visit) -> None:
    """Look at the ranks, the cut and unranked players.

    A confirmed game appears at once, and its hands can be opened from the standings.
    """
    player, page = visit.player, visit.page
    visit.tab("standings")
    player.see("event.table.cut", count=2)
    expected = ["1 가온 동", "2 라온 서", "3 다온 동", "4 나래 서", "– 마루 동", "– 미나"]
    expect(page.get_by_role("rowheader")).to_have_text(expected, use_inner_text=True)
    body = {"id": "live-game", "stage": "league", "players": ["p4", "p0", "p1", "p3"]}
    visit.organiser.post(f"{visit.path}/games", **body)
    points = visit.confirm_game()
    page.get_by_role("row").filter(has_text="마루").get_by_role("cell", name=points).wait_for()
    page.get_by_role("button", name="다온").click()
    player.see("event.table.sum_penalty", points="−20.0")
    player.check()
    page.get_by_role("button", name="마루").click()
    player.link_to(f"/events/{visit.id}/games/live-game").click()
    player.see("event.game.no_yaku")
    player.see("event.trust.locked", page.get_by_role("article"))
    player.check()


def see_player(visit: Visit) -> None:
    """Look at a player's points over time and the games they come from."""
    page = visit.page
    page.goto(f"/events/{visit.id}/players/p0")
    page.get_by_role("img", name="3대국 후").wait_for()
    games = page.get_by_role("main").get_by_role("list").filter(has=page.get_by_role("link")).last
    expect(games.get_by_role("listitem")).to_have_count(3)
    visit.player.check()


def see_live_tables(visit: Visit) -> None:
    """Look at a running table, whose scores are updated after each hand."""
    visit.tab("games")
    visit.player.link_to(f"/events/{visit.id}/games/first-game").wait_for()
    body = {"id": "now-playing", "stage": "league", "players": ["p1", "p2", "p3", "p4"], "label": "3번 탁자"}
    visit.organiser.post(f"{visit.path}/games", **body)
    live = visit.page.get_by_role("region", name=visit.player.say("event.list.live"))
    card = live.get_by_role("link", name="3번 탁자")
    card.wait_for()
    hand = {"id": "now-hand", "follows": "", "hand": {"end": "draw", "tenpai": [2]}}
    visit.organiser.post(f"{visit.path}/games/now-playing/hands", **hand)
    card.get_by_text("28,000").wait_for()


def see_report(visit: Visit) -> None:
    """Look at the report of the whole event and that of one day."""
    page = visit.page
    visit.tab("reports")
    page.get_by_role("row").filter(has_text="마루").first.wait_for()
    visit.player.field("event.report.day").select_option(index=1)
    page.get_by_role("columnheader", name=visit.player.say("report.change")).first.wait_for()
    visit.player.check()


def hide_standings(visit: Visit) -> None:
    """When standings are hidden, they disappear from open pages and from the big screen."""
    player, page = visit.player, visit.page
    page.goto(f"/events/{visit.id}/standings")
    page.get_by_role("table").wait_for()
    player.expect_fault("403")  # the page may request the standings before it is told that they are hidden
    answer = visit.organiser.http.patch(visit.path, json={"hidden_standings": True})
    assert answer.status_code == 200
    player.see("event.hidden")
    expect(page.get_by_role("table")).to_have_count(0)
    for path in ("games/first-game", "reports"):
        page.goto(f"/events/{visit.id}/{path}")
        player.see("event.hidden")
        expect(page.get_by_role("article")).to_have_count(0)
    assert page.request.get(f"{visit.path}/report").status == 403


def see_big_screen(visit: Visit) -> None:
    """The big screen shows standings and tables in turn, without scrolling, on projectors of common sizes."""
    page = visit.page
    page.goto(f"/screen/{visit.id}")
    rows = page.get_by_role("listitem")
    rows.filter(has_text="마루").wait_for()
    assert rows.locator("b").evaluate_all(ONE_LINE)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        visit.player.still()
        assert page.get_by_role("main").evaluate(BESIDE) == 0
        page.keyboard.press("ArrowRight")
        rows.first.wait_for()
    visit.player.resize("phone")


def test_an_event_from_registration_to_the_last_standings(parlour: str, stranger: MakeGuest) -> None:
    visit = Visit(parlour, stranger(language="ko").enter("미나"))
    take_part(visit)
    see_standings(visit)
    see_player(visit)
    see_live_tables(visit)
    see_report(visit)
    see_big_screen(visit)
    hide_standings(visit)
    visit.organiser.close()


STAGES: Final = [{"id": "main", "kind": "rounds"}, {"id": "free"}]


def open_event(stranger: MakeGuest) -> tuple[Guest, list[Guest], str]:
    """Create an event with a published round.

    Return the organiser at the desk, four registered guests and the id of the event.
    """
    organiser = stranger("desktop", "ko").register("온라인 주최자")
    event = organiser.post("events", {"name": "온라인 대회", "rules": "tenhou", "stages": STAGES})["id"]
    players = [stranger("phone", "ko").enter(name) for name in ("가온", "나래", "다온", "라온")]
    entries = [player.post(f"events/{event}/entries", {})["id"] for player in players]
    listed = [{"name": name, "id": name} for name in ("p1", "p2", "p3", "p4")]
    organiser.post(f"events/{event}/entries/list", {"entries": listed})
    rounds = [[entries[::-1], ["p1", "p2", "p3", "p4"]]]
    organiser.post(f"events/{event}/rounds/main/seating/import", {"rounds": rounds})
    organiser.post(f"events/{event}/rounds/main/publish", {})
    return organiser, players, event


def test_a_round_is_opened_online_and_paused(stranger: MakeGuest) -> None:
    organiser, players, event = open_event(stranger)
    desk = organiser.page
    desk.goto(f"/desk/{event}/rounds")
    organiser.press("desk.rounds.online")
    refused = desk.get_by_role("status").get_by_role("listitem")
    expect(refused).to_have_count(1)  # at this table no player has an account
    tables = desk.get_by_role("region", name=organiser.say("event.online.title"))
    end = organiser.button("event.online.end", tables)
    expect(end).to_have_count(1)
    organiser.check()
    for player in players:  # each player follows the link to the table and is ready
        player.page.goto(f"/events/{event}")
        way = player.link("event.online.go_mine").first
        way.wait_for()
        if player is players[0]:
            player.check()
        way.tap()
        player.button("web.room.say_ready").tap()
    for player in players:
        player.tiles.first.wait_for()
    desk.reload()
    organiser.press("event.online.halt")
    for player in players:
        player.see("web.table.halted")
    players[0].check()
    organiser.press("event.online.go_on")
    for player in players:
        expect(player.page.get_by_text(player.say("web.table.halted"))).to_have_count(0)
    end.click()
    organiser.confirm_question("정전")
    expect(end).to_have_count(0)
    organiser.button("desk.rounds.online_rest").wait_for()


def test_players_of_a_league_open_a_table_themselves(stranger: MakeGuest) -> None:
    _, players, event = open_event(stranger)
    first, second = players[0], players[1]
    first.page.goto(f"/events/{event}")
    first.button("event.online.open").tap()
    first.see("web.room.you")
    second.page.goto(f"/events/{event}")
    second.link("event.online.go_free").tap()
    second.button("web.room.sit").first.tap()
    second.see("web.room.you")
    tables: list[Any] = second.get(f"events/{event}/tables")["tables"]
    [free_table] = [table for table in tables if table["table"]["stage"] == "free"]
    assert free_table["problem"] is None
    assert sum(seat is not None for seat in free_table["table"]["seats"]) == 2


def bets(player: Guest) -> Any:
    part = player.page.get_by_role("region", name=player.say("event.bet.title"))
    return part.get_by_role("listitem")


def offer(player: Guest, stake: int, kind: str, number: int) -> None:
    """Offer the second player a bet and wait until there are ``number`` open offers."""
    player.press("event.bet.offer")
    player.field("event.bet.stake").fill(str(stake))
    player.page.get_by_role("radio", name=player.say(f"event.bet.{kind}")).check()
    player.press("event.bet.send")
    expect(bets(player).filter(has_text=player.say("event.bet.status.offered"))).to_have_count(number)


def test_a_bet_is_visible_only_to_its_two_players(parlour: str, stranger: MakeGuest) -> None:
    club = Club(parlour)
    table = club.game("bet-walk")
    first = stranger(language="ko").become(club.players[0])
    second = stranger("desktop", "ja").become(club.players[1])
    third = stranger(language="ko").become(club.players[2])
    game = f"/events/{club.id}/games/{table.id}"
    first.page.goto(game)
    offer(first, 1000, "per_1000", 1)
    offer(first, 500, "fixed", 2)
    first.button("event.bet.withdraw").first.click()
    first.see("event.bet.status.withdrawn")

    second.page.goto(f"/events/{club.id}")
    second.link("event.bet.waiting", count=1).click()
    second.press("event.bet.agree")
    second.confirm_question()
    second.see("event.bet.status.agreed")
    third.page.goto(game)
    third.button("event.bet.offer").wait_for()
    expect(bets(third)).to_have_count(0)
    first.check()

    table.enter(BUST)
    table.confirm()
    mine, theirs = table.view()["final"][:2]
    won = round(1000 * (mine - theirs) / 1000)
    bets(first).get_by_text(f"{won:+,}").wait_for()
    second.page.goto(f"/events/{club.id}/bets")
    expect(second.page.get_by_role("definition")).to_have_text([f"{-won:+,}".replace("-", "−")])

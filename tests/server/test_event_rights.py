"""Rights in an event: every route for every role, including organisers of other events.

A route without a row here makes a test fail.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import APIRoute

from jantaku.records import formats
from jantaku.server.app import create_app
from jantaku.server.run import prepare
from jantaku.server.settings import Settings
from server.clubs import BUST, DRAW, SCORES, Club, Visitor
from server.parlour import Message, fast_settings, open_server
from support.playing import played

EVERYBODY = (
    "nobody", "guest", "outsider", "entered", "player", "recorder", "referee", "organiser", "admin",
)  # fmt: skip
SIGNED_IN = EVERYBODY[1:]
WITH_ACCOUNT = EVERYBODY[2:]
CONCERNED = EVERYBODY[3:]
TABLE = EVERYBODY[4:]
RECORDERS = EVERYBODY[5:]
REFEREES = EVERYBODY[6:]
ORGANISERS = EVERYBODY[7:]
E = "/api/events/{event}"
ROOMS = ("/api/events", "/api/seasons")
Places = dict[str, Any]
_numbers = itertools.count()


@dataclass(frozen=True)
class Row:
    """A request, the roles that may send it, and the status for other people who are signed in.

    The path is relative to the event unless it begins with a slash. The role ``entered`` plays in the event,
    but not at the table of the game ``{game}``, where ``player`` sits.
    """

    request: str
    allowed: tuple[str, ...]
    body: Message | None = None
    refused: int = 403

    @property
    def method(self) -> str:
        return self.request.split(" ")[0]

    @property
    def path(self) -> str:
        path = self.request.split(" ")[1]
        return path if path.startswith("/") else f"{E}/{path}".removesuffix("/")

    def __str__(self) -> str:
        return f"{self.request} {self.body or ''}"


FILE = {"jantaku_event": 1, "name": "F", "players": [], "stages": [{"id": "a"}], "rules": "tenhou"}
NAME = {"name": "E"}
WHY = {"why": "w"}
SITTING = ["p0", "p1", "p2", "paper"]
START = {"id": "{new}", "stage": "league", "players": SITTING}
ENDED = {"scores": [25000] * 4}
CANCEL = {"status": "cancelled"} | WHY
WEBHOOK = {"url": "https://webhook.invalid/", "kinds": ["start"]}
PENALTY = {"stage": "league", "entry": "p1", "points": -1000} | WHY
LOG = formats.dumps(played("tenhou", 1), "tenhou", ["", "", "", ""])
SEASON = "/api/seasons/{season}"
SEATED = [["p0", "p1", "p2", "seated"]]
GETS: dict[tuple[str, ...], str] = {
    EVERYBODY: "/api/events /api/events/templates /api/seasons /api/seasons/templates invite"
    " qr.svg?page=screen standings statistics players/p1 team?name=Rights payments entries games games/{game}"
    f" export?format=json report tables screen rounds rounds/main {SEASON} {SEASON}/ranking",
    SIGNED_IN: "calls penalties bets",
    CONCERNED: "log",
    TABLE: "games/{game}/versions",
    RECORDERS: "doubts",
    ORGANISERS: "file entries/{entry}/facts claims cards names entries/{entry}/names export/ranking webhooks"
    f" {SEASON}/people",
}
ROWS = (
    Row("GET ", EVERYBODY),
    *(Row(f"GET {path}", allowed) for allowed, paths in GETS.items() for path in paths.split()),
    Row("POST /api/events", WITH_ACCOUNT, NAME),
    Row("POST /api/events/import", WITH_ACCOUNT, {"file": FILE}),
    Row("PATCH ", ORGANISERS, {"correction_min": 30}),
    Row("POST rules/preview", ORGANISERS, {"rules": "tenhou"}),
    Row("POST rules", ORGANISERS, {"rules": "tenhou", "seen": "{seen}", "why": "w"}),
    Row("POST status", ORGANISERS, {"status": "open"}),
    Row("POST staff", ORGANISERS, {"name": "{name}", "role": "recorder"}),
    Row("DELETE staff/{person}", ORGANISERS),
    Row("POST entries", SIGNED_IN, {"name": "new"}),
    Row("POST entries/list", ORGANISERS, {"entries": [{"name": "n"}]}),
    Row("POST entries/no-shows", ORGANISERS, {"entries": ["{entry}"]}),
    Row("POST entries/check-in", CONCERNED, {"code": "{code}"}, 404),
    Row("PATCH entries/{entry}", ORGANISERS, {"team": "T"}),
    Row("POST entries/{entry}/withdraw", ORGANISERS),
    Row("POST entries/{entry}/claim", ("guest", "outsider"), {"code": "{code}"}, 409),
    Row("POST claims/{claim}", ORGANISERS, {"state": "undone"}),
    Row("POST entries/{entry}/merge", ORGANISERS, {"into": "{other}"}),
    Row("POST entries/{entry}/erase", ORGANISERS),
    Row("POST entries/{entry}/erase", ORGANISERS, {"everywhere": True}),
    Row("PATCH entries/{entry}/names", ORGANISERS, {"real_name": "R"}),
    Row("POST games", TABLE, START),
    Row("POST games", TABLE, START | ENDED),
    Row("POST games/{game}/seats", REFEREES, {"players": SITTING, "revision": 1, "why": "w"}),
    Row("POST games/{game}/hands", TABLE, {"id": "{new}", "follows": "{head}", "hand": DRAW}),
    Row("POST games/{game}/preview", TABLE, {"hands": [DRAW]}),
    Row("POST games/{over}/confirm", TABLE, {"head": "{head}", "seat": 3}),
    Row("POST games/{over}/confirm", REFEREES, {"head": "{head}", "everybody": True}),
    Row("POST games/{game}/status", REFEREES, CANCEL),
    Row("POST games/{game}/points", REFEREES, ENDED | WHY),
    Row("POST games/{bare}/points", TABLE, ENDED),
    Row("POST games/{bare}/status", ("player", *REFEREES), CANCEL),
    Row("POST calls", CONCERNED, {"label": "there"}),
    Row("POST calls", TABLE, {"kind": "dispute", "game": "{game}", "version": "{head}"}),
    Row("POST calls/{call}/close", REFEREES, {"answer": "a"}),
    Row("POST doubts/1/clear", REFEREES, {"answer": "as it was played"}),
    Row("POST penalties", REFEREES, PENALTY),
    Row("POST penalties/{penalty}/cancel", REFEREES, WHY),
    Row("POST logs/preview", REFEREES, {"text": "{log}"}),
    Row("POST logs", REFEREES, {"text": "{log}", "stage": "league", "players": SITTING}),
    Row("POST tables", CONCERNED, {"stage": "league"}),
    Row("POST tables/rounds/main/{round}", REFEREES, {}),
    Row("POST tables/{table}", REFEREES, {"action": "end"} | WHY),
    Row("PUT rounds/main/settings", ORGANISERS, {"minutes": 60}),
    Row("POST rounds/main/seating", ORGANISERS, {"how": "random"}),
    Row("POST rounds/main/seating/cancel", ORGANISERS),
    Row("POST rounds/main/seating/import", ORGANISERS, {"rounds": [SEATED], "first": 60}),
    Row("POST rounds/main/seating/discard", ORGANISERS, {"numbers": [1]}),
    Row("POST rounds/main/publish", ORGANISERS, {"numbers": ["{draft}"]}),
    Row("POST rounds/main/{round}/start", REFEREES),
    Row("POST rounds/main/{round}/timer", REFEREES, {"extra_s": 60}),
    Row("POST rounds/main/{running}/finish", REFEREES, {"everything": True} | WHY),
    Row("POST rounds/main/{running}/take-back", REFEREES, WHY),
    Row("POST rounds/main/{running}/results", REFEREES, {"results": [{"table": 1, "scores": SCORES}]}),
    Row("POST rounds/main/{round}/tables/1/start", RECORDERS),
    Row("POST rounds/main/{running}/tables/1/finish", REFEREES, WHY),
    Row("POST rounds/main/{round}/seats", REFEREES, {"tables": {"1": SITTING}}),
    Row("POST rounds/main/absences", RECORDERS, {"entry": "paper", "first": 60}),
    Row("POST rounds/main/replace", REFEREES, {"entry": "paper", "by": "{entry}", "first": "{draft}"}),
    Row("POST bets", ("player",), {"game": "{game}", "entry": "p1", "stake": 5}),
    Row("POST bets/{bet}/answer", ("player",), {"answer": "withdrawn"}, 404),
    Row("POST /api/seasons", WITH_ACCOUNT, NAME),
    Row(f"PATCH {SEASON}", ORGANISERS, {"cut": 5}),
    Row(f"POST {SEASON}/finalists", ORGANISERS, {"part": "a"}),
    Row(f"POST {SEASON}/people/{{first}}/merge", ORGANISERS, {"into": "{second}"}),
    Row(f"POST {SEASON}/people/{{first}}/separate", ORGANISERS, {"part": "a"}),
    Row("POST webhooks", ORGANISERS, WEBHOOK),
    Row("POST webhooks/{webhook}/send", ORGANISERS, {"kind": "test"}),
    Row("DELETE webhooks/{webhook}", ORGANISERS),
)


def test_every_route_of_events_has_a_row() -> None:
    covered = {(row.method, row.path.partition("?")[0]) for row in ROWS}
    for route in create_app(Settings()).routes:
        if isinstance(route, APIRoute) and route.path.startswith(ROOMS):
            shapes = [path for method, path in covered if method in (route.methods or ())]
            assert any(map(route.path_regex.match, shapes)), f"{route.methods} {route.path} has no row"


class Cast(Club):
    """An event with a person in every role, outsiders, and new objects for each request."""

    def __init__(self, url: str, admin: Visitor) -> None:
        super().__init__(url)
        self.last_round, self.season = 0, ""
        self.add({"name": "Paper", "id": "paper", "team": "Rights"}, "seated")
        self.others: dict[str, Visitor] = {
            "entered": self.account("entered"),
            "player": self.players[0],
            "recorder": self.recorder,
            "referee": self.referee,
            "organiser": self.organiser,
            "admin": admin,
        }
        for person in (*self.others.values(), self.players[1]):
            person.post(f"{self.at}/entries")

    def one(self, role: str) -> Visitor:
        """Return a person in a role; for roles outside the event, the person is new each time."""
        if role in self.others:
            return self.others[role]
        return (
            self.account(role) if role == "outsider" else Visitor(self.url, role if role == "guest" else None)
        )

    def places(self, row: Row) -> Places:
        """Return values for the placeholders of a row, each of which refers to a new object."""
        known: Places = {"event": self.id, "code": self.organiser.get()["code"], "log": LOG}
        if "/seating" in row.path:
            self.run("seating/cancel")  # the previous request may have started it
        for name in re.findall(r"\{(\w+)\}", f"{row.path} {row.body}"):
            if name not in known:
                known[name] = getattr(self, f"new_{name}")(known)
        return known

    def new_new(self, _: Places) -> str:
        return f"new-{next(_numbers):06}"

    def new_entry(self, known: Places) -> str:
        entry, known["other"] = f"e{next(_numbers)}", f"e{next(_numbers)}"
        self.add(entry, known["other"])
        return entry

    def new_name(self, _: Places) -> str:
        return self.account("helper").name

    def new_person(self, _: Places) -> str:
        return str(self.staff("recorder").id)

    def new_seen(self, _: Places) -> Any:
        return self.organiser.post("rules/preview", rules="tenhou")["seen"]

    def new_bare(self, _: Places) -> str:
        return self.game(self.new_new({}), self.recorder, players=SITTING).id

    def new_game(self, known: Places, hand: Message = DRAW) -> str:
        game = self.game(self.new_new({}), self.recorder, players=SITTING)
        game.enter(hand)
        known["head"] = game.head
        return game.id

    def new_over(self, known: Places) -> str:
        return self.new_game(known, BUST)

    def new_draft(self, _: Places, tables: list[list[str]] | None = None) -> int:
        self.run("seating/cancel")
        self.run("seating/discard")  # possibly round 60, the last one
        number: int = min({*range(1, 60)} - {round_["number"] for round_ in self.view_rounds()["rounds"]})
        self.last_round = max(self.last_round, number)
        self.run("seating/import", rounds=[tables or [SITTING]], first=number)
        return number

    def new_round(self, known: Places, *, start: bool = False) -> int:
        number = self.new_draft(known, SEATED)
        self.run("publish", start=start)
        return number

    def new_running(self, known: Places) -> int:
        return self.new_round(known, start=True)

    def new_call(self, _: Places) -> Any:
        player = self.players[1]
        for call in player.get("calls")["calls"]:
            player.post(f"calls/{call['number']}/close")
        return player.post("calls")["calls"][-1]["number"]

    def new_claim(self, known: Places) -> Any:
        self.guest("claimant").post(f"entries/{self.new_entry(known)}/claim")
        return self.organiser.get("claims")["claims"][0]["number"]

    def new_webhook(self, _: Places) -> Any:
        for webhook in self.organiser.get("webhooks")["webhooks"]:
            self.organiser.delete(f"webhooks/{webhook['id']}")
        return self.organiser.post("webhooks", **WEBHOOK)["webhooks"][0]["id"]

    def new_penalty(self, _: Places) -> Any:
        penalty = PENALTY | {"why": f"w{next(_numbers)}"}
        return self.referee.post("penalties", **penalty)["penalties"][-1]["number"]

    def new_bet(self, known: Places) -> Any:
        body = {"game": self.new_game(known), "entry": "p1", "stake": 5}
        return self.players[0].post("bets", **body)["bets"][-1]["number"]

    def new_table(self, _: Places) -> Any:
        return self.recorder.post("tables", stage="league")["id"]

    def new_season(self, known: Places) -> str:
        if not self.season:
            parts = [{"id": "a", "event": self.id}]
            self.season = self.organiser.post("/api/seasons", **NAME, parts=parts)["id"]
        names = [self.new_entry(known).title(), known["other"].title()]
        people = self.organiser.get(f"/api/seasons/{self.season}/people")["people"]
        players = {one["name"]: one["player"] for one in people}
        known["first"], known["second"] = (players[name] for name in names)
        return self.season


def filled(value: Any, places: Places) -> Any:
    """Replace the placeholders in a body."""
    if isinstance(value, dict):
        return {name: filled(part, places) for name, part in value.items()}
    if isinstance(value, list):
        return [filled(part, places) for part in value]
    return places.get(value[1:-1], value) if isinstance(value, str) else value


def answer(row: Row, places: Places, who: Visitor) -> Any:
    """Send a request with its placeholders replaced."""
    method, path = row.request.split(" ")[0], row.path.format(**places)
    return who.send(method, path, **(filled(row.body or {}, places) if method != "GET" else {}))


@pytest.fixture(scope="module")
def casts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Cast]]:
    """Two events on one server."""
    settings = fast_settings(tmp_path_factory.mktemp("cast"))
    token = prepare(settings, admin=False)
    with open_server(settings) as url:
        admin = Visitor(url)
        admin.post("/api/enter", token=token)
        yield [Cast(url, admin) for _ in range(2)]


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_role_has_exactly_the_listed_rights(casts: list[Cast], row: Row) -> None:
    cast = min(casts, key=lambda one: one.last_round)  # one stage cannot hold the rounds of all tests
    places = cast.places(row)
    for role in EVERYBODY:
        if role not in row.allowed:
            refusal = answer(row, places, cast.one(role))
            assert refusal.status_code == (401 if role == "nobody" else row.refused), (role, refusal.text)
            assert refusal.json()["error"]["message"]
    for role in row.allowed:
        accepted = answer(row, places, cast.one(role))
        assert accepted.status_code == 200, (role, accepted.text)
        places = cast.places(row)


PAGES = ("file", "log", "entries", "claims", "cards", "calls", "bets", "tables", "names")
OTHERS = [row for row in ROWS if row.path.startswith(E) and "{" in row.path[len(E) :]]
# Removing a person who has no role changes nothing; rounds and calls are numbered within their event
OWN = ("{person}", "/rounds/", "{call}")


@pytest.mark.slow
@pytest.mark.parametrize("row", OTHERS, ids=str)
def test_objects_of_one_event_cannot_be_reached_through_another(casts: list[Cast], row: Row) -> None:
    theirs, mine = casts
    places = theirs.places(row)
    before = [theirs.organiser.get(page) for page in PAGES]
    refusal = answer(row, places | {"event": mine.id}, mine.organiser)
    assert 400 <= refusal.status_code < 500 or any(part in row.path for part in OWN), refusal.text
    assert [theirs.organiser.get(page) for page in PAGES] == before

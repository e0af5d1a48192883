"""Rights in an event: every route, for everybody from strangers to the admin.

A route without a row here fails a test.
"""

import itertools
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.routing import APIRoute

from jantaku.records import formats
from jantaku.server.app import create_app
from jantaku.server.run import prepare
from jantaku.server.settings import Settings
from server.clubs import DRAW, Gathering, member
from server.parlour import Person, open_server, quick
from support.playing import played

EVERYBODY = (
    "nobody", "guest", "outsider", "entered", "player", "recorder", "referee", "organiser", "admin",
)  # fmt: skip
SIGNED_IN = EVERYBODY[1:]
WITH_ACCOUNT = EVERYBODY[2:]
CONCERNED = EVERYBODY[3:]
TABLE = ("player", "recorder", "referee", "organiser", "admin")
RECORDERS = ("recorder", "referee", "organiser", "admin")
REFEREES = ("referee", "organiser", "admin")
ORGANISERS = ("organiser", "admin")
NOBODY: tuple[str, ...] = ()
_numbers = itertools.count()


@dataclass(frozen=True)
class Row:
    """A request, who is let through, and the status with which other people who are signed in are refused.

    ``entered`` plays in the event, but not at the table of ``{game}``, where ``player`` sits.
    """

    method: str
    path: str
    allowed: tuple[str, ...]
    body: dict[str, Any] | None = None
    refused: int = 403
    signed_out: int = field(default=401)

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.body or ''}"


FILE = {
    "jantaku_event": 1, "name": "F", "players": [], "stages": [{"id": "a"}], "rules": "tenhou",
}  # fmt: skip
NAME = {"name": "E"}
BUST = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 4}]}
REPLACE = {"entry": "paper", "by": "{entry}", "first": "{draft}"}
SEATS = {"players": "{sitting}", "revision": 1, "why": "w"}
RESULT = {"table": 1, "scores": [40000, 30000, 20000, 10000]}
ENDED = [25000] * 4
WEBHOOK = {"url": "https://webhook.invalid/", "kinds": ["start"]}
STAGES = [{"id": "league"}, {"id": "main", "kind": "rounds"}]
PENALTY = {"stage": "league", "entry": "{playing}", "points": -1000, "why": "w"}
LOG = formats.dumps(played("tenhou", 1), "tenhou", ["", "", "", ""])
E = "/api/events/{event}"
ROOMS = ("/api/events", "/api/seasons")
ROWS = (
    Row("GET", "/api/events", EVERYBODY),
    Row("GET", "/api/events/templates", EVERYBODY),
    Row("POST", "/api/events", WITH_ACCOUNT, NAME),
    Row("POST", "/api/events/import", WITH_ACCOUNT, {"file": FILE}),
    Row("GET", E, EVERYBODY),
    Row("PATCH", E, ORGANISERS, {"correction_min": 30}),
    Row("POST", f"{E}/rules/preview", ORGANISERS, {"rules": "tenhou"}),
    Row("POST", f"{E}/rules", ORGANISERS, {"rules": "tenhou", "seen": "{seen}", "why": "w"}),
    Row("POST", f"{E}/entries/no-shows", ORGANISERS, {"entries": ["{entry}"]}),
    Row("POST", f"{E}/games/{{game}}/seats", REFEREES, SEATS),
    Row("POST", f"{E}/status", ORGANISERS, {"status": "open"}),
    Row("GET", f"{E}/file", ORGANISERS),
    Row("GET", f"{E}/invite", EVERYBODY),
    Row("GET", f"{E}/qr.svg?page=screen", EVERYBODY),
    Row("GET", f"{E}/standings", EVERYBODY),
    Row("GET", f"{E}/statistics", EVERYBODY),
    Row("GET", f"{E}/players/{{playing}}", EVERYBODY),
    Row("GET", f"{E}/team?name=Rights", EVERYBODY),
    Row("GET", f"{E}/payments", EVERYBODY),
    Row("POST", f"{E}/staff", ORGANISERS, {"name": "{name}", "role": "recorder"}),
    Row("DELETE", f"{E}/staff/{{person}}", ORGANISERS),
    Row("GET", f"{E}/entries", EVERYBODY),
    Row("POST", f"{E}/entries", SIGNED_IN, {"name": "new"}),
    Row("POST", f"{E}/entries/list", ORGANISERS, {"entries": [{"name": "n"}]}),
    Row("POST", f"{E}/entries/check-in", CONCERNED, {"code": "{code}"}, 404),
    Row("PATCH", f"{E}/entries/{{entry}}", ORGANISERS, {"team": "T"}),
    Row("POST", f"{E}/entries/{{entry}}/withdraw", ORGANISERS),
    Row("POST", f"{E}/entries/{{entry}}/claim", ("guest", "outsider"), {"code": "{code}"}, 409),
    Row("GET", f"{E}/entries/{{entry}}/facts", ORGANISERS),
    Row("GET", f"{E}/claims", ORGANISERS),
    Row("GET", f"{E}/cards", ORGANISERS),
    Row("POST", f"{E}/claims/{{claim}}", ORGANISERS, {"state": "undone"}),
    Row("POST", f"{E}/entries/{{entry}}/merge", ORGANISERS, {"into": "{other}"}),
    Row("GET", f"{E}/games", EVERYBODY),
    Row("POST", f"{E}/games", TABLE, {"id": "{new}", "stage": "league", "players": "{sitting}"}),
    Row(
        "POST",
        f"{E}/games",
        TABLE,
        {"id": "{new}", "stage": "league", "players": "{sitting}", "scores": ENDED},
    ),
    Row("GET", f"{E}/games/{{game}}", EVERYBODY),
    Row("GET", f"{E}/games/{{game}}/versions", TABLE),
    Row("POST", f"{E}/games/{{game}}/hands", TABLE, {"id": "{new}", "follows": "{head}", "hand": DRAW}),
    Row("POST", f"{E}/games/{{game}}/preview", TABLE, {"hands": [DRAW]}),
    Row("POST", f"{E}/games/{{over}}/confirm", TABLE, {"head": "{head}", "seat": 3}),
    Row("POST", f"{E}/games/{{over}}/confirm", REFEREES, {"head": "{head}", "everybody": True}),
    Row("POST", f"{E}/games/{{game}}/status", REFEREES, {"status": "cancelled", "why": "w"}),
    Row("POST", f"{E}/games/{{game}}/points", REFEREES, {"scores": ENDED, "why": "w"}),
    Row("POST", f"{E}/games/{{bare}}/points", TABLE, {"scores": ENDED}),
    Row("POST", f"{E}/games/{{bare}}/status", ("player", *REFEREES), {"status": "cancelled", "why": "w"}),
    Row("GET", f"{E}/calls", SIGNED_IN),
    Row("POST", f"{E}/calls", CONCERNED, {"label": "there"}),
    Row("POST", f"{E}/calls", TABLE, {"kind": "dispute", "game": "{game}", "version": "{head}"}),
    Row("POST", f"{E}/calls/{{call}}/close", REFEREES, {"answer": "a"}),
    Row("GET", f"{E}/doubts", RECORDERS),
    Row("POST", f"{E}/doubts/1/clear", REFEREES, {"answer": "as it was played"}),
    Row("GET", f"{E}/penalties", SIGNED_IN),
    Row("POST", f"{E}/penalties", REFEREES, PENALTY),
    Row("POST", f"{E}/penalties/{{penalty}}/cancel", REFEREES, {"why": "w"}),
    Row("GET", f"{E}/log", CONCERNED),
    Row("POST", f"{E}/entries/{{entry}}/erase", ORGANISERS),
    Row("POST", f"{E}/entries/{{entry}}/erase", ORGANISERS, {"everywhere": True}),
    Row("POST", f"{E}/logs/preview", REFEREES, {"text": "{log}"}),
    Row("POST", f"{E}/logs", REFEREES, {"text": "{log}", "stage": "league", "players": "{sitting}"}),
    Row("GET", f"{E}/names", ORGANISERS),
    Row("GET", f"{E}/entries/{{entry}}/names", ORGANISERS),
    Row("PATCH", f"{E}/entries/{{entry}}/names", ORGANISERS, {"real_name": "R"}),
    Row("GET", f"{E}/export?format=json", EVERYBODY),
    Row("GET", f"{E}/report", EVERYBODY),
    Row("GET", f"{E}/export/ranking", ORGANISERS),
    Row("GET", f"{E}/tables", EVERYBODY),
    Row("POST", f"{E}/tables", CONCERNED, {"stage": "league"}),
    Row("GET", f"{E}/screen", EVERYBODY),
    Row("POST", f"{E}/tables/rounds/main/{{round}}", REFEREES, {}),
    Row("POST", f"{E}/tables/{{table}}", REFEREES, {"action": "end", "why": "w"}),
    Row("GET", f"{E}/rounds", EVERYBODY),
    Row("GET", f"{E}/rounds/main", EVERYBODY),
    Row("PUT", f"{E}/rounds/main/settings", ORGANISERS, {"minutes": 60}),
    Row("POST", f"{E}/rounds/main/seating", ORGANISERS, {"how": "random"}),
    Row("POST", f"{E}/rounds/main/seating/cancel", ORGANISERS),
    Row("POST", f"{E}/rounds/main/seating/import", ORGANISERS, {"rounds": ["{drafted}"], "first": 60}),
    Row("POST", f"{E}/rounds/main/seating/discard", ORGANISERS, {"numbers": [1]}),
    Row("POST", f"{E}/rounds/main/publish", ORGANISERS, {"numbers": ["{draft}"]}),
    Row("POST", f"{E}/rounds/main/{{round}}/start", REFEREES),
    Row("POST", f"{E}/rounds/main/{{round}}/timer", REFEREES, {"extra_s": 60}),
    Row("POST", f"{E}/rounds/main/{{running}}/finish", REFEREES, {"everything": True, "why": "w"}),
    Row("POST", f"{E}/rounds/main/{{running}}/take-back", REFEREES, {"why": "w"}),
    Row("POST", f"{E}/rounds/main/{{running}}/results", REFEREES, {"results": [RESULT]}),
    Row("POST", f"{E}/rounds/main/{{round}}/tables/1/start", RECORDERS),
    Row("POST", f"{E}/rounds/main/{{running}}/tables/1/finish", REFEREES, {"why": "w"}),
    Row("GET", f"{E}/bets", SIGNED_IN),
    Row("POST", f"{E}/bets", ("player",), {"game": "{game}", "entry": "{playing}", "stake": 5}),
    Row("POST", f"{E}/bets/{{bet}}/answer", ("player",), {"answer": "withdrawn"}, 404),
    Row("GET", "/api/seasons", EVERYBODY),
    Row("GET", "/api/seasons/templates", EVERYBODY),
    Row("POST", "/api/seasons", WITH_ACCOUNT, NAME),
    Row("GET", "/api/seasons/{season}", EVERYBODY),
    Row("PATCH", "/api/seasons/{season}", ORGANISERS, {"cut": 5}),
    Row("GET", "/api/seasons/{season}/ranking", EVERYBODY),
    Row("POST", "/api/seasons/{season}/finalists", ORGANISERS, {"part": "a"}),
    Row("GET", "/api/seasons/{season}/people", ORGANISERS),
    Row("POST", "/api/seasons/{season}/people/{first}/merge", ORGANISERS, {"into": "{second}"}),
    Row("POST", "/api/seasons/{season}/people/{first}/separate", ORGANISERS, {"part": "a"}),
    Row("POST", f"{E}/rounds/main/{{round}}/seats", REFEREES, {"tables": {"1": "{sitting}"}}),
    Row("POST", f"{E}/rounds/main/absences", RECORDERS, {"entry": "paper", "first": 60}),
    Row("POST", f"{E}/rounds/main/replace", REFEREES, REPLACE),
    Row("POST", f"{E}/webhooks", ORGANISERS, WEBHOOK),
    Row("GET", f"{E}/webhooks", ORGANISERS),
    Row("POST", f"{E}/webhooks/{{webhook}}/send", ORGANISERS, {"kind": "test"}),
    Row("DELETE", f"{E}/webhooks/{{webhook}}", ORGANISERS),
)


def event_routes() -> list[APIRoute]:
    """The routes of events."""
    routes = create_app(Settings()).routes
    return [route for route in routes if isinstance(route, APIRoute) and route.path.startswith(ROOMS)]


def test_every_route_of_events_has_a_row() -> None:
    asked = {(row.method, row.path.partition("?")[0]) for row in ROWS}
    for route in event_routes():
        shapes = [
            route.path_regex.match(path.split("?")[0])
            for method, path in asked
            if method in (route.methods or ())
        ]
        assert any(shapes), f"{route.methods} {route.path} stands in no row"


class Cast(Gathering):
    """An event with everybody in it, somebody who plays elsewhere, and fresh things for each request."""

    def __init__(self, url: str, admin: Person) -> None:
        super().__init__(url, rules="tenhou", stages=STAGES)
        self.admin, self.last_round, self.season = admin, 0, ""
        self.organiser.post(
            f"{self.path}/entries/list", entries=[{"name": "Paper", "id": "paper", "team": "Rights"}]
        )
        self.organiser.post(f"{self.path}/entries/list", entries=[{"name": "Seated", "id": "seated"}])
        self.entered = member(url, "entered")
        self.others = {
            "entered": self.entered,
            "player": self.players[0],
            "recorder": self.recorder,
            "referee": self.referee,
            "organiser": self.organiser,
            "admin": self.admin,
        }
        for person in self.others.values():
            person.post(f"{self.path}/entries")

    def one(self, role: str) -> Person:
        """Somebody in a role; strangers are new each time."""
        if role in self.others:
            return self.others[role]
        if role == "outsider":
            return member(self.url, "outsider")
        return Person(self.url, None if role == "nobody" else role)

    def places(self, row: Row) -> dict[str, Any]:
        """The values of the placeholders in a row."""
        known: dict[str, Any] = {"event": self.id, "code": str(self.view()["code"]), "log": LOG}
        wanted = f"{row.path} {row.body}"
        if "{entry}" in wanted:
            ids = [f"e{next(_numbers)}", f"e{next(_numbers)}"]
            listed = [{"name": entry, "id": entry} for entry in ids]
            self.organiser.post(f"{self.path}/entries/list", entries=listed)
            known |= {"entry": ids[0], "other": ids[1]}
        if "{name}" in wanted or "{person}" in wanted:
            with closing(member(self.url, "helper")) as helper:
                name = helper.get("/api/me")["person"]["name"]
                known |= {"name": name, "person": helper.id}
            if "{person}" in wanted:
                self.organiser.post(f"{self.path}/staff", name=name, role="recorder")
        if "{seen}" in wanted:
            preview = self.organiser.post(f"{self.path}/rules/preview", rules="tenhou")
            known["seen"] = preview["seen"]
        return known | self.at_the_desk(wanted) | self.at_the_table(wanted) | self.in_the_rounds(wanted)

    def at_the_table(self, wanted: str) -> dict[str, Any]:
        """Four players, and a game of theirs with one hand after which it is over or not."""
        values = {"new": f"new-{next(_numbers):06}", "sitting": [*self.entries[:3], "paper"]}
        if "{bare}" in wanted:
            values["bare"] = f"bare-{next(_numbers):06}"
            body = {"id": values["bare"], "stage": "league", "players": values["sitting"]}
            self.recorder.post(f"{self.path}/games", **body)
        for name, hand in (("game", DRAW), ("over", BUST)):
            if f"{{{name}}}" in wanted:
                game, values["head"] = f"game-{next(_numbers):06}", f"hand-{next(_numbers):06}"
                body = {"id": game, "stage": "league", "players": values["sitting"]}
                self.recorder.post(f"{self.path}/games", **body)
                entry = {"id": values["head"], "follows": "", "hand": hand}
                self.recorder.post(f"{self.path}/games/{game}/hands", **entry)
                values[name] = game
        return values

    def in_the_rounds(self, wanted: str) -> dict[str, Any]:
        """Rounds of one table: a draft, a published one, one that is being played."""
        path, rounds = f"{self.path}/rounds/main", dict[str, Any]()
        tables, replaced = ([[*self.entries[:3], fourth]] for fourth in ("seated", "paper"))
        self.organiser.post(f"{path}/seating/cancel")
        self.organiser.post(f"{path}/seating/discard")  # perhaps round 60, the last one
        for name in ("drafted", "draft", "round", "running"):
            if f"{{{name}}}" in wanted or f"'{{{name}}}'" in wanted:
                self.organiser.post(f"{path}/seating/discard")
                numbers = {round_["number"] for round_ in self.organiser.get(path)["rounds"]}
                rounds[name] = number = min(set(range(1, 60)) - numbers)
                self.last_round = max(self.last_round, number)
                if name != "drafted":
                    self.organiser.post(
                        f"{path}/seating/import",
                        rounds=[replaced if name == "draft" else tables],
                        first=number,
                    )
                if name in ("round", "running"):
                    self.organiser.post(f"{path}/publish", start=name == "running")
        return rounds | {"drafted": tables}

    def at_the_desk(self, wanted: str) -> dict[str, Any]:
        """An entry, a call and a penalty."""
        desk: dict[str, Any] = {"playing": self.entries[1]}
        if "{call}" in wanted:
            for old in self.players[1].get(f"{self.path}/calls")["calls"]:
                self.players[1].post(f"{self.path}/calls/{old['number']}/close")
            desk["call"] = self.players[1].post(f"{self.path}/calls")["calls"][-1]["number"]
        if "{claim}" in wanted:
            entry = f"e{next(_numbers)}"
            self.organiser.post(f"{self.path}/entries/list", entries=[{"name": entry, "id": entry}])
            with closing(Person(self.url, "claimant")) as guest:
                guest.post(f"{self.path}/entries/{entry}/claim")
            desk["claim"] = self.organiser.get(f"{self.path}/claims")["claims"][0]["number"]
        if "webhook" in wanted:
            path = f"{self.path}/webhooks"
            for webhook in self.organiser.get(path)["webhooks"]:
                self.organiser.http.delete(f"{path}/{webhook['id']}").raise_for_status()
            desk["webhook"] = self.organiser.post(path, **WEBHOOK)["webhooks"][0]["id"]
        if "{penalty}" in wanted:
            body = PENALTY | {"entry": self.entries[1], "why": f"w{next(_numbers)}"}
            desk["penalty"] = self.referee.post(f"{self.path}/penalties", **body)["penalties"][-1]["number"]
        if "{bet}" in wanted:
            game = self.at_the_table("{game}")["game"]
            body = {"game": game, "entry": self.entries[1], "stake": 5}
            bets = self.players[0].post(f"{self.path}/bets", **body)["bets"]
            desk["bet"] = bets[-1]["number"]
        if "{table}" in wanted:
            desk["table"] = self.recorder.post(f"{self.path}/tables", stage="league")["id"]
        if "{season}" in wanted:
            parts = [{"id": "a", "event": self.id}]
            self.season = self.season or self.organiser.post("/api/seasons", **NAME, parts=parts)["id"]
            desk["season"] = self.season
            names = [f"Season {next(_numbers)}" for _ in range(2)]
            listed = [{"name": name} for name in names]
            self.organiser.post(f"{self.path}/entries/list", entries=listed)
            people = self.organiser.get(f"/api/seasons/{desk['season']}/people")["people"]
            players = {one["name"]: one["player"] for one in people}
            desk["first"], desk["second"] = (players[name] for name in names)
        return desk

    def close(self) -> None:
        super().close()
        self.entered.close()


@pytest.fixture(scope="module")
def parlour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Person]]:
    """A server and its admin."""
    settings = quick(tmp_path_factory.mktemp("cast"))
    token = prepare(settings, admin=False)
    assert token is not None
    with open_server(settings) as url, closing(Person(url)) as admin:
        admin.post("/api/enter", token=token)
        yield url, admin


@pytest.fixture(scope="module")
def casts(parlour: tuple[str, Person]) -> Iterator[list[Cast]]:
    """Two casts, since one stage has no room for the rounds of all tests."""
    with ExitStack() as stack:
        yield [stack.enter_context(closing(Cast(*parlour))) for _ in range(2)]


@pytest.fixture
def cast(casts: list[Cast]) -> Cast:
    """The cast with the most room for rounds."""
    return min(casts, key=lambda one: one.last_round)


def filled(value: Any, places: dict[str, Any]) -> Any:
    """A body with its placeholders filled in."""
    if isinstance(value, dict):
        return {name: filled(part, places) for name, part in value.items()}
    if isinstance(value, list):
        return [filled(part, places) for part in value]
    return places.get(value[1:-1], value) if isinstance(value, str) else value


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_role_has_exactly_the_listed_rights(cast: Cast, row: Row) -> None:
    for role in EVERYBODY:
        places, who = cast.places(row), cast.one(role)
        body = None if row.method in ("GET", "DELETE") else filled(row.body or {}, places)
        answer = who.http.request(row.method, row.path.format(**places), json=body)
        if role in row.allowed:
            assert answer.status_code == 200, (role, answer.text)
        else:
            refusal = row.signed_out if role == "nobody" else row.refused
            assert answer.status_code == refusal, (role, answer.text)
            assert answer.json()["error"]["message"]
        if role not in cast.others:
            who.close()

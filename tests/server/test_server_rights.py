"""Rights: every address and every message, for every role from nobody to the admin.

A route or a message without a row here fails a test.
"""

import base64
import itertools
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute

from booklet.test_booklet_files import png
from jantaku.server.app import create_app
from jantaku.server.edge import client_messages
from jantaku.server.run import prepare
from jantaku.server.settings import Settings
from server.parlour import LOOSE, Line, Message, Person, close_code, open_server, quick
from server.receiver import browser_keys

PASSWORD = "correct horse"
EVERYBODY = ("nobody", "guest", "player", "seated", "referee", "organiser", "admin")
SIGNED_IN = EVERYBODY[1:]
GUESTS = ("nobody", "guest", "seated")
COMMENTATORS = ("referee", "organiser", "admin")
ORGANISERS = ("organiser", "admin")
ADMIN = ("admin",)
WITHOUT_PASSWORD = ("player", *COMMENTATORS)  # accounts that entered by a link set their first password
NOBODY: tuple[str, ...] = ()
Refused = tuple[int, int]  # the status for nobody, and for the others
USUAL: Refused = (401, 403)
_names = itertools.count()


@dataclass(frozen=True)
class Row:
    """A request, who is let through, and how the others are refused.

    ``{table}`` waits with a bot in seat 3, ``{playing}`` plays; ``seated`` sits at each, its owner is
    somebody else, who has also saved ``{rules}``. ``{game}`` is over, and there is no ``{going}``.
    """

    method: str
    path: str
    body: dict[str, Any] | None
    allowed: tuple[str, ...]
    refused: Refused = USUAL

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


ACCOUNTS = tuple(one for one in EVERYBODY if one not in GUESTS)
LINE = {"family": "standard", "length": "east", "players": 4}
WIN = {"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo"}
PICTURE = base64.b64encode(png(30, 20)).decode()
LOG = {"text": "{log}", "name": "log"}
RULES_QUESTION = {"toml": 'extends = "tenhou"', "games": 2}
MOMENT_QUESTION = {"source": "games", "step": 0, "games": 2}
ROWS = (
    Row("GET", "/api/health", None, EVERYBODY),
    Row("GET", "/api/ready", None, EVERYBODY),
    Row("GET", "/api/terms/ko", None, EVERYBODY),
    Row("GET", "/api/me", None, EVERYBODY),
    Row("PATCH", "/api/me", {"language": "en"}, SIGNED_IN),
    Row("POST", "/api/guest", {"name": "new"}, EVERYBODY),
    Row("POST", "/api/register", {"name": "{name}", "password": PASSWORD}, GUESTS, (0, 409)),
    Row("POST", "/api/login", {"name": "owner", "password": PASSWORD}, EVERYBODY),
    Row("POST", "/api/enter", {"token": "{token}"}, EVERYBODY),
    Row("POST", "/api/logout", None, EVERYBODY),
    Row("POST", "/api/password", {"new": PASSWORD}, WITHOUT_PASSWORD, (401, 403)),
    Row("GET", "/api/recovery", None, SIGNED_IN),
    Row("POST", "/api/recovery", {}, WITHOUT_PASSWORD, (401, 403)),
    Row("PUT", "/api/me/picture", {"picture": PICTURE}, ACCOUNTS),
    Row("DELETE", "/api/me/picture", None, SIGNED_IN),
    Row("GET", "/api/pictures", None, ORGANISERS),
    Row("GET", f"/api/people/{{owner}}/picture/{'0' * 16}", None, NOBODY, (404, 404)),
    Row("POST", "/api/people/{owner}/picture/report", None, ACCOUNTS),
    Row("DELETE", "/api/people/nobody/picture", None, ORGANISERS),
    Row("POST", "/api/people/nobody/picture/keep", None, ORGANISERS),
    Row("GET", "/api/me/ways", None, SIGNED_IN),
    Row("POST", "/api/me/address", {"address": "a@example.org"}, NOBODY, (401, 409)),
    Row("POST", "/api/me/address/remove", {}, WITHOUT_PASSWORD, (401, 403)),
    Row("POST", "/api/address/confirm", {"token": "x"}, NOBODY, (401, 401)),
    Row("POST", "/api/forgotten", {"address": "a@example.org"}, NOBODY, (409, 409)),
    Row("POST", "/api/forgotten/password", {"token": "x", "password": PASSWORD}, NOBODY, (401, 401)),
    Row("POST", "/api/me/passkeys/begin", {}, WITHOUT_PASSWORD, (401, 403)),
    Row("POST", "/api/me/passkeys", {"credential": "{}"}, NOBODY, (401, 403)),
    Row("DELETE", f"/api/me/passkeys/{'0' * 64}", None, NOBODY, (401, 404)),
    Row("POST", "/api/passkey/begin", None, EVERYBODY),
    Row("POST", "/api/passkey", {"credential": "{}"}, NOBODY, (403, 403)),
    Row("POST", "/api/oidc", {}, NOBODY, (409, 409)),
    Row("DELETE", "/api/me/oidc", None, NOBODY, (401, 409)),
    Row("POST", "/api/recover", {"name": "Mina", "code": "x", "password": PASSWORD}, NOBODY, (403, 403)),
    Row("GET", "/api/sessions", None, SIGNED_IN),
    Row("DELETE", "/api/sessions", None, SIGNED_IN),
    Row("DELETE", "/api/sessions/{session}", None, SIGNED_IN),
    Row("POST", "/api/link", {}, SIGNED_IN),
    Row("POST", "/api/link", {"name": "someone", "role": "referee"}, ADMIN),
    Row("POST", "/api/me/erase", {}, SIGNED_IN),
    Row("GET", "/api/ranked", None, SIGNED_IN),
    Row("PUT", "/api/ranked", {"lines": [LINE], "daily": True}, ACCOUNTS),
    Row("DELETE", "/api/ranked", None, SIGNED_IN),
    Row("POST", "/api/ranked/here", {}, NOBODY, (401, 409)),  # nobody is called; test_ranked.py has some
    Row("PUT", "/api/ranked/reminder", {"on": True}, SIGNED_IN),
    Row("GET", "/api/ranked/games/{game}", None, NOBODY, (401, 404)),  # it was no ranked game
    Row("GET", "/api/friends", None, SIGNED_IN),
    Row("PUT", "/api/friends/presence", {"on": True}, SIGNED_IN),
    Row("PUT", "/api/friends/{owner}", {"tie": "friend"}, ACCOUNTS),
    Row("PUT", "/api/friends/{owner}", {"tie": "blocked"}, SIGNED_IN),
    # nobody is a friend of theirs; test_friends.py has some
    Row("POST", "/api/friends/{owner}/invite", {"table": "{table}"}, NOBODY, (401, 403)),
    Row("GET", "/api/people/{owner}/card", None, SIGNED_IN),
    Row("GET", "/api/me/push", None, SIGNED_IN),
    Row("PUT", "/api/me/push", {"endpoint": "https://push.example.org/one", **browser_keys()}, SIGNED_IN),
    Row("DELETE", "/api/me/push", None, SIGNED_IN),
    Row("GET", "/api/me/numbers", None, SIGNED_IN),
    Row("GET", "/api/me/numbers/file", None, SIGNED_IN),
    Row("PUT", "/api/me/numbers/shown", {"on": True}, SIGNED_IN),
    # the owner shows none; test_own_numbers.py has somebody who does
    Row("GET", "/api/people/{owner}/numbers", None, NOBODY, (401, 404)),
    Row("GET", "/api/people", None, ADMIN),
    Row("POST", "/api/people/{owner}/erase", {}, ADMIN),
    Row("POST", "/api/people/{owner}/role", {"role": "player"}, ADMIN),
    Row("GET", "/api/tables", None, EVERYBODY),
    Row("POST", "/api/tables", {"sit": False}, SIGNED_IN),
    Row("POST", "/api/tables/anywhere", {}, SIGNED_IN),
    Row("GET", "/api/tables/{table}", None, EVERYBODY),
    Row("GET", "/api/tables/{table}/invite", None, EVERYBODY),
    Row("GET", "/api/tables/{table}/qr.svg", None, EVERYBODY),
    Row("POST", "/api/tables/{table}/join", {}, SIGNED_IN),
    Row("POST", "/api/tables/{playing}/join", {}, ("seated",), (401, 409)),
    Row("POST", "/api/tables/{table}/leave", None, ("seated",), (401, 409)),
    Row("POST", "/api/tables/{playing}/leave", None, ("seated",), (401, 409)),
    Row("POST", "/api/tables/{table}/bots", {"seat": 2}, ORGANISERS),
    Row("DELETE", "/api/tables/{table}/bots/3", None, ORGANISERS),
    Row("DELETE", "/api/tables/{taken}/people/{sitter}", None, ORGANISERS),
    Row("POST", "/api/tables/{table}/start", None, ORGANISERS),
    Row("DELETE", "/api/tables/{table}", None, ORGANISERS),
    Row("DELETE", "/api/tables/{playing}", None, ORGANISERS),
    Row("GET", "/api/games", None, EVERYBODY),
    Row("GET", "/api/games?mine=true", None, SIGNED_IN),
    Row("GET", "/api/games/{game}", None, EVERYBODY),
    Row("GET", "/api/games/{game}/record", None, EVERYBODY),
    Row("GET", "/api/games/{game}/replay", None, EVERYBODY),
    Row("GET", "/api/games/{game}/replay/0", None, EVERYBODY),
    Row("GET", "/api/games/{game}/review", None, EVERYBODY),
    # that game ended before its first action; test_what_if.py plays on from others
    Row("POST", "/api/games/{game}/what-if", {"step": 0, "seat": 0}, NOBODY, (401, 404)),
    Row("GET", "/api/games/{going}", None, NOBODY, (404, 404)),
    Row("GET", "/api/games/{going}/record", None, NOBODY, (404, 404)),
    Row("GET", "/api/games/{going}/replay", None, NOBODY, (404, 404)),
    Row("GET", "/api/games/{going}/replay/0", None, NOBODY, (404, 404)),
    Row("GET", "/api/games/{going}/review", None, NOBODY, (404, 404)),
    Row("POST", "/api/games/{going}/what-if", {"step": 0, "seat": 0}, NOBODY, (401, 404)),
    Row("POST", "/api/uploads", LOG, SIGNED_IN),
    Row("POST", "/api/uploads/fetch", {"url": "https://example.org"}, NOBODY, (401, 403)),
    Row("GET", "/api/uploads", None, SIGNED_IN),
    Row("GET", "/api/disk", None, ADMIN),
    Row("GET", "/api/uploads/{upload}/replay", None, EVERYBODY),
    Row("GET", "/api/uploads/{upload}/replay/0", None, EVERYBODY),
    Row("GET", "/api/uploads/{upload}/review", None, EVERYBODY),
    # that log ends before its first action, too
    Row("POST", "/api/uploads/{upload}/what-if", {"step": 0, "seat": 0}, NOBODY, (401, 404)),
    Row("POST", "/api/score", WIN, EVERYBODY),
    Row("POST", "/api/explain", WIN, EVERYBODY),
    Row("POST", "/api/waits", {"hand": "23456m234p34588s"}, EVERYBODY),
    Row("POST", "/api/discards", {"hand": "123456m123679p11z"}, EVERYBODY),
    Row("POST", "/api/shanten", {"hand": "1458m389p34679s14z"}, EVERYBODY),
    Row("GET", "/api/drill", None, EVERYBODY),
    Row("POST", "/api/first-hand", {"moves": []}, EVERYBODY),
    Row("GET", "/api/lab", None, EVERYBODY),
    Row("POST", "/api/lab/rules", {**RULES_QUESTION, "against": "standard"}, SIGNED_IN),
    Row("POST", "/api/lab/hand", {"hand": "23456m234p678s99p1z", "games": 2}, SIGNED_IN),
    Row("POST", "/api/lab/moment", {**MOMENT_QUESTION, "game": "{game}"}, SIGNED_IN),
    Row("POST", "/api/lab/moment", {**MOMENT_QUESTION, "game": "{going}"}, NOBODY, (401, 404)),
    Row("GET", "/api/lab/questions/{going}", None, NOBODY, (401, 404)),
    Row("DELETE", "/api/lab/questions/{going}", None, NOBODY, (401, 404)),
    Row("GET", "/api/rules", None, EVERYBODY),
    Row("POST", "/api/rules", {"toml": 'extends = "tenhou"'}, SIGNED_IN),
    Row("POST", "/api/rules/check", {"toml": ""}, EVERYBODY),
    Row("GET", "/api/rules/options", None, EVERYBODY),
    Row("GET", "/api/rules/gallery", None, EVERYBODY),
    Row("GET", "/api/rules/own/words", None, EVERYBODY),
    Row("POST", "/api/rules/own/try", {"toml": "[yaku.a]\nwhen = 'tsumo'", "yaku": "a"}, EVERYBODY),
    # those rules have no such yaku; test_own_yaku.py plays with one
    Row("POST", "/api/rules/own/play", {"toml": "", "yaku": "a"}, NOBODY, (401, 400)),
    Row("GET", "/api/rules/tenhou", None, EVERYBODY),
    Row("GET", "/api/rules/tenhou/diff", None, EVERYBODY),
    Row("GET", "/api/rules/tenhou/yaku", None, EVERYBODY),
    Row("GET", "/api/rules/tenhou/booklet?format=md", None, EVERYBODY),
    Row("POST", "/api/rules/tenhou/booklet", {"format": "md"}, EVERYBODY),
    Row("GET", "/api/rules/tenhou/invite", None, EVERYBODY),
    Row("GET", "/api/rules/tenhou/qr.svg", None, EVERYBODY),
    Row("DELETE", "/api/rules/tenhou", None, NOBODY),
    Row("DELETE", "/api/rules/{rules}", None, NOBODY),
)  # fmt: skip
FOR_ALL = ("/{path:path}", "/api/oidc/callback")  # the client's files; where a provider sends people back to
ELSEWHERE = ("/api/events", "/api/seasons")  # ``test_event_rights.py`` has their rows


def routes() -> list[Any]:
    """The routes of the server."""
    return list(create_app(Settings()).routes)


def row_of(route: APIRoute, method: str) -> list[Row]:
    """The rows of a route: those whose address it is the first to match."""
    asked = [row for row in ROWS if row.method == method]
    return [row for row in asked if answers(row) is route.endpoint]


def answers(row: Row) -> Any:
    """What answers a row's request."""
    path = row.path.partition("?")[0].format(**dict.fromkeys(PLACES, "x"))
    for route in ALL_ROUTES:
        if (
            isinstance(route, APIRoute)
            and row.method in (route.methods or ())
            and route.path_regex.match(path)
        ):
            return route.endpoint
    return None


PLACES = ("table", "playing", "taken", "sitter", "session", "owner", "game", "going", "upload", "rules")
ALL_ROUTES = routes()


def in_event(route: APIRoute) -> bool:
    return route.path.startswith(ELSEWHERE)


def test_every_route_has_a_row() -> None:
    for route in ALL_ROUTES:
        if isinstance(route, APIRoute) and route.path not in FOR_ALL and not in_event(route):
            for method in route.methods or ():
                assert row_of(route, method), f"{method} {route.path} stands in no row"
    sockets = [route.path for route in ALL_ROUTES if isinstance(route, APIWebSocketRoute)]
    assert sorted(sockets) == ["/ws/events/{event}", "/ws/tables/{table_id}"]


class Cast:
    """One server, an owner of tables, and a person for each role, who signs in afresh each time."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.admin = Person(url)
        self.admin.post("/api/enter", token=token)
        self.owner = Person(url)
        self.owner.id = self.owner.post("/api/register", name="owner", password=PASSWORD)["id"]
        table = self.table(playing=True)
        self.admin.http.delete(f"/api/tables/{table}").raise_for_status()
        self.game = self.owner.get(f"/api/tables/{table}")["result"]["record"]
        self.log = self.owner.http.get(f"/api/games/{self.game}/record").text
        self.owner.http.put("/api/me/picture", json={"picture": PICTURE}).raise_for_status()
        self.upload = self.owner.post("/api/uploads", text=self.log)["id"]
        self.rules = self.owner.post("/api/rules", toml="[riichi]\ndeposit = 700\n")["id"]

    def one(self, role: str) -> Person:
        """A person in a role."""
        found = Person(self.url, None if role in ("nobody", *COMMENTATORS, "player") else role)
        if role in (*COMMENTATORS, "player"):
            found.post("/api/enter", token=self.token(role))
        return found

    def token(self, role: str) -> str:
        """The token of a link in that role for somebody new."""
        link: str = self.admin.post("/api/link", name=f"{role} {next(_names)}", role=role)["url"]
        return link.rpartition("/")[2]

    def table(self, seated: Person | None = None, *, playing: bool = False) -> str:
        """A table of the owner, who has no seat while it waits."""
        table: str = self.owner.table(sit=playing)["id"]
        self.owner.post(f"/api/tables/{table}/bots", seat=3)
        if seated is not None:
            seated.post(f"/api/tables/{table}/join")
        if playing:
            self.owner.post(f"/api/tables/{table}/start")
        return table

    def places(self, row: Row, who: Person, role: str) -> dict[str, str]:
        """The values of the placeholders in a row."""
        wanted, found = json.dumps([row.path, row.body]), {"owner": self.owner.id, "game": self.game}
        seated = who if role == "seated" else None
        found |= {"upload": self.upload, "rules": self.rules, "log": self.log, "name": f"name {next(_names)}"}
        if "{token}" in wanted:
            found["token"] = self.token("player")
        if "{table}" in wanted:
            found["table"] = self.table(seated)
        if "{playing}" in wanted:
            found["playing"] = self.table(seated, playing=True)
        if "{taken}" in wanted:
            with closing(Person(self.url, "sitter")) as sitter:
                found |= {"taken": self.table(sitter), "sitter": sitter.id}
        if "{session}" in wanted:
            listed = who.http.get("/api/sessions").json().get("sessions", [{"id": "0" * 16}])
            found["session"] = listed[0]["id"]
        return found | {"going": "0" * 16}


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    limits = replace(LOOSE, tables_of_one=10_000, tables=10_000)
    settings = quick(tmp_path_factory.mktemp("cast"), limits=limits)
    token = prepare(settings, admin=False)
    assert token is not None
    with open_server(settings) as url:
        found = Cast(url, token)
        yield found
        found.admin.close()
        found.owner.close()


def filled(body: dict[str, Any] | None, places: dict[str, str]) -> dict[str, Any] | None:
    """A body with its placeholders filled in."""
    if body is None:
        return None
    return {key: places.get(str(value)[1:-1], value) for key, value in body.items()}


@pytest.mark.parametrize("role", EVERYBODY)
@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.slow
def test_each_role_has_exactly_the_listed_http_rights(cast: Cast, row: Row, role: str) -> None:
    with closing(cast.one(role)) as who:
        places = cast.places(row, who, role)
        path = row.path.format(**places)
        answer = who.http.request(row.method, path, json=filled(row.body, places))
    if role in row.allowed:
        assert answer.status_code == 200, answer.text
    else:
        assert answer.status_code == row.refused[role != "nobody"], answer.text
        assert answer.json()["error"]["message"]


# What is sent at a table in a game, and who is heard: every message a client can send

HEARD: dict[str, tuple[Message, tuple[str, ...]]] = {
    "act": ({"game": 1, "ask": 0, "action": {"type": "pass"}}, ("seated",)),
    "ready": ({}, ("seated",)),
    "swap": ({"seat": 0}, ("seated",)),
    "abort": ({"agree": True}, ("seated",)),
    "rematch": ({"agree": True}, ("seated",)),
    "why": ({"what": "ron"}, ("seated",)),
    "say": ({"stamp": "hello"}, ("seated",)),
    "mute": ({"person": "nobody", "on": True}, ("seated",)),
    "pace": ({"pace": "quick"}, ("seated",)),
    "show_hands": ({"agree": True}, ("seated",)),
    "hints": ({}, ("seated",)),
    "ping": ({}, SIGNED_IN),
}


def test_every_message_has_a_row() -> None:
    models = get_args(get_args(client_messages.FromClient)[0])
    kinds = {str(get_args(model.model_fields["type"].annotation)[0]) for model in models}
    assert kinds == HEARD.keys() | {"hello"}


@pytest.mark.parametrize("role", EVERYBODY)
def test_each_role_has_exactly_the_listed_socket_rights(cast: Cast, role: str) -> None:
    """Only seated players may act, and not from a spectator's socket."""
    with closing(cast.one(role)) as who:
        table = cast.table(who if role == "seated" else None, playing=True)
        for watch in (False, True):
            raw = who.raw(table)
            if role == "nobody":
                assert close_code(raw) == 4401
                continue
            with closing(Line(raw, watch=watch)) as line:
                assert (line.welcome["seat"] is not None) == (role == "seated" and not watch)
                for kind, (body, allowed) in HEARD.items():
                    answer = line.ask(type=kind, **body)
                    heard = answer["type"] != "error" or answer["code"] != "not_seated"
                    assert heard == (role in allowed and (not watch or kind == "ping")), (kind, answer)


@pytest.mark.parametrize("role", SIGNED_IN)
def test_only_commentators_see_all_hands(cast: Cast, role: str) -> None:
    with closing(cast.one(role)) as who:
        table = cast.table(who if role == "seated" else None, playing=True)
        with closing(who.socket(table, all_hands=True, watch=True)) as line:
            assert line.welcome["all_hands"] == (role in COMMENTATORS)
            while not (starts := [one for one in line.events() if one["type"] == "hand_started"]):
                line.next()
            assert [hand is not None for hand in starts[0]["hands"]] == [role in COMMENTATORS] * 4


def test_a_running_game_has_no_public_id(tmp_path: Path) -> None:
    """Not even under the id that it will have when it is over."""
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        table = mina.table(bots=3)
        mina.post(f"/api/tables/{table['id']}/start")
        stored = tmp_path / "jantaku.sqlite3"
        game = going_on(stored)
        for path in ("", "/record", "/replay", "/replay/0", "/review"):
            assert mina.http.get(f"/api/games/{game}{path}").status_code == 404
        line = mina.socket(table["id"])
        line.ask(type="abort", agree=True)
        assert mina.get(f"/api/games/{game}")["id"] == game
        line.close()
        mina.close()


def going_on(file: Path) -> str:
    """The id of the one game in a database."""
    with closing(sqlite3.connect(file)) as connection:
        ((found,),) = connection.execute("SELECT id FROM games").fetchall()
    return str(found)

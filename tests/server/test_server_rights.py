"""Rights of every role, from signed-out visitors to the administrator, for every route and every message.

A route or message without a row makes a test fail.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any, get_args

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute

from jantaku.server.app import create_app
from jantaku.server.edge import protocol
from jantaku.server.run import prepare
from jantaku.server.settings import Settings
from server.databases import rows
from server.parlour import (
    PASSWORD,
    Line,
    Message,
    Person,
    Serve,
    close_code,
    fast_settings,
    only_limits,
    open_server,
)
from server.rights_rows import (
    COMMENTATORS,
    ELSEWHERE,
    EVERYBODY,
    FOR_ALL,
    ROWS,
    SIGNED_IN,
    Row,
    _names,
)


def routes() -> list[Any]:
    return list(create_app(Settings()).routes)


def row_of(route: APIRoute, method: str) -> list[Row]:
    """Return the rows whose request is handled by a route."""
    candidates = [row for row in ROWS if row.method == method]
    return [row for row in candidates if answers(row) is route.endpoint]


def answers(row: Row) -> Any:
    """Return the endpoint that handles the request of a row."""
    path = row.path.partition("?")[0].format(**dict.fromkeys(PLACES, "x"))
    for route in ALL_ROUTES:
        if (
            isinstance(route, APIRoute)
            and row.method in (route.methods or ())
            and route.path_regex.match(path)
        ):
            return route.endpoint
    return None


PLACES = (*("table", "playing", "taken", "sitter", "session", "owner", "game", "going", "upload", "rules"),)
ALL_ROUTES = routes()


def in_event(route: APIRoute) -> bool:
    return route.path.startswith(ELSEWHERE)


def test_every_route_has_a_row() -> None:
    for route in ALL_ROUTES:
        if isinstance(route, APIRoute) and route.path not in FOR_ALL and not in_event(route):
            for method in route.methods or ():
                assert row_of(route, method), f"{method} {route.path} has no row"
    sockets = [route.path for route in ALL_ROUTES if isinstance(route, APIWebSocketRoute)]
    assert sorted(sockets) == ["/ws/events/{event}", "/ws/tables/{table_id}", "/{path:path}"]


class Cast:
    """A server, an owner of tables, and a new person for each role and each request."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.admin = Person(url)
        self.admin.post("/api/enter", token=token)
        self.owner = Person(url, "owner", PASSWORD)
        table = self.table(playing=True)
        self.admin.delete(f"/api/tables/{table}")
        self.game = self.owner.get(f"/api/tables/{table}")["result"]["record"]
        self.log = self.owner.http.get(f"/api/games/{self.game}/record").text
        self.upload = self.owner.post("/api/uploads", text=self.log)["id"]
        self.rules = self.owner.post("/api/rules", toml="[riichi]\ndeposit = 700\n")["id"]

    def one(self, role: str) -> Person:
        """Return a new person who has this role."""
        person = Person(self.url, None if role in ("nobody", *COMMENTATORS, "player") else role)
        if role in (*COMMENTATORS, "player"):
            person.post("/api/enter", token=self.token(role))
        return person

    def token(self, role: str) -> str:
        """Create a sign-in link for a new person in a role; return its token."""
        link: str = self.admin.post("/api/link", name=f"{role} {next(_names)}", role=role)["url"]
        return link.rpartition("/")[2]

    def table(self, seated: Person | None = None, *, playing: bool = False) -> str:
        """Create a table; its owner sits there only if it is playing."""
        table: str = self.owner.table(sit=playing)["id"]
        self.owner.post(f"/api/tables/{table}/bots", seat=3)
        if seated is not None:
            seated.post(f"/api/tables/{table}/join")
        if playing:
            self.owner.post(f"/api/tables/{table}/start")
        return table

    def places(self, row: Row, who: Person, role: str) -> dict[str, str]:
        """Return the values for the placeholders of a row."""
        wanted, values = json.dumps([row.path, row.body]), {"owner": self.owner.id, "game": self.game}
        seated = who if role == "seated" else None
        values |= {
            "upload": self.upload,
            "rules": self.rules,
            "log": self.log,
            "name": f"name {next(_names)}",
        }
        if "{token}" in wanted:
            values["token"] = self.token("player")
        if "{table}" in wanted:
            values["table"] = self.table(seated)
        if "{playing}" in wanted:
            values["playing"] = self.table(seated, playing=True)
        if "{taken}" in wanted:
            sitter = Person(self.url, "sitter")
            values |= {"taken": self.table(sitter), "sitter": sitter.id}
        if "{session}" in wanted:
            listed = who.send("GET", "/api/sessions").json().get("sessions", [{"id": "0" * 16}])
            values["session"] = listed[0]["id"]
        return values | {"going": "0" * 16}


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    limits = only_limits(tables_of_one=10_000, tables=10_000)
    settings = fast_settings(tmp_path_factory.mktemp("cast"), limits=limits)
    token = prepare(settings, admin=False)
    assert token is not None
    with open_server(settings) as url:
        yield Cast(url, token)


def filled(body: dict[str, Any] | None, places: dict[str, str]) -> dict[str, Any] | None:
    """Return a body with its placeholders replaced."""
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


# Every message that a client can send at a table during a game, and the roles that may send it

MESSAGES: dict[str, tuple[Message, tuple[str, ...]]] = {
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


def test_every_client_message_has_a_row() -> None:
    models = get_args(get_args(protocol.FromClient)[0])
    kinds = {str(get_args(model.model_fields["type"].annotation)[0]) for model in models}
    assert kinds == MESSAGES.keys() | {"hello"}


@pytest.mark.parametrize("role", EVERYBODY)
def test_each_role_has_exactly_the_listed_socket_rights(cast: Cast, role: str) -> None:
    """Only seated players may act, and not on a spectator's socket."""
    who = cast.one(role)
    table = cast.table(who if role == "seated" else None, playing=True)
    for watch in (False, True):
        raw = who.raw(table)
        if role == "nobody":
            assert close_code(raw) == 4401
            continue
        with closing(Line(raw, watch=watch)) as line:
            assert (line.welcome["seat"] is not None) == (role == "seated" and not watch)
            for kind, (body, allowed) in MESSAGES.items():
                answer = line.ask(type=kind, **body)
                accepted = answer["type"] != "error" or answer["code"] != "not_seated"
                assert accepted == (role in allowed and (not watch or kind == "ping")), (kind, answer)


@pytest.mark.parametrize("role", SIGNED_IN)
def test_only_staff_see_all_hands(cast: Cast, role: str) -> None:
    who = cast.one(role)
    table = cast.table(who if role == "seated" else None, playing=True)
    with closing(who.socket(table, all_hands=True, watch=True)) as line:
        assert line.welcome["all_hands"] == (role in COMMENTATORS)


def test_a_running_game_is_not_public(serve: Serve) -> None:
    """A running game cannot be requested even with the id that it will have as a finished game."""
    mina = Person(serve(), "Mina")
    _, line = mina.start()
    [(game,)] = rows(serve.data, "SELECT id FROM games")
    for path in ("", "/record", "/replay", "/replay/0", "/review"):
        mina.refused("no_game", f"GET /api/games/{game}{path}")
    line.ask(type="abort", agree=True)
    assert mina.get(f"/api/games/{game}")["id"] == game

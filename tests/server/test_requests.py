"""Refusals of wrong values are in the reader's language, and repeat no text of a library."""

import asyncio
import base64
import dataclasses
import json
import random
import re
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError, OperationalError
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import jantaku.server.app  # noqa: F401  (imports every model)
from conftest import scale
from jantaku import terms
from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.errors import JantakuError, RequestError
from jantaku.game import Game
from jantaku.game.actions import FOUL_ACTS, Action
from jantaku.game.events import EVENTS
from jantaku.game.view import View
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.most_moves import most_moves
from jantaku.rules import load
from jantaku.server.app import create_app
from jantaku.server.archive.logs import KeptLog, read_log
from jantaku.server.archive.replay import ReplayGame
from jantaku.server.edge import bodies
from jantaku.server.edge.bodies import LARGE, Done
from jantaku.server.edge.limits import Quota
from jantaku.server.edge.pages import NO_SOCKET
from jantaku.server.edge.work import FairWork
from jantaku.server.errors import ServerError
from jantaku.server.events.rounds.round_state import ChangeSeats
from jantaku.server.play import carry_out as play
from jantaku.server.schema import schema
from jantaku.server.settings import Settings
from jantaku.server.storage.event_plan import RoundSettings
from jantaku.server.storage.store import Store
from jantaku.wire import Wire
from naive.generate import random_wins
from server.parlour import WAIT_S, Line, Message, Person, hang_up, open_server, quick, seated, simplest
from server.postgres_cluster import Cluster
from server.test_archive import game_of
from support.own_conditions import random_condition
from support.own_fuzz import fitting
from support.record_games import without_mark

WRONG: list[tuple[str, str, Any]] = [
    ("POST", "/api/guest", {"name": 5, "language": "en"}),
    ("POST", "/api/guest", {"language": "en"}),
    ("POST", "/api/guest", {"name": "a" * 500, "language": "en"}),
    ("POST", "/api/guest", {"name": "Mina", "language": "xx"}),
    ("POST", "/api/guest", {"name": "Mina", "language": "en", "more": 1}),
    ("POST", "/api/tables", {"options": {"spectator_delay_s": -5}}),
    ("POST", "/api/tables", {"options": {"spectator_delay_s": 10**9}}),
    ("GET", "/api/me/numbers?rules=x", None),
]
NOWHERE = (  # an address cannot be corrected and sent again
    "/api/games/x/replay/-1", f"/api/events/{'x' * 99}", f"/api/seasons/{'x' * 99}", "/api/events/..%2f..%2f",
    f"/api/rules/{'x' * 99}", f"/api/people/{'x' * 99}/card", f"/api/lab/questions/{'x' * 99}",
)  # fmt: skip


@pytest.fixture(scope="module")
def mina(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with (
        open_server(quick(tmp_path_factory.mktemp("malformed"))) as url,
        closing(Person(url, "Mina")) as person,
    ):
        yield person


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "body"), WRONG, ids=range(len(WRONG)))
def test_wrong_values_are_refused_in_the_language_of_the_reader(
    mina: Person, method: str, path: str, body: Any
) -> None:
    for language, script in (("ko", "[가-힣]"), ("ja", "[ぁ-ん]")):
        answer = mina.http.request(method, path, json=body, headers={"accept-language": language})
        if "/me" in path:
            answer = mina.http.request(method, f"{path}&lang={language}", json=body)
        assert answer.status_code == 422, answer.text
        said = answer.json()["error"]["message"]
        assert re.search(
            script, mina.http.request(method, path, params={"lang": language}, json=body).text
        ) or (re.search(script, said))
        assert not re.search(r"(?i)input|should|field required|string|character", said)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOWHERE)
def test_an_address_that_cannot_be_has_nothing(mina: Person, path: str) -> None:
    answer = mina.http.get(path, params={"lang": "ko"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_page")


@pytest.mark.slow
@pytest.mark.slow
def test_an_address_with_a_nul_has_nothing_in_postgresql(tmp_path: Path, cluster: Cluster) -> None:
    settings = quick(tmp_path, database_url=cluster.new_database("nul"))
    with open_server(settings) as url:
        mina = Person(url, "Mina")
        for path in ("people/%00/numbers", "rules/%00", "tables/%00", "games/%00/replay", "events/a%00b"):
            assert mina.http.get(f"/api/{path}").status_code == 404, path


@pytest.mark.parametrize("path", ["ws/tables/..%2F..%2F", "ws/tables/", "ws/none", "ws", "elsewhere"])
def test_a_socket_of_nothing_is_closed_for_good(mina: Person, path: str) -> None:
    """A refused handshake looks like a lost network, after which a page tries again for ever."""
    address = str(mina.http.base_url).replace("http", "ws", 1).rstrip("/")
    with connect(f"{address}/{path}") as socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=5)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == NO_SOCKET


@pytest.mark.slow
def test_text_that_is_no_json_is_refused_in_words(mina: Person) -> None:
    for text in ("{", '{"name": "\\ud800"}', "\x00"):
        answer = mina.http.post(
            "/api/guest", content=text, headers={"content-type": "application/json", "accept-language": "ko"}
        )
        assert answer.status_code == 422
        assert not re.search(
            r"[a-z]{4}", answer.json()["error"]["message"].replace("JSON", "").replace("body", "")
        )


@pytest.mark.parametrize("sqlstate", ["22021", "08006"])
async def test_what_a_database_driver_says_reaches_the_log_alone(tmp_path: Path, sqlstate: str) -> None:
    secret = "relation people at 10.0.0.7"
    store = Store(Settings(data_dir=tmp_path))
    cause = sqlite3.OperationalError(secret)
    cause.sqlstate = sqlstate  # type: ignore[attr-defined]
    for error in (
        OperationalError("SELECT 1", {}, cause),
        DBAPIError("SELECT 1", {}, cause),
        OSError(secret),
    ):
        with pytest.raises(ServerError) as refused:
            async with store._guarded():
                raise error
        for language in ("en", "ja", "ko"):
            assert secret not in refused.value.message(language)
        assert secret not in str(refused.value.details)
    await store.engine.dispose()


# Numbers and truth values in bodies are what JSON says they are: `true` is no 1, and 1 is not true


def models(base: type[Wire] = Wire) -> Iterator[type[Wire]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from models(subclass)


def taken(model: type[Wire], field: str, value: Any) -> Any:
    """What a field makes of a value; the value itself if the field refuses it."""
    validator = model.__pydantic_validator__
    try:
        assignment: Any = validator.validate_assignment(model.model_construct(), field, value)
    except ValidationError:
        return value
    fields = assignment[0] if isinstance(assignment, tuple) else assignment.__dict__
    return fields[field]


@pytest.mark.parametrize("value", [True, False, 1, 0, "1", "true", 1.0], ids=repr)
def test_no_field_takes_one_kind_of_value_for_another(value: Any) -> None:
    wrong = {
        f"{model.__name__}.{field}"
        for model in models()
        if model is not Done  # only an answer, whose one field is always true
        for field in model.model_fields
        if type(taken(model, field, value)) not in (type(value), float if type(value) is int else type(value))
    }
    assert wrong == set()


@pytest.mark.parametrize("value", [True, "60", 60.0, [60]], ids=repr)
def test_minutes_are_a_number(value: Any) -> None:
    with pytest.raises(ValidationError):
        RoundSettings.model_validate({"minutes": value})
    assert RoundSettings.model_validate({"minutes": 60}).minutes == 60


def test_numbers_may_be_keys_since_json_writes_them_as_texts() -> None:
    assert ChangeSeats.model_validate({"tables": {"2": list("abcd")}}).tables == {2: list("abcd")}


async def test_others_get_their_time_between_large_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many arrive at once: they are read one at a time, with a pause after each."""
    app, order = SimpleNamespace(state=SimpleNamespace(large_bodies=FairWork(Quota(9)))), list[str]()

    def slow(body: bytes) -> Any:
        order.append("body")
        return len(body)

    async def send() -> Any:
        request = bodies.StrictRequest({"type": "http", "app": app})
        request._body = b" " * LARGE
        return await request.json()

    async def other() -> None:
        while order.count("body") < 5:
            order.append("other")
            await asyncio.sleep(0)

    monkeypatch.setattr(bodies, "_read", slow)
    assert await asyncio.gather(*(send() for _ in range(5)), other()) == [LARGE] * 5 + [None]
    assert "body body" not in " ".join(order)


# Mutated bodies and uploads never cause a server error


Body = Any
ODD_JSON = (
    "null", "true", "0", "-1", "1e400", "NaN", "Infinity", "-Infinity", "1" * 5000, "9" * 40, '""',
    '"\\ud800"',     '"\\udc00x"', '"\\u0000"', "[]", "{}", "[[]]", '{"":0}', '{"\\ud800":1}', '"tenhou"',
    '{"extends":"tenhou"}',
    "[" * 300 + "]" * 300, '"' + "1m" * 3000 + '"', '"⟦1m⟧{0}"', '["1m"]', "1.5", '"east"', '"left"', "65536",
)  # fmt: skip
FIELDS = (
    "rules", "id", "hand", "melds", "win", "by", "from", "round", "seat", "riichi", "ippatsu", "dora", "ura",
    "honba", "deposits", "dealer_streak", "pao", "seen", "type", "tiles", "called", "toml", "name",
    "x", "\\ud83d",
)  # fmt: skip
PATHS = ("/api/score", "/api/explain", "/api/waits", "/api/discards", "/api/shanten")
OTHERS = (
    "/api/rules/check",
    "/api/rules",
    "/api/tables",
    "/api/guest",
    "/api/login",
    "/api/register",
    "/api/me",
)


def mutated(chance: random.Random, body: dict[str, Body]) -> bytes:
    """A body with some of its values, keys or characters changed."""
    body = json.loads(json.dumps(body))
    for mark in range(chance.randrange(1, 4)):
        places: list[dict[str, Body]] = [
            body,
            *(meld for meld in body.get("melds", ()) if isinstance(meld, dict)),
        ]
        spot = chance.choice(places)
        spot[chance.choice((*spot, chance.choice(FIELDS)))] = f"@{mark}@"
    text = json.dumps(body)
    for mark in range(4):
        text = text.replace(f'"@{mark}@"', chance.choice(ODD_JSON))
    if chance.random() < 0.3:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(('"', "{", "\\", "\x00", ",", "\\ud800", "é", "")) + text[at + 1 :]
    data = text.encode("utf-8", "replace")
    return data + chance.choice((b"", b"", b"", b"\xff", b"\x00", b"}"))


def send(person: Person, path: str, data: bytes) -> int:
    answer = person.http.post(path, content=data, headers={"content-type": "application/json"})
    assert answer.status_code < 500, (path, data[:2000], answer.text)
    answer.json()
    return answer.status_code


def fuzz_hands(person: Person, number: int, seed: int) -> dict[int, int]:
    """Send so many requests; returns how often each status came."""
    chance, hands = random.Random(seed), dict[int, int]()
    for request in random_wins(seed, number):
        path = chance.choice(PATHS)
        known = request if path in PATHS[:2] else {key: request[key] for key in ("hand", "melds")}
        status = send(person, path, mutated(chance, dict(known)))
        hands[status] = hands.get(status, 0) + 1
    return hands


@pytest.mark.slow
def test_mutated_hands_cause_no_server_error(person: Person) -> None:
    hands = fuzz_hands(person, scale(600), 1)
    assert hands[200] > 0
    assert sum(count for status, count in hands.items() if status >= 400) > 0


@pytest.mark.long
def test_many_mutated_hands_cause_no_server_error(person: Person) -> None:
    fuzz_hands(person, 10_000, 2)


@pytest.mark.slow
def test_odd_bodies_cause_no_server_error(url: str) -> None:
    person = Person(url, "Odd")
    chance = random.Random(3)
    for path in (*PATHS, *OTHERS, "/api/uploads"):
        for text in ODD_JSON:
            send(person, path, text.encode())
            send(person, path, f'{{"{chance.choice(FIELDS)}": {text}}}'.encode())


def games() -> Iterator[tuple[str, str]]:
    """A finished hand or more in every format that the server takes."""
    game = Game("tenhou", seed=11)
    chance = random.Random(4)
    while len(game.walls) < 3 and not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        game.play(seat, chance.choice(legal))
    for name in formats.BY_NAME:
        yield name, formats.dumps(game, name)
    yield "mjlog", without_mark(formats.dumps(game, "mjlog"))


def spoilt(chance: random.Random, text: str) -> str:
    """A log with characters, numbers, words or lines changed, moved or removed."""
    for _ in range(chance.randrange(1, 4)):
        at, size = chance.randrange(len(text)), chance.choice((1, 1, 2, 5, 40))
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + size :]
        elif kind == 1:
            other = chance.randrange(len(text))
            text = text[:at] + text[other : other + size] + text[at:]
        elif kind == 2:
            text = text[:at] + chance.choice((*ODD_JSON, "\x00", "<", "\ud800", "９", "-")) + text[at + 1 :]
        elif kind == 3:
            digits = [i for i, letter in enumerate(text) if letter.isdigit()] or [0]
            digit = chance.choice(digits)
            text = text[:digit] + chance.choice("0123456789") + text[digit + 1 :]
        elif kind == 4:
            lines = text.split("\n")
            chance.shuffle(lines) if chance.random() < 0.2 else lines.pop(chance.randrange(len(lines)))
            text = "\n".join(lines)
        elif chance.random() < 0.3:
            text = text[:at]
        text = text or "x"
    return text


def fuzz_uploads(person: Person, number: int, seed: int) -> dict[int, int]:
    chance, uploads = random.Random(seed), dict[int, int]()
    logs = list(games())
    for i in range(number):
        name, text = logs[i % len(logs)]
        body = {"text": spoilt(chance, text), "name": name}
        status = send(person, "/api/uploads", json.dumps(body).encode())
        uploads[status] = uploads.get(status, 0) + 1
    return uploads


@pytest.mark.slow
def test_damaged_logs_cause_no_server_error(person: Person) -> None:
    uploads = fuzz_uploads(person, scale(120), 5)
    assert sum(count for status, count in uploads.items() if status >= 400) > 0


@pytest.mark.long
def test_many_damaged_logs_cause_no_server_error(person: Person) -> None:
    fuzz_uploads(person, 8000, 6)


# Malformed, replayed, out-of-turn and foreign messages are refused and change nothing


JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 3, 1e308, "", "5m", "9z", "\x00", "𝕏" * 40, [], {}, [[]], {"type": "act"},
    "pass", 2**80,
)  # fmt: skip
TYPES = ("hello", "act", "ready", "abort", "rematch", "why", "hints", "ping", "foul", "sync", "", "ACT")
TILES = ("1m", "0p", "5sr", "7z", "8z", "11m", "", "x")


def valid(chance: random.Random) -> Message:
    """A valid message that rarely answers the current question."""
    tile = chance.choice(TILES)
    action: Message = chance.choice(
        (
            {"type": "pass"},
            {"type": "ron"},
            {"type": "tsumo"},
            {"type": "nine_terminals"},
            {"type": "discard", "tile": tile, "drawn": chance.random() < 0.5},
            {"type": "discard", "tile": tile, "riichi": "open"},
            {"type": "chi", "tiles": chance.choice(("34m", "1z2z", ""))},
            {"type": "pon", "red": chance.randrange(3)},
            {"type": "kan", "kind": chance.choice(("ankan", "kakan", "daiminkan")), "tile": tile},
            {"type": "foul", "act": "win_shown"},
        )
    )
    number = str(chance.randrange(1 << 30))
    ask = chance.choice((0, 1, 2, 10**9, -5))
    return chance.choice(
        (
            {"type": "act", "id": number, "game": chance.choice((0, 1, 2)), "ask": ask, "action": action},
            {"type": "why", "id": number, "what": chance.choice(("ron", "kan", "riichi", action))},
            {"type": "hello", "version": 1},
            {"type": "rematch", "id": number, "agree": True},
        )
    )


def broken(chance: random.Random) -> str:
    """A message with something wrong in it, or no message at all."""
    message = valid(chance)
    kind = chance.randrange(6)
    if kind == 0:
        message[chance.choice([*message, "extra"])] = chance.choice(JUNK)
    elif kind == 1:
        message["type"] = chance.choice(TYPES)
    elif kind == 2:
        message.pop(chance.choice(list(message)))
    text = json.dumps(message)
    if kind == 3:
        index = chance.randrange(len(text))
        text = text[:index] + chance.choice(("", '"', "{", "\ud83d", "\x07", "9" * 30)) + text[index + 1 :]
    if kind == 4:
        text = chance.choice(("", "null", "[]", "[" * 1000, "{}", '"' * 9, "NaN", "ping"))
    return text.encode("utf-8", "replace").decode()


def fuzz(url: str, number: int) -> None:
    """Send so many from a seat, a spectator and another table; the game must not change."""
    chance = random.Random(number)
    people = [Person(url, name) for name in ("Seat", "Watcher", "Stranger", "Asked")]
    seat, watcher, stranger, asked = people
    table = asked.table(bots=2)
    seat.post(f"/api/tables/{table['id']}/join")
    other = stranger.table(bots=3)
    line = asked.socket(table["id"])
    lines = [seat.socket(table["id"]), watcher.socket(table["id"]), stranger.socket(other["id"])]
    asked.post(f"/api/tables/{table['id']}/start")
    own = line.asked()
    assert own is not None
    for each in (*lines, line):
        each.ask(type="ping")
    state = whole(asked, table)
    answers: dict[str, int] = {}
    for done in range(0, number, 50):
        for _ in range(50):
            chance.choice(lines).raw.send(broken(chance))
        for each in lines:
            count_answers(each, f"sync{done}", answers)
    after = whole(asked, table)
    assert after == state
    assert answers.pop("error") > number / 2
    assert {"sync", "update"}.isdisjoint(answers)
    for each in (*lines, line):
        each.close()


def whole(person: Person, table: Message) -> Message:
    """Everything a seat may know about the game."""
    line = person.socket(table["id"])
    sync = line.until("sync")
    line.close()
    return {key: sync[key] for key in ("game", "seq", "view", "events", "own")}


def count_answers(line: Line, name: str, answers: dict[str, int]) -> None:
    """Read until a ping comes back; every error has a code and a text."""
    line.send(type="ping", id=name)
    while True:
        message = line.next()
        if message["type"] == "pong" and message["id"] == name:
            return
        answers[message["type"]] = answers.get(message["type"], 0) + 1
        if message["type"] == "error":
            assert message["code"]
            assert message["message"]
        for event in message.get("events", ()):
            assert event["type"] != "drew" or "tile" not in event


def test_bad_messages_change_nothing(url: str) -> None:
    fuzz(url, 2000 if COMPILED else 200)


@pytest.mark.long
def test_a_hundred_thousand_bad_messages_change_nothing(url: str) -> None:
    fuzz(url, 100_000)


def replay_all(send: Callable[[str], None], sent: list[str]) -> None:
    """Send everything again."""
    for text in sent:
        send(text)


def whoever_is_asked(lines: list[Line]) -> Line:
    """Read until one of them is asked; the bots between may take a moment."""
    while True:
        for line in lines:
            line.ask(type="ping")
            if line.own and line.own["ask"] is not None:
                return line


@pytest.mark.slow
def test_repeated_messages_change_nothing_whoever_sends_them(url: str) -> None:
    """The same seat and another one resend a seat's messages."""
    mina, jun = Person(url, "Mina"), Person(url, "Jun")
    table = mina.table(bots=2)
    jun.post(f"/api/tables/{table['id']}/join")
    lines = [mina.socket(table["id"]), jun.socket(table["id"])]
    mina.post(f"/api/tables/{table['id']}/start")
    sent: list[str] = []
    for _ in range(6):
        line = whoever_is_asked(lines)
        assert line.own is not None
        message = {"type": "act", "id": f"r{len(sent)}", "game": 1, "ask": line.own["ask"]}
        text = json.dumps(message | {"action": simplest(line.own)})
        line.raw.send(text)
        line.until("ack")
        sent.append(text)
    whoever_is_asked(lines)  # the bots have done what they do
    before = [whole(person, table) for person in (mina, jun)]
    again = [mina.socket(table["id"]), jun.socket(table["id"])]
    for line in again:
        replay_all(line.raw.send, sent)
        line.ask(type="ping")
    assert [line.seq for line in again] == [view["seq"] for view in before]
    assert [whole(person, table) for person in (mina, jun)] == before


# The description of the HTTP interface, and random requests made from it


@pytest.mark.slow
def test_schemathesis_finds_nothing(url: str) -> None:
    """Requests that the schema allows, and many that it does not: a clear answer, never an error 500."""
    fuzz_api(url, examples=3 if COMPILED else 1)


@pytest.mark.long
def test_schemathesis_finds_nothing_for_long(url: str) -> None:
    fuzz_api(url, examples=60)


def fuzz_api(url: str, examples: int) -> None:
    """Send generated requests to every operation, as somebody who is signed in."""
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis import checks
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import response_schema_conformance

    person = Person(url, "Fuzz")
    cookie = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
    schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path in ("/api/logout", "/api/enter", "/api/login", "/api/register"):
            continue

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        @given(case=operation.as_strategy())
        def one(case: Any) -> None:
            answer = case.call(headers={"Cookie": cookie})
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400 and answer.headers["content-type"] == ["application/json"]:
                assert answer.json()["error"]["message"]
            case.validate_response(answer, checks=[checks.not_a_server_error, response_schema_conformance])

        one()


# Refusals that once revealed too much, came too late or were missing


@contextmanager
def table_of_four(folder: Path, **options: Any) -> Iterator[tuple[list[Person], Any, list[Any]]]:
    """Four people in seats 0 to 3 of a game under the given options."""
    with open_server(quick(folder)) as url:
        four = [Person(url, name) for name in ("Mina", "Juno", "Theo", "Lena")]
        table, lines = seated(four, options={"draw_seats": False, **options})
        yield four, table, lines
        hang_up(lines)
        for person in four:
            person.close()


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="games over sockets take long uncompiled")
def test_refusals_do_not_wait_for_the_table_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal comes at once even while an action is stored; a delay would reveal that action."""
    carry_out, stored = play.carry_out, threading.Event()

    async def slowly(*given: Any) -> None:
        assert await asyncio.to_thread(stored.wait, WAIT_S)
        await carry_out(*given)

    with table_of_four(tmp_path) as (four, table, lines):
        monkeypatch.setattr("jantaku.server.play.message_handlers.play.carry_out", slowly)
        own = lines[0].own
        lines[0].send(type="act", id="slow", game=1, ask=own["ask"], action=own["legal"][0])
        assert lines[2].ask(type="rematch", agree=True)["code"] == "already_started"
        gone = four[0].http.delete(f"/api/tables/{table['id']}/people/nobody")
        assert (gone.status_code, gone.json()["error"]["code"]) == (404, "no_person")
        assert not [message for message in lines[0].seen if message.get("id") == "slow"]
        stored.set()
        assert lines[0].until("ack")["id"] == "slow"


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="games over sockets take long uncompiled")
def test_message_ids_start_over_with_each_game(tmp_path: Path) -> None:
    """A new player in a seat may reuse the message ids of the previous one."""
    with table_of_four(tmp_path) as (_, _, lines):
        for line in lines:
            line.send(type="ready", id="a7")
            assert line.ask(type="abort", id="a8", agree=True)["type"] == "ack"
        for line in lines:
            assert line.ask(type="rematch", id="a9", agree=True)["type"] == "ack"
        lines[0].until("sync")
        own = lines[0].own
        before = lines[0].seq
        assert lines[0].act(own["legal"][0], id="a7")["type"] == "ack"
        assert lines[0].seq > before


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="games over sockets take long uncompiled")
def test_players_cannot_be_removed_from_a_rated_game(tmp_path: Path) -> None:
    with table_of_four(tmp_path, rated=True) as (four, table, _):
        gone = four[0].http.delete(f"/api/tables/{table['id']}/people/{four[1].id}")
        assert (gone.status_code, gone.json()["error"]["code"]) == (409, "rated_stays")


@pytest.mark.skipif(not COMPILED, reason="games over sockets take long uncompiled")
def test_help_is_limited_per_person_not_per_socket(tmp_path: Path) -> None:
    from dataclasses import replace

    from server.parlour import LOOSE

    with open_server(replace(quick(tmp_path), limits=replace(LOOSE, heavy_per_s=0.001))) as url:
        mina = Person(url, "Mina")
        table = mina.table(bots=3)
        mina.post(f"/api/tables/{table['id']}/start")
        codes = []
        for _ in range(4):
            line = mina.socket(table["id"])
            line.until("sync")
            codes += [line.ask(type="why", what="ron").get("code") for _ in range(5)]
            line.close()
        mina.close()
    assert codes[:10].count("too_many") == 0
    assert codes[10:] == ["too_many"] * 10


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="games over sockets take long uncompiled")
def test_huge_numbers_in_rules_are_reported_as_rules_errors(url: str) -> None:
    mina = Person(url, "Mina")
    text = 'extends = "standard"\n[match]\nstart_points = ' + "9" * 4301
    assert mina.post("/api/rules/check", toml=text)["ok"] is False
    assert mina.http.post("/api/rules", json={"toml": text}).status_code == 400


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
@pytest.mark.skipif(not COMPILED, reason="games over sockets take long uncompiled")
def test_a_database_without_a_file_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught:
        Store(Settings(data_dir=tmp_path, database_url=url))
    assert caught.value.code == "bad_database_url"


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="games over sockets take long uncompiled")
def test_a_rematch_that_is_sent_twice_is_confirmed_twice(url: str) -> None:
    """A page sends again what is unconfirmed when it is greeted, and lots give it another seat then."""
    mina = Person(url, "Mina")
    table = mina.table(bots=3, options={"draw_seats": True})["id"]
    mina.post(f"/api/tables/{table}/start")
    line = mina.socket(table)
    for number in range(5):
        assert line.ask(type="abort", id=f"a{number}", agree=True)["type"] == "ack"
        for _ in range(2):
            assert line.ask(type="rematch", id=f"r{number}", agree=True)["type"] == "ack"


# Bodies about hands


BODIES = {
    "/api/score": "WinRequest",
    "/api/explain": "WinRequest",
    "/api/waits": "HandRequest",
    "/api/discards": "HandRequest",
    "/api/shanten": "ShantenRequest",
}
WIN: dict[str, Any] = {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"}


@pytest.mark.slow
@pytest.mark.parametrize("path", BODIES)
def test_the_interface_names_the_type_of_each_body(path: str) -> None:
    """The client takes its types from here."""
    body = create_app(Settings()).openapi()["paths"][path]["post"]["requestBody"]
    part = body["content"]["application/json"]["schema"]
    assert part["$ref"] == f"#/components/schemas/{BODIES[path]}"
    assert BODIES[path] in schema()["$defs"]


def test_a_body_is_refused_at_its_first_unknown_key(person: Person) -> None:
    """The parser refuses it in its own words, and the answer does not list the other keys."""
    many = {f"unknown{number}": 1 for number in range(3000)}
    for path in ("/api/score", "/api/explain"):
        answer = person.http.post(path, json=WIN | many)
        error = (answer.json() if path == "/api/score" else answer.json()["answer"])["error"]
        assert (answer.status_code, error["code"], error["field"]) == (200, "bad_request", "unknown0")
        assert len(answer.content) < 5000
    for path in ("/api/waits", "/api/discards"):
        answer = person.http.post(path, json={"hand": "123m"} | many)
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, "unknown0")
        assert len(answer.content) < 5000
    answer = person.http.post("/api/shanten", json={"hand": "123m"} | many)
    assert (answer.status_code, answer.json()["error"]["field"]) == (200, "unknown0")


@pytest.mark.slow
def test_rules_with_random_own_yaku_are_scored_or_refused(person: Person) -> None:
    """No condition that the check takes makes a route fail."""
    chance, scored = Random(11), 0
    for _ in range(6):
        texts = fitting(random_condition(chance, chance.randint(1, 4)) for _ in range(5))
        own = {f"own_{i}": {"closed": 2, "open": 1, "when": text} for i, text in enumerate(texts)}
        rules = {"extends": "standard", "yaku": own}
        for win in random_wins(chance.randrange(1000), 3):
            body = win | {"rules": rules}
            for path in ("/api/score", "/api/explain"):
                answer = person.http.post(path, json=body)
                assert answer.status_code in (200, 413), (path, body, answer.text)  # or too much work
                scored += "yaku" in answer.json()
    assert scored > 3


# Logs whose texts are far too long, or that nobody can write: nothing large is kept or breaks later


LONG = "x" * 300_000
LONE = "\ud800"
TURNING = "a\u202e\u200b\n\u0000b"  # turns what follows, is not seen, or breaks lines
Path_ = tuple[Any, ...]


@cache
def written_hostile_texts(name: str) -> str:
    return formats.dumps(game_of(60), name, ["Mina", "Ken", "Aoi", "Rei"])


def changed(tree: Any, text: str, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """The tree with one of its texts, or one of its keys, replaced: once for each kind of place."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(pairs):
        here = (*path, key if isinstance(tree, dict) else 0)
        wholes: list[tuple[Path_, Any]] = [(here, text)] if isinstance(value, str) else []
        wholes += changed(value, text, here)
        for spot, new in wholes:
            yield (
                spot,
                ({**tree, key: new} if isinstance(tree, dict) else [*tree[:key], new, *tree[key + 1 :]]),
            )
    if isinstance(tree, dict):
        yield (*path, "another"), {**tree, "another": text}


def once_each(tree: Any, text: str) -> list[Any]:
    """One changed tree for each place, whatever its number in a list."""
    return list({str(spot): new for spot, new in changed(tree, text)}.values())


def lines(text: str, hostile: str) -> list[str]:
    rows = [json.loads(line) for line in text.splitlines()]
    kinds = {str(row.get("type", sorted(row))) if isinstance(row, dict) else "act": row for row in rows}
    return [
        "\n".join(json.dumps(new if entry is row else entry) for entry in rows)
        for row in kinds.values()
        for new in once_each(row, hostile)
    ]


def whole_hostile_texts(text: str, hostile: str) -> list[str]:
    return [json.dumps(new) for new in once_each(json.loads(text), hostile)]


def xml(text: str, hostile: str) -> list[str]:
    said = {LONG: LONG, LONE: "&#xD800;", TURNING: "a%E2%80%AE%00%0Ab"}[hostile]
    return [text.replace("Mina", said, 1), text.replace('type="', f'{said}="1" type="', 1)] + [
        text.replace(f'{key}="', f'{key}="{said}', 1)
        for key in ("n1", "ver", "lobby", "dan", "jantaku", "sx")
    ]


def packed(text: str, hostile: str) -> list[str]:
    data = zlib.decompress(base64.b85decode(text.strip()))
    size = int.from_bytes(data[:2], "little")
    texts = []
    for new in once_each(json.loads(data[2 : 2 + size]), hostile if hostile == LONE else LONG[:50_000]):
        head = json.dumps(new).encode()
        whole_ = (len(head) % 65536).to_bytes(2, "little") + head + data[2 + size :]
        texts.append(base64.b85encode(zlib.compress(whole_)).decode())
    return texts


WAYS: dict[str, Callable[[str, str], list[str]]] = {
    "mjai": lines,
    "jantaku": lines,
    "tenhou": whole_hostile_texts,
    "mjlog": xml,
    "compact": packed,
}


def read(text: str) -> str | None:
    """What is kept of a log; nothing if it is refused, in few words."""
    try:
        return read_log("log", text, None)
    except JantakuError as error:
        said = error.message("ko")
    assert len(said.encode()) < 20_000
    return None


@pytest.mark.slow
@pytest.mark.parametrize("hostile", [LONG, LONE, TURNING], ids=["long", "lone surrogate", "turning"])
@pytest.mark.parametrize("name", WAYS)
def test_no_text_of_a_log_is_kept_at_length_or_breaks_it_later(name: str, hostile: str) -> None:
    usual = len(read_log("log", written_hostile_texts(name), None))
    taken = 0
    for text in WAYS[name](written_hostile_texts(name), hostile):
        kept = read(text)
        if kept is None:
            continue
        taken += 1
        assert len(kept) < usual + 2000
        kept_log = KeptLog.parse(kept)
        assert max(map(len, kept_log.names), default=0) <= 64
        game = kept_log.recorded().game
        assert "".join((*kept_log.names, game.rules.id)).isprintable()
        json.dumps([event.to_dict() for event in ReplayGame(game, kept_log.names).game.events]).encode()
        for other in formats.BY_NAME:
            formats.dumps(game, other, kept_log.names).encode()
    assert bool(taken) == (hostile != LONE)


@pytest.mark.slow
def test_texts_that_people_write_turn_no_others(url: str) -> None:
    mina = Person(url)
    mina.post("/api/register", name="Turner", password="a long password", language="en")
    mina.post("/api/uploads", text=written_hostile_texts("tenhou"), name=TURNING)
    stage = {"id": "league", "name": TURNING}
    event = mina.post("/api/events", name="Mina", about=TURNING, rules="standard", stages=[stage])
    shown = [mina.get("/api/uploads")["uploads"][0]["name"], event["about"]]
    assert [*shown, event["stages"][0]["name"]] == ["a\nb"] * 3


def test_a_compact_log_with_a_lone_surrogate_is_refused_at_the_door(url: str) -> None:
    bad = packed(written_hostile_texts("compact"), LONE)
    mina = Person(url, "Mina")
    for text in bad[:3]:
        answer = mina.http.post("/api/uploads", json={"text": text})
        assert answer.status_code == 400, answer.text


def test_a_log_has_no_more_actions_than_its_rules_can_need(monkeypatch: pytest.MonkeyPatch) -> None:
    log = written_hostile_texts("compact")
    monkeypatch.setattr("jantaku.records.most_moves.most_moves", lambda _: 59)
    with pytest.raises(JantakuError) as refused:
        read_log("log", log, None)
    assert refused.value.code == "record_long"
    for rules in ("standard", "tenhou", "mahjongsoul-3"):
        assert 500 < most_moves(load(rules)) < 5000


# The protocol: its schema, its models and its page agree


def models_server_protocol(union: Any) -> list[type[Wire]]:
    """The models of a discriminated union."""
    return list(get_args(get_args(union)[0]))


def kind(model: type[Wire]) -> str:
    return str(get_args(model.model_fields["type"].annotation)[0])


def test_the_view_has_a_model_with_its_fields() -> None:
    assert set(bodies.SeatView.model_fields) == {item.name for item in dataclasses.fields(View)}


def test_every_action_has_a_model_with_its_fields() -> None:
    actions = {kind(model): model for model in models_server_protocol(bodies.GameAction)}
    assert actions.keys() == {action.type for action in get_args(Action)}
    for action in get_args(Action):
        assert set(actions[action.type].model_fields) == {
            item.name for item in dataclasses.fields(action)
        } | {"type"}
    assert get_args(actions["foul"].model_fields["act"].annotation) == FOUL_ACTS


def test_the_schema_has_every_field_of_every_event_with_its_bounds() -> None:
    """The names are those that the client is built on."""
    definitions = schema()["$defs"]
    for event in EVENTS.values():
        part = definitions[f"{event.__name__}Event"]
        needed = {item.name for item in dataclasses.fields(event) if item.default is dataclasses.MISSING}
        assert set(part["properties"]) == {item.name for item in dataclasses.fields(event)} | {"type"}
        assert set(part["required"]) == needed | {"type"}
        for name in {"seat", "dealer"} & set(part["properties"]):
            assert (part["properties"][name]["minimum"], part["properties"][name]["maximum"]) == (0, 3)
    assert definitions["PonAction"]["properties"]["red"]["maximum"] == 2
    assert definitions["WonEvent"]["properties"]["score"] == {"$ref": "#/$defs/ScoreWire"}
    assert set(definitions["ScoreWire"]["properties"]) == {
        item.name for item in dataclasses.fields(RecordedScore)
    }


def test_the_schema_is_valid_and_complete() -> None:
    data = json.loads(json.dumps(schema()))
    assert {"FromClient", "FromServer", "TableInfo", "GameSummary", "Replay", "Problem"} <= set(data["$defs"])
    references = json.dumps(data).split('"$ref": "')[1:]
    for reference in references:
        assert reference.partition('"')[0].removeprefix("#/$defs/") in data["$defs"]


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_every_refusal_has_a_text(language: terms.Language) -> None:
    texts = terms.table("server_errors", language)
    assert set(ServerError.STATUS) <= set(texts)

"""Refusals are in the reader's language, immediate, free of library messages and without side effects."""

import asyncio
import re
import sqlite3
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError
from websockets.sync.client import connect

from jantaku import terms
from jantaku.errors import RequestError
from jantaku.server.edge import bodies
from jantaku.server.edge.bodies import LARGE
from jantaku.server.edge.limits import Quota
from jantaku.server.edge.pages import NO_SOCKET
from jantaku.server.edge.work import FairWork
from jantaku.server.errors import ServerError
from jantaku.server.play import game_steps as play
from jantaku.server.settings import Settings
from jantaku.server.storage.store import Store
from server.parlour import WAIT_S, Line, Message, Person, Serve, close_code, code_of, only_limits, seated
from server.postgres_cluster import Cluster

MINA = {"name": "Mina", "language": "en"}
LIBRARY = r"(?i)input|should|field required|string|character"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("guest", MINA | {"name": 5}),
        ("guest", {"language": "en"}),
        ("guest", MINA | {"name": "a" * 500}),
        ("guest", MINA | {"language": "xx"}),
        ("guest", MINA | {"more": 1}),
        ("guest", "{"),
        ("guest", '{"name": "\\ud800"}'),
        ("guest", "\x00"),
        ("tables", {"options": {"spectator_delay_s": -5}}),
        ("tables", {"options": {"spectator_delay_s": 10**9}}),
        ("me/profile", None),
    ],
    ids=range(11),
)
def test_invalid_values_are_refused_in_the_requested_language(
    person: Person, path: str, body: Message | str | None
) -> None:
    for language, script in (("ko", "[가-힣]"), ("ja", "[ぁ-ん]")):
        query = {"lang": language}
        if body is None:
            answer = person.http.get(f"/api/{path}", params={**query, "rules": "x"})
        elif isinstance(body, str):
            head = {"content-type": "application/json"}
            answer = person.http.post(f"/api/{path}", content=body, headers=head, params=query)
        else:
            answer = person.http.post(f"/api/{path}", json=body, params=query)
        assert (answer.status_code, code_of(answer)) == (422, "bad_request")
        message = answer.json()["error"]["message"]
        assert re.search(script, message)
        assert not re.search(LIBRARY, message)


@pytest.mark.slow
def test_an_impossible_path_is_not_found(person: Person) -> None:
    long = "x" * 99
    for path in (
        "games/x/replay/-1",
        "events/..%2f..%2f",
        *(f"{place}/{long}" for place in ("events", "seasons", "rules", "lab/questions")),
        f"people/{long}/card",
    ):
        person.refused("no_page", f"GET /api/{path}")


@pytest.mark.slow
def test_a_path_with_a_nul_character_is_not_found_in_postgresql(serve: Serve, cluster: Cluster) -> None:
    mina = Person(serve(database_url=cluster.new_database("nul")), "Mina")
    for path in ("people/%00/profile", "rules/%00", "tables/%00", "games/%00/replay", "events/a%00b"):
        assert mina.http.get(f"/api/{path}").status_code == 404, path


@pytest.mark.parametrize("path", ["ws/tables/..%2F..%2F", "ws/tables/", "ws/none", "ws", "elsewhere"])
def test_a_socket_at_an_unknown_path_is_closed_permanently(url: str, path: str) -> None:
    """A refused handshake would look like a lost network, and clients would retry forever."""
    with connect(f"{url.replace('http', 'ws', 1)}/{path}") as raw:
        assert close_code(raw) == NO_SOCKET


@pytest.mark.parametrize("sqlstate", ["22021", "08006"])
async def test_database_driver_messages_appear_only_in_the_log(tmp_path: Path, sqlstate: str) -> None:
    secret = "relation people at 10.0.0.7"
    store = Store(Settings(data_dir=tmp_path))
    cause: Any = sqlite3.OperationalError(secret)
    cause.sqlstate = sqlstate
    for error in (
        OperationalError("SELECT 1", {}, cause),
        DBAPIError("SELECT 1", {}, cause),
        OSError(secret),
    ):
        with pytest.raises(ServerError) as refused:
            async with store._guarded():
                raise error
        texts = [refused.value.message(language) for language in terms.LANGUAGES]
        assert secret not in str([*texts, refused.value.details])
    await store.engine.dispose()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_database_without_a_file_is_refused(url: str) -> None:
    with pytest.raises(RequestError) as caught:
        Store(Settings(database_url=url))
    assert caught.value.code == "bad_database_url"


async def test_other_requests_run_between_large_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large bodies are parsed one at a time, with a pause after each of them."""
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


def test_a_body_is_refused_at_its_first_unknown_key(person: Person) -> None:
    """The parser's error names only the first unknown key, so the response does not list all the others."""
    many = {f"unknown{number}": 1 for number in range(3000)}
    win, hand = {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"}, {"hand": "123m"}
    for path, body, status, code in (
        ("score", win, 200, "bad_request"),
        ("explain", win, 200, "bad_request"),
        ("waits", hand, 400, "unknown_field"),
        ("discards", hand, 400, "unknown_field"),
        ("shanten", hand, 200, "bad_request"),
    ):
        answer = person.http.post(f"/api/{path}", json=body | many)
        error = (answer.json()["answer"] if path == "explain" else answer.json())["error"]
        assert (answer.status_code, error["code"], error["field"]) == (status, code, "unknown0")
        assert len(answer.content) < 5000


@pytest.mark.slow
def test_huge_numbers_in_rules_are_reported_as_rules_errors(person: Person) -> None:
    text = 'extends = "standard"\n[match]\nstart_points = ' + "9" * 4301
    assert person.post("/api/rules/check", toml=text)["ok"] is False
    assert person.send("POST", "/api/rules", toml=text).status_code == 400


# Regression tests for refusals at tables


def table_of_four(url: str, **options: Any) -> tuple[list[Person], str, list[Line]]:
    four = [Person(url, name) for name in ("Mina", "Juno", "Theo", "Lena")]
    table, lines = seated(four, options=options)
    return four, f"/api/tables/{table['id']}/people", lines


@pytest.mark.slow
def test_refusals_do_not_wait_for_the_table_lock(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals do not wait while an action is being stored; a delay would reveal that someone acted."""
    apply_action, stored = play.apply_action, threading.Event()

    async def slowly(*given: Any) -> None:
        assert await asyncio.to_thread(stored.wait, WAIT_S)
        await apply_action(*given)

    four, people, lines = table_of_four(url)
    monkeypatch.setattr("jantaku.server.play.message_handlers.play.apply_action", slowly)
    own = lines[0].own
    assert own is not None
    lines[0].send(type="act", id="slow", game=1, ask=own["ask"], action=own["legal"][0])
    assert lines[2].ask(type="rematch", agree=True)["code"] == "already_started"
    four[0].refused("no_person", f"DELETE {people}/nobody")
    assert not [message for message in lines[0].seen if message.get("id") == "slow"]
    stored.set()
    assert lines[0].until("ack")["id"] == "slow"


@pytest.mark.slow
def test_message_ids_start_over_with_each_game(url: str) -> None:
    """A player who takes over a seat may use the message ids of the player before."""
    _, _, lines = table_of_four(url)
    for line in lines:
        line.send(type="ready", id="a7")
        assert line.ask(type="abort", id="a8", agree=True)["type"] == "ack"
    for line in lines:
        assert line.ask(type="rematch", id="a9", agree=True)["type"] == "ack"
    lines[0].until("sync")
    own, before = lines[0].own, lines[0].seq
    assert own is not None
    assert lines[0].act(own["legal"][0], id="a7")["type"] == "ack"
    assert lines[0].seq > before


@pytest.mark.slow
def test_players_cannot_be_removed_from_a_rated_game(url: str) -> None:
    four, people, _ = table_of_four(url, rated=True)
    four[0].refused("rated_stays", f"DELETE {people}/{four[1].id}")


def test_hint_requests_are_limited_per_person_not_per_socket(serve: Serve) -> None:
    mina = Person(serve(limits=only_limits(heavy_per_s=0.001)), "Mina")
    table, _ = mina.start()
    codes = []
    for _ in range(4):
        line = mina.socket(table)
        line.until("sync")
        codes += [line.ask(type="why", what="ron").get("code") for _ in range(5)]
    assert codes[:10].count("too_many") == 0
    assert codes[10:] == ["too_many"] * 10


@pytest.mark.slow
def test_a_repeated_rematch_vote_is_confirmed_again(person: Person) -> None:
    """A page that reconnects repeats unconfirmed messages, although its seat may have changed by then."""
    _, line = person.start(options={"draw_seats": True})
    for number in range(5):
        assert line.ask(type="abort", id=f"a{number}", agree=True)["type"] == "ack"
        for _ in range(2):
            assert line.ask(type="rematch", id=f"r{number}", agree=True)["type"] == "ack"

"""Random and damaged requests and messages get a clear answer, cause no server error and change nothing."""

import json
from random import Random
from typing import Any

import pytest

from conftest import scale
from jantaku.kernels._jit import COMPILED
from naive.generate import random_wins
from server.parlour import Line, Message, Person
from support.own_conditions import random_condition
from support.own_fuzz import fitting
from support.spoilt import FIELDS, ODD_JSON, games, mutated, spoilt

SCORED = ("/api/score", "/api/explain")
HANDS = (*SCORED, "/api/waits", "/api/discards", "/api/shanten")
OTHERS = ("rules/check", "rules", "tables", "guest", "login", "register", "me", "uploads")


def send(person: Person, path: str, text: str) -> int:
    """Send a body and assert that it causes no server error; return the status."""
    data = text.encode("utf-8", "replace")
    answer = person.http.post(path, content=data, headers={"content-type": "application/json"})
    assert answer.status_code < 500, (path, data[:2000], answer.text)
    answer.json()
    return answer.status_code


def fuzz_hands(person: Person, number: int, seed: int) -> set[int]:
    chance, statuses = Random(seed), set[int]()
    for request in random_wins(seed, number):
        path = chance.choice(HANDS)
        known = request if path in SCORED else {key: request[key] for key in ("hand", "melds")}
        statuses.add(send(person, path, mutated(chance, known) + chance.choice(("", "", "", "\x00", "}"))))
    return statuses


@pytest.mark.slow
def test_damaged_hands_cause_no_server_error(person: Person) -> None:
    assert {200, 422} <= fuzz_hands(person, scale(600), 1)


@pytest.mark.long
def test_many_damaged_hands_cause_no_server_error(person: Person) -> None:
    fuzz_hands(person, 10_000, 2)


@pytest.mark.slow
def test_malformed_bodies_cause_no_server_error(url: str) -> None:
    person, chance = Person(url, "Odd"), Random(3)
    for path in (*HANDS, *(f"/api/{path}" for path in OTHERS)):
        for text in (*ODD_JSON, "\xff"):
            send(person, path, text)
            send(person, path, f'{{"{chance.choice(FIELDS)}": {text}}}')


def fuzz_uploads(person: Person, number: int, seed: int) -> set[int]:
    chance, logs = Random(seed), [*games()]
    sent = ({"text": spoilt(chance, text), "name": name} for name, text in logs * (number // len(logs)))
    return {send(person, "/api/uploads", json.dumps(body)) for body in sent}


@pytest.mark.slow
def test_damaged_logs_cause_no_server_error(person: Person) -> None:
    assert max(fuzz_uploads(person, scale(120), 5)) >= 400


@pytest.mark.long
def test_many_damaged_logs_cause_no_server_error(person: Person) -> None:
    fuzz_uploads(person, 8000, 6)


@pytest.mark.slow
def test_rules_with_random_custom_yaku_are_scored_or_refused(person: Person) -> None:
    """No condition that passes the rules check makes scoring fail."""
    chance, scored = Random(11), 0
    for _ in range(6):
        texts = fitting(random_condition(chance, chance.randint(1, 4)) for _ in range(5))
        own = {f"own_{i}": {"closed": 2, "open": 1, "when": text} for i, text in enumerate(texts)}
        for win in random_wins(chance.randrange(1000), 3):
            body = win | {"rules": {"extends": "standard", "yaku": own}}
            for path in SCORED:
                answer = person.http.post(path, json=body)
                # 413 means that scoring would take too much work
                assert answer.status_code in (200, 413), (path, body, answer.text)
                scored += "yaku" in answer.json()
    assert scored > 3


# Messages at tables that are malformed, meant for another game or out of turn


def message(chance: Random) -> Message:
    """Return a random protocol message; it rarely answers the current request."""
    tile = chance.choice(("1m", "0p", "5sr", "7z", "8z", "11m", "", "x"))
    action: Message = chance.choice(
        (
            {"type": chance.choice(("pass", "ron", "tsumo", "nine_terminals"))},
            {"type": "discard", "tile": tile, "drawn": chance.random() < 0.5},
            {"type": "discard", "tile": tile, "riichi": "open"},
            {"type": "chi", "tiles": chance.choice(("34m", "1z2z", ""))},
            {"type": "pon", "red": chance.randrange(3)},
            {"type": "kan", "kind": chance.choice(("ankan", "kakan", "daiminkan")), "tile": tile},
            {"type": "foul", "act": "win_shown"},
        )
    )
    number, ask = str(chance.randrange(1 << 30)), chance.choice((0, 1, 2, 10**9, -5))
    sent: Message = chance.choice(
        (
            {"type": "act", "id": number, "game": chance.choice((0, 1, 2)), "ask": ask, "action": action},
            {"type": "why", "id": number, "what": chance.choice(("ron", "kan", "riichi", action))},
            {"type": "hello", "version": 1},
            {"type": "rematch", "id": number, "agree": True},
            {"type": chance.choice(("abort", "hints", "sync", "", "ACT")), "id": number},
        )
    )
    return sent


def whole(person: Person, table: str) -> Message:
    """Return everything that a player may know about the game."""
    line = person.socket(table)
    sync = line.until("sync")
    line.close()
    return {key: sync[key] for key in ("game", "seq", "view", "events", "own")}


def fuzz_messages(url: str, number: int) -> None:
    """Send ``number`` messages from a seat, a spectator and another table; the game must stay the same."""
    chance = Random(number)
    seat, watcher, stranger, asked = (Person(url, name) for name in ("Seat", "Watcher", "Stranger", "Asked"))
    table = asked.table(bots=2)["id"]
    seat.post(f"/api/tables/{table}/join")
    other = stranger.table(bots=3)["id"]
    line = asked.socket(table)
    lines = [seat.socket(table), watcher.socket(table), stranger.socket(other)]
    asked.post(f"/api/tables/{table}/start")
    line.wait_to_act()
    for each in (*lines, line):
        each.ask(type="ping")
    state, answers = whole(asked, table), list[str]()
    for _ in range(0, number, 50):
        for _ in range(50):
            sent = message(chance)
            text = json.dumps(sent) if chance.random() < 0.3 else mutated(chance, sent)
            chance.choice(lines).raw.send(text.encode("utf-8", "replace").decode()[:4000])
        answers += [kind for each in lines for kind in answered(each)]
    assert whole(asked, table) == state
    assert answers.count("error") > number / 2
    assert {"sync", "update"}.isdisjoint(answers)


def answered(line: Line) -> list[str]:
    """Return the types of the messages waiting to be read.

    Every error must have a code and a text, and drawn tiles must stay hidden.
    """
    before = len(line.seen)
    kinds = line.types()
    for sent in line.seen[before:]:
        assert sent["type"] != "error" or (sent["code"] and sent["message"])
        for event in sent.get("events", ()):
            assert event["type"] != "drew" or "tile" not in event
    return kinds


def test_bad_messages_change_nothing(url: str) -> None:
    fuzz_messages(url, 2000 if COMPILED else 200)


@pytest.mark.long
def test_a_hundred_thousand_bad_messages_change_nothing(url: str) -> None:
    fuzz_messages(url, 100_000)


@pytest.mark.slow
def test_repeated_messages_change_nothing_from_any_seat(url: str) -> None:
    """The messages are sent again both from the same seat and from another one."""
    mina, jun = Person(url, "Mina"), Person(url, "Jun")
    table = mina.table(bots=2)["id"]
    jun.post(f"/api/tables/{table}/join")
    lines = [mina.socket(table), jun.socket(table)]
    mina.post(f"/api/tables/{table}/start")
    sent: list[Message] = []

    def asked() -> Line:
        """Return the socket of the player who has to act; bots may act before."""
        while True:
            for line in lines:
                line.ask(type="ping")
                if line.own and line.own["ask"] is not None:
                    return line

    for number in range(6):
        line = asked()
        assert line.own is not None
        action = {"action": line.own["legal"][-1]} | {"game": 1, "ask": line.own["ask"]}
        sent.append({"type": "act", "id": f"r{number}"} | action)
        assert line.ask(**sent[-1])["type"] == "ack"
    asked()
    before = [whole(person, table) for person in (mina, jun)]
    for person in (mina, jun):
        line = person.socket(table)
        for again in sent:
            line.send(**again)
        line.ask(type="ping")
    assert [whole(person, table) for person in (mina, jun)] == before


# Random requests that are generated from the OpenAPI schema


@pytest.mark.slow
def test_generated_requests_cause_no_server_error(url: str) -> None:
    """The generated requests include some that violate the schema."""
    fuzz_api(url, examples=3 if COMPILED else 1)


@pytest.mark.long
def test_many_generated_requests_cause_no_server_error(url: str) -> None:
    fuzz_api(url, examples=60)


def fuzz_api(url: str, examples: int) -> None:
    """Send generated requests to every operation as a person who is signed in."""
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis import checks
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import response_schema_conformance

    person = Person(url, "Fuzz")
    cookie = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
    few = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    for result in schemathesis.openapi.from_url(f"{url}/api/openapi.json").get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path in ("/api/logout", "/api/enter", "/api/login", "/api/register"):
            continue

        @few
        @given(case=operation.as_strategy())
        def one(case: Any) -> None:
            answer = case.call(headers={"Cookie": cookie})
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400 and answer.headers["content-type"] == ["application/json"]:
                assert answer.json()["error"]["message"]
            case.validate_response(answer, checks=[checks.not_a_server_error, response_schema_conformance])

        one()

"""The models of bodies about hands say the same as the parser that reads those bodies."""

from random import Random
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from jantaku.adjudication.jsonl import shanten_answer
from jantaku.adjudication.named_rules import rules_of
from jantaku.adjudication.requests import (
    MELD_FIELDS,
    MOST,
    SHANTEN_FIELDS,
    WIN_FIELDS,
    win_from_request,
)
from jantaku.errors import JantakuError, RequestError
from jantaku.fields import MOST_TEXT
from jantaku.rules import load
from jantaku.server.app import create_app
from jantaku.server.edge.wire import MeldWire
from jantaku.server.schema import schema
from jantaku.server.settings import Settings
from jantaku.server.study.answers import HandRequest, ShantenRequest, WinRequest, drill
from naive.generate import random_wins
from server.parlour import Person
from support.own_conditions import random_condition
from support.own_fuzz import fitting

BODIES = {
    "/api/score": "WinRequest",
    "/api/explain": "WinRequest",
    "/api/waits": "HandRequest",
    "/api/discards": "HandRequest",
    "/api/shanten": "ShantenRequest",
}
WIN: dict[str, Any] = {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"}
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, MOST, MOST + 1, 1.5, [], {}, "", "east", "right", "ron", "double", "1m"),
    *("x" * MOST_TEXT, "1m" * MOST_TEXT, [None], [{}], [1], {"suuankou": "left"}, {"suuankou": "here"}),
)
TYPE_CODES = (
    *("wrong_type", "wrong_choice", "wrong_choice_nearest", "number_range", "text_too_long"),
    *("missing_field", "too_many_melds"),
)


def names(model: type[BaseModel]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


def fits(model: type[BaseModel], body: object) -> bool:
    try:
        model.model_validate(body, strict=True)
    except ValidationError:
        return False
    return True


def test_every_body_has_exactly_the_fields_that_the_parser_knows() -> None:
    assert names(WinRequest) == set(WIN_FIELDS)
    assert names(ShantenRequest) == set(SHANTEN_FIELDS)
    assert names(MeldWire) == set(MELD_FIELDS)


@pytest.mark.slow
@pytest.mark.parametrize("path", BODIES)
def test_the_interface_names_the_type_of_each_body(path: str) -> None:
    """The client takes its types from here."""
    body = create_app(Settings()).openapi()["paths"][path]["post"]["requestBody"]
    part = body["content"]["application/json"]["schema"]
    assert part["$ref"] == f"#/components/schemas/{BODIES[path]}"
    assert BODIES[path] in schema()["$defs"]


def test_what_the_server_writes_and_reads_fits_the_models() -> None:
    for win in random_wins(3, 300):
        assert fits(WinRequest, win), win
        assert fits(HandRequest, {name: win[name] for name in ("hand", "melds", "dora")})
    for seed in range(3):
        assert fits(WinRequest, drill(load("standard"), seed))


def refused_by_its_type(body: dict[str, Any]) -> bool:
    """Whether the parser says that a value has the wrong type, word or size."""
    try:
        win_from_request(body)
        rules_of(body)
    except RequestError as error:
        return error.code in TYPE_CODES
    except JantakuError:
        return False
    return False


@pytest.mark.parametrize("name", WIN_FIELDS)
def test_model_and_parser_refuse_the_same_values(name: str) -> None:
    for value in ODD:
        body = WIN | {name: value}
        assert fits(WinRequest, body) != refused_by_its_type(body), (name, value)


@pytest.mark.parametrize("name", SHANTEN_FIELDS)
def test_model_and_parser_of_shanten_refuse_the_same_values(name: str) -> None:
    for value in ODD:
        body = {"hand": "1458m389p34679s14z", name: value}
        if name != "id" and not fits(ShantenRequest, body):
            assert shanten_answer(body)["error"]["field"].startswith(name), (name, value)


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

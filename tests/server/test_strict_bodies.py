"""Numbers and truth values in bodies are what JSON says they are: `true` is no 1, and 1 is not true."""

import asyncio
import dataclasses
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

import jantaku.server.app  # noqa: F401  (imports every model)
from jantaku.server.edge import strict_json
from jantaku.server.edge.body_limits import LARGE
from jantaku.server.edge.fair_work import FairWork
from jantaku.server.edge.holdings import Quota
from jantaku.server.edge.shared_bodies import Done
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event import RoundSettings
from jantaku.server.events.rounds.round_state import ChangeSeats


def models(base: type[Wire] = Wire) -> Iterator[type[Wire]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from models(subclass)


def test_no_body_repeats_a_dataclass() -> None:
    """The dataclass stands in the schema itself (``jantaku.server.edge.wire``, or as the type of a field)."""
    modules = [module for name, module in [*sys.modules.items()] if name.startswith("jantaku.")]
    values = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    classes = [value for value in values if dataclasses.is_dataclass(value)]
    fields = {frozenset(field.name for field in dataclasses.fields(cls)) for cls in classes}
    assert len(fields) > 100
    own = {
        model for model in models() if model.__module__ != "jantaku.server.edge.wire"
    }  # made of dataclasses
    repeated = [body for body in own if len(body.model_fields) > 3 and set(body.model_fields) in fields]
    # fractions that are numbers in JSON; the lab, which has the other, may be missing; requests with bounds
    kept = {"PlayerStanding", "OwnPlayed", "AttendanceRule", "YearCounting"}
    assert {body.__name__ for body in repeated} <= kept


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


@pytest.mark.anyio
async def test_others_get_their_time_between_large_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many arrive at once: they are read one at a time, with a pause after each."""
    app, order = SimpleNamespace(state=SimpleNamespace(large_bodies=FairWork(Quota(9)))), list[str]()

    def slow(body: bytes) -> Any:
        order.append("body")
        return len(body)

    async def send() -> Any:
        request = strict_json.StrictRequest({"type": "http", "app": app})
        request._body = b" " * LARGE
        return await request.json()

    async def other() -> None:
        while order.count("body") < 5:
            order.append("other")
            await asyncio.sleep(0)

    monkeypatch.setattr(strict_json, "_read", slow)
    assert await asyncio.gather(*(send() for _ in range(5)), other()) == [LARGE] * 5 + [None]
    assert "body body" not in " ".join(order)

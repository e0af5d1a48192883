"""The schema of the interface has every domain field with its bounds, and a text for every error."""

import json
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

import jantaku.server.app  # noqa: F401  (imports every model)
from jantaku import terms
from jantaku.game.events import EVENTS
from jantaku.rules import load, preset_names
from jantaku.rules.schema import schema as rules_schema
from jantaku.server.app import create_app
from jantaku.server.edge.bodies import Done
from jantaku.server.errors import ServerError
from jantaku.server.events.rounds.round_state import ChangeSeats
from jantaku.server.rules.bodies import OptionValue, RulesSchema
from jantaku.server.schema import schema
from jantaku.server.settings import Settings
from jantaku.server.storage.event_plan import RoundSettings
from jantaku.wire import Wire


def names(described: Any) -> set[str]:
    return {item.name for item in fields(described)}


def test_the_schema_has_every_field_of_every_event_with_its_bounds() -> None:
    """The client depends on these field names."""
    definitions = schema()["$defs"]
    for event in EVENTS.values():
        part = definitions[event.__name__]
        needed = {item.name for item in fields(event) if item.default is MISSING}
        assert set(part["properties"]) == names(event) | {"type"}
        assert set(part["required"]) == needed | {"type"}
        for name in {"seat", "dealer"} & set(part["properties"]):
            assert (part["properties"][name]["minimum"], part["properties"][name]["maximum"]) == (0, 3)
    assert definitions["Pon"]["properties"]["red"]["maximum"] == 2
    assert definitions["Won"]["properties"]["score"] == {"$ref": "#/$defs/RecordedScore"}


def test_the_schema_is_valid_and_complete() -> None:
    data = json.loads(json.dumps(schema()))
    assert {"FromClient", "FromServer", "TableInfo", "GameSummary", "Replay", "Problem"} <= set(data["$defs"])
    for reference in json.dumps(data).split('"$ref": "')[1:]:
        assert reference.partition('"')[0].removeprefix("#/$defs/") in data["$defs"]


@pytest.mark.slow
def test_request_bodies_about_hands_reference_named_types() -> None:
    """The client's types are generated from these."""
    paths = create_app(Settings()).openapi()["paths"]
    for path, name in (
        ("score", "WinRequest"),
        ("explain", "WinRequest"),
        ("waits", "HandRequest"),
        ("discards", "HandRequest"),
        ("shanten", "ShantenRequest"),
    ):
        body = paths[f"/api/{path}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert body["$ref"] == f"#/components/schemas/{name}"
        assert name in schema()["$defs"]


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_every_refusal_has_a_text_and_the_rules_schema_is_complete(language: terms.Language) -> None:
    assert set(ServerError.STATUS) <= set(terms.table("server_errors", language))
    options = rules_schema(language)
    assert RulesSchema.model_validate(options).model_dump(exclude_unset=True) == options


@pytest.mark.parametrize("name", preset_names())
def test_a_ruleset_is_serialised_unchanged(name: str) -> None:
    adapter, tree = TypeAdapter(dict[str, OptionValue]), load(name).to_dict()
    assert adapter.dump_python(adapter.validate_python(tree)) == tree


# JSON types are strict: `true` is not 1, and 1 is not `true`


def models(base: type[Wire] = Wire) -> Iterator[type[Wire]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from models(subclass)


def assigned(model: type[Wire], field: str, value: Any) -> Any:
    """Return what a field stores when this value is assigned, or the value itself if it is refused."""
    validator = model.__pydantic_validator__
    try:
        assignment: Any = validator.validate_assignment(model.model_construct(), field, value)
    except ValidationError:
        return value
    return (assignment[0] if isinstance(assignment, tuple) else assignment.__dict__)[field]


@pytest.mark.parametrize("value", [True, False, 1, 0, "1", "true", 1.0], ids=repr)
def test_no_field_coerces_values_of_another_type(value: Any) -> None:
    wrong = {
        f"{model.__name__}.{field}"
        for model in models()
        if model is not Done  # sent only in responses; its single field is always true
        for field in model.model_fields
        if type(assigned(model, field, value))
        not in (type(value), float if type(value) is int else type(value))
    }
    assert wrong == set()


def test_minutes_must_be_integers_but_keys_may_be_numeric_strings() -> None:
    for value in (True, "60", 60.0, [60]):
        with pytest.raises(ValidationError):
            RoundSettings.model_validate({"minutes": value})
    assert RoundSettings.model_validate({"minutes": 60}).minutes == 60
    assert ChangeSeats.model_validate({"tables": {"2": list("abcd")}}).tables == {2: list("abcd")}

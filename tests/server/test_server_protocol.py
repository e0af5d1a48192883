"""The protocol: its schema, its models and its page agree."""

import dataclasses
import json
from pathlib import Path
from typing import Any, get_args

import pytest

from jantaku import terms
from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.game.actions import FOUL_ACTS, Action
from jantaku.game.events import EVENTS
from jantaku.game.view import View
from jantaku.server.edge import client_messages, protocol, wire
from jantaku.server.errors import ServerError
from jantaku.server.play import table_sockets
from jantaku.server.schema import schema

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")


def models(union: Any) -> list[type[wire.Wire]]:
    """The models of a discriminated union."""
    return list(get_args(get_args(union)[0]))


def kind(model: type[wire.Wire]) -> str:
    return str(get_args(model.model_fields["type"].annotation)[0])


def test_every_event_has_a_model_with_its_fields() -> None:
    events = {kind(model): model for model in models(wire.GameEvent)}
    assert events.keys() == EVENTS.keys()
    for name, event in EVENTS.items():
        fields = {item.name for item in dataclasses.fields(event)}
        assert set(events[name].model_fields) == fields | {"type"}, name


def test_the_view_has_a_model_with_its_fields() -> None:
    assert set(wire.SeatView.model_fields) == {item.name for item in dataclasses.fields(View)}


def test_every_action_has_a_model_with_its_fields() -> None:
    actions = {kind(model): model for model in models(wire.GameAction)}
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


def test_the_protocol_page_lists_every_message_and_close_code() -> None:
    for model in (*models(client_messages.FromClient), *models(protocol.FromServer)):
        name = kind(model)
        assert f"`{name}`" in PAGE or f'"type":"{name}"' in PAGE or name in ("ack", "ping", "pong"), name
    codes = [value for name, value in vars(table_sockets).items() if name.isupper() and type(value) is int]
    for code in [code for code in codes if code > 1000]:
        assert str(code) in PAGE
    assert f"Version {protocol.VERSION}." in PAGE


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

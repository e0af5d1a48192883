"""``python -m jantaku.server.schema``: the JSON Schema of the protocol, for generating client types."""

import json
import sys
from typing import Any

from pydantic import BaseModel, RootModel
from pydantic.json_schema import models_json_schema

from jantaku.server.archive import replay_bodies
from jantaku.server.edge import shared_bodies as api
from jantaku.server.edge.protocol import FROM_CLIENT, FROM_SERVER, VERSION
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common import event_bodies, event_plan
from jantaku.server.events.notices import push_bodies, webhook_bodies
from jantaku.server.events.recording import game_bodies, in_out_bodies, payment_bodies
from jantaku.server.events.results import side_bet_bodies, statistics_bodies
from jantaku.server.events.rounds import round_bodies
from jantaku.server.events.seasons import season_bodies
from jantaku.server.lab import lab_bodies
from jantaku.server.numbers import numbers_bodies
from jantaku.server.people import people_bodies
from jantaku.server.play import table_bodies
from jantaku.server.rules import rules_bodies, table_types
from jantaku.server.study import first_hand_bodies, hand_answers, hand_bodies

DIALECT = "https://json-schema.org/draft/2020-12/schema"

EVENT_MODULES = (
    *(event_plan, event_bodies, game_bodies, in_out_bodies, round_bodies, webhook_bodies),
    *(season_bodies, side_bet_bodies, statistics_bodies, payment_bodies),
)
MODULES = (
    *(
        api,
        table_types,
        people_bodies,
        push_bodies,
        numbers_bodies,
        table_bodies,
        replay_bodies,
        rules_bodies,
        hand_bodies,
        hand_answers,
        first_hand_bodies,
        lab_bodies,
    ),
    *EVENT_MODULES,
)


def schema() -> dict[str, Any]:
    """One schema: ``FromClient``, ``FromServer``, and every body of the HTTP interface under ``$defs``."""
    named = {name: one for module in MODULES for name, one in vars(module).items()}
    public = (one for name, one in named.items() if not name.startswith("_"))
    models = (one for one in public if isinstance(one, type) and issubclass(one, BaseModel))
    made = (one for one in dict.fromkeys(models) if "[" not in one.__name__)  # "RootModel[…]" is a base only
    bodies = [model for model in made if model not in (Wire, RootModel)]
    _, definitions = models_json_schema(
        [(model, "serialization") for model in bodies],
        ref_template="#/$defs/{model}",
    )
    found: dict[str, Any] = {**definitions.get("$defs", {})}
    for name, adapter in (("FromClient", FROM_CLIENT), ("FromServer", FROM_SERVER)):
        part = adapter.json_schema(mode="serialization", ref_template="#/$defs/{model}")
        found |= part.pop("$defs")
        found[name] = part
    messages = {name: {"$ref": f"#/$defs/{name}"} for name in ("FromClient", "FromServer")}
    return {
        "$schema": DIALECT,
        "title": "Protocol",
        "description": f"Version {VERSION} of the protocol.",
        "type": "object",
        "properties": messages,
        "required": list(messages),
        "$defs": dict(sorted(found.items())),
    }


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")

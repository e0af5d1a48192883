"""``python -m jantaku.server.schema``: the JSON Schema of the protocol, for generating client types."""

import json
import sys
from typing import Any

from pydantic import BaseModel, RootModel
from pydantic.json_schema import models_json_schema

from jantaku.server.app import modules
from jantaku.server.edge.protocol import FROM_CLIENT, FROM_SERVER, VERSION
from jantaku.wire import Wire

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """One schema: ``FromClient``, ``FromServer``, and every body of the HTTP interface under ``$defs``."""
    named = {name: value for module in modules() for name, value in vars(module).items()}
    public = (value for name, value in named.items() if not name.startswith("_"))
    models = (value for value in public if isinstance(value, type) and issubclass(value, BaseModel))
    # "RootModel[…]" is a base only
    made = (model for model in dict.fromkeys(models) if "[" not in model.__name__)
    bodies = [model for model in made if model not in (Wire, RootModel, BaseModel)]
    _, definitions = models_json_schema(
        [(model, "serialization") for model in bodies],
        ref_template="#/$defs/{model}",
    )
    parts: dict[str, Any] = {**definitions.get("$defs", {})}
    for name, adapter in (("FromClient", FROM_CLIENT), ("FromServer", FROM_SERVER)):
        part = adapter.json_schema(mode="serialization", ref_template="#/$defs/{model}")
        parts |= part.pop("$defs")
        parts[name] = part
    messages = {name: {"$ref": f"#/$defs/{name}"} for name in ("FromClient", "FromServer")}
    return {
        "$schema": DIALECT,
        "title": "Protocol",
        "description": f"Version {VERSION} of the protocol.",
        "type": "object",
        "properties": messages,
        "required": list(messages),
        "$defs": dict(sorted(parts.items())),
    }


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")

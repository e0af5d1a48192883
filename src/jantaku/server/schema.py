"""Print the JSON Schema of the protocol, for generating client types: ``python -m jantaku.server.schema``."""

import json
import sys
from typing import Any

from pydantic import RootModel, TypeAdapter

from jantaku.reading import Strict, Typed
from jantaku.server.app import modules
from jantaku.server.edge.protocol import FROM_CLIENT, FROM_SERVER, VERSION
from jantaku.wire import Wire

BASES = (Wire, Strict, Typed, RootModel)
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """Return one schema with ``FromClient``, ``FromServer`` and, under ``$defs``, all HTTP bodies."""
    named = {name: value for module in modules() for name, value in vars(module).items()}
    public = (value for name, value in named.items() if not name.startswith("_"))
    bodies = (
        value for value in public if isinstance(value, type) and issubclass(value, Wire | Strict | RootModel)
    )
    # "RootModel[…]" is only a base class
    made = [body for body in dict.fromkeys(bodies) if "[" not in body.__name__ and body not in BASES]
    adapters: dict[str, TypeAdapter[Any]] = {body.__name__: TypeAdapter(body) for body in made}
    adapters |= {"FromClient": FROM_CLIENT, "FromServer": FROM_SERVER}
    schemas, shared = TypeAdapter.json_schemas(
        [(name, "serialization", adapter) for name, adapter in adapters.items()],
        ref_template="#/$defs/{model}",
    )
    parts: dict[str, Any] = {**shared["$defs"]}
    parts |= {name: schemas[name, "serialization"] for name in ("FromClient", "FromServer")}
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

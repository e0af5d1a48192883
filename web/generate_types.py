"""Write the sources of the client's types: the OpenAPI document and the keys of all texts.

``npm run types`` turns the document into ``src/generated/wire.ts``. The type check (``npm run check``) then
rejects text keys and response fields that do not exist.
"""

import json
from typing import Any

from generate import HEAD, OUT, words_of

from jantaku.server.app import create_app
from jantaku.server.schema import schema
from jantaku.server.settings import Settings

# The server always sends every field of these schemas, so none is optional
COMPLETE = {
    *("SeatInfo", "SeasonPartInfo", "TableInfo", "TableOptions", "Own", "Result", "Problem", "RecordedScore"),
    *("Explanation", "Group", "YakuRow", "FuRow", "PaymentRow", "Exercise", "Choice", "ShownHand"),
}


def components() -> dict[str, Any]:
    """Return the schemas of all messages and bodies, by name."""
    text = json.dumps(schema()["$defs"]).replace("#/$defs/", "#/components/schemas/")
    schemas: dict[str, Any] = json.loads(text)
    for name, part in schemas.items():
        fields = part.get("properties", {})
        kinds = [field for field, inner in fields.items() if field == "type" and "const" in inner]
        part["required"] = list(fields if name in COMPLETE else {*part.get("required", ()), *kinds})
    schemas["OptionValue"] = {}  # recursive, which a TypeScript type alias may not be
    return schemas


def main() -> None:
    """Write ``keys.ts`` and ``openapi.json``."""
    OUT.mkdir(parents=True, exist_ok=True)
    listed = "".join(f'  | "{key}"\n' for key in words_of("en"))
    (OUT / "keys.ts").write_text(f"{HEAD}export type Key =\n{listed};\n", "utf-8")
    document = create_app(Settings()).openapi()
    document["components"]["schemas"] = components()
    (OUT / "openapi.json").write_text(json.dumps(document), "utf-8")


if __name__ == "__main__":
    main()

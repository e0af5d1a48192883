"""Writes what the types of the client are made from: the OpenAPI document and the keys of all texts.

``npm run types`` makes ``src/generated/wire.ts`` of the document. A key that the client uses and no table
has, or a field that no answer has, ends at the type check (``npm run check``).
"""

import json
from typing import Any

from generate import HEAD, OUT, words_of

from jantaku.server.app import create_app
from jantaku.server.schema import schema
from jantaku.server.settings import Settings

# The server always writes every field of these, so none is optional
WHOLE = {
    *("SeatInfo", "SeasonPartInfo", "TableInfo", "TableOptions", "Own", "Result", "Problem", "RecordedScore"),
    *("Explanation", "Group", "YakuRow", "FuRow", "PaymentRow"),
}


def components() -> dict[str, Any]:
    """Every message and body."""
    text = json.dumps(schema()["$defs"]).replace("#/$defs/", "#/components/schemas/")
    found: dict[str, Any] = json.loads(text)
    for name, part in found.items():
        fields = part.get("properties", {})
        kinds = [field for field, inner in fields.items() if field == "type" and "const" in inner]
        part["required"] = list(fields if name in WHOLE else {*part.get("required", ()), *kinds})
    found["OptionValue"] = {}  # contains itself, which a type of TypeScript may not
    return found


def main() -> None:
    """Write everything."""
    OUT.mkdir(parents=True, exist_ok=True)
    listed = "".join(f'  | "{key}"\n' for key in words_of("en"))
    (OUT / "keys.ts").write_text(f"{HEAD}export type Key =\n{listed};\n", "utf-8")
    document = create_app(Settings()).openapi()
    document["components"]["schemas"] = components()
    (OUT / "openapi.json").write_text(json.dumps(document), "utf-8")


if __name__ == "__main__":
    main()

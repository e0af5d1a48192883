"""Writes the types of the client: requests and answers, messages, and the keys of all texts.

``python web/generate_types.py`` adds them to ``web/src/generated``. A key that the client uses and no table
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


def write_keys() -> None:
    """``keys.ts``: the type of all keys of texts."""
    listed = "".join(f'  | "{key}"\n' for key in words_of("en"))
    (OUT / "keys.ts").write_text(f"{HEAD}export type Key =\n{listed};\n", "utf-8")


def ts_type(part: dict[str, Any], prefix: str = "") -> str:
    """The TypeScript of a piece of JSON Schema; ``prefix`` stands before the names of types."""
    if "$ref" in part:
        return prefix + str(part["$ref"]).rsplit("/", 1)[-1]
    if "const" in part or "enum" in part:
        return " | ".join(json.dumps(value) for value in part.get("enum", [part.get("const")]))
    if choices := part.get("anyOf", part.get("oneOf")):
        return " | ".join(dict.fromkeys(ts_type(choice, prefix) for choice in choices))
    kind = part.get("type")
    if kind == "array":
        return ts_array(part, prefix)
    if kind == "object":
        inner = part.get("additionalProperties")
        return f"{{ [name: string]: {ts_type(inner, prefix) if isinstance(inner, dict) else 'unknown'} }}"
    names = {
        "integer": "number",
        "number": "number",
        "string": "string",
        "boolean": "boolean",
        "null": "null",
    }
    return names.get(str(kind), "unknown")


def ts_array(part: dict[str, Any], prefix: str) -> str:
    """A list, or a tuple."""
    if "prefixItems" in part:
        return f"[{', '.join(ts_type(one, prefix) for one in part['prefixItems'])}]"
    return f"({ts_type(part['items'], prefix)})[]" if "items" in part else "unknown[]"


def ts_definition(name: str, part: dict[str, Any]) -> str:
    """One exported type."""
    inner = part.get("additionalProperties")
    if "properties" not in part and isinstance(inner, dict):  # only an interface may contain itself
        return f"export interface {name} {{\n  [name: string]: {ts_type(inner)};\n}}\n"
    if "properties" not in part:
        return f"export type {name} = {ts_type(part)};\n"
    needed = part["properties"].keys() if name in WHOLE else part.get("required", ())
    sure = {field for field, inner in part["properties"].items() if field == "type" and "const" in inner}
    fields = "".join(
        f'  "{field}"{"" if field in needed or field in sure else "?"}: {ts_type(inner)};\n'
        for field, inner in part["properties"].items()
    )
    return f"export interface {name} {{\n{fields}}}\n"


def write_types() -> None:
    """``wire.ts``: every message and body."""
    found = schema()["$defs"]
    text = HEAD + "".join(ts_definition(name, part) for name, part in sorted(found.items()))
    (OUT / "wire.ts").write_text(text, "utf-8")


def ts_request(found: dict[str, Any]) -> str:
    """The parameters, body and answer of a request."""
    taken: dict[str, list[str]] = {"path": [], "query": []}
    for part in found.get("parameters", ()):
        if part["in"] in taken and part["name"] != "lang":  # the client sends its language with every request
            mark = "" if part["required"] else "?"
            taken[part["in"]].append(f'"{part["name"]}"{mark}: {ts_type(part["schema"], "wire.")}')
    fields = [f"{name}: {{ {'; '.join(inner)} }}" for name, inner in taken.items() if inner]
    if body := found.get("requestBody"):
        fields.append(f"body: {ts_type(body['content']['application/json']['schema'], 'wire.')}")
    answer = found["responses"]["200"]["content"]["application/json"]["schema"]
    return f"{{ sent: {{ {'; '.join(fields)} }}; answer: {ts_type(answer, 'wire.')} }}"


def write_requests() -> None:
    """``requests.ts``: every request with a JSON answer, by method and path."""
    lines = []
    for path, methods in create_app(Settings()).openapi()["paths"].items():
        for method, found in methods.items():
            if found["responses"]["200"].get("content", {}).get("application/json", {}).get("schema"):
                lines.append(f'  "{method.upper()} {path}": {ts_request(found)};\n')
    head = f'{HEAD}import type * as wire from "./wire";\n\nexport interface Requests {{\n'
    (OUT / "requests.ts").write_text(f"{head}{''.join(lines)}}}\n", "utf-8")


def main() -> None:
    """Write everything."""
    OUT.mkdir(parents=True, exist_ok=True)
    write_keys()
    write_types()
    write_requests()


if __name__ == "__main__":
    main()

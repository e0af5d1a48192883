"""Writes what the client takes from the Python side: words, tiles, and the wire types.

``python web/generate.py`` fills ``web/src/generated``. A key that one language has and another lacks
ends the build here; a key that the client uses and no table has ends it at the type check.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from icons import FELT, write_icons
from page_words import words_by_page

from jantaku import svg, terms
from jantaku.bots import LEVELS
from jantaku.records import formats
from jantaku.server.app import create_app
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.schema import schema
from jantaku.server.settings import Settings
from jantaku.terms import LANGUAGES, Language
from jantaku.tiles import MAN_KINDS

SOURCES = Path(__file__).parent / "src"
OUT = SOURCES / "generated"
PUBLIC = OUT / "public"  # copied to the server unchanged, under these names
HEAD = "// Made by web/generate.py: do not edit.\n"
# Which parts of the other term tables the pages show
PARTS = {
    "cli": ("wait_form",),
    "tiles": ("honours", "ranks", "suits", "red", "winds"),
    "explain": ("limit", "fu", "bonus", "separator"),
    "options": ("fouls", "foul_cost"),
}
# Tables shown whole under their names
WHOLE_TABLES = ("event", "season", "desk", "figures", "recorder", "learn", "guide")
# Words that the server, the command line, the exports or the app's manifest show, too
ELSEWHERE = (
    *(f"{table}." for table in (*PARTS, "yaku", "app", "figures", "desk.doubt", "learn.numbers.column")),
    *("guide.first.you", "guide.first.others."),
)
# The server always writes every field of these, so none is optional
WHOLE = {
    *("SeatInfo", "SeasonPartInfo", "TableInfo", "TableOptions", "Own", "Result", "Problem", "ScoreWire"),
    *("Explanation", "Group", "YakuRow", "FuRow", "PaymentRow"),
}


def flat(words: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a table with its dotted path; lists are numbered from 0."""
    items = enumerate(words) if isinstance(words, list) else words.items()
    for name, value in items:
        where = f"{path}.{name}" if path else str(name)
        if isinstance(value, str):
            yield where, value
        else:
            yield from flat(value, where)


def words_of(language: Language) -> dict[str, str]:
    """All texts of the client in one language."""
    found = dict(flat(terms.table("web", language)))
    for table, parts in PARTS.items():
        whole = terms.table(table, language)
        found |= flat({table: {part: whole[part] for part in parts}})
    for table in WHOLE_TABLES:
        found |= flat({table: terms.table(table, language)})
    found |= {f"yaku.{name}": entry["name"] for name, entry in terms.table("yaku", language).items()}
    return found


def write_words() -> None:
    """The words of each page in each language, and the type of all keys."""
    tables = {language: words_of(language) for language in LANGUAGES}
    keys = tables["en"].keys()
    for language, words in tables.items():
        if odd := sorted(words.keys() ^ keys):
            sys.exit(f"web/generate.py: {language} and en differ in {', '.join(odd)}")
    folder = OUT / "words"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    pages = words_by_page(SOURCES, keys)
    shown_keys = {key for shown in pages.values() for key in shown}
    if unused := [key for key in keys if key not in shown_keys and not key.startswith(ELSEWHERE)]:
        sys.exit(f"web/generate.py: no page shows {', '.join(unused)}")
    for page, shown in pages.items():
        for language, words in tables.items():
            text = json.dumps({key: words[key] for key in shown}, ensure_ascii=False, indent=0)
            (folder / f"{page}-{language}.json").write_text(text, "utf-8")
    listed = "".join(f'  | "{key}"\n' for key in keys)
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


def write_formats() -> None:
    """``formats.ts``: the record formats to download, those that have words in ``result.format``."""
    offered = list(terms.table("web", "en")["result"]["format"])
    if odd := sorted(set(offered) - formats.BY_NAME.keys()):
        sys.exit(f"web/generate.py: no record format is called {', '.join(odd)}")
    (OUT / "formats.ts").write_text(
        f"{HEAD}export const FORMATS = {json.dumps(offered)} as const;\n", "utf-8"
    )


def write_sets() -> None:
    """``sets.ts``: the man kinds of each tile set, the levels of bots, and the usual options of a table."""
    kinds = {name: list(kinds) for name, kinds in MAN_KINDS.items()}
    sets = {"MAN_KINDS": kinds, "LEVELS": LEVELS, "TABLE_OPTIONS": TableOptions().model_dump()}
    text = HEAD + "".join(
        f"export const {name} = {json.dumps(found)} as const;\n" for name, found in sets.items()
    )
    (OUT / "sets.ts").write_text(text, "utf-8")


def write_manifests() -> None:
    """The web app manifest in each language, for phones that install the app."""
    sizes = (
        ("icon-192", "192x192", "any"),
        ("icon-512", "512x512", "any"),
        ("icon-maskable", "512x512", "maskable"),
    )
    icons = [
        {"src": f"/{name}.png", "sizes": size, "type": "image/png", "purpose": purpose}
        for name, size, purpose in sizes
    ]
    icons.append({"src": "/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"})
    for language in LANGUAGES:
        words = terms.table("web", language)
        manifest = {
            "id": "/",
            "name": words["app"]["name"],
            "short_name": words["app"]["short_name"],
            "description": words["lobby"]["about"],
            "lang": language,
            "dir": "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": FELT,
            "theme_color": FELT,
            "categories": ["games"],
            "icons": icons,
            "shortcuts": [
                {"name": words["nav"][name], "url": f"/{path}"}
                for name, path in (("calculator", "calc"), ("rules", "rules"), ("games", "games"))
            ],
        }
        text = json.dumps(manifest, ensure_ascii=False)
        (PUBLIC / f"manifest.{language}.webmanifest").write_text(text, "utf-8")


def main() -> None:
    """Write everything."""
    PUBLIC.mkdir(parents=True, exist_ok=True)
    write_words()
    write_types()
    write_requests()
    write_formats()
    write_sets()
    write_manifests()
    write_icons(PUBLIC)
    (OUT / "tiles.svg").write_text(svg.sprite(), "utf-8")


if __name__ == "__main__":
    main()

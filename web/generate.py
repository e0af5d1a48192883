"""Writes what the client takes from the Python side: words, tiles, manifests and small tables.

``python web/generate.py`` fills ``web/src/generated``. ``generate_types.py`` adds the types, which only the
type check needs.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from jantaku import svg, terms
from jantaku.bots import LEVELS
from jantaku.records import formats
from jantaku.server.edge.protocol import TableOptions
from jantaku.terms import LANGUAGES, Language
from jantaku.tiles import MAN_KINDS

SOURCES = Path(__file__).parent / "src"
OUT = SOURCES / "generated"
PUBLIC = SOURCES.parent / "public"  # copied to the server unchanged, under these names
FELT = "#12392b"
# Looks ahead, so that an apostrophe before a key does not take its quote
_QUOTED = re.compile(r"""(?=(["'`])([a-z]\w*\.(?:(?!\1)[^\n])*)\1)""")
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
    *("guide.first.you", "guide.first.others.", "event.game.scores", "event.game.final"),
)


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
    """A bundle for each feature and language with what its pages show, ``shared`` with what all may show.

    The lobby has one of its own, since it is the first page that most people see.
    """
    tables = {language: words_of(language) for language in LANGUAGES}
    keys = tables["en"].keys()
    files: dict[str, list[Path]] = {}
    for file in SOURCES.rglob("*"):
        if (
            file.suffix in (".ts", ".svelte")
            and not file.name.endswith(".test.ts")
            and OUT not in file.parents
        ):
            room, *rest = file.relative_to(SOURCES).parts
            files.setdefault(rest[0] if room == "features" else "shared", []).append(file)
    shared = named_keys(files.pop("shared"), keys)
    files["lobby"] = [file for file in files["play"] if "lobby" in file.as_posix().lower()]
    bundles = {"shared": shared} | {name: named_keys(own, keys) - shared for name, own in files.items()}
    shown = set().union(*bundles.values())
    if unused := [key for key in keys if key not in shown and not key.startswith(ELSEWHERE)]:
        sys.exit(f"web/generate.py: no page shows {', '.join(unused)}")
    folder = OUT / "words"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for bundle, named in bundles.items():
        for language, words in tables.items():
            text = json.dumps({key: words[key] for key in keys if key in named}, ensure_ascii=False, indent=0)
            (folder / f"{bundle}-{language}.json").write_text(text, "utf-8")


def named_keys(files: Iterable[Path], keys: Iterable[str]) -> set[str]:
    """The keys that sources name; ``${…}`` in a template stands for a part, a final dot for any ending."""
    quoted = {found[2] for file in files for found in _QUOTED.finditer(file.read_text("utf-8"))}
    shapes = {re.sub(r"\$\{[^}]*\}", "\1", text) for text in quoted}
    patterns = {
        re.escape(shape).replace("\1", r"[^.]+")
        for shape in shapes
        if re.fullmatch(r"[a-z]\w*\.[\w.\1]*", shape)
    }
    loose = re.compile(
        "|".join(f"{pattern}.*" if pattern.endswith(".") else pattern for pattern in patterns) or "(?!)"
    )
    return {key for key in keys if loose.fullmatch(key)}


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
    OUT.mkdir(exist_ok=True)
    write_words()
    write_formats()
    write_sets()
    write_manifests()
    (OUT / "tiles.svg").write_text(svg.sprite(), "utf-8")


if __name__ == "__main__":
    main()

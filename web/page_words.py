"""Which words each page needs: the keys that stand in its own source and in everything it imports."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

_IMPORT = re.compile(r"""(from|import|import\()\s*["'](\.{1,2}/[^"']+)["']""")
_ENDINGS = ("", ".ts", ".svelte", ".svelte.ts")
# Looks ahead, so that an apostrophe before a key does not take its quote
_QUOTED = re.compile(r"""(?=(["'`])([a-z]\w*\.(?:(?!\1)[^\n])*)\1)""")
_PART = re.compile(r"""["'`]([a-z]\w*\.[\w.]*)\$\{[^}]*`""")  # a template that holds another one

# What a page loads after it has been shown: its words, without those that the page has loaded
LATER: Final = {"TableGame": ("Table", "table/Game.svelte"), "TableLater": ("Table", "table/later.ts")}
_APART: Final = {Path(file).name.removesuffix(".ts") for _, file in LATER.values()}


def words_by_page(sources: Path, keys: Iterable[str]) -> dict[str, list[str]]:
    """The keys of the frame around all pages, of each page, and of what it loads later."""
    known = list(keys)
    frame = _keys(sources / "main.ts", known)
    pages = {page.stem: _keys(page, known) for page in sorted((sources / "pages").glob("*.svelte"))}
    pages |= {name: _keys(sources / later, known) - pages[page] for name, (page, later) in LATER.items()}
    pages = {"Frame": frame} | {page: found - frame for page, found in pages.items()}
    return {page: [key for key in known if key in found] for page, found in pages.items()}


def _keys(begin: Path, known: list[str]) -> set[str]:
    """The keys that a file and all its imports name; ``${…}`` in one stands for a part without dots."""
    patterns = {pattern for file in _with_imports(begin) for pattern in _patterns(file)}
    exact = patterns & set(known)
    shapes = (re.escape(one).replace("\0", ".+").replace("\1", r"[^.]+") for one in patterns - exact)
    loose = re.compile("|".join(shapes) or r"(?!)")
    return exact | {key for key in known if loose.fullmatch(key)}


@cache
def _patterns(file: Path) -> frozenset[str]:
    """What may be keys in a source: a byte 0 stands for any text, as after a final dot, a 1 for any part."""
    text = file.read_text("utf-8")
    quoted = {re.sub(r"\$\{[^}]*\}", "\1", found[2]) for found in _QUOTED.finditer(text)}
    quoted |= {f"{found[1]}\0" for found in _PART.finditer(text)}
    shaped = {one for one in quoted if re.fullmatch(r"[a-z]\w*\.[\w.\0\1]*", one)}
    return frozenset(f"{one}\0" if one.endswith(".") else one for one in shaped)


def _with_imports(begin: Path) -> set[Path]:
    """A file and all that it imports, except what is loaded later with its own words."""
    seen, waiting = set[Path](), [begin.resolve()]
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting += _imports(file)
    return seen


@cache
def _imports(file: Path) -> list[Path]:
    """The sources that a file imports; styles, data and what is made by ``generate.py`` have no words."""
    imports = []
    for how, name in _IMPORT.findall(file.read_text("utf-8")):
        if how == "import(" and name.rpartition("/")[2] in _APART:
            continue
        path = file.parent / name
        tried = (path.with_name(path.name + ending).resolve() for ending in _ENDINGS)
        if "generated" not in path.parts:
            imports += [one for one in tried if one.is_file() and one.suffix in (".ts", ".svelte")][:1]
    return imports

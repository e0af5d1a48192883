"""The term tables: the same keys in every language, and texts for every named thing."""

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from string import Formatter
from typing import Any, get_args
from unicodedata import normalize

import pytest

import jantaku
from jantaku import errors, terms
from jantaku.adjudication.reading_view import WAIT_FORMS
from jantaku.adjudication.score import BONUS, ERROR_CODES
from jantaku.game.actions import FOUL_ACTS, Action
from jantaku.game.ending import DRAWS
from jantaku.game.view import Furiten
from jantaku.kernels.fu import FU_ITEMS
from jantaku.kernels.win import LIMITS
from jantaku.rules import catalogue
from jantaku.rules.contradictions import CLASHES
from jantaku.win import RIICHI_KINDS
from support.source_code import SOURCE, TEXTS, nodes, trees

FOLDER = Path(terms.__file__).parent
TABLES = terms.names()
ERRORS = {
    name
    for name, cls in vars(errors).items()
    if isinstance(cls, type) and issubclass(cls, errors.JantakuError)
}
# Details that each error class adds itself
ADDED = {
    "NotationError": {"source", "position"},
    "RulesError": {"path"},
    "RulesFileError": {"count", "path"},
}


def leaves(node: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a table with its key; items of lists are numbered."""
    if isinstance(node, str):
        yield path, node
        return
    pairs = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in pairs:
        yield from leaves(value, f"{path}.{key}")


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def texts(table: str, language: terms.Language) -> dict[str, str]:
    words = terms.table(table, language)
    if table == "yaku":  # each language has as many aliases as it needs
        words = {k: {a: b for a, b in v.items() if a != "aliases"} for k, v in words.items()}
    return dict(leaves(words))


def test_every_entry_has_three_languages() -> None:
    waiting: list[Any] = [terms.entries(name) for name in TABLES]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, dict):
            waiting += entry.values()
        else:
            assert len(entry) == len(terms.LANGUAGES), entry
            assert len({type(text) for text in entry}) == 1, entry


@pytest.mark.parametrize("table", TABLES)
def test_languages_agree(table: str) -> None:
    words = {language: texts(table, language) for language in terms.LANGUAGES}
    for one, other in combinations(terms.LANGUAGES, 2):
        assert words[one].keys() == words[other].keys()
        for key, text in words[one].items():
            assert placeholders(text) == placeholders(words[other][key]), (key, one, other)


def raised() -> Iterator[tuple[str, str, set[str] | None]]:
    """Yield code, class and details of every error in the source; ``None`` for unknown details."""
    for path, inside in nodes().items():
        if not any(f"{name}(" in TEXTS[path] for name in ERRORS):
            continue
        for scope in inside:
            if isinstance(scope, ast.FunctionDef):
                names = [*ast.walk(scope), *trees()[path].body]
                assignments = [node for node in names if isinstance(node, ast.Assign | ast.AnnAssign)]
                for node in names:
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                        yield from raised_by(node, node.func.id, assignments)


def raised_by(
    node: ast.Call, name: str, assignments: list[Any]
) -> Iterator[tuple[str, str, set[str] | None]]:
    """Yield code, class and details of the errors raised by one call."""
    if name in ERRORS and node.args:
        given = {word.arg for word in node.keywords if word.arg}
        known = len(given) == len(node.keywords)
        for code in codes_of(node.args[0], assignments):
            yield code, name, given if known else None


def codes_of(value: ast.expr, assignments: list[Any]) -> Iterator[str]:
    """Yield the possible values of an expression: a constant, a variable, both sides of a conditional."""
    if isinstance(value, ast.Constant):
        yield str(value.value)
    elif isinstance(value, ast.IfExp):
        yield from codes_of(value.body, assignments)
        yield from codes_of(value.orelse, assignments)
    elif isinstance(value, ast.Name):
        for node in assignments:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == value.id for target in targets):
                yield from codes_of(node.value, [])


def error_codes() -> set[str]:
    """Return all error codes in the source, including those in tables."""
    codes = {code for code, _, _ in raised()} | set(ERROR_CODES.values())
    win = (SOURCE / "win.py").read_text("utf-8")
    codes |= {f"clash_{name}" for name in re.findall(r'^ {12,16}(?:else )?"(\w+)" if ', win, re.MULTILINE)}
    return codes | {code for _, _, code in CLASHES}


@pytest.mark.xdist_group("source")  # one worker parses the modules
def test_every_error_has_a_message() -> None:
    codes = error_codes()
    assert {"fifth_copy", "hand_size_melds", "clash_ura", "triple_ron", "no_yaku"} <= codes
    assert {"thirteen_tiles_wanted", "bad_array", "unknown_yaku"} <= codes
    assert sorted(codes - set(terms.table("errors", "en"))) == []


@pytest.mark.slow
def test_errors_have_the_details_of_their_message() -> None:
    words = terms.table("errors", "en")
    for code, kind, given in raised():
        if given is not None:
            assert placeholders(words[code]) <= given | ADDED.get(kind, set()), code


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_every_yaku_has_texts(language: terms.Language) -> None:
    words = terms.table("yaku", language)
    assert list(words) == list(catalogue())
    for entry in words.values():
        assert set(entry) - {"varies", "more"} == {"name", "reading", "aliases", "definition", "why", "miss"}


def plain(name: str) -> str:
    """Normalise a name as the search does: no case, width, spaces, punctuation or kinds of kana."""
    folded = normalize("NFKC", name).casefold()
    hiragana = "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in folded)
    return "".join(c for c in hiragana if c.isalnum() or c in "ー々")


def test_no_alias_names_two_yaku() -> None:
    owners: dict[str, set[str]] = {}
    for language in terms.LANGUAGES:
        for yaku, words in terms.table("yaku", language).items():
            for name in (yaku, words["name"], *words["aliases"]):
                owners.setdefault(plain(name), set()).add(yaku)
    assert {name: yaku for name, yaku in owners.items() if len(yaku) > 1} == {}


def test_tile_names() -> None:
    tiles = jantaku.parse_tiles("10p47z")
    names = {lang: [jantaku.tile_name(tile, lang) for tile in tiles] for lang in terms.LANGUAGES}
    assert names == {
        "en": ["1 pin", "red 5 pin", "North", "Red"],
        "ja": ["一筒", "赤五筒", "北", "中"],
        "ko": ["1통", "적5통", "북", "중"],
    }


def test_files_of_one_table_share_no_keys() -> None:
    files = [tomllib.loads(file.read_text("utf-8")) for file in FOLDER.glob("web/*.toml")]
    assert sum(map(len, files)) == len(terms.entries("web"))


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_every_code_sent_to_the_client_has_a_text(language: terms.Language) -> None:
    """The client composes these keys from codes that the server sends."""
    web, explain = terms.table("web", language), terms.table("explain", language)
    assert set(DRAWS.values()) <= web["draw"].keys()
    assert {"triplet" if item == "triplets" else item for item in FU_ITEMS} <= explain["fu"].keys()
    assert {limit for limit in LIMITS if limit} <= explain["limit"].keys()
    assert {name for name, _ in BONUS} <= explain["bonus"].keys()
    assert {form for form in WAIT_FORMS if form} <= terms.table("cli", language)["wait_form"].keys()
    assert {*RIICHI_KINDS} <= web["calc"]["riichi"].keys()
    assert {*get_args(Furiten)} <= web["furiten"].keys()
    actions = {action.type for action in get_args(Action)}
    assert actions <= web["call"].keys() | web["end"].keys() | {"discard", "foul"}
    assert {*FOUL_ACTS} <= web["foul"].keys()

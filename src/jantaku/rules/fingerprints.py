"""The fingerprint of a ruleset: a hash of what it says, independent of the options this version knows.

``baseline/1.json`` holds every option of the first version with its value at that time and never changes;
these options are always hashed. A later option gets a row in ``baseline/added.json`` with the value that
describes play before the option existed, and is hashed only if it differs from that. So rulesets, and
everything stored under them, keep their fingerprints.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

BASELINE: Final = "baseline-1"
"""The name that a stored ruleset extends: options it omits have their baseline value."""

_FIRST_YAKU_SETTINGS: Final = ("closed", "open", "replaces", "minimum", "only")
Options = Mapping[str, Any]


@cache
def _file(name: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath("baseline", name).read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def leaves(tree: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The options of a tree by path; a yaku's settings are one level deeper than a section's."""
    for section, options in tree.items():
        for name, value in options.items():
            if section == "yaku":
                yield from ((f"yaku.{name}.{setting}", item) for setting, item in value.items())
            else:
                yield f"{section}.{name}", value


@cache
def first_options() -> Options:
    """Every option of the first version, by path, with its baseline value."""
    return dict(leaves(_file("1.json")))


@cache
def added_options() -> Options:
    """Every later option, by path, with the value that describes play before it existed."""
    return dict(leaves(_file("added.json")))


def baseline_tree() -> dict[str, Any]:
    """The baseline as the data of a rules file."""
    return tree_of({**first_options(), **added_options()}.items())


def tree_of(options: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Options by path as the nested tables of a rules file."""
    tree: dict[str, Any] = {}
    for path, value in options:
        *parents, last = path.split(".")
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
        node[last] = plain(value)
    return tree


def plain(value: Any) -> Any:
    """Convert tuples to lists and read-only mappings to dicts."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def same(one: Any, other: Any) -> bool:
    """Whether two values of an option mean the same. Note that 0 han differs from ``False`` (no yaku)."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def differing(options: Options) -> dict[str, Any]:
    """The options that differ from the baseline or are missing there."""
    baseline = {**first_options(), **added_options()}
    values = {path: plain(value) for path, value in options.items()}
    return {
        path: value
        for path, value in values.items()
        if path not in baseline or not same(value, baseline[path])
    }


def fingerprint(options: Options, own: Sequence[str]) -> str:
    """16 hexadecimal digits that identify a ruleset.

    ``own`` has the mark ``id:hash`` of each own yaku.
    """
    settings = {
        f"yaku.{mark.partition(':')[0]}.{setting}" for mark in own for setting in _FIRST_YAKU_SETTINGS
    }
    always = first_options()
    hashed = {path: plain(options[path]) for path in options if path in always or path in settings}
    later = {path: value for path, value in differing(options).items() if path not in hashed}
    text = json.dumps(
        {**always, **hashed, **later, "local": list(own)},
        sort_keys=True,
        ensure_ascii=True,
        separators=(",", ":"),
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]

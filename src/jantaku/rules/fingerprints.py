"""The fingerprint of a ruleset: a hash of what it says, independent of the options this version knows.

``baseline.json`` holds every option of version 0.1.0 with its default value and never changes; these options
are always hashed. A later option states in ``options.py`` the value that describes play before it existed
(``before``), and is hashed only if it differs from that; a later yaku did not count before. Rulesets, and
everything stored under them, therefore keep their fingerprints.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib import resources
from typing import Any, Final

from jantaku.rules.catalogue import catalogue
from jantaku.rules.options import SECTIONS

BASELINE: Final = "baseline-1"
"""The name that a stored ruleset extends: options it omits have their baseline value."""

_NO_YAKU: Final = {"closed": False, "open": False, "replaces": [], "minimum": True, "only": "none"}
Options = Mapping[str, Any]


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
    """Every option of version 0.1.0, by path, with its baseline value."""
    text = resources.files(__package__).joinpath("baseline.json").read_text("utf-8")
    return dict(leaves(json.loads(text)))


@cache
def added_options() -> Options:
    """Every later option, by path, with the value that describes play before it existed."""
    options = {
        f"{section}.{option.name}": option.metadata["before"]
        for section, options in SECTIONS.items()
        for option in fields(options)
        if "before" in option.metadata
    }
    yaku = dict(leaves({"yaku": {entry: dict(_NO_YAKU) for entry in catalogue()}}))
    return options | {path: value for path, value in yaku.items() if path not in first_options()}


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
    settings = {f"yaku.{mark.partition(':')[0]}.{setting}" for mark in own for setting in _NO_YAKU}
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

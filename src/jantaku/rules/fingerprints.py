"""The fingerprint of a ruleset: a hash of its options that later versions reproduce.

``baseline.json`` lists every option of version 0.1.0 with its default value and never changes; these options
are always hashed. An option added later declares in ``options.py`` the value that describes play without it
(``before``), and is hashed only if it differs from that; a yaku added later is hashed only if it counts.
Fingerprints of rulesets, and of everything stored under them, are therefore stable.
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
"""The parent of stored rulesets: options that they omit have their baseline value."""

_NO_YAKU: Final = {"closed": False, "open": False, "replaces": [], "minimum": True, "only": "none"}
Options = Mapping[str, Any]


def leaves(tree: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the options of a tree by path; the settings of yaku are one level deeper than other options."""
    for section, options in tree.items():
        for name, value in options.items():
            if section == "yaku":
                yield from ((f"yaku.{name}.{setting}", item) for setting, item in value.items())
            else:
                yield f"{section}.{name}", value


@cache
def first_options() -> Options:
    """Return the options of version 0.1.0 by path, with their baseline values."""
    text = resources.files(__package__).joinpath("baseline.json").read_text("utf-8")
    return dict(leaves(json.loads(text)))


@cache
def added_options() -> Options:
    """Return the options added later by path, with the values that describe play without them."""
    options = {
        f"{section}.{option.name}": option.metadata["before"]
        for section, options in SECTIONS.items()
        for option in fields(options)
        if "before" in option.metadata
    }
    yaku = dict(leaves({"yaku": {entry: dict(_NO_YAKU) for entry in catalogue()}}))
    return options | {path: value for path, value in yaku.items() if path not in first_options()}


def baseline_tree() -> dict[str, Any]:
    """Return the baseline as the data of a rules file."""
    return tree_of({**first_options(), **added_options()}.items())


def tree_of(options: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Nest options by path into the tables of a rules file."""
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
    """Return whether two values of an option are the same; 0 (han) differs from ``False`` (no yaku)."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def differing(options: Options) -> dict[str, Any]:
    """Return the options that differ from the baseline or are not in it."""
    baseline = {**first_options(), **added_options()}
    values = {path: plain(value) for path, value in options.items()}
    return {
        path: value
        for path, value in values.items()
        if path not in baseline or not same(value, baseline[path])
    }


def fingerprint(options: Options, own: Sequence[str]) -> str:
    """Return the 16 hexadecimal digits that identify a ruleset.

    ``own`` has an entry ``id:hash`` for each custom yaku.
    """
    settings = {f"yaku.{entry.partition(':')[0]}.{setting}" for entry in own for setting in _NO_YAKU}
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

"""Writes a ruleset as a rules file: only what differs from the standard rules."""

import json
from collections.abc import Mapping
from typing import Any

from jantaku.rules import Ruleset, load


def changes_as_toml(rules: Ruleset) -> str:
    """The text of a file that ``load`` reads as the same ruleset, without its local yaku."""
    local = {f"yaku.{yaku.id}" for yaku in rules.local}
    sections: dict[str, dict[str, Any]] = {}
    for path, (value, _) in rules.differences(load("standard")).items():
        section, _, name = path.rpartition(".")
        if value is not None and section not in local:
            sections.setdefault(section, {})[name] = value
    parts = ['extends = "standard"']
    for title, words in (("name", rules.name), ("about", rules.about)):
        if words:
            parts.append(f"{title} = {_written(words)}")
    for section, options in sections.items():
        lines = [f"{name} = {_written(value)}" for name, value in options.items()]
        parts.append("\n".join([f"\n[{section}]", *lines]))
    return "\n".join(parts) + "\n"


def _written(value: Any) -> str:
    """A value in TOML; JSON writes strings, numbers and booleans the same way."""
    if isinstance(value, Mapping):
        pairs = ", ".join(
            f"{json.dumps(str(key), ensure_ascii=False)} = {_written(item)}" for key, item in value.items()
        )
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(_written(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False)

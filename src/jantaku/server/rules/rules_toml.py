"""Writes a ruleset as a rules file: only what differs from the standard rules."""

from collections.abc import Mapping
from typing import Any

import tomli_w

from jantaku.rules import Ruleset, load
from jantaku.terms import LANGUAGES


def changes_as_toml(rules: Ruleset) -> str:
    """The text of a file that ``load`` reads as the same ruleset.

    Texts in languages that a file may not have, which stored rules keep, are left out.
    """
    file: dict[str, Any] = {"extends": "standard"}
    for title, words in (("name", rules.name), ("about", rules.about)):
        shown = {language: text for language, text in words.items() if language in LANGUAGES}
        file |= {title: shown} if shown else {}
    for path, (value, _) in rules.differences(load("standard")).items():
        *tables, name = path.split(".")
        if value is not None:
            table = file
            for part in tables:
                table = table.setdefault(part, {})
            table[name] = _plain(value)
    for yaku in rules.own_yaku:
        file.setdefault("yaku", {}).setdefault(yaku.id, {}).update(yaku.settings)
    return tomli_w.dumps(file)


def _plain(value: Any) -> Any:
    """A value in the types of TOML."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value

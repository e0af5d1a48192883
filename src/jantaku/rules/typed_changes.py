"""Changes of rules as people type them: ``yaku.pinfu.closed=0``."""

import tomllib
from collections.abc import Sequence
from typing import Any

from jantaku.errors import Phrases, RequestError
from jantaku.rules import Ruleset


def changed(rules: Ruleset, changes: Sequence[str]) -> Ruleset:
    """The rules with changes like ``yaku.pinfu.closed=0``; raises ``RequestError`` or ``RulesError``."""
    values: dict[str, Any] = {}
    for change in changes:
        path, equals, value = change.partition("=")
        if not equals or not path.strip():
            raise RequestError("set_syntax", field="--set", value=change)
        values[path.strip()] = _value(value.strip())
    changed_rules = rules.with_changes(values)
    if changed_rules == rules:
        raise RequestError("set_nothing", field="--set", value=Phrases(changes))
    return changed_rules


def _value(text: str) -> Any:
    """A value as in a rules file; a word needs no quotation marks."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text

"""Changes of rules on the command line (``--set yaku.pinfu.closed=0``)."""

import tomllib
from collections.abc import Sequence
from typing import Any

from jantaku.errors import Phrases, RequestError
from jantaku.rules import Ruleset


def changed(rules: Ruleset, changes: Sequence[str]) -> Ruleset:
    """Apply changes like ``yaku.pinfu.closed=0``.

    Raises ``RequestError`` for wrong syntax or if nothing changes, ``RulesError`` for an invalid change.
    """
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
    """Read a value as in a rules file; words need no quotation marks."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text

"""The mark: a description of a record's rules that any other installation of Jantaku can read.

It contains the name of the rules, their fingerprint and their options.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError
from jantaku.records.texts import bounded_name
from jantaku.rules import Ruleset, load_stored

KEY: Final = "jantaku"


def rules_mark(rules: Ruleset) -> dict[str, Any]:
    """Return the mark of the rules."""
    ruleset = {name: part for name, part in rules.compact_dict.items() if name != "about"}
    return {"rules": rules.id, "fingerprint": rules.fingerprint, "ruleset": ruleset}


def marked_rules(mark: Mapping[str, Any], given: Ruleset | None = None) -> Ruleset:
    """Return the rules of a mark or the preset it names, or ``given`` if they have the same effect.

    Raises ``RecordError`` if the rules are missing, or their effect has changed since the time of writing.
    """
    name = str(mark.get("rules"))
    try:
        rules = given or load_stored(mark.get("ruleset") or name)
    except (JantakuError, TypeError, ValueError) as error:
        raise RecordError("record_rules", line=1, rules=name) from error
    if rules.fingerprint != mark.get("fingerprint"):
        raise RecordError("record_rules", line=1, rules=name)
    return dataclasses.replace(rules, id=bounded_name(name))

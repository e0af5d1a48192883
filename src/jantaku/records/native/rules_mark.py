"""Which rules a record was played by, as data that any other copy of Jantaku reads back.

The mark names the rules, their fingerprint, and what they say. Yaku of one's own are code, which no record
carries: whoever reads such a record passes the rules.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError
from jantaku.rules import Ruleset, load_kept

KEY: Final = "jantaku"


def rules_mark(rules: Ruleset) -> dict[str, Any]:
    """What a record says of its rules."""
    ruleset = {name: part for name, part in rules.to_dict(whole=False).items() if name != "about"}
    return {"rules": rules.id, "fingerprint": rules.fingerprint, "ruleset": ruleset}


def marked_rules(mark: Mapping[str, Any], given: Ruleset | None = None) -> Ruleset:
    """The rules of a mark, or of an old one the preset that it names; ``given`` are used instead.

    ``RecordError`` where the rules are not at hand, or decide otherwise than when the record was written.
    """
    name = str(mark.get("rules"))
    try:
        found = given or load_kept(mark.get("ruleset") or name)
    except (JantakuError, TypeError, ValueError) as error:
        raise RecordError("record_rules", line=1, rules=name) from error
    return same_rules(found, name, mark.get("fingerprint"))


def same_rules(found: Ruleset, name: str, fingerprint: object) -> Ruleset:
    """The ruleset under the name it was played by; ``RecordError`` where it decides otherwise."""
    if found.fingerprint != fingerprint:
        raise RecordError("record_rules", line=1, rules=name)
    return dataclasses.replace(found, id=name)

"""The displayed names of rulesets in each language."""

from typing import Final

from jantaku import terms
from jantaku.rules import Ruleset
from jantaku.rules.sheet import ruleset_name
from jantaku.terms import Language

MOST: Final = 100


def rules_name(rules: Ruleset | None, language: Language) -> str:
    """The ruleset's own name, or the name of the preset it changes; ``None`` stands for unreadable rules."""
    if rules is None:
        return terms.text("server.rules.unreadable", language)
    name = ruleset_name(rules, language)
    if name != rules.id:
        return name[:MOST]
    parent = rules.name.get(language) or rules.name.get("en", "")
    if not parent:
        return terms.text("server.rules.unnamed", language)
    return terms.text("server.rules.changed", language, rules=parent)


def own_yaku_names(rules: Ruleset | None) -> dict[str, dict[str, str]]:
    """The names of the own yaku in each language that has one, by id."""
    return {yaku.id: dict(yaku.words.get("name", {})) for yaku in rules.own_yaku} if rules else {}

"""The effective value of each option under a ruleset, for rule sheets and comparisons.

An option can be on without effect (open tanyao if tanyao counts only in closed hands) or not apply at all
(nukidora at a table of four). ``answer`` returns what is actually played.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from jantaku.rules.gates import OFF, gate_open, value_at, worths
from jantaku.rules.idle_options import NEEDS, SWITCHES
from jantaku.rules.options import FOUL_DEPOSIT
from jantaku.rules.ruleset import Ruleset

APPLIES_IF: Final[dict[str, str]] = {
    "match.floating_uma": "match.floating_uma",
    "tiles.man": "match.players=3 | tiles.man!=all",
    "kita.nukidora": "match.players=3 | kita.nukidora",
    "event.days": "event.days!=0",
    "event.finalists": "event.finalists!=0",
}
"""Options that apply only if the condition holds; rule sheets omit them otherwise."""

NO_THIRD_RON: Final = {
    "double_triple_draw": "all",
    "nearest_two": "all",
    "head_bump_triple_draw": "head_bump",
}
"""Equivalent values of ``win.multiple_ron`` for three players, of whom at most two can win by ron."""


def applies(rules: Ruleset, path: str) -> bool:
    """Return whether an option applies under the rules."""
    return all(gate_open(need, rules) for need in (APPLIES_IF.get(path, ""), *NEEDS.get(path, ())))


def answer(rules: Ruleset, path: str) -> Any:
    """Return the effective value of ``section.option``; an option for a yaku that is not in play is off."""
    value = value_at(rules, path)
    if path in SWITCHES and value not in OFF and not gate_open(SWITCHES[path], rules):
        return False if value is True else "off"
    if value == "deposit_1000":
        return value if foul_deposit(rules) else "none"
    played = PLAYED.get(path)
    return played(rules, value) if played else value


def foul_deposit(rules: Ruleset) -> int:
    """Return the points of the cost ``deposit_1000``: whole riichi sticks, up to 1,000 points."""
    stick = rules.riichi.deposit
    return FOUL_DEPOSIT // stick * stick if stick else 0


def _third_ron(rules: Ruleset, value: str) -> str:
    return NO_THIRD_RON.get(value, value) if rules.match.players < len("ESWN") else value


def _kuikae(rules: Ruleset, value: str) -> str:
    return value if rules.calls.chi or value == "allowed" else "forbidden"


def _open_deal_in(rules: Ruleset, value: str) -> Any:
    return worths(rules, "open_riichi_deal_in")[0] if value == "yakuman" else value


PLAYED: Final[Mapping[str, Callable[[Ruleset, Any], Any]]] = {
    "match.oka": lambda rules, _: rules.oka or "none",
    "riichi.open_deal_in": _open_deal_in,
    "win.multiple_ron": _third_ron,
    "calls.kuikae": _kuikae,
}
"""Functions that compute the effective value if it can differ from the value of the option."""

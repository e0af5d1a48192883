"""What a ruleset answers to the question of each option.

An option can be on although nothing follows from it: open tanyao where tanyao counts in closed hands alone.
It can also have no meaning at all, such as norths at a table of four. ``answer`` says what is played.
"""

from typing import Any, Final

from jantaku.rules.conditions import NEEDS, SWITCHES
from jantaku.rules.gates import OFF, gate_open, value_at, worths
from jantaku.rules.ruleset import Ruleset

MEANT_IF: Final[dict[str, str]] = {
    "match.floating_uma": "match.floating_uma",
    "tiles.man": "match.players=3 | tiles.man!=all",
    "kita.nukidora": "match.players=3 | kita.nukidora",
    "event.days": "event.days!=0",
    "event.finalists": "event.finalists!=0",
}
"""Options that nobody at the table asks about unless the condition holds."""

NO_THIRD_RON: Final = {
    "double_triple_draw": "all",
    "nearest_two": "all",
    "head_bump_triple_draw": "head_bump",
}
"""What the rule on several ron means where no third player can win."""


def is_meant(rules: Ruleset, path: str) -> bool:
    """Whether the question of an option arises under the rules."""
    return all(gate_open(need, rules) for need in (MEANT_IF.get(path, ""), *NEEDS.get(path, ())))


def answer(rules: Ruleset, path: str) -> Any:
    """The value of ``section.option`` that is played: off where the yaku of a switch does not count."""
    value = value_at(rules, path)
    if path in SWITCHES and value not in OFF and not gate_open(SWITCHES[path], rules):
        return False if value is True else "off"
    if path == "match.oka":
        return rules.oka or "none"
    if path == "riichi.open_deal_in" and value == "yakuman":
        return worths(rules, "open_riichi_deal_in")[0]
    if path == "win.multiple_ron" and rules.match.players < len("ESWN"):
        return NO_THIRD_RON.get(value, value)
    if path == "calls.kuikae" and not rules.calls.chi:
        return "allowed" if value == "allowed" else "forbidden"
    return value

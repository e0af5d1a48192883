"""What a ruleset answers to the question of each option.

An option can be on although nothing follows from it: open tanyao where tanyao counts in closed hands alone.
It can also have no meaning at all, such as norths at a table of four. ``answer`` says what is played.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from jantaku.rules.gates import OFF, gate_open, value_at, worths
from jantaku.rules.idle_options import NEEDS, SWITCHES
from jantaku.rules.options import FOUL_DEPOSIT
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
    if value == "deposit_1000":
        return value if foul_deposit(rules) else "none"
    played = PLAYED.get(path)
    return played(rules, value) if played else value


def foul_deposit(rules: Ruleset) -> int:
    """The points of a foul that costs a deposit: whole riichi sticks, at most 1,000 points of them."""
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
"""What is played where the value of an option does not say it."""

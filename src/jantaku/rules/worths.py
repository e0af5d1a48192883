"""The worth of a yaku under a ruleset, after gates, needed yaku and han options."""

from functools import lru_cache
from typing import TYPE_CHECKING

from jantaku.rules.catalogue import Only, Worth, YakuValue, catalogue
from jantaku.rules.conditions import gate_open

if TYPE_CHECKING:
    from jantaku.rules.ruleset import Ruleset


@lru_cache(maxsize=4096)
def worths(rules: "Ruleset", yaku: str) -> tuple[Worth, Worth]:
    """The worth of a yaku in a closed and in an open hand; ``False`` if it does not count.

    A yaku that needs another one (a double form its yakuman, ippatsu riichi) counts only if that one does.
    """
    value, entry = rules.yaku.get(yaku, YakuValue()), catalogue().get(yaku)
    if entry is None:  # a local yaku; unknown to rulesets without its file
        return value.closed, value.open
    closed = value.closed if gate_open(entry.gate, rules) else False
    opened = value.open if gate_open(entry.gate, rules) and gate_open(entry.open_gate, rules) else False
    for other in entry.needs:
        base_closed, base_open = worths(rules, other)
        closed = False if base_closed is False else closed
        opened = False if base_open is False else opened
    if entry.han_from:
        han = int(rules.option(entry.han_from)) + entry.han_plus
        closed = han if type(closed) is int else closed
        opened = han if type(opened) is int else opened
    return closed, opened


def worths_shown(rules: "Ruleset", yaku: str) -> tuple[Worth, Worth]:
    """``worths`` for people: whether a nagashi mangan needs a closed hand is an option of its own."""
    closed, opened = worths(rules, yaku)
    if yaku == "nagashi_mangan" and not rules.draw.nagashi_needs_closed:
        opened = closed
    return closed, opened


def worth_in(rules: "Ruleset", yaku: str, closed: bool) -> Worth:
    """The worth of a yaku in a closed or an open hand."""
    return worths(rules, yaku)[0 if closed else 1]


def conditions(rules: "Ruleset", yaku: str) -> frozenset[Only]:
    """The further conditions (``only``) of a yaku: its own and those of every yaku it needs."""
    entry = catalogue().get(yaku)
    own = rules.yaku[yaku].only
    found: frozenset[Only] = frozenset() if own == "none" else frozenset({own})
    for other in entry.needs if entry else ():
        found |= conditions(rules, other)
    return found

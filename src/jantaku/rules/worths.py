"""The effective value of a yaku under a ruleset, after applying gates, required yaku and han options."""

from typing import TYPE_CHECKING

from jantaku.rules.catalogue import Only, Worth, catalogue
from jantaku.rules.gates import worths

if TYPE_CHECKING:
    from jantaku.rules.ruleset import Ruleset

__all__ = ["conditions", "displayed_worths", "worth_in", "worths"]


def displayed_worths(rules: "Ruleset", yaku: str) -> tuple[Worth, Worth]:
    """Return ``worths`` for display: an open nagashi mangan depends on ``draw.nagashi_needs_closed``."""
    closed, opened = worths(rules, yaku)
    if yaku == "nagashi_mangan" and not rules.draw.nagashi_needs_closed:
        opened = closed
    return closed, opened


def worth_in(rules: "Ruleset", yaku: str, closed: bool) -> Worth:
    """Return the value of a yaku in a closed or an open hand."""
    return worths(rules, yaku)[0 if closed else 1]


def conditions(rules: "Ruleset", yaku: str) -> frozenset[Only]:
    """Return the further conditions (``only``) of a yaku and of all yaku it requires."""
    entry = catalogue().get(yaku)
    own = rules.yaku[yaku].only
    needed: frozenset[Only] = frozenset() if own == "none" else frozenset({own})
    for other in entry.needs if entry else ():
        needed |= conditions(rules, other)
    return needed

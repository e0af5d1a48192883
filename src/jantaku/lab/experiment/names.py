"""The names of an experiment's quantities in the current language."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.plan import ADAPTED_END, NamedRules
from jantaku.rules import Ruleset
from jantaku.rules.own_yaku import OwnYaku
from jantaku.rules.yaku_names import yaku_name
from jantaku.terms import signed, text

Own = Mapping[str, OwnYaku]
NO_OWN: Own = MappingProxyType({})


def rate_name(rate: str) -> str:
    """Return the name of a rate of ``RATES``."""
    return text(f"lab.rate.{rate}")


def played_name(named: NamedRules) -> str:
    """Return a ruleset's name, marked if adapted bots play it."""
    if not named.adapted:
        return named.name
    return text("lab.adapted_name", name=named.name.removesuffix(ADAPTED_END))


def own_of(rulesets: Iterable[Ruleset]) -> Own:
    """Return the custom yaku of the rulesets by id."""
    return {yaku.id: yaku for rules in rulesets for yaku in rules.own_yaku}


def yaku_label(yaku: str, own: Own = NO_OWN) -> str:
    """Return the name of a built-in yaku, a type of dora, or one of the ``own`` yaku."""
    if yaku in own:
        return own[yaku].word("name") or yaku
    return yaku_name(yaku)


def share_change(change: Estimate) -> str:
    """Format the difference of two shares with its interval: ``+1.20 pp (+0.80 … +1.60)``."""
    value = text("lab.percentage_points", value=100 * change.value)
    return f"{value} ({signed(100 * change.low, 2)} … {signed(100 * change.high, 2)})"

"""The names of what an experiment counts, in the current language."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.plan import ADAPTED_END, NamedRules
from jantaku.lab.experiment.sums import DORA
from jantaku.rules import Ruleset
from jantaku.rules.local_marks import LocalYaku
from jantaku.rules.sheet import yaku_name
from jantaku.terms import signed, text

Local = Mapping[str, LocalYaku]
NO_LOCAL: Local = MappingProxyType({})


def rate_name(rate: str) -> str:
    """The name of a rate of ``RATES``."""
    return text(f"lab.rate.{rate}")


def played_name(named: NamedRules) -> str:
    """A ruleset's name, and whether adapted bots play it."""
    if not named.adapted:
        return named.name
    return text("lab.adapted_name", name=named.name.removesuffix(ADAPTED_END))


def local_of(rulesets: Iterable[Ruleset]) -> Local:
    """The local yaku of the rulesets by id."""
    return {yaku.id: yaku for rules in rulesets for yaku in rules.local}


def made_name(yaku: str, local: Local = NO_LOCAL) -> str:
    """The name of a yaku, a sort of dora, or one of the ``local`` yaku."""
    if yaku in local:
        return local[yaku].word("name") or yaku
    return text(f"explain.bonus.{yaku}") if yaku in DORA else yaku_name(yaku)


def share_change(change: Estimate) -> str:
    """The difference of two shares with its interval: ``+1.20 pp (+0.80 … +1.60)``."""
    value = text("lab.percentage_points", value=100 * change.value)
    return f"{value} ({signed(100 * change.low, 2)} … {signed(100 * change.high, 2)})"

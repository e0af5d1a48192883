"""The names of what an experiment counts, in the current language."""

from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.sums import DORA
from jantaku.rules.sheet import yaku_name
from jantaku.terms import text


def rate_name(rate: str) -> str:
    """The name of a rate of ``RATES``."""
    return text(f"lab.rate.{rate}")


def made_name(yaku: str) -> str:
    """The name of a yaku or a sort of dora."""
    return text(f"explain.bonus.{yaku}") if yaku in DORA else yaku_name(yaku)


def share_change(change: Estimate) -> str:
    """The difference of two shares with its interval: ``+1.20 pp (+0.80 … +1.60)``."""
    value = text("lab.percentage_points", value=100 * change.value)
    return f"{value} ({100 * change.low:+.2f} … {100 * change.high:+.2f})"

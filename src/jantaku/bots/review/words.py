"""The reasons of a mistake as sentences: templates over its numbers."""

from collections.abc import Iterator
from typing import Final

from jantaku import terms
from jantaku.bots.review.model import Comparison, Fact, Reason, ReviewedDecision
from jantaku.bots.review.safety import from_plain
from jantaku.rules import Ruleset
from jantaku.rules.yaku_names import yaku_name
from jantaku.terms import Language, counted

ROUND: Final = 100  # points


def sentences(decision: ReviewedDecision, rules: Ruleset, language: Language | None = None) -> list[str]:
    """Return a paragraph for each reason of a mistake, largest first, and for what speaks against it."""
    if decision.compared is None:
        return []
    return [
        terms.paragraph(_of_reason(kind, reason, decision.compared, rules, language), language)
        for kind, found in (("reasons", decision.reasons), ("against", decision.against))
        for reason in found
    ]


def _of_reason(
    kind: str, reason: Reason, compared: Comparison, rules: Ruleset, language: Language | None
) -> Iterator[str]:
    played, best = compared.played, compared.best
    values: dict[str, str] = {"points": _points(abs(reason.points))}
    if reason.code == "win_rate":
        values = {"played": percent(played.win), "best": percent(best.win)}
    elif reason.code == "win_value":
        values = {"played": _points(played.mean_win), "best": _points(best.mean_win)}
    elif reason.code == "deal_in_rate":
        cost = _points(played.mean_deal_in or best.mean_deal_in)
        values = {"played": percent(played.deal_in), "best": percent(best.deal_in), "cost": cost}
    elif reason.code == "deal_in_cost":
        values = {"played": _points(played.mean_deal_in), "best": _points(best.mean_deal_in)}
    yield terms.text(f"review.{kind}.{reason.code}", language, **values)
    for fact in reason.facts:
        yield _of_fact(fact, rules, language)


def _of_fact(fact: Fact, rules: Ruleset, language: Language | None) -> str:
    values = dict(fact.values)
    if "safety" in values:
        wind = terms.text(f"tiles.winds.{values['wind']}", language)
        return from_plain(values["safety"]).sentence(wind, language)
    if fact.code == "shanten":
        values = {name: _shanten(value, language) for name, value in values.items()}
    elif fact.code in ("yaku", "place", "tenpai"):
        values |= {name: percent(values[name]) for name in ("played", "best")}
    if fact.code == "yaku":
        values["yaku"] = yaku_name(values["yaku"], language, rules)
    return terms.with_tiles(f"review.facts.{fact.code}", language, values)


def _shanten(count: int, language: Language | None) -> str:
    return terms.text("review.facts.count" if count else "review.facts.ready", language, count=count)


def loss_text(decision: ReviewedDecision) -> str:
    """Return the loss of a mistake with its interval."""
    assert decision.compared is not None
    compared = decision.compared
    loss, low, high = (counted(round(points)) for points in (compared.loss, compared.low, compared.high))
    return terms.text("review.report.loss", None, loss=loss, low=low, high=high)


def percent(share: float, decimals: int = 1) -> str:
    """Return a share in percent.

    >>> percent(0.1234), percent(0.1234, 0)
    ('12.3%', '12%')
    """
    return f"{100 * share:.{decimals}f}%"


def _points(points: float) -> str:
    return counted(round(points / ROUND) * ROUND)

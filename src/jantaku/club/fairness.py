"""What the hands of many games say of how fairly they were played, for referees: signs, never verdicts.

Two questions are put to each set of games. Does a player deal in to one opponent more often than the danger
on the table explains? Does a player agree with strong play more than their results do? Each answer is a
probability under fair play, and all of a set are corrected together (Holm), so that of sets of honest games
about one in ``1 / level`` marks anybody.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp, lgamma, pi, sqrt
from typing import Final

LEVEL: Final = 0.01  # how often a set of honest games may mark anybody
LEAST_DEAL_INS: Final = 5  # of a player, before they are compared with what danger explains
LEAST_PLAYERS: Final = 6  # before agreement is compared with results
LEAST_DECISIONS: Final = 200  # of a player, before their agreement is compared
STEPS: Final = 400  # of Simpson's rule
PRIOR: Final = 4.0  # wins on average play that are added to those of a player
ROUNDS: Final = 12  # of the fit, which is close by then


@dataclass(frozen=True, slots=True)
class DangerousWin:
    """A discard of ``source`` on which ``winner`` won ``points``.

    ``danger`` has the share of the danger of that tile that came from each opponent, as ``standard`` saw it.
    ``loss``: what the discard cost against the one that it would have made, in points.
    """

    source: str
    winner: str
    points: int
    danger: Mapping[str, float]
    loss: float | None


@dataclass(frozen=True, slots=True)
class AgreedPlay:
    """In how many of a player's decisions ``standard`` would have done the same; their mean place."""

    player: str
    decisions: int
    same: int
    place: float


@dataclass(frozen=True, slots=True)
class PairSign:
    """How often ``source`` dealt in to ``winner``, how often danger explains, and the points that moved.

    ``careless`` of them cost much against strong play. ``chance`` is that of so many or more under fair play,
    after correction; ``None`` where too little was played.
    """

    source: str
    winner: str
    games: int
    deal_ins: int
    expected: float
    careless: int
    points: int
    chance: float | None
    marked: bool


@dataclass(frozen=True, slots=True)
class AgreementSign:
    """A player's share of decisions like strong play, and what their results let expect."""

    player: str
    decisions: int
    share: float
    expected: float | None
    chance: float | None
    marked: bool


def pair_signs(
    deal_ins: Sequence[DangerousWin], together: Mapping[tuple[str, str], int], careless: float = 1000.0
) -> list[PairSign]:
    """The pairs that met, those with the smallest chance first; ``together`` counts their games.

    Given that a player dealt in, each opponent is as probable a winner as their share of the danger says,
    times how strongly they win, which is fitted to the deal-ins of all, and of all others; the larger chance
    counts. Who is marked is set aside, and the others are asked again.
    """
    of_source: defaultdict[str, list[DangerousWin]] = defaultdict(list)
    for one in deal_ins:
        of_source[one.source].append(one)
    aside: set[str] = set()
    while True:
        fits = {source: _fits(deal_ins, source, aside) for source in of_source}
        chances = [_chance(of_source[pair[0]], pair[1], fits.get(pair[0], ())) for pair in together]
        corrected = dict(zip(together, holm(chances), strict=True))
        marked = {source for (source, _), chance in corrected.items() if _is_sign(chance)}
        if marked <= aside:
            break
        aside |= marked
    strength = _strengths([one for one in deal_ins if one.source not in aside])
    signs = []
    for (source, winner), chance in corrected.items():
        met = [one for one in of_source[source] if winner in one.danger]
        won = [one for one in met if one.winner == winner]
        expected = round(sum(_share(one, winner, strength) for one in met), 2)
        bad, points = sum((one.loss or 0) >= careless for one in won), sum(one.points for one in won)
        shown = None if chance is None else round(chance, 4)
        numbers = (together[source, winner], len(won), expected, bad, points, shown)
        signs.append(PairSign(source, winner, *numbers, _is_sign(chance)))
    return sorted(signs, key=lambda one: (one.chance is None, one.chance or 0, -one.deal_ins))


def _fits(
    deal_ins: Sequence[DangerousWin], source: str, aside: Collection[str]
) -> tuple[dict[str, float], ...]:
    """How strongly all win, fitted with and without what a player dealt in."""
    fair = [one for one in deal_ins if one.source == source or one.source not in aside]
    return _strengths(fair), _strengths([one for one in fair if one.source != source])


def _chance(mine: Sequence[DangerousWin], winner: str, fits: Sequence[Mapping[str, float]]) -> float | None:
    """The chance that a fair player deals in to another so often; ``None``: too little was played."""
    met = [one for one in mine if winner in one.danger]
    if len(met) < LEAST_DEAL_INS:
        return None
    count = sum(one.winner == winner for one in met)
    return max(at_least(count, [_share(one, winner, strength) for one in met]) for strength in fits)


def _is_sign(chance: float | None) -> bool:
    return chance is not None and chance <= LEVEL


def _strengths(deal_ins: Sequence[DangerousWin]) -> dict[str, float]:
    """How much more often than danger says each player wins on others' discards (Luce's choice model)."""
    wins: Counter[str] = Counter(one.winner for one in deal_ins)
    found: defaultdict[str, float] = defaultdict(lambda: 1.0)
    for _ in range(ROUNDS):
        expected: defaultdict[str, float] = defaultdict(float)
        for one in deal_ins:
            total = sum(share * found[other] for other, share in one.danger.items())
            for other, share in one.danger.items():
                expected[other] += share / total
        for player, sum_of in expected.items():
            found[player] = (wins[player] + PRIOR) / (sum_of + PRIOR)
    return dict(found)


def _share(one: DangerousWin, winner: str, strength: Mapping[str, float]) -> float:
    weights = {other: share * strength.get(other, 1.0) for other, share in one.danger.items()}
    return weights[winner] / sum(weights.values())


def agreement_signs(players: Sequence[AgreedPlay]) -> list[AgreementSign]:
    """Who agrees with strong play, those with the smallest chance first.

    What is expected follows from the mean places of all by a straight line; how far fair players are from it
    is estimated from the others, and is never less than chance alone makes.
    """
    able = [one for one in players if one.decisions >= LEAST_DECISIONS]
    found: list[tuple[AgreedPlay, float | None, float | None]] = []
    for one in players:
        others = [other for other in able if other is not one]
        if one not in able or len(others) + 1 < LEAST_PLAYERS:
            found.append((one, None, None))
            continue
        expected, spread = _line(others, one.place)
        noise = sqrt(max(spread**2, 1e-6) + expected * (1 - expected) / one.decisions)
        found.append((one, expected, _tail((one.same / one.decisions - expected) / noise, len(others) - 2)))
    corrected = holm([chance for *_, chance in found])
    signs = [
        AgreementSign(
            one.player,
            one.decisions,
            round(one.same / one.decisions, 4) if one.decisions else 0.0,
            None if expected is None else round(expected, 4),
            None if chance is None else round(chance, 4),
            _is_sign(chance),
        )
        for (one, expected, _), chance in zip(found, corrected, strict=True)
    ]
    return sorted(signs, key=lambda one: (one.chance is None, one.chance or 0, -one.share))


def _line(others: Sequence[AgreedPlay], place: float) -> tuple[float, float]:
    """What the others' agreement lets expect at a mean place, and their spread about it."""
    shares = [one.same / one.decisions for one in others]
    places = [one.place for one in others]
    mean, middle = sum(shares) / len(shares), sum(places) / len(places)
    width = sum((x - middle) ** 2 for x in places)
    slope = (
        sum((x - middle) * (y - mean) for x, y in zip(places, shares, strict=True)) / width if width else 0
    )
    rest = [y - mean - slope * (x - middle) for x, y in zip(places, shares, strict=True)]
    free = max(1, len(others) - 2)
    spread = sqrt(sum(one * one for one in rest) / free)
    reach = 1 + 1 / len(others) + ((place - middle) ** 2 / width if width else 0)
    return min(0.999, max(0.001, mean + slope * (place - middle))), spread * sqrt(reach)


def _tail(deviation: float, free: int) -> float:
    """The chance of such a deviation or a larger one, by Student's distribution.

    >>> round(_tail(0.0, 4), 6), round(_tail(2.776445, 4), 5)
    (0.5, 0.025)
    """
    free = max(1, free)
    scale = exp(lgamma((free + 1) / 2) - lgamma(free / 2)) / sqrt(free * pi)
    width = abs(deviation) / STEPS
    heights = [scale * (1 + (i * width) ** 2 / free) ** (-(free + 1) / 2) for i in range(STEPS + 1)]
    inner = (
        sum(heights[i] * (1 if i in (0, STEPS) else 4 if i % 2 else 2) for i in range(STEPS + 1)) * width / 3
    )
    return float(max(0.0, 0.5 - inner if deviation >= 0 else 0.5 + inner))


def at_least(count: int, chances: Sequence[float]) -> float:
    """The chance of at least ``count`` successes in trials with these chances.

    >>> at_least(2, [0.5, 0.5]), at_least(0, [0.2])
    (0.25, 1.0)
    """
    exact = [1.0]
    for chance in chances:
        exact = [
            (exact[i] if i < len(exact) else 0.0) * (1 - chance) + (exact[i - 1] * chance if i else 0.0)
            for i in range(len(exact) + 1)
        ]
    return min(1.0, sum(exact[count:]))


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Chances corrected for their number, as Holm does; ``None`` stays.

    >>> holm([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    order = sorted((chance, i) for i, chance in enumerate(chances) if chance is not None)
    found: list[float | None] = [None] * len(chances)
    highest = 0.0
    for rank, (chance, i) in enumerate(order):
        highest = max(highest, min(1.0, chance * (len(order) - rank)))
        found[i] = highest
    return found

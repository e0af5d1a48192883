"""What the hands of many games say of how fairly they were played, for referees: signs, never verdicts.

Two questions are put to each set of games. Does a player deal in to one opponent more often than the danger
of their discards explains? Does a player agree with strong play more than their results do? Each answer is a
probability under fair play, and all of a set are corrected together (Holm), so that of sets of honest games
about one in ``1 / level`` marks anybody.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log, pi, sqrt
from typing import Final

LEVEL: Final = 0.01  # how often a set of honest games may mark anybody
LEAST_PLAYERS: Final = 6  # before agreement is compared with results
LEAST_DECISIONS: Final = 200  # of a player, before their agreement is compared
LEAST_SPREAD: Final = 0.3  # of fair players about the line, on the scale of logarithms
STEPS: Final = 400  # of Simpson's rule
PRIOR: Final = 20.0  # deal-ins as danger says that are added to those of a player
VARIED: Final = 0.02  # how much the rate of a pair varies besides, as a relative variance
ROUNDS: Final = 12  # of the fit, which is close by then


@dataclass(frozen=True, slots=True)
class PairPlay:
    """How ``source`` discarded in games with ``winner``: deal-ins, and how many danger lets expect.

    ``danger`` is the sum of the chances that ``standard`` sees, discard by discard; ``careless`` counts the
    deal-ins that cost much against strong play; ``points`` is what the deal-ins cost.
    """

    source: str
    winner: str
    games: int
    danger: float
    deal_ins: int
    careless: int
    points: int


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

    ``chance`` is that of so many deal-ins or more under fair play, after correction; ``None`` without any
    danger.
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


def pair_signs(pairs: Sequence[PairPlay]) -> list[PairSign]:
    """The pairs that met, those with the smallest chance first.

    A pair's deal-ins are expected to be their danger times three rates: of all players, of this discarder to
    others, and of this winner on others. Those who are marked are set aside, and the others are asked again.
    """
    aside: set[tuple[str, str]] = set()
    while True:
        rates = _Rates(pairs, aside)
        expected = [rates.expected(pair) for pair in pairs]
        chances = [
            negative_binomial_tail(pair.deal_ins, mean, varied) if mean else None
            for pair, (mean, varied) in zip(pairs, expected, strict=True)
        ]
        corrected = holm(chances)
        marked = {
            (pair.source, pair.winner)
            for pair, chance in zip(pairs, corrected, strict=True)
            if _is_sign(chance)
        }
        if marked <= aside:
            break
        aside |= marked
    signs = [
        PairSign(
            pair.source,
            pair.winner,
            pair.games,
            pair.deal_ins,
            round(mean, 2),
            pair.careless,
            pair.points,
            None if chance is None else round(chance, 4),
            _is_sign(chance),
        )
        for pair, (mean, _), chance in zip(pairs, expected, corrected, strict=True)
    ]
    return sorted(signs, key=lambda sign: (sign.chance is None, sign.chance or 0, -sign.deal_ins))


class _Rates:
    """How often players deal in against what danger says: all, each discarder and each winner."""

    def __init__(self, pairs: Sequence[PairPlay], aside: Collection[tuple[str, str]]) -> None:
        fair = [pair for pair in pairs if (pair.source, pair.winner) not in aside]
        danger = sum(pair.danger for pair in fair)
        self.all = (sum(pair.deal_ins for pair in fair) + PRIOR) / (danger + PRIOR)
        self.of_source = defaultdict[str, list[PairPlay]](list)
        self.of_winner = defaultdict[str, list[PairPlay]](list)
        for pair in fair:
            self.of_source[pair.source].append(pair)
            self.of_winner[pair.winner].append(pair)
        self.source, self.winner = dict.fromkeys(self.of_source, 1.0), dict.fromkeys(self.of_winner, 1.0)
        for _ in range(ROUNDS):
            for player in self.source:
                self.source[player] = self._rate_of_source(player)[0]
            for player in self.winner:
                self.winner[player] = self._rate_of_winner(player)[0]

    def _rate_of_source(self, player: str, without: str = "") -> tuple[float, float]:
        others = [pair for pair in self.of_source[player] if pair.winner != without]
        return self._rate(others, [self.winner[pair.winner] for pair in others])

    def _rate_of_winner(self, player: str, without: str = "") -> tuple[float, float]:
        others = [pair for pair in self.of_winner[player] if pair.source != without]
        return self._rate(others, [self.source[pair.source] for pair in others])

    def _rate(self, pairs: Sequence[PairPlay], rates: Sequence[float]) -> tuple[float, float]:
        """A player's rate, and how unsure it is: a relative variance (a gamma distribution's)."""
        danger = sum(pair.danger * rate * self.all for pair, rate in zip(pairs, rates, strict=True))
        weight = PRIOR + sum(pair.deal_ins for pair in pairs)
        return weight / (PRIOR + danger), 1 / weight

    def expected(self, pair: PairPlay) -> tuple[float, float]:
        """The deal-ins that a fair pair has, by all other pairs, and the relative variance of that number."""
        source, unsure = self._rate_of_source(pair.source, pair.winner)
        winner, unsure_too = self._rate_of_winner(pair.winner, pair.source)
        return pair.danger * self.all * source * winner, unsure + unsure_too + VARIED


def _is_sign(chance: float | None) -> bool:
    return chance is not None and chance <= LEVEL


def agreement_signs(players: Sequence[AgreedPlay]) -> list[AgreementSign]:
    """Who agrees with strong play, those with the smallest chance first.

    Logarithms of the share of decisions that differ are compared, because half as many are the same step
    everywhere. What is expected follows from the mean places of all by a straight
    line; how far fair players are from it is estimated from the others, and is never small.
    """
    able = [player for player in players if player.decisions >= LEAST_DECISIONS]
    plays: list[tuple[AgreedPlay, float | None, float | None]] = []
    for player in players:
        others = [other for other in able if other is not player]
        if player not in able or len(others) + 1 < LEAST_PLAYERS:
            plays.append((player, None, None))
            continue
        expected, spread = _line(others, player.place)
        differing = exp(expected)
        noise = sqrt(max(spread, LEAST_SPREAD) ** 2 + (1 - differing) / (differing * player.decisions))
        plays.append((player, 1 - differing, _tail((expected - _differing(player)) / noise, len(others) - 2)))
    corrected = holm([chance for *_, chance in plays])
    signs = [
        AgreementSign(
            play.player,
            play.decisions,
            round(play.same / play.decisions, 4) if play.decisions else 0.0,
            None if expected is None else round(expected, 4),
            None if chance is None else round(chance, 4),
            _is_sign(chance),
        )
        for (play, expected, _), chance in zip(plays, corrected, strict=True)
    ]
    return sorted(signs, key=lambda sign: (sign.chance is None, sign.chance or 0, -sign.share))


def _differing(play: AgreedPlay) -> float:
    """The logarithm of the share of a player's decisions that differ from strong play."""
    return log((play.decisions - play.same + 0.5) / (play.decisions + 0.5))


def _line(others: Sequence[AgreedPlay], place: float) -> tuple[float, float]:
    """What the others let expect at a mean place, and their spread about it, as ``_differing`` measures."""
    shares = [_differing(other) for other in others]
    places = [other.place for other in others]
    mean, middle = sum(shares) / len(shares), sum(places) / len(places)
    width = sum((x - middle) ** 2 for x in places)
    slope = (
        sum((x - middle) * (y - mean) for x, y in zip(places, shares, strict=True)) / width if width else 0
    )
    rest = [y - mean - slope * (x - middle) for x, y in zip(places, shares, strict=True)]
    free = max(1, len(others) - 2)
    spread = sqrt(sum(rest * rest for rest in rest) / free)
    reach = 1 + 1 / len(others) + ((place - middle) ** 2 / width if width else 0)
    return min(-0.001, mean + slope * (place - middle)), spread * sqrt(reach)


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


def negative_binomial_tail(count: int, mean: float, varied: float) -> float:
    """The chance of at least ``count`` events at a rate of this mean and relative variance (a gamma).

    >>> round(negative_binomial_tail(1, 1.0, 1.0), 6), negative_binomial_tail(0, 2.0, 0.1)
    (0.5, 1.0)
    """
    size = 1 / varied
    fails, hits = size / (size + mean), mean / (size + mean)
    chance, below = fails**size, 0.0
    for number in range(count):
        below += chance
        chance *= hits * (size + number) / (number + 1)
    return max(0.0, 1 - below) if count else 1.0


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Chances corrected for their number, as Holm does; ``None`` stays.

    >>> holm([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    order = sorted((chance, i) for i, chance in enumerate(chances) if chance is not None)
    levels: list[float | None] = [None] * len(chances)
    highest = 0.0
    for rank, (chance, i) in enumerate(order):
        highest = max(highest, min(1.0, chance * (len(order) - rank)))
        levels[i] = highest
    return levels

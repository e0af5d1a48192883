"""The parts of the comparison, divided into portions for parallel work and for resuming a run."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from research.conform import lockstep, wins
from research.conform.found_differences import Conformance
from research.conform.logs import logs
from research.conform.peers import by_mahjong, by_riichienv

GAMES_PER_SEED: Final = 1_000_000  # so that different seeds have different games


SIZES: Final = {"wins": 10_000_000, "mahjong": 1_000_000, "games": 20_000, "logs": 2_000}
"""The size of a complete comparison, by option."""


class Portion(NamedTuple):
    """Portion ``number`` of a part: ``size`` wins or games."""

    part: str
    seed: int
    number: int
    size: int


class Part(NamedTuple):
    """A comparison under one ruleset; it gets one of ``shares`` equal shares of the option ``size``."""

    size: str
    shares: int
    portion: int
    compare: Callable[[Portion], Conformance]


def _wins(rules: str, peer: wins.Peer, portion: Portion) -> Conformance:
    return wins.compare(rules, peer, "-".join(map(str, portion[:3])), portion.size)


def _games(rules: str, size: int, portion: Portion) -> Conformance:
    return lockstep.games(rules, portion.seed * GAMES_PER_SEED + portion.number * size, portion.size)


def _logs(rules: str, size: int, portion: Portion) -> Conformance:
    return logs(rules, portion.seed * GAMES_PER_SEED + portion.number * size, portion.size)


PARTS: Final[dict[str, Part]] = {
    "wins mahjongsoul": Part("wins", 2, 50_000, partial(_wins, "mahjongsoul", by_riichienv)),
    "wins mahjongsoul-3": Part("wins", 2, 50_000, partial(_wins, "mahjongsoul-3", by_riichienv)),
    **{
        f"mahjong {rules}": Part(
            "mahjong", 4, 20_000, partial(_wins, rules, partial(by_mahjong, double="soul" in rules))
        )
        for rules in lockstep.RULES
    },
    **{f"games {rules}": Part("games", 4, 50, partial(_games, rules, 50)) for rules in lockstep.RULES},
    **{f"logs {rules}": Part("logs", 4, 50, partial(_logs, rules, 50)) for rules in lockstep.RULES},
}
"""The comparisons by name."""


def portions(sizes: Mapping[str, int], seed: int) -> list[Portion]:
    """Return all portions, alternating between parts, so that an interrupted run covers each of them."""
    rows: list[tuple[int, str, Portion]] = []
    for name, part in PARTS.items():
        remaining, number = -(-sizes[part.size] // part.shares), 0
        while remaining > 0:
            count = min(remaining, part.portion)
            rows.append((number, name, Portion(name, seed, number, count)))
            remaining, number = remaining - count, number + 1
    return [portion for _, _, portion in sorted(rows, key=lambda row: row[0])]


def run(portion: Portion) -> Conformance:
    """Compare a portion."""
    return PARTS[portion.part].compare(portion)

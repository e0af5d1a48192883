"""Seat one more round, by the standings or at random."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, permutations
from random import Random
from typing import Any, Final, Literal, get_args

from jantaku.club.event import ClubEvent
from jantaku.club.seating.plan import NO_WISHES, Wishes
from jantaku.club.stage_standings import PlayerStanding, standings
from jantaku.errors import RequestError

RoundKind = Literal["random", "swiss", "ranking", "interval"]
ROUND_KINDS: Final[tuple[str, ...]] = get_args(RoundKind)
REPEAT: Final = 1000  # cost of a repeated opponent, relative to squared differences of rank
APART: Final = 50  # cost of a meeting of two players to be kept apart, in repeats
TRIES_PER_PLAYER: Final = 200


@dataclass(frozen=True, slots=True)
class NextRound:
    """Tables with players in order of wind, players with a bye, and the number of pairs who meet again."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    repeats: int

    def to_dict(self) -> dict[str, Any]:
        """Return the round as JSON."""
        return {"tables": self.tables, "byes": self.byes, "repeats": self.repeats}


@dataclass(frozen=True, slots=True)
class Known:
    """Facts that the results do not contain: ``seated`` are tables of rounds whose games do not count yet."""

    seated: Sequence[Sequence[str]] = ()
    wishes: Wishes = NO_WISHES


NOTHING: Final = Known()


def next_round(
    event: ClubEvent,
    stage: str,
    by: RoundKind,
    *,
    out: Collection[str] = (),
    seed: int = 0,
    known: Known = NOTHING,
) -> NextRound:
    """Seat one more round of a stage.

    ``by``: ``ranking`` seats the first ranks at the first table, the next ones at the second, and so on;
    ``interval`` spreads the ranks over the tables; ``swiss`` seats players of similar rank who have not met;
    ``random`` seats players who have not met at random. Ties in rank and in wind counts are broken at random.
    Players in ``out`` skip this round. If the others do not fill the tables, substitutes come in; if there
    are too few substitutes, byes go to the players with the most games, the lowest ranked first.
    Raises ``RequestError``.
    """
    seats = len(event.rules.seats)
    rows = standings(event).stages
    if stage not in rows:
        raise RequestError("unknown_id", field="stage", value=stage, nearest="")
    random = Random(seed)  # noqa: S311  (not used for secrets)
    order = _by_rank(rows[stage], random)
    for name in out:
        if name not in order:
            raise RequestError("unknown_id", field="out", value=name, nearest="")
    games = [*(game.players for game in event.results if game.stage == stage), *known.seated]
    present = [name for name in order if name not in out and name not in known.wishes.reserves]
    present += _substitutes(len(present), known.wishes.reserves, games, seats)
    playing, byes = _with_byes(present, games, seats)
    if len(playing) < seats:
        raise RequestError("too_few_to_seat", field="players", count=len(playing), wanted=seats)
    met = Counter(pair for players in games for pair in combinations(sorted(players), 2))
    tables = _tables(playing, by, seats, random)
    if by in ("random", "swiss"):
        ranks = {name: rank if by == "swiss" else 0 for rank, name in enumerate(playing)}
        costs = Counter({pair: REPEAT * count for pair, count in met.items()})
        for pair in known.wishes.apart:
            costs[min(pair), max(pair)] += REPEAT * APART
        _improve(tables, ranks, costs, random)
    sat = Counter((player, wind) for players in games for wind, player in enumerate(players))
    repeats = sum(met[pair] > 0 for table in tables for pair in combinations(sorted(table), 2))
    return NextRound(tuple(_by_wind(table, sat, random) for table in tables), tuple(byes), repeats)


def _by_rank(rows: Sequence[PlayerStanding], random: Random) -> list[str]:
    """Return the players by rank; equal ranks and unranked players are in random order."""
    order: list[str] = []
    for _, equal in groupby(rows, key=lambda row: (row.qualified, row.rank)):
        names = [row.player for row in equal]
        order += random.sample(names, len(names))
    return order


def _substitutes(
    number: int, reserves: Sequence[str], games: Sequence[Sequence[str]], seats: int
) -> list[str]:
    """Return the substitutes that fill the tables, those with the fewest games first; none if too few."""
    played = Counter(player for players in games for player in players)
    empty = -number % seats
    return sorted(reserves, key=lambda name: played[name])[:empty] if empty <= len(reserves) else []


def _with_byes(
    order: Sequence[str], games: Sequence[Sequence[str]], seats: int
) -> tuple[list[str], list[str]]:
    """Split players into those who play and those with a bye, in the given order."""
    played = Counter(player for players in games for player in players)
    rank = {name: i for i, name in enumerate(order)}
    first_out = sorted(order, key=lambda name: (-played[name], -rank[name]))
    byes = set(first_out[: len(order) % seats])
    return [name for name in order if name not in byes], [name for name in order if name in byes]


def _tables(playing: list[str], by: str, seats: int, random: Random) -> list[list[str]]:
    """Return the initial tables, before repeated opponents are avoided."""
    number = len(playing) // seats
    if by == "interval":
        return [playing[t::number] for t in range(number)]
    order = random.sample(playing, len(playing)) if by == "random" else list(playing)
    return [order[seats * t : seats * t + seats] for t in range(number)]


def _improve(
    tables: list[list[str]], ranks: dict[str, int], costs: Counter[tuple[str, str]], random: Random
) -> None:
    """Exchange players between tables as long as that lowers the cost of their pairs."""

    def cost(table: list[str]) -> int:
        pairs = list(combinations(sorted(table), 2))
        return sum(costs[pair] + (ranks[pair[0]] - ranks[pair[1]]) ** 2 for pair in pairs)

    if len(tables) < 2:
        return
    seats = range(len(tables[0]))
    for _ in range(TRIES_PER_PLAYER * len(seats) * len(tables)):
        one, other = random.sample(range(len(tables)), 2)
        i, j = random.choice(seats), random.choice(seats)
        before = cost(tables[one]) + cost(tables[other])
        tables[one][i], tables[other][j] = tables[other][j], tables[one][i]
        if cost(tables[one]) + cost(tables[other]) > before:
            tables[one][i], tables[other][j] = tables[other][j], tables[one][i]


def _by_wind(table: Sequence[str], sat: Counter[tuple[str, int]], random: Random) -> tuple[str, ...]:
    """Return the players of a table in order of wind, balancing their winds; ties are broken at random."""
    return min(
        permutations(random.sample(table, len(table))),
        key=lambda seats: sum(sat[player, wind] ** 2 for wind, player in enumerate(seats)),
    )

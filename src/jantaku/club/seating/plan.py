"""Create and read seating plans for a whole event."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from time import perf_counter
from typing import Any, Final

import numpy as np

from jantaku.bounded import shown
from jantaku.club.seating.quality import MEASURES, Pair, quality_of
from jantaku.club.seating.search import Task, best_rounds
from jantaku.club.seating.winds import with_table_numbers, with_winds
from jantaku.errors import RequestError, kind_of_value
from jantaku.fields import Fields, whole
from jantaku.kernels.win import MAX_SEATS


def team_mates(teams: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the pairs of players (keys) on the same team; an empty team name means no team."""
    return [pair for pair in combinations(teams, 2) if teams[pair[0]] and teams[pair[0]] == teams[pair[1]]]


def pairs_by_number(
    numbers: Mapping[str, int], teams: Mapping[str, str], apart: Iterable[tuple[str, str]]
) -> frozenset[Pair]:
    """Return the pairs to keep apart as player numbers in ascending order."""
    pairs = set()
    for pair in (*team_mates(teams), *apart):
        for name in pair:
            if name not in numbers:
                raise RequestError("unknown_id", field="apart", value=name, nearest="")
        one, other = sorted(numbers[name] for name in pair)
        if one == other:
            raise RequestError("id_twice", field="apart", value=pair[0])
        pairs.add((one, other))
    return frozenset(pairs)


Tables = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Wishes:
    """``reserves`` are substitutes who fill up tables; pairs in ``apart`` meet only if unavoidable."""

    reserves: Sequence[str] = ()
    apart: Sequence[tuple[str, str]] = ()


NO_WISHES: Final = Wishes()


@dataclass(frozen=True, slots=True)
class Seated:
    """A round as it was seated: its tables and the players with a bye."""

    tables: Tables
    byes: Sequence[str] = ()


def assign_byes(
    played: Sequence[Seated],
    present: Sequence[Collection[str]],
    reserves: Sequence[str],
    seats: int,
    random: np.random.Generator,
) -> list[tuple[list[str], list[str]]]:
    """Return the players who play and those with a bye for each upcoming round, in the given order.

    ``present`` are the players available in each round. If they do not fill the tables, ``reserves`` come in,
    those with the fewest games first. If there are too few of them, byes go to players with the fewest byes,
    then to those with the most games, then at random.
    """
    games = Counter(chain.from_iterable(table for round_ in played for table in round_.tables))
    had = Counter(chain.from_iterable(round_.byes for round_ in played))
    rounds = []
    for players in present:
        names = list(players)
        empty = -len(names) % seats
        spare = sorted(
            (player for player in reserves if player not in players), key=lambda player: games[player]
        )
        if empty <= len(spare):
            playing, byes = names + spare[:empty], list[str]()
        else:
            lots = dict(zip(names, random.permutation(len(names)).tolist(), strict=True))
            ranked = sorted(names, key=lambda player: (had[player], -games[player], lots[player]))
            out = set(ranked[: len(names) % seats])
            playing, byes = (
                [name for name in names if name not in out],
                [name for name in names if name in out],
            )
        games.update(playing)
        had.update(byes)
        rounds.append((playing, byes))
    return rounds


MAX_PLAYERS: Final = 400
MAX_ROUNDS: Final = 60


@dataclass(frozen=True, slots=True)
class SeatingPlan:
    """A plan: ``rounds[r][table][seat]`` are players; players in ``byes[r]`` sit out round ``r``.

    ``SeatingScore`` explains the measures. ``seconds`` is the duration of the search.
    """

    rounds: tuple[tuple[tuple[str, ...], ...], ...]
    byes: tuple[tuple[str, ...], ...]
    repeats: int
    bound: int
    seat_spread: int
    table_spread: int
    together: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data for JSON (docs/club.md); ``byes`` is omitted if there are none."""
        data: dict[str, Any] = {"rounds": self.rounds}
        if any(self.byes):
            data["byes"] = self.byes
        return {
            **data,
            **{name: getattr(self, name) for name in MEASURES},
            "seconds": round(self.seconds, 1),
        }


def seat(
    players: int | Sequence[str],
    rounds: int,
    *,
    teams: Mapping[str, str] | None = None,
    apart: Iterable[tuple[str, str]] = (),
    seats: int = MAX_SEATS,
    seed: int = 0,
) -> SeatingPlan:
    """Create a seating plan with few repeated opponents, balanced winds and tables, and rotating byes.

    ``players`` is a number of players (called ``"1"``, ``"2"``, …) or their names; ``seats`` sit at a table.
    Members of the same team and the pairs in ``apart`` are kept apart as far as possible. The same ``seed``
    gives the same plan. Raises ``RequestError``.
    """
    started = perf_counter()
    names = [str(i + 1) for i in range(players)] if isinstance(players, int) else list(players)
    check_players(len(names), seats)
    whole(rounds, "rounds", 1, MAX_ROUNDS)
    numbers = _numbered(names)
    task = Task(len(names), rounds, seats, pairs_by_number(numbers, teams or {}, apart))
    random = np.random.default_rng(seed)
    order = best_rounds(task, random)
    if not task.apart:  # seats must not depend on the order of registration
        order = random.permutation(task.players)[order]
    seated = with_winds(with_table_numbers(order, task.players, random).tolist())
    tables = tuple(tuple(tuple(names[i] for i in table) for table in round_) for round_ in seated)
    quality = quality_of(tables, seats, [(names[one], names[other]) for one, other in task.apart])
    byes = tuple(sitting_out(round_, names) for round_ in tables)
    return SeatingPlan(tables, byes, **quality.to_dict(), seconds=perf_counter() - started)


def check_players(count: int, seats: int) -> None:
    """Raise ``RequestError`` for too few players to fill a table, or more than a plan supports."""
    if count < seats:
        raise RequestError("too_few_to_seat", field="players", count=count, wanted=seats)
    if count > MAX_PLAYERS:
        raise RequestError("number_range", field="players", value=count, low=seats, high=MAX_PLAYERS)


def _numbered(names: Sequence[str]) -> dict[str, int]:
    number_of: dict[str, int] = {}
    for i, name in enumerate(names):
        if name in number_of:
            raise RequestError("id_twice", field=f"players[{i}]", value=name)
        number_of[name] = i
    return number_of


def sitting_out(tables: Sequence[Sequence[str]], names: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``names`` who are not seated at any table."""
    playing = {player for table in tables for player in table}
    return tuple(name for name in names if name not in playing)


FIELDS = ("rounds", "byes", *MEASURES, "seconds")


def seated_rounds(data: object) -> list[Seated]:
    """Read the rounds and byes of a plan; its measures are ignored.

    Raises ``RequestError`` unless all tables have the same number of players and no player occurs twice in a
    round.
    """
    fields = Fields(data, FIELDS)
    byes = [_players(row, within) for row, within in fields.entries("byes", MAX_ROUNDS)]
    rounds, seats = list[Seated](), 0
    for i, (tables, within) in enumerate(fields.entries("rounds", MAX_ROUNDS)):
        given = Fields({"tables": tables}, ("tables",), within).entries("tables", MAX_PLAYERS // 2)
        seated = [_players(table, at) for table, at in given]
        for table, (_, at) in zip(seated, given, strict=True):
            seats = seats or whole(len(table), at.rstrip("."), 2, MAX_SEATS)
            whole(len(table), at.rstrip("."), seats, seats)
        round_ = Seated(seated, byes[i] if i < len(byes) else ())
        _check_once(round_, within.rstrip("."))
        rounds.append(round_)
    if not rounds:
        raise RequestError("missing_field", field="rounds")
    return rounds


def _players(data: object, within: str) -> list[str]:
    """Read a list of players; numbers are accepted as names."""
    given = Fields({"players": data}, ("players",), within).entries("players", MAX_PLAYERS)
    return [_name(name, at.rstrip(".")) for name, at in given]


def _name(value: object, within: str) -> str:
    if type(value) is int or (isinstance(value, str) and value.strip()):
        return str(value).strip()
    raise RequestError("wrong_type", field=within, value=shown(value), wanted=kind_of_value(str))


def _check_once(round_: Seated, within: str) -> None:
    seen = set[str]()
    for player in (*(player for table in round_.tables for player in table), *round_.byes):
        if player in seen:
            raise RequestError("id_twice", field=within, value=shown(player))
        seen.add(player)


def player_names(count: int, mates: Mapping[str, str]) -> list[str]:
    """Return ``count`` player names: those with a team, and numbers for the others."""
    if len(mates) > count:
        raise RequestError("number_range", field="--players", value=count, low=len(mates), high=MAX_PLAYERS)
    numbers = [str(i) for i in range(1, count + 1 + len(mates))]
    if all(name.isdecimal() and 0 < int(name) <= count for name in mates):
        return numbers[:count]
    return [*mates, *(number for number in numbers if number not in mates)][:count]

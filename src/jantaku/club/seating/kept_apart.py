"""Who should not meet at a table: members of a team, and pairs that an organiser names."""

from collections.abc import Iterable, Mapping
from itertools import combinations

from jantaku.club.seating.meetings import Pair
from jantaku.errors import RequestError


def team_mates(teams: Mapping[str, str]) -> list[tuple[str, str]]:
    """The pairs of players (the keys) of the same team; an empty team is none."""
    return [pair for pair in combinations(teams, 2) if teams[pair[0]] and teams[pair[0]] == teams[pair[1]]]


def pairs_by_number(
    numbers: Mapping[str, int], teams: Mapping[str, str], apart: Iterable[tuple[str, str]]
) -> frozenset[Pair]:
    """The pairs to keep apart, as numbers, the lower one first."""
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

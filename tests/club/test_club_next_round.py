"""Seating one more round: by ranking, by interval, Swiss or at random; byes, absences and winds."""

from dataclasses import astuple
from itertools import combinations
from typing import Any

import pytest

from jantaku.club import event_from
from jantaku.club.seating import next_round
from jantaku.errors import RequestError

NAMES = "ABCDEFGHIJKLMNOP"


def event(names: str, games: list[str]) -> dict[str, Any]:
    """Return an event whose games list their players in the order of their places."""
    return {
        "jantaku_event": 1,
        "players": [{"id": name} for name in names],
        "stages": [{"id": "s", "kind": "rounds"}],
        "games": [
            {"id": str(i), "stage": "s", "players": list(players), "scores": [40000, 30000, 20000, 10000]}
            for i, players in enumerate(games)
        ],
    }


FIRST = ["ABCD", "EFGH", "IJKL", "MNOP"]  # first places A E I M, then B F J N, C G K O and D H L P


def seated(by: Any, names: str = NAMES, games: Any = FIRST, **settings: Any) -> list[str]:
    proposal = next_round(event_from(event(names, games)), "s", by, **settings)
    return ["".join(sorted(table)) for table in proposal.tables]


def test_by_ranking() -> None:
    assert seated("ranking") == ["AEIM", "BFJN", "CGKO", "DHLP"]


@pytest.mark.parametrize("seed", range(3))
def test_by_interval(seed: int) -> None:
    for group in ("AEIM", "BFJN", "CGKO", "DHLP"):  # the players in each group have the same rank
        assert all(len({*table} & {*group}) == 1 for table in seated("interval", seed=seed))


@pytest.mark.parametrize("by", ["swiss", "ranking", "interval"])
def test_the_first_round_is_random(by: Any) -> None:
    proposals = [next_round(event_from(event(NAMES, [])), "s", by, seed=seed) for seed in range(20)]
    assert len({tables for tables, _, _ in map(astuple, proposals)}) > 15
    east = {table[0] for proposal in proposals for table in proposal.tables}
    assert len(east) > 12
    sit_out = {next_round(event_from(event("ABCDEF", [])), "s", by, seed=seed).byes for seed in range(20)}
    assert len(sit_out) > 5


@pytest.mark.parametrize("by", ["random", "swiss"])
@pytest.mark.parametrize("seed", range(5))
def test_opponents_are_new_if_possible(by: Any, seed: int) -> None:
    games = [*FIRST, "AEIM", "BFJN", "CGKO", "DHLP"]
    proposal = next_round(event_from(event(NAMES, games)), "s", by, seed=seed)
    assert sorted(name for table in proposal.tables for name in table) == list(NAMES)
    met = {pair for game in games for pair in combinations(sorted(game), 2)}
    again = sum(pair in met for table in proposal.tables for pair in combinations(sorted(table), 2))
    assert proposal.repeats == again <= 2


def test_swiss_seats_similar_ranks_together() -> None:
    assert seated("swiss") == ["AEIM", "BFJN", "CGKO", "DHLP"]


def test_byes_go_to_the_lowest_ranks_with_the_most_games() -> None:
    proposal = next_round(event_from(event(NAMES, FIRST)), "s", "ranking", out=["A", "P"])
    assert len(proposal.byes) == 2
    assert {*proposal.byes} < {*"DHL"}  # the lowest-ranked players who are present
    assert [len(table) for table in proposal.tables] == [4, 4, 4]
    later = next_round(event_from(event("ABCDEF", ["ABCD"])), "s", "ranking")
    assert {*later.byes} == {*"CD"}  # E and F have not played yet


def test_players_get_the_winds_they_have_had_least() -> None:
    proposal = next_round(event_from(event("ABCD", ["ABCD", "BCDA", "CDAB"])), "s", "ranking")
    assert proposal.tables == (("D", "A", "B", "C"),)
    assert proposal.repeats == 6


@pytest.mark.parametrize(
    ("stage", "out", "code"),
    [("t", [], "unknown_id"), ("s", ["Z"], "unknown_id"), ("s", "ABC", "too_few_to_seat")],
)
def test_impossible_rounds_are_refused(stage: str, out: Any, code: str) -> None:
    with pytest.raises(RequestError) as error:
        next_round(event_from(event("ABCDEF", [])), stage, "ranking", out=out)
    assert error.value.code == code

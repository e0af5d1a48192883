"""Standings of events: the data of the contract, every way to count, cut and rank, and refusals."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from jantaku.club import event_from, standings
from jantaku.club.event import Stage
from jantaku.club.export.event_tables import EventTables
from jantaku.club.stage_standings import counted, rounded
from jantaku.errors import RequestError

CARRIES_NAN = {"id": "f", "from": "s", "carry": float("nan")}
FLAT = {"extends": "standard", "match": {"uma": [0, 0, 0, 0], "oka": "none", "return_points": 25000}}
SHARED = {"extends": "standard", "match": {**FLAT["match"], "tie": "share"}}  # type: ignore[dict-item]


def event(games: list[tuple[str, list[int]]], **changes: Any) -> dict[str, Any]:
    """Return an event whose players have one-letter names.

    Each game gives the players' points above 25,000, in hundreds; there is no uma.
    """
    names = sorted({player for players, _ in games for player in players})
    return {
        "jantaku_event": 1,
        "rules": FLAT,
        "players": [{"id": name, "name": name} for name in names],
        "stages": [{"id": "s", "kind": "open"}],
        "games": [
            {
                "id": f"g{i}",
                "stage": "s",
                "players": list(players),
                "scores": [25000 + 100 * p for p in points],
            }
            for i, (players, points) in enumerate(games)
        ],
        **changes,
    }


def order(data: dict[str, Any], stage: str = "s") -> list[tuple[int | None, str, int]]:
    return [
        (standing.rank, standing.player, standing.points)
        for standing in standings(event_from(data)).stages[stage]
    ]


@pytest.mark.parametrize("number", range(3))
def test_the_events_of_the_contract(number: int, shared_data: Path) -> None:
    folder = shared_data / "events"
    data = json.loads((folder / f"event-0{number}.json").read_text("utf-8"))
    wanted = json.loads((folder / f"event-0{number}.expect.json").read_text("utf-8"))
    body = json.loads(json.dumps(standings(event_from(data)).to_dict()))
    for stage in body["stages"]:
        for row in stage["standings"]:
            places, games = row["places"], row["games"]
            average = sum(place * count for place, count in enumerate(places, 1)) / games if games else None
            assert row.pop("average_place") == pytest.approx(average)
    assert body == wanted


@pytest.mark.parametrize(
    ("stage", "finals", "wanted"),
    [
        (Stage("s"), [1, -2, 3], [1, -2, 3]),
        (Stage("s", counts={"best": 2}), [1, -2, 3], [3, 1]),
        (Stage("s", counts={"best": 2}), [-5], [-5]),
        (Stage("s", counts={"best_run": 2}), [5, -2, 3, 1], [3, 1]),
        (Stage("s", counts={"best_run": 2}), [5, -1, 3, 1], [5, -1]),
        (Stage("s", counts={"best_run": 3}), [5, -1], [5, -1]),
    ],
)
def test_which_games_count(stage: Stage, finals: list[int], wanted: list[int]) -> None:
    assert list(counted(finals, stage)) == wanted


@pytest.mark.parametrize(("half", "wanted"), [(5, 3), (-5, -3), (4, 2), (1, 1), (-1, -1), (0, 0)])
def test_half_points_round_away_from_zero(half: int, wanted: int) -> None:
    assert rounded(Fraction(half, 2)) == wanted


def test_games_count_in_order_of_time() -> None:
    data = event([("ABCD", [10, 0, 0, -10]), ("ABCD", [90, 0, 0, -90]), ("ABCD", [20, 0, 0, -20])])
    times = ("2025-06-03T00:30:00+09:00", "2025-06-03T00:00:00+00:00", "2025-06-02T23:00:00+09:00")
    for game, at in zip(data["games"], times, strict=True):
        game["at"] = at
    data["stages"][0]["max_games"] = 2
    assert order(data)[0] == (1, "A", 3000)
    last = standings(event_from(data)).stages["s"][-1]
    assert (last.player, last.games, last.counted, last.places[3]) == ("D", 3, 2, 3)


def test_games_over_the_limit_count_for_the_opponents() -> None:
    data = event([("ABCD", [30, 0, -10, -20]), ("AEFG", [-50, 20, 20, 10])])
    data["stages"][0]["max_games"] = 1
    assert order(data)[:3] == [(1, "A", 3000), (2, "E", 2000), (2, "F", 2000)]


def test_players_with_too_few_games_rank_last() -> None:
    data = event([("ABCD", [30, 0, -10, -20]), ("ABCE", [-60, 20, 20, 20])])
    data["stages"][0]["min_games"] = 2
    data["players"].append({"id": "Z", "name": "nobody's opponent"})
    ranked = standings(event_from(data)).stages["s"]
    assert [(standing.rank, standing.player, standing.qualified) for standing in ranked] == [
        (1, "B", True), (2, "C", True), (3, "A", True), (4, "E", False), (5, "D", False), (None, "Z", False),
    ]  # fmt: skip
    assert ranked[-1].average_place is None


LOSERS = [("ABCD", [30, -5, -10, -15])]


def with_absentee(**stage: Any) -> dict[str, Any]:
    """Return a league and its final of three players; in the league, four have played and Z has not."""
    players = [{"id": name, "name": name, "team": "z" if name == "Z" else "x"} for name in "ZABCD"]
    stages = [{"id": "s", **stage}, {"id": "f", "from": "s", "cut": 3}]
    return event(LOSERS, players=players, stages=stages)


@pytest.mark.parametrize("minimum", [{}, {"min_games": 0}, {"min_games": 1}])
def test_players_without_a_game_are_unranked_and_do_not_qualify(minimum: dict[str, int]) -> None:
    data = with_absentee(**minimum)
    assert order(data) == [(1, "A", 3000), (2, "B", -500), (3, "C", -1000), (4, "D", -1500), (None, "Z", 0)]
    assert [player for _, player, _ in order(data, "f")] == ["A", "B", "C"]
    assert {rank for rank, *_ in order(data, "f")} == {None}
    last = standings(event_from(data)).to_dict()["stages"][0]["standings"][-1]
    assert (last["rank"], last["qualified"], last["average_place"]) == (None, False, None)


def test_an_event_may_rank_players_without_a_game() -> None:
    data = with_absentee(ranks_unplayed=True)
    assert order(data)[:3] == [(1, "A", 3000), (2, "Z", 0), (3, "B", -500)]
    assert [player for _, player, _ in order(data, "f")] == ["A", "Z", "B"]
    data["stages"][0]["min_games"] = 1
    assert [player for _, player, _ in order(data, "f")] == ["A", "B", "C"]


def test_a_team_without_a_game_has_no_rank() -> None:
    data = with_absentee()
    del data["stages"][1]
    teams = standings(event_from(data)).teams
    assert [(team.rank, team.team) for team in teams] == [(1, "x"), (None, "z")]
    games = [{"id": "g", "stage": "s", "players": [*"ZABC"], "scores": [5000, 25000, 35000, 35000]}]
    teams = standings(event_from({**data, "games": games})).teams
    assert [(team.rank, team.team, team.points) for team in teams] == [(1, "x", 20000), (2, "z", -20000)]


def test_finalists_rank_by_carried_points_before_their_first_game() -> None:
    stages = [{"id": "s"}, {"id": "f", "from": "s", "cut": 3, "carry": 0.5}]
    assert order(event(LOSERS, stages=stages), "f") == [(1, "A", 1500), (2, "B", -250), (3, "C", -500)]


def final_with_a_replacement(carry: float) -> dict[str, Any]:
    """Return a league and its final of four, in which E replaces D after D has played a game."""
    stages = [
        {"id": "s"},
        {"id": "f", "from": "s", "cut": 4, "carry": carry},
        {"id": "last", "from": "f", "cut": 2},
    ]
    league = [("ABCE", [40, 10, 0, -50]), ("ABDE", [10, 10, 10, -30])]
    final = [("ABCD", [0, 10, -20, 10]), ("ABCE", [-30, -10, 0, 40])]
    data = event([*league, *final], stages=stages)
    for game in data["games"][2:]:
        game["stage"] = "f"
    return data


@pytest.mark.parametrize(
    ("carry", "wanted"),
    [
        (0, [(1, "E", 4000), (2, "D", 1000), (3, "B", 0), (4, "C", -2000), (5, "A", -3000)]),
        (0.5, [(1, "D", 1500), (2, "B", 1000), (3, "E", 0), (4, "A", -500), (5, "C", -2000)]),
    ],
)
def test_everyone_who_played_in_a_stage_is_ranked_in_it(carry: float, wanted: list[Any]) -> None:
    data = final_with_a_replacement(carry)
    assert order(data, "f") == wanted
    assert [player for _, player, _ in order(data, "last")][:2] == [wanted[0][1], wanted[1][1]]


def test_a_replacement_from_outside_the_previous_stage_carries_nothing() -> None:
    data = final_with_a_replacement(0.5)
    data["players"].append({"id": "R", "name": "R"})
    data["games"][3]["players"][3] = "R"
    data["stages"].insert(1, {"id": "half", "from": "s", "cut": 6})
    data["stages"][2]["from"] = "half"
    assert ("R", 4000) in [(player, points) for _, player, points in order(data, "f")]


def test_ranks_are_shared() -> None:
    data = event([("ABCD", [10, 10, 10, -30]), ("EFGH", [10, 10, -10, -10])])
    assert [rank for rank, *_ in order(data)] == [1, 1, 1, 1, 1, 6, 6, 8]


# A and B have 20 points each, and A has met B twice
TIED = [("ABCD", [40, -10, 0, -30]), ("ABEF", [-20, 30, -5, -5])]


@pytest.mark.parametrize(
    ("games", "tie_breaks", "first"),
    [
        (TIED, [], "AB"),
        (TIED, ["average_place"], "B"),
        ([("ABCD", [20, 0, -10, -10]), ("BCDE", [20, 5, -15, -10])], ["average_place"], "A"),
        (
            [("ACDE", [20, 0, -10, -10]), ("BCDE", [30, 5, -25, -10]), ("BCDE", [-10, 5, 5, 0])],
            ["firsts"],
            "AB",
        ),
        (TIED, ["best_game"], "A"),
        (
            [("ACDE", [20, 0, -10, -10]), ("BCDE", [30, 5, -25, -10]), ("BCDE", [-10, 5, 5, 0])],
            ["games"],
            "B",
        ),
        (TIED, ["head_to_head"], "AB"),
        ([("ABCD", [30, 10, -20, -20]), ("BEFG", [20, 0, -10, -10])], ["head_to_head"], "A"),
        ([("ABCD", [30, 10, -20, -20]), ("BEFG", [20, 0, -10, -10])], ["games", "head_to_head"], "B"),
        ([("ACDE", [30, 0, -10, -20]), ("BFGH", [30, 0, -10, -20])], ["head_to_head"], "AB"),
    ],
)
def test_tie_breaks(games: Any, tie_breaks: list[str], first: str) -> None:
    ranks = order(event(games, tie_breaks=tie_breaks))
    assert "".join(player for rank, player, _ in ranks if rank == 1) == first


def test_head_to_head_counts_only_players_still_tied() -> None:
    """C has lost to both A and B, and has beaten nobody who is still tied."""
    games = [("ACDE", [20, 0, -10, -10]), ("BCDE", [20, 0, -10, -10]), ("CDEF", [20, 0, -10, -10])]
    data = event([*games, ("ABDE", [1, -1, 0, 0]), ("ABDF", [-1, 1, 0, 0])], tie_breaks=["head_to_head"])
    assert [(rank, player) for rank, player, points in order(data) if points == 2000] == [
        (1, "A"), (1, "B"), (3, "C"),
    ]  # fmt: skip


def test_a_cut_admits_qualified_players_and_ties_for_last() -> None:
    stages = [
        {"id": "s", "kind": "open", "min_games": 1},
        {"id": "f", "kind": "rounds", "from": "s", "cut": 2, "carry": 0.5},
    ]
    data = event([("ABCD", [15, 10, 10, -35])], stages=stages)
    data["players"].append({"id": "E", "name": "E"})
    assert order(data, "f") == [(1, "A", 750), (2, "B", 500), (2, "C", 500)]
    stages[1]["cut"] = 20
    assert [player for _, player, _ in order(data, "f")] == ["A", "B", "C", "D"]


def test_carried_points_include_penalties_and_are_rounded() -> None:
    stages = [{"id": "s"}, {"id": "f", "from": "s", "cut": 4, "carry": 0.1}]
    penalties = [{"stage": "s", "player": "A", "points": -1005}, {"stage": "f", "player": "B", "points": -7}]
    data = event([("ABCD", [20, 0, 0, -20])], stages=stages, penalties=penalties)
    rows = {standing.player: standing for standing in standings(event_from(data)).stages["f"]}
    assert (rows["A"].carried, rows["A"].points) == (100, 100)  # 99.5
    assert (rows["B"].penalty, rows["B"].points) == (-7, -7)
    assert rows["D"].carried == -200


def test_shared_places_count_as_fractions() -> None:
    data = event([("ABCD", [10, 10, 0, -20]), ("ABCD", [10, 10, 10, -30])], rules=SHARED)
    ranking = standings(event_from(data)).to_dict()["stages"][0]["standings"]
    by_name = {row["player"]: list(row["places"]) for row in ranking}
    third = pytest.approx(1 / 3)
    assert by_name["A"] == [pytest.approx(5 / 6), pytest.approx(5 / 6), third, 0]
    assert by_name["D"] == [0, 0, 0, 2]


def test_teams_are_summed_over_the_last_stage() -> None:
    players = [{"id": name, "name": name, "team": "xy"["AC".find(name) < 0]} for name in "ABCD"]
    players.append({"id": "E", "name": "E"})
    table = standings(event_from(event([("ABCD", [30, -10, 0, -20])], players=players)))
    assert [(team.rank, team.team, team.points) for team in table.teams] == [(1, "x", 3000), (2, "y", -3000)]
    alone = standings(event_from(event([("ABCD", [30, -10, 0, -20])])))
    assert (alone.teams, "teams" in alone.to_dict()) == ((), False)


def test_a_replaced_finalist_brings_the_team_no_points() -> None:
    players = [{"id": name, "name": name, "team": "xxxyz"["ABCDE".find(name)]} for name in "ABCDE"]
    stages = [{"id": "s"}, {"id": "f", "from": "s", "cut": 4, "carry": 1, "unranked": ["A"]}]
    data = event([("ABCD", [30, 10, -10, -30])], players=players, stages=stages)
    last = {"id": "last", "stage": "f", "players": [*"EBCD"], "scores": [29000, 25000, 24000, 22000]}
    data["games"].append({**data["games"][0], **last})
    sums = {team.team: team.points for team in standings(event_from(data)).teams}
    rows = {row.player: row for row in standings(event_from(data)).stages["f"]}
    assert (rows["A"].rank, rows["A"].points) == (None, rows["A"].carried)
    assert sums["x"] == rows["B"].points + rows["C"].points


def test_games_by_hands_and_by_scores_count_alike() -> None:
    hands = [{"end": "ron", "from": 3, "wins": [{"seat": 1, "yakuman": 1}]}]
    data = event([("ABCD", [0, 320, 0, -320])], rules="standard")
    by_scores = order(data)
    game = data["games"][0]
    del game["scores"]
    game["hands"] = hands
    assert order(data) == by_scores
    game["penalties"] = [{"seat": 0, "points": -500}]
    fined = {player: points for _, player, points in order(data)}
    assert fined == {player: points - 500 * (player == "A") for _, player, points in by_scores}
    game["hands"] = [{"end": "draw"}]
    assert [(standing.games, standing.rank) for standing in standings(event_from(data)).stages["s"]] == [
        (0, None)
    ] * 4


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    data = event([("ABCD", [10, 0, 0, -10])])
    at: Any = data
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "code", "field"),
    [
        (["jantaku_event"], 2, "event_version", "jantaku_event"),
        (["jantaku_event"], "1", "wrong_type", "jantaku_event"),
        (["stages"], [], "missing_field", "stages"),
        (["stages", 0, "counts"], {"best": 0}, "number_range", "stages[0].counts.best"),
        (["stages", 0, "counts"], "some", "wrong_choice", "stages[0].counts"),
        (["stages", 0, "from"], "s", "unknown_id", "stages[0].from"),
        (["stages", 0, "cut"], 3, "cut_of_nothing", "stages[0].from"),
        (
            ["stages"],
            [{"id": "s"}, CARRIES_NAN],
            "number_range",
            "stages[1].carry",
        ),
        (["games", 0, "players"], ["A", "B", "C"], "wrong_count", "games[0].players"),
        (["games", 0, "players"], ["A", "B", "C", "C"], "id_twice", "games[0].players[3]"),
        (["games", 0, "players", 1], "X", "unknown_id", "games[0].players[1]"),
        (["games", 0, "scores", 1], 1.5, "wrong_type", "games[0].scores[1]"),
        (["games", 0, "scores", 1], 75000, "points_sum_at", "games[0].scores"),
        (["games", 0, "scores", 1], 24500, "points_sum_at", "games[0].scores"),
        (["games", 0, "stage"], "t", "unknown_id", "games[0].stage"),
        (["games", 0, "at"], "yesterday", "no_time", "games[0].at"),
        (["games", 0, "hands"], [], "hands_or_scores", "games[0]"),
        (["games", 0, "xyzzy"], "A", "unknown_field", "games[0].xyzzy"),
        (["players", 1, "id"], "A", "id_twice", "players[1].id"),
        (["players", 1, "id"], " ", "missing_field", "players[1].id"),
        (["penalties"], [{"stage": "s", "player": "Q", "points": 1}], "unknown_id", "penalties[0].player"),
        (["tie_breaks"], ["average_plaice"], "wrong_choice_nearest", "tie_breaks[0]"),
    ],
)
def test_invalid_events_are_refused(path: list[Any], value: Any, code: str, field: str) -> None:
    with pytest.raises(RequestError) as error:
        event_from(changed(path, value))
    assert (error.value.code, error.value.details["field"]) == (code, field)


def test_an_impossible_hand_is_reported_with_its_game() -> None:
    data = changed(["games", 0, "hands"], [{"end": "draw"}, {"end": "rom"}])
    del data["games"][0]["scores"]
    with pytest.raises(RequestError) as error:
        event_from(data)
    assert error.value.details["field"] == "games[0].hands[1].end"


@pytest.mark.parametrize("name", ["봄", {"ko": "봄"}, {"ko": "봄", "en": "Spring"}])
def test_a_file_may_name_its_event_in_several_languages(name: object) -> None:
    data = {"jantaku_event": 1, "name": name, "stages": [{"id": "s", "kind": "open", "name": name}]}
    assert event_from(data).name == "봄"
    assert EventTables(event_from(data)).stage("s", "en") == "봄"


@pytest.mark.parametrize("name", [{}, {"ko": 5}, ["봄"], 5])
def test_a_name_that_is_not_text_is_refused(name: object) -> None:
    with pytest.raises(RequestError) as refused:
        event_from({"jantaku_event": 1, "name": name, "stages": [{"id": "s", "kind": "open"}]})
    assert refused.value.field == "name"

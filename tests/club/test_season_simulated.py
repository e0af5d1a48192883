"""A whole simulated BGM season, in which a plain script computes every total again from the raw hands."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from jantaku.club import event_from, season_standings, settle, standings, template
from jantaku.club.recorded_hands import HandVersion, live_hands
from jantaku.rules import load
from naive.club import game_of, half_away, stage_of
from support.club_games import random_game, random_hand

RULES = load("bgm-2025")
START = datetime(2025, 6, 1, 9, tzinfo=UTC)
DAYS = 14
CUT = 20
FOULS = ("false_win_shown", "collapsing_wall", "moving_seat")


def recorded(rng: Random) -> tuple[list[dict[str, Any]], int]:
    """Return the hands of a game after corrections during recording, and the number of corrections."""
    wanted = random_game(rng, RULES)
    entered: list[tuple[str, int, dict[str, Any] | None]] = []
    for i, hand in enumerate(wanted):
        wrong = random_hand(rng, RULES) if rng.random() < 0.1 else None
        entered.append(("add", i, wrong or hand))
        if wrong is not None:
            entered.append(("replace", i, hand))
        if rng.random() < 0.03:
            entered += [("add", i + 1, random_hand(rng, RULES)), ("remove", i + 1, None)]
    missed = rng.randrange(len(wanted))
    entered += [("remove", missed, None)]
    entered += (
        [("insert", missed, wanted[missed])]
        if missed < len(wanted) - 1
        else [("add", missed, wanted[missed])]
    )
    versions = [
        HandVersion(f"h{i}", f"h{i - 1}" if i else "", i + 1, action, hand_index, hand, None, None, i, "")
        for i, (action, hand_index, hand) in enumerate(entered)
    ]
    hands = [dict(hand.hand) for hand in live_hands(versions)]
    assert hands == wanted
    return hands, len(entered) - len(wanted)


def games(rng: Random, stage: str, tables: list[list[str]]) -> list[dict[str, Any]]:
    """Return a recorded game for each table, at a random time within two weeks; some games have a penalty."""
    games = []
    for i, players in enumerate(tables):
        at = START + timedelta(minutes=rng.randrange(DAYS * 24 * 60))
        hands, _ = recorded(rng)
        game: dict[str, Any] = {"id": f"{stage}-{i}", "stage": stage, "at": at.isoformat()}
        game |= {"players": players, "hands": hands}
        if rng.random() < 0.1:
            game["penalties"] = [{"seat": rng.randrange(4), "points": -5000, "why": "late"}]
        games.append(game)
    return games


def league(rng: Random, players: list[str], count: int) -> dict[str, Any]:
    """Return an open league of two weeks with random tables."""
    stage = {"id": "league", "kind": "open", "counts": "all", "min_games": 3, "max_games": 12}
    return {
        **template("bgm-2025"),
        "players": [{"id": player} for player in players],
        "stages": [stage],
        "games": games(rng, "league", [rng.sample(players, 4) for _ in range(count)]),
        "penalties": [
            {"stage": "league", "player": player, "points": -20000, "why": "absent"}
            for player in rng.sample(players, 3)
        ],
    }


def final(rng: Random, players: list[str]) -> dict[str, Any]:
    """Return two rounds for all finalists and a title stage of the best four with half of their points."""
    seated = [rng.sample(players, len(players)) for _ in range(2)]
    tables = [round_[i : i + 4] for round_ in seated for i in range(0, len(round_) - 3, 4)]
    data: dict[str, Any] = {
        **template("bgm-2025"),
        "players": [{"id": player} for player in players],
        "stages": [
            {"id": "top", "kind": "rounds", "counts": "all"},
            {"id": "title", "kind": "rounds", "counts": "all", "from": "top", "cut": 4, "carry": 0.5},
        ],
        "games": games(rng, "top", tables),
        "penalties": [],
    }
    best = [
        standing.player for standing in standings(event_from(data)).stages["top"] if (standing.rank or 9) <= 4
    ]
    data["games"] += games(rng, "title", [rng.sample(best[:4], 4) for _ in range(3)])
    return data


def check_stage(data: dict[str, Any], stage: str, carried: dict[str, int]) -> dict[str, int]:
    """Compare a stage with the plain script; return the points of all players."""
    rows = standings(event_from(data)).stages[stage]
    number = [row["id"] for row in data["stages"]].index(stage)
    wanted = stage_of(data, data["stages"][number], carried)
    assert {row.player: (row.qualified, row.points) for row in rows} == wanted
    assert sorted(rows, key=lambda row: (not row.qualified, -row.points)) == list(rows)
    return {player: points for player, (_, points) in wanted.items()}


def check_season(players: int, count: int, seed: int) -> None:
    rng = Random(seed)
    names = [f"p{i:02}" for i in range(players)]
    halves = {part: league(rng, names, count) for part in ("first_half", "second_half")}
    trial = league(rng, names, 4)
    season = template("bgm-2025-season")
    files = {"trial": trial, **halves}
    season["parts"] = [
        {"id": part["id"], "ranked": part["ranked"], "event": files[part["id"]]}
        for part in season["parts"]
        if part["id"] in files
    ]
    assert any(
        hand["end"] == "foul" for data in files.values() for game in data["games"] for hand in game["hands"]
    )
    series = season_standings(season)
    year = dict.fromkeys(names, 0)
    for data in halves.values():
        for player, gained in check_stage(data, "league", dict.fromkeys(names, 0)).items():
            year[player] += gained
    assert {row.player: row.points for row in series.ranking} == year
    last = sorted(year.values(), reverse=True)[min(CUT, players) - 1]
    assert set(series.finalists) == {player for player, total in year.items() if total >= last}
    title = final(rng, list(series.finalists))
    top = check_stage(title, "top", dict.fromkeys(series.finalists, 0))
    best = {row.player for row in standings(event_from(title)).stages["top"] if (row.rank or 9) <= 4}
    carried = {player: half_away(Fraction(total, 2)) for player, total in top.items() if player in best}
    points = check_stage(title, "title", carried)
    champion = standings(event_from(title)).stages["title"][0]
    assert champion.points == max(points.values())


def test_a_small_season() -> None:
    check_season(players=24, count=20, seed=3)


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 2])
def test_a_whole_season_of_forty_players(seed: int) -> None:
    check_season(players=40, count=130, seed=seed)


def test_the_plain_script_settles_games_alike() -> None:
    rng = Random(7)
    for _ in range(40):
        hands = random_game(rng, RULES)
        for hand in hands:
            if hand["end"] == "foul":
                hand["fouls"][0]["foul"] = rng.choice(FOULS)
        game = settle(hands, RULES)
        assert (list(game.final or ()), list(game.places or ())) == game_of(hands)

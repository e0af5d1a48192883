"""The ranking over a year with shares and a minimum number of games, compared with a plain script."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from jantaku.club import event_from, season_standings, standings
from jantaku.errors import RequestError
from naive.club import whole, year_of

FLAT = {"extends": "standard", "match": {"uma": [0, 0, 0, 0], "oka": "none", "return_points": 25000}}
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def event(rng: Random, names: list[str], count: int) -> dict[str, Any]:
    """Return an event with random points, often equal; each game is at noon on one of ten days."""
    games = []
    for i in range(count):
        ends = [rng.randrange(-30, 31) * 1000 for _ in range(3)]
        scores = [25000 + points for points in (*ends, -sum(ends))]
        at = START + timedelta(days=rng.randrange(10))
        games.append(
            {
                "id": f"g{i}",
                "stage": "s",
                "at": at.isoformat(),
                "players": rng.sample(names, 4),
                "scores": scores,
            }
        )
    players = [{"id": name} for name in names]
    return {"jantaku_event": 1, "rules": FLAT, "players": players, "stages": [{"id": "s"}], "games": games}


def plain_part(data: dict[str, Any], share: float) -> dict[str, Any]:
    rows = standings(event_from(data)).stages["s"]
    sat = Counter(player for game in data["games"] for player in game["players"])
    return {"points": {row.player: row.points for row in rows}, "sat": sat, "share": share}


@pytest.mark.parametrize("seed", range(12))
def test_a_year_matches_the_plain_script(seed: int) -> None:
    rng = Random(seed)
    names = [f"p{i}" for i in range(9)]
    minimum = rng.choice([0, 2, 5])
    events = [event(rng, names, rng.randrange(1, 9)) for _ in range(3)]
    shares = [rng.choice([1, 0.5, 0.25, 0.1]) for _ in events]
    parts = [{"id": str(i), "event": event, "share": shares[i]} for i, event in enumerate(events)]
    brings = rng.choice([0, 0.5, 0.3, 1])
    final = event(rng, names, 2) | {"games": []}
    parts.append({"id": "final", "event": final, "ranked": False, "brings": brings})
    season = season_standings({"jantaku_season": 1, "cut": 4, "min_games": minimum, "parts": parts})
    wanted = year_of([plain_part(*part) for part in zip(events, shares, strict=True)], minimum)
    assert {standing.player: (standing.qualified, standing.points) for standing in season.ranking} == wanted
    ordered = [(not standing.qualified, -standing.points) for standing in season.ranking]
    assert ordered == sorted(ordered)
    assert [standing.rank for standing in season.ranking] == [
        1 + sum(other < score for other in ordered) for score in ordered
    ]
    qualified = sorted((points for good, points in wanted.values() if good), reverse=True)
    last = qualified[:4][-1] if qualified else 0
    best = {player for player, (good, points) in wanted.items() if good and points >= last}
    assert set(season.finalists) == best
    carried = {row.player: row.carried for row in season.events["final"].stages["s"]}
    for player in names:
        given = wanted[player][1] if player in best else 0
        assert carried[player] == whole(given * Fraction(str(brings)))


def test_a_player_with_brought_points_is_ranked_before_the_first_game() -> None:
    data = event(Random(0), ["a", "b", "c", "d"], 0)
    data["players"][2]["brought"] = 4000
    rows = standings(event_from(data)).stages["s"]
    assert (rows[0].player, rows[0].rank, rows[0].carried, rows[0].points) == ("c", 1, 4000, 4000)
    assert [row.rank for row in rows[1:]] == [None] * 3


@pytest.mark.parametrize("share", [-0.1, 1.1, True, "1"])
def test_a_share_outside_0_to_1_is_refused(share: object) -> None:
    parts = [{"id": "a", "event": event(Random(0), ["a", "b", "c", "d"], 1), "share": share}]
    with pytest.raises(RequestError) as error:
        season_standings({"jantaku_season": 1, "parts": parts})
    assert error.value.details["field"] == "parts[0].share"

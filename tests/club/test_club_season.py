"""Seasons: the ranking over the year, its cut, and the bundled templates."""

from typing import Any

import pytest

from jantaku.club import event_from, season_standings, standings, template, template_names
from jantaku.errors import RequestError

FLAT = {"extends": "standard", "match": {"uma": [0, 0, 0, 0], "oka": "none", "return_points": 25000}}


def part(name: str, points: dict[str, int], **changes: Any) -> dict[str, Any]:
    """Return a part of a season: an event with one game and these points above 25,000."""
    game = {"id": "g", "stage": "s", "players": list(points), "scores": [25000 + p for p in points.values()]}
    data = {
        "jantaku_event": 1, "rules": FLAT, "players": [{"id": player} for player in points],
        "stages": [{"id": "s"}], "games": [game],
    }  # fmt: skip
    return {"id": name, "event": data, **changes}


SEASON: dict[str, Any] = {
    "jantaku_season": 1,
    "cut": 2,
    "parts": [
        part("trial", {"A": 9000, "B": -3000, "C": -3000, "D": -3000}, ranked=False),
        part("spring", {"A": 1000, "B": 5000, "C": -2000, "D": -4000}),
        part("autumn", {"E": 3000, "A": 2000, "C": 5000, "D": -10000}),
    ],
}


def test_the_ranking_of_the_year() -> None:
    season = season_standings(SEASON)
    shown = [(row.rank, row.player, row.points, row.events) for row in season.ranking]
    assert shown == [
        (1, "B", 5000, 1), (2, "A", 3000, 2), (2, "C", 3000, 2), (2, "E", 3000, 1), (5, "D", -14000, 2),
    ]  # fmt: skip
    assert season.finalists == ("B", "A", "C", "E")
    assert season.events["trial"].stages["s"][0].player == "A"


def test_absent_players_are_not_ranked_in_the_year() -> None:
    """A player without games never qualifies for the final; others are charged penalties for absence."""
    spring = part("spring", {"A": 9000, "B": 1000, "C": -2000, "D": -8000})
    spring["event"]["players"] += [{"id": "absent"}, {"id": "late"}]
    spring["event"]["penalties"] = [{"stage": "s", "player": "late", "points": -5000, "why": "absent"}]
    autumn = part("autumn", {"late": 3000, "A": 1000, "B": -1000, "C": -3000})
    season = season_standings(SEASON | {"cut": 4, "parts": [spring, autumn]})
    assert [(standing.player, standing.points) for standing in season.ranking] == [
        ("A", 10000), ("B", 0), ("late", -2000), ("C", -5000), ("D", -8000),
    ]  # fmt: skip
    assert season.finalists == ("A", "B", "late", "C")


@pytest.mark.parametrize("name", template_names())
def test_templates_are_ready(name: str) -> None:
    data = template(name)
    if "jantaku_season" in data:
        assert season_standings(data).ranking == ()
    else:
        assert all(not rows for rows in standings(event_from(data)).stages.values())


def test_the_bgm_templates_match_the_published_plan() -> None:
    """Items 417 to 420 of the rules inventory: two weeks of individual play, then a final of the top 20."""
    event, season = template("bgm-2025"), template("bgm-2025-season")
    stage = event["stages"][0]
    assert (event["rules"], stage["opens"][:10], stage["closes"][:10]) == (
        "bgm-2025",
        "2025-06-01",
        "2025-06-15",
    )
    assert season["cut"] == 20
    assert [part["id"] for part in season["parts"] if part["ranked"]] == ["first_half", "second_half"]


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"jantaku_season": 2}, "event_version", "jantaku_season"),
        ({"cut": 0}, "number_range", "cut"),
        ({"parts": [{"id": "x"}]}, "event_or_template", "parts[0]"),
        ({"parts": [{"id": "x", "template": "bgm-2052"}]}, "wrong_choice_nearest", "parts[0].event.template"),
        ({"parts": [part("x", {"A": 0})]}, "wrong_count", "parts[0].event.games[0].players"),
        ({"parts": [SEASON["parts"][0]] * 2}, "id_twice", "parts[1].id"),
    ],
)
def test_invalid_seasons_are_refused(changes: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(RequestError) as error:
        season_standings(SEASON | changes)
    assert (error.value.code, error.value.details["field"]) == (code, field)

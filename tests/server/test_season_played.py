"""A whole season on a server: every hand entered, and every total compared with a plain script's."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from jantaku.rules import load
from naive.club import half_away, stage_of
from server.clubs import member
from server.parlour import Message, Person
from support.club_games import random_game

RULES = load("bgm-2025")
START = datetime(2025, 6, 1, tzinfo=UTC)
MINUTES = 14 * 24 * 60
CUT = 20
LEAGUE: list[dict[str, Any]] = [
    {"id": "league", "kind": "open", "counts": "all", "min_games": 2, "max_games": 9}
]
FINAL: list[dict[str, Any]] = [
    {"id": "top", "kind": "rounds", "counts": "all"},
    {"id": "title", "kind": "rounds", "counts": "all", "from": "top", "cut": 4, "carry": 0.5},
]
WRONG: Message = {"end": "draw", "tenpai": [], "riichi": []}


class Played:
    """An event of a season, and what the plain script knows of it: the raw hands and the penalties."""

    def __init__(self, organiser: Person, event: str, stages: list[dict[str, Any]], rng: Random) -> None:
        self.organiser, self.path, self.rng = organiser, f"/api/events/{event}", rng
        self.stages = stages
        self.data: dict[str, Any] = {"games": [], "penalties": []}
        answer = organiser.http.patch(self.path, json={"rules": "bgm-2025", "stages": stages})
        assert answer.status_code == 200, answer.text

    def play(self, stage: str, players: Sequence[str]) -> None:
        """Enter a game hand by hand, one in ten wrongly at first, and confirm it; some have a penalty."""
        rng, number = self.rng, len(self.data["games"])
        game: dict[str, Any] = {
            "id": f"{stage}-game-{number}",
            "stage": stage,
            "players": list(players),
            "at": (START + timedelta(minutes=rng.randrange(MINUTES), seconds=number % 60)).isoformat(),
        }
        self.organiser.post(f"{self.path}/games", **game)
        path, head, hands = f"{self.path}/games/{game['id']}", "", random_game(rng, RULES)
        for index, hand in enumerate(hands):
            steps: list[Message] = [{"hand": hand}]
            if rng.random() < 0.1:
                correction = {"hand": hand, "action": "replace", "place": index, "why": "read wrongly"}
                steps = [{"hand": WRONG}, correction]
            for step in steps:
                entry = f"{game['id']}-{index}-{step.get('action', 'add')}"
                self.organiser.post(f"{path}/hands", id=entry, follows=head, **step)
                head = entry
        self.organiser.post(f"{path}/confirm", head=head, everybody=True)
        if rng.random() < 0.1:
            seat = rng.randrange(4)
            self.penalise(stage, players[seat], -5000, game=game["id"])
            game["penalties"] = [{"seat": seat, "points": -5000}]
        self.data["games"].append(game | {"hands": hands})

    def penalise(self, stage: str, player: str, points: int, **more: Any) -> None:
        """Give a penalty, in a game or in the stage."""
        body = {"stage": stage, "entry": player, "points": points, "why": "late"} | more
        self.organiser.post(f"{self.path}/penalties", **body)
        if not more:
            self.data["penalties"].append({"stage": stage, "player": player, "points": points})

    def check(self, number: int, carried: dict[str, int]) -> dict[str, int]:
        """Compare the standings of a stage with the plain script; returns everybody's points."""
        rows = self.organiser.get(f"{self.path}/standings")["stages"][number]["standings"]
        wanted = stage_of(self.data, self.stages[number], carried)
        assert {row["player"]: (row["qualified"], row["points"]) for row in rows} == wanted
        return {player: points for player, (_, points) in wanted.items()}


def half(organiser: Person, event: str, names: Sequence[str], count: int, rng: Random) -> Played:
    """Two weeks of open league; the last of the names never plays."""
    played = Played(organiser, event, LEAGUE, rng)
    organiser.post(f"{played.path}/entries/list", entries=[{"name": name, "id": name} for name in names])
    for _ in range(count):
        played.play("league", rng.sample(names[:-1], 4))
    for late in rng.sample(names[:-1], 3):
        played.penalise("league", late, -20000)
    return played


def play_the_final(organiser: Person, event: str, names: Sequence[str], rng: Random) -> str:
    """Rounds of all finalists, then the four best with half of their points; returns the champion's name."""
    final = Played(organiser, event, FINAL, rng)
    listed = organiser.get(f"{final.path}/entries")["entries"]
    entries: dict[str, str] = {entry["name"]: entry["id"] for entry in listed}
    assert set(entries) == set(names)
    for _ in range(3):
        seated = rng.sample(list(entries.values()), len(entries))
        for i in range(0, len(seated) - 3, 4):
            final.play("top", seated[i : i + 4])
    top = final.check(0, dict.fromkeys(entries.values(), 0))
    fourth = sorted(top.values(), reverse=True)[3]
    carried = {player: half_away(Fraction(points, 2)) for player, points in top.items() if points >= fourth}
    for _ in range(3):
        final.play("title", rng.sample(list(carried), 4))
    title = final.check(1, carried)
    first = str(organiser.get(f"{final.path}/standings")["stages"][1]["standings"][0]["player"])
    assert title[first] == max(title.values())
    return next(name for name, entry in entries.items() if entry == first)


@pytest.mark.long
@pytest.mark.parametrize(("players", "games", "seed"), [(40, 60, 3)])
def test_a_season_from_its_first_hand_to_its_champion(url: str, players: int, games: int, seed: int) -> None:
    rng, organiser = Random(seed), member(url, "organiser")
    names = [f"p{i:02}" for i in range(players + 1)]
    season = organiser.post("/api/seasons", template="bgm-2025-season")
    events = {part["id"]: part["event"] for part in season["parts"]}
    halves = [half(organiser, events[part], names, games, rng) for part in ("first_half", "second_half")]
    half(organiser, events["trial"], names, 2, rng)
    assert any(
        hand["end"] == "foul" for part in halves for game in part.data["games"] for hand in game["hands"]
    )
    year = dict.fromkeys(names, 0)
    for one in halves:
        for player, points in one.check(0, dict.fromkeys(names, 0)).items():
            year[player] += points
    assert year.pop(names[-1]) == 0, "who never plays has no place in the year"
    ranking = organiser.get(f"/api/seasons/{season['id']}/ranking")["ranking"]
    assert {row["name"]: row["points"] for row in ranking} == year
    assert all(sum(entry["points"] for entry in row["entries"]) == row["points"] for row in ranking)
    last = sorted(year.values(), reverse=True)[CUT - 1]
    finalists = {name for name, points in year.items() if points >= last}
    assert {row["name"] for row in ranking if row["finalist"]} == finalists
    entered = organiser.post(f"/api/seasons/{season['id']}/finalists", part="final")["entered"]
    assert set(entered) == finalists
    champion = play_the_final(organiser, events["final"], sorted(finalists), rng)
    assert champion in finalists
    again = organiser.get(f"/api/seasons/{season['id']}/ranking")["ranking"]
    assert again == ranking, "the final does not count for the year"

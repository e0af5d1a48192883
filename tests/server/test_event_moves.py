"""An event moves to another server by its file: what was shown there is shown here."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from server.clubs import RON, Tournament, member, played, refused
from server.parlour import open_server, quick


@pytest.fixture(scope="module")
def other_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another server."""
    with open_server(quick(tmp_path_factory.mktemp("elsewhere"))) as url:
        yield url


SHOWN = ("rounds", "standings", "entries", "penalties", "games", "calls")


def _everything(cup: Tournament, path: str) -> dict[str, Any]:
    """What an organiser sees, without ids of people and moments."""
    return {name: _plain(cup.organiser.get(f"{path}/{name}")) for name in SHOWN}


GONE = (
    *(
        "revision",
        "person",
        "at",
        "card",
        "created",
        "by",
        "started",
        "timer",
        "you",
        "mine",
        "claims",
        "checked_in",
    ),
    *(
        "head",
        "version",
        "log",
        "organiser",
        "quality",
        "now",
        "guest",
        "claimed",
        "account",
        "confirmed",
        "marks",
    ),
)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(held) for name, held in value.items() if name not in GONE}
    return [_plain(held) for held in value] if isinstance(value, list) else value


def _busy(cup: Tournament) -> None:
    """An event in its second of three rounds, in which everything happens that can be moved."""
    organiser, path, names = cup.organiser, cup.path, cup.names
    stranger = {"id": "late", "name": "Too late", "team": "Others"}
    organiser.post(
        f"{path}/entries/list", entries=[stranger, {"id": "sub", "name": "House", "team": "Others"}]
    )
    organiser.post(f"{path}/entries/late/withdraw")
    settings = {"minutes": 75, "bye_points": 3000, "substitutes": ["sub"], "substitute_points": -10000}
    assert organiser.http.put(f"{cup.rounds}/settings", json=settings).status_code == 200
    cup.make(rounds=3, seed=7)
    cup.post("publish", numbers=[1, 2])
    played(cup, 1)
    cup.post("absences", entry=names[5], first=3)
    cup.post("2/start")
    tables = organiser.get(cup.rounds)["rounds"][1]["tables"]
    game = f"{path}/games/{tables[0]['game']}"
    cup.recorder.post(f"{game}/hands", id="first-hand", follows="", hand=RON)
    for why in ("late", "by mistake"):
        organiser.post(f"{path}/penalties", stage="main", entry=names[0], points=-5000, why=why)
    number = next(
        row["number"] for row in organiser.get(f"{path}/penalties")["penalties"] if row["why"] == "by mistake"
    )
    organiser.post(f"{path}/penalties/{number}/cancel", why="mistaken")
    player = cup.players[0]
    player.post(f"{path}/calls", kind="call", label="7", why="chips are missing")
    cup.referee.post(
        f"{path}/calls/{organiser.get(f'{path}/calls')['calls'][0]['number']}/close", answer="brought"
    )


@pytest.mark.slow
def test_an_event_with_everything_moves_to_another_server(url: str, other_url: str) -> None:
    with closing(Tournament(url, 17)) as cup:
        _busy(cup)
        file = cup.organiser.get(f"{cup.path}/file")
        before = _everything(cup, cup.path)
    assert {row["state"] for row in before["rounds"]["stages"][0]["rounds"]} == {"done", "running", "drafted"}
    assert {entry["status"] for entry in before["entries"]["entries"]} == {"playing", "withdrawn"}
    assert len(before["penalties"]["penalties"]) == 2
    with closing(Tournament(other_url, 4)) as there:
        there.path = f"/api/events/{there.organiser.post('/api/events/import', file=file)['id']}"
        there.rounds = f"{there.path}/rounds/main"
        after = _everything(there, there.path)
        for name in SHOWN:
            assert after[name] == before[name], name
        again = there.organiser.get(f"{there.path}/file")
        assert _plain(again["server"]) == _plain(file["server"])
        for name in ("players", "games", "penalties", "stages"):
            assert _plain(again[name]) == _plain(file[name]), name
        hand = next(
            game
            for game in there.organiser.get(f"{there.path}/games")["games"]
            if game["status"] == "playing"
        )
        assert hand["players"]
        for table in there.organiser.get(there.rounds)["rounds"][1]["tables"]:  # and the event goes on
            points = f"{there.path}/games/{table['game']}/points"
            there.organiser.post(points, scores=[40000, 30000, 20000, 10000], why="paper")
        assert there.organiser.get(there.rounds)["rounds"][1]["state"] == "done"


WRONG: dict[str, dict[str, Any]] = {
    "no such stage": {"rounds": [{"stage": "x", "number": 1, "state": "done", "tables": []}]},
    "no such player": {
        "rounds": [{"stage": "one", "number": 1, "state": "done", "tables": [], "byes": ["x"]}]
    },
    "a round twice": {"rounds": [{"stage": "one", "number": 1, "state": "done", "tables": []}] * 2},
    "a player twice": {
        "rounds": [{"stage": "one", "number": 1, "state": "done", "tables": [], "byes": ["a", "a"]}]
    },
    "no such game": {"calls": [{"kind": "call", "game": "x", "at": 1}]},
    "a call that is a doubt": {"calls": [{"kind": "doubt", "at": 1}]},
    "a penalty of nobody": {"penalties": [{"stage": "one", "player": "x", "points": 1}]},
    "an absence twice": {"absences": [{"stage": "one", "player": "a", "first": 1}] * 2},
    "settings of no stage": {"settings": {"x": {}}},
    "a substitute of nobody": {"settings": {"one": {"substitutes": ["x"]}}},
    "an unknown field": {"people": ["someone"]},
    "an account": {"entries": [{"id": "a", "name": "A", "person": "0123456789abcdef"}]},
    "a state": {"entries": [{"id": "a", "name": "A", "status": "merged"}]},
    "a plan": {"plan": {"correction_min": -1}},
    "a game twice": {"games": [{"id": "g", "stage": "one", "players": list("abcd"), "hands": []}] * 2},
    "a list": [],  # type: ignore[dict-item]
    "text": "x",  # type: ignore[dict-item]
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_part_is_refused(name: str, url: str) -> None:
    file = {
        "jantaku_event": 1,
        "name": {"en": "Cup"},
        "players": [{"id": player, "name": player.upper()} for player in "abcd"],
        "stages": [{"id": "one", "kind": "rounds"}],
        "server": WRONG[name],
    }
    with closing(member(url, f"organiser {name}"[:16])) as organiser:
        status, _ = refused(organiser, "POST", "/api/events/import", file=file)
        assert status in (400, 422)

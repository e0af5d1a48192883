"""An event moves to another server by its file: what was shown there is shown here."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from server.clubs import RON, PaperClub, Tournament, member, played, refused
from server.parlour import open_server, quick


@pytest.fixture(scope="module")
def other_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another server."""
    with open_server(quick(tmp_path_factory.mktemp("elsewhere"))) as url:
        yield url


SHOWN = ("rounds", "standings", "entries", "penalties", "games", "calls", "names", "statistics")
EXPORTS = [
    f"export?format={kind}"
    for kind in (
        "json",
        "html",
        *(f"csv&table={table}" for table in ("standings", "games", "hands", "penalties")),
    )
]


def _everything(cup: Tournament, path: str, *gone: str) -> dict[str, Any]:
    """What an organiser sees, without ids of people and moments."""
    shown = {name: _plain(cup.organiser.get(f"{path}/{name}"), gone) for name in SHOWN}
    event = cup.organiser.get(path)
    shown |= {name: event[name] for name in ("status", "listed", "registration", "stages", "players")}
    for game in cup.organiser.get(f"{path}/games")["games"]:
        shown[f"game {game['id']}"] = _plain(cup.organiser.get(f"{path}/games/{game['id']}"), gone)
    for name in EXPORTS:
        text = cup.organiser.http.get(f"{path}/{name}").raise_for_status().text
        shown[name] = _plain(json.loads(text), gone) if "json" in name else text
    return shown


# what belongs to a server: ids of people, its clock, and counts of changes
GONE = (
    *("revision", "person", "at", "card", "created", "by", "started", "timer", "you", "mine"),
    *(
        "claims",
        "head",
        "version",
        "log",
        "organiser",
        "quality",
        "now",
        "guest",
        "replay",
        "since",
        "entered",
    ),
)
OF_ACCOUNTS = ("account", "claimed", "by_me", "one_account")  # and what only a server that knows them has


def _plain(value: Any, gone: tuple[str, ...] = ()) -> Any:
    if isinstance(value, dict):
        return {name: _plain(held, gone) for name, held in value.items() if name not in (*GONE, *gone)}
    return [_plain(held, gone) for held in value] if isinstance(value, list) else value


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
    _people(cup)
    game = f"{cup.path}/games/{tables[1]['game']}"
    organiser.post(f"{game}/status", status="cancelled", why="nobody came")


def _people(cup: Tournament) -> None:
    """Namesakes, nicknames, check-ins, somebody deleted and somebody who has withdrawn."""
    organiser, path = cup.organiser, cup.path
    people = [{"name": "Player 3", "id": "same"}, {"name": "Gone", "id": "gone"}, {"name": "Player 3"}]
    organiser.post(f"{path}/entries/list", entries=people)
    organiser.post(f"{path}/entries/same/withdraw")
    confirm = organiser.post(f"{path}/entries/gone/erase")["confirm"]
    organiser.post(f"{path}/entries/gone/erase", confirm=confirm)
    names = {"real_name": "Kim", "nicknames": [{"site": "tenhou", "name": "kimchi"}]}
    organiser.http.patch(f"{path}/entries/{cup.names[6]}/names", json=names).raise_for_status()
    for entry in cup.names[:3]:
        organiser.http.patch(f"{path}/entries/{entry}", json={"checked_in": True}).raise_for_status()


def _moved(cup: Tournament, file: dict[str, Any], **body: Any) -> dict[str, Any]:
    """Import a file; the cup then works on the new event."""
    answer = cup.organiser.post("/api/events/import", file=file, **body)
    cup.path = f"/api/events/{answer['id']}"
    cup.rounds = f"{cup.path}/rounds/main"
    return dict(answer)


@pytest.mark.slow
def test_an_event_with_everything_moves_to_another_server(url: str, other_url: str) -> None:
    cup = Tournament(url, 17)
    there = Tournament(other_url, 4)
    _busy(cup)
    file = cup.organiser.get(f"{cup.path}/file")
    before, own = _everything(cup, cup.path, *OF_ACCOUNTS), _everything(cup, cup.path)
    assert {row["state"] for row in before["rounds"]["stages"][0]["rounds"]} == {
        "done",
        "running",
        "drafted",
    }
    assert {entry["status"] for entry in before["entries"]["entries"]} == {"playing", "withdrawn"}
    assert len(before["penalties"]["penalties"]) == 2
    assert {game["status"] for game in before["games"]["games"]} == {"playing", "confirmed", "cancelled"}
    answer = _moved(there, file)
    after = _everything(there, there.path, *OF_ACCOUNTS)
    assert after.keys() == before.keys()
    for name, shown in before.items():
        assert after[name] == shown, name
    names = [cup.organiser.get(cup.path)["staff"][i]["name"] for i in range(3)]
    assert sorted(answer["strangers"]) == sorted(names)
    assert len(answer["unclaimed"]) == 4
    again = there.organiser.get(f"{there.path}/file")
    without = ("staff", "account")
    assert _plain(again["server"], without) == _plain(file["server"], without)
    for name in ("players", "games", "penalties", "stages"):
        assert _plain(again[name]) == _plain(file[name]), name
    [cancelled] = (one["id"] for one in after["games"]["games"] if one["status"] == "cancelled")
    there.organiser.post(f"{there.path}/games/{cancelled}/status", status="playing", why="they came")
    for table in there.organiser.get(there.rounds)["rounds"][1]["tables"]:  # and the event goes on
        points = f"{there.path}/games/{table['game']}/points"
        there.organiser.post(points, scores=[40000, 30000, 20000, 10000], why="paper")
    assert there.organiser.get(there.rounds)["rounds"][1]["state"] == "done"
    answer = _moved(cup, file)  # beside itself, where everybody is known
    assert (answer["unclaimed"], answer["strangers"]) == ([], [])
    after = _everything(cup, cup.path)
    for name, shown in own.items():
        assert after[name] == shown, name
    assert {one["role"] for one in answer["staff"]} == {"organiser", "referee", "recorder"}
    assert cup.players[0].get(cup.path)["entry"]["id"] == cup.entries[0]


@pytest.mark.parametrize("status", ["closed", "cancelled"])
def test_an_event_that_is_over_and_unlisted_stays_so(url: str, status: str) -> None:
    cup = Tournament(url, 4)
    cup.organiser.http.patch(cup.path, json={"listed": False}).raise_for_status()
    cup.organiser.post(f"{cup.path}/status", status=status, why="over")
    file = cup.organiser.get(f"{cup.path}/file")
    moved = _moved(cup, file)
    assert (moved["status"], moved["listed"]) == (status, False)
    assert _moved(cup, file, listed=True)["listed"] is True


def test_points_that_wait_for_others_still_wait(url: str) -> None:
    club, game = PaperClub(url), "waiting-1"
    with closing(club.organiser), closing(member(url, "player")) as player:
        account = player.get("/api/me")["person"]["name"]
        club.organiser.http.patch(f"{club.path}/entries/a", json={"account": account}).raise_for_status()
        player.post(f"{club.path}/games", id=game, stage="league", players=list("abcd"))
        player.post(f"{club.path}/games/{game}/points", scores=[40000, 30000, 20000, 10000])
        shown = club.organiser.get(f"{club.path}/games/{game}")
        file = club.organiser.get(f"{club.path}/file")
        path = f"/api/events/{club.organiser.post('/api/events/import', file=file)['id']}"
        moved = club.organiser.get(f"{path}/games/{game}")
        assert _plain(moved) == _plain(shown)
        assert [seat["confirmed"] for seat in moved["seats"]] == [True, False, False, False]
        club.organiser.post(f"{path}/games/{game}/confirm", head=moved["head"], everybody=True)
        assert club.organiser.get(f"{path}/games/{game}")["status"] == "confirmed"


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
    organiser = member(url, f"organiser {name}"[:16])
    status, _ = refused(organiser, "POST", "/api/events/import", file=file)
    assert status in (400, 422)

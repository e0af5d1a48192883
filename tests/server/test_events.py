"""Events on the server: creation, changes, closing, import and export, staff and names."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.club import event_from, standings, template
from server.clubs import BUST, DRAW, RON, SCORES, Account, Club, people
from server.parlour import Message

slow = pytest.mark.slow
PLAYERS = [{"id": f"p{i}", "name": f"Player {i}", "team": "AB"[i % 2]} for i in range(5)]
FILE: Message = {
    "jantaku_event": 1,
    "name": "여름 대회",
    "rules": {"extends": "tenhou", "match": {"uma": [20, 10, -10, -20]}},
    "players": PLAYERS,
    "stages": [
        {"id": "league", "counts": {"best": 2}, "max_games": 20},
        {"id": "final", "kind": "rounds", "from": "league", "cut": 4, "carry": 0.5},
    ],
    "games": [
        {"id": "g1", "stage": "league", "at": "2025-06-01T14:00:00+09:00",
         "players": ["p0", "p1", "p2", "p3"], "scores": [42000, 26000, 20000, 12000],
         "penalties": [{"seat": 0, "points": -4000, "why": "late"}]},
        {"id": "g2", "stage": "league", "players": ["p4", "p1", "p2", "p3"], "hands": [BUST],
         "penalties": [{"seat": 2, "points": -2000}]},
        {"id": "g3", "stage": "league", "players": ["p0", "p1", "p2", "p4"],
         "hands": [{"end": "draw", "tenpai": [0]}]},
    ],
    "penalties": [{"stage": "league", "player": "p3", "points": -20000, "why": "absent"}],
    "tie_breaks": ["average_place", "firsts"],
}  # fmt: skip


@pytest.fixture
def mina(url: str) -> Account:
    return Account(url, "Mina")


def test_an_event_is_created_from_a_template_or_with_one_stage(mina: Account) -> None:
    event, file = mina.post("/api/events", template="bgm-2025"), template("bgm-2025")
    assert (event["name"], event["rules"], event["status"]) == (file["name"], "bgm-2025", "open")
    assert event["stages"][0]["closes"] == file["stages"][0]["closes"]
    assert (event["role"], event["entry"], event["start_points"]) == ("organiser", None, 30000)
    assert "bgm-2025" in mina.get("/api/events/templates")["templates"]
    assert [row["id"] for row in mina.get("/api/events")["mine"]] == [event["id"]]
    assert [stage["id"] for stage in mina.post("/api/events", name="E")["stages"]] == ["league"]


@slow
def test_an_event_keeps_rules_deleted_by_their_author(mina: Account) -> None:
    toml = 'extends = "tenhou"\nname = { en = "Mine" }\n[match]\nreturn_points = 28000\n'
    rules = mina.post("/api/rules", toml=toml)["id"]
    club = Club(mina.url, rules=rules)
    game = club.game("rules")
    game.enter(RON)
    mina.delete(f"/api/rules/{rules}")
    assert len(game.enter(DRAW)["hands"]) == 2
    assert club.game("later").started["status"] == "playing"
    event = club.organiser.patch(name="New")
    assert (event["rules_name"], event["rules"], event["fingerprint"]) == ("Mine", rules, rules)
    assert club.organiser.get("file")["rules"]["match"]["return_points"] == 28000


NAMED: Message = {"name": "E"}
EVENTS: list[tuple[Message, str]] = [
    ({}, "event_name"),
    ({"template": "bgm-2025-season"}, "no_template"),
    (NAMED | {"rules": "none such"}, "no_rules"),
    ({"name": {}}, "bad_request"),
    ({"name": "\u200b"}, "name_character"),
    (NAMED | {"stages": []}, "bad_request"),
    (NAMED | {"stages": [{"id": "a"}, {"id": "a"}]}, "id_twice"),
    (NAMED | {"stages": [{"id": "a/b"}]}, "bad_request"),
    (NAMED | {"stages": [{"id": "a", "cut": 3}]}, "cut_of_nothing"),
    (NAMED | {"stages": [{"id": "a", "from": "b"}]}, "unknown_id"),
    (NAMED | {"stages": [{"id": "a", "closes": "soon"}]}, "no_time"),
    (NAMED | {"stages": [{"id": "a", "closes": "0001-01-01T00:00:00+14:00"}]}, "no_time"),
    (NAMED | {"stages": [{"id": "a", "counts": {"best": 0}}]}, "bad_request"),
    (NAMED | {"correction_min": 10**9}, "bad_request"),
]
HAND: Message = {**BUST, "wins": [{**BUST["wins"][0], "yaku": ["x" * 13_000]}]}
FILES: list[tuple[Message, str]] = [
    ({"jantaku_event": 99}, "event_version"),
    ({"players": [{"id": "a/b"}]}, "event_key"),
    ({"name": ""}, "event_name"),
    ({"rules": "nowhere"}, "no_rules"),
    ({"stages": [{"id": "x" * 100}]}, ""),
    ({"surprise": 1}, "unknown_field"),
    ({"games": [{**FILE["games"][1], "hands": [{**BUST, "from": 0}]}]}, "own_discard"),
    ({"games": [{**FILE["games"][0], "at": "9999-12-31T23:59:59-10:00"}]}, "no_time"),
    ({"games": [{**FILE["games"][1], "hands": [HAND]}]}, "text_too_long"),
]


@pytest.mark.parametrize(("body", "code"), [*EVENTS, *FILES])
def test_an_invalid_event_or_file_creates_nothing(mina: Account, body: Message, code: str) -> None:
    if (body, code) in EVENTS:
        answer = mina.send("POST", "/api/events", **body)
    else:
        file = {**FILE, "games": [], "penalties": []} | body
        answer = mina.send("POST", "/api/events/import", file=file)
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["code"].startswith(code), answer.text
    assert mina.get("/api/events")["mine"] == []


def test_two_organisers_do_not_overwrite_each_others_event_settings(club: Club) -> None:
    # sent twice with the same revision, as from two windows
    patch, seen = club.organiser.patch, club.organiser.get()["revision"]
    more = [{"id": "league"}, {"id": "final", "from": "league", "cut": 4}]
    first = patch(stages=more, name="Summer", hidden_standings=True, revision=seen)
    assert (first["name"], first["hidden_standings"], first["rules"]) == ("Summer", True, "tenhou")
    late = {"stages": [{"id": "league"}], "revision": seen}
    club.organiser.refused("event_moved_on", f"PATCH {club.at}", **late)
    patch(correction_min=5, revision=seen)
    patch(tie_breaks=["firsts"])
    club.game("no-setting")
    newest = patch(stages=[*more, {"id": "last"}], revision=first["revision"])
    assert [stage["id"] for stage in newest["stages"]] == ["league", "final", "last"]
    assert newest["correction_min"] == 5
    assert all("revision" not in row["after"] for row in club.log() if row["action"] == "change")


def test_a_closed_event_refuses_changes_and_can_be_reopened(url: str) -> None:
    club = Club(url, 8)
    player = club.players[0]
    club.seat()
    club.run("publish", start=True)
    game = club.organiser.get("games")["games"][0]["id"]
    hand = {"id": "hand-000001", "follows": "", "hand": RON}
    tries: dict[str, Message] = {
        f"games/{game}/hands": hand,
        "rounds/main/1/timer": {"action": "pause"},
        "rounds/main/1/seats": {"swap": ["p0", "p1"]},
        "rounds/main/1/finish": {"everything": True, "why": "x"},
        "penalties": {"stage": "main", "entry": "p0", "points": -1000, "why": "x"},
        "entries/list": {"entries": [{"name": "N"}]},
        f"PATCH {club.at}": {"listed": False},
    }
    for status in ("closed", "cancelled"):
        assert club.organiser.post("status", status=status, why="rain")["status"] == status
        for request, body in tries.items():
            club.organiser.refused("event_over", request, **body)
        player.refused("event_over", "entries")
        assert club.organiser.get("file")["games"] == []
        club.organiser.post("status", status="open", why="sun")
    club.organiser.post(f"games/{game}/hands", **hand)
    assert len(club.organiser.get(f"games/{game}")["hands"]) == 1
    club.organiser.patch(listed=False)
    listed = club.organiser.get("/api/events")
    assert club.id not in [event["id"] for event in listed["events"]]
    assert club.id in [event["id"] for event in listed["mine"]]


def test_an_event_always_has_an_organiser_and_staff_may_give_up_roles(club: Club) -> None:
    organiser, recorder, path = club.organiser, club.recorder, f"staff/{club.organiser.id}"
    organiser.refused("last_organiser", f"DELETE {path}")
    organiser.refused("no_such_account", "staff", name="nobody here", role="referee")
    organiser.post("staff", name=club.referee.name, role="organiser")
    organiser.delete(path)
    organiser.refused("not_organiser", f"PATCH {club.at}", listed=False)
    recorder.delete(f"staff/{recorder.id}")
    assert recorder.get()["role"] is None


@slow
def test_importing_and_exporting_an_event_file_round_trips(mina: Account) -> None:
    out = mina.get(f"/api/events/{mina.post('/api/events/import', file=FILE)['id']}/file")
    assert [game["id"] for game in out["games"]] == ["g1", "g2"]  # the third game is not over
    assert standings(event_from(out)) == standings(event_from({**FILE, "games": FILE["games"][:2]}))
    again = mina.post("/api/events/import", file=out)["id"]
    assert mina.get(f"/api/events/{again}/file") == out


def test_penalties_count_in_games_entered_by_points_only() -> None:
    [fined] = FILE["games"][:1]
    results = [
        event_from({**FILE, "games": [game]}).results[0].final for game in (fined | {"penalties": []}, fined)
    ]
    assert [a - b for a, b in zip(*results, strict=True)] == [4000, 0, 0, 0]


@slow
def test_example_event_files_can_be_imported(mina: Account, shared_data: Path) -> None:
    files = [json.loads(path.read_text("utf-8")) for path in sorted((shared_data / "events").glob("*.json"))]
    for file in (file for file in files if "jantaku_event" in file):
        event = mina.post("/api/events/import", file=file)["id"]
        assert standings(event_from(mina.get(f"/api/events/{event}/file"))) == standings(event_from(file))


def test_invite_links_lead_to_the_pages_of_an_event(club: Club) -> None:
    person = club.guest()
    queries: list[tuple[Message, str]] = [
        ({}, "/events/{}"),
        ({"page": "screen"}, "/screen/{}"),
        ({"page": "record"}, "/record/{}"),
        ({"game": "first-table"}, "/record/{}/first-table"),
        ({"page": "record", "table": "12"}, "/record/{}?table=12"),
        ({"page": "events", "table": "12"}, "/events/{}"),
        ({"game": "첫판"}, "/record/{}/%EC%B2%AB%ED%8C%90"),
    ]
    for query, path in queries:
        assert person.get("invite", **query)["url"].endswith(path.format(club.id))
        picture = person.send("GET", "qr.svg", **query)
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.startswith("<svg")
    for odd in ({"page": "other"}, {"game": "a/b"}, {"table": "0"}, {"table": "1&game=x"}):
        person.refused("bad_request", "GET invite", **odd)


@slow
def test_a_withdrawn_player_blocks_the_start_of_their_table_only(url: str) -> None:
    club = Club(url, 8)
    club.seat()
    club.players[0].post("entries/p0/withdraw")
    tables = club.run("publish")["rounds"][0]["tables"]
    assert "Player 0" in club.referee.refused("seated_gone", "rounds/main/1/start")["message"]
    free = next(table["number"] for table in tables if "p0" not in table["players"])
    assert club.run(f"1/tables/{free}/start")["rounds"][0]["tables"][free - 1]["status"] == "playing"
    club.add("new")
    club.run("replace", entry="p0", by="new", now=True, why="gone")
    [round_] = club.run("1/start")["rounds"]
    assert [table["status"] for table in round_["tables"]] == ["playing"] * 2
    assert ("new" in people(round_), "p0" in people(round_)) == (True, False)


# Three-player events: data for a different number of seats is refused with a clear message


def test_three_player_rules_refuse_data_for_a_fourth_player(url: str) -> None:
    club, three = Club(url, rules="standard-3"), ["p0", "p1", "p2"]
    game, start = club.game("three", players=three), {"id": "four-at-three", "stage": "league"}
    for scores in ([40000, 40000, 25000, 0], [40000, 65000]):
        club.referee.refused("wrong_count", f"{game.path}/points", scores=scores, why="paper")
    game.who.refused("wrong_count", "games", **start, players=club.entries)
    game.who.refused("twice_at_table", "games", **start, players=["p0", "p1", "p0"])
    game.enter({"end": "draw", "tenpai": [0]})
    confirm = {"seat": 3, "head": game.head}
    assert club.organiser.send("POST", f"{game.path}/confirm", **confirm).status_code < 500
    path = f"/api/tables/{game.who.table(rules='standard-3')['id']}/bots"
    game.who.refused("no_seat", path, seat=3)
    game.who.refused("no_seat", f"DELETE {path}/3")
    body: dict[str, Any] = {"toml": 'extends = "standard-3"', "against": "standard", "games": 2}
    error = game.who.refused("lab_players", "/api/lab/rules", **body)
    assert (error["field"], "“standard”" in error["message"]) == ("toml", True)


@slow
def test_drafts_prevent_a_change_to_rules_for_another_number_of_seats(url: str) -> None:
    club = Club(url, 9, rules="standard")
    club.seat(rounds=2)
    club.organiser.refused("rules_fixed", f"PATCH {club.at}", rules="standard-3")
    club.run("seating/discard")
    club.organiser.patch(rules="standard-3")
    rounds = club.seat(rounds=2)["rounds"]
    assert {len(table["players"]) for round_ in rounds for table in round_["tables"]} == {3}


# People with the same name in an event are told apart by labels, while their names stay unchanged


NAMES = {"m1": "Mina", "m2": "Mina", "s1": "Sora", "s2": "sora"}
APART = {"m1": "Mina", "m2": "Mina (2)", "s1": "Sora", "s2": "sora (2)"}


@pytest.fixture
def namesakes(url: str) -> Club:
    club = Club(url, 0)
    club.add(*({"id": key, "name": name} for key, name in NAMES.items()))
    return club


def labels(club: Club, name: str = "called") -> dict[str, str]:
    return {entry["id"]: entry[name] for entry in club.organiser.get("entries")["entries"]}


def test_namesakes_have_distinct_labels_in_lists_games_standings_and_errors(namesakes: Club) -> None:
    assert (labels(namesakes), labels(namesakes, "name")) == (APART, NAMES)
    game = namesakes.game("namesakes", namesakes.organiser, players=[*APART])
    assert [seat["name"] for seat in game.started["seats"]] == [*APART.values()]
    error = game.refused("own_discard", {"end": "ron", "from": 1, "wins": [{"seat": 1, "han": 1, "fu": 30}]})
    assert "Mina (2)" in error["message"]
    game.post("points", namesakes.organiser, scores=SCORES, why="paper")
    for page in ("standings", "statistics"):
        assert namesakes.organiser.get(page)["names"] == APART


def test_a_label_stays_when_a_namesake_leaves(namesakes: Club) -> None:
    namesakes.organiser.post("entries/m1/withdraw")
    namesakes.organiser.patch("entries/s1", name="Nari")
    namesakes.add({"name": "Sora", "id": "s3"})
    after = labels(namesakes)
    assert [after[key] for key in ("m2", "s1", "s2", "s3")] == ["Mina (2)", "Nari", "sora (2)", "Sora"]


# Real names, nicknames, countries and association numbers: who sees them, changes and import


HERE = {"real_name": "Kim, Mina", "country": "kr", "association": "05100170"}


@slow
def test_only_organisers_and_the_player_can_read_personal_details(club: Club) -> None:
    (player, other, *_), path = club.players, "entries/p0/names"
    body = player.patch(path, **HERE)
    assert {name: body[name] for name in HERE} == HERE | {"country": "KR"}
    assert club.organiser.get(path)["association"] == "05100170"
    other.refused("not_organiser", f"GET {path}")
    for person in (other, club.recorder):
        for page in ("entries", "standings", "log", "export?format=json"):
            answer = person.send("GET", page)
            assert "05100170" not in answer.text, page
    assert club.organiser.send("GET", "export/ranking?format=csv").text.startswith("\ufeff")
    assert club.organiser.send("GET", "export/ranking").content[:2] == b"PK"
    for wrong in ({"country": "XQX"}, {"country": "1é"}, {"association": "1 2"}, {"association": "1" * 17}):
        for request, names in ((f"PATCH {path}", wrong), ("POST entries/list", {"entries": [NAMED | wrong]})):
            assert club.organiser.send(*request.split(" "), **names).status_code in (400, 422)


def test_stale_personal_details_do_not_overwrite_newer_nicknames(club: Club) -> None:
    path, read = "entries/p0/names", club.organiser.get("entries/p0/names")["version"]
    mine = [{"site": "tenhou", "name": "mine"}]
    club.players[0].patch(path, nicknames=mine, version=read)
    late: Message = {"real_name": "R", "nicknames": [], "version": read}
    club.organiser.refused("names_moved_on", f"PATCH {path}", **late)
    now = club.organiser.get(path)
    assert (now["real_name"], now["nicknames"]) == ("", mine)
    assert club.organiser.patch(path, real_name="R", version=now["version"])["nicknames"] == mine


@slow
def test_personal_details_are_imported_kept_by_merging_and_erased_with_the_entry(club: Club) -> None:
    organiser = club.organiser
    club.add(
        {"name": "A", "id": "one", "country": "se", "association": "09100170"}, {"name": "A", "id": "two"}
    )
    organiser.post("entries/one/merge", into="two")
    read = organiser.get("entries/two/names")
    assert (read["country"], read["association"]) == ("SE", "09100170")
    changed: Message = {"country": "BE", "version": read["version"]}
    assert organiser.patch("entries/two/names", **changed)["association"] == "09100170"
    organiser.refused("names_moved_on", "PATCH entries/two/names", **changed)
    organiser.post("entries/two/erase", confirm=organiser.post("entries/two/erase")["confirm"])
    assert "09100170" not in organiser.send("GET", "names").text
    [gone] = {*labels(club)} - {*club.entries, "one"}
    left = organiser.get(f"entries/{gone}/names")
    assert (left["country"], left["association"], left["real_name"]) == ("", "", "")

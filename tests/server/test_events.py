"""Events on the server: opening, changing, closing, files in and out, and who runs them."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.club import event_from, standings, template
from server.clubs import OPEN, Gathering, member, refused
from server.parlour import Person

NAME = {"ko": "여름 대회"}
RON: dict[str, Any] = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
PLAYERS = [{"id": f"p{i}", "name": f"Player {i}", "team": "AB"[i % 2]} for i in range(5)]
FILE: dict[str, Any] = {
    "jantaku_event": 1,
    "name": NAME,
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
        {"id": "g2", "stage": "league", "players": ["p4", "p1", "p2", "p3"], "hands": [RON],
         "penalties": [{"seat": 2, "points": -2000}]},
        {"id": "g3", "stage": "league", "players": ["p0", "p1", "p2", "p4"],
         "hands": [{"end": "draw", "tenpai": [0]}]},
    ],
    "penalties": [{"stage": "league", "player": "p3", "points": -20000, "why": "absent"}],
    "tie_breaks": ["average_place", "firsts"],
}  # fmt: skip


def test_an_event_opens_from_a_template(url: str) -> None:
    mina = member(url, "Mina")
    event = mina.post("/api/events", template="bgm-2025")
    file = template("bgm-2025")
    assert (event["name"], event["rules"], event["status"]) == (file["name"], "bgm-2025", "open")
    assert event["stages"][0]["closes"] == file["stages"][0]["closes"]
    assert (event["role"], event["entry"], event["start_points"]) == ("organiser", None, 30000)
    assert "bgm-2025" in mina.get("/api/events/templates")["templates"]
    assert event["id"] in [row["id"] for row in mina.get("/api/events")["mine"]]


@pytest.mark.slow
def test_an_event_can_be_played_by_saved_rules_and_keeps_them(url: str) -> None:
    mina = member(url, "Mina")
    rules = mina.post("/api/rules", toml='extends = "tenhou"\n[match]\nreturn_points = 27000\n')["id"]
    event = mina.post("/api/events", name=NAME, rules=rules)
    assert mina.http.delete(f"/api/rules/{rules}").status_code == 200
    info = mina.get(f"/api/events/{event['id']}")
    assert (info["start_points"], info["rules"], info["fingerprint"]) == (25000, rules, rules)


def test_a_guest_cannot_open_an_event(person: Person) -> None:
    assert refused(person, "POST", "/api/events", name=NAME) == (403, "account_needed")
    assert refused(person, "POST", "/api/events/import", file=FILE) == (403, "account_needed")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "event_name"),
        ({"template": "bgm-2025-season"}, "no_template"),
        ({"name": NAME, "rules": "none such"}, "no_rules"),
        ({"name": {}}, "bad_request"),
        ({"name": {"ko": "\u200b"}}, "name_character"),
        ({"name": NAME, "stages": []}, "bad_request"),
        ({"name": NAME, "stages": [{"id": "a"}, {"id": "a"}]}, "id_twice"),
        ({"name": NAME, "stages": [{"id": "a/b"}]}, "bad_request"),
        ({"name": NAME, "stages": [{"id": "a", "cut": 3}]}, "cut_of_nothing"),
        ({"name": NAME, "stages": [{"id": "a", "from": "b"}]}, "unknown_id"),
        ({"name": NAME, "stages": [{"id": "a", "closes": "soon"}]}, "no_time"),
        ({"name": NAME, "stages": [{"id": "a", "closes": "0001-01-01T00:00:00+14:00"}]}, "no_time"),
        ({"name": NAME, "stages": [{"id": "a", "counts": {"best": 0}}]}, "bad_request"),
        ({"name": NAME, "correction_min": 10**9}, "bad_request"),
    ],
    ids=str,
)
def test_an_impossible_event_is_refused(url: str, body: dict[str, Any], code: str) -> None:
    mina = member(url, "Mina")
    status, answer = refused(mina, "POST", "/api/events", **body)
    assert answer.startswith(code)
    assert 400 <= status < 500


def test_an_organiser_changes_the_event(gathering: Gathering) -> None:
    mina, path = gathering.organiser, gathering.path
    stages = [{"id": "league", "closes": "2030-01-01T00:00:00Z"}, {"id": "final", "from": "league"}]
    body = {"name": {"en": "Summer"}, "stages": stages, "hidden_standings": True, "correction_min": 5}
    assert mina.http.patch(path, json=body).status_code == 200
    view = gathering.view()
    assert (view["name"], view["hidden_standings"], view["correction_min"]) == ({"en": "Summer"}, True, 5)
    assert [stage["id"] for stage in view["stages"]] == ["league", "final"]
    assert view["rules"] == "tenhou"


def test_two_organisers_do_not_take_back_what_the_other_has_changed(gathering: Gathering) -> None:
    path, http = gathering.path, gathering.organiser.http  # in two windows
    seen = gathering.view()["revision"]
    more = [{"id": "league"}, {"id": "final", "from": "league", "cut": 4}]
    first = http.patch(path, json={"stages": more, "revision": seen})
    assert first.status_code == 200
    late = http.patch(path, json={"stages": [{"id": "league"}], "revision": seen})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "event_moved_on")
    for body in ({"correction_min": 5, "revision": seen}, {"tie_breaks": ["firsts"]}):
        assert http.patch(path, json=body).status_code == 200
    gathering.recorder.post(f"{path}/games", id="no-setting", stage="league", players=gathering.entries)
    newest = http.patch(path, json={"stages": [*more, {"id": "last"}], "revision": first.json()["revision"]})
    assert [stage["id"] for stage in newest.json()["stages"]] == ["league", "final", "last"]
    assert newest.json()["correction_min"] == 5
    said = [
        change["after"]
        for change in gathering.organiser.get(f"{path}/log")["changes"]
        if change["action"] == "change"
    ]
    assert all("revision" not in after for after in said)


def test_a_closed_event_cannot_change_until_it_is_reopened(gathering: Gathering) -> None:
    mina, path = gathering.organiser, gathering.path
    for status in ("closed", "cancelled"):
        assert mina.post(f"{path}/status", status=status, why="rain")["status"] == status
        assert refused(mina, "PATCH", path, listed=False) == (409, "event_over")
        assert refused(gathering.players[0], "POST", f"{path}/entries") == (409, "event_over")
        mina.post(f"{path}/status", status="open")
    assert mina.http.patch(path, json={"listed": False}).status_code == 200
    assert gathering.id not in [event["id"] for event in mina.get("/api/events")["events"]]
    assert gathering.id in [row["id"] for row in mina.get("/api/events")["mine"]]


def test_there_is_always_an_organiser(gathering: Gathering) -> None:
    mina, path = gathering.organiser, gathering.path
    assert refused(mina, "DELETE", f"{path}/staff/{mina.id}") == (409, "last_organiser")
    name = gathering.referee.get("/api/me")["person"]["name"]
    mina.post(f"{path}/staff", name=name, role="organiser")
    assert mina.http.delete(f"{path}/staff/{mina.id}").status_code == 200
    assert refused(mina, "PATCH", path, listed=False) == (403, "not_organiser")
    assert refused(gathering.referee, "POST", f"{path}/staff", name="nobody here", role="referee") == (
        404,
        "no_such_account",
    )


def test_anybody_may_give_up_a_role(gathering: Gathering) -> None:
    path = f"{gathering.path}/staff/{gathering.referee.id}"
    assert gathering.referee.http.delete(path).status_code == 200
    assert gathering.view(gathering.referee)["role"] is None


@pytest.mark.slow
def test_a_file_comes_out_as_it_went_in(url: str) -> None:
    mina = member(url, "Mina")
    event = mina.post("/api/events/import", file=FILE)["id"]
    out = mina.get(f"/api/events/{event}/file")
    counting = [game for game in FILE["games"] if game["id"] != "g3"]  # not over
    assert [game["id"] for game in out["games"]] == ["g1", "g2"]
    assert standings(event_from(out)) == standings(event_from({**FILE, "games": counting}))
    again = mina.post("/api/events/import", file=out)["id"]
    assert mina.get(f"/api/events/{again}/file") == out


def test_penalties_count_in_games_of_which_only_the_points_are_known() -> None:
    without = {**FILE, "games": [{**FILE["games"][0], "penalties": []}]}
    with_it = {**FILE, "games": [FILE["games"][0]]}
    first, second = (event_from(exported).results[0].final for exported in (without, with_it))
    assert [a - b for a, b in zip(first, second, strict=True)] == [4000, 0, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"jantaku_event": 99}, "event_version"),
        ({"players": [{"id": "a/b"}]}, "event_key"),
        ({"name": {}}, "event_name"),
        ({"rules": "nowhere"}, "no_rules"),
        ({"stages": [{"id": "x" * 100}]}, ""),
        ({"surprise": 1}, "unknown_field"),
        ({"games": [{**FILE["games"][1], "hands": [{**RON, "from": 0}]}]}, "own_discard"),
        ({"games": [{**FILE["games"][0], "at": "9999-12-31T23:59:59-10:00"}]}, "no_time"),
        ({"games": [{**FILE["games"][1], "hands": [
            {**RON, "wins": [{**RON["wins"][0], "yaku": ["x" * 13_000]}]}]}]}, "text_too_long"),
    ],
    ids=str,
)  # fmt: skip
def test_an_impossible_file_opens_nothing(url: str, change: dict[str, Any], code: str) -> None:
    mina = member(url, "Mina")
    file = {**FILE, "games": [], "penalties": [], "players": PLAYERS} | change
    status, answer = refused(mina, "POST", "/api/events/import", file=file)
    assert answer.startswith(code), answer
    assert 400 <= status < 500
    assert mina.get("/api/events")["mine"] == []


@pytest.mark.slow
def test_the_examples_can_be_imported(url: str, shared_data: Path) -> None:
    mina = member(url, "Mina")
    for path in sorted((shared_data / "events").glob("*.json")):
        file = json.loads(path.read_text("utf-8"))
        if "jantaku_event" not in file:
            continue
        event = mina.post("/api/events/import", file=file)["id"]
        out = mina.get(f"/api/events/{event}/file")
        assert standings(event_from(out)) == standings(event_from(file))


def test_links_lead_to_the_pages_of_an_event(gathering: Gathering, person: Person) -> None:
    event = gathering.id
    for query, path in (
        ({}, f"/events/{event}"),
        ({"page": "screen"}, f"/screen/{event}"),
        ({"page": "record"}, f"/record/{event}"),
        ({"game": "first-table"}, f"/record/{event}/first-table"),
        ({"page": "record", "table": "12"}, f"/record/{event}?table=12"),
        ({"page": "events", "table": "12"}, f"/events/{event}"),
        ({"game": "첫판"}, f"/record/{event}/%EC%B2%AB%ED%8C%90"),
    ):
        assert person.get(f"{gathering.path}/invite", **query)["url"].endswith(path)
        picture = person.http.get(f"{gathering.path}/qr.svg", params=query)
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.startswith("<svg")
    for odd in ({"page": "other"}, {"game": "a/b"}, {"table": "0"}, {"table": "1&game=x"}):
        assert person.http.get(f"{gathering.path}/invite", params=odd).status_code == 422


def test_open_events_have_one_stage_without_a_template(url: str) -> None:
    mina = member(url, "Mina")
    event = mina.post("/api/events", name=NAME, rules="tenhou")
    assert [stage["id"] for stage in event["stages"]] == [OPEN[0]["id"]]

"""Events on the server: opening, changing, closing, files in and out, and who runs them."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.club import event_from, standings, template
from server.clubs import DRAW, OPEN, RON, Gathering, PaperClub, Table, Tournament, member, people, refused
from server.parlour import Person

NAME = "여름 대회"
RON_EVENTS: dict[str, Any] = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
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
        {"id": "g2", "stage": "league", "players": ["p4", "p1", "p2", "p3"], "hands": [RON_EVENTS],
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
        ({"name": "\u200b"}, "name_character"),
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
    body = {"name": "Summer", "stages": stages, "hidden_standings": True, "correction_min": 5}
    assert mina.http.patch(path, json=body).status_code == 200
    view = gathering.view()
    assert (view["name"], view["hidden_standings"], view["correction_min"]) == ("Summer", True, 5)
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
        ({"name": ""}, "event_name"),
        ({"rules": "nowhere"}, "no_rules"),
        ({"stages": [{"id": "x" * 100}]}, ""),
        ({"surprise": 1}, "unknown_field"),
        ({"games": [{**FILE["games"][1], "hands": [{**RON_EVENTS, "from": 0}]}]}, "own_discard"),
        ({"games": [{**FILE["games"][0], "at": "9999-12-31T23:59:59-10:00"}]}, "no_time"),
        ({"games": [{**FILE["games"][1], "hands": [
            {**RON_EVENTS, "wins": [{**RON_EVENTS["wins"][0], "yaku": ["x" * 13_000]}]}]}]}, "text_too_long"),
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


# What is in use is taken away: a seated person, the event itself, and rules that somebody deletes


@pytest.mark.slow
def test_a_round_says_who_of_the_seated_no_longer_plays(url: str) -> None:
    club = Tournament(url, 8)
    for _ in range(2):
        club.make(how="random")
    club.post("publish")
    gone, other = club.entries[0], club.names[-1]
    name = next(
        entry["name"]
        for entry in club.organiser.get(f"{club.path}/entries")["entries"]
        if entry["id"] == gone
    )
    club.players[0].post(f"{club.path}/entries/{gone}/withdraw")
    answer = club.referee.http.post(f"{club.rounds}/1/start")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "seated_gone")
    assert name in answer.json()["error"]["message"]
    tables = club.organiser.get(f"{club.rounds}")["rounds"][0]["tables"]
    free = next(table["number"] for table in tables if gone not in table["players"])
    assert club.post(f"1/tables/{free}/start")["rounds"][0]["tables"][free - 1]["status"] == "playing"
    club.organiser.post(f"{club.path}/entries/list", entries=[{"name": "New", "id": "new"}])
    club.post("replace", entry=gone, by="new", now=True, why="gone")
    stage = club.post("1/start")
    assert [table["status"] for table in stage["rounds"][0]["tables"]] == ["playing"] * 2
    assert [("new" in people(round_), gone in people(round_)) for round_ in stage["rounds"]] == [
        (True, False)
    ] * 2
    assert other in people(stage["rounds"][1])


@pytest.mark.slow
def test_an_event_that_is_cancelled_takes_nothing_more_and_can_be_reopened(url: str) -> None:
    club = Tournament(url, 8)
    club.make(how="random")
    club.post("publish", start=True)
    game = club.organiser.get(f"{club.path}/games")["games"][0]["id"]
    hand = {"id": "hand-000001", "follows": "", "hand": RON}
    club.organiser.post(f"{club.path}/status", status="cancelled", why="storm")
    tries: dict[str, dict[str, Any]] = {
        f"{club.path}/games/{game}/hands": hand,
        f"{club.rounds}/1/timer": {"action": "pause"},
        f"{club.rounds}/1/seats": {"swap": club.names[:2]},
        f"{club.rounds}/1/finish": {"everything": True, "why": "x"},
        f"{club.path}/penalties": {"stage": "main", "entry": club.names[0], "points": -1000, "why": "x"},
        f"{club.path}/entries/list": {"entries": [{"name": "N"}]},
    }
    for path, body in tries.items():
        assert refused(club.organiser, "POST", path, **body) == (409, "event_over"), path
    assert club.organiser.get(f"{club.path}/file")["games"] == []
    club.organiser.post(f"{club.path}/status", status="open", why="sun")
    club.organiser.post(f"{club.path}/games/{game}/hands", **hand)
    assert len(club.organiser.get(f"{club.path}/games/{game}")["hands"]) == 1


@pytest.mark.slow
def test_an_event_keeps_the_rules_that_their_author_deletes(url: str) -> None:
    author = member(url, "author")
    toml = 'extends = "tenhou"\nname = { en = "Mine" }\n[match]\nreturn_points = 28000\n'
    rules = author.post("/api/rules", toml=toml)["id"]
    club = Gathering(url, rules=rules)
    table = Table(club, "rules")
    table.enter(RON)
    assert author.http.delete(f"/api/rules/{rules}").status_code == 200
    assert len(table.enter(DRAW)["game"]["hands"]) == 2
    assert Table(club, "later").started["status"] == "playing"
    assert club.view()["rules_name"] == "Mine"
    assert club.organiser.http.patch(club.path, json={"name": "New"}).status_code == 200
    file = club.organiser.get(f"{club.path}/file")["rules"]
    assert file["match"]["return_points"] == 28000


# Two organisers change the same setting: who has not seen the other's change is told so


def test_nicknames_that_somebody_else_has_changed_are_not_taken_back(gathering: Gathering) -> None:
    path, entry = f"{gathering.path}/entries/{gathering.entries[0]}/names", gathering.players[0]
    read = gathering.organiser.get(path)["version"]
    mine = entry.http.patch(path, json={"nicknames": [{"site": "tenhou", "name": "mine"}], "version": read})
    assert mine.status_code == 200
    late = {"real_name": "R", "nicknames": [], "version": read}
    assert refused(gathering.organiser, "PATCH", path, **late) == (409, "names_moved_on")
    now = gathering.organiser.get(path)
    assert (now["real_name"], now["nicknames"]) == ("", [{"site": "tenhou", "name": "mine"}])
    gathering.organiser.http.patch(
        path, json={"real_name": "R", "version": now["version"]}
    ).raise_for_status()
    assert gathering.organiser.get(path)["nicknames"] == now["nicknames"]


# Events under rules for three: what is sent for another number of seats is refused, and says so


@pytest.mark.parametrize("scores", [[40000, 40000, 25000, 0], [40000, 65000]])
def test_points_for_another_number_of_seats_say_how_many_are_wanted(url: str, scores: list[int]) -> None:
    gathering = Gathering(url, rules="standard-3")
    table = Table(gathering, f"three-{len(scores)}", players=gathering.entries[:3])
    sent: dict[str, Any] = {"scores": scores, "why": "paper"}
    assert refused(gathering.referee, "POST", f"{table.path}/points", **sent) == (400, "wrong_count")


def test_a_game_is_started_by_as_many_as_the_rules_have(url: str) -> None:
    gathering = Gathering(url, rules="standard-3")
    start: dict[str, Any] = {"id": "four-at-three", "stage": "league", "players": gathering.entries}
    path, player = f"{gathering.path}/games", gathering.players[0]
    assert refused(player, "POST", path, **start) == (400, "wrong_count")
    twice: dict[str, Any] = {**start, "players": [*gathering.entries[:2], gathering.entries[0]]}
    assert refused(player, "POST", path, **twice) == (400, "twice_at_table")


@pytest.mark.slow
def test_rules_for_another_number_of_seats_wait_until_drafts_are_discarded(url: str) -> None:
    cup = Tournament(url, 9, rules="standard")
    cup.make(rounds=2)
    assert refused(cup.organiser, "PATCH", cup.path, rules="standard-3") == (409, "rules_fixed")
    cup.post("seating/discard")
    cup.organiser.http.patch(cup.path, json={"rules": "standard-3"}).raise_for_status()
    stage = cup.make(rounds=2)
    assert {len(seats) for tables in cup.seats(stage) for seats in tables} == {3}


def test_the_lab_names_both_rulesets_that_differ_in_players(url: str) -> None:
    gathering = Gathering(url, rules="standard-3")
    body: dict[str, Any] = {"toml": 'extends = "standard-3"', "against": "standard", "games": 2}
    answer = gathering.organiser.http.post("/api/lab/rules", json=body)
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("lab_players", "toml")
    assert "“standard”" in error["message"]


@pytest.mark.parametrize("method", ["DELETE", "POST"])
def test_a_table_of_three_has_no_fourth_seat_for_a_bot(url: str, method: str) -> None:
    person = Person(url, "Mina")
    path = f"/api/tables/{person.table(rules='standard-3')['id']}/bots"
    where = f"{path}/3" if method == "DELETE" else path
    assert refused(person, method, where, seat=3) == (404, "no_seat")


def test_nobody_confirms_for_a_fourth_player(url: str) -> None:
    club = PaperClub(url, rules="standard-3", stages=[{"id": "league"}])
    table = Table(club, "signed", players=club.entries[:3])
    table.enter({"end": "draw", "tenpai": [0]})
    status, _ = refused(club.organiser, "POST", f"{table.path}/confirm", seat=3, head=table.head)
    assert status < 500
    club.organiser.close()


# Namesakes in an event: every page tells them apart, while their own names stay as they are


PEOPLE = [("Mina", "Red"), ("Mina", "Blue"), ("Sora", ""), ("sora", "")]
APART = {"m1": "Mina", "m2": "Mina (2)", "s1": "Sora", "s2": "sora (2)"}


def opened(url: str) -> PaperClub:
    """An event with two pairs of namesakes, beside four other people."""
    club = PaperClub(url)
    listed = [
        {"name": name, "team": team, "id": key} for (name, team), key in zip(PEOPLE, APART, strict=True)
    ]
    club.organiser.post(f"{club.path}/entries/list", entries=listed)
    return club


def called(club: PaperClub) -> dict[str, str]:
    return {entry["id"]: entry["called"] for entry in club.organiser.get(f"{club.path}/entries")["entries"]}


def test_namesakes_are_told_apart_in_lists_games_standings_and_errors(url: str) -> None:
    club = opened(url)
    assert called(club) == {"a": "A", "b": "B", "c": "C", "d": "D"} | APART
    listed = club.organiser.get(f"{club.path}/entries")["entries"]
    assert [entry["name"] for entry in listed[4:]] == [name for name, _ in PEOPLE]  # as they were written
    table = Table(club, "namesakes", players=list(APART))
    assert [seat["name"] for seat in table.started["seats"]] == list(APART.values())
    wrong = table.body({"end": "ron", "from": 1, "wins": [{"seat": 1, "han": 1, "fu": 30}]})
    answer = club.organiser.http.post(f"{table.path}/hands", json=wrong)
    assert "Mina (2)" in answer.json()["error"]["message"]
    club.organiser.post(f"{table.path}/points", scores=[40000, 30000, 20000, 10000], why="paper")
    names = club.organiser.get(f"{club.path}/standings")["names"]
    assert {key: names[key] for key in APART} == APART
    statistics = club.organiser.get(f"{club.path}/statistics")["names"]
    assert {key: statistics[key] for key in APART if key in statistics} == APART


def test_a_label_stays_when_a_namesake_goes(url: str) -> None:
    club = opened(url)
    club.organiser.post(f"{club.path}/entries/m1/withdraw")
    club.organiser.http.patch(f"{club.path}/entries/s1", json={"name": "Nari"})
    after = called(club)
    assert (after["m2"], after["s1"], after["s2"]) == ("Mina (2)", "Nari", "sora (2)")
    club.organiser.post(f"{club.path}/entries/list", entries=[{"name": "Sora", "id": "s3"}])
    assert called(club)["s3"] == "Sora"


# Country and association number: who reads them, how they come in, and how they are deleted


HERE = {"real_name": "Kim, Mina", "country": "kr", "association": "05100170"}


@pytest.mark.slow
def test_only_organisers_and_the_player_read_them(gathering: Gathering) -> None:
    entry = gathering.entries[0]
    path = f"{gathering.path}/entries/{entry}/names"
    body = gathering.players[0].http.patch(path, json=HERE).json()
    assert {name: body[name] for name in HERE} == HERE | {"country": "KR"}
    assert gathering.organiser.get(path)["association"] == "05100170"
    assert refused(gathering.players[1], "GET", path)[0] == 403
    for person in (gathering.players[1], gathering.recorder):
        for page in ("entries", "standings", "log", "export?format=json"):
            answer = person.http.get(f"{gathering.path}/{page}")
            assert "05100170" not in answer.text, page
    ranking = f"{gathering.path}/export/ranking"
    for other in (gathering.players[0], gathering.recorder, gathering.referee):
        assert other.http.get(ranking).status_code == 403
    csv = gathering.organiser.http.get(f"{ranking}?format=csv").text
    assert csv.startswith("\ufeff")
    assert gathering.organiser.http.get(ranking).content[:2] == b"PK"


@pytest.mark.parametrize(
    "wrong", [{"country": "XQX"}, {"country": "1é"}, {"association": "1 2"}, {"association": "1" * 17}]
)
@pytest.mark.slow
def test_what_is_refused(gathering: Gathering, wrong: dict[str, str]) -> None:
    path, listing = f"{gathering.path}/entries/{gathering.entries[0]}/names", f"{gathering.path}/entries/list"
    requests = (
        gathering.organiser.http.patch(path, json=wrong),
        gathering.organiser.http.post(listing, json={"entries": [{"name": "New", **wrong}]}),
    )
    assert [answer.status_code in (400, 422) for answer in requests] == [True] * 2


@pytest.mark.slow
def test_a_list_brings_them_and_a_deletion_takes_them(gathering: Gathering) -> None:
    anna = {"name": "Anna Dam", "id": "anna", "country": "nl", "association": "08000001"}
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[anna])
    path = f"{gathering.path}/entries/anna/names"
    read = gathering.organiser.get(path)
    assert (read["country"], read["association"]) == ("NL", "08000001")
    changed = {"country": "BE", "version": read["version"]}
    assert gathering.organiser.http.patch(path, json=changed).json()["association"] == "08000001"
    assert refused(gathering.organiser, "PATCH", path, **changed) == (409, "names_moved_on")
    erase = f"{gathering.path}/entries/anna/erase"
    confirm = gathering.organiser.post(erase)["confirm"]
    gathering.organiser.post(erase, confirm=confirm)
    assert "08000001" not in json.dumps(gathering.organiser.get(f"{gathering.path}/names"))
    ids = [entry["id"] for entry in gathering.organiser.get(f"{gathering.path}/entries")["entries"]]
    gone = next(entry for entry in ids if entry not in gathering.entries)
    left = gathering.organiser.get(f"{gathering.path}/entries/{gone}/names")
    assert (left["country"], left["association"], left["real_name"]) == ("", "", "")


@pytest.mark.slow
def test_merging_keeps_what_one_of_them_has(gathering: Gathering) -> None:
    one = {"name": "A", "id": "one", "country": "se", "association": "09100170"}
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[one, {"name": "A", "id": "two"}])
    gathering.organiser.post(f"{gathering.path}/entries/one/merge", into="two")
    names = gathering.organiser.get(f"{gathering.path}/entries/two/names")
    assert (names["country"], names["association"]) == ("SE", "09100170")

"""Seasons: opened from a template, ranked over their events, and their best entered into the final."""

from typing import Any

import pytest

from jantaku.club import event_from, season_standings, standings
from server.clubs import Gathering, member, refused
from server.parlour import Message, Person

pytestmark = pytest.mark.slow

POINTS = [40000, 30000, 20000, 10000]


def opened(gathering: Gathering, **body: Any) -> Message:
    season: Message = gathering.organiser.post("/api/seasons", **body)
    return season


def event_of(gathering: Gathering, names: list[str], scores: list[int]) -> str:
    """An event with one game of people without accounts."""
    event: str = gathering.organiser.post("/api/events", name={"en": "Part"}, rules="tenhou")["id"]
    listed = [{"name": name, "id": name.lower()} for name in names]
    gathering.organiser.post(f"/api/events/{event}/entries/list", entries=listed)
    players = [name.lower() for name in names[:4]]
    body = {"id": "only-game", "stage": "league", "players": players, "scores": scores}
    gathering.organiser.post(f"/api/events/{event}/games", **body)
    return event


def test_a_template_opens_an_event_for_each_part(gathering: Gathering) -> None:
    assert "bgm-2025-season" in gathering.organiser.get("/api/seasons/templates")["templates"]
    season = opened(gathering, template="bgm-2025-season")
    assert (season["cut"], season["mine"]) == (20, True)
    assert [(part["id"], part["ranked"]) for part in season["parts"]] == [
        ("trial", False), ("first_half", True), ("second_half", True), ("final", False),
    ]  # fmt: skip
    assert season["parts"][0]["event_name"]["ko"].startswith("2025년 BGM 시즌")
    trial = gathering.organiser.get(f"/api/events/{season['parts'][0]['event']}")
    assert (trial["rules"], trial["role"]) == ("bgm-2025", "organiser")
    assert (trial["opens"], trial["closes"]) == (None, None)
    listed = gathering.players[0].get("/api/seasons")
    assert season["id"] in [row["id"] for row in listed["seasons"]]
    assert listed["mine"] == []


def test_all_events_of_a_template_open_under_the_rules_that_were_chosen(gathering: Gathering) -> None:
    season = opened(gathering, template="bgm-2025-season", rules="bgm-2025-4")
    events = [gathering.organiser.get(f"/api/events/{part['event']}") for part in season["parts"]]
    assert [event["rules"] for event in events] == ["bgm-2025-4"] * 4
    assert [part["rules_name"] for part in season["parts"]] == [event["rules_name"] for event in events]
    before = gathering.organiser.get("/api/seasons")["mine"]
    body = {"template": "bgm-2025-season", "rules": "nowhere"}
    assert refused(gathering.organiser, "POST", "/api/seasons", **body) == (404, "no_rules")
    assert gathering.organiser.get("/api/seasons")["mine"] == before


def test_the_year_is_that_of_a_season_file(gathering: Gathering) -> None:
    first = event_of(gathering, ["Ann", "Ben", "Cem", "Dan"], POINTS)
    second = event_of(gathering, ["Ben", "ANN", "Eve", "Fay", "Gus"], POINTS)
    trial = event_of(gathering, ["Gus", "Ann", "Ben", "Cem"], POINTS)
    parts = [{"id": "a", "event": first}, {"id": "b", "event": second}]
    season = opened(
        gathering, name={"en": "Year"}, cut=2, parts=[*parts, {"id": "t", "ranked": False, "event": trial}]
    )
    ranking = gathering.players[0].get(f"/api/seasons/{season['id']}/ranking")
    files = {part["id"]: gathering.organiser.get(f"/api/events/{part['event']}/file") for part in parts}
    wanted = season_standings(
        {
            "jantaku_season": 1,
            "cut": 2,
            "parts": [{"id": name, "event": file} for name, file in files.items()],
        }
    )
    got = [(row["rank"], row["name"].lower(), row["points"]) for row in ranking["ranking"]]
    assert got == [(standing.rank, standing.player, standing.points) for standing in wanted.ranking]
    assert {row["name"].lower() for row in ranking["ranking"] if row["finalist"]} == set(wanted.finalists)
    best = ranking["ranking"][0]
    assert sum(entry["points"] for entry in best["entries"]) == best["points"]
    assert standings(event_from(files["a"])).stages["league"][0].player == "ann"


def test_the_best_of_the_year_enter_the_final_by_one_call(gathering: Gathering) -> None:
    path = gathering.path
    body = {"id": "year-game", "stage": "league", "players": gathering.entries, "scores": POINTS}
    gathering.referee.post(f"{path}/games", **body)
    final = gathering.organiser.post("/api/events", name={"en": "Final"}, rules="tenhou")["id"]
    closed = gathering.organiser.http.patch(f"/api/events/{final}", json={"registration": {"open": False}})
    assert closed.status_code == 200
    parts = [{"id": "year", "event": gathering.id}, {"id": "final", "ranked": False, "event": final}]
    season = f"/api/seasons/{opened(gathering, name={'en': 'Year'}, cut=3, parts=parts)['id']}"
    entered = gathering.organiser.post(f"{season}/finalists", part="final")
    assert len(entered["entered"]) == 3
    for person, plays in zip(gathering.players, (True, True, True, False), strict=True):
        entry = person.get(f"/api/events/{final}")["entry"]
        assert (entry is not None and entry["status"] == "playing") == plays
    mine = gathering.players[1].get(f"/api/events/{final}")["entry"]["id"]
    gathering.players[1].post(f"/api/events/{final}/entries/{mine}/withdraw")
    again = gathering.organiser.post(f"{season}/finalists", part="final")
    assert [len(again[name]) for name in ("entered", "there", "left_out")] == [1, 2, 1]
    assert gathering.players[3].get(f"/api/events/{final}")["entry"]["status"] == "playing"  # moves up
    again = gathering.organiser.post(f"{season}/finalists", part="final")
    assert [len(again[name]) for name in ("entered", "there", "left_out")] == [0, 3, 1]


def test_who_may_change_a_season(gathering: Gathering) -> None:
    season = f"/api/seasons/{opened(gathering, name={'en': 'Mine'})['id']}"
    other, theirs = gathering.players[0], [{"id": "a", "event": gathering.id}]
    assert other.get(season)["mine"] is False
    for person, body in ((other, {"cut": 4}), (Person(gathering.url, "guest"), {"cut": 4})):
        answer = person.http.patch(season, json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_organiser")
    assert refused(other, "POST", f"{season}/finalists", part="a") == (403, "not_organiser")
    with_event = {"name": {"en": "Theirs"}, "parts": theirs}
    assert refused(other, "POST", "/api/seasons", **with_event) == (403, "not_organiser")
    assert (
        refused(Person(gathering.url, "guest"), "POST", "/api/seasons", name={"en": "G"})[1]
        == "account_needed"
    )
    changed = gathering.organiser.http.patch(season, json={"parts": theirs, "cut": 7, "revision": 1}).json()
    assert (changed["cut"], [part["event"] for part in changed["parts"]]) == (7, [gathering.id])
    assert gathering.organiser.http.patch(season, json={"cut": None}).json()["cut"] is None
    twice = gathering.organiser.http.patch(
        season, json={"parts": [*theirs, {"id": "b", "event": gathering.id}], "revision": 3}
    )
    assert twice.json()["error"]["code"] == "part_twice"
    assert refused(gathering.organiser, "POST", f"{season}/finalists", part="none") == (404, "no_part")
    assert refused(other, "GET", "/api/seasons/none") == (404, "no_season")


def test_two_organisers_of_a_season_do_not_overwrite_each_other(gathering: Gathering) -> None:
    made = opened(gathering, name={"en": "Year"}, parts=[{"id": "a"}])
    season, seen = f"/api/seasons/{made['id']}", made["revision"]
    http = gathering.organiser.http  # in two windows
    first = http.patch(season, json={"parts": [{"id": "a"}, {"id": "b"}], "revision": seen}).json()
    assert first["revision"] > seen
    tries: list[Message] = [{"parts": [{"id": "c"}]}, {"parts": []}, {"cut": 4}, {"name": {"en": "Other"}}]
    for late in tries:
        answer = http.patch(season, json=late | {"revision": seen})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "season_moved_on")
    blind = http.patch(season, json={"parts": []}).json()
    assert (blind["error"]["code"], blind["error"]["field"]) == ("missing_field", "revision")
    assert http.patch(season, json={"name": {"en": "New"}}).json()["name"] == {"en": "New"}
    reply = gathering.organiser.get(season)
    assert ([part["id"] for part in reply["parts"]], reply["cut"]) == (["a", "b"], None)


def test_hidden_standings_hide_the_year(gathering: Gathering) -> None:
    parts = [{"id": "a", "event": gathering.id}]
    path = f"/api/seasons/{opened(gathering, name={'en': 'Year'}, parts=parts)['id']}/ranking"
    gathering.organiser.http.patch(gathering.path, json={"hidden_standings": True})
    assert refused(gathering.players[0], "GET", path) == (403, "standings_hidden")
    assert gathering.organiser.get(path) == {"cut": None, "ranking": [], "twice": []}


def test_people_without_accounts_who_share_a_name_stay_apart(gathering: Gathering) -> None:
    event = event_of(gathering, ["Kim", "Lee", "Cho", "Ahn"], POINTS)
    gathering.organiser.post(f"/api/events/{event}/entries/list", entries=[{"name": "Kim", "id": "kim-2"}])
    players = ["kim-2", "lee", "cho", "ahn"]
    body = {"id": "second-game", "stage": "league", "players": players, "scores": POINTS}
    gathering.organiser.post(f"/api/events/{event}/games", **body)
    parts = [{"id": "a", "event": event}]
    path = f"/api/seasons/{opened(gathering, name={'en': 'Year'}, parts=parts)['id']}/ranking"
    rows = [row for row in gathering.organiser.get(path)["ranking"] if row["name"].startswith("Kim")]
    assert [row["name"] for row in rows] == ["Kim", "Kim (2)"]
    assert sorted(row["entries"][0]["entry"] for row in rows) == ["kim", "kim-2"]
    gathering.organiser.close()
    member(gathering.url, "last").close()


def test_the_organiser_hears_who_stands_twice_with_and_without_an_account(gathering: Gathering) -> None:
    """Whoever registers under a name of the list is somebody else until the organiser merges them."""
    first = event_of(gathering, ["Lee", "Kim", "Cho", "Ahn"], POINTS)
    opening = {"name": {"en": "Part"}, "rules": "tenhou", "registration": {"open": True}}
    second: str = gathering.organiser.post("/api/events", **opening)["id"]
    lee = member(gathering.url, "Lee")
    lee.post(f"/api/events/{second}/entries", name="Lee")
    listed = [{"name": name, "id": name.lower()} for name in ("Kim", "Cho", "Ahn")]
    entries = gathering.organiser.post(f"/api/events/{second}/entries/list", entries=listed)["entries"]
    players = [entry["id"] for entry in entries]
    body = {"id": "only-game", "stage": "league", "players": players, "scores": POINTS}
    gathering.organiser.post(f"/api/events/{second}/games", **body)
    parts = [{"id": "a", "event": first}, {"id": "b", "event": second}]
    season = f"/api/seasons/{opened(gathering, name={'en': 'Year'}, parts=parts)['id']}"
    ranking = gathering.organiser.get(f"{season}/ranking")
    assert ranking["twice"] == ["Lee"]
    assert [one.get(f"{season}/ranking")["twice"] for one in (gathering.players[0], lee)] == [[], []]
    lees = [row for row in ranking["ranking"] if row["name"].startswith("Lee")]
    assert [(row["name"], len(row["entries"])) for row in lees] == [("Lee", 1), ("Lee (2)", 1)]
    people = {one["name"]: one for one in gathering.organiser.get(f"{season}/people")["people"]}
    merged = f"{season}/people/{people['Lee (2)']['player']}/merge"
    after = gathering.organiser.post(merged, into=people["Lee"]["player"])["people"]
    assert [(one["name"], one["account"], len(one["entries"])) for one in after if "Lee" in one["name"]] == [
        ("Lee", True, 2)
    ]
    best = lee.get(f"{season}/ranking")["ranking"][0]
    assert (best["name"], best["mine"], best["points"]) == ("Lee", True, 2 * lees[0]["points"])
    assert gathering.organiser.get(f"{season}/ranking")["twice"] == []


def test_who_only_registers_does_not_qualify(gathering: Gathering) -> None:
    event = event_of(gathering, ["Kim", "Lee", "Cho", "Ahn", "Han"], POINTS)
    parts = [{"id": "a", "event": event}]
    season = f"/api/seasons/{opened(gathering, name={'en': 'Year'}, cut=4, parts=parts)['id']}"
    rows = gathering.organiser.get(f"{season}/ranking")["ranking"]
    assert [(row["name"], row["finalist"]) for row in rows] == [
        ("Kim", True), ("Lee", True), ("Cho", True), ("Ahn", True),
    ]  # fmt: skip


def test_a_cancelled_event_does_not_count_for_the_year(gathering: Gathering) -> None:
    held, called_off = (event_of(gathering, ["Kim", "Lee", "Cho", "Ahn"], POINTS) for _ in range(2))
    parts = [{"id": "a", "event": held}, {"id": "b", "event": called_off}]
    season = f"/api/seasons/{opened(gathering, name={'en': 'Year'}, parts=parts)['id']}"
    before = gathering.organiser.get(f"{season}/ranking")["ranking"]
    gathering.organiser.post(f"/api/events/{called_off}/status", status="cancelled", why="no hall")
    after = gathering.organiser.get(f"{season}/ranking")["ranking"]
    assert [row["points"] * 2 for row in after] == [row["points"] for row in before]
    assert [part["status"] for part in gathering.organiser.get(season)["parts"]] == ["open", "cancelled"]


def test_a_season_tells_each_reader_of_its_parts(gathering: Gathering) -> None:
    """Dates, whether standings are hidden, and the reader's own role, part and row."""
    stages = [{"id": "league", "opens": "2026-03-01T00:00:00Z", "closes": "2026-03-15T00:00:00Z"}]
    gathering.organiser.http.patch(gathering.path, json={"stages": stages})
    body = {"id": "own-game", "stage": "league", "players": gathering.entries, "scores": POINTS}
    gathering.referee.post(f"{gathering.path}/games", **body)
    parts = [{"id": "a", "event": gathering.id}, {"id": "later"}]
    season = f"/api/seasons/{opened(gathering, name={'en': 'Year'}, parts=parts)['id']}"
    first, later = gathering.players[1].get(season)["parts"]
    assert (first["opens"], first["closes"]) == (stages[0]["opens"], stages[0]["closes"])
    assert (first["role"], first["plays"], first["hidden"]) == (None, True, False)
    assert (later["status"], later["opens"], later["plays"]) == (None, None, False)
    assert gathering.referee.get(season)["parts"][0]["role"] == "referee"
    rows = gathering.players[1].get(f"{season}/ranking")["ranking"]
    assert [row["mine"] for row in rows] == [False, True, False, False]
    assert not any(row["mine"] for row in gathering.organiser.get(f"{season}/ranking")["ranking"])
    gathering.organiser.http.patch(gathering.path, json={"hidden_standings": True})
    assert gathering.players[1].get(season)["parts"][0]["hidden"] is True
    gathering.organiser.post(f"{gathering.path}/status", status="closed")
    assert gathering.players[1].get(season)["parts"][0]["hidden"] is False


def test_an_event_names_its_seasons(gathering: Gathering) -> None:
    """A season that not everybody finds is named to those who play in the event or run it."""
    parts = [{"id": "a", "event": gathering.id}]
    season = opened(gathering, name={"en": "Year"}, parts=parts, listed=False)
    named = [{"id": season["id"], "name": {"en": "Year"}}]
    outside = Person(gathering.url, "spectator")
    for person, wanted in ((gathering.organiser, named), (gathering.players[0], named), (outside, [])):
        assert person.get(gathering.path)["seasons"] == wanted
    gathering.organiser.http.patch(f"/api/seasons/{season['id']}", json={"listed": True})
    assert outside.get(gathering.path)["seasons"] == named
    gathering.organiser.http.patch(f"/api/seasons/{season['id']}", json={"parts": [], "revision": 2})
    assert outside.get(gathering.path)["seasons"] == []


def test_a_list_of_events_tells_my_role(gathering: Gathering) -> None:
    for person, role in (
        (gathering.organiser, "organiser"),
        (gathering.referee, "referee"),
        (gathering.players[0], None),
    ):
        mine = {event["id"]: event["role"] for event in person.get("/api/events")["mine"]}
        assert mine[gathering.id] == role


def test_a_year_counts_by_its_rules_and_the_best_bring_points_into_the_final(gathering: Gathering) -> None:
    """Attendance, bonuses, fewest games and a share by rule; the points that people bring follow the year."""
    organiser = gathering.organiser
    first = event_of(gathering, ["Ann", "Ben", "Cem", "Dan"], POINTS)
    second = event_of(gathering, ["Ann", "Ben", "Cem", "Eve"], POINTS[::-1])
    final = organiser.post("/api/events", name={"en": "Final"}, rules="tenhou")["id"]
    parts: list[dict[str, Any]] = [
        {"id": "a", "event": first, "share": 0.5},
        {"id": "b", "event": second},
        {"id": "final", "ranked": False, "event": final, "brings": 0.5},
    ]
    counting: dict[str, Any] = {
        "min_games": 2, "bonus": [5000, 3000], "unit": 1000, "rounding": "down",
        "attendance": {"points": 500, "per": "day", "most": 1, "zone": "Asia/Seoul"},
    }  # fmt: skip
    nowhere = counting | {"attendance": counting["attendance"] | {"zone": "Seoul"}}
    answer = organiser.http.post("/api/seasons", json={"parts": parts, "counting": nowhere})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "counting.attendance.zone")
    season = opened(gathering, name={"en": "Year"}, cut=2, parts=parts, counting=counting)
    assert season["counting"] == counting
    path = f"/api/seasons/{season['id']}"
    rows = organiser.get(f"{path}/ranking")["ranking"]
    files = {part["id"]: organiser.get(f"/api/events/{part['event']}/file") for part in parts}
    filed = [
        {name: part[name] for name in ("id", "share", "ranked", "brings") if name in part}
        | {"event": files[part["id"]]}
        for part in parts
    ]
    year = {"jantaku_season": 1, "cut": 2, "counting": counting, "parts": filed}
    wanted = season_standings(year)
    assert [(row["name"].lower(), row["points"], row["qualified"]) for row in rows] == [
        (standing.player, standing.points, standing.qualified) for standing in wanted.ranking
    ]
    assert [row["qualified"] for row in rows] == [True, True, True, False, False]
    assert all(
        row["points"] == sum(e["points"] for e in row["entries"]) + row["attendance"] + row["bonus"]
        for row in rows
    )
    organiser.post(f"{path}/finalists", part="final")
    carried = {row["name"]: row["points"] for row in rows[:2]}

    def brought() -> dict[str, int]:
        body = organiser.get(f"/api/events/{final}/standings")
        return {
            body["names"][standing["player"]]: standing["carried"]
            for standing in body["stages"][0]["standings"]
        }

    assert brought() == {name: points // 2 // 1000 * 1000 for name, points in carried.items()}
    again = organiser.get(f"/api/events/{final}/file")
    assert {player["name"]: player["brought"] for player in again["players"]} == brought()
    copied = organiser.post("/api/events/import", file=again)["id"]
    assert organiser.get(f"/api/events/{copied}/file")["players"] == again["players"]
    parts[2]["brings"] = 0
    body = {"parts": parts, "revision": organiser.get(path)["revision"]}
    assert organiser.http.patch(path, json=body).status_code == 200
    organiser.post(f"{path}/finalists", part="final")
    assert set(brought().values()) == {0}


def test_parts_of_a_template_may_have_rules_of_their_own(gathering: Gathering) -> None:
    body: dict[str, Any] = {
        "template": "bgm-2025-season",
        "rules": "bgm-2025",
        "part_rules": {"final": "wrc"},
    }
    rules = [part["rules"] for part in opened(gathering, **body)["parts"]]
    assert rules == ["bgm-2025", "bgm-2025", "bgm-2025", "wrc"]
    body["part_rules"] = {"final": "nowhere"}
    assert refused(gathering.organiser, "POST", "/api/seasons", **body) == (404, "no_rules")

"""Seasons: opened from a template, ranked over their events, and their best entered into the final."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from jantaku.club import event_from, season_standings, standings
from jantaku.rules import load
from jantaku.terms import text
from naive.club import half_away, stage_of
from server.clubs import Gathering, PaperClub, member, refused
from server.parlour import Message, Person
from support.club_games import random_game

POINTS = [40000, 30000, 20000, 10000]


def opened(gathering: Gathering, **body: Any) -> Message:
    season: Message = gathering.organiser.post("/api/seasons", **body)
    return season


def event_of(gathering: Gathering, names: list[str], scores: list[int]) -> str:
    """An event with one game of people without accounts."""
    event: str = gathering.organiser.post("/api/events", name="Part", rules="tenhou")["id"]
    listed = [{"name": name, "id": name.lower()} for name in names]
    gathering.organiser.post(f"/api/events/{event}/entries/list", entries=listed)
    players = [name.lower() for name in names[:4]]
    body = {"id": "only-game", "stage": "league", "players": players, "scores": scores}
    gathering.organiser.post(f"/api/events/{event}/games", **body)
    return event


@pytest.mark.slow
def test_a_template_opens_an_event_for_each_part(gathering: Gathering) -> None:
    assert "bgm-2025-season" in gathering.organiser.get("/api/seasons/templates")["templates"]
    season = opened(gathering, template="bgm-2025-season")
    assert (season["cut"], season["mine"]) == (20, True)
    assert [(part["id"], part["ranked"]) for part in season["parts"]] == [
        ("trial", False), ("first_half", True), ("second_half", True), ("final", False),
    ]  # fmt: skip
    assert season["parts"][0]["event_name"].startswith(f"{season['name']} · ")
    trial = gathering.organiser.get(f"/api/events/{season['parts'][0]['event']}")
    assert (trial["rules"], trial["role"]) == ("bgm-2025", "organiser")
    assert (trial["opens"], trial["closes"]) == (None, None)
    listed = gathering.players[0].get("/api/seasons")
    assert season["id"] in [row["id"] for row in listed["seasons"]]
    assert listed["mine"] == []


@pytest.mark.slow
def test_all_events_of_a_template_open_under_the_rules_that_were_chosen(gathering: Gathering) -> None:
    season = opened(gathering, template="bgm-2025-season", rules="bgm-2025-4")
    events = [gathering.organiser.get(f"/api/events/{part['event']}") for part in season["parts"]]
    assert [event["rules"] for event in events] == ["bgm-2025-4"] * 4
    assert [part["rules_name"] for part in season["parts"]] == [event["rules_name"] for event in events]
    before = gathering.organiser.get("/api/seasons")["mine"]
    body = {"template": "bgm-2025-season", "rules": "nowhere"}
    assert refused(gathering.organiser, "POST", "/api/seasons", **body) == (404, "no_rules")
    assert gathering.organiser.get("/api/seasons")["mine"] == before


@pytest.mark.slow
def test_the_year_is_that_of_a_season_file(gathering: Gathering) -> None:
    first = event_of(gathering, ["Ann", "Ben", "Cem", "Dan"], POINTS)
    second = event_of(gathering, ["Ben", "ANN", "Eve", "Fay", "Gus"], POINTS)
    trial = event_of(gathering, ["Gus", "Ann", "Ben", "Cem"], POINTS)
    parts = [{"id": "a", "event": first}, {"id": "b", "event": second}]
    season = opened(
        gathering, name="Year", cut=2, parts=[*parts, {"id": "t", "ranked": False, "event": trial}]
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


@pytest.mark.slow
def test_the_best_of_the_year_enter_the_final_by_one_call(gathering: Gathering) -> None:
    path = gathering.path
    body = {"id": "year-game", "stage": "league", "players": gathering.entries, "scores": POINTS}
    gathering.referee.post(f"{path}/games", **body)
    final = gathering.organiser.post("/api/events", name="Final", rules="tenhou")["id"]
    closed = gathering.organiser.http.patch(f"/api/events/{final}", json={"registration": {"open": False}})
    assert closed.status_code == 200
    parts = [{"id": "year", "event": gathering.id}, {"id": "final", "ranked": False, "event": final}]
    season = f"/api/seasons/{opened(gathering, name='Year', cut=3, parts=parts)['id']}"
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


@pytest.mark.slow
def test_who_may_change_a_season(gathering: Gathering) -> None:
    season = f"/api/seasons/{opened(gathering, name='Mine')['id']}"
    other, theirs = gathering.players[0], [{"id": "a", "event": gathering.id}]
    assert other.get(season)["mine"] is False
    for person, body in ((other, {"cut": 4}), (Person(gathering.url, "guest"), {"cut": 4})):
        answer = person.http.patch(season, json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_organiser")
    assert refused(other, "POST", f"{season}/finalists", part="a") == (403, "not_organiser")
    with_event = {"name": "Theirs", "parts": theirs}
    assert refused(other, "POST", "/api/seasons", **with_event) == (403, "not_organiser")
    assert refused(Person(gathering.url, "guest"), "POST", "/api/seasons", name="G")[1] == "account_needed"
    changed = gathering.organiser.http.patch(season, json={"parts": theirs, "cut": 7, "revision": 1}).json()
    assert (changed["cut"], [part["event"] for part in changed["parts"]]) == (7, [gathering.id])
    assert gathering.organiser.http.patch(season, json={"cut": None}).json()["cut"] is None
    twice = gathering.organiser.http.patch(
        season, json={"parts": [*theirs, {"id": "b", "event": gathering.id}], "revision": 3}
    )
    assert twice.json()["error"]["code"] == "part_twice"
    assert refused(gathering.organiser, "POST", f"{season}/finalists", part="none") == (404, "no_part")
    assert refused(other, "GET", "/api/seasons/none") == (404, "no_season")


@pytest.mark.slow
def test_two_organisers_of_a_season_do_not_overwrite_each_other(gathering: Gathering) -> None:
    made = opened(gathering, name="Year", parts=[{"id": "a"}])
    season, seen = f"/api/seasons/{made['id']}", made["revision"]
    http = gathering.organiser.http  # in two windows
    first = http.patch(season, json={"parts": [{"id": "a"}, {"id": "b"}], "revision": seen}).json()
    assert first["revision"] > seen
    tries: list[Message] = [{"parts": [{"id": "c"}]}, {"parts": []}, {"cut": 4}, {"name": "Other"}]
    for late in tries:
        answer = http.patch(season, json=late | {"revision": seen})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "season_moved_on")
    blind = http.patch(season, json={"parts": []}).json()
    assert (blind["error"]["code"], blind["error"]["field"]) == ("missing_field", "revision")
    assert http.patch(season, json={"name": "New"}).json()["name"] == "New"
    reply = gathering.organiser.get(season)
    assert ([part["id"] for part in reply["parts"]], reply["cut"]) == (["a", "b"], None)


@pytest.mark.slow
def test_hidden_standings_hide_the_year(gathering: Gathering) -> None:
    parts = [{"id": "a", "event": gathering.id}]
    path = f"/api/seasons/{opened(gathering, name='Year', parts=parts)['id']}/ranking"
    gathering.organiser.http.patch(gathering.path, json={"hidden_standings": True})
    assert refused(gathering.players[0], "GET", path) == (403, "standings_hidden")
    assert gathering.organiser.get(path) == {"cut": None, "ranking": [], "twice": []}


@pytest.mark.slow
def test_people_without_accounts_who_share_a_name_stay_apart(gathering: Gathering) -> None:
    event = event_of(gathering, ["Kim", "Lee", "Cho", "Ahn"], POINTS)
    gathering.organiser.post(f"/api/events/{event}/entries/list", entries=[{"name": "Kim", "id": "kim-2"}])
    players = ["kim-2", "lee", "cho", "ahn"]
    body = {"id": "second-game", "stage": "league", "players": players, "scores": POINTS}
    gathering.organiser.post(f"/api/events/{event}/games", **body)
    parts = [{"id": "a", "event": event}]
    path = f"/api/seasons/{opened(gathering, name='Year', parts=parts)['id']}/ranking"
    rows = [row for row in gathering.organiser.get(path)["ranking"] if row["name"].startswith("Kim")]
    assert [row["name"] for row in rows] == ["Kim", "Kim (2)"]
    assert sorted(row["entries"][0]["entry"] for row in rows) == ["kim", "kim-2"]
    gathering.organiser.close()
    member(gathering.url, "last").close()


@pytest.mark.slow
def test_the_organiser_hears_who_stands_twice_with_and_without_an_account(gathering: Gathering) -> None:
    """Whoever registers under a name of the list is somebody else until the organiser merges them."""
    first = event_of(gathering, ["Lee", "Kim", "Cho", "Ahn"], POINTS)
    opening = {"name": "Part", "rules": "tenhou", "registration": {"open": True}}
    second: str = gathering.organiser.post("/api/events", **opening)["id"]
    lee = member(gathering.url, "Lee")
    lee.post(f"/api/events/{second}/entries", name="Lee")
    listed = [{"name": name, "id": name.lower()} for name in ("Kim", "Cho", "Ahn")]
    entries = gathering.organiser.post(f"/api/events/{second}/entries/list", entries=listed)["entries"]
    players = [entry["id"] for entry in entries]
    body = {"id": "only-game", "stage": "league", "players": players, "scores": POINTS}
    gathering.organiser.post(f"/api/events/{second}/games", **body)
    parts = [{"id": "a", "event": first}, {"id": "b", "event": second}]
    season = f"/api/seasons/{opened(gathering, name='Year', parts=parts)['id']}"
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


@pytest.mark.slow
def test_who_only_registers_does_not_qualify(gathering: Gathering) -> None:
    event = event_of(gathering, ["Kim", "Lee", "Cho", "Ahn", "Han"], POINTS)
    parts = [{"id": "a", "event": event}]
    season = f"/api/seasons/{opened(gathering, name='Year', cut=4, parts=parts)['id']}"
    rows = gathering.organiser.get(f"{season}/ranking")["ranking"]
    assert [(row["name"], row["finalist"]) for row in rows] == [
        ("Kim", True), ("Lee", True), ("Cho", True), ("Ahn", True),
    ]  # fmt: skip


@pytest.mark.slow
def test_a_cancelled_event_does_not_count_for_the_year(gathering: Gathering) -> None:
    held, called_off = (event_of(gathering, ["Kim", "Lee", "Cho", "Ahn"], POINTS) for _ in range(2))
    parts = [{"id": "a", "event": held}, {"id": "b", "event": called_off}]
    season = f"/api/seasons/{opened(gathering, name='Year', parts=parts)['id']}"
    before = gathering.organiser.get(f"{season}/ranking")["ranking"]
    gathering.organiser.post(f"/api/events/{called_off}/status", status="cancelled", why="no hall")
    after = gathering.organiser.get(f"{season}/ranking")["ranking"]
    assert [row["points"] * 2 for row in after] == [row["points"] for row in before]
    assert [part["status"] for part in gathering.organiser.get(season)["parts"]] == ["open", "cancelled"]


@pytest.mark.slow
def test_a_season_tells_each_reader_of_its_parts(gathering: Gathering) -> None:
    """Dates, whether standings are hidden, and the reader's own role, part and row."""
    stages = [{"id": "league", "opens": "2026-03-01T00:00:00Z", "closes": "2026-03-15T00:00:00Z"}]
    gathering.organiser.http.patch(gathering.path, json={"stages": stages})
    body = {"id": "own-game", "stage": "league", "players": gathering.entries, "scores": POINTS}
    gathering.referee.post(f"{gathering.path}/games", **body)
    parts = [{"id": "a", "event": gathering.id}, {"id": "later"}]
    season = f"/api/seasons/{opened(gathering, name='Year', parts=parts)['id']}"
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


@pytest.mark.slow
def test_an_event_names_its_seasons(gathering: Gathering) -> None:
    """A season that not everybody finds is named to those who play in the event or run it."""
    parts = [{"id": "a", "event": gathering.id}]
    season = opened(gathering, name="Year", parts=parts, listed=False)
    named = [{"id": season["id"], "name": "Year"}]
    outside = Person(gathering.url, "spectator")
    for person, wanted in ((gathering.organiser, named), (gathering.players[0], named), (outside, [])):
        assert person.get(gathering.path)["seasons"] == wanted
    gathering.organiser.http.patch(f"/api/seasons/{season['id']}", json={"listed": True})
    assert outside.get(gathering.path)["seasons"] == named
    gathering.organiser.http.patch(f"/api/seasons/{season['id']}", json={"parts": [], "revision": 2})
    assert outside.get(gathering.path)["seasons"] == []


@pytest.mark.slow
def test_a_list_of_events_tells_my_role(gathering: Gathering) -> None:
    for person, role in (
        (gathering.organiser, "organiser"),
        (gathering.referee, "referee"),
        (gathering.players[0], None),
    ):
        mine = {event["id"]: event["role"] for event in person.get("/api/events")["mine"]}
        assert mine[gathering.id] == role


@pytest.mark.slow
def test_a_year_counts_by_its_rules_and_the_best_bring_points_into_the_final(gathering: Gathering) -> None:
    """Fewest games and a share; the points that people bring follow the year."""
    organiser = gathering.organiser
    first = event_of(gathering, ["Ann", "Ben", "Cem", "Dan"], POINTS)
    second = event_of(gathering, ["Ann", "Ben", "Cem", "Eve"], POINTS[::-1])
    final = organiser.post("/api/events", name="Final", rules="tenhou")["id"]
    parts: list[dict[str, Any]] = [
        {"id": "a", "event": first, "share": 0.5},
        {"id": "b", "event": second},
        {"id": "final", "ranked": False, "event": final, "brings": 0.5},
    ]
    season = opened(gathering, name="Year", cut=2, parts=parts, min_games=2)
    assert season["min_games"] == 2
    path = f"/api/seasons/{season['id']}"
    rows = organiser.get(f"{path}/ranking")["ranking"]
    files = {part["id"]: organiser.get(f"/api/events/{part['event']}/file") for part in parts}
    filed = [
        {name: part[name] for name in ("id", "share", "ranked", "brings") if name in part}
        | {"event": files[part["id"]]}
        for part in parts
    ]
    year = {"jantaku_season": 1, "cut": 2, "min_games": 2, "parts": filed}
    wanted = season_standings(year)
    assert [(row["name"].lower(), row["points"], row["qualified"]) for row in rows] == [
        (standing.player, standing.points, standing.qualified) for standing in wanted.ranking
    ]
    assert [row["qualified"] for row in rows] == [True, True, True, False, False]
    assert all(row["points"] == sum(entry["points"] for entry in row["entries"]) for row in rows)
    organiser.post(f"{path}/finalists", part="final")
    carried = {row["name"]: row["points"] for row in rows if row["finalist"]}

    def brought() -> dict[str, int]:
        body = organiser.get(f"/api/events/{final}/standings")
        return {
            body["names"][standing["player"]]: standing["carried"]
            for standing in body["stages"][0]["standings"]
        }

    assert brought() == {name: points // 2 for name, points in carried.items()}
    again = organiser.get(f"/api/events/{final}/file")
    assert {player["name"]: player["brought"] for player in again["players"]} == brought()
    copied = organiser.post("/api/events/import", file=again)["id"]
    assert organiser.get(f"/api/events/{copied}/file")["players"] == again["players"]
    parts[2]["brings"] = 0
    body = {"parts": parts, "revision": organiser.get(path)["revision"]}
    assert organiser.http.patch(path, json=body).status_code == 200
    organiser.post(f"{path}/finalists", part="final")
    assert set(brought().values()) == {0}


@pytest.mark.slow
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


# A season has one list of people: whole seasons by requests, counted by a naive program


OPEN: Message = {"registration": {"open": True}}
UMA = (40000, 10000, -10000, -20000)  # of the rules, with the oka of the first place
NAMES = [f"P{i:02}" for i in range(9)]


class Season:
    """A season of events without anybody in them; ``points`` is the naive count of the year by person."""

    def __init__(self, url: str, parts: int, **more: Any) -> None:
        self.url, self.organiser = url, member(url, "season organiser")
        self.events = [self.event(i) for i in range(parts)]
        self.final = self.event(parts)
        rows: list[dict[str, Any]] = [{"id": f"p{i}", "event": event} for i, event in enumerate(self.events)]
        rows.append({"id": "final", "event": self.final, "ranked": False})
        made = self.organiser.post("/api/seasons", name="Year", parts=rows, **more)
        self.path = f"/api/seasons/{made['id']}"
        self.points: defaultdict[str, int] = defaultdict(int)

    def event(self, number: int) -> str:
        made = self.organiser.post("/api/events", name=f"Part {number}", rules="tenhou", **OPEN)
        return str(made["id"])

    def add(self, event: str, *people: Message) -> list[Message]:
        """Register people, and return all entries of the event."""
        path, again = f"/api/events/{event}/entries/list", {"Once": "0"}
        answer = self.organiser.http.post(path, json={"entries": list(people)}, headers=again)
        assert answer.status_code == 200, answer.text
        return list(answer.json()["entries"])

    def entries(self, event: str) -> list[Message]:
        return list(self.organiser.get(f"/api/events/{event}/entries")["entries"])

    def earlier(self, event: str, into: str) -> list[Message]:
        """Register everybody from an earlier event."""
        people = [
            {
                "name": entry["called"],
                "team": entry["team"],
                "earlier": {"event": event, "entry": entry["id"]},
            }
            for entry in self.entries(event)
        ]
        return self.add(into, *people)

    def play(self, event: str, game: str, who: dict[str, str], scores: list[int]) -> None:
        """A game by entries and the people behind them; its points are counted by hand."""
        body = {"id": f"game-of-{game}", "stage": "league", "players": list(who), "scores": scores}
        self.organiser.post(f"/api/events/{event}/games", **body)
        uma = dict(zip(sorted(scores, reverse=True), UMA, strict=True))
        for score, person in zip(scores, who.values(), strict=True):
            self.points[person] += score - 30000 + uma[score]

    def claim(self, event: str, entry: str, who: Person) -> None:
        cards = self.organiser.get(f"/api/events/{event}/cards")["cards"]
        card = next(row["card"] for row in cards if row["entry"] == entry)
        assert who.post(f"/api/events/{event}/entries/{entry}/claim", card=card)["state"] == "taken"

    def ranking(self, who: Person | None = None) -> list[Message]:
        return list((who or self.organiser).get(f"{self.path}/ranking")["ranking"])

    def people(self) -> dict[str, Message]:
        return {one["name"]: one for one in self.organiser.get(f"{self.path}/people")["people"]}


@pytest.fixture
def three(url: str) -> Iterator[Season]:
    season = Season(url, 3, cut=4)
    yield season
    season.organiser.close()


def named(*names: str) -> list[Message]:
    return [{"name": name} for name in names]


def ids(entries: list[Message]) -> dict[str, str]:
    return {entry["called"]: entry["id"] for entry in entries if entry["status"] != "merged"}


def test_who_claims_a_name_is_one_person_in_all_events(three: Season) -> None:
    """Claimed before the next event takes people over, after it, and by a guest's phone."""
    first = ids(three.add(three.events[0], *named("Kim", "Lee", "Cho", "Ahn")))
    with ExitStack() as stack:
        kim = stack.enter_context(closing(Person(three.url, "guest on a phone")))
        lee = stack.enter_context(closing(member(three.url, "somebody")))
        three.claim(three.events[0], first["Kim"], kim)
        second = ids(three.earlier(three.events[0], three.events[1]))
        third = ids(three.add(three.events[2], *named("Ahn", "Cho", "Lee", "Kim")))
        three.claim(three.events[2], third["Lee"], lee)
        for i, entries in enumerate((first, second, third)):
            scores = [40000, 30000, 20000, 10000]
            who = {entries[name]: name for name in ("Kim", "Lee", "Cho", "Ahn")}
            three.play(three.events[i], f"game-{i}", who, scores)
        for event, entries in zip(three.events, (first, second, third), strict=True):
            assert kim.get(f"/api/events/{event}")["entry"]["id"] == entries["Kim"]
            assert lee.get(f"/api/events/{event}")["entry"]["id"] == entries["Lee"]
        rows = three.ranking(kim)
        assert {row["name"]: row["points"] for row in rows} == three.points
        assert [(len(row["entries"]), row["mine"]) for row in rows] == [(3, True)] + [(3, False)] * 3
        claims = three.organiser.get(f"/api/events/{three.events[0]}/claims")["claims"]
        three.organiser.post(f"/api/events/{three.events[0]}/claims/{claims[0]['number']}", state="undone")
        assert all(kim.get(f"/api/events/{event}")["entry"] is None for event in three.events)
        assert len(three.ranking()) == 4


def test_namesakes_have_one_label_in_every_event_the_season_the_final_and_files(three: Season) -> None:
    first = ids(three.add(three.events[0], *named("Kim", "Kim", "Lee", "Cho")))
    people = [
        {"name": "Kim (2)", "earlier": {"event": three.events[0], "entry": first["Kim (2)"]}},
        *named("Ahn", "Lee", "Cho"),
    ]
    second = ids(three.add(three.events[1], *people))
    assert set(second) == {"Kim (2)", "Ahn", "Lee", "Cho"}
    third = ids(three.add(three.events[2], *named("Kim (2)", "Lee", "Cho", "Ahn")))
    assert set(third) == {"Kim (2)", "Lee", "Cho", "Ahn"}
    three.play(three.events[0], "one", {first[name]: name for name in first}, [10000, 40000, 30000, 20000])
    three.play(three.events[1], "two", {second[name]: name for name in second}, [40000, 30000, 20000, 10000])
    three.play(three.events[2], "tri", {third[name]: name for name in third}, [40000, 30000, 20000, 10000])
    rows = {row["name"]: row["points"] for row in three.ranking()}
    assert rows == three.points
    three.organiser.post(f"{three.path}/finalists", part="final")
    assert "Kim (2)" in ids(three.entries(three.final))
    for event in (three.events[1], three.events[2]):
        assert "Kim (2)" in three.organiser.get(f"/api/events/{event}/standings")["names"].values()
        page = three.organiser.http.get(f"/api/events/{event}/export?format=html").text
        assert "Kim (2)" in page
    files = [three.organiser.get(f"/api/events/{event}/file") for event in three.events]
    parts = [{"id": f"p{i}", "event": file} for i, file in enumerate(files)]
    year = season_standings({"jantaku_season": 1, "parts": parts})
    assert {year.names[row.player]: row.points for row in year.ranking} == three.points
    moved = [three.organiser.post("/api/events/import", file=file)["id"] for file in files]
    rows2 = [{"id": f"p{i}", "event": event} for i, event in enumerate(moved)]
    again = three.organiser.post("/api/seasons", name="Moved", parts=rows2)
    ranking = three.organiser.get(f"/api/seasons/{again['id']}/ranking")["ranking"]
    assert {row["name"]: row["points"] for row in ranking} == three.points


def test_an_organiser_merges_renames_and_separates_once(three: Season) -> None:
    entries = [ids(three.add(event, *named("Kim", "Min", "Lee", "Cho"))) for event in three.events[:2]]
    for i, here in enumerate(entries):
        who = {here[name]: name for name in ("Kim", "Lee", "Cho", "Min")}
        three.play(three.events[i], f"g{i}", who, [40000, 30000, 20000, 10000])
    late = ids(three.add(three.events[2], *named("Kim Min-su", "Lee", "Cho", "Min")))
    who = {late[name]: name for name in ("Kim Min-su", "Lee", "Cho", "Min")}
    three.play(three.events[2], "g2", who, [40000, 30000, 20000, 10000])
    assert len(three.ranking()) == 5
    people = three.people()
    merge = f"{three.path}/people/{{}}/merge"
    refusal = refused(
        three.organiser, "POST", merge.format(people["Kim"]["player"]), into=people["Min"]["player"]
    )
    assert refusal == (409, "entries_differ")  # they sat at one table
    three.organiser.post(merge.format(people["Kim Min-su"]["player"]), into=people["Kim"]["player"])
    three.points["Kim"] += three.points.pop("Kim Min-su")
    assert {row["name"]: row["points"] for row in three.ranking()} == three.points
    path = f"/api/events/{three.events[1]}/entries/{entries[1]['Kim']}"
    three.organiser.http.patch(path, json={"name": "Kim Minsu"}).raise_for_status()
    assert all("Kim Minsu" in ids(three.entries(event)) for event in three.events)
    one = three.people()["Kim Minsu"]
    three.organiser.post(f"{three.path}/people/{one['player']}/separate", part="p2")
    names = [row["name"] for row in three.ranking()]
    assert {"Kim Minsu", "Kim Minsu (2)"} < set(names)
    assert "Kim Minsu (2)" in ids(three.entries(three.events[2]))


def test_registering_twice_from_an_earlier_event_adds_nobody_twice(three: Season) -> None:
    first = three.add(three.events[0], *named("Kim", "Lee"), {"name": "Kim", "country": "KOR"})
    once = ids(three.earlier(three.events[0], three.events[1]))
    assert ids(three.earlier(three.events[0], three.events[1])) == once
    assert set(once) == {"Kim", "Kim (2)", "Lee"} == set(ids(first))
    names = three.organiser.get(f"/api/events/{three.events[1]}/names")["names"]
    assert [(row["entry"], row["country"]) for row in names] == [(once["Kim (2)"], "KR")]
    other = PaperClub(three.url)
    taken = {"name": "Kim", "earlier": {"event": three.events[0], "entry": first[0]["id"]}}
    assert refused(other.organiser, "POST", f"{other.path}/entries/list", entries=[taken])[0] == 403


def test_a_finalist_who_withdraws_makes_room_and_zero_points_rank(three: Season) -> None:
    three.organiser.http.patch(three.path, json={"cut": 2}).raise_for_status()
    parts = three.organiser.get(three.path)
    rows = [{name: part[name] for name in ("id", "ranked", "event")} for part in parts["parts"]]
    rows[-1]["brings"] = 0.5
    three.organiser.http.patch(
        three.path, json={"parts": rows, "revision": parts["revision"]}
    ).raise_for_status()
    here = ids(three.add(three.events[0], *named("A", "B", "C", "D")))
    event = three.events[0]
    three.play(event, "g", {here[name]: name for name in "ABCD"}, [40000, 30000, 20000, 10000])
    body = {"stage": "league", "entry": here["B"], "points": -three.points["B"], "why": "late"}
    three.organiser.post(f"/api/events/{event}/penalties", **body)
    assert three.organiser.post(f"{three.path}/finalists", part="final")["entered"] == ["A", "B"]
    standings = three.organiser.get(f"/api/events/{three.final}/standings")["stages"][0]["standings"]
    assert [(row["rank"], row["carried"]) for row in standings] == [(1, three.points["A"] // 2), (2, 0)]
    final = ids(three.entries(three.final))
    three.organiser.post(f"/api/events/{three.final}/entries/{final['A']}/withdraw")
    again = three.organiser.post(f"{three.path}/finalists", part="final")
    assert again == {"entered": ["C"], "there": ["B"], "left_out": ["A"]}
    marks = {row["name"]: (row["finalist"], row["withdrawn"]) for row in three.ranking()}
    assert marks == {"A": (False, True), "B": (True, False), "C": (True, False), "D": (False, False)}


def test_a_deleted_person_has_one_label_in_the_whole_season(three: Season) -> None:
    """Their places in the lists differ, and somebody else was deleted in an event beside it."""
    first = ids(three.add(three.events[0], *named("Kim", "Lee", "Cho", "Ahn")))
    second = ids(three.add(three.events[1], *named("Ahn", "Cho", "Lee", "Kim", "Min")))
    who = {first[name]: name for name in first}
    three.play(three.events[0], "g0", who, [40000, 30000, 20000, 10000])
    three.play(three.events[1], "g1", {second[name]: name for name in first}, [40000, 30000, 20000, 10000])
    for event, entry in ((three.events[1], second["Min"]), (three.events[0], first["Lee"])):
        path = f"/api/events/{event}/entries/{entry}/erase"
        confirm = three.organiser.post(path, everywhere=True)["confirm"]
        assert three.organiser.post(path, everywhere=True, confirm=confirm)["done"]
    shown = [
        ids(three.organiser.get(f"/api/events/{event}/entries")["entries"]) for event in three.events[:2]
    ]
    labels = [{name for name in names if name not in first} for names in shown]
    [lee] = {row["name"] for row in three.ranking()} - set(first)
    assert labels == [{lee}, {lee, text("export.erased", "en", number=1)}]
    assert lee == text("export.erased", "en", number=2)
    page = three.organiser.http.get(f"/api/events/{three.events[0]}/export?format=html").text
    assert f"{lee} (" not in page


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_whole_seasons_at_random_are_counted_as_a_naive_program_counts(url: str, seed: int) -> None:
    """Pasted lists, earlier events, claims, renames, namesakes: the year is the sum by the people behind."""
    rng, season = Random(seed), Season(url, 4, cut=6)
    names, sitting = {name: name for name in NAMES}, list[dict[str, str]]()
    with ExitStack() as stack:
        for i, event in enumerate(season.events):
            if i == 0 or rng.random() < 0.5:
                listed = season.add(event, *named(*(names[who] for who in rng.sample(NAMES, 9))))
            else:
                listed = season.earlier(season.events[i - 1], event)
            of = {label: who for who, label in names.items()}
            sitting.append({of[entry["called"]]: entry["id"] for entry in listed})
            for game in range(4):
                four = rng.sample(NAMES, 4)
                seats = {sitting[i][who]: who for who in four}
                season.play(event, f"g{game}", seats, rng.sample([45000, 29000, 18000, 8000], 4))
            who = rng.choice(NAMES)
            if season.people()[names[who]]["account"] is False:
                season.claim(event, sitting[i][who], stack.enter_context(closing(Person(url, "phone"))))
            who = rng.choice(NAMES)
            names[who] = f"{who} renamed {i}"
            path = f"/api/events/{event}/entries/{sitting[i][who]}"
            season.organiser.http.patch(path, json={"name": names[who]}).raise_for_status()
        ranking = season.ranking()
        assert {row["name"]: row["points"] for row in ranking} == {
            names[who]: points for who, points in season.points.items()
        }
        assert ranking == sorted(ranking, key=lambda row: row["rank"])
    season.organiser.close()


# A whole season on a server: every hand entered, and every total compared with a plain script's


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

"""Seasons are created from a template and ranked over their events; finalists are entered into the final."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from jantaku.club import season_standings
from jantaku.rules import load
from jantaku.terms import text
from naive.club import half_away, stage_of
from server.clubs import SCORES, Account, Club, Visitor
from server.parlour import Message
from support.club_games import random_game

slow = pytest.mark.slow
FINAL: Message = {"ranked": False}
UMA = (40000, 10000, -10000, -20000)  # under these rules, including the oka
FOUR = ("Kim", "Lee", "Cho", "Ahn")


class Year:
    """A season of empty events; ``points`` sums up each person's points independently of the server."""

    def __init__(self, url: str, *parts: Message, **more: Any) -> None:
        self.url, self.points, self.more = url, Counter[str](), more
        self.organiser = Account(url, "organiser")
        plan = {"registration": {"open": True}}
        self.clubs = [Club(url, 0, self.organiser, name=f"Part {i}", **plan) for i in range(len(parts))]
        self.parts: list[Message] = [
            {"id": id_, "event": club.id} | part
            for id_, club, part in zip("abcdef", self.clubs, parts, strict=False)
        ]
        self.made = self.organiser.post("/api/seasons", name="Year", parts=self.parts, **more)
        self.id, self.at = self.made["id"], f"/api/seasons/{self.made['id']}"
        self.organiser.at = self.at

    def account(self, name: str) -> Account:
        return Account(self.url, name, self.at)

    def ids(self, part: int) -> dict[str, str]:
        """Return the ids of an event's entries by label."""
        entries = self.clubs[part].organiser.get("entries")["entries"]
        return {entry["called"]: entry["id"] for entry in entries if entry["status"] != "merged"}

    def add(self, part: int, *names: str | Message) -> dict[str, str]:
        """Register people for an event; return the ids of its entries by label."""
        people = [{"name": one} if isinstance(one, str) else one for one in names]
        self.clubs[part].organiser.http.headers["Once"] = "0"
        self.clubs[part].add(*people)
        return self.ids(part)

    def register_earlier(self, event: int, into: int) -> dict[str, str]:
        """Register all people of an earlier event for another one."""
        before = self.clubs[event]
        return self.add(into, *(
            {"name": one["called"], "team": one["team"], "earlier": {"event": before.id, "entry": one["id"]}}
            for one in before.organiser.get("entries")["entries"]
        ))  # fmt: skip

    def play(
        self, part: int, called: Sequence[str] = FOUR, scores: Sequence[int] = SCORES,
        people: Sequence[str] = (), name: str = "only",
    ) -> None:  # fmt: skip
        """Play a game between the players with these labels and add their points to ``points``."""
        ids = self.ids(part)
        self.clubs[part].result(name, scores, players=[ids[one] for one in called])
        uma = dict(zip(sorted(scores, reverse=True), UMA, strict=True))
        for score, person in zip(scores, people or called, strict=True):
            self.points[person] += score - 30000 + uma[score]

    def claim(self, part: int, called: str, who: Visitor) -> None:
        club, entry = self.clubs[part], self.ids(part)[called]
        card = next(row["card"] for row in club.organiser.get("cards")["cards"] if row["entry"] == entry)
        assert who.post(f"{club.at}/entries/{entry}/claim", card=card)["state"] == "taken"

    def ranking(self, who: Visitor | None = None) -> Any:
        return (who or self.organiser).get(f"{self.at}/ranking")["ranking"]

    def check(self) -> Any:
        """Assert that the ranking equals the one computed from the files of the events; return it."""
        rows, names = self.ranking(), ("id", "share", "ranked", "brings")
        parts: list[Message] = [
            {name: part[name] for name in names if name in part} | {"event": club.organiser.get("file")}
            for part, club in zip(self.parts, self.clubs, strict=True)
        ]
        more = {name: self.more[name] for name in ("cut", "min_games") if name in self.more}
        file: Message = {"jantaku_season": 1, "parts": parts}
        year = season_standings(file | more)
        wanted = [(row.rank, year.names[row.player], row.points, row.qualified) for row in year.ranking]
        assert [(row["rank"], row["name"], row["points"], row["qualified"]) for row in rows] == wanted
        finalists = {year.names[player] for player in year.finalists}
        assert {row["name"] for row in rows if row["finalist"]} == finalists
        assert all(row["points"] == sum(entry["points"] for entry in row["entries"]) for row in rows)
        return rows

    def people(self) -> Any:
        return {one["name"]: one for one in self.organiser.get("people")["people"]}

    def entered(self, part: str) -> dict[str, list[str]]:
        answer: dict[str, list[str]] = self.organiser.post("finalists", part=part)
        return answer


@slow
def test_a_season_template_creates_an_event_for_each_part(url: str) -> None:
    organiser, other = Account(url, "organiser"), Account(url, "other")
    assert "bgm-2025-season" in organiser.get("/api/seasons/templates")["templates"]
    body: Message = {"template": "bgm-2025-season", "rules": "bgm-2025-4", "part_rules": {"final": "wrc"}}
    season = organiser.post("/api/seasons", **body)
    assert (season["cut"], season["mine"]) == (20, True)
    assert [(part["id"], part["ranked"]) for part in season["parts"]] == [
        ("trial", False), ("first_half", True), ("second_half", True), ("final", False),
    ]  # fmt: skip
    assert season["parts"][0]["event_name"].startswith(f"{season['name']} · ")
    events = [organiser.get(f"/api/events/{part['event']}") for part in season["parts"]]
    assert [event["rules"] for event in events] == [*["bgm-2025-4"] * 3, "wrc"]
    assert [part["rules_name"] for part in season["parts"]] == [event["rules_name"] for event in events]
    assert (events[0]["role"], events[0]["opens"], events[0]["closes"]) == ("organiser", None, None)
    for wrong in ({"rules": "nowhere"}, {"part_rules": {"final": "nowhere"}}):
        organiser.refused("no_rules", "/api/seasons", **body | wrong)
    assert [row["id"] for row in organiser.get("/api/seasons")["mine"]] == [season["id"]]
    listed = other.get("/api/seasons")
    assert season["id"] in [row["id"] for row in listed["seasons"]]
    assert listed["mine"] == []
    usual = organiser.post("/api/seasons", template="bgm-2025-season")
    assert usual["parts"][0]["rules"] == "bgm-2025"


@slow
def test_the_ranking_equals_that_of_a_season_file(url: str) -> None:
    """One event counts half, another does not count, and players with too few games do not qualify."""
    parts: list[Message] = [{"share": 0.5}, {}, FINAL, FINAL | {"brings": 0.5}]
    year = Year(url, *parts, cut=2, min_games=2)
    assert year.made["min_games"] == 2
    year.add(0, "Ann", "Ben", "Cem", "Dan")
    year.play(0, ("Ann", "Ben", "Cem", "Dan"))
    year.add(1, "Ben", "ANN", "Cem", "Fay", "Gus")
    year.play(1, ("Ben", "Ann", "Fay", "Cem"))
    year.add(2, "Gus", "Ann", "Ben", "Cem")
    year.play(2, ("Gus", "Ann", "Ben", "Cem"))
    rows = year.check()
    assert [row["qualified"] for row in rows] == [
        True,
        True,
        True,
        False,
        False,
    ]  # Gus is registered but has played no game that counts
    year.entered("d")
    final, carried = year.clubs[3], {row["name"]: row["points"] for row in rows if row["finalist"]}

    def brought() -> dict[str, int]:
        names = final.organiser.get("standings")["names"]
        return {names[row["player"]]: row["carried"] for row in final.rows("main")}

    assert brought() == {name: points // 2 for name, points in carried.items()}
    file = final.organiser.get("file")
    assert {player["name"]: player["brought"] for player in file["players"]} == brought()
    copied = final.organiser.post("/api/events/import", file=file)["id"]
    assert final.organiser.get(f"/api/events/{copied}/file")["players"] == file["players"]
    year.parts[3]["brings"] = 0
    year.organiser.patch(parts=year.parts, revision=year.organiser.get()["revision"])
    year.entered("d")
    assert set(brought().values()) == {0}


def test_one_request_enters_the_finalists_into_the_final(url: str) -> None:
    """Players with zero points can qualify, and when a finalist withdraws, the next player moves up."""
    year = Year(url, {}, FINAL | {"brings": 0.5}, cut=2)
    club, final = year.clubs
    final.organiser.patch(registration={"open": False})
    players = {name: year.account(name) for name in "ABCD"}
    for name, player in players.items():
        player.post(f"{club.at}/entries", name=name)
    year.play(0, "ABCD")
    club.penalise(year.ids(0)["B"], -year.points["B"])
    assert year.entered("b") == {"entered": ["A", "B"], "there": [], "left_out": []}
    assert [(row["rank"], row["carried"]) for row in final.rows("main")] == [
        (1, year.points["A"] // 2),
        (2, 0),
    ]
    players["A"].post(f"{final.at}/entries/{year.ids(1)['A']}/withdraw")
    for entered, there in ((["C"], ["B"]), ([], ["B", "C"])):
        again = year.entered("b")
        assert (again["entered"], sorted(again["there"]), again["left_out"]) == (entered, there, ["A"])
    entries = {name: player.get(final.at)["entry"] for name, player in players.items()}
    assert {name: entry and entry["status"] for name, entry in entries.items()} == {
        "A": "withdrawn", "B": "playing", "C": "playing", "D": None,
    }  # fmt: skip
    marks = {row["name"]: (row["finalist"], row["withdrawn"]) for row in year.ranking()}
    assert marks == {"A": (False, True), "B": (True, False), "C": (True, False), "D": (False, False)}


@slow
def test_two_organisers_of_a_season_do_not_overwrite_each_other(url: str) -> None:
    year = Year(url, {})
    # sent twice with the same revision, as from two windows
    patch, seen = year.organiser.patch, year.made["revision"]
    first = patch(parts=[*year.parts, {"id": "b"}], revision=seen)
    assert first["revision"] > seen
    tries: list[Message] = [{"parts": [{"id": "c"}]}, {"parts": []}, {"cut": 4}, {"name": "Other"}]
    for late in tries:
        year.organiser.refused("season_moved_on", f"PATCH {year.at}", **late, revision=seen)
    error = year.organiser.refused("missing_field", f"PATCH {year.at}", parts=[])
    assert error["field"] == "revision"
    assert (patch(name="New")["name"], patch(cut=7)["cut"], patch(cut=None)["cut"]) == ("New", 7, None)
    assert [part["id"] for part in year.organiser.get()["parts"]] == ["a", "b"]
    twice = [*year.parts, {"id": "b", "event": year.clubs[0].id}]
    year.organiser.refused("part_twice", f"PATCH {year.at}", parts=twice, revision=5)
    year.organiser.refused("no_part", "finalists", part="none")
    year.organiser.refused("no_season", "GET /api/seasons/none")
    other = year.account("other")
    assert other.get()["mine"] is False
    for person in (other, Visitor(url, "Guest", year.at)):
        person.refused("not_organiser", f"PATCH {year.at}", cut=4)
        person.refused("not_organiser", "finalists", part="a")
    other.refused("not_organiser", "/api/seasons", name="Theirs", parts=year.parts)
    Visitor(url, "Guest").refused("account_needed", "/api/seasons", name="Mine")


@slow
def test_a_season_shows_each_reader_their_own_view_of_its_parts(url: str) -> None:
    """The view has dates, whether standings are hidden, and the reader's own role, participation and row.

    Events show that they belong to an unlisted season only to players and staff.
    """
    club = Club(url)
    dates = {"opens": "2026-03-01T00:00:00Z", "closes": "2026-03-15T00:00:00Z"}
    club.organiser.patch(stages=[{"id": "league", **dates}])
    club.result("own")
    parts = [{"id": "a", "event": club.id}, {"id": "later"}]
    made = club.organiser.post("/api/seasons", name="Year", parts=parts, listed=False)
    season, player, outside = f"/api/seasons/{made['id']}", club.players[1], club.guest()
    first, later = player.get(season)["parts"]
    assert {name: first[name] for name in dates} == dates
    assert (first["role"], first["plays"], first["hidden"]) == (None, True, False)
    assert (later["status"], later["opens"], later["plays"]) == (None, None, False)
    assert club.referee.get(season)["parts"][0]["role"] == "referee"
    for who, row in ((player, 1), (club.organiser, None)):
        rows = who.get(f"{season}/ranking")["ranking"]
        assert [i for i in range(4) if rows[i]["mine"]] == ([] if row is None else [row])
    for who, role in ((club.organiser, "organiser"), (club.referee, "referee"), (player, None)):
        mine = {event["id"]: event["role"] for event in who.get("/api/events")["mine"]}
        assert mine[club.id] == role
    club.organiser.patch(hidden_standings=True)
    assert player.get(season)["parts"][0]["hidden"] is True
    player.refused("standings_hidden", f"GET {season}/ranking")
    assert len(club.organiser.get(f"{season}/ranking")["ranking"]) == 4
    club.organiser.post("status", status="closed")
    assert player.get(season)["parts"][0]["hidden"] is False
    named = [{"id": made["id"], "name": "Year"}]
    people: list[Visitor] = [club.organiser, player, outside]
    assert [one.get()["seasons"] for one in people] == [named, named, []]
    club.organiser.patch(season, listed=True)
    assert outside.get()["seasons"] == named
    club.organiser.patch(season, parts=[], revision=2)
    assert outside.get()["seasons"] == []


@slow
def test_a_cancelled_event_does_not_count_for_the_season(url: str) -> None:
    year = Year(url, {}, {})
    for part in range(2):
        year.add(part, *FOUR)
        year.play(part)
    before = year.check()
    year.clubs[1].organiser.post("status", status="cancelled", why="no hall")
    assert [row["points"] * 2 for row in year.ranking()] == [row["points"] for row in before]
    assert [part["status"] for part in year.organiser.get()["parts"]] == ["open", "cancelled"]


@slow
def test_the_organiser_sees_which_names_have_an_account(url: str) -> None:
    """Someone who registers with a listed name is a different player until the organiser merges the two."""
    year = Year(url, {}, {})
    year.add(0, *FOUR)
    lee = year.account("Lee")
    lee.post(f"{year.clubs[1].at}/entries", name="Lee")
    year.add(1, "Kim", "Cho", "Ahn")
    scores = [30000, 40000, 20000, 10000]
    year.play(0, scores=scores)
    year.play(1, ("Kim", "Lee (2)", "Cho", "Ahn"), scores, FOUR)
    ranking = year.organiser.get("ranking")
    assert ranking["twice"] == ["Lee"]
    assert [who.get("ranking")["twice"] for who in (year.account("other"), lee)] == [[], []]
    lees = [(row["name"], len(row["entries"])) for row in ranking["ranking"] if "Lee" in row["name"]]
    assert lees == [("Lee", 1), ("Lee (2)", 1)]
    people = year.people()
    year.organiser.post(f"people/{people['Lee (2)']['player']}/merge", into=people["Lee"]["player"])
    after = [one for name, one in year.people().items() if "Lee" in name]
    assert [(one["name"], one["account"], len(one["entries"])) for one in after] == [("Lee", True, 2)]
    best = year.ranking(lee)[0]
    assert (best["name"], best["mine"], best["points"]) == ("Lee", True, year.points["Lee"])
    assert year.organiser.get("ranking")["twice"] == []


# People in a season: claims, renaming, merging, deletion and people with the same name


def test_a_claimed_name_is_one_player_in_all_events(url: str) -> None:
    """Names are claimed before and after registering from an earlier event, and one of them by a guest."""
    year = Year(url, {}, {}, {}, FINAL, cut=4)
    kim, lee = Visitor(url, "guest on a phone"), year.account("somebody")
    year.add(0, *FOUR)
    year.claim(0, "Kim", kim)
    year.register_earlier(0, 1)
    year.add(2, *FOUR[::-1])
    year.claim(2, "Lee", lee)
    for part in range(3):
        year.play(part)
        for who, name in ((kim, "Kim"), (lee, "Lee")):
            assert who.get(year.clubs[part].at)["entry"]["id"] == year.ids(part)[name]
    year.check()
    rows = year.ranking(kim)
    assert {row["name"]: row["points"] for row in rows} == year.points
    assert [(len(row["entries"]), row["mine"]) for row in rows] == [(3, True)] + [(3, False)] * 3
    first = year.clubs[0].organiser
    first.post(f"claims/{first.get('claims')['claims'][0]['number']}", state="undone")
    assert all(kim.get(club.at)["entry"] is None for club in year.clubs)
    assert len(year.ranking()) == 4


def test_a_namesake_has_the_same_label_in_all_events_and_files_of_a_season(url: str) -> None:
    year = Year(url, {}, {}, {}, FINAL, cut=4)
    first = year.add(0, "Kim", "Kim", "Lee", "Cho")
    known = {"name": "Kim (2)", "earlier": {"event": year.clubs[0].id, "entry": first["Kim (2)"]}}
    four = ("Kim (2)", "Ahn", "Lee", "Cho")
    assert set(year.add(1, known, *four[1:])) == set(four) == set(year.add(2, *four))
    year.play(0, ("Kim", "Kim (2)", "Lee", "Cho"), [10000, 40000, 30000, 20000])
    year.play(1, four)
    year.play(2, ("Kim (2)", "Lee", "Cho", "Ahn"))
    assert {row["name"]: row["points"] for row in year.check()} == year.points
    year.entered("d")
    assert "Kim (2)" in year.ids(3)
    for club in year.clubs[1:3]:
        assert "Kim (2)" in club.organiser.get("standings")["names"].values()
        assert "Kim (2)" in club.organiser.send("GET", "export?format=html").text
    for part, club in zip(year.parts, year.clubs, strict=True):
        part["event"] = club.organiser.post("/api/events/import", file=club.organiser.get("file"))["id"]
    moved = year.organiser.post("/api/seasons", name="Moved", parts=year.parts)
    rows = year.organiser.get(f"/api/seasons/{moved['id']}/ranking")["ranking"]
    assert {row["name"]: row["points"] for row in rows} == year.points


def test_merging_renaming_and_separating_apply_to_the_whole_season(url: str) -> None:
    year = Year(url, {}, {}, {})
    late = ("Kim Min-su", "Lee", "Cho", "Min")
    for part in range(2):
        year.add(part, "Kim", *late[1:])
        year.play(part, ("Kim", *late[1:]))
    year.add(2, *late)
    year.play(2, late)
    assert len(year.check()) == 5
    player = {name: one["player"] for name, one in year.people().items()}
    year.organiser.refused(
        "entries_differ", f"people/{player['Kim']}/merge", into=player["Min"]
    )  # the two sat at the same table
    year.organiser.post(f"people/{player['Kim Min-su']}/merge", into=player["Kim"])
    year.points["Kim"] += year.points.pop("Kim Min-su")
    assert {row["name"]: row["points"] for row in year.check()} == year.points
    year.clubs[1].organiser.patch(f"entries/{year.ids(1)['Kim']}", name="Kim Minsu")
    assert all("Kim Minsu" in year.ids(part) for part in range(3))
    year.organiser.post(f"people/{year.people()['Kim Minsu']['player']}/separate", part="c")
    assert {"Kim Minsu", "Kim Minsu (2)"} < {row["name"] for row in year.ranking()}
    assert "Kim Minsu (2)" in year.ids(2)


def test_registering_again_from_an_earlier_event_adds_no_duplicates(url: str) -> None:
    year = Year(url, {}, {})
    first = year.add(0, "Kim", "Lee", {"name": "Kim", "country": "KOR"})
    once = year.register_earlier(0, 1)
    assert year.register_earlier(0, 1) == once
    assert set(once) == {"Kim", "Kim (2)", "Lee"} == set(first)
    names = year.clubs[1].organiser.get("names")["names"]
    assert [(row["entry"], row["country"]) for row in names] == [(once["Kim (2)"], "KR")]
    known = {"name": "Kim", "earlier": {"event": year.clubs[0].id, "entry": first["Kim"]}}
    Club(url).organiser.refused("not_organiser", "entries/list", entries=[known])


def test_a_deleted_person_has_one_label_in_the_whole_season(url: str) -> None:
    """The label is the same although positions differ and someone else was deleted in one event."""
    year = Year(url, {}, {})
    year.add(0, *FOUR)
    year.add(1, *FOUR[::-1], "Min")
    for part in range(2):
        year.play(part)
    for part, name in ((1, "Min"), (0, "Lee")):
        path = f"entries/{year.ids(part)[name]}/erase"
        confirm = year.clubs[part].organiser.post(path, everywhere=True)["confirm"]
        assert year.clubs[part].organiser.post(path, everywhere=True, confirm=confirm)["done"]
    [lee] = {row["name"] for row in year.ranking()} - {*FOUR}
    assert [{*year.ids(part)} - {*FOUR} for part in range(2)] == [
        {lee}, {lee, text("export.erased", "en", number=1)},
    ]  # fmt: skip
    assert lee == text("export.erased", "en", number=2)
    assert f"{lee} (" not in year.clubs[0].organiser.send("GET", "export?format=html").text


@slow
@pytest.mark.parametrize("seed", [1, 2])
def test_random_seasons_agree_with_a_naive_count(url: str, seed: int) -> None:
    """With lists, earlier events, claims, new names and equal names, the ranking is the sum per person."""
    rng, year = Random(seed), Year(url, {}, {}, {}, {}, cut=6)
    names = {name: name for name in (f"P{i:02}" for i in range(9))}
    for part, club in enumerate(year.clubs):
        if part == 0 or rng.random() < 0.5:
            year.add(part, *(names[who] for who in rng.sample([*names], 9)))
        else:
            year.register_earlier(part - 1, part)
        for game in range(4):
            four, scores = rng.sample([*names], 4), rng.sample([45000, 29000, 18000, 8000], 4)
            year.play(part, [names[who] for who in four], scores, four, f"no-{game}")
        who = rng.choice([*names])
        if year.people()[names[who]]["account"] is False:
            year.claim(part, names[who], Visitor(url, "phone"))
        who = rng.choice([*names])
        entry, names[who] = year.ids(part)[names[who]], f"{who} renamed {part}"
        club.organiser.patch(f"entries/{entry}", name=names[who])
    rows = year.check()
    assert {row["name"]: row["points"] for row in rows} == {
        names[who]: points for who, points in year.points.items()
    }
    assert rows == sorted(rows, key=lambda row: row["rank"])


# A whole season on a server: every hand is entered, and every total is compared with a naive script


RULES = load("bgm-2025")
START = datetime(2025, 6, 1, tzinfo=UTC)
MINUTES = 14 * 24 * 60
CUT = 20
LEAGUE: list[Message] = [{"id": "league", "kind": "open", "counts": "all", "min_games": 2, "max_games": 9}]
TITLE: list[Message] = [
    {"id": "top", "kind": "rounds", "counts": "all"},
    {"id": "title", "kind": "rounds", "counts": "all", "from": "top", "cut": 4, "carry": 0.5},
]
WRONG: Message = {"end": "draw", "tenpai": [], "riichi": []}


class Played:
    """An event of a season, and its raw hands and penalties for the naive script."""

    def __init__(self, organiser: Account, event: str, stages: list[Message], rng: Random) -> None:
        self.who, self.at, self.rng, self.stages = organiser, f"/api/events/{event}", rng, stages
        self.data: dict[str, list[Message]] = {"games": [], "penalties": []}
        self.who.patch(self.at, rules="bgm-2025", stages=stages)

    def play(self, stage: str, players: Sequence[str]) -> None:
        """Enter and confirm a game; one hand in ten is wrong at first, and some games have a penalty."""
        rng, number, head = self.rng, len(self.data["games"]), ""
        at = (START + timedelta(minutes=rng.randrange(MINUTES), seconds=number % 60)).isoformat()
        game: Message = {"id": f"{stage}-game-{number}", "stage": stage, "players": list(players), "at": at}
        self.who.post(f"{self.at}/games", **game)
        path, hands = f"{self.at}/games/{game['id']}", random_game(rng, RULES)
        for index, hand in enumerate(hands):
            steps: list[Message] = [{"hand": hand}]
            if rng.random() < 0.1:
                better = {"hand": hand, "action": "replace", "place": index, "why": "read wrongly"}
                steps = [{"hand": WRONG}, better]
            for step in steps:
                entry = f"{game['id']}-{index}-{step.get('action', 'add')}"
                self.who.post(f"{path}/hands", id=entry, follows=head, **step)
                head = entry
        self.who.post(f"{path}/confirm", head=head, everybody=True)
        if rng.random() < 0.1:
            seat = rng.randrange(4)
            self.penalise(stage, players[seat], -5000, game=game["id"])
            game["penalties"] = [{"seat": seat, "points": -5000}]
        self.data["games"].append(game | {"hands": hands})

    def penalise(self, stage: str, player: str, points: int, **more: Any) -> None:
        """Give a player a penalty, either in a game or in the whole stage."""
        self.who.post(f"{self.at}/penalties", stage=stage, entry=player, points=points, why="late", **more)
        if not more:
            self.data["penalties"].append({"stage": stage, "player": player, "points": points})

    def check(self, number: int, carried: dict[str, int]) -> dict[str, int]:
        """Compare the standings of a stage with the naive script; return the points of all players."""
        rows = self.who.get(f"{self.at}/standings")["stages"][number]["standings"]
        wanted = stage_of(self.data, self.stages[number], carried)
        assert {row["player"]: (row["qualified"], row["points"]) for row in rows} == wanted
        return {player: points for player, (_, points) in wanted.items()}


def half(organiser: Account, event: str, names: Sequence[str], count: int, rng: Random) -> Played:
    """Play two weeks of an open league in which the last of these players has no game."""
    played = Played(organiser, event, LEAGUE, rng)
    organiser.post(f"{played.at}/entries/list", entries=[{"name": name, "id": name} for name in names])
    for _ in range(count):
        played.play("league", rng.sample(names[:-1], 4))
    for late in rng.sample(names[:-1], 3):
        played.penalise("league", late, -20000)
    return played


def play_the_final(organiser: Account, event: str, names: set[str], rng: Random) -> None:
    """Play rounds with all finalists, then a title stage of the best four, who keep half of their points."""
    final = Played(organiser, event, TITLE, rng)
    entries = {entry["name"]: entry["id"] for entry in organiser.get(f"{final.at}/entries")["entries"]}
    assert set(entries) == names
    for _ in range(3):
        seated = rng.sample([*entries.values()], len(entries))
        for i in range(0, len(seated) - 3, 4):
            final.play("top", seated[i : i + 4])
    top = final.check(0, dict.fromkeys(entries.values(), 0))
    fourth = sorted(top.values(), reverse=True)[3]
    carried = {player: half_away(Fraction(points, 2)) for player, points in top.items() if points >= fourth}
    for _ in range(3):
        final.play("title", rng.sample([*carried], 4))
    final.check(1, carried)


@pytest.mark.long
def test_a_complete_season_agrees_with_a_naive_script(url: str) -> None:
    rng, organiser, names = Random(3), Account(url, "organiser"), [f"p{i:02}" for i in range(41)]
    season = organiser.post("/api/seasons", template="bgm-2025-season")
    path, events = f"/api/seasons/{season['id']}", {part["id"]: part["event"] for part in season["parts"]}
    halves = [half(organiser, events[part], names, 60, rng) for part in ("first_half", "second_half")]
    half(organiser, events["trial"], names, 2, rng)
    ends = {hand["end"] for part in halves for game in part.data["games"] for hand in game["hands"]}
    assert "foul" in ends
    year = Counter[str]()
    for one in halves:
        year.update(one.check(0, dict.fromkeys(names, 0)))
    assert year.pop(names[-1]) == 0, "players without games are not ranked"
    ranking = organiser.get(f"{path}/ranking")["ranking"]
    assert {row["name"]: row["points"] for row in ranking} == year
    last = sorted(year.values(), reverse=True)[CUT - 1]
    finalists = {name for name, points in year.items() if points >= last}
    assert {row["name"] for row in ranking if row["finalist"]} == finalists
    assert set(organiser.post(f"{path}/finalists", part="final")["entered"]) == finalists
    play_the_final(organiser, events["final"], finalists, rng)
    assert organiser.get(f"{path}/ranking")["ranking"] == ranking, "the final does not count for the year"

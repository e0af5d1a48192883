"""A season has one list of people: whole seasons by requests, counted by a naive program."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, closing
from random import Random
from typing import Any

import pytest

from jantaku.club import season_standings
from jantaku.terms import text
from server.clubs import PaperClub, member, refused
from server.parlour import Message, Person

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
        made = self.organiser.post("/api/seasons", name={"en": "Year"}, parts=rows, **more)
        self.path = f"/api/seasons/{made['id']}"
        self.points: defaultdict[str, int] = defaultdict(int)

    def event(self, number: int) -> str:
        made = self.organiser.post("/api/events", name={"en": f"Part {number}"}, rules="tenhou", **OPEN)
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
    again = three.organiser.post("/api/seasons", name={"en": "Moved"}, parts=rows2)
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

"""What organisers try on events and seasons of others: their ids, their people, a role that has ended."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from jantaku.server.run import prepare
from server import test_event_rights as rights
from server.clubs import member, refused
from server.parlour import Message, Person, open_server, quick
from server.test_season_people import ids, named

OTHERS = [row for row in rights.ROWS if row.path.startswith(rights.E) and "{" in row.path[len(rights.E) :]]
PAGES = ("file", "log", "entries", "claims", "cards", "calls", "bets", "tables", "names")
REMOVES_NOBODY = f"{rights.E}/staff/{{person}}"


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[rights.Cast]]:
    """Two events with everybody in them."""
    settings = quick(tmp_path_factory.mktemp("two"))
    token = prepare(settings, admin=False)
    with open_server(settings) as url, closing(Person(url)) as admin, ExitStack() as stack:
        admin.post("/api/enter", token=token)
        yield [stack.enter_context(closing(rights.Cast(url, admin))) for _ in range(2)]


def seen(cast: rights.Cast) -> list[Any]:
    """What an organiser can read of an event."""
    return [cast.organiser.get(f"{cast.path}/{page}") for page in PAGES]


@pytest.mark.slow
@pytest.mark.parametrize("row", OTHERS, ids=str)
def test_what_belongs_to_one_event_is_not_found_in_another(two: list[rights.Cast], row: rights.Row) -> None:
    theirs, mine = two
    places = theirs.places(row)
    before = seen(theirs)
    body = None if row.method in ("GET", "DELETE") else rights.filled(row.body or {}, places)
    path = row.path.format(**places | {"event": mine.id})
    answer = mine.organiser.http.request(row.method, path, json=body)
    if row.path != REMOVES_NOBODY:
        assert 400 <= answer.status_code < 500, answer.text
    assert seen(theirs) == before


class Former:
    """Somebody who organised the event of a season with somebody else, and does no more."""

    def __init__(self, url: str) -> None:
        self.victim, self.mallory, self.other = (member(url, name) for name in ("V", "Mallory", "Other"))
        self.theirs, self.mine = self.event(self.victim), self.event(self.mallory)
        listed: list[Message] = [{"country": "KR", "association": "77", **one} for one in named("Kim", "Lee")]
        self.victim.post(f"{self.theirs}/entries/list", entries=[*listed, *named("Cho", "Ahn")])
        name = self.mallory.get("/api/me")["person"]["name"]
        self.victim.post(f"{self.theirs}/staff", name=name, role="organiser")
        self.parts: list[Message] = [
            {"id": id_, "event": path.rpartition("/")[2]}
            for id_, path in (("a", self.theirs), ("b", self.mine))
        ]
        made = self.mallory.post("/api/seasons", name={"en": "S"}, cut=4, parts=self.parts)
        self.season, self.revision = f"/api/seasons/{made['id']}", made["revision"]
        self.victim.http.delete(f"{self.theirs}/staff/{self.mallory.id}").raise_for_status()
        self.account = self.other.get("/api/me")["person"]["name"]

    def event(self, who: Person) -> str:
        made = who.post("/api/events", name={"en": "E"}, rules="tenhou", registration={"open": True})
        return f"/api/events/{made['id']}"

    def add(self, path: str, *names: str) -> dict[str, str]:
        """Register people in an event of mine."""
        return ids(self.mallory.post(f"{path}/entries/list", entries=named(*names))["entries"])

    def seen(self) -> list[Any]:
        return [self.victim.get(f"{self.theirs}/{page}") for page in PAGES]

    def close(self) -> None:
        for person in (self.victim, self.mallory, self.other):
            person.close()


@pytest.fixture
def former(url: str) -> Iterator[Former]:
    with closing(Former(url)) as former:
        yield former


def test_a_season_gives_no_hold_on_an_event_that_its_organiser_has_left(former: Former) -> None:
    """Names, accounts and merges in an event of the season reach no event that others run now."""
    before, http = former.seen(), former.mallory.http
    entries = former.add(former.mine, "Kim", "Lee", "Somebody")
    for entry, change in ((entries["Lee"], {"name": "Rude"}), (entries["Kim"], {"account": former.account})):
        http.patch(f"{former.mine}/entries/{entry}", json=change).raise_for_status()
    former.mallory.post(f"{former.mine}/entries/{entries['Somebody']}/merge", into=entries["Lee"])
    assert former.seen() == before
    assert former.other.get(former.theirs)["entry"] is None


def test_an_event_that_comes_into_a_season_reaches_none_that_its_organiser_has_left(former: Former) -> None:
    """A file says that its people are those of the other event, with other names and accounts."""
    before = former.seen()
    file = former.victim.get(f"{former.theirs}/file")
    for player in file["players"]:
        player["name"] += " the Rude"
    kim = next(one for one in file["players"] if one["name"].startswith("Kim"))
    entry = {"id": kim["id"], "name": kim["name"], "player": kim["person"]}
    file["server"] = {"entries": [{**entry, "account": {"id": former.other.id}}]}
    made = former.mallory.post("/api/events/import", file=file)["id"]
    parts = [*former.parts, {"id": "c", "event": made}]
    changed = former.mallory.http.patch(former.season, json={"parts": parts, "revision": former.revision})
    changed.raise_for_status()
    assert former.seen() == before
    assert former.other.get(former.theirs)["entry"] is None


def test_a_former_organiser_reads_and_takes_over_nothing_that_organisers_alone_see(former: Former) -> None:
    victim, mallory = former.victim, former.mallory
    entries = ids(victim.get(f"{former.theirs}/entries")["entries"])
    game = {"id": "game-of-four", "stage": "league", "players": list(entries.values())}
    victim.post(f"{former.theirs}/games", **game, scores=[40000, 30000, 20000, 10000])
    asked = {"status": "refused", "why": "w"}
    later = victim.post(f"{former.theirs}/entries/list", entries=named("Hidden"))["entries"]
    victim.http.patch(f"{former.theirs}/entries/{ids(later)['Hidden']}", json=asked).raise_for_status()
    people = {one["name"]: one["player"] for one in mallory.get(f"{former.season}/people")["people"]}
    assert set(people) == set(entries)
    before = former.seen()
    merge = f"{former.season}/people/{people['Kim']}/merge"
    assert refused(mallory, "POST", merge, into=people["Lee"]) == (403, "not_organiser")
    separate = f"{former.season}/people/{people['Kim']}/separate"
    assert refused(mallory, "POST", separate, part="a") == (403, "not_organiser")
    assert refused(mallory, "POST", f"{former.season}/finalists", part="a") == (403, "not_organiser")
    assert mallory.post(f"{former.season}/finalists", part="b")["entered"] == list(entries)
    names = mallory.get(f"{former.mine}/names")["names"]
    assert {(row["real_name"], row["country"], row["association"]) for row in names} <= {("", "", "")}
    assert former.seen() == before

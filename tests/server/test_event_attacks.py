"""Attacks on events: reading and changing without the right, taken ids, races, texts nobody can see."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any, NamedTuple

import pytest
from sqlalchemy import update

from jantaku.server.edge.guard import WINDOW_S, RepeatedRequests
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, EventRights, changing, rights_in
from jantaku.server.events.common.event_bodies import CreateEvent, StatusBody, create
from jantaku.server.events.organising import event_changes
from jantaku.server.events.recording import desk, starting_games
from jantaku.server.events.recording.desk import CallBody, PenaltyBody
from jantaku.server.events.recording.recorded_game import (
    ConfirmBody,
    GameStatusBody,
    HandBody,
    PointsBody,
    StartRecorded,
    confirm,
    table_of,
)
from jantaku.server.events.recording.starting_games import enter_hand, start
from jantaku.server.events.registration.entries import Listed, add_listed, decide, give_account
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.events.rounds import running_rounds
from jantaku.server.events.rounds.round_state import SetRounds
from jantaku.server.run import prepare
from jantaku.server.storage.entries import entry_of
from jantaku.server.storage.event_plan import StagePlan
from jantaku.server.storage.events import CallRow, add_call, set_role
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.schema import people
from jantaku.server.storage.services import Services
from server import test_event_rights as rights
from server.clubs import BUST, DRAW, RON, Gathering, Table, member, refused
from server.databases import DATABASES
from server.parlour import Message, Person, open_server, quick, together
from server.test_seasons import ids, named


@pytest.mark.parametrize("who", ["outsider", "guest"])
@pytest.mark.slow
def test_starting_a_game_again_shows_it_only_to_those_who_may_start_it(url: str, who: str) -> None:
    gathering = Gathering(url, rules="tenhou", hidden_standings=True)
    table = Table(gathering, f"again-{who}")
    table.enter(RON)
    other = Person(url, "Guest") if who == "guest" else member(url, who)
    body = {"id": table.id, "stage": "league", "players": gathering.entries}
    assert refused(other, "POST", f"{gathering.path}/games", **body) == (403, "not_recorder")
    assert table.who.post(f"{gathering.path}/games", **body)["head"] == table.head
    other.close()


@pytest.mark.slow
def test_the_id_of_a_game_with_other_points_is_taken(gathering: Gathering) -> None:
    path, scores = f"{gathering.path}/games", [25000] * 4
    body = {"id": "points-1", "stage": "league", "players": gathering.entries, "scores": scores}
    first = gathering.referee.post(path, **body)
    assert gathering.referee.post(path, **body) == first
    changed = body | {"scores": [40000, 20000, 20000, 20000]}
    assert refused(gathering.referee, "POST", path, **changed) == (409, "id_reused")


@pytest.mark.parametrize("key", ["online-0123456789abcdef", "log-0123456789abcdef"])
@pytest.mark.slow
def test_nobody_takes_the_ids_of_games_that_the_server_makes(gathering: Gathering, key: str) -> None:
    body = {"id": key, "stage": "league", "players": gathering.entries}
    assert refused(gathering.players[0], "POST", f"{gathering.path}/games", **body) == (409, "id_reused")


@pytest.mark.parametrize("status", ["refused", "withdrawn"])
@pytest.mark.slow
def test_who_no_longer_plays_enters_and_cancels_nothing(gathering: Gathering, status: str) -> None:
    table, out = Table(gathering, f"out-{status}"), gathering.players[2]
    empty = Table(gathering, f"empty-{status}")
    table.enter(BUST)
    path = f"{gathering.path}/entries/{gathering.entries[2]}"
    assert gathering.organiser.http.patch(path, json={"status": status}).status_code == 200
    assert table.refuse(DRAW, out) == (403, "not_recorder")
    assert refused(out, "POST", f"{table.path}/confirm", head=table.head) == (403, "not_recorder")
    assert refused(out, "POST", f"{empty.path}/status", status="cancelled") == (403, "not_referee")
    assert table.view(out)["may_record"] is False


@pytest.mark.parametrize("why", ["\u200b", "\u2060\u202e", "\u3164", " \n ", "\u0000"], ids=ascii)
@pytest.mark.slow
def test_a_reason_that_nobody_can_see_is_none(url: str, why: str) -> None:
    gathering = Gathering(url, rules="tenhou", correction_min=0)
    table = Table(gathering, f"reason-{ord(why[0])}")
    table.enter(RON)
    change = {"action": "replace", "place": 0, "why": why}
    assert table.refuse(DRAW, gathering.referee, **change)[1] == "why_needed"
    cancel = {"status": "cancelled", "why": why}
    assert refused(gathering.referee, "POST", f"{table.path}/status", **cancel)[1] == "why_needed"
    points = {"stage": "league", "entry": gathering.entries[0], "points": -1000, "why": why}
    assert refused(gathering.referee, "POST", f"{gathering.path}/penalties", **points)[1] == "bad_request"


@pytest.mark.slow
def test_a_text_in_the_log_keeps_no_sign_that_turns_or_hides_others(gathering: Gathering) -> None:
    path, why = f"{gathering.path}/calls", "late\u202e \u0000etal\n\U0001f468\u200d\U0001f469 ㅋㅋ"
    gathering.players[0].post(path, why=why)
    assert gathering.referee.get(path)["calls"][0]["why"] == "late etal\n\U0001f468\u200d\U0001f469 ㅋㅋ"


@pytest.mark.parametrize("points", [True, "5", 1.0, None])
@pytest.mark.slow
def test_points_are_whole_numbers(gathering: Gathering, points: object) -> None:
    body = {"stage": "league", "entry": gathering.entries[0], "points": points, "why": "late"}
    assert refused(gathering.referee, "POST", f"{gathering.path}/penalties", **body)[1] == "bad_request"


@pytest.mark.slow
def test_a_call_of_the_staff_is_in_no_log_of_a_player(gathering: Gathering) -> None:
    path = f"{gathering.path}/calls"
    number = gathering.recorder.post(path, label="bar", why="about one player")["calls"][0]["number"]
    gathering.referee.post(f"{path}/{number}/close", answer="spoken to them")
    log = gathering.players[0].get(f"{gathering.path}/log")["changes"]
    assert not {"call", "answer"} & {event["action"] for event in log}
    whole = gathering.organiser.get(f"{gathering.path}/log")["changes"]
    assert {"call", "answer"} <= {change["action"] for change in whole}


@pytest.mark.slow
def test_drafts_in_the_log_are_for_organisers(url: str) -> None:
    stages = [{"id": "league"}, {"id": "main", "kind": "rounds"}]
    gathering = Gathering(url, rules="tenhou", stages=stages)
    path = f"{gathering.path}/rounds/main/seating/import"
    gathering.organiser.post(path, rounds=[[gathering.entries]])

    def actions(who: Person) -> set[str]:
        return {change["action"] for change in who.get(f"{gathering.path}/log")["changes"]}

    assert not any("seating" in actions(person) for person in (gathering.recorder, gathering.referee))
    assert "seating" in actions(gathering.organiser)


@pytest.mark.parametrize("key", [".", "..", "a/b", "a b", "\u202e"], ids=ascii)
@pytest.mark.slow
def test_an_id_that_cannot_stand_in_an_address_is_refused(gathering: Gathering, key: str) -> None:
    organiser, path = gathering.organiser, f"{gathering.path}/entries/list"
    assert refused(organiser, "POST", path, entries=[{"name": "n", "id": key}])[1] == "bad_request"
    organiser.post(path, entries=[{"name": "n", "id": "..a"}])


@pytest.mark.slow
@pytest.mark.parametrize("services", DATABASES, indirect=True)
async def test_a_dispute_that_comes_first_stops_a_confirmation_that_is_on_its_way(services: Services) -> None:
    who = PersonRow(new_id(), "Mina", "mina", "player", "en")
    await services.accounts.add(who)
    stages = [StagePlan(id="league")]
    event = await create(services, who, CreateEvent(name="E", rules="tenhou", stages=stages))
    async with services.events.changing(event, who) as change:
        people = await add_listed(change, [Listed(name) for name in "abcd"])
    rights = await rights_in(services, event, who)
    seats = [person.id for person in people]
    await start(
        services,
        rights,
        who,
        StartRecorded(id="race-game", stage="league", players=seats),
        StandingsCache(services),
    )
    version = "race-hand"
    await enter_hand(services, who, event, "race-game", HandBody(id=version, follows="", hand=BUST))
    table = await table_of(services, rights, "race-game")
    body = ConfirmBody(head=version, everybody=True)
    async with services.events.changing(event, who) as change:
        waiting = asyncio.create_task(confirm(services, table, who, body))
        await asyncio.wait([waiting], timeout=0.3)  # it waits for this change
        about = ("race-game", version, "", who.id, who.name, "no", change.at, None, "")
        await add_call(change, CallRow(1, "dispute", *about))
    with pytest.raises(ServerError, match="disputed"):
        await waiting


# What organisers try on events and seasons of others: their ids, their people, a role that has ended


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
        made = self.mallory.post("/api/seasons", name="S", cut=4, parts=self.parts)
        self.season, self.revision = f"/api/seasons/{made['id']}", made["revision"]
        self.victim.http.delete(f"{self.theirs}/staff/{self.mallory.id}").raise_for_status()
        self.account = self.other.get("/api/me")["person"]["name"]

    def event(self, who: Person) -> str:
        made = who.post("/api/events", name="E", rules="tenhou", registration={"open": True})
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


# Rights that somebody loses while their request is on its way: nothing is done by them any more


STAGES = [{"id": "league"}, {"id": "main", "kind": "rounds"}]
GAME, SCORES, WHY = "game-0001", [40000, 30000, 20000, 10000], "why"


class Club(NamedTuple):
    """An event with a game of four, its organiser, and somebody else."""

    services: Services
    mina: PersonRow
    other: PersonRow
    event: str

    async def rights(self) -> EventRights:
        """What the other person may do now."""
        return await rights_in(self.services, self.event, self.other)

    async def revision(self) -> int:
        return (await self.services.events.find(self.event)).revision


async def opened(services: Services, role: str) -> Club:
    mina = PersonRow(new_id(), "Mina", "mina", "player", "ko")
    other = PersonRow(new_id(), "Other", "other", "player", "ko")
    for person in (mina, other):
        await services.accounts.add(person)
    body = CreateEvent.model_validate({"name": "E", "rules": "tenhou", "stages": STAGES})
    event = await create(services, mina, body)
    async with services.events.changing(event, mina) as change:
        await add_listed(change, [Listed(name, "", name) for name in "abcd"])
        if role:
            await set_role(change, other, role, 100)
        else:
            await give_account(change, await entry_of(change, "a"), other)
    start_rights_at_work = StartRecorded(id=GAME, stage="league", players=list("abcd"))
    await starting_games.start(
        services, await rights_in(services, event, mina), mina, start_rights_at_work, StandingsCache(services)
    )
    return Club(services, mina, other, event)


async def penalise(club: Club, rights: EventRights) -> None:
    body = PenaltyBody(stage="league", entry="a", points=-1000, why=WHY)
    await desk.give_penalty(club.services, rights, club.other, body)


async def set_points(club: Club, rights: EventRights) -> None:
    table = await table_of(club.services, rights, GAME)
    await starting_games.end_by(club.services, table, PointsBody(scores=SCORES).end, WHY, None)


async def cancel(club: Club, rights: EventRights) -> None:
    table = await table_of(club.services, rights, GAME)
    await starting_games.set_status(club.services, table, GameStatusBody(status="cancelled", why=WHY))


async def start_rights_at_work(club: Club, rights: EventRights) -> None:
    body = StartRecorded(id="game-0002", stage="league", players=list("abcd"))
    await starting_games.start(club.services, rights, club.other, body, StandingsCache(club.services))


async def call(club: Club, rights: EventRights) -> None:
    await desk.call_referee(club.services, rights, club.other, CallBody(kind="call", game=GAME, label="1"))


async def close_event(club: Club, rights: EventRights) -> None:
    await event_changes.change_status(club.services, rights, StatusBody(status="closed"))


async def make_organiser(club: Club, rights: EventRights) -> None:
    await event_changes.change_staff(club.services, rights, club.other, ORGANISER)


async def set_rounds(club: Club, rights: EventRights) -> None:
    await running_rounds.set_settings(club.services, rights, "main", SetRounds(minutes=60))


Act = Callable[[Club, EventRights], Awaitable[Any]]


@pytest.mark.parametrize(
    ("role", "act"),
    [
        ("organiser", close_event), ("organiser", make_organiser), ("organiser", set_rounds),
        ("referee", penalise), ("referee", set_points), ("referee", cancel),
        ("recorder", start_rights_at_work), ("recorder", call),
    ],
)  # fmt: skip
async def test_who_loses_a_role_does_nothing_by_it_any_more(services: Services, role: str, act: Act) -> None:
    club = await opened(services, role)
    rights = await club.rights()
    async with services.events.changing(club.event, club.mina) as change:
        await set_role(change, club.other, "", 100)
    before = await club.revision()
    with pytest.raises(ServerError) as refused:
        await act(club, rights)
    assert refused.value.code == f"not_{role}"
    assert await club.revision() == before


@pytest.mark.parametrize("act", [start_rights_at_work, call, cancel])
@pytest.mark.parametrize("lost", ["withdrawn", "account"])
async def test_who_loses_an_entry_does_nothing_by_it_any_more(
    services: Services, act: Act, lost: str
) -> None:
    club = await opened(services, "")
    rights = await club.rights()
    async with services.events.changing(club.event, club.mina) as change:
        entry = await entry_of(change, "a")
        if lost == "account":
            await give_account(change, entry, None)
        else:
            await decide(change, entry, lost, WHY)
    before = await club.revision()
    with pytest.raises(ServerError) as refused:
        await act(club, rights)
    assert refused.value.code in ("not_recorder", "not_entered")
    assert await club.revision() == before


async def test_a_role_of_the_parlour_is_looked_at_again_too(services: Services) -> None:
    club = await opened(services, "")

    async def give(role: str) -> None:
        mine = update(people).where(people.c.id == club.other.id).values(role=role)
        async with services.store.writing() as connection:
            await connection.execute(mine)

    await give("admin")
    admin = club.other._replace(role="admin")
    rights = await rights_in(services, club.event, admin)
    await penalise(club, rights)
    await give("player")
    with pytest.raises(ServerError, match="organiser"):
        await penalise(club, rights)


async def test_more_rights_than_before_are_enough(services: Services) -> None:
    club = await opened(services, "recorder")
    rights = await club.rights()
    async with services.events.changing(club.event, club.mina) as change:
        await set_role(change, club.other, "referee", 100)
    async with changing(services, rights) as change:
        change.note("test")


# Double clicks and lost answers: what adds something each time is done once


PENALTY = {"stage": "league", "points": -1000, "why": "late"}
ONCE = {"once": "1"}
PEOPLE = {"entries": [{"name": "Somebody"}]}


def test_the_same_request_counts_once_for_a_while() -> None:
    now = [100.0]
    twice = RepeatedRequests(lambda: now[0])
    with (
        twice.once("p", "/a", b"{}"),
        pytest.raises(ServerError, match="just done"),
        twice.once("p", "/a", b"{}"),
    ):
        pass
    for other in (("q", "/a", b"{}"), ("p", "/b", b"{}"), ("p", "/a", b"")):
        with twice.once(*other):
            pass
    now[0] += WINDOW_S
    with twice.once("p", "/a", b"{}"):
        pass


def test_a_request_that_failed_may_come_again_at_once() -> None:
    twice = RepeatedRequests(lambda: 0.0)
    with pytest.raises(ValueError, match="no"), twice.once("p", "/a", b""):
        raise ValueError("no")
    with twice.once("p", "/a", b""):
        pass


@pytest.mark.parametrize("what", ["penalties", "entries/list"])
def test_two_clicks_add_one(gathering: Gathering, what: str) -> None:
    path, body = (
        f"{gathering.path}/{what}",
        PEOPLE if what == "entries/list" else dict(PENALTY, entry=gathering.entries[0]),
    )
    codes: list[int] = []

    def click() -> None:
        codes.append(gathering.organiser.http.post(path, json=body, headers=ONCE).status_code)

    together([threading.Thread(target=click) for _ in range(4)])
    assert sorted(codes) == [200, 409, 409, 409]
    listed = gathering.organiser.get(f"{gathering.path}/{what.removesuffix('/list')}")
    assert len(listed["penalties"] if what == "penalties" else listed["entries"]) == (
        1 if what == "penalties" else 5
    )
    gathering.organiser.http.headers.update(ONCE)
    assert refused(gathering.organiser, "POST", path, **body) == (409, "just_done")
    wrong = {"entries": [{"name": ""}]} if what == "entries/list" else {**body, "entry": "nobody"}
    first = refused(gathering.organiser, "POST", path, **wrong)
    assert first == refused(gathering.organiser, "POST", path, **wrong) != (409, "just_done")


@pytest.mark.parametrize("what", ["penalties", "entries/list"])
def test_a_retry_without_a_header_adds_nothing_and_a_script_may_mean_it(
    gathering: Gathering, what: str
) -> None:
    path = f"{gathering.path}/{what}"
    body = PEOPLE if what == "entries/list" else dict(PENALTY, entry=gathering.entries[0])
    gathering.organiser.post(path, **body)
    assert refused(gathering.organiser, "POST", path, **body) == (409, "just_done")
    gathering.organiser.http.headers.update({"once": "0"})
    answer = gathering.organiser.post(path, **body)
    assert len(answer["penalties"] if what == "penalties" else answer["entries"]) == (
        2 if what == "penalties" else 6
    )

"""Attacks on events: unauthorised access, races, invisible characters and double clicks."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from jantaku.server.edge.guard import WINDOW_S, RepeatGuard
from jantaku.server.events.common.event import ORGANISER, EventRights, changing
from jantaku.server.events.common.event_bodies import StatusBody
from jantaku.server.events.organising import event_changes
from jantaku.server.events.recording import desk, starting_games
from jantaku.server.events.recording.desk import CallBody, PenaltyBody
from jantaku.server.events.recording.recorded_game import ConfirmBody, GameStatusBody, PointsBody, confirm
from jantaku.server.events.registration.entries import decide, give_account
from jantaku.server.events.rounds import running_rounds
from jantaku.server.events.rounds.round_state import SetRounds
from jantaku.server.storage.entries import entry_of
from jantaku.server.storage.events import CallRow, set_role
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from server.clubs import BUST, DRAW, SCORES, Account, Club
from server.databases import DATABASES
from server.parlour import Message, run_threads
from server.stored_clubs import GAME, StoredClub, refusal
from server.test_event_rights import PAGES

slow = pytest.mark.slow


@slow
@pytest.mark.parametrize("status", ["refused", "withdrawn"])
def test_refused_and_withdrawn_players_cannot_record_or_cancel_games(club: Club, status: str) -> None:
    out, game, empty = club.players[2], club.game("out"), club.game("empty")
    game.enter(BUST)
    club.organiser.patch("entries/p2", status=status)
    game.refused("not_recorder", DRAW, out)
    out.refused("not_recorder", f"{game.path}/confirm", head=game.head)
    out.refused("not_referee", f"{empty.path}/status", status="cancelled")
    assert game.view(out)["may_record"] is False


@slow
def test_texts_and_ids_contain_no_bidirectional_or_invisible_characters(club: Club) -> None:
    why = "late\u202e \u0000etal\n\U0001f468\u200d\U0001f469 ㅋㅋ"
    club.players[0].post("calls", why=why)
    assert club.referee.get("calls")["calls"][0]["why"] == "late etal\n\U0001f468\u200d\U0001f469 ㅋㅋ"
    for key in (".", "..", "a/b", "a b", "\u202e"):  # unusable in URLs
        club.organiser.refused("bad_request", "entries/list", entries=[{"name": "n", "id": key}])
    club.add("..a")


@slow
@pytest.mark.parametrize("services", DATABASES, indirect=True)
async def test_an_earlier_dispute_stops_a_pending_confirmation(services: Services) -> None:
    club = await StoredClub.open(services)
    await club.enter("race-hand", BUST)
    table, body = await club.table(), ConfirmBody(head="race-hand", everybody=True)
    async with club.changing() as change:
        waiting = asyncio.create_task(confirm(services, table, club.mina, body))
        await asyncio.wait([waiting], timeout=0.3)  # it waits for this change to end
        about = (GAME, "race-hand", "", club.mina.id, club.mina.name, "no", change.at)
        await change.insert([CallRow(club.id, 1, "dispute", *about)])
    with refusal("disputed"):
        await waiting


# A former co-organiser tries to use a season that still contains the event


class FormerOrganiser:
    """A season of Mallory's that still contains an event she no longer organises."""

    def __init__(self, url: str) -> None:
        opened: Message = {"registration": {"open": True}}
        self.theirs, self.mine = Club(url, 0, **opened), Club(url, 0, **opened)
        self.mallory, self.other = self.mine.organiser, Account(url, "other")
        known = {"country": "KR", "association": "77"}
        self.theirs.add(*({"name": name} | known for name in ("Kim", "Lee")), "cho", "ahn")
        self.theirs.organiser.post("staff", name=self.mallory.name, role="organiser")
        clubs = (("a", self.theirs), ("b", self.mine))
        self.parts: list[Message] = [{"id": id_, "event": club.id} for id_, club in clubs]
        made = self.mallory.post("/api/seasons", name="S", cut=4, parts=self.parts)
        self.season, self.revision = f"/api/seasons/{made['id']}", made["revision"]
        self.theirs.organiser.delete(f"staff/{self.mallory.id}")

    def seen(self) -> list[Any]:
        return [self.theirs.organiser.get(page) for page in PAGES]


@pytest.fixture
def former(url: str) -> FormerOrganiser:
    return FormerOrganiser(url)


def ids(entries: list[Message]) -> dict[str, str]:
    return {entry["name"]: entry["id"] for entry in entries}


def test_a_season_gives_no_access_to_an_event_its_organiser_has_left(former: FormerOrganiser) -> None:
    """Renaming, linking and merging people in Mallory's event does not affect the other organiser's event."""
    before, patch = former.seen(), former.mallory.patch
    entries = ids(former.mine.add("kim", "lee", "somebody"))
    patch(f"entries/{entries['Lee']}", name="Rude")
    patch(f"entries/{entries['Kim']}", account=former.other.name)
    former.mallory.post(f"entries/{entries['Somebody']}/merge", into=entries["Lee"])
    assert former.seen() == before
    assert former.other.get(former.theirs.at)["entry"] is None


def test_adding_an_event_to_a_season_does_not_affect_events_its_organiser_has_left(
    former: FormerOrganiser,
) -> None:
    """An imported file claims people of the other event, with different names and accounts."""
    before, file = former.seen(), former.theirs.organiser.get("file")
    kim = next(one for one in file["players"] if one["name"] == "Kim")
    for player in file["players"]:
        player["name"] += " the Rude"
    entry = {"id": kim["id"], "name": kim["name"], "player": kim["person"]}
    file["server"] = {"entries": [{**entry, "account": {"id": former.other.id}}]}
    made = former.mallory.post("/api/events/import", file=file)["id"]
    parts = [*former.parts, {"id": "c", "event": made}]
    former.mallory.patch(former.season, parts=parts, revision=former.revision)
    assert former.seen() == before
    assert former.other.get(former.theirs.at)["entry"] is None


def test_a_former_organiser_cannot_read_or_use_private_data_of_the_event(former: FormerOrganiser) -> None:
    mallory, season, theirs = former.mallory, former.season, former.theirs
    entries = ids(theirs.organiser.get("entries")["entries"])
    theirs.result("of-four", players=[*entries.values()])
    later = ids(theirs.add("hidden"))
    theirs.organiser.patch(f"entries/{later['Hidden']}", status="refused", why="w")
    people = {one["name"]: one["player"] for one in mallory.get(f"{season}/people")["people"]}
    assert set(people) == set(entries)
    before, kim = former.seen(), f"{season}/people/{people['Kim']}"
    mallory.refused("not_organiser", f"{kim}/merge", into=people["Lee"])
    mallory.refused("not_organiser", f"{kim}/separate", part="a")
    mallory.refused("not_organiser", f"{season}/finalists", part="a")
    assert mallory.post(f"{season}/finalists", part="b")["entered"] == [*entries]
    names = mallory.get("names")["names"]
    assert {(row["real_name"], row["country"], row["association"]) for row in names} <= {("", "", "")}
    assert former.seen() == before


# Rights that are revoked during a request make the request fail


class RevocationClub(StoredClub):
    """An event and a person who has a role in it or is one of its entries."""

    other: PersonRow

    async def give(self, role: str) -> "RevocationClub":
        self.other = PersonRow(new_id(), "Other", new_id(), "player", "ko")
        await self.services.accounts.add(self.other)
        async with self.changing() as change:
            if role:
                await set_role(change, self.other, role, 100)
            else:
                await give_account(change, await entry_of(change, "a"), self.other)
        return self


async def revocation_club(services: Services, role: str) -> RevocationClub:
    return await (await RevocationClub.open(services)).give(role)


Act = Callable[[RevocationClub, EventRights], Awaitable[Any]]


async def penalise(club: RevocationClub, rights: EventRights) -> None:
    body = PenaltyBody(stage="league", entry="a", points=-1000, why="why")
    await desk.give_penalty(club.services, rights, club.other, body)


async def set_points(club: RevocationClub, rights: EventRights) -> None:
    table = await club.table(rights)
    await starting_games.end_by_points(club.services, table, PointsBody(scores=SCORES).end, "why", None)


async def cancel(club: RevocationClub, rights: EventRights) -> None:
    body = GameStatusBody(status="cancelled", why="why")
    await starting_games.set_status(club.services, await club.table(rights), body)


async def start(club: RevocationClub, rights: EventRights) -> None:
    await club.start("game-0002", club.other, rights)


async def call(club: RevocationClub, rights: EventRights) -> None:
    await desk.call_referee(club.services, rights, club.other, CallBody(kind="call", game=GAME, label="1"))


async def close_event(club: RevocationClub, rights: EventRights) -> None:
    await event_changes.change_status(club.services, rights, StatusBody(status="closed"))


async def make_organiser(club: RevocationClub, rights: EventRights) -> None:
    await event_changes.change_staff(club.services, rights, club.other, ORGANISER)


async def set_rounds(club: RevocationClub, rights: EventRights) -> None:
    await running_rounds.set_settings(club.services, rights, "main", SetRounds(minutes=60))


@pytest.mark.parametrize(
    ("role", "lost", "act"),
    [
        *(("organiser", "role", act) for act in (close_event, make_organiser, set_rounds)),
        *(("referee", "role", act) for act in (penalise, set_points, cancel)),
        *(("recorder", "role", act) for act in (start, call)),
        *(("", lost, act) for lost in ("withdrawn", "account") for act in (start, call, cancel)),
    ],
)
async def test_a_request_fails_if_its_role_or_entry_is_revoked_meanwhile(
    services: Services, role: str, lost: str, act: Act
) -> None:
    club = await revocation_club(services, role)
    rights = await club.rights(club.other)
    async with club.changing() as change:
        if lost == "role":
            await set_role(change, club.other, "", 100)
        elif lost == "account":
            await give_account(change, await entry_of(change, "a"), None)
        else:
            await decide(change, await entry_of(change, "a"), lost, "why")
    before = (await club.row()).revision
    with refusal(*([f"not_{role}"] if role else ["not_recorder", "not_entered"])):
        await act(club, rights)
    assert (await club.row()).revision == before


async def test_a_revoked_server_role_is_also_checked_again(services: Services) -> None:
    club = await revocation_club(services, "")

    async def give(role: str) -> None:
        mine = update(PersonRow).where(PersonRow.id == club.other.id).values(role=role)
        async with services.store.writing() as connection:
            await connection.execute(mine)

    await give("admin")
    rights = await club.rights(replace(club.other, role="admin"))
    await penalise(club, rights)
    await give("player")
    with refusal("not_organiser"):
        await penalise(club, rights)


async def test_a_request_succeeds_if_its_role_is_raised_meanwhile(services: Services) -> None:
    club = await revocation_club(services, "recorder")
    rights = await club.rights(club.other)
    async with club.changing() as change:
        await set_role(change, club.other, "referee", 100)
    async with changing(services, rights) as change:
        change.note("test")


# Double clicks and lost responses: an addition is carried out only once


def test_a_repeated_request_is_refused_for_a_while_unless_it_failed() -> None:
    now = [100.0]
    guard = RepeatGuard(lambda: now[0])
    with guard.once("p", "/a", b"{}"), refusal("just_done"), guard.once("p", "/a", b"{}"):
        pass
    for other in (("q", "/a", b"{}"), ("p", "/b", b"{}"), ("p", "/a", b"")):
        with guard.once(*other):
            pass
    now[0] += WINDOW_S
    with pytest.raises(ValueError, match="no"), guard.once("p", "/a", b"{}"):
        raise ValueError("no")
    with guard.once("p", "/a", b"{}"):
        pass


@pytest.mark.parametrize(
    ("path", "body", "wrong"),
    [
        (
            "penalties",
            {"stage": "league", "points": -1000, "why": "late", "entry": "p0"},
            {"entry": "nobody"},
        ),
        ("entries/list", {"entries": [{"name": "Somebody"}]}, {"entries": [{"name": ""}]}),
    ],
)
def test_repeated_clicks_add_once_but_scripts_may_opt_out(
    club: Club, path: str, body: Message, wrong: Message
) -> None:
    codes, organiser = list[int](), club.organiser
    name = path.removesuffix("/list")

    def count() -> int:
        return len(organiser.get(name)[name])

    def click() -> None:
        url = f"{club.at}/{path}"
        codes.append(organiser.http.post(url, json=body, headers={"once": "1"}).status_code)

    before = count()
    run_threads([threading.Thread(target=click) for _ in range(4)])
    assert sorted(codes) == [200, 409, 409, 409]
    assert count() == before + 1
    for once in ("1", None):
        organiser.http.headers.update({"once": once} if once else {})
        organiser.refused("just_done", path, **body)
        first, second = (organiser.send("POST", path, **body | wrong) for _ in range(2))
        assert first.json() == second.json()
        assert first.json()["error"]["code"] != "just_done"
        organiser.http.headers.pop("once", None)
    organiser.http.headers["once"] = "0"
    organiser.post(path, **body)
    assert count() == before + 2

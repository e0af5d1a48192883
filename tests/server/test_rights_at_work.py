"""Rights that somebody loses while their request is on its way: nothing is done by them any more."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import pytest
from sqlalchemy import update

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, EventRights, changing, rights_in
from jantaku.server.events.common.event_bodies import CreateEvent, StatusBody, create
from jantaku.server.events.organising import event_changes
from jantaku.server.events.recording import desk, starting_games
from jantaku.server.events.recording.desk import CallBody, PenaltyBody
from jantaku.server.events.recording.recorded_game import GameStatusBody, PointsBody, StartRecorded, table_of
from jantaku.server.events.registration.entries import Listed, add_listed, decide, give_account
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.events.rounds import running_rounds
from jantaku.server.events.rounds.round_state import SetRounds
from jantaku.server.storage.entries import entry_of
from jantaku.server.storage.events import set_role
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.schema import people
from jantaku.server.storage.services import Services

pytestmark = pytest.mark.anyio
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
    body = CreateEvent.model_validate({"name": {"en": "E"}, "rules": "tenhou", "stages": STAGES})
    event = await create(services, mina, body)
    async with services.events.changing(event, mina) as change:
        await add_listed(change, [Listed(name, "", name) for name in "abcd"])
        if role:
            await set_role(change, other, role, 100)
        else:
            await give_account(change, await entry_of(change, "a"), other)
    start = StartRecorded(id=GAME, stage="league", players=list("abcd"))
    await starting_games.start(
        services, await rights_in(services, event, mina), mina, start, StandingsCache(services)
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


async def start(club: Club, rights: EventRights) -> None:
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
        ("recorder", start), ("recorder", call),
    ],
)  # fmt: skip
@pytest.mark.parametrize("services", ["sqlite"], indirect=True)
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


@pytest.mark.parametrize("act", [start, call, cancel])
@pytest.mark.parametrize("lost", ["withdrawn", "account"])
@pytest.mark.parametrize("services", ["sqlite"], indirect=True)
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

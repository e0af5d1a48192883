"""Friends: requests, blocking, presence, invitations to tables, and profile cards."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Literal, NamedTuple

from cachetools import FIFOCache, LRUCache
from fastapi import Depends, Path

from jantaku import terms
from jantaku.club.statistics import Achievement, RuledGame, person_achievements, person_figures
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import Done, router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.notices.push import PushSender
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    Person,
    Requester,
    RequestLanguage,
    limit_changes,
    limit_work,
)
from jantaku.server.play import table_seats
from jantaku.server.play.site import present
from jantaku.server.play.table_seats import seat_of
from jantaku.server.processes.links import ASKED, BLOCKED, INVITED, PRESENCE, UNINVITED
from jantaku.server.ranked.entries import LADDERS, step_of
from jantaku.server.rules.pages import rules_name
from jantaku.server.storage.people import PersonRow, TiedPerson
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import TableRow
from jantaku.terms import Language
from jantaku.wire import Wire

Tie = Literal["none", "friend", "blocked"]


class NamedPerson(Wire):
    """A person by id and name."""

    person: str
    name: str


class Friend(NamedPerson):
    """A friend. ``here``: they are at a table; ``table``: its id, if it is public.

    Both are set only for friends who share their presence.
    """

    here: bool
    table: str | None


class TableInvitation(NamedPerson):
    """A friend's invitation to a waiting table; ``called`` is the table's displayed name."""

    table: str
    called: str


class FriendsPage(Wire):
    """My friends, requests received (``asked``) and sent (``wanted``), blocked people, and invitations.

    ``presence``: whether I share my presence with friends.
    """

    friends: list[Friend]
    asked: list[NamedPerson]
    wanted: list[NamedPerson]
    blocked: list[NamedPerson]
    invitations: list[TableInvitation]
    presence: bool


class TieBody(Wire):
    """Set my tie to a person; ``declined`` declines their request."""

    tie: Tie | Literal["declined"]


class PresenceBody(Wire):
    """Whether I share my presence at tables with friends."""

    on: bool


class InviteBody(Wire):
    """Invite a friend to this table."""

    table: str


class CardFeat(Wire):
    """An achievement, as in the statistics of events."""

    kind: str
    value: float


class CardYaku(Wire):
    """The number of hands won with a yaku."""

    yaku: str
    wins: int


class PersonCard(NamedPerson):
    """A person's profile.

    ``steps``: the steps in ranked play with four and with three players, ``null`` before the first game.
    ``title``, ``yaku`` and ``feats`` are derived from their games; they are empty unless the person shares
    their statistics (``shown``) or is the requesting person. ``tie``: my tie to them; ``mutual``: we are
    friends.
    """

    steps: tuple[int | None, int | None]
    shown: bool
    title: str | None
    yaku: list[CardYaku]
    feats: list[CardFeat]
    tie: Tie
    mutual: bool


MAX_PEOPLE: Final = 5000  # people whose invitations are remembered
MAX_PER_PERSON: Final = 10  # invitations remembered per person, the newest


class Invitation(NamedTuple):
    """An invitation: the id of the inviting person, and the table with its rules."""

    by: str
    table: TableRow
    rules: Ruleset


class Invitations:
    """Invitations to waiting tables, kept in the memory of every process."""

    def __init__(self, services: Services, push: PushSender) -> None:
        self._services, self._push = services, push
        self._invited = LRUCache[str, FIFOCache[str, str]](MAX_PEOPLE)  # by person: table -> inviting person
        services.links.subscribe(INVITED, self._note)
        services.links.subscribe(UNINVITED, self._forget)

    def add(self, person: str, by: PersonRow, table: str) -> None:
        """Invite a person to a table and send them a notification; repeated invitations are ignored."""
        before = self._invited.get(person)
        if before is not None and before.get(table) == by.id:
            return
        self._services.links.announce(INVITED, person, by.id, table)
        self._services.links.announce(ASKED, person)
        self._push.notify([person], lambda language: _notification(by.name, table, language))

    def _note(self, person: str, by: str, table: str) -> None:
        self._forget(person, table)  # a new invitation to the same table becomes the newest
        self._invited.setdefault(person, FIFOCache[str, str](MAX_PER_PERSON))[table] = by

    def decline(self, person: str, table: str) -> None:
        """Remove a person's invitation to a table; they may be invited again."""
        self._services.links.announce(UNINVITED, person, table)
        self._services.links.announce(ASKED, person)

    def _forget(self, person: str, table: str) -> None:
        if person in self._invited:
            self._invited[person].pop(table, None)

    async def of(self, person: str) -> list[Invitation]:
        """Return a person's invitations to tables with a free seat, newest first."""
        invited = list[Invitation]()
        for table, by in reversed([*self._invited.get(person, {}).items()]):
            row = await self._services.seating.find(table)
            if row is None or row.status != "waiting" or seat_of(row, person) is not None:
                continue
            if None in row.sitters:
                rules = await self._services.rulesets.find(row.rules, row.fingerprint)
                invited.append(Invitation(by, row, rules))
        return invited


def _notification(name: str, table: str, language: Language) -> str:
    body = terms.text("server.friends.invites", language, name=name)
    return json.dumps({"title": name, "body": body, "url": f"/t/{table}", "tag": f"invite {table}"})


MAX_YAKU: Final = 3
# Achievements that earn a title, with their minimum values, rarest first
TITLES: Final = (
    ("yakuman", 1),
    ("firsts_in_a_row", 3),
    ("most_yaku", 25),
    ("biggest_hand", 24_000),
    ("most_tenpai", 100),
    ("most_riichi", 100),
    ("most_wins", 100),
)
COMMON_YAKU: Final = ("riichi", "tsumo", "dora", "ippatsu")  # too common to be a favourite


class GamesSummary(NamedTuple):
    """The title, favourite yaku and achievements from a person's games."""

    title: str | None
    yaku: list[tuple[str, int]]
    feats: tuple[Achievement, ...]


def summarise(games: Sequence[RuledGame], person: str) -> GamesSummary:
    """Derive the title, yaku and achievements from a person's games, oldest first."""
    feats = person_achievements(games, person)
    reached = {feat.kind: feat.value for feat in feats}
    wins = Counter[str]()
    for figures in person_figures(games, person).values():
        for bar in figures.yaku.bars:
            wins[bar.key] += len(bar.hands)
    favourite = [pair for pair in wins.most_common() if pair[0] not in COMMON_YAKU]
    title = next((kind for kind, least in TITLES if reached.get(kind, 0) >= least), None)
    return GamesSummary(title, favourite[:MAX_YAKU], feats)


router = router_of("/api", "friends")
PersonId = Annotated[str, Path(max_length=16)]
TableId = Annotated[str, Path(max_length=16)]


async def _page(services: InjectedServices, who: PersonRow, language: Language) -> FriendsPage:
    ties = await services.ties.of(who.id)
    names = {friend.id: friend.name for friend in ties.friends}

    def named(people: Iterable[TiedPerson]) -> list[NamedPerson]:
        return [NamedPerson(person=person.id, name=person.name) for person in people]

    there = await present(services.links, [friend.id for friend in ties.friends if friend.shown])
    return FriendsPage(
        friends=[
            Friend(**friend.model_dump(), here=friend.person in there, table=there.get(friend.person))
            for friend in named(ties.friends)
        ],
        asked=named(ties.received),
        wanted=named(ties.sent),
        blocked=named(ties.blocked),
        invitations=[
            TableInvitation(
                person=invited.by,
                name=names[invited.by],
                table=invited.table.id,
                called=invited.table.name or rules_name(invited.rules, language),
            )
            for invited in await services.invitations.of(who.id)
            if invited.by in names  # only friends may invite
        ],
        presence=who.presence_shown,
    )


@router.get("/friends")
async def mine(services: InjectedServices, language: RequestLanguage, who: Person) -> FriendsPage:
    """List my friends, requests, blocked people and invitations."""
    return await _page(services, who, language)


@router.put("/friends/presence", dependencies=[Depends(limit_changes)])
async def presence(services: InjectedServices, who: Person, body: PresenceBody) -> PresenceBody:
    """Set whether friends see me at a table, and whether others see me in the queue for ranked play."""
    await services.accounts.change(who.id, presence_shown=body.on)
    services.links.announce(PRESENCE, who.id, body.on)
    return body


@router.put("/friends/{person_id}", dependencies=[Depends(limit_changes)])
async def tie(
    services: InjectedServices, language: RequestLanguage, who: Person, person_id: PersonId, body: TieBody
) -> FriendsPage:
    """Send, accept, decline or withdraw a friend request, or block a person. Guests cannot have friends."""
    if person_id == who.id:
        raise ServerError("not_yourself")
    if body.tie == "friend" and who.guest:
        raise ServerError("account_needed")
    if body.tie == "declined":
        await services.ties.decline(who.id, person_id)
    else:
        await services.ties.set(who.id, person_id, None if body.tie == "none" else body.tie)
    if body.tie == "blocked":
        services.links.announce(BLOCKED, who.id, person_id)
    for person in (who.id, person_id):  # refresh all devices of both
        services.links.announce(ASKED, person)
    return await _page(services, who, language)


@router.post("/friends/{person_id}/invite", dependencies=[Depends(limit_changes)])
async def invite(services: InjectedServices, who: Person, person_id: PersonId, body: InviteBody) -> Done:
    """Invite a friend to my table before its game."""
    if not await services.ties.are_friends(who.id, person_id):
        raise ServerError("no_friend")
    table = await services.seating.find(body.table)
    if table is None or table.status == "closed":
        raise ServerError("no_table")
    if table_seats.seat_of(table, who.id) is None:
        raise ServerError("not_seated")
    if table.status != "waiting":
        raise ServerError("already_started")
    services.invitations.add(person_id, who, table.id)
    return Done()


@router.delete("/friends/invitations/{table_id}", dependencies=[Depends(limit_changes)])
async def decline(
    services: InjectedServices, language: RequestLanguage, who: Person, table_id: TableId
) -> FriendsPage:
    """Decline the invitations to a table."""
    services.invitations.decline(who.id, table_id)
    return await _page(services, who, language)


@router.get("/people/{person_id}/card")
async def card(services: InjectedServices, who: Person, asker: Requester, person_id: PersonId) -> PersonCard:
    """Return the profile of a person."""
    limit_work(services, who)
    person = await services.accounts.find(person_id)
    if person is None:
        raise ServerError("no_person")
    summary = GamesSummary(None, [], ())
    if person.profile_shown or person_id == who.id:
        async with services.figures.turn(asker):
            games = (await services.own_games.of(person_id, public=True)).games
            summary = await asyncio.to_thread(summarise, games, person_id)
    ties = await services.ties.of(who.id)
    four, three = [await services.table_ratings.rating(players, person_id) for players in LADDERS]
    own: Tie = "blocked" if any(person.id == person_id for person in ties.blocked) else "none"
    mutual = any(friend.id == person_id for friend in ties.friends)
    if mutual or any(person.id == person_id for person in ties.sent):
        own = "friend"
    return PersonCard(
        person=person_id,
        name=person.name,
        steps=(None if four is None else step_of(four), None if three is None else step_of(three)),
        shown=person.profile_shown,
        title=summary.title,
        yaku=[CardYaku(yaku=name, wins=wins) for name, wins in summary.yaku],
        feats=list(map(CardFeat.of, summary.feats)),
        tie=own,
        mutual=mutual,
    )

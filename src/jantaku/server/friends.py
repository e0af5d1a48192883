"""Friends: asking, blocking, where they play, invitations to tables, and the card of a person."""

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
    """A friend. ``here``: at a table now; ``table``: that table, if everybody may know it.

    Both only if the friend lets friends see it.
    """

    here: bool
    table: str | None


class TableInvitation(NamedPerson):
    """A friend invites me to a table that waits."""

    table: str
    called: str


class FriendsPage(Wire):
    """My friends, who wants to be one (``asked``), whom I have asked (``wanted``), and whom I have blocked.

    ``presence``: whether my friends see when I am at a table.
    """

    friends: list[Friend]
    asked: list[NamedPerson]
    wanted: list[NamedPerson]
    blocked: list[NamedPerson]
    invitations: list[TableInvitation]
    presence: bool


class TieBody(Wire):
    """What I want of a person: to be friends, not to meet them, or neither; ``declined``: no request."""

    tie: Tie | Literal["declined"]


class PresenceBody(Wire):
    """Whether my friends see when I am at a table."""

    on: bool


class InviteBody(Wire):
    """The table to which a friend is invited."""

    table: str


class CardFeat(Wire):
    """What somebody has reached, as in the statistics of events."""

    kind: str
    value: float


class CardYaku(Wire):
    """How many hands somebody has won with a yaku."""

    yaku: str
    wins: int


class PersonCard(NamedPerson):
    """A person as others may see them.

    ``steps``: in ranked play with four and three players, ``null`` before the first game. ``title``, ``yaku``
    and ``feats`` come from their games, and stay empty unless they show their numbers (``shown``) or are me.
    ``tie``: what I want of them; ``mutual``: whether we are friends.
    """

    steps: tuple[int | None, int | None]
    shown: bool
    title: str | None
    yaku: list[CardYaku]
    feats: list[CardFeat]
    tie: Tie
    mutual: bool


KEPT: Final = 5000
OF_ONE: Final = 10  # for one person, the newest


class Invited(NamedTuple):
    """Who has invited, and to which table."""

    by: str
    table: TableRow
    rules: Ruleset


class Invitations:
    """All invitations to tables that still wait."""

    def __init__(self, services: Services, push: PushSender) -> None:
        self._services, self._push = services, push
        self._invited = LRUCache[str, FIFOCache[str, str]](KEPT)  # of each person: who invited to which table
        services.links.subscribe(INVITED, self._note)
        services.links.subscribe(UNINVITED, self._forget)

    def add(self, person: str, by: PersonRow, table: str) -> None:
        """Invite a person, and tell them where they have notifications on; once to each table."""
        before = self._invited.get(person)
        if before is not None and before.get(table) == by.id:
            return
        self._services.links.announce(INVITED, person, by.id, table)
        self._services.links.announce(ASKED, person)
        self._push.tell([person], lambda language: _said(by.name, table, language))

    def _note(self, person: str, by: str, table: str) -> None:
        self._forget(person, table)  # who invites again is the newest
        self._invited.setdefault(person, FIFOCache[str, str](OF_ONE))[table] = by

    def decline(self, person: str, table: str) -> None:
        """Forget who has invited a person to a table; they may be invited again."""
        self._services.links.announce(UNINVITED, person, table)
        self._services.links.announce(ASKED, person)

    def _forget(self, person: str, table: str) -> None:
        if person in self._invited:
            self._invited[person].pop(table, None)

    async def of(self, person: str) -> list[Invited]:
        """The invitations of a person, the newest first."""
        invited = list[Invited]()
        for table, by in reversed([*self._invited.get(person, {}).items()]):
            row = await self._services.seating.find(table)
            if row is None or row.status != "waiting" or seat_of(row, person) is not None:
                continue
            if None in row.sitters:
                rules = await self._services.rulesets.find(row.rules, row.fingerprint)
                invited.append(Invited(by, row, rules))
        return invited


def _said(name: str, table: str, language: Language) -> str:
    body = terms.text("server.friends.invites", language, name=name)
    return json.dumps({"title": name, "body": body, "url": f"/t/{table}", "tag": f"invite {table}"})


MOST_YAKU: Final = 3
# What earns a title, the rarest first
TITLES: Final = (
    ("yakuman", 1),
    ("firsts_in_a_row", 3),
    ("most_yaku", 25),
    ("biggest_hand", 24_000),
    ("most_tenpai", 100),
    ("most_riichi", 100),
    ("most_wins", 100),
)
USUAL: Final = ("riichi", "tsumo", "dora", "ippatsu")  # of everybody's hands, so nobody's favourite


class CardGames(NamedTuple):
    """What the games of a person say."""

    title: str | None
    yaku: list[tuple[str, int]]
    feats: tuple[Achievement, ...]


def played(games: Sequence[RuledGame], person: str) -> CardGames:
    """All games of a person, the oldest first."""
    feats = person_achievements(games, person)
    reached = {feat.kind: feat.value for feat in feats}
    wins = Counter[str]()
    for figures in person_figures(games, person).values():
        for bar in figures.yaku.bars:
            wins[bar.key] += len(bar.hands)
    favourite = [pair for pair in wins.most_common() if pair[0] not in USUAL]
    title = next((kind for kind, least in TITLES if reached.get(kind, 0) >= least), None)
    return CardGames(title, favourite[:MOST_YAKU], feats)


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
        asked=named(ties.asked),
        wanted=named(ties.wanted),
        blocked=named(ties.blocked),
        invitations=[
            TableInvitation(
                person=invited.by,
                name=names[invited.by],
                table=invited.table.id,
                called=invited.table.name or rules_name(invited.rules, language),
            )
            for invited in await services.invitations.of(who.id)
            if invited.by in names  # who is no friend any more invites no more
        ],
        presence=who.presence_shown,
    )


@router.get("/friends")
async def mine(services: InjectedServices, language: RequestLanguage, who: Person) -> FriendsPage:
    """My friends, and who wants to be one."""
    return await _page(services, who, language)


@router.put("/friends/presence", dependencies=[Depends(limit_changes)])
async def presence(services: InjectedServices, who: Person, body: PresenceBody) -> PresenceBody:
    """Let my friends see when I am at a table, and others that I wait for ranked play, or not."""
    await services.accounts.change(who.id, presence_shown=body.on)
    services.links.announce(PRESENCE, who.id, body.on)
    return body


@router.put("/friends/{person_id}", dependencies=[Depends(limit_changes)])
async def tie(
    services: InjectedServices, language: RequestLanguage, who: Person, person_id: PersonId, body: TieBody
) -> FriendsPage:
    """Ask a person to be friends, agree, decline, block them, or take that back. Guests cannot be friends."""
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
    for person in (who.id, person_id):  # all devices of both
        services.links.announce(ASKED, person)
    return await _page(services, who, language)


@router.post("/friends/{person_id}/invite", dependencies=[Depends(limit_changes)])
async def invite(services: InjectedServices, who: Person, person_id: PersonId, body: InviteBody) -> Done:
    """Invite a friend to the table where I sit, before its game."""
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
    """The card of a person."""
    limit_work(services, who)
    person = await services.accounts.find(person_id)
    if person is None:
        raise ServerError("no_person")
    said = CardGames(None, [], ())
    if person.numbers_shown or person_id == who.id:
        async with services.figures.turn(asker):
            games = (await services.own_games.of(person_id, public=True)).games
            said = await asyncio.to_thread(played, games, person_id)
    ties = await services.ties.of(who.id)
    four, three = [await services.table_ratings.rating(players, person_id) for players in LADDERS]
    own: Tie = "blocked" if any(person.id == person_id for person in ties.blocked) else "none"
    mutual = any(friend.id == person_id for friend in ties.friends)
    if mutual or any(person.id == person_id for person in ties.wanted):
        own = "friend"
    return PersonCard(
        person=person_id,
        name=person.name,
        steps=(None if four is None else step_of(four), None if three is None else step_of(three)),
        shown=person.numbers_shown,
        title=said.title,
        yaku=[CardYaku(yaku=name, wins=wins) for name, wins in said.yaku],
        feats=list(map(CardFeat.of, said.feats)),
        tie=own,
        mutual=mutual,
    )

"""Friends: asking, blocking, where they play, invitations to tables, and the card of a person."""

import asyncio
from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends, Path

from jantaku.server.edge.routing import router_of
from jantaku.server.edge.shared_bodies import Done
from jantaku.server.errors import ServerError
from jantaku.server.friends import friends_bodies as bodies
from jantaku.server.friends.friends_kit import ForFriends, FriendsKit
from jantaku.server.friends.person_card import CardGames, played
from jantaku.server.people.asking import Asking, Person, RequestLanguage, changing_mind, working
from jantaku.server.play import table_seats
from jantaku.server.play.listed_tables import present
from jantaku.server.ranked.entries import LADDERS, step_of
from jantaku.server.rules.rules_names import rules_name
from jantaku.server.storage.people import PersonRow, TiedPerson
from jantaku.terms import Language

router = router_of("/api", "friends")
PersonId = Annotated[str, Path(max_length=16)]
TableId = Annotated[str, Path(max_length=16)]


async def _page(kit: FriendsKit, who: PersonRow, language: Language) -> bodies.FriendsPage:
    ties = await kit.services.ties.of(who.id)
    names = {friend.id: friend.name for friend in ties.friends}

    def named(people: Iterable[TiedPerson]) -> list[bodies.NamedPerson]:
        return [bodies.NamedPerson(person=person.id, name=person.name) for person in people]

    there = await present(kit.services.links, [friend.id for friend in ties.friends if friend.shown])
    return bodies.FriendsPage(
        friends=[
            bodies.Friend(**friend.model_dump(), here=friend.person in there, table=there.get(friend.person))
            for friend in named(ties.friends)
        ],
        asked=named(ties.asked),
        wanted=named(ties.wanted),
        blocked=named(ties.blocked),
        invitations=[
            bodies.TableInvitation(
                person=invited.by,
                name=names[invited.by],
                table=invited.table.id,
                called=invited.table.name or rules_name(invited.rules, language),
            )
            for invited in await kit.invitations.of(who.id)
            if invited.by in names  # who is no friend any more invites no more
        ],
        presence=await kit.services.accounts.shows_presence(who.id),
    )


@router.get("/friends")
async def mine(kit: ForFriends, language: RequestLanguage, who: Person) -> bodies.FriendsPage:
    """My friends, and who wants to be one."""
    return await _page(kit, who, language)


@router.put("/friends/presence", dependencies=[Depends(changing_mind)])
async def presence(kit: ForFriends, who: Person, body: bodies.PresenceBody) -> bodies.PresenceBody:
    """Let my friends see when I am at a table, and others that I wait for ranked play, or not."""
    await kit.services.accounts.change(who.id, presence_shown=int(body.on))
    kit.services.links.announce("presence", [who.id, body.on])
    return body


@router.put("/friends/{person_id}", dependencies=[Depends(changing_mind)])
async def tie(
    kit: ForFriends, language: RequestLanguage, who: Person, person_id: PersonId, body: bodies.TieBody
) -> bodies.FriendsPage:
    """Ask a person to be friends, agree, decline, block them, or take that back. Guests cannot be friends."""
    if person_id == who.id:
        raise ServerError("not_yourself")
    if body.tie == "friend" and who.guest:
        raise ServerError("account_needed")
    if body.tie == "declined":
        await kit.services.ties.decline(who.id, person_id)
    else:
        await kit.services.ties.set(who.id, person_id, None if body.tie == "none" else body.tie)
    if body.tie == "blocked":
        kit.services.links.announce("blocked", [who.id, person_id])
    for person in (who.id, person_id):  # all devices of both
        kit.services.links.announce("asked", person)
    return await _page(kit, who, language)


@router.post("/friends/{person_id}/invite", dependencies=[Depends(changing_mind)])
async def invite(kit: ForFriends, who: Person, person_id: PersonId, body: bodies.InviteBody) -> Done:
    """Invite a friend to the table where I sit, before its game."""
    if not await kit.services.ties.are_friends(who.id, person_id):
        raise ServerError("no_friend")
    table = await kit.services.seating.find(body.table)
    if table is None or table.status == "closed":
        raise ServerError("no_table")
    if table_seats.seat_of(table, who.id) is None:
        raise ServerError("not_seated")
    if table.status != "waiting":
        raise ServerError("already_started")
    kit.invitations.add(person_id, who, table.id)
    return Done()


@router.delete("/friends/invitations/{table_id}", dependencies=[Depends(changing_mind)])
async def decline(
    kit: ForFriends, language: RequestLanguage, who: Person, table_id: TableId
) -> bodies.FriendsPage:
    """Decline the invitations to a table."""
    kit.invitations.decline(who.id, table_id)
    return await _page(kit, who, language)


@router.get("/people/{person_id}/card")
async def card(kit: ForFriends, who: Person, asker: Asking, person_id: PersonId) -> bodies.PersonCard:
    """The card of a person."""
    working(kit, who)
    person = await kit.services.accounts.find(person_id)
    if person is None:
        raise ServerError("no_person")
    shown = await kit.services.accounts.shows_numbers(person_id)
    said = CardGames(None, [], ())
    if shown or person_id == who.id:
        async with kit.figures.turn(asker):
            games = (await kit.own_games.of(person_id, public=True)).games
            said = await asyncio.to_thread(played, games, person_id)
    ties = await kit.services.ties.of(who.id)
    four, three = [await kit.table_ratings.rating(players, person_id) for players in LADDERS]
    own: bodies.Tie = "blocked" if any(person.id == person_id for person in ties.blocked) else "none"
    mutual = any(friend.id == person_id for friend in ties.friends)
    if mutual or any(person.id == person_id for person in ties.wanted):
        own = "friend"
    return bodies.PersonCard(
        person=person_id,
        name=person.name,
        steps=(None if four is None else step_of(four), None if three is None else step_of(three)),
        shown=shown,
        title=said.title,
        yaku=[bodies.CardYaku(yaku=name, wins=wins) for name, wins in said.yaku],
        feats=list(map(bodies.CardFeat.of, said.feats)),
        tie=own,
        mutual=mutual,
    )

"""Claims: linking an entry on the list to the claiming player's account."""

import secrets
from typing import Annotated, Final, Literal

from fastapi import Depends
from pydantic import Field
from sqlalchemy import select

from jantaku.server.edge.bodies import iso, router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, EntryId, Number, changing
from jantaku.server.events.common.event_bodies import Why
from jantaku.server.events.common.event_context import UserEventContext
from jantaku.server.events.registration.entries import account_changed, share_account
from jantaku.server.people.auth_dependencies import InjectedServices, Requester, limit_changes, limit_work
from jantaku.server.settings import CLAIMS_OF_ENTRY, CLAIMS_OF_EVENT
from jantaku.server.storage.entries import ASKED, TAKEN, UNDONE, ClaimRow, EntryRow, entries_of, entry_of
from jantaku.server.storage.events import Change
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.recorded_games import retract_marks
from jantaku.wire import Wire

ClaimState = Literal["asked", "taken", "undone"]


class ClaimBody(Wire):
    """A claim to an entry, proved by its ``card`` or the event's ``code``; else an organiser decides."""

    card: Annotated[str, Field(max_length=16)] = ""
    code: Annotated[str, Field(max_length=16)] = ""


class ClaimAnswer(Wire):
    """The result: the entry belongs to the caller (``taken``), or an organiser decides (``asked``)."""

    state: ClaimState


class ClaimInfo(Wire):
    """A claim by ``name`` to an entry; ``how`` is the proof given with it."""

    number: int
    entry: str
    name: str
    how: Literal["card", "code", "asked"]
    state: ClaimState
    at: str | None


class ClaimList(Wire):
    """The latest claims of an event, newest first."""

    claims: list[ClaimInfo]


class DecideClaim(Wire):
    """An organiser's decision to accept a claim (``taken``) or undo it."""

    state: Literal["taken", "undone"]
    why: Why = ""


class EntryCard(Wire):
    """The claim card of an entry without an account, to be sent as a link."""

    entry: str
    card: str


class CardList(Wire):
    """Claim cards of all playing or waiting entries without an account."""

    cards: list[EntryCard]


PENDING: Final = ClaimRow.state == ASKED
CLAIMABLE: Final = ("playing", "waiting")


def proof_of(change: Change, entry: EntryRow, card: str, code: str) -> str:
    """Return the kind of proof given with a claim; raise ``wrong_card`` or ``wrong_code`` if it is wrong."""
    if card:
        if entry.card is None or not secrets.compare_digest(card.encode(), entry.card.encode()):
            raise ServerError("wrong_card", field="card")
        return "card"
    if code:
        if not secrets.compare_digest(code.strip().lower().encode(), change.event.code.encode()):
            raise ServerError("wrong_code", field="code")
        return "code"
    return ASKED


async def claim_entry(change: Change, user: PersonRow, entry: EntryRow, how: str) -> str:
    """Record a claim to an entry; return its state, ``taken`` or ``asked``.

    Raises ``entry_claimed`` if the entry has an account or is not playing or waiting, ``entry_refused`` for
    a refused player, ``account_entered`` if the account has another entry, and ``too_many_claims``.
    """
    if entry.person == user.id:
        return TAKEN
    if entry.person is not None or entry.status not in CLAIMABLE:
        raise ServerError("entry_claimed", name=entry.label)
    mine = [
        entry for entry in await entries_of(change.connection, change.event.id) if entry.person == user.id
    ]
    if any(entry.status == "refused" for entry in mine):
        raise ServerError("entry_refused")
    if mine:
        raise ServerError("account_entered")
    state = await _state(change, user, entry, how)
    await change.set(ClaimRow, ClaimRow.person == user.id, PENDING, state=UNDONE)
    alike = PersonRow.account.is_(None) if user.guest else PersonRow.account.is_not(None)
    pending = (
        PENDING,
        ClaimRow.person.in_(select(PersonRow.id).where(alike)),
    )  # separate limits: guests never crowd out accounts
    limits = ((CLAIMS_OF_ENTRY, (*pending, ClaimRow.entry == entry.id)), (CLAIMS_OF_EVENT, pending))
    for most, where in limits if state == ASKED else ():
        if await change.count(ClaimRow.number, *where) >= most:
            raise ServerError("too_many_claims", most=most)
    number = await change.next_number(ClaimRow.number)
    row = ClaimRow(change.event.id, number, entry.id, user.id, user.name, how, state, change.at)
    await change.insert([row])
    if state == TAKEN:
        await _link_account(change, entry, user.id)
    change.note("claim", entry=entry.id, after={"how": how, "state": state})
    return state


async def _state(change: Change, user: PersonRow, entry: EntryRow, how: str) -> str:
    """Return the state of a new claim; after an organiser has undone a similar one, proof is not enough."""
    proved = ClaimRow.how != ASKED
    undone = await change.all(ClaimRow, ClaimRow.state == UNDONE, proved)
    again = any(row.person == user.id or (row.entry == entry.id and how == "code") for row in undone)
    return ASKED if how == ASKED or again else TAKEN


async def _link_account(change: Change, entry: EntryRow, person: str) -> None:
    """Link an entry to an account and reject the other pending claims to it."""
    await change.set(EntryRow, EntryRow.id == entry.id, person=person)
    await change.set(ClaimRow, ClaimRow.entry == entry.id, PENDING, state=UNDONE)


async def decide_claim(change: Change, number: int, state: str, why: str) -> str | None:
    """Accept or undo a claim; return its entry, or ``None`` if nothing changes.

    Undoing revokes the entry's claim card and withdraws the player's confirmations at the table; games that
    counted because of these go to a referee. Raises ``no_claim`` if there is no such claim.
    """
    claims = await change.all(ClaimRow, ClaimRow.number == number)
    if not claims:
        raise ServerError("no_claim")
    row = claims[0]
    if row.state == state:
        return None
    entry = await entry_of(change, row.entry)
    if state == TAKEN:
        await _accept(change, row, entry)
    elif row.state == TAKEN and row.person is not None and entry.person == row.person:
        await change.set(EntryRow, EntryRow.id == entry.id, person=None, card=new_id())
        await retract_marks(change, entry)
    await change.set(ClaimRow, ClaimRow.number == number, state=state)
    before = {"how": row.how, "state": row.state}
    change.note("claim", entry=row.entry, before=before, after={"how": row.how, "state": state}, why=why)
    return row.entry


async def _accept(change: Change, row: ClaimRow, entry: EntryRow) -> None:
    """Accept a claim that was pending or undone."""
    if row.person is None or entry.person is not None:
        raise ServerError("entry_claimed", name=entry.label)
    entries = await entries_of(change.connection, change.event.id)
    if any(entry.person == row.person for entry in entries):
        raise ServerError("account_entered")
    await _link_account(change, entry, row.person)


router = router_of("/api/events/{event}", "events")
MAX_SHOWN: Final = 500


@router.post("/entries/{entry}/claim", dependencies=[Depends(limit_changes)])
async def claim(
    context: UserEventContext, services: InjectedServices, asker: Requester, entry: EntryId, body: ClaimBody
) -> ClaimAnswer:
    """Claim an entry on the list."""
    limit_work(services, context.user)
    if not services.rates.claims.take(asker.address):
        raise ServerError("too_many")
    async with context.services.events.changing(context.event, context.user) as change:
        row = await entry_of(change, entry)
        how = proof_of(change, row, body.card, body.code)
        state = await claim_entry(change, context.user, row, how)
    if state == TAKEN:
        await share_account(context.services, context.user, context.event, row.id)
    return ClaimAnswer.model_validate({"state": state})


async def _list(context: UserEventContext) -> ClaimList:
    rows = await context.services.claims.all(context.event, limit=MAX_SHOWN)
    return ClaimList(claims=[ClaimInfo.of(row, at=iso(row.at)) for row in rows])


@router.get("/claims")
async def claims(context: UserEventContext) -> ClaimList:
    """List the claims, for organisers."""
    await context.rights(ORGANISER)
    return await _list(context)


@router.post("/claims/{number}")
async def decide(context: UserEventContext, number: Number, body: DecideClaim) -> ClaimList:
    """Accept or undo a claim, for organisers."""
    rights = await context.rights(ORGANISER)
    async with changing(context.services, rights) as change:
        entry = await decide_claim(change, number, body.state, body.why)
    if entry is not None:
        await account_changed(context.services, context.user, context.event, entry)
    return await _list(context)


@router.get("/cards")
async def cards(context: UserEventContext) -> CardList:
    """List the claim cards of entries without an account, for organisers."""
    await context.rights(ORGANISER)
    rows = await context.services.entries.all(context.event)
    free = [row for row in rows if row.person is None and row.status in CLAIMABLE and row.card]
    return CardList(cards=[EntryCard(entry=entry.id, card=entry.card or "") for entry in free])

"""Registration of players, the waiting list, and identities across the events of a season."""

import re
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from fastapi import Depends
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.club.namesakes import free_number, same_name
from jantaku.server.edge.bodies import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common import event_bodies
from jantaku.server.events.common.event import (
    ORGANISER,
    EntryId,
    EventRights,
    changing,
    checked_key,
    rights_in,
    roles_of,
    valid_check_in,
)
from jantaku.server.events.common.event_bodies import entries_view, entry_view
from jantaku.server.events.common.event_context import EventContext, PublicEventContext, UserEventContext
from jantaku.server.names import shown_name
from jantaku.server.people.auth_dependencies import (
    ENDS_TABLES,
    InjectedServices,
    Requester,
    RequestLanguage,
    always_deduplicate,
    limit_changes,
    limit_lookups,
    limit_work,
)
from jantaku.server.settings import ENTRIES_OF_EVENT
from jantaku.server.storage.entries import (
    PLAYING,
    EntryRow,
    add_entries,
    add_nicknames,
    change_entry,
    entries_of,
    entry_of,
    set_names,
)
from jantaku.server.storage.event_plan import Registration
from jantaku.server.storage.events import ANY, Change, StaffRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.recorded_games import move_entry, play_together, retract_marks
from jantaku.server.storage.rounds import replace_in_rounds
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from jantaku.terms import Language

PAIRS: Final = """
AFG AF ALA AX ALB AL DZA DZ ASM AS AND AD AGO AO AIA AI ATA AQ ATG AG ARG AR ARM AM ABW AW AUS AU
AUT AT AZE AZ BHS BS BHR BH BGD BD BRB BB BLR BY BEL BE BLZ BZ BEN BJ BMU BM BTN BT BOL BO BES BQ
BIH BA BWA BW BVT BV BRA BR IOT IO BRN BN BGR BG BFA BF BDI BI CPV CV KHM KH CMR CM CAN CA CYM KY
CAF CF TCD TD CHL CL CHN CN CXR CX CCK CC COL CO COM KM COG CG COD CD COK CK CRI CR CIV CI HRV HR
CUB CU CUW CW CYP CY CZE CZ DNK DK DJI DJ DMA DM DOM DO ECU EC EGY EG SLV SV GNQ GQ ERI ER EST EE
SWZ SZ ETH ET FLK FK FRO FO FJI FJ FIN FI FRA FR GUF GF PYF PF ATF TF GAB GA GMB GM GEO GE DEU DE
GHA GH GIB GI GRC GR GRL GL GRD GD GLP GP GUM GU GTM GT GGY GG GIN GN GNB GW GUY GY HTI HT HMD HM
VAT VA HND HN HKG HK HUN HU ISL IS IND IN IDN ID IRN IR IRQ IQ IRL IE IMN IM ISR IL ITA IT JAM JM
JPN JP JEY JE JOR JO KAZ KZ KEN KE KIR KI PRK KP KOR KR KWT KW KGZ KG LAO LA LVA LV LBN LB LSO LS
LBR LR LBY LY LIE LI LTU LT LUX LU MAC MO MDG MG MWI MW MYS MY MDV MV MLI ML MLT MT MHL MH MTQ MQ
MRT MR MUS MU MYT YT MEX MX FSM FM MDA MD MCO MC MNG MN MNE ME MSR MS MAR MA MOZ MZ MMR MM NAM NA
NRU NR NPL NP NLD NL NCL NC NZL NZ NIC NI NER NE NGA NG NIU NU NFK NF MKD MK MNP MP NOR NO OMN OM
PAK PK PLW PW PSE PS PAN PA PNG PG PRY PY PER PE PHL PH PCN PN POL PL PRT PT PRI PR QAT QA REU RE
ROU RO RUS RU RWA RW BLM BL SHN SH KNA KN LCA LC MAF MF SPM PM VCT VC WSM WS SMR SM STP ST SAU SA
SEN SN SRB RS SYC SC SLE SL SGP SG SXM SX SVK SK SVN SI SLB SB SOM SO ZAF ZA SGS GS SSD SS ESP ES
LKA LK SDN SD SUR SR SJM SJ SWE SE CHE CH SYR SY TWN TW TJK TJ TZA TZ THA TH TLS TL TGO TG TKL TK
TON TO TTO TT TUN TN TUR TR TKM TM TCA TC TUV TV UGA UG UKR UA ARE AE GBR GB USA US UMI UM URY UY
UZB UZ VUT VU VEN VE VNM VN VGB VG VIR VI WLF WF ESH EH YEM YE ZMB ZM ZWE ZW GER DE NED NL SUI CH
DEN DK POR PT GRE GR CRO HR SLO SI BUL BG TPE TW MAS MY INA ID PHI PH VIE VN RSA ZA
"""
_CODES: Final = PAIRS.split()
THREE_LETTERS: Final = dict(zip(_CODES[::2], _CODES[1::2], strict=True))


def unmerged(entries: Iterable[EntryRow]) -> list[EntryRow]:
    """Return the entries that have not been merged into others."""
    return [entry for entry in entries if entry.status != "merged"]


def identify(
    rows: Sequence[EntryRow], others: Iterable[EntryRow], own: Iterable[EntryRow] = ()
) -> list[EntryRow]:
    """Match new rows of an event with the people of its seasons, and number namesakes.

    ``others`` are entries of the other events of its seasons, ``own`` those of the event. A row matches by
    its ``player``, else by its account, else, if an organiser has listed it, by name, if exactly one person
    listed by an organiser has that name. If several have it, the row becomes a new person until an organiser
    merges them.
    """
    own = unmerged(own)
    known = _SeasonPeople([*unmerged(others), *own], [*own, *rows])
    present, accounts = {entry.player for entry in own}, {entry.person for entry in (*own, *rows)}
    found = list[EntryRow]()
    for row in rows:
        someone = known.person_of(row)
        if someone is not None and someone.player not in present and not _incompatible(row, someone):
            free = row.person is None and someone.person not in accounts
            same = {name: getattr(someone, name) for name in ("player", "name", "namesake")}
            found.append(replace(row, **same, person=someone.person if free else row.person))
        else:
            mine = row.player if row.player and row.player not in known.people else new_id()
            found.append(known.numbered(replace(row, player=new_id() if mine in present else mine)))
        present.add(found[-1].player)
        accounts.add(found[-1].person)
    return found


class _SeasonPeople:
    """The people of a season, indexed by account, label and name."""

    def __init__(self, everybody: Sequence[EntryRow], here: Iterable[EntryRow]) -> None:
        self.people: dict[str, EntryRow] = {}
        for entry in everybody:
            one = self.people.setdefault(entry.player, entry)
            if one.person is None:
                self.people[entry.player] = replace(one, person=entry.person)
        self._accounts = {one.person: one for one in self.people.values() if one.person is not None}
        named = [one for one in self.people.values() if one.erased is None]
        written = {entry.player for entry in everybody if entry.listed}
        self._labels = {same_name(one.label): one for one in named}
        self._taken = set(self._labels)
        self._names: dict[str, list[EntryRow]] = {}
        for one in named:
            if one.player in written:
                self._names.setdefault(same_name(one.name), []).append(one)
        self._erased = {one.namesake for one in self.people.values() if one.erased is not None}
        self._here = Counter(same_name(entry.name) for entry in here if entry.listed)

    def person_of(self, row: EntryRow) -> EntryRow | None:
        """Return an entry of the person matching a new row, if any."""
        if row.player in self.people:
            return self.people[row.player]
        if row.person in self._accounts:
            return self._accounts[row.person]
        if not row.listed or row.erased is not None:
            return None
        name, called = same_name(row.name), self._labels.get(same_name(row.label))
        if called is not None and called.namesake > 1:  # such as "Mina (2)"
            return called
        alike = self._names.get(name, ())
        return alike[0] if len(alike) == 1 and self._here[name] == 1 else None

    def numbered(self, row: EntryRow) -> EntryRow:
        """Return the row of a new person with the first free number of its name."""
        if row.erased is not None:
            number = row.namesake if row.namesake not in self._erased else max(self._erased) + 1
            self._erased.add(number)
            return replace(row, namesake=number)
        if same_name(row.label) in self._taken:
            row = replace(row, namesake=free_number(row.name, self._taken))
        self._taken.add(same_name(row.label))
        return row


def _incompatible(row: EntryRow, someone: EntryRow) -> bool:
    """Whether two rows cannot be one person: their accounts differ, or only one had its name deleted."""
    both = row.person is not None and someone.person is not None
    return (both and row.person != someone.person) or (row.erased is None) != (someone.erased is None)


async def peer_events(connection: AsyncConnection, event: str) -> list[str]:
    """Return the other events that share people with this one through a season.

    An event shares its people with a season only while the organiser of the season also organises the event.
    """
    organises = select(StaffRow.person).where(StaffRow.event == PartRow.event, StaffRow.role == ORGANISER)
    everywhere = select(PersonRow.id).where(PersonRow.role.in_(ENDS_TABLES))
    trusted = select(PartRow.season, PartRow.event, PartRow.number)
    trusted = trusted.join(SeasonRow, SeasonRow.id == PartRow.season)
    parts = trusted.where(SeasonRow.person.in_(organises) | SeasonRow.person.in_(everywhere)).subquery()
    mine = select(parts.c.season).where(parts.c.event == event)
    query = select(parts.c.event).where(parts.c.season.in_(mine), parts.c.event != event)
    rows = await connection.execute(query.order_by(parts.c.season, parts.c.number))
    return list(dict.fromkeys(rows.scalars()))


async def peer_entries(connection: AsyncConnection, event: str) -> list[EntryRow]:
    """Return the entries of the other events of its seasons."""
    rows = list[EntryRow]()
    for peer in await peer_events(connection, event):
        rows += await entries_of(connection, peer)
    return rows


async def identify_new(change: Change, rows: Sequence[EntryRow]) -> list[EntryRow]:
    """Match new rows of the changing event with the people of its seasons.

    Locks the seasons, so that simultaneous registrations in two events do not create one person twice.
    """
    connection, event = change.connection, change.event.id
    mine = select(PartRow.season).where(PartRow.event == event)
    await change.rows(
        select(SeasonRow.id).where(SeasonRow.id.in_(mine)).order_by(SeasonRow.id).with_for_update()
    )
    return identify(rows, await peer_entries(connection, event), await entries_of(connection, event))


async def fields_of_new_name(change: Change, entry: EntryRow, name: str) -> dict[str, object]:
    """Return the changed fields of a renamed entry; a name that is already taken gets a new number."""
    if same_name(name) == same_name(entry.name):
        return {"name": name}
    everybody = [
        *await peer_entries(change.connection, change.event.id),
        *await entries_of(change.connection, change.event.id),
    ]
    taken = {same_name(one.label) for one in unmerged(everybody) if one.player != entry.player}
    return {"name": name, "namesake": free_number(name, taken)}


MAX_NAME: Final = 40
MAY_HAVE_PLAYED: Final = ("playing", "withdrawn")  # a withdrawn player may have played
ASSOCIATION: Final = re.compile(r"[0-9A-Za-z-]{0,16}")


class ListedPlayer(NamedTuple):
    """A player to register; ``earlier`` is their entry in an earlier event."""

    name: str
    team: str = ""
    id: str = ""
    country: str = ""
    association: str = ""
    earlier: EntryRow | None = None


def checked_country(code: str) -> str:
    """Convert a country code of two or three letters to two (ISO 3166); raise ``no_country`` for others."""
    country = code.strip().upper()
    country = THREE_LETTERS.get(country, country)
    if country and not (len(country) == 2 and country.isascii() and country.isalpha()):
        raise ServerError("no_country", field="country", value=country[:16])
    return country


def checked_association(number: str) -> str:
    """Return a membership number of letters, digits and hyphens; raise ``no_association`` for others."""
    association = number.strip()
    if not ASSOCIATION.fullmatch(association):
        raise ServerError("no_association", field="association", value=association[:16])
    return association


def registration_of(change: Change) -> Registration:
    """Return the registration settings of the event."""
    return change.event.plan.registration


def shown_team(team: str) -> str:
    """Return the name of a team as displayed; empty for no team."""
    return shown_name(team, MAX_NAME) if team.strip() else ""


def _new(
    change: Change, listed: ListedPlayer, number: int, status: str, person: PersonRow | None = None
) -> EntryRow:
    return EntryRow(
        change.event.id,
        checked_key(listed.id, "id") if listed.id else new_id(),
        number,
        shown_name(listed.name, MAX_NAME),
        shown_team(listed.team),
        person.id if person else None,
        status,
        None,
        None,
        change.at,
        card=None if person else new_id(),
        country=checked_country(listed.country),
        association=checked_association(listed.association),
    )


def _with_identity(entry: EntryRow, earlier: EntryRow) -> EntryRow:
    """Copy the identity of an earlier entry to a new one."""
    return replace(
        entry,
        name=earlier.name,
        namesake=earlier.namesake,
        player=earlier.player,
        person=earlier.person,
        real_name=earlier.real_name,
        country=entry.country or earlier.country,
        association=entry.association or earlier.association,
    )


async def register_entry(change: Change, person: PersonRow, listed: ListedPlayer) -> EntryRow:
    """Register a person at their own request; a repeated request changes nothing.

    Raises ``registration_closed``, and ``entry_refused`` if an organiser has refused them.
    """
    entries = await entries_of(change.connection, change.event.id)
    mine = next((entry for entry in entries if entry.person == person.id), None)
    if mine is not None and mine.status == "refused":
        raise ServerError("entry_refused")
    if mine is not None and mine.status != "withdrawn":
        return mine
    plan = registration_of(change)
    if not plan.open:
        raise ServerError("registration_closed")
    status = "asked" if plan.moderated else _admitted(entries, plan)
    if mine is not None:  # returns at the end of the waiting list
        number = max(entry.number for entry in entries) + 1
        return await change_entry(change, mine, status=status, number=number)
    _check_room(entries, 1)
    [entry] = await identify_new(change, [_new(change, listed, _next(entries), status, person)])
    await add_entries(change, [entry])
    return entry


async def add_listed(change: Change, people: Sequence[ListedPlayer]) -> list[EntryRow]:
    """Register the players of an organiser's list in order; players beyond the limit go on the waiting list.

    Players from an earlier event who are already registered are skipped.
    """
    entries = await entries_of(change.connection, change.event.id)
    _check_room(entries, len(people))
    plan, taken, rows = registration_of(change), {entry.id for entry in entries}, list[EntryRow]()
    there = {entry.player for entry in unmerged(entries)} | {entry.person for entry in unmerged(entries)}
    for listed in people:
        if listed.earlier is not None and {listed.earlier.player, listed.earlier.person or ""} & there:
            continue
        if listed.id in taken:
            raise ServerError("entry_id_taken", field="id", id=listed.id)
        status = _admitted([*entries, *rows], plan)
        row = _new(change, listed, _next([*entries, *rows]), status)
        rows.append(row if listed.earlier is None else _with_identity(row, listed.earlier))
        there |= {row.player, row.person} if listed.earlier is None else {rows[-1].player, rows[-1].person}
        there -= {None, ""}
        taken.add(rows[-1].id)
    rows = await identify_new(change, rows)
    await add_entries(change, rows)
    return rows


class Qualified(NamedTuple):
    """A player qualified in another event: their entry there, and the points they carry over, if any."""

    entry: EntryRow
    brought: int | None


async def add_finalists(change: Change, people: Sequence[Qualified]) -> tuple[list[str], list[str]]:
    """Register qualified players, even if registration is closed or full.

    Players already registered get the points carried over. Returns the labels of the players added, and of
    those who were already playing.
    """
    entries = await entries_of(change.connection, change.event.id)
    _check_room(entries, len(people))
    known = {entry.player: entry for entry in unmerged(entries)}
    known |= {entry.person: entry for entry in unmerged(entries) if entry.person is not None}
    entered, there, new = list[str](), list[str](), list[EntryRow]()
    for qualified, brought in people:
        mine = known.get(qualified.player) or known.get(qualified.person or "")
        if mine is None:
            listed = ListedPlayer(qualified.name, qualified.team)
            entry = _with_identity(_new(change, listed, _next([*entries, *new]), PLAYING), qualified)
            new.append(replace(entry, brought=brought))
            entered.append(qualified.label)
        elif mine.status == PLAYING:
            await change_entry(change, mine, brought=brought)
            there.append(qualified.label)
        else:
            await change_entry(change, mine, status=PLAYING, brought=brought)
            entered.append(qualified.label)
    if new:
        await add_entries(change, await identify_new(change, new))
    return entered, there


def _next(entries: Sequence[EntryRow]) -> int:
    return max((entry.number for entry in entries), default=0) + 1


def _check_room(entries: Sequence[EntryRow], more: int) -> None:
    if len(entries) + more > ENTRIES_OF_EVENT:
        raise ServerError("too_many_entries", most=ENTRIES_OF_EVENT)


def _admitted(entries: Sequence[EntryRow], plan: Registration) -> str:
    """Return the status of a player admitted now: ``playing``, or ``waiting`` if the event is full."""
    playing = sum(entry.status == "playing" for entry in entries)
    return "playing" if plan.limit is None or playing < plan.limit else "waiting"


async def decide(change: Change, entry: EntryRow, status: str, why: str) -> EntryRow:
    """Admit, refuse or withdraw an entry; a free place goes to the first waiting player."""
    if status == "playing" and entry.status != "playing":
        entries = await entries_of(change.connection, change.event.id)
        status = _admitted(entries, registration_of(change))
    entry = await change_entry(change, entry, why, status=status)
    await fill(change)
    return (await entry_of(change, entry.id)) if entry.status == "waiting" else entry


async def check_in_entry(change: Change, entry: EntryRow, why: str = "") -> EntryRow:
    """Check a player in; a valid earlier check-in keeps its time."""
    since = valid_check_in(entry.checked_in, change.at)
    return await change_entry(change, entry, why, checked_in=change.at if since is None else since)


async def withdraw_entry(change: Change, entry: EntryRow) -> EntryRow:
    """Withdraw an entry, unless it is refused, withdrawn or merged."""
    if entry.status not in ("asked", "waiting", "playing"):
        return entry
    return await decide(change, entry, "withdrawn", "")


async def withdraw_no_shows(change: Change, entries: Sequence[str], why: str) -> list[EntryRow]:
    """Withdraw those of the playing ``entries`` that have not checked in, and return them."""
    listed = set(entries)
    rows = await entries_of(change.connection, change.event.id)
    gone = [
        row
        for row in rows
        if row.id in listed and row.status == PLAYING and valid_check_in(row.checked_in, change.at) is None
    ]
    for entry in gone:
        await change_entry(change, entry, why, status="withdrawn")
    await fill(change)
    return gone


async def give_account(change: Change, entry: EntryRow, person: PersonRow | None) -> EntryRow:
    """Link an entry to an account, or unlink it; raise ``account_entered`` if it has another entry."""
    if person is not None:
        entries = await entries_of(change.connection, change.event.id)
        if any(other.person == person.id and other.id != entry.id for other in entries):
            raise ServerError("account_entered", field="account")
    if person is None and entry.person is not None:
        await retract_marks(change, entry)
        return await change_entry(change, entry, person=None, card=entry.card or new_id())
    return await change_entry(change, entry, person=person and person.id)


async def fill(change: Change) -> None:
    """Give free places to waiting players in the order of the list."""
    entries = await entries_of(change.connection, change.event.id)
    plan = registration_of(change)
    playing = sum(entry.status == "playing" for entry in entries)
    for entry in entries:
        if entry.status == "waiting" and (plan.limit is None or playing < plan.limit):
            await change_entry(change, entry, status="playing")
            playing += 1


async def demand_playing(change: Change, entries: Sequence[str], field: str, *, over: bool = False) -> None:
    """Raise ``not_entered`` for entries that do not play in the event, ``entry_left`` for withdrawn ones.

    ``over`` means that the game has already been played; withdrawn players may have taken part.
    """
    known = {entry.id: entry for entry in await entries_of(change.connection, change.event.id)}
    for entry in entries:
        row = known.get(entry)
        if row is None or row.status not in MAY_HAVE_PLAYED:
            raise ServerError("not_entered", field=field, id=entry if row is None else row.label)
        if row.status != "playing" and not over:
            raise ServerError("entry_left", field=field, id=row.label)


async def demand_mergeable(change: Change, entry: EntryRow, into: EntryRow) -> set[str]:
    """Return the accounts of two entries to merge, at most one.

    Raises ``entries_differ`` if they are the same entry, have different accounts, or share a table.
    """
    accounts = {one.person for one in (entry, into) if one.person is not None}
    same_table = await play_together(change, entry.id, into.id)
    if entry.id == into.id or len(accounts) > 1 or same_table:
        raise ServerError("entries_differ")
    return accounts


async def merge_entries(change: Change, entry: EntryRow, into: EntryRow, why: str) -> EntryRow:
    """Merge two entries of one person: games and penalties of ``entry`` then count for ``into``."""
    accounts = await demand_mergeable(change, entry, into)
    games = await move_entry(change, entry.id, into.id)
    await replace_in_rounds(change, entry.id, into.id)
    missing = {name: value for name, value in entry.identity.items() if value and not into.identity[name]}
    if missing:
        await set_names(change, into, missing, None)
    merged = {"status": "merged", "merged_into": into.id, "person": None, "brought": None, "player": new_id()}
    await change_entry(change, entry, why, **merged)
    person = next(iter(accounts), None)
    team = into.team or entry.team
    status = "playing" if "playing" in (entry.status, into.status) else into.status
    both = [points for points in (into.brought, entry.brought) if points is not None]
    brought = sum(both) if both else None
    into = await change_entry(change, into, why, person=person, team=team, status=status, brought=brought)
    change.note("merge", entry=into.id, before={"entry": entry.id, "games": games}, why=why)
    await fill(change)
    return into


router = router_of("/api/events/{event}/entries", "events")


async def _list(services: Services, rights: EventRights, language: Language) -> event_bodies.EntryList:
    rows = await services.entries.all(rights.event.id)
    return event_bodies.EntryList(entries=entries_view(rows, rights, language))


@router.get("")
async def entries(context: PublicEventContext, language: RequestLanguage) -> event_bodies.EntryList:
    """List the players; staff also see pending, waiting and withdrawn entries."""
    return await _list(context.services, await context.rights(), language)


@router.post("", dependencies=[Depends(limit_changes)])
async def register(context: UserEventContext, body: event_bodies.RegisterEntry) -> event_bodies.EventEntry:
    """Register the caller for the event."""
    listed = ListedPlayer(body.name or context.user.name, body.team)
    async with context.services.events.changing(context.event, context.user) as change:
        entry = await register_entry(change, context.user, listed)
    return entry_view(entry, context.user.id)


@router.post("/list", dependencies=[Depends(always_deduplicate)])
async def add(
    context: UserEventContext, language: RequestLanguage, body: event_bodies.EntriesBody
) -> event_bodies.EntryList:
    """Register a list of players, with or without accounts, for organisers."""
    rights = await context.rights(ORGANISER)
    earlier = await _earlier(context, body)
    people = [
        ListedPlayer(
            *(entry.name, entry.team, entry.id or "", entry.country, entry.association),
            earlier=earlier[entry.earlier.event, entry.earlier.entry] if entry.earlier else None,
        )
        for entry in body.entries
    ]
    async with changing(context.services, rights) as change:
        rows = await add_listed(change, people)
        await _carry_nicknames(context.services, change, rows, earlier)
    for row in rows:
        if row.person is not None:
            await share_account(context.services, context.user, context.event, row.id)
    return await _list(context.services, rights, language)


async def _earlier(
    context: EventContext[PersonRow], body: event_bodies.EntriesBody
) -> dict[tuple[str, str], EntryRow]:
    """Return the listed entries of earlier events; the user must be an organiser of each of these events."""
    keys = {(entry.earlier.event, entry.earlier.entry) for entry in body.entries if entry.earlier}
    for event in {event for event, _ in keys}:
        await rights_in(context.services, event, context.user, ORGANISER)
    rows = await context.services.entries.named(sorted(keys)) if keys else {}
    if any(key not in rows or rows[key].status == "merged" or rows[key].erased for key in keys):
        raise ServerError("no_entry")
    return rows


async def _carry_nicknames(
    services: Services,
    change: Change,
    rows: Sequence[EntryRow],
    earlier: Mapping[tuple[str, str], EntryRow],
) -> None:
    """Copy the nicknames of earlier entries, unless another player of this event has them."""
    taken = {(row.site, row.name) for row in await services.nicknames.all(change.event.id)}
    here = {row.player: row.id for row in rows}
    for event in {event for event, _ in earlier}:
        for nickname in await services.nicknames.all(event):
            before = earlier.get((event, nickname.entry))
            entry = None if before is None else here.get(before.player)
            if entry is not None and (nickname.site, nickname.name) not in taken:
                taken.add((nickname.site, nickname.name))
                await add_nicknames(change, [(nickname.site, nickname.name, entry)])


@router.post("/no-shows")
async def take_out(
    context: UserEventContext, language: RequestLanguage, body: event_bodies.NoShowsBody
) -> event_bodies.EntryList:
    """Withdraw players who have not checked in; waiting players move up."""
    rights = await context.rights(ORGANISER)
    async with changing(context.services, rights) as change:
        await withdraw_no_shows(change, body.entries, body.why)
    return await _list(context.services, rights, language)


@router.post("/check-in")
async def check_in(
    context: UserEventContext, services: InjectedServices, body: event_bodies.CheckInBody
) -> event_bodies.EventEntry:
    """Check the caller in with the event's code."""
    limit_work(services, context.user)
    rights = await context.rights()
    if rights.plays is None:
        raise ServerError("no_entry")
    if not secrets.compare_digest(body.code.strip().lower().encode(), rights.event.code.encode()):
        raise ServerError("wrong_code", field="code")
    async with changing(context.services, rights) as change:
        entry = await entry_of(change, rights.plays)
        entry = await check_in_entry(change, entry)
    return entry_view(entry, context.user.id)


@router.patch("/{entry}")
async def change_one(
    context: UserEventContext,
    services: InjectedServices,
    asker: Requester,
    entry: EntryId,
    body: event_bodies.EntryPatch,
) -> event_bodies.EventEntry:
    """Change, admit, refuse or withdraw an entry, for organisers."""
    rights = await context.rights(ORGANISER)
    account = None
    if body.account:
        limit_lookups(services, asker)
        account = await context.services.accounts.by_account(same_name(body.account))
        if account is None:
            raise ServerError("no_such_account", field="account", name=body.account)
    async with changing(context.services, rights) as change:
        row = await entry_of(change, entry)
        if body.account is not None:
            row = await give_account(change, row, account)
        row = await _changed(change, row, body)
    if body.account is not None:
        await account_changed(context.services, context.user, context.event, entry)
    if body.name is not None:
        await share_identities(context.services, context.user, context.event, [row.player])
    return entry_view(row, context.user.id)


async def _changed(change: Change, entry: EntryRow, body: event_bodies.EntryPatch) -> EntryRow:
    values: dict[str, object] = {}
    if body.name is not None:
        values |= await fields_of_new_name(change, entry, shown_name(body.name, MAX_NAME))
    if body.team is not None:
        values["team"] = shown_team(body.team)
    if body.checked_in is False:
        values["checked_in"] = None
    entry = await change_entry(change, entry, body.why, **values)
    if body.checked_in:
        entry = await check_in_entry(change, entry, body.why)
    return entry if body.status is None else await decide(change, entry, body.status, body.why)


@router.post("/{entry}/withdraw", dependencies=[Depends(limit_changes)])
async def withdraw(context: UserEventContext, entry: EntryId) -> event_bodies.EventEntry:
    """Withdraw an entry; the first waiting player moves up. Games already played still count."""
    rights = await context.rights()
    if rights.entry is None or rights.entry.id != entry:
        rights.demand(ORGANISER)
    async with changing(context.services, rights) as change:
        row = await withdraw_entry(change, await entry_of(change, entry))
    return entry_view(row, context.user.id)


@router.post("/{entry}/merge")
async def merge(
    context: UserEventContext, entry: EntryId, body: event_bodies.MergeBody
) -> event_bodies.EventEntry:
    """Merge two entries of one person, for organisers."""
    rights = await context.rights(ORGANISER)
    services, rows = context.services, await context.services.entries.all(context.event)
    players = {row.id: row.player for row in rows if row.status != "merged"}
    gone, stays = players.get(entry), players.get(body.into)
    peers = await organised_peers(services, context.user, context.event)
    if gone is not None and stays is not None:
        await demand_same_person(services, context.user, [context.event, *peers], gone, stays)
    async with changing(services, rights) as change:
        first, into = await entry_of(change, entry), await entry_of(change, body.into)
        row = await merge_entries(change, first, into, body.why)
    await merge_people(services, context.user, [context.event, *peers], first.player, row.player, body.why)
    return entry_view(row, context.user.id)


SHARED: Final = ("name", "namesake", "person")  # the same in all events of a season


async def share_identities(services: Services, user: PersonRow, event: str, players: Collection[str]) -> None:
    """Copy names, numbers and accounts of an event's players to the other events of its seasons."""
    rows = {entry.player: entry for entry in unmerged(await services.entries.all(event)) if not entry.erased}
    async with services.store.reading() as connection:
        peers = await peer_events(connection, event)
    for peer in peers:
        for player in players:
            if player in rows:
                await _share_identity(services, user, peer, rows[player])


async def _share_identity(services: Services, user: PersonRow, event: str, model: EntryRow) -> None:
    """Copy name, number and account of ``model`` to the same person's entry in an event."""
    if not any(_differs(entry, model) for entry in await services.entries.all(event)):
        return
    async with services.events.changing(event, user, ANY) as change:
        entries = unmerged(await entries_of(change.connection, event))
        for entry in entries:
            if _differs(entry, model):
                await _adopt_identity(change, entry, model, entries)


def _differs(entry: EntryRow, model: EntryRow) -> bool:
    if entry.player != model.player or entry.status == "merged" or entry.erased is not None:
        return False
    return any(getattr(entry, name) != getattr(model, name) for name in SHARED)


async def _adopt_identity(
    change: Change, entry: EntryRow, model: EntryRow, entries: Sequence[EntryRow]
) -> EntryRow:
    """Give an entry the identity of ``model``; its account only if no other entry here has it."""
    person = model.person
    if person is not None and any(other.person == person and other.id != entry.id for other in entries):
        person = entry.person
    card = new_id() if entry.person is not None and person is None else entry.card
    after = await change_entry(
        *(change, entry),
        player=model.player,
        name=model.name,
        namesake=model.namesake,
        person=person,
        card=card,
    )
    if person != entry.person:
        change.note("claim", entry=entry.id, after={"state": "undone" if person is None else "taken"})
        if entry.person is not None:
            await retract_marks(change, entry)
    return after


async def link_people(services: Services, user: PersonRow, event: str, linked: Sequence[str]) -> None:
    """Match the players of an event joining a season with those of the season's events, ``linked``."""
    async with services.events.changing(event, user, ANY) as change:
        others = [entry for one in linked for entry in await entries_of(change.connection, one)]
        rows = unmerged(await entries_of(change.connection, event))
        for before, after in zip(rows, identify(rows, others), strict=True):
            values = {name: getattr(after, name) for name in ("player", *SHARED)}
            await change_entry(change, before, **values)
    known = {entry.player for entry in others}
    rows = unmerged(await services.entries.all(event))
    for entry in rows:
        if entry.player in known and entry.erased is None:
            for one in linked:
                await _share_identity(services, user, one, entry)


async def account_changed(services: Services, user: PersonRow, event: str, entry: str) -> None:
    """Apply a linked or unlinked account to the player's entries in all events of the season."""
    row = next((row for row in unmerged(await services.entries.all(event)) if row.id == entry), None)
    if row is not None and row.person is not None:
        await share_account(services, user, event, entry)
    elif row is not None:
        await share_identities(services, user, event, [row.player])


async def share_account(services: Services, user: PersonRow, event: str, entry: str) -> None:
    """Apply a newly linked account to the player's entries in all events of the season.

    Another person of the season with that account is the same person, and the two are merged.
    """
    async with services.store.reading() as connection:
        mine = next(row for row in await entries_of(connection, event) if row.id == entry)
        others = unmerged(await peer_entries(connection, event))
        peers = await peer_events(connection, event)
    alike = [row for row in others if row.player == mine.player]
    if any(row.person not in (None, mine.person) for row in alike):
        await _detach(services, user, event, entry)  # the other entries belong to another account
        return
    other = next((row for row in others if row.person == mine.person and row.player != mine.player), None)
    if other is not None:
        met = {row.event for row in others if row.player == other.player} & {row.event for row in alike}
        gone, stays = (mine, other) if met else sorted((mine, other), key=_seniority)[::-1]
        for one in [event, *peers]:
            await _reassign(services, user, one, gone.player, stays)
    player = mine.player if other is None else stays.player
    await share_identities(services, user, event, [player])


def _seniority(entry: EntryRow) -> tuple[bool, int, str, str]:
    """Return a sort key independent of the caller, so that simultaneous claims do not swap two people."""
    return not entry.listed, entry.created, entry.event, entry.id


async def _detach(services: Services, user: PersonRow, event: str, entry: str) -> None:
    """Separate an entry from the other entries of its person, with a new identity."""
    async with services.events.changing(event, user, ANY) as change:
        rows = await entries_of(change.connection, event)
        row = next(row for row in rows if row.id == entry)
        everybody = unmerged([*rows, *await peer_entries(change.connection, event)])
        taken = {same_name(one.label) for one in everybody if one.id != row.id or one.event != event}
        await change_entry(change, row, player=new_id(), namesake=free_number(row.name, taken))


async def _reassign(services: Services, user: PersonRow, event: str, gone: str, stays: EntryRow) -> None:
    """Reassign a person's entry in an event to the person of ``stays``, unless they have an entry there."""
    async with services.events.changing(event, user, ANY) as change:
        entries = unmerged(await entries_of(change.connection, event))
        mine = next((entry for entry in entries if entry.player == gone), None)
        if mine is not None and all(entry.player != stays.player for entry in entries):
            person = stays.person or mine.person
            await _adopt_identity(change, mine, replace(stays, person=person), entries)


async def organised_peers(services: Services, user: PersonRow, event: str) -> list[str]:
    """Return the other events sharing people with this one that ``user`` organises."""
    async with services.store.reading() as connection:
        peers = await peer_events(connection, event)
    roles = await roles_of(services, peers, user)
    return [peer for peer in peers if roles.get(peer) == ORGANISER]


async def demand_same_person(
    services: Services, user: PersonRow, events: Sequence[str], gone: str, into: str
) -> None:
    """Raise ``entries_differ`` if two people of a season cannot be merged."""
    accounts = set[str]()
    for event in events:
        async with services.store.reading() as connection:
            entries = unmerged(await entries_of(connection, event))
        both = [entry for entry in entries if entry.player in (gone, into)]
        accounts |= {entry.person for entry in both if entry.person is not None}
        if any(entry.erased for entry in both):
            raise ServerError("entries_differ")
        if len(both) == 2:
            async with services.events.changing(event, user, ANY) as change:
                await demand_mergeable(change, *both)
    if len(accounts) > 1:
        raise ServerError("entries_differ")


async def merge_people(
    services: Services, user: PersonRow, events: Sequence[str], gone: str, into: str, why: str
) -> None:
    """Merge two people of a season in all these events."""
    models = list[EntryRow]()
    for event in events:
        async with services.events.changing(event, user, ANY) as change:
            entries = unmerged(await entries_of(change.connection, event))
            of = {entry.player: entry for entry in entries if entry.player in (gone, into)}
            if len(of) == 2:
                models.append(await merge_entries(change, of[gone], of[into], why))
            elif gone in of:
                models.append(await change_entry(change, of[gone], why, player=into))
            elif into in of:
                models.insert(0, of[into])
    named = next((model for model in models if model.player == into), None)
    if named is None:
        return
    person = next((model.person for model in models if model.person is not None), None)
    for event in events:
        await _share_identity(services, user, event, replace(named, person=person))


async def separate_entry(services: Services, user: PersonRow, event: str, entry: str, why: str) -> None:
    """Separate an entry from its person's other entries in the season, which keep the account."""
    async with services.events.changing(event, user, ANY) as change:
        rows = await entries_of(change.connection, event)
        row = next((row for row in unmerged(rows) if row.id == entry), None)
        if row is None:
            raise ServerError("no_entry")
        others = unmerged(await peer_entries(change.connection, event))
        if all(one.player != row.player for one in others):
            return
        taken = {same_name(one.label) for one in [*unmerged(rows), *others] if one.erased is None}
        values = {"player": new_id(), "namesake": free_number(row.name, taken), "person": None}
        await change_entry(change, row, why, **values, card=new_id())
        if row.person is not None:
            change.note("claim", entry=row.id, after={"state": "undone"}, why=why)
            await retract_marks(change, row)

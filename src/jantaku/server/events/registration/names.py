"""Other names of entries: real names, associations and nicknames."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.bodies import Version, iso, router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, EntryId, EventRights, changing
from jantaku.server.events.common.event_bodies import AssociationNumber, CountryCode
from jantaku.server.events.common.event_context import UserEventContext
from jantaku.server.events.registration.entries import checked_country
from jantaku.server.names import shown_name
from jantaku.server.storage.entries import EntryRow, demand_seen_names, entry_of, set_names, version_of_names
from jantaku.wire import Wire

SiteName = Annotated[str, Field(min_length=1, max_length=16, pattern=r"^[a-z0-9-]+$")]
OtherName = Annotated[str, Field(min_length=1, max_length=64)]


class Nickname(Wire):
    """A player's name on another site, such as ``tenhou`` or ``mahjongsoul``."""

    site: SiteName
    name: OtherName


class EntryNames(Wire):
    """Other names of a player, visible only to organisers and the player.

    ``version`` identifies their current state.
    """

    entry: str
    version: str
    real_name: str
    country: str
    association: str
    nicknames: list[Nickname]


class EntryFacts(Wire):
    """Facts that distinguish namesakes: time of registration, number of games, account name.

    ``guest``: it belongs to a guest, who has no account to sign in with.
    """

    since: str | None
    games: int
    account: str | None
    guest: bool


class NamesBody(Wire):
    """Changes to the other names of an entry; omit unchanged fields. An empty list removes all nicknames.

    With the ``version`` that was read, the request fails instead of overwriting a later change.
    """

    real_name: Annotated[str, Field(max_length=64)] | None = None
    country: CountryCode | None = None
    association: AssociationNumber | None = None
    nicknames: Annotated[list[Nickname], Field(max_length=20)] | None = None
    version: Version | None = None


class NamesList(Wire):
    """Other names of all entries that have any."""

    names: list[EntryNames]


router = router_of("/api/events/{event}", "events")
MAX_NAME = 64
IDENTITY = ("real_name", "country", "association")


async def _names(context: UserEventContext) -> list[EntryNames]:
    """Return the other names of all entries."""
    nicknames: dict[str, list[Nickname]] = {}
    for row in await context.services.nicknames.all(context.event):
        nicknames.setdefault(row.entry, []).append(Nickname(site=row.site, name=row.name))
    return [
        _entry_names(entry, nicknames.get(entry.id, []))
        for entry in await context.services.entries.all(context.event)
    ]


def _entry_names(entry: EntryRow, nicknames: list[Nickname]) -> EntryNames:
    version = version_of_names(entry, [(nickname.site, nickname.name) for nickname in nicknames])
    return EntryNames(entry=entry.id, version=version, **entry.identity, nicknames=nicknames)


def _any(names: EntryNames) -> bool:
    return bool(names.real_name or names.country or names.association or names.nicknames)


async def _mine_or_organiser(context: UserEventContext, entry: str) -> EventRights:
    rights = await context.rights()
    if rights.entry is None or rights.entry.id != entry:
        rights.demand(ORGANISER)
    return rights


async def _one(context: UserEventContext, entry: str) -> EntryNames:
    names = next((name for name in await _names(context) if name.entry == entry), None)
    if names is None:
        raise ServerError("no_entry")
    return names


@router.get("/entries/{entry}/facts")
async def facts(context: UserEventContext, entry: EntryId) -> EntryFacts:
    """Return the facts that distinguish an entry from a namesake, for organisers."""
    await context.rights(ORGANISER)
    row = next(
        (other for other in await context.services.entries.all(context.event) if other.id == entry), None
    )
    if row is None:
        raise ServerError("no_entry")
    person = await context.services.accounts.find(row.person) if row.person else None
    return EntryFacts(
        since=iso(row.created),
        games=await context.services.recorded.count_of(context.event, entry),
        account=person.name if person else None,
        guest=person is not None and person.guest,
    )


@router.get("/names")
async def all_names(context: UserEventContext) -> NamesList:
    """List the other names of all entries that have any, for organisers."""
    await context.rights(ORGANISER)
    return NamesList(names=[name for name in await _names(context) if _any(name)])


@router.get("/entries/{entry}/names")
async def names_of(context: UserEventContext, entry: EntryId) -> EntryNames:
    """Return the other names of an entry, for organisers and the player."""
    await _mine_or_organiser(context, entry)
    return await _one(context, entry)


@router.patch("/entries/{entry}/names")
async def change_names(context: UserEventContext, entry: EntryId, body: NamesBody) -> EntryNames:
    """Change the other names of an entry, unless they have changed since ``version``."""
    rights = await _mine_or_organiser(context, entry)
    identity = {name: value for name in IDENTITY if (value := getattr(body, name)) is not None}
    if (identity.get("real_name") or "").strip():
        identity["real_name"] = shown_name(identity["real_name"], MAX_NAME)
    identity = {name: value.strip() for name, value in identity.items()}
    if "country" in identity:
        identity["country"] = checked_country(identity["country"])
    nicknames = None
    if body.nicknames is not None:
        nicknames = [(nickname.site, shown_name(nickname.name, MAX_NAME)) for nickname in body.nicknames]
    async with changing(context.services, rights) as change:
        row = await entry_of(change, entry)
        await demand_seen_names(change, row, body.version)
        await set_names(change, row, identity, nicknames)
    return await _one(context, entry)

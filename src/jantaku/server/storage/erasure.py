"""Deletes the data of a person on request: names, account and real name go everywhere, results stay."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Table, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.borne_names import ALWAYS, BorneNames, heard_since, teams_written, words_written
from jantaku.server.storage.cleanup import OF_PEOPLE, forget_in_events
from jantaku.server.storage.entries import EntryRow, entries_of
from jantaku.server.storage.erasure_outside_events import NOBODY, leave_all, plays, write_clean
from jantaku.server.storage.events import Change, Then, take_revision
from jantaku.server.storage.people import PersonRow, end_all, new_id, set_role, untie
from jantaku.server.storage.ratings import forget_ratings_with
from jantaku.server.storage.rounds import rename_in_rounds
from jantaku.server.storage.rows import as_json
from jantaku.server.storage.schema import (
    METADATA,
    end_ways,
    event_audit,
    event_calls,
    event_claims,
    event_deliveries,
    event_entries,
    event_nicknames,
    event_penalties,
    event_staff,
    events,
    games,
    hand_versions,
    names,
    people,
    recorded_games,
    recovery_codes,
    removed,
    rulesets,
    season_parts,
    seats,
    side_bets,
    tables,
    uploads,
)
from jantaku.server.storage.scrubbing import Scrubber
from jantaku.server.storage.store import now_ms

# Texts that people write in an event, and JSON that quotes them
TEXTS: Final[tuple[tuple[Table, tuple[str, ...]], ...]] = (
    (event_audit, ("why", "name")),
    (event_calls, ("why", "answer", "label", "name")),
    (event_claims, ("name",)),
    (event_penalties, ("why",)),
    (hand_versions, ("why",)),
    (recorded_games, ("label",)),
)
JSONS: Final[tuple[tuple[Table, tuple[str, ...]], ...]] = (
    (event_audit, ("before", "after")),
    (event_deliveries, ("body",)),
)


class Erased(NamedTuple):
    """What changed: events with their revisions, and the games whose players have other names now."""

    events: tuple[tuple[str, int], ...]
    games: tuple[str, ...]


class Extent(NamedTuple):
    """What a person has here: how many entries, games of the parlour, uploads and saved rulesets."""

    entries: int
    games: int
    uploads: int
    rulesets: int


def placeholder(number: int) -> str:
    """What stands instead of the name of an erased entry; pages say it in words."""
    return f"#{number}"


async def free_erased_number(connection: AsyncConnection, among: Collection[str]) -> int:
    """The number of somebody who is deleted in these events: nobody else deleted has it in their seasons."""
    parts = select(season_parts.c.season).where(season_parts.c.event.in_(among))
    beside = select(season_parts.c.event).where(season_parts.c.season.in_(parts))
    there = event_entries.c.event.in_(among) | event_entries.c.event.in_(beside)
    query = select(func.max(event_entries.c.namesake)).where(there, event_entries.c.erased.is_not(None))
    return int((await connection.execute(query)).scalar() or 0) + 1


async def extent_of(connection: AsyncConnection, person: str) -> Extent:
    """How much there is to delete."""
    counts = []
    for table, where in (
        (event_entries, event_entries.c.person == person),
        (games, plays(person)),
        (uploads, uploads.c.person == person),
        (rulesets, rulesets.c.person == person),
    ):
        query = select(func.count()).select_from(table).where(where)
        counts.append(int((await connection.execute(query)).scalar_one()))
    return Extent(*counts)


async def is_playing(connection: AsyncConnection, person: str) -> bool:
    """Whether the person has a seat in a game that is going on."""
    query = select(seats.c.seat).join(tables, tables.c.id == seats.c.table_id)
    query = query.where(seats.c.person == person, tables.c.status == "playing")
    return (await connection.execute(query.limit(1))).first() is not None


async def erase_person(connection: AsyncConnection, who: PersonRow, person: str, then: Then) -> Erased:
    """Delete an account or guest with all names, in one transaction; ``who`` does it, as the logs say.

    ``then`` is done in each event where a place has become free.
    """
    said, at = await _names_of(connection, person), now_ms()
    account = select(people.c.account, people.c.created).where(people.c.id == person)
    known = {row.account: row.created for row in await connection.execute(account) if row.account}
    since = dict.fromkeys(said, at) | known if who.id == person else dict.fromkeys(said, ALWAYS)
    came, changed = await _events_of(connection, person), []
    number = await free_erased_number(connection, came)
    for event in came:
        row = await take_revision(connection, event)
        # whoever deletes themself does not come into the log again
        change = Change(connection, row, who if who.id != person else who._replace(id="", name=NOBODY))
        mine = [entry for entry in await entries_of(connection, event) if entry.person == person]
        merged = [other for entry in mine for other in await _with_merged(connection, entry)]
        called, heard = said | await _names_in(connection, merged), dict[str, int]()
        if who.id == person:  # and not an admin, who deletes them from all texts
            heard = dict.fromkeys(called, at) | known | await heard_since(change, merged, person)
        await _erase_entries(change, merged, called, (at, number), heard)
        await then(change)
        await change.write_notes()
        changed.append((row.id, row.revision))
    await forget_ratings_with(connection, person)
    played = await leave_all(connection, person, since, came)
    await connection.execute(delete(uploads).where(uploads.c.person == person))
    await connection.execute(delete(removed).where(removed.c.mark == person))
    await forget_in_events(connection, [person])
    await connection.execute(
        delete(side_bets).where(or_(side_bets.c.person == person, side_bets.c.opponent == person))
    )
    await set_role(connection, person, "player")  # so that no link of an admin works any more
    await end_all(connection, person)
    await connection.execute(delete(recovery_codes).where(recovery_codes.c.person == person))
    await end_ways(connection, person)
    await connection.execute(delete(names).where(names.c.person == person))
    await untie(connection, [person])
    await connection.execute(delete(people).where(people.c.id == person))
    return Erased(tuple(changed), tuple(played))


async def erase_entry(change: Change, entry: EntryRow, at: int, number: int) -> None:
    """Delete the names of one entry in its event; an account that belongs to it lives on without it.

    Entries of one player are erased ``at`` one moment, by which a season still counts them as one, and get
    one free ``number``.
    """
    mine = await _with_merged(change.connection, entry)
    said = await _names_in(change.connection, mine)
    await _erase_entries(change, mine, said, (at, number), {})


async def _events_of(connection: AsyncConnection, person: str) -> list[str]:
    """The events in which anything comes from the person, in a fixed order."""
    values = set[str]()
    for table in (*OF_PEOPLE, event_staff):
        query = select(table.c.event).where(table.c.person == person).distinct()
        values |= set((await connection.execute(query)).scalars())
    return sorted(values)


async def _with_merged(connection: AsyncConnection, entry: EntryRow) -> list[EntryRow]:
    """An entry with all that were merged into it."""
    rows, merged = await entries_of(connection, entry.event), [entry]
    for into in merged:
        merged += [row for row in rows if row.merged_into == into.id and row not in merged]
    return merged


async def _names_of(connection: AsyncConnection, person: str) -> set[str]:
    """All names under which the person has ever been stored."""
    names = set[str]()
    for column, owner in (
        (people.c.name, people.c.id),
        (people.c.account, people.c.id),
        (seats.c.name, seats.c.person),
        (event_audit.c.name, event_audit.c.person),
        (event_calls.c.name, event_calls.c.person),
        (event_claims.c.name, event_claims.c.person),
    ):
        query = select(column).where(owner == person).distinct()
        names |= {name for name in (await connection.execute(query)).scalars() if name}
    for text in (await connection.execute(select(games.c.players).where(plays(person)))).scalars():
        names |= {player["name"] for player in json.loads(text) if player.get("person") == person}
    mine = select(event_entries).where(event_entries.c.person == person)
    entries = [EntryRow(*row) for row in await connection.execute(mine)]
    return names | await _names_in(connection, entries)


async def _names_in(connection: AsyncConnection, entries: Sequence[EntryRow]) -> set[str]:
    """The names of entries: as listed now and before, elsewhere, and the real ones."""
    names = {name for entry in entries for name in (entry.name, entry.real_name) if name and not entry.erased}
    for entry in entries:
        mine = (event_nicknames.c.event == entry.event) & (event_nicknames.c.entry == entry.id)
        names |= set((await connection.execute(select(event_nicknames.c.name).where(mine))).scalars())
        names |= {str(entry["name"]) for entry in await _json_in_log(connection, entry) if entry.get("name")}
    return names


async def _json_in_log(connection: AsyncConnection, entry: EntryRow) -> list[dict[str, Any]]:
    """What the log of the event tells of an entry."""
    log = (event_audit.c.event == entry.event) & (event_audit.c.entry == entry.id)
    rows = await connection.execute(select(event_audit.c.before, event_audit.c.after).where(log))
    texts = (json.loads(text) for row in rows for text in row if text)
    return [data for data in texts if isinstance(data, dict)]


async def _erase_entries(
    change: Change,
    entries: Sequence[EntryRow],
    said: set[str],
    moment: tuple[int, int],
    since: Mapping[str, int],
) -> None:
    """Write placeholders into entries, and take all names out of the texts of the event.

    ``moment`` is when, and the number that the person gets.
    ``since`` tells from when on those names and teams count that are not theirs for all texts.
    """
    at, own = moment
    own = next((entry.namesake for entry in entries if entry.erased is not None), own)
    number = placeholder(own) if entries else NOBODY
    teams = await _teams_of(change, entries)
    named, teamed = ({name: since.get(name, ALWAYS) for name in those} for those in (said, teams))
    borne = BorneNames(named, teamed, number)
    for entry in entries:
        for table in (event_nicknames, event_claims):
            await change.remove(table, table.c.entry == entry.id)
        status = "withdrawn" if entry.status in ("asked", "waiting", "playing") else entry.status
        values: dict[str, Any] = {"name": number, "person": None}
        values |= dict.fromkeys(entry.identity, "")
        values["status"] = status
        values |= {"team": number} if entry.team in teams else {}
        values |= {"erased": at, "checked_in": None, "namesake": own}
        if entry.status != "merged":
            values["player"] = f"erased-{at}"  # their other entries that are deleted now stay one with it
        await change.set(event_entries, event_entries.c.id == entry.id, **values)
        key = await _rename_id(change, entry, Scrubber(said, number, teams))
        change.note("erase", entry=key)
    await _scrub_teams(change, borne)
    await _scrub_event(change, borne)
    change.results_change = True


async def _teams_of(change: Change, entries: Sequence[EntryRow]) -> set[str]:
    """The teams of entries, now and before, that nobody else plays for: theirs alone to be deleted.

    A team that others play for keeps its name and its points, which are theirs.
    """
    teams = {entry.team for entry in entries}
    for entry in entries:
        teams |= {
            str(entry["team"]) for entry in await _json_in_log(change.connection, entry) if entry.get("team")
        }
    mine = {entry.id for entry in entries}
    everybody = await entries_of(change.connection, change.event.id)
    others = {entry.team.casefold() for entry in everybody if entry.id not in mine and not entry.erased}
    return {team for team in teams if team and team.casefold() not in others}


async def _scrub_teams(change: Change, borne: BorneNames) -> None:
    """Take names of people out of the names of teams; teams that are called alike stay as they are."""
    written = await teams_written(change)
    for row in await change.rows(select(event_entries).where(change.of(event_entries))):
        await write_clean(
            change.connection,
            event_entries,
            row,
            {"team": borne.scrubber(written.get(row.id), teams=False).text(row.team)},
        )


async def _rename_id(change: Change, entry: EntryRow, scrubber: Scrubber) -> str:
    """Give an entry another id if its own has the name, wherever the event has it."""
    if scrubber.text(entry.id) == entry.id:
        return entry.id
    key = new_id()
    columns = [event_entries.c.id, event_entries.c.merged_into]
    columns += [table.c.entry for table in METADATA.sorted_tables if {"event", "entry"} <= {*table.c.keys()}]
    for column in columns:
        await change.set(column.table, column == entry.id, **{column.name: key})
    await rename_in_rounds(change, entry.id, key)
    return key


async def _scrub_event(change: Change, borne: BorneNames) -> None:
    """Take the names out of everything that people have written in the event."""
    for columns, cleaning in ((TEXTS, Scrubber.text), (JSONS, Scrubber.json)):
        for table, fields in columns:
            shown = (table.c[name] for name in (*fields, "at"))
            query = select(*table.primary_key.columns, *shown).where(change.of(table))
            for row in await change.rows(query):
                scrubber = borne.scrubber(row.at)
                said = {name: row._mapping[name] for name in fields if row._mapping[name] is not None}
                values = {name: cleaning(scrubber, value) for name, value in said.items()}
                await write_clean(change.connection, table, row, values)
    [row] = await change.rows(select(events).where(change.of(events)))
    scrubber, plan = borne.scrubber(await words_written(change)), json.loads(row.plan)
    for part in (plan, *plan["stages"]):
        part |= {name: scrubber.value(part[name]) for name in ("about", "name") if part.get(name)}
    values = {"name": scrubber.json(row.name), "plan": as_json(plan)}
    await write_clean(change.connection, events, row, values)

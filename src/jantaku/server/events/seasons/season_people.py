"""The list of a season's people, where its organiser merges and separates them."""

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import ORGANISER, rights_in
from jantaku.server.events.common.event_shown import entry_name
from jantaku.server.events.registration import season_people
from jantaku.server.events.registration.players import living
from jantaku.server.events.results.results_kit import ResultsKit
from jantaku.server.events.seasons import season_bodies as bodies
from jantaku.server.events.seasons.seasons import demand_organiser
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.seasons import SeasonRow
from jantaku.terms import Language


async def _entries(kit: ResultsKit, season: SeasonRow) -> dict[str, list[tuple[str, EntryRow]]]:
    """The entries of each person, with their parts."""
    people: dict[str, list[tuple[str, EntryRow]]] = {}
    for part in season.parts:
        for entry in living(await kit.services.entries.all(part.event)) if part.event else ():
            people.setdefault(entry.player, []).append((part.id, entry))
    return people


async def people(
    kit: ResultsKit, season: SeasonRow, who: PersonRow, language: Language
) -> bodies.SeasonPeople:
    """Everybody in the events of a season, by name."""
    demand_organiser(season, who)
    shown = [
        bodies.SeasonPerson(
            player=player,
            name=entry_name(entries[0][1], language),
            account=any(entry.person is not None for _, entry in entries),
            entries=[
                bodies.PersonEntry(
                    part=part,
                    event=entry.event,
                    entry=entry.id,
                    team="" if entry.erased else entry.team,
                )
                for part, entry in entries
            ],
        )
        for player, entries in (await _entries(kit, season)).items()
    ]
    return bodies.SeasonPeople(people=sorted(shown, key=lambda one: one.name))


async def merge(
    kit: ResultsKit, season: SeasonRow, who: PersonRow, player: str, body: bodies.MergePeople
) -> None:
    """Make two people one; raises ``no_entry`` for unknown ones, ``entries_differ`` if they cannot be one."""
    demand_organiser(season, who)
    known = await _entries(kit, season)
    if player not in known or body.into not in known:
        raise ServerError("no_entry")
    if player == body.into:
        raise ServerError("entries_differ")
    there = {entry.event for _, entry in (*known[player], *known[body.into])}
    events = [part.event for part in season.parts if part.event in there and part.event is not None]
    for event in events:
        await rights_in(kit.services, event, who, ORGANISER)
    await season_people.demand_one_person(kit.services, who, events, player, body.into)
    await season_people.unite(kit.services, who, events, player, body.into, body.why)


async def separate(
    kit: ResultsKit, season: SeasonRow, who: PersonRow, player: str, body: bodies.SeparatePerson
) -> None:
    """Make an entry of a person somebody else; raises ``no_part`` and ``no_entry``."""
    demand_organiser(season, who)
    part = next((part for part in season.parts if part.id == body.part), None)
    if part is None or part.event is None:
        raise ServerError("no_part", field="part")
    await rights_in(kit.services, part.event, who, ORGANISER)
    entries = living(await kit.services.entries.all(part.event))
    entry = next((entry for entry in entries if entry.player == player), None)
    if entry is None:
        raise ServerError("no_entry")
    await season_people.separate(kit.services, who, part.event, entry.id, body.why)

"""Two entries of an event that turn out to be one person become one."""

from jantaku.server.errors import ServerError
from jantaku.server.events.registration.entries import fill
from jantaku.server.storage.entries import EntryRow, change_entry, set_names
from jantaku.server.storage.events import Change
from jantaku.server.storage.people import new_id
from jantaku.server.storage.recorded_games import move_entry, play_together
from jantaku.server.storage.rounds import rename_in_rounds


async def demand_alike(change: Change, entry: EntryRow, into: EntryRow) -> set[str]:
    """The accounts of two entries, at most one.

    Raises ``entries_differ`` if both are the same, have different accounts, or play at one table.
    """
    accounts = {one.person for one in (entry, into) if one.person is not None}
    same_table = await play_together(change, entry.id, into.id)
    if entry.id == into.id or len(accounts) > 1 or same_table:
        raise ServerError("entries_differ")
    return accounts


async def merge(change: Change, entry: EntryRow, into: EntryRow, why: str) -> EntryRow:
    """Make two entries of one person one: games and penalties of ``entry`` count for ``into``."""
    accounts = await demand_alike(change, entry, into)
    games = await move_entry(change, entry.id, into.id)
    await rename_in_rounds(change, entry.id, into.id)
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

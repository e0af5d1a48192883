"""Takes a person out of what stands outside events: games, tables of the parlour, rules and seasons.

What others have called their tables and seasons loses the name if it speaks of this person: where they have
sat or played, and, in what was written since the name is theirs, with friends and in seasons of their events.
Elsewhere the same word means somebody else, or nobody.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Table, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.borne_names import BorneNames
from jantaku.server.storage.rows import as_json
from jantaku.server.storage.rulesets import in_use
from jantaku.server.storage.schema import (
    game_players,
    games,
    rulesets,
    season_parts,
    seasons,
    seats,
    tables,
    ties,
)
from jantaku.server.storage.scrubbing import Scrubber

NOBODY: Final = "–"  # instead of a name, where no entry has a number


async def leave_all(
    connection: AsyncConnection, person: str, names: Mapping[str, int], events: Sequence[str]
) -> list[str]:
    """Take a person out who has had the ``names``, each since a moment, and came into ``events``.

    Returns the games that have one player's name less.
    """
    borne, own = BorneNames(names, {}, NOBODY), Scrubber(names, NOBODY)
    await _leave_tables(connection, person, borne, own)
    await _leave_seasons(connection, person, borne, own, events)
    await _leave_rulesets(connection, person, own)
    return await _leave_games(connection, person)


def plays(person: str) -> Any:
    """The games of a person."""
    return games.c.id.in_(select(game_players.c.game).where(game_players.c.person == person))


def _friends(person: str) -> Any:
    """Who wants to be friends with a person as that person does with them."""
    wanted = select(ties.c.other).where(ties.c.person == person, ties.c.kind == "friend")
    return select(ties.c.person).where(
        ties.c.other == person, ties.c.kind == "friend", ties.c.person.in_(wanted)
    )


async def _leave_tables(connection: AsyncConnection, person: str, borne: BorneNames, own: Scrubber) -> None:
    sat = select(seats.c.table_id).where(seats.c.person == person)
    there = or_(
        tables.c.owner == person,
        tables.c.id.in_(sat),
        tables.c.id.in_(select(games.c.table_id).where(plays(person))),
    )
    theirs = tables.c.owner.in_(_friends(person)) & ~there
    for where, mine in ((there, True), (theirs, False)):
        query = select(tables.c.id, tables.c.name, tables.c.created).where(where, tables.c.name != "")
        for row in list(await connection.execute(query)):
            scrubber = own if mine else borne.scrubber(row.created)
            await write_clean(connection, tables, row, {"name": scrubber.text(row.name)})
    await connection.execute(delete(seats).where(seats.c.person == person))
    await connection.execute(update(tables).where(tables.c.owner == person).values(owner=""))


async def _leave_seasons(
    connection: AsyncConnection, person: str, borne: BorneNames, own: Scrubber, events: Sequence[str]
) -> None:
    parts = select(season_parts.c.season).where(season_parts.c.event.in_(events))
    of_friends = seasons.c.person.in_(_friends(person))
    concerned = or_(seasons.c.person == person, seasons.c.id.in_(parts), of_friends)
    for season in list(await connection.execute(select(seasons).where(concerned))):
        scrubber = own if season.person == person else borne.scrubber(season.created)
        written = select(season_parts).where(season_parts.c.season == season.id)
        for table, rows in ((seasons, [season]), (season_parts, list(await connection.execute(written)))):
            for row in rows:
                await write_clean(connection, table, row, {"name": scrubber.json(row.name)})
    await connection.execute(update(seasons).where(seasons.c.person == person).values(person=""))


async def _leave_rulesets(connection: AsyncConnection, person: str, own: Scrubber) -> None:
    """Delete the saved rulesets that nothing uses; the others stay without their text and its owner."""
    await connection.execute(delete(rulesets).where(rulesets.c.person == person, ~in_use()))
    for row in list(await connection.execute(select(rulesets).where(rulesets.c.person == person))):
        tree = as_json(own.rules(json.loads(row.tree)))
        clean = {"name": own.text(row.name), "toml": "", "tree": tree}
        await write_clean(connection, rulesets, row, clean | {"person": None})


async def _leave_games(connection: AsyncConnection, person: str) -> list[str]:
    left = []
    for row in list(await connection.execute(select(games.c.id, games.c.players).where(plays(person)))):
        players = json.loads(row.players)
        for player in players:
            if player.get("person") == person:
                player |= {"name": "", "person": None}
        text = as_json(players)
        await connection.execute(update(games).where(games.c.id == row.id).values(players=text))
        left.append(row.id)
    await connection.execute(delete(game_players).where(game_players.c.person == person))
    return left


async def write_clean(connection: AsyncConnection, table: Table, row: Any, values: dict[str, Any]) -> None:
    """Write the values that differ from those of a row."""
    new = {name: value for name, value in values.items() if value != row._mapping[name]}
    if new:
        same = [column == row._mapping[column.name] for column in table.primary_key.columns]
        await connection.execute(update(table).where(*same).values(**new))

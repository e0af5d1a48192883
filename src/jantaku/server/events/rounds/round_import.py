"""Prescribed seatings: rounds as JSON, or a CSV file with a line for each table."""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence

from jantaku.club.namesakes import same_name
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import EventRights, changing
from jantaku.server.events.rounds.round_bodies import MOST_TABLES, ImportSeating
from jantaku.server.events.rounds.round_stage import players_of, present_in, stage_in, unchanged
from jantaku.server.events.rounds.rounds_kit import RoundsKit
from jantaku.server.limits import ROUNDS_OF_STAGE
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.rounds import RoundRow, SeatedTable, save_rounds

Tables = list[list[str]]


async def import_seating(kit: RoundsKit, rights: EventRights, stage: str, body: ImportSeating) -> None:
    """Store prescribed rounds as drafts. Those who are there and sit at no table have a bye.

    Raises ``round_begun`` for a round that has begun, ``not_entered`` for somebody who does not play,
    ``twice_in_round``, ``seating_row`` for a line that cannot be read.
    """
    asked = await stage_in(kit.services, rights, stage)
    entries = [
        entry for entry in await kit.services.entries.all(rights.event.id) if entry.status == "playing"
    ]
    rounds = _from_csv(body, entries) if body.csv.strip() else {}
    rounds |= dict(enumerate(([list(table) for table in round_] for round_ in body.rounds), body.first))
    if not rounds:
        raise ServerError("no_seating")
    rules = await kit.services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    begun = {row.number for row in asked.rows.rounds if not row.is_open}
    for number, tables in rounds.items():
        if number in begun:
            raise ServerError("round_begun", number=number)
        if number > ROUNDS_OF_STAGE:
            raise ServerError("too_many_rounds", most=ROUNDS_OF_STAGE)
        check_round(number, tables, {entry.id for entry in entries}, rules.match.players)
    players = await players_of(kit.services, asked, kit.standings)
    present = present_in(asked, players, list(rounds))
    rows = []
    for (number, tables), there in zip(rounds.items(), present, strict=True):
        sitting = {player for table in tables for player in table}
        byes = tuple(player for player in there if player not in sitting)
        seated = tuple(SeatedTable(tuple(table)) for table in tables)
        rows.append(RoundRow(stage, number, "drafted", "import", None, seated, byes))
    async with changing(kit.services, rights) as change:
        await unchanged(change, asked)
        await save_rounds(change, rows)
        change.note("seating", after={"stage": stage, "rounds": sorted(rounds), "made_by": "import"})


def check_round(number: int, tables: Sequence[Sequence[str]], known: set[str], seats: int) -> None:
    """Raise unless everybody plays, nobody sits twice, and all seats are taken."""
    seen = set[str]()
    for t, table in enumerate(tables, 1):
        if len(table) != seats:
            raise ServerError("table_seats", number=number, table=t, wanted=seats)
        for player in table:
            if player not in known:
                raise ServerError("not_entered", field="rounds", id=player)
            if player in seen:
                raise ServerError("twice_in_round", number=number, id=player)
            seen.add(player)


def _from_csv(body: ImportSeating, entries: Sequence[EntryRow]) -> dict[int, Tables]:
    """The rounds of a CSV file, their tables in the order of the file's table numbers."""
    by_id, by_name, lines = {entry.id for entry in entries}, _by_name(entries), body.csv.splitlines()
    delimiter = next((sign for sign in "\t;" if sign in body.csv), ",")  # a spreadsheet pastes tabs
    rounds: dict[int, dict[int, list[str]]] = {}
    for line, row in enumerate(csv.reader(lines, delimiter=delimiter), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (line == 1 and not _is_number(cells[0].lstrip("\ufeff"))):
            continue
        number, table = cells[0].lstrip("\ufeff"), cells[1] if len(cells) > 1 else ""
        if not (_is_number(number) and _is_number(table)) or not 1 <= int(table) <= MOST_TABLES:
            raise ServerError("seating_row", line=line)
        tables = rounds.setdefault(int(number) + body.first - 1, {})
        if int(table) in tables or int(number) < 1:
            raise ServerError("seating_row", line=line)
        tables[int(table)] = [
            cell if cell in by_id else by_name.get(same_name(cell), cell) for cell in cells[2:] if cell
        ]
    return {number: [tables[t] for t in sorted(tables)] for number, tables in sorted(rounds.items())}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 3


def _by_name(entries: Sequence[EntryRow]) -> Mapping[str, str]:
    """The ids by the key of a name that only one entry has."""
    names = Counter(same_name(entry.name) for entry in entries)
    alone = {key: entry.id for entry in entries if names[key := same_name(entry.name)] == 1}
    return alone | {same_name(entry.label): entry.id for entry in entries if entry.namesake > 1}

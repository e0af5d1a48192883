"""Lists of the tables of a site: each process shows its own, as only it knows who is there."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from jantaku.server.edge.protocol import TableInfo
from jantaku.server.play import table_seats
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table import Table
from jantaku.server.play.table_bodies import Anywhere, LobbyPage
from jantaku.server.play.table_info import info
from jantaku.server.processes.links import Links
from jantaku.server.storage.tables import Sitter
from jantaku.terms import Language

MOST_LISTED: Final = 200
Dated = tuple[int, TableInfo]  # when the table was opened, and how it is shown


class EventsTable(NamedTuple):
    """A table that is open for an event; ``mine``: whoever asks sits there."""

    created: int
    shown: TableInfo
    status: str
    sitters: Sequence[Sitter | None]
    fingerprint: str
    round: int | None
    round_table: int | None
    mine: bool


class TablesHere:
    """Answers what any process asks about the tables of this one."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.services.links.questions |= {
            "lobby": self._page,
            "event_tables": self._of_event,
            "present": self._present,
            "most_waiting": self._most_waiting,
        }

    async def _page(self, said: Any) -> tuple[list[Dated], list[Dated]]:
        language, me, only_mine = said
        mine = [] if me is None else self._lobby.of_person(me)
        public = [] if only_mine else self._lobby.public()[:MOST_LISTED]
        return [_dated(shown, language, me) for shown in public], [
            _dated(shown, language, me) for shown in mine
        ]

    async def _of_event(self, said: Any) -> list[EventsTable]:
        event, language, me = said
        mine = set() if me is None else {table.row.id for table in self._lobby.of_person(me)}
        return [
            EventsTable(
                *(row.created, info(table, language), row.status, row.sitters, row.fingerprint),
                *(row.round, row.round_table, row.id in mine),
            )
            for table in self._lobby.of_event(event)
            for row in (table.row,)
        ]

    async def _most_waiting(self, said: Any) -> tuple[int, str]:
        """How many people wait at most at a table with such wishes here, and this process."""
        try:
            wishes = Anywhere.model_validate_json(said)
        except ValidationError:  # whoever carries out the request refuses it
            return 0, ""
        waiting = self._lobby.waiting_for("", lambda table: fits(table, wishes))
        people = max((len(table_seats.persons(loop.table.row)) for loop in waiting), default=0)
        return people, self._lobby.services.lease.process

    async def _present(self, people: Any) -> dict[str, str | None]:
        present: dict[str, str | None] = {}
        for person in people:
            there = [table for table in self._lobby.of_person(person) if _is_there(table, person)]
            if there:
                present[person] = next(
                    (table.row.id for table in there if not table.row.options.private), None
                )
        return present


async def lobby_page(links: Links, language: Language, me: str | None, only_mine: bool = False) -> LobbyPage:
    """The public tables of the site unless only mine are asked for, and mine, the newest first."""
    pages = await links.ask_all("lobby", [language, me, only_mine])
    public, mine = ([row for page in pages for row in page[part]] for part in (0, 1))
    return LobbyPage.model_validate({"tables": _newest(public)[:MOST_LISTED], "mine": _newest(mine)})


async def tables_of_event(links: Links, event: str, language: Language, me: str | None) -> list[EventsTable]:
    """The tables that are open for an event, the newest first."""
    pages = await links.ask_all("event_tables", [event, language, me])
    tables = [_of_event(table) for part in pages for table in part]
    return sorted(tables, key=lambda table: -table.created)


async def present(links: Links, people: Sequence[str]) -> dict[str, str | None]:
    """Who of these people has a socket at a table, and at which one if it is public."""
    present: dict[str, str | None] = {}
    for part in await links.ask_all("present", people):
        for person, table in part.items():
            present[person] = present.get(person) or table
    return present


def fits(table: Table, body: Anywhere) -> bool:
    """Whether a table is what somebody wants who would sit down anywhere."""
    rules = (None, table.row.rules, table.row.fingerprint)
    match = table.rules.match
    fits = body.length in (None, match.length) and body.players in (None, match.players)
    return fits and body.rules in rules


def _newest(tables: list[Dated]) -> list[TableInfo]:
    return [shown for _, shown in sorted(tables, key=lambda table: -table[0])]


def _dated(table: Table, language: Language, me: str | None) -> Dated:
    return table.row.created, info(table, language, me)


def _is_there(table: Table, person: str) -> bool:
    return table_seats.seat_of(table.row, person) is not None and any(
        connection.person.id == person for connection in table.audience
    )


def _of_event(said: Any) -> EventsTable:
    """A table of this process, or of another as it has said."""
    if isinstance(said, EventsTable):
        return said
    created, shown, status, sitters, *rest = said
    people = [sitter and Sitter(**sitter) for sitter in sitters]
    return EventsTable(created, TableInfo.model_validate(shown), status, people, *rest)

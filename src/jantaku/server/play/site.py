"""Tables and processes of the whole site; only the process of a table knows its sockets and describes it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from heapq import nlargest
from typing import Annotated, Any, Final, NamedTuple

from fastapi import Response
from pydantic import Field, ValidationError

from jantaku import __version__
from jantaku.kernels.win import MAX_SEATS
from jantaku.seats import Seat
from jantaku.server.edge.bodies import Health, Readiness, RulesName, router_of
from jantaku.server.edge.metrics import Metrics
from jantaku.server.edge.protocol import BotLevel, ShortOrLong, TableInfo, TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import InjectedServices, Person, demand
from jantaku.server.play import table_seats
from jantaku.server.play.broadcast import info
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table import Table
from jantaku.server.processes.links import Links
from jantaku.server.storage.lease import Lease
from jantaku.server.storage.tables import Sitter
from jantaku.terms import Language
from jantaku.wire import Wire

Players = Annotated[int, Field(ge=2, le=MAX_SEATS)]


class CreateTable(Wire):
    """Open a table.

    ``rules``: a preset, or the fingerprint of saved rules. ``bots``: the number of bots to seat. ``length``
    overrides the length of the game in the rules. ``sit``: take a seat at the new table.
    """

    name: Annotated[str, Field(max_length=40)] = ""
    rules: RulesName = "standard"
    length: ShortOrLong | None = None
    options: TableOptions = TableOptions()
    bots: Annotated[int, Field(ge=0, le=MAX_SEATS)] = 0
    sit: bool = True


class Anywhere(Wire):
    """Take a seat at any waiting public table with this length, number of players and rules.

    An omitted field matches every table.
    """

    length: ShortOrLong | None = None
    rules: RulesName | None = None
    players: Players | None = None


class SeatBody(Wire):
    """Take this seat, or any free one."""

    seat: Seat | None = None


class BotBody(SeatBody):
    """Seat a bot of this ``level``; the default is the level chosen for the table."""

    level: BotLevel | None = None


class ProgramList(Wire):
    """The names of the operator's programs that can play and judge under the rules."""

    programs: list[str]


class LobbyPage(Wire):
    """The public tables and the person's own tables, newest first."""

    tables: list[TableInfo]
    mine: list[TableInfo]


MAX_LISTED: Final = 200
Dated = tuple[int, TableInfo]  # the table's creation time in milliseconds, and its description


class EventsTable(NamedTuple):
    """An open table of an event; ``mine``: the requesting person sits there."""

    created: int
    shown: TableInfo
    status: str
    sitters: Sequence[Sitter | None]
    fingerprint: str
    round: int | None
    round_table: int | None
    mine: bool


class LocalTables:
    """Answers other processes' requests about the tables of this one."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.services.links.handlers |= {
            "lobby": self._page,
            "event_tables": self._of_event,
            "present": self._present,
            "most_waiting": self._most_waiting,
        }

    async def _page(self, payload: Any) -> tuple[list[Dated], list[Dated]]:
        language, me, only_mine = payload
        mine = [] if me is None else self._lobby.of_person(me)
        public = [] if only_mine else self._lobby.public()[:MAX_LISTED]
        return [_dated(shown, language, me) for shown in public], [
            _dated(shown, language, me) for shown in mine
        ]

    async def _of_event(self, payload: Any) -> list[EventsTable]:
        event, language, me = payload
        mine = set() if me is None else {table.row.id for table in self._lobby.of_person(me)}
        return [
            EventsTable(
                *(row.created, info(table, language), row.status, row.sitters, row.fingerprint),
                *(row.round, row.round_table, row.id in mine),
            )
            for table in self._lobby.of_event(event)
            for row in (table.row,)
        ]

    async def _most_waiting(self, payload: Any) -> tuple[int, str]:
        """Return the largest number of people at a matching table here, and this process's id."""
        try:
            request = Anywhere.model_validate_json(payload)
        except ValidationError:  # the route handler will refuse the request
            return 0, ""
        waiting = self._lobby.open_tables("", lambda table: matches(table, request))
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
    """Return the site's public tables, none if ``only_mine``, and those of ``me``, newest first."""
    pages = await links.request_all("lobby", [language, me, only_mine])
    public, mine = ([row for page in pages for row in page[part]] for part in (0, 1))
    return LobbyPage.model_validate({"tables": _newest(public)[:MAX_LISTED], "mine": _newest(mine)})


async def tables_of_event(links: Links, event: str, language: Language, me: str | None) -> list[EventsTable]:
    """Return the open tables of an event, newest first."""
    pages = await links.request_all("event_tables", [event, language, me])
    tables = [_of_event(table) for part in pages for table in part]
    return sorted(tables, key=lambda table: -table.created)


async def present(links: Links, people: Sequence[str]) -> dict[str, str | None]:
    """Map the ``people`` who are connected at one of their tables to its id, or ``None`` if it is private."""
    present: dict[str, str | None] = {}
    for part in await links.request_all("present", people):
        for person, table in part.items():
            present[person] = present.get(person) or table
    return present


def matches(table: Table, body: Anywhere) -> bool:
    """Whether a table matches the requested length, players and rules."""
    rules = (None, table.row.rules, table.row.fingerprint)
    match = table.rules.match
    matches = body.length in (None, match.length) and body.players in (None, match.players)
    return matches and body.rules in rules


def _newest(tables: list[Dated]) -> list[TableInfo]:
    return [shown for _, shown in sorted(tables, key=lambda table: -table[0])]


def _dated(table: Table, language: Language, me: str | None) -> Dated:
    return table.row.created, info(table, language, me)


def _is_there(table: Table, person: str) -> bool:
    return table_seats.seat_of(table.row, person) is not None and any(
        connection.person.id == person for connection in table.audience
    )


def _of_event(payload: Any) -> EventsTable:
    """Read a table of this process, or one that another process has sent."""
    if isinstance(payload, EventsTable):
        return payload
    created, shown, status, sitters, *rest = payload
    people = [sitter and Sitter(**sitter) for sitter in sitters]
    return EventsTable(created, TableInfo.model_validate(shown), status, people, *rest)


class SlowTable(Wire):
    """A table with the median and maximum time of its recent actions, from arrival to publication."""

    table: str
    action_ms: float
    longest_action_ms: float


class ProcessInfo(Wire):
    """A process: its tables and sockets, the times of its recent commits, and its slowest tables.

    A gateway has no tables; its ``sockets`` are those it forwards. For a process that does not answer, only
    ``role`` and ``tables`` are known.
    """

    id: str
    role: str
    version: str
    answers: bool
    tables: int
    playing: int
    stopped: int
    sockets: int
    commit_ms: float
    longest_commit_ms: float
    slowest: tuple[SlowTable, ...]


class ProcessList(Wire):
    """All processes, oldest first."""

    processes: list[ProcessInfo]


MAX_SLOW_TABLES: Final = 5  # slow tables listed per process
PROCESS_INFO: Final = "process"
UNKNOWN: Final = ProcessInfo(
    id="",
    role="",
    version="",
    answers=False,
    tables=0,
    playing=0,
    stopped=0,
    sockets=0,
    commit_ms=0.0,
    longest_commit_ms=0.0,
    slowest=(),
)


class LocalProcess:
    """Answers other processes' requests about this one."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.services.links.handlers[PROCESS_INFO] = self._info

    async def _info(self, _: Any) -> ProcessInfo:
        services, tables = self._lobby.services, [loop.table for loop in self._lobby]
        acted = [table for table in tables if table.durations.max_ms]
        slow = nlargest(MAX_SLOW_TABLES, acted, key=lambda table: table.durations.max_ms)
        return ProcessInfo(
            id=services.lease.process,
            role=services.lease.role,
            version=__version__,
            answers=True,
            tables=len(tables),
            playing=sum(table.playing for table in tables),
            stopped=sum(table.stopped for table in tables),
            sockets=sum(len(list(table.audience)) for table in tables)
            if services.lease.owns
            else len(services.streams),
            commit_ms=services.metrics.last_commits.median_ms,
            longest_commit_ms=services.metrics.last_commits.max_ms,
            slowest=tuple(map(_slow, slow)),
        )


def _slow(table: Table) -> SlowTable:
    return SlowTable(
        table=table.row.id, action_ms=table.durations.median_ms, longest_action_ms=table.durations.max_ms
    )


async def processes(links: Links, lease: Lease) -> list[ProcessInfo]:
    """Return all live processes, oldest first; for one that does not answer, its last report."""
    infos = {peer.id: _info_of(peer.values()) for peer in lease.peers}
    with suppress(ServerError):  # the links are lost
        answers = map(_info_of, await links.request_all(PROCESS_INFO, None))
        infos |= {info.id: info for info in answers}
    return list(infos.values())


def _info_of(payload: Any) -> ProcessInfo:
    """Read a process's report, ignoring fields of a newer version."""
    if isinstance(payload, ProcessInfo):
        return payload
    return ProcessInfo(**dict(UNKNOWN) | {name: payload[name] for name in dict(UNKNOWN) if name in payload})


def expose_table_metrics(lobby: Lobby, metrics: Metrics) -> None:
    """Register gauges of tables and sockets, counted when the metrics are read."""

    def counted(of: Callable[[Table], int]) -> Callable[[], float]:
        return lambda: float(sum(of(loop.table) for loop in lobby))

    states: dict[str, Callable[[Table], int]] = {
        "waiting": lambda table: table.row.status == "waiting",
        "playing": lambda table: table.playing,
        "stopped": lambda table: table.stopped,
        "over": lambda table: table.row.status in ("finished", "aborted"),
    }
    sockets: dict[str, Callable[[Table], int]] = {
        "seat": lambda table: len(table.audience.seats),
        "watcher": lambda table: len(table.audience.watchers),
    }
    metrics.gauge("tables", "Tables in memory", "state", {name: counted(of) for name, of in states.items()})
    metrics.gauge("sockets", "Sockets at tables", "of", {name: counted(of) for name, of in sockets.items()})


router = router_of("/api/processes", "people")
programs_router = router_of("/api/programs", "tables")
health_router = router_of("/api", "words")


@router.get("")
async def all_processes(services: InjectedServices, who: Person) -> ProcessList:
    """List the live processes with their load and their slowest tables (admins only)."""
    demand(who, ("admin",))
    return ProcessList(processes=await processes(services.links, services.lease))


@programs_router.get("")
async def programs(services: InjectedServices, rules: RulesName) -> ProgramList:
    """List the external programs that may be bots and judges under these rules."""
    return ProgramList(programs=services.programs.suiting(await services.rulesets.find(rules)))


@health_router.get("/health", responses={503: {"model": Health}})
async def health(response: Response, services: InjectedServices) -> Health:
    """Report whether the server can store data; status 503 if not."""
    stored = await _stores(services)
    response.status_code = 200 if stored else 503
    stopped = sum(loop.table.stopped for loop in services.lobby)
    return Health(ok=stored, storage=stored, tables=len(services.lobby), stopped=stopped, version=__version__)


@health_router.get("/ready", responses={503: {"model": Readiness}})
async def ready(response: Response, services: InjectedServices) -> Readiness:
    """Report whether the server is ready: storage works and its tables are loaded; status 503 if not."""
    reaches = services.links.working and bool(services.lease.owners)
    stores = services.lobby.ready and reaches and await _stores(services)
    response.status_code = 200 if stores else 503
    return Readiness(ok=stores, processes=len(services.lease.peers))


async def _stores(services: InjectedServices) -> bool:
    writer, lease = services.writer, services.lease
    return await services.store.check() and lease.held and not (writer.failing or writer.stalled)

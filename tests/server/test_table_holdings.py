"""Limits on tables, seats and practice games per person and per address; empty tables are closed."""

import asyncio
import gc
import itertools
import tracemalloc
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from jantaku.game import Game
from jantaku.server.archive.routes import WhatIfMoment, open_what_if
from jantaku.server.edge.limits import Principal
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.play import table_seats
from jantaku.server.play.agreements import change_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import EMPTY_S, KEEP_S, Lobby, NewTable, TableHoldings, bytes_of
from jantaku.server.play.table import Connection
from jantaku.server.play.table_seats import AWAY_S
from jantaku.server.processes.links import InProcessBus, Links
from jantaku.server.settings import Limits
from jantaku.server.storage.people import DAY_MS, PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import PRACTICE
from jantaku.server.tasks import finish_shielded
from server.lobbies import somebody
from server.parlour import Person, Serve, code_of, only_limits, run_concurrently

LIMITS = {"tables_of_one": 3, "tables_of_address": 6, "seats_of_one": 4, "seats_of_address": 9}


class ProxiedServer:
    """A server behind a proxy, so that people can have different addresses."""

    def __init__(self, serve: Serve, **limits: Any) -> None:
        self.url = serve(limits=only_limits(**(LIMITS | limits)), public_url="http://parlour.test")

    def guest(self, name: str, address: str = "192.0.2.1") -> Person:
        person = Person(self.url)
        person.http.headers["x-forwarded-for"] = address
        person.id = person.post("/api/guest", name=name)["id"]
        return person

    def guests(self, number: int) -> list[Person]:
        return [self.guest(f"G{i}") for i in range(number)]


def asks(person: Person, path: str = "/api/tables", **body: Any) -> str:
    """Send a request; return the error code or an empty string."""
    return code_of(person.send("POST", path, **body))


def joins(person: Person, table: str, **body: Any) -> str:
    return asks(person, f"/api/tables/{table}/join", **body)


@pytest.mark.slow
def test_two_guests_cannot_fill_the_server_with_tables(serve: Serve) -> None:
    """One guest creates a table, the other joins, and the first leaves: an inherited table counts too."""
    parlour = ProxiedServer(serve, tables=40)
    one, other = parlour.guests(2)
    for _ in range(20):
        answer = one.send("POST", "/api/tables")
        if answer.is_success:
            table = answer.json()["id"]
            joins(other, table)
            asks(one, f"/api/tables/{table}/leave")
    owners = [table["owner"] for table in other.get("/api/tables")["tables"]]
    assert 0 < len(owners) <= LIMITS["tables_of_address"]
    assert max(owners.count(person.id) for person in (one, other)) <= LIMITS["tables_of_one"]
    assert asks(parlour.guest("Stranger", "198.51.100.7")) == ""


@pytest.mark.slow
def test_guests_of_one_address_are_limited_together(serve: Serve) -> None:
    parlour = ProxiedServer(serve)
    people = parlour.guests(5)
    codes = [asks(person, sit=False) for person in people * 3]
    assert codes == [""] * 6 + ["too_many_tables_there"] * 9
    for person in people:
        person.http.headers["x-forwarded-for"] = (
            "203.0.113.9"  # a table counts for the address from which it was created
        )
        person.get("/api/me")
    assert asks(parlour.guest("Late")) == "too_many_tables_there"


@pytest.mark.slow
@pytest.mark.parametrize("network", ["2001:db8:7:{:x}::1", "203.0.113.{}"])
def test_addresses_of_one_network_are_limited_together(serve: Serve, network: str) -> None:
    parlour = ProxiedServer(serve, tables_of_address=2, seats_of_address=2)
    people = [parlour.guest(f"G{number}", network.format(number)) for number in range(1, 41)]
    codes = [asks(person, sit=False) for person in people]
    assert codes == [""] * 8 + ["too_many_tables_there"] * 32
    table = people[0].get("/api/tables")["tables"][0]["id"]
    assert joins(parlour.guest("Stranger", "198.51.100.7"), table) == ""


@pytest.mark.slow
def test_empty_waiting_tables_do_not_fill_the_server(serve: Serve) -> None:
    parlour = ProxiedServer(serve, tables=6, tables_of_address=2)

    def arrive(numbers: range) -> list[str]:
        return [asks(parlour.guest(f"G{number}", f"198.51.{number}.7")) for number in numbers]

    assert arrive(range(12)) == [""] * 12
    stranger = parlour.guest("Stranger", "192.0.2.7")
    tables = [stranger.table(sit=True)["id"] for _ in range(2)]
    for table in tables:
        stranger.socket(table).close()
    stranger.post(f"/api/tables/{tables[0]}/start")
    assert arrive(range(12, 24)) == [""] * 4 + ["parlour_full"] * 8  # there is a limit for the whole server


@pytest.mark.slow
def test_inheriting_tables_concurrently_cannot_exceed_the_limit(serve: Serve) -> None:
    """A table whose next owner is still being stored is already counted for that person."""
    parlour = ProxiedServer(serve, seats_of_one=10, seats_of_address=100, tables_of_address=100)
    heir, *hosts = parlour.guests(9)
    tables = [host.post("/api/tables")["id"] for host in hosts]
    for table in tables:
        assert joins(heir, table) == ""
    leaving = [
        partial(asks, host, f"/api/tables/{table}/leave") for host, table in zip(hosts, tables, strict=True)
    ]
    run_concurrently([*leaving, partial(asks, heir), partial(asks, heir)])
    owners = [table["owner"] for table in heir.get("/api/tables")["tables"]]
    assert owners.count(heir.id) == LIMITS["tables_of_one"]


@pytest.mark.slow
def test_seats_of_one_guest_are_limited_even_for_parallel_requests(serve: Serve) -> None:
    parlour = ProxiedServer(serve, tables_of_one=10, tables_of_address=100, seats_of_address=100)
    host, sitter = parlour.guests(2)
    tables = [host.post("/api/tables", sit=False)["id"] for _ in range(10)]
    codes = run_concurrently([partial(joins, sitter, table) for table in tables])
    allowed = LIMITS["seats_of_one"]
    assert sorted(codes) == [""] * allowed + ["too_many_seats"] * (10 - allowed)
    assert asks(sitter) == asks(sitter, "/api/tables/anywhere") == "too_many_seats"
    mine = sitter.get("/api/tables")["mine"]
    assert joins(sitter, mine[0]["id"], seat=3) == "", "moving within a table needs no new seat"
    sitter.post(f"/api/tables/{mine[1]['id']}/leave")
    assert asks(sitter, "/api/tables/anywhere") == ""


@pytest.mark.slow
def test_seats_of_one_address_are_limited(serve: Serve) -> None:
    parlour = ProxiedServer(serve, tables_of_one=10, tables_of_address=10)
    host, people = parlour.guest("Host", "198.51.100.7"), parlour.guests(4)
    tables = [host.post("/api/tables", sit=False)["id"] for _ in range(4)]
    codes = [joins(person, table) for table, person in itertools.product(tables, people)]
    assert codes.count("") == LIMITS["seats_of_address"]
    assert set(codes) == {"", "too_many_seats_there"}


@pytest.mark.slow
def test_rematches_cannot_exceed_the_limit_on_tables(serve: Serve) -> None:
    """A finished table does not count, so the limits have to be checked again for a rematch."""
    mina, lines = ProxiedServer(serve, seats_of_one=3).guest("Mina"), []
    for _ in range(5):
        lines.append(mina.start()[1])
        assert lines[-1].ask(type="abort", agree=True)["type"] == "ack"
    run_concurrently([partial(line.ask, type="rematch", agree=True) for line in lines])
    assert [table["status"] for table in mina.get("/api/tables")["mine"]].count("playing") == 3
    codes = [line.ask(type="rematch", agree=True).get("code") for line in lines]
    assert sorted(map(str, codes)) == ["already_started"] * 3 + ["no_room_for_rematch"] * 2


# Limits in a single process


@pytest.fixture
async def lobby(services: Services) -> AsyncIterator[Lobby]:
    """A lobby with the limits of a server, except for a lower one on memory for practice games."""
    limits = Limits(practice_bytes_of_one=bytes_of(60) + bytes_of(40))
    vars(services)["settings"] = replace(services.settings, limits=limits)
    await services.lease.join()
    services.writer.start()
    lobby = Lobby(services)
    await lobby.open()
    yield lobby
    await finish_shielded(10)
    await lobby.close()


async def opened(lobby: Lobby, *people: PersonRow, **wanted: Any) -> GameLoop:
    """Create a table at which these people sit; the first one owns it."""
    loop = await lobby.add(people[0], "", NewTable("", "standard", TableOptions(), **wanted))
    async with loop.changing() as table:
        for person in people:
            await change_seats(table, table_seats.joined(table.row, person, None))
            table_seats.socket_lost(table, table_seats.seat_of(table.row, person.id) or 0)
    return loop


async def swept(lobby: Lobby, loop: GameLoop, after: float) -> str:
    """Check a table that has not changed for this many seconds; return its status."""
    await lobby.sweep_table(loop, asyncio.get_running_loop().time() + after)
    return loop.table.row.status


async def test_a_table_without_people_is_closed(lobby: Lobby) -> None:
    loop = await lobby.add(somebody(), "", NewTable("", "standard", TableOptions()))
    assert await swept(lobby, loop, EMPTY_S / 2) == "waiting"
    watcher = Connection(somebody())
    loop.table.audience.watchers.add(watcher)
    assert await swept(lobby, loop, EMPTY_S + 1) == "waiting", "a spectator is connected"
    loop.table.audience.remove(watcher)
    assert await swept(lobby, loop, EMPTY_S + 1) == "closed"
    stored = await lobby.services.seating.find(loop.table.row.id)
    assert stored is not None
    assert stored.status == "closed"


async def test_a_seat_without_a_socket_is_freed(lobby: Lobby) -> None:
    host, friend = somebody(), somebody()
    loop = await opened(lobby, host, friend)
    table = loop.table
    table.audience.sit(Connection(friend), 1)
    table_seats.socket_connected(table, 1)
    assert await swept(lobby, loop, AWAY_S / 2) == "waiting"
    assert table_seats.persons(table.row) == [0, 1]
    assert await swept(lobby, loop, AWAY_S + 1) == "waiting"
    assert (table_seats.persons(table.row), table.row.owner) == ([1], friend.id)
    table.audience = type(table.audience)()
    table_seats.socket_lost(table, 1)
    assert await swept(lobby, loop, AWAY_S + 1) == "closed"


async def test_a_table_of_an_event_waits_for_its_round(lobby: Lobby) -> None:
    loop = await opened(lobby, somebody(), event="spring", stage="main")
    assert await swept(lobby, loop, 10 * AWAY_S) == "waiting"
    assert table_seats.persons(loop.table.row) == [0]


async def test_a_table_passes_to_a_player_within_their_limits(lobby: Lobby) -> None:
    host, full, free = somebody(), somebody(), somebody()
    for _ in range(Limits().tables_of_one):
        await lobby.add(full, "", NewTable("", "standard", TableOptions()))
    table = (await opened(lobby, host, full, free)).table
    async with lobby.holdings.transferring(table) as may_own:
        assert table_seats.left(table.row, host.id, may_own).owner == free.id
    table = (await opened(lobby, host, full)).table
    async with lobby.holdings.transferring(table) as may_own:
        assert table_seats.left(table.row, host.id, may_own).owner == host.id, "it still counts for its owner"


class OtherProcess(Links):
    """Another process of the site, which reports that these people have reached their limits."""

    def __init__(self, *full: PersonRow) -> None:
        super().__init__(InProcessBus())
        self.full = {person.id for person in full}

    async def request_others(self, _: str, principal: Any) -> list[Any]:
        count = Limits().tables_of_one if Principal(*principal).person in self.full else 0
        return [[(count, 0, 9999, 0), (count, 0, 9999, 0), (0, 0, 0, 0)]]


async def test_holdings_in_other_processes_count_for_the_next_owner(lobby: Lobby) -> None:
    host, full, free = somebody(), somebody(), somebody()
    lobby.holdings._links = OtherProcess(full)
    table = (await opened(lobby, host, full, free)).table
    async with lobby.holdings.transferring(table) as may_own:
        assert table_seats.left(table.row, host.id, may_own).owner == free.id
    assert not await table.may_rematch()
    lobby.holdings._links = OtherProcess()
    assert await table.may_rematch()


def long_game() -> Game:
    game = Game("tenhou", seed=3)
    while len(game.played) < 70:
        seat = game.to_act[0]
        game.play(seat, game.legal(seat)[-1])
    return game


async def test_memory_of_practice_games_is_limited(lobby: Lobby) -> None:
    game, mina = long_game(), somebody()
    first = await lobby.find(await open_what_if(lobby, mina, "X", WhatIfMoment(game, 60, 0)))
    with pytest.raises(ServerError) as caught:
        await open_what_if(lobby, mina, "Y", WhatIfMoment(game, 60, 0))
    assert caught.value.code == "too_many_moves"
    await open_what_if(lobby, mina, "Y", WhatIfMoment(game, 10, 0))
    await open_what_if(lobby, somebody(), "X", WhatIfMoment(game, 60, 0))
    held = sum(
        amount for holder, amount in lobby.holdings._held_memory() if holder == Principal(mina.id, "X")
    )
    assert held >= bytes_of(60)
    await lobby.sweep_table(first, asyncio.get_running_loop().time() + KEEP_S + 1)
    assert first.stopped, "nobody is connected"
    await open_what_if(lobby, mina, "Y", WhatIfMoment(game, 60, 0))


@pytest.mark.slow
async def test_a_practice_game_uses_no_more_memory_than_counted(lobby: Lobby) -> None:
    game = Game("tenhou", seed=4)
    while not game.is_over and len(game.played) < 500:
        seat = game.to_act[0]
        game.play(seat, game.legal(seat)[-1 if len(game.played) % 2 else 0])
    lobby.holdings = TableHoldings(Limits(), lobby.holdings._all)
    for moves in (9, 100):
        await open_what_if(lobby, somebody(), "", WhatIfMoment(game, moves, 0))  # fill the caches
    await asyncio.sleep(0.1)
    for moves in (9, len(game.moves) - 1):
        gc.collect()
        tracemalloc.start()
        for number in range(4):
            await open_what_if(lobby, somebody(), str(number), WhatIfMoment(game, moves, 0))
        used = tracemalloc.get_traced_memory()[0] / 4
        tracemalloc.stop()
        assert used < bytes_of(moves)


async def test_a_practice_game_waits_for_its_player(lobby: Lobby) -> None:
    """No bot plays on meanwhile, and after a restart the game is loaded only when it is opened."""
    lobby.services.settings.__dict__["grace_s"] = 0.0
    table = await open_what_if(lobby, somebody(), "", WhatIfMoment(long_game(), 60, 0))
    loop = await lobby.find(table)
    while 0 not in (loop.table.live.game.to_act if loop.table.live else ()):
        await asyncio.sleep(0.01)
    moves = loop.table.moves
    await asyncio.sleep(0.2)
    assert (loop.table.moves, loop.table.row.status) == (moves, "playing")
    again = Lobby(lobby.services)
    await again.open()
    await asyncio.sleep(0.1)
    assert len(again) == 0
    assert (await again.find(table)).table.moves == moves
    await again.close()


async def test_an_abandoned_practice_game_ends(lobby: Lobby) -> None:
    services = lobby.services
    in_use, abandoned = [
        await open_what_if(lobby, somebody(), "", WhatIfMoment(long_game(), 9, 0)) for _ in range(2)
    ]
    await services.cleanup.tidy(now_ms() + 3 * DAY_MS, [in_use], services.lease.process)
    rows = [await services.seating.find(table) for table in (in_use, abandoned)]
    assert [(row.status, row.stage) for row in rows if row] == [("playing", PRACTICE), ("aborted", PRACTICE)]
    game = await services.games.of_table(abandoned, 1)
    assert game is not None
    assert game.status == "aborted"

"""Processes are killed, stopped and ended at random while people play: nothing confirmed is lost or doubled.

Once with a server and one that stands by, once with a site of gateways and processes with tables, and once
with a site whose processes are replaced in turn, as when a new version comes. ``JANTAKU_FAULT_SECONDS``,
``JANTAKU_FAULT_TABLES`` and ``JANTAKU_FAULT_SEED`` make it longer, larger, other; ``JANTAKU_FAULT_FROM``
names the folder of the code with which that site begins.
"""

import asyncio
import json
import logging
import math
import os
import random
import signal
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from jantaku.game import hide
from jantaku.game.notation import to_dict
from jantaku.server.settings import Settings
from jantaku.server.storage.replaying import replayed
from jantaku.server.storage.services import Services
from server.conftest import Cluster
from server.parlour import Message, Process, free_port, quick, taken
from server.sites import Site

LOG = logging.getLogger("faults")
SECONDS = float(os.environ.get("JANTAKU_FAULT_SECONDS", "60"))
TABLES = int(os.environ.get("JANTAKU_FAULT_TABLES", "4"))
BEFORE = os.environ.get("JANTAKU_FAULT_FROM", "")
SEED = int(os.environ.get("JANTAKU_FAULT_SEED", "1"))
THINKS_S = max(0.3, TABLES / 25)  # at most, so that the people of many tables leave the servers some time
WELL_S = 20 + 4 * THINKS_S
GATEWAYS, OWNERS = 2, 3
SEATED_AT_ONCE = 8


class Servers(ABC):
    """What people play on, and what fails there now and then."""

    settings: Settings

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.running: list[Process] = []
        self.done: list[str] = []
        self._ends = math.inf

    @abstractmethod
    async def begin(self) -> None:
        """Start everything."""

    @abstractmethod
    async def ready(self) -> str:
        """The address of a server that serves, once there is one."""

    async def any_url(self) -> str:
        """Where a browser tries to connect."""
        return await self.ready()

    @abstractmethod
    async def fail(self) -> None:
        """Let something fail, and have as many servers again afterwards."""

    def close(self) -> None:
        """End everything."""
        for one in self.running:
            one.process.send_signal(signal.SIGCONT)
            one.kill()

    async def first_ready(self, among: Sequence[Process]) -> str:
        """The address of the first server that says that it is ready."""
        async with httpx.AsyncClient(timeout=2, verify=False) as http:
            while True:
                for one in list(among):
                    with suppress(httpx.HTTPError):
                        if (await http.get(f"{one.url}/api/ready")).status_code == 200:
                            return one.url
                await asyncio.sleep(0.2)

    async def stop(self, process: Popen[bytes], what: str) -> str:
        """A lease runs out while its process lives; then it goes on, beside the one that has replaced it."""
        process.send_signal(signal.SIGSTOP)
        seconds = self.chance.choice([0.5, 2.0, 6.0, 10.0])
        await asyncio.sleep(seconds)
        process.send_signal(signal.SIGCONT)
        await asyncio.sleep(2)
        return f"{what} stopped for {seconds} s"

    def last(self, seconds: float) -> None:
        """Let things fail for so long."""
        self._ends = asyncio.get_running_loop().time() + seconds

    @property
    def over(self) -> bool:
        """Whether nothing more fails."""
        return asyncio.get_running_loop().time() >= self._ends

    async def restart_database(self, cluster: Cluster) -> str:
        """PostgreSQL ends at once, and begins again."""
        seconds = self.chance.choice([0.1, 4.0])
        await asyncio.to_thread(cluster.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(cluster.start)
        return f"the database gone for {seconds} s"


class StandingBy(Servers):
    """One server that serves and one that stands by, of which one or the other fails now and then."""

    def __init__(self, folder: Path, cluster: Cluster, chance: random.Random) -> None:
        super().__init__(chance)
        self._folder, self._cluster = folder, cluster
        self._url = cluster.new_database(f"faults{os.getpid()}")
        self.settings = quick(folder, database_url=self._url)

    async def begin(self) -> None:
        await self._add()
        await self.ready()
        await self._add()

    async def _add(self) -> None:
        """Another server, which stands by; back when it waits for its turn."""
        port = free_port()
        found = Process(self._folder, port, "standby=1", f"database_url={self._url}")
        self.running.append(found)
        while not taken(port):
            await asyncio.sleep(0.1)

    async def ready(self) -> str:
        return await self.first_ready(self.running)

    async def fail(self) -> None:
        url = await self.ready()
        active = next(one for one in self.running if one.url == url)
        faults = (self._kill, self._end, self._stop, self._without_database)
        self.done.append(await self.chance.choice(faults)(active))

    async def _kill(self, one: Process) -> str:
        one.kill()
        self.running.remove(one)
        await self._add()
        return "killed"

    async def _end(self, one: Process) -> str:
        one.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(one.process.wait)
        self.running.remove(one)
        await self._add()
        return "ended"

    async def _stop(self, one: Process) -> str:
        return await self.stop(one.process, "a server")

    async def _without_database(self, _: Process) -> str:
        return await self.restart_database(self._cluster)


class WholeSite(Servers):
    """Two gateways and three processes with tables, over NATS and PostgreSQL, all of which fail."""

    def __init__(self, folder: Path, cluster: Cluster, chance: random.Random) -> None:
        super().__init__(chance)
        self._site, self._cluster = Site(folder, cluster, f"sites{os.getpid()}"), cluster
        self.settings = quick(folder, database_url=self._site.database)

    async def begin(self) -> None:
        await asyncio.to_thread(self._site.begin, GATEWAYS, OWNERS)

    async def ready(self) -> str:
        return await self.first_ready(self._site.gateways)

    async def any_url(self) -> str:
        return random.choice(self._site.gateways or self._site.owners).url

    async def fail(self) -> None:
        one = self.chance.choice([*self._site.gateways, *self._site.owners])
        role = "gateway" if one in self._site.gateways else "tables"
        faults = (self._kill, self._kill, self._end, self._stop, self._without_nats, self._without_database)
        self.done.append(await self.chance.choice(faults)(one, role))

    async def _replace(self, one: Process, role: str) -> None:
        (self._site.gateways if role == "gateway" else self._site.owners).remove(one)
        await self.first_ready([self._site.add(role)])

    async def _kill(self, one: Process, role: str) -> str:
        one.kill()
        await self._replace(one, role)
        return f"{role} killed"

    async def _end(self, one: Process, role: str) -> str:
        one.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(one.process.wait)
        await self._replace(one, role)
        return f"{role} ended"

    async def _stop(self, one: Process, role: str) -> str:
        return await self.stop(one.process, role)

    async def _without_nats(self, *_: object) -> str:
        """NATS is stopped, so that no link works, or begins anew."""
        nats = self._site.nats
        assert nats.process is not None
        if self.chance.random() < 0.5:
            return await self.stop(nats.process, "NATS")
        seconds = self.chance.choice([0.1, 4.0])
        nats.stop()
        await asyncio.sleep(seconds)
        await asyncio.to_thread(nats.start)
        return f"NATS gone for {seconds} s"

    async def _without_database(self, *_: object) -> str:
        return await self.restart_database(self._cluster)

    def close(self) -> None:
        self._site.close()


class Upgraded(WholeSite):
    """A site whose processes are replaced in turn; each time one of this code is added first."""

    def __init__(self, folder: Path, cluster: Cluster, chance: random.Random) -> None:
        super().__init__(folder, cluster, chance)
        self._old: list[tuple[Process, str]] = []

    async def begin(self) -> None:
        self._site.code = BEFORE
        await super().begin()
        self._site.code = ""
        self._old = [(one, "tables") for one in self._site.owners]
        self._old += [(one, "gateway") for one in self._site.gateways]

    @property
    def over(self) -> bool:
        return not self._old

    async def fail(self) -> None:
        one, role = self._old.pop(0)
        await self.first_ready([self._site.add(role)])
        one.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(one.process.wait)
        (self._site.gateways if role == "gateway" else self._site.owners).remove(one)
        self.done.append(f"{role} replaced")


class Player:
    """One person at one table: what was confirmed to them, and every event that they were told."""

    def __init__(self, servers: Servers, chance: random.Random, table: str, seat: int, cookie: str) -> None:
        self._servers, self._chance, self._cookie = servers, chance, cookie
        self.table, self.seat = table, seat
        self.confirmed: dict[int, Message] = {}  # by question
        self.told: dict[int, Message] = {}
        self._sent: dict[str, tuple[int, Message]] = {}
        self._seq: int | None = None

    async def run(self) -> None:
        """Play, through whatever server serves."""
        while True:
            url = (await self._servers.any_url()).replace("http", "ws", 1)
            headers = {"Cookie": self._cookie}
            with suppress(OSError, TimeoutError, WebSocketException):
                async with connect(f"{url}/ws/tables/{self.table}", additional_headers=headers) as line:
                    await line.send(json.dumps({"type": "hello", "version": 1, "game": 1, "last": self._seq}))
                    async for text in line:
                        await self._take(line, json.loads(text))
            await asyncio.sleep(self._chance.uniform(0.2, 0.2 + THINKS_S))

    async def _take(self, line: ClientConnection, message: Message) -> None:
        if message["type"] in ("sync", "update"):
            first = message["seq"] - len(message["events"])
            for number, event in enumerate(message["events"], first):
                assert self.told.setdefault(number, event) == event, "an event was told in two ways"
            self._seq = message["seq"]
            own = message["own"]
            if own and own["ask"] is not None:
                await asyncio.sleep(self._chance.uniform(0, THINKS_S))
                action = self._chance.choice(own["legal"])
                name = f"{self.seat}-{own['ask']}-{len(self._sent)}"
                self._sent[name] = own["ask"], action
                said = {"type": "act", "id": name, "game": 1, "ask": own["ask"], "action": action}
                await line.send(json.dumps(said))
        elif message["type"] == "ack" and message["id"] in self._sent:
            ask, action = self._sent[message["id"]]
            self.confirmed[ask] = action
        elif message["type"] == "pause":
            await line.send('{"type":"ready","id":"r"}')


async def seated(servers: Servers, number: int) -> list[tuple[str, int, str]]:
    """So many tables of four, whose games have begun: the table, the seat and the cookie of each person."""
    url, gate = await servers.ready(), asyncio.Semaphore(SEATED_AT_ONCE)
    tables = await asyncio.gather(*(_table(url, gate) for _ in range(number)))
    return [seat for table in tables for seat in table]


async def _table(url: str, gate: asyncio.Semaphore) -> list[tuple[str, int, str]]:
    options, found = {"clock": False, "draw_seats": False}, list[tuple[str, int, str]]()
    async with gate, httpx.AsyncClient(base_url=url, timeout=60, verify=False) as http:
        for seat in range(4):
            http.cookies.clear()
            (await http.post("/api/guest", json={"name": f"P{seat}"})).raise_for_status()
            cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
            path = f"/api/tables/{found[0][0]}/join" if found else "/api/tables"
            opened = await http.post(path, json={} if found else {"options": options, "sit": True})
            found.append((opened.raise_for_status().json()["id"], seat, cookie))
        http.cookies.clear()
        (table, _, first), *_ = found
        started = await http.post(f"/api/tables/{table}/start", headers={"Cookie": first})
        while started.status_code == 503:  # on a busy machine a lease may run out
            LOG.warning("%s", started.text)
            await asyncio.sleep(1)
            started = await http.post(f"/api/tables/{table}/start", headers={"Cookie": first})
        assert started.status_code in (200, 409), started.text
    return found


def confirmed_at(players: list[Player]) -> Counter[str]:
    """How many actions were confirmed at each table."""
    return Counter(player.table for player in players for _ in player.confirmed)


async def ended(servers: Servers, tables: set[str]) -> set[str]:
    """Those of the tables whose game is over."""
    url, found = await servers.ready(), set[str]()
    async with httpx.AsyncClient(base_url=url, timeout=10) as http:
        for table in tables:
            answer = (await http.get(f"/api/tables/{table}")).raise_for_status().json()
            found |= {table} if answer["status"] == "finished" else set()
    return found


async def check(services: Services, players: list[Player]) -> int:
    """Compare what the players were told with what is stored; how many actions were confirmed."""
    for table in {player.table for player in players}:
        row = await services.games.of_table(table, 1)
        assert row is not None
        rules = (await services.rulesets.shown(row.rules, row.fingerprint)).rules
        moves = await services.games.moves(row.id)
        game = replayed(rules, row.beginning, moves, await services.games.hands(row.id))
        assert game.follows_rules
        assert len(game.moves) == len(moves)
        played = {(seat, events): to_dict(action) for events, seat, action in game.moves}
        for player in players:
            if player.table == table:
                for ask, action in player.confirmed.items():
                    assert played[player.seat, ask] == action, "a confirmed action is missing"
                for number, event in player.told.items():
                    right = json.loads(json.dumps(hide(game.events[number], player.seat).to_dict()))
                    assert event == right, "somebody was told what is not so, or what they may not see"
    return sum(len(player.confirmed) for player in players)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(StandingBy, marks=pytest.mark.long),
        pytest.param(WholeSite, marks=pytest.mark.long),
        pytest.param(Upgraded, marks=pytest.mark.slow),
    ],
)
async def test_nothing_confirmed_is_lost_whatever_fails(
    tmp_path: Path, cluster: Cluster, kind: type[StandingBy] | type[WholeSite] | type[Upgraded]
) -> None:
    chance = random.Random(SEED)
    servers = kind(tmp_path, cluster, chance)
    try:
        await servers.begin()
        seats = await seated(servers, TABLES)
        players = [Player(servers, chance, *seat) for seat in seats]
        playing = [asyncio.create_task(player.run()) for player in players]
        servers.last(SECONDS)
        while not servers.over:
            await asyncio.sleep(chance.uniform(2, 6))
            await servers.fail()
            for task in playing:
                assert not task.done(), task.exception()
        await servers.ready()
        await asyncio.sleep(3)
        before = confirmed_at(players)
        await asyncio.sleep(WELL_S)
        still = {table for table, number in confirmed_at(players).items() if number == before[table]}
        assert still == await ended(servers, still), servers.done  # all others are well again
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    finally:
        servers.close()
    services = Services.of(servers.settings)
    try:
        confirmed = await check(services, players)
        assert confirmed > 0
        LOG.warning("%s actions confirmed; %s", confirmed, servers.done)
    finally:
        await services.store.close()

"""Servers are killed, stopped and ended at random while people play: nothing confirmed is lost or doubled.

``JANTAKU_FAULT_SECONDS``, ``JANTAKU_FAULT_TABLES`` and ``JANTAKU_FAULT_SEED`` make it longer, larger, other.
"""

import asyncio
import json
import logging
import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from jantaku.game import hide
from jantaku.game.notation import to_dict
from jantaku.server.storage.replaying import replayed
from jantaku.server.storage.services import Services
from server.conftest import Cluster
from server.parlour import Message, Process, free_port, quick, taken

pytestmark = pytest.mark.long
LOG = logging.getLogger("faults")
SECONDS = float(os.environ.get("JANTAKU_FAULT_SECONDS", "60"))
TABLES = int(os.environ.get("JANTAKU_FAULT_TABLES", "4"))
SEED = int(os.environ.get("JANTAKU_FAULT_SEED", "1"))


class Servers:
    """One server that serves and one that stands by, of which one or the other fails now and then."""

    def __init__(self, folder: Path, cluster: Cluster, chance: random.Random) -> None:
        self._folder, self._cluster, self._chance = folder, cluster, chance
        self._url = cluster.new_database(f"faults{os.getpid()}")
        self.settings = quick(folder, database_url=self._url)
        self.running: list[Process] = []
        self.done: list[str] = []

    async def add(self) -> None:
        """Another server, which stands by; back when it waits for its turn."""
        port = free_port()
        found = Process(self._folder, port, "standby=1", f"database_url={self._url}")
        self.running.append(found)
        while not taken(port):
            await asyncio.sleep(0.1)

    async def ready(self) -> str:
        """The address of the server that serves, once there is one."""
        async with httpx.AsyncClient(timeout=2) as http:
            while True:
                for one in list(self.running):
                    with suppress(httpx.HTTPError):
                        if (await http.get(f"{one.url}/api/ready")).status_code == 200:
                            return one.url
                await asyncio.sleep(0.2)

    async def fail(self) -> None:
        """Let something fail, and have two servers again afterwards."""
        url = await self.ready()
        active = next(one for one in self.running if one.url == url)
        faults = (self._kill, self._end, self._stop, self._restart_database)
        self.done.append(await self._chance.choice(faults)(active))

    async def _kill(self, one: Process) -> str:
        one.kill()
        self.running.remove(one)
        await self.add()
        return "killed"

    async def _end(self, one: Process) -> str:
        one.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(one.process.wait)
        self.running.remove(one)
        await self.add()
        return "ended"

    async def _stop(self, one: Process) -> str:
        """Its lease runs out while it lives; then it goes on, beside the one that has replaced it."""
        one.process.send_signal(signal.SIGSTOP)
        seconds = self._chance.choice([0.5, 2.0, 6.0, 10.0])
        await asyncio.sleep(seconds)
        one.process.send_signal(signal.SIGCONT)
        await asyncio.sleep(2)
        return f"stopped for {seconds} s"

    async def _restart_database(self, _: Process) -> str:
        seconds = self._chance.choice([0.1, 4.0])
        await asyncio.to_thread(self._cluster.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(self._cluster.start)
        return f"the database gone for {seconds} s"

    def close(self) -> None:
        for one in self.running:
            one.process.send_signal(signal.SIGCONT)
            one.kill()


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
            url = (await self._servers.ready()).replace("http", "ws", 1)
            headers = {"Cookie": self._cookie}
            with suppress(OSError, TimeoutError, WebSocketException):
                async with connect(f"{url}/ws/tables/{self.table}", additional_headers=headers) as line:
                    await line.send(json.dumps({"type": "hello", "version": 1, "game": 1, "last": self._seq}))
                    async for text in line:
                        await self._take(line, json.loads(text))
            await asyncio.sleep(0.2)

    async def _take(self, line: ClientConnection, message: Message) -> None:
        if message["type"] in ("sync", "update"):
            first = message["seq"] - len(message["events"])
            for number, event in enumerate(message["events"], first):
                assert self.told.setdefault(number, event) == event, "an event was told in two ways"
            self._seq = message["seq"]
            own = message["own"]
            if own and own["ask"] is not None:
                await asyncio.sleep(self._chance.uniform(0, 0.1))
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
    url, found = await servers.ready(), []
    for _ in range(number):
        table, first = "", ""
        for seat in range(4):
            async with httpx.AsyncClient(base_url=url, timeout=60) as http:
                (await http.post("/api/guest", json={"name": f"P{seat}"})).raise_for_status()
                options = {"clock": False, "draw_seats": False}
                if seat == 0:
                    opened = await http.post("/api/tables", json={"options": options, "sit": True})
                    table = opened.raise_for_status().json()["id"]
                else:
                    (await http.post(f"/api/tables/{table}/join", json={})).raise_for_status()
                cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
                first = first or cookie
                found.append((table, seat, cookie))
        async with httpx.AsyncClient(base_url=url, timeout=60, headers={"Cookie": first}) as http:
            (await http.post(f"/api/tables/{table}/start")).raise_for_status()
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
async def test_nothing_confirmed_is_lost_whatever_fails(tmp_path: Path, cluster: Cluster) -> None:
    chance = random.Random(SEED)
    servers = Servers(tmp_path, cluster, chance)
    try:
        await servers.add()
        await servers.ready()
        await servers.add()
        seats = await seated(servers, TABLES)
        players = [Player(servers, chance, *seat) for seat in seats]
        playing = [asyncio.create_task(player.run()) for player in players]
        ends = asyncio.get_running_loop().time() + SECONDS
        while asyncio.get_running_loop().time() < ends:
            await asyncio.sleep(chance.uniform(2, 6))
            await servers.fail()
            assert not [task for task in playing if task.done()]
        await servers.ready()
        await asyncio.sleep(3)
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

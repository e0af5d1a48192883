"""Processes are killed, suspended and stopped at random; no confirmed action is lost or duplicated.

The test runs with a server and its standby, with a site of gateways and table processes, and with a site
whose processes are replaced one by one as in an upgrade. ``JANTAKU_FAULT_SECONDS``, ``JANTAKU_FAULT_TABLES``
and ``JANTAKU_FAULT_SEED`` set the duration, the number of tables and the seed; ``JANTAKU_FAULT_FROM`` is the
source folder of the version before the upgrade.
"""

import asyncio
import json
import logging
import os
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from jantaku.game import hide
from jantaku.game.actions import to_dict
from jantaku.server.storage.finished_games import replayed
from jantaku.server.storage.services import Services
from server.failing_servers import Servers, StandingBy, Upgraded, WholeSite
from server.parlour import Message
from server.postgres_cluster import Cluster

LOG = logging.getLogger("faults")
SECONDS = float(os.environ.get("JANTAKU_FAULT_SECONDS", "60"))
TABLES = int(os.environ.get("JANTAKU_FAULT_TABLES", "4"))
SEED = int(os.environ.get("JANTAKU_FAULT_SEED", "1"))
THINKS_S = max(0.3, TABLES / 25)  # the maximum; the pause grows with the number of tables to limit the load
RECOVERY_S = 20 + 4 * THINKS_S
SEATED_AT_ONCE = 8


class Player:
    """A person at a table, with all events received and all actions confirmed."""

    def __init__(self, servers: Servers, chance: random.Random, table: str, seat: int, cookie: str) -> None:
        self._servers, self._chance, self._cookie = servers, chance, cookie
        self.table, self.seat = table, seat
        self.confirmed: dict[int, Message] = {}  # confirmed actions by the number of their request
        self.received: dict[int, Message] = {}
        self._sent: dict[str, tuple[int, Message]] = {}
        self._seq: int | None = None

    async def run(self) -> None:
        """Play through any server that can be reached, and reconnect after failures."""
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
                assert self.received.setdefault(number, event) == event, "two versions of one event"
            self._seq = message["seq"]
            own = message["own"]
            if own and own["ask"] is not None:
                await asyncio.sleep(self._chance.uniform(0, THINKS_S))
                action = self._chance.choice(own["legal"])
                name = f"{self.seat}-{own['ask']}-{len(self._sent)}"
                self._sent[name] = own["ask"], action
                act = {"type": "act", "id": name, "game": 1, "ask": own["ask"], "action": action}
                await line.send(json.dumps(act))
        elif message["type"] == "ack" and message["id"] in self._sent:
            ask, action = self._sent[message["id"]]
            self.confirmed[ask] = action
        elif message["type"] == "pause":
            await line.send('{"type":"ready","id":"r"}')


async def seated(servers: Servers, number: int) -> list[tuple[str, int, str]]:
    """Create this many tables of four and start the games; return each person's table, seat and cookie."""
    url, gate = await servers.ready(), asyncio.Semaphore(SEATED_AT_ONCE)
    tables = await asyncio.gather(*(_table(url, gate) for _ in range(number)))
    return [seat for table in tables for seat in table]


async def _table(url: str, gate: asyncio.Semaphore) -> list[tuple[str, int, str]]:
    options, games = {"clock": False, "draw_seats": False}, list[tuple[str, int, str]]()
    async with gate, httpx.AsyncClient(base_url=url, timeout=60, verify=False) as http:
        for seat in range(4):
            http.cookies.clear()
            await _post_until_served(http, "/api/guest", {"name": f"P{seat}"})
            cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
            path = f"/api/tables/{games[0][0]}/join" if games else "/api/tables"
            opened = await _post_until_served(http, path, {} if games else {"options": options, "sit": True})
            games.append((opened.raise_for_status().json()["id"], seat, cookie))
        http.cookies.clear()
        (table, _, first), *_ = games
        started = await _post_until_served(http, f"/api/tables/{table}/start", {}, Cookie=first)
        assert started.status_code in (200, 409), started.text
    return games


async def _post_until_served(
    http: httpx.AsyncClient, path: str, body: Mapping[str, Any], **headers: str
) -> httpx.Response:
    """Repeat a request while the answer is 503, since a lease may expire on a busy machine."""
    while (answer := await http.post(path, json=body, headers=headers)).status_code == 503:
        LOG.warning("%s", answer.text)
        await asyncio.sleep(1)
    return answer


def confirmed_at(players: list[Player]) -> Counter[str]:
    """Count the confirmed actions at each table."""
    return Counter(player.table for player in players for _ in player.confirmed)


async def ended(servers: Servers, tables: set[str]) -> set[str]:
    """Return the tables whose game is over."""
    url, finished = await servers.ready(), set[str]()
    async with httpx.AsyncClient(base_url=url, timeout=10) as http:
        for table in tables:
            answer = (await http.get(f"/api/tables/{table}")).raise_for_status().json()
            finished |= {table} if answer["status"] == "finished" else set()
    return finished


async def check(services: Services, players: list[Player]) -> int:
    """Compare what players received with the stored games; return the number of confirmed actions."""
    for table in {player.table for player in players}:
        row = await services.games.of_table(table, 1)
        assert row is not None
        rules = await services.rulesets.find(row.rules, row.fingerprint)
        moves = await services.games.moves(row.id)
        game = replayed(rules, row.beginning, moves, await services.games.hands(row.id))
        assert game.follows_rules
        assert len(game.moves) == len(moves)
        played = {(seat, events): to_dict(action) for events, seat, action in game.moves}
        for player in players:
            if player.table == table:
                for ask, action in player.confirmed.items():
                    assert played[player.seat, ask] == action, "a confirmed action is missing"
                for number, event in player.received.items():
                    right = json.loads(json.dumps(hide(game.events[number], player.seat).to_dict()))
                    assert event == right, "a player received a wrong or hidden event"
    return sum(len(player.confirmed) for player in players)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(StandingBy, marks=pytest.mark.long),
        pytest.param(WholeSite, marks=pytest.mark.long),
        pytest.param(Upgraded, marks=pytest.mark.slow),
    ],
)
async def test_no_confirmed_action_is_lost_despite_faults(
    tmp_path: Path, cluster: Cluster, kind: type[StandingBy] | type[WholeSite] | type[Upgraded]
) -> None:
    chance = random.Random(SEED)
    servers = kind(tmp_path, cluster, chance)
    try:
        await servers.begin()
        seats = await seated(servers, TABLES)
        players = [Player(servers, chance, *seat) for seat in seats]
        playing = [asyncio.create_task(player.run()) for player in players]
        servers.fail_for(SECONDS)
        while not servers.over:
            await asyncio.sleep(chance.uniform(2, 6))
            await servers.fail()
            for task in playing:
                assert not task.done(), task.exception()
        await servers.ready()
        await asyncio.sleep(3)
        before = confirmed_at(players)
        await asyncio.sleep(RECOVERY_S)
        still = {table for table, number in confirmed_at(players).items() if number == before[table]}
        assert still == await ended(servers, still), servers.done  # all other tables have recovered
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    finally:
        servers.close()
    services = Services(servers.settings)
    try:
        confirmed = await check(services, players)
        assert confirmed > 0
        LOG.warning("%s actions confirmed; %s", confirmed, servers.done)
    finally:
        await services.store.close()

"""Server load: ``python -m bench.server_load --tables 500 --seconds 30``.

The server runs in a separate process; this one simulates four players at every table, who think as long as
bots do. It measures the time from a player's action until each of the four receives the update. With
``--owners N`` (and ``JANTAKU_DATABASE_URL`` of an empty PostgreSQL database) it starts a site: N processes
with tables, two gateways and NATS. ``--kill`` kills one of the N halfway and measures how long its tables are
unavailable. ``--from FOLDER`` starts the site with the code of another checkout and replaces the processes
one by one, as in a rolling upgrade.
"""

import argparse
import asyncio
import gc
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from jantaku.server.edge.connections import raise_file_limit
from jantaku.server.run import listen, load_compiled, server
from jantaku.server.settings import RATES, Limits, Settings, without

THINKING_S = (0.4, 1.2)  # the same delay as the server's bots
PARALLEL_SETUPS = 16
PERCENTILES = (50, 90, 100)
SETTLE_S = 5.0  # warm-up before the measurement
LOST_S = 10.0  # longer than any pause of a game
LIMITS = without(Limits(), *RATES, "_of_address", "_of_one", "tables")


@dataclass
class Measured:
    """Measurements: seconds from actions to updates, counts, and interruptions."""

    delays: list[float] = field(default_factory=list)
    actions: int = 0
    messages: int = 0
    refused: int = 0
    measuring: bool = False
    last_update: dict[str, float] = field(default_factory=dict)  # time of each table's last update
    longest: dict[str, float] = field(default_factory=dict)  # longest interval between its updates
    fault: float = 0.0  # time at which a process was killed
    recovery: list[float] = field(default_factory=list)  # seconds from then until a seat's next update


def serve(folder: str, port: int, role: str = "all") -> None:
    """Run the server with its default pauses and without limits per address."""
    url, nats = (os.environ.get(name, "") for name in ("JANTAKU_DATABASE_URL", "JANTAKU_NATS"))
    load_compiled()
    settings = Settings(Path(folder), database_url=url, limits=LIMITS, role=role, nats=nats)
    server(settings, listen("127.0.0.1", port), lambda: None).run()


class Running(NamedTuple):
    """A server, its port and its role."""

    process: "subprocess.Popen[bytes]"
    port: int
    role: str

    @property
    def url(self) -> str:
        """Base URL of the server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int | None:
        """Process id; ``None`` if the process has ended."""
        return self.process.pid if self.process.poll() is None else None


@dataclass
class Site:
    """The gateways and the processes with tables (owners); a single server is an owner without gateways.

    ``before`` is the checkout whose code the servers run before the upgrade, empty for the current checkout.
    """

    folder: str
    nats: str = ""
    before: str = ""
    gateways: list[Running] = field(default_factory=list)
    owners: list[Running] = field(default_factory=list)

    def start(self, port: int, role: str) -> Running:
        """Start a server and return it when it responds."""
        command = [sys.executable, "-m", "bench.server_load", "--serve", self.folder, "--port", str(port)]
        code = self.before or str(Path(__file__).parents[1])
        own = {"PYTHONPATH": os.pathsep.join([f"{code}/src", code]), "JANTAKU_NATS": self.nats}
        command += ["--role", role]
        running = Running(subprocess.Popen(command, env=os.environ | own, cwd=code), port, role)
        wait_for(running.url)
        return running

    def url_of(self, number: int) -> str:
        """Return the URL by which player ``number`` connects."""
        entries = self.gateways or self.owners
        return entries[number % len(entries)].url

    def used(self) -> list[float]:
        """Return the CPU seconds of the gateways and of the owners."""
        return [
            sum(cpu_seconds(process.pid) for process in group if process.pid)
            for group in (self.gateways, self.owners)
        ]

    def resident(self) -> float:
        """Return the memory of all processes in MiB."""
        return sum(resident(process.pid) for process in (*self.gateways, *self.owners) if process.pid)

    async def upgrade(self) -> None:
        """Restart the servers one by one with the code of the current checkout."""
        self.before = ""
        for group in (self.owners, self.gateways):
            for index, old in enumerate(group):
                old.process.terminate()
                await asyncio.to_thread(old.process.wait)
                group[index] = await asyncio.to_thread(self.start, old.port, old.role)
                await asyncio.sleep(SETTLE_S)


def resident(pid: int) -> float:
    """Return the resident memory of a process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds used by a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def accepted(http: httpx.AsyncClient, path: str, **body: Any) -> Any:
    """Post a request that must succeed; exit otherwise, since a rejected request would distort the result."""
    answer = await http.post(path, json=body)
    if answer.status_code != 200:
        raise SystemExit(f"{path} was refused with {answer.status_code}: {answer.text}")
    return answer.json()


async def table_of_four(site: Site, number: int, gate: asyncio.Semaphore) -> tuple[str, list[str]]:
    """Seat four guests at a new table; return its id and their cookies."""
    async with gate:
        cookies, table = [], ""
        for seat in range(4):
            url = site.url_of(number + seat)
            async with httpx.AsyncClient(base_url=url, timeout=60, verify=False) as http:
                await accepted(http, "/api/guest", name=f"P{seat}")
                if seat == 0:
                    options = {"clock": False, "draw_seats": False, "private": True}
                    table = (await accepted(http, "/api/tables", options=options))["id"]
                else:
                    await accepted(http, f"/api/tables/{table}/join")
                cookies.append("; ".join(f"{name}={value}" for name, value in http.cookies.items()))
        return table, cookies


class Seat:
    """One player: reads messages, makes decisions, and records how long updates took."""

    def __init__(
        self, site: Site, table: str, cookie: str, sent: dict[int, float], measured: Measured
    ) -> None:
        self.site, self.table, self.cookie = site, table, cookie
        self.sent = sent  # shared by the table: when each request was answered, by request number
        self.measured = measured
        self.answering: set[asyncio.Task[None]] = set()
        self.last: tuple[int, int] | None = None
        self.socket: ClientConnection | None = None
        self.lost = False

    async def open(self, number: int) -> None:
        """Connect through the gateway of this number."""
        address = f"{self.site.url_of(number).replace('http', 'ws', 1)}/ws/tables/{self.table}"
        headers = {"Cookie": self.cookie}
        self.socket = await connect(address, additional_headers=headers, compression=None, ping_interval=None)
        known = {} if self.last is None else {"game": self.last[0], "last": self.last[1]}
        await self.socket.send(json.dumps({"type": "hello", "version": 1} | known))

    async def run(self, number: int) -> None:
        """Play, and reconnect when the socket closes, as a browser does."""
        tries = 0
        while True:
            try:
                if self.socket is None:
                    await self.open(number + tries)
                await self.play()
            except (OSError, TimeoutError, WebSocketException):
                pass
            self.socket, self.lost, tries = None, True, tries + 1
            await asyncio.sleep(0.3)

    async def play(self) -> None:
        """Play until the socket closes."""
        assert self.socket is not None
        async for text in self.socket:
            message = json.loads(text)
            kind = message["type"]
            if kind in ("update", "sync"):
                self.note(message)
                own = message["own"]
                if own and own["ask"] is not None:
                    task = asyncio.create_task(self.answer(message["game"], own))
                    self.answering.add(task)
                    task.add_done_callback(self.answering.discard)
            elif kind == "pause":
                await self.socket.send('{"type":"ready","id":"r"}')
            elif kind == "error":
                self.measured.refused += 1

    def note(self, message: dict[str, Any]) -> None:
        """Record the time between the actions that an update reports and its arrival."""
        now, last_update = time.perf_counter(), self.measured.last_update
        silent = now - last_update.get(self.table, now)
        if message["seq"] > (self.last or (0, 0))[1]:
            last_update[self.table] = now
            self.measured.longest[self.table] = max(silent, self.measured.longest.get(self.table, 0.0))
        self.last = message["game"], message["seq"]
        if self.lost and self.measured.fault:
            self.lost = False
            self.measured.recovery.append(now - self.measured.fault)
        if not self.measured.measuring:
            return
        self.measured.messages += 1
        for number in range(message["seq"] - len(message["events"]), message["seq"]):
            if number in self.sent:
                self.measured.delays.append(now - self.sent[number])

    async def answer(self, game: int, own: dict[str, Any]) -> None:
        """Think, then win if possible, otherwise pass or discard the drawn tile."""
        legal = own["legal"]
        wins = [action for action in legal if action["type"] in ("tsumo", "ron")]
        passes = [action for action in legal if action["type"] == "pass"]
        action = (wins or passes or legal[-1:])[0]
        if action["type"] != "pass":
            await asyncio.sleep(random.uniform(*THINKING_S))
            self.sent[own["ask"]] = time.perf_counter()
            self.measured.actions += self.measured.measuring
        reply = {"type": "act", "id": str(own["ask"]), "game": game, "ask": own["ask"], "action": action}
        with suppress(ConnectionClosed):
            if self.socket is not None:
                await self.socket.send(json.dumps(reply))


async def sit_down(
    site: Site, tables: list[tuple[str, list[str]]], measured: Measured
) -> list[asyncio.Task[None]]:
    """Connect every seat and start the games."""
    tasks = []
    for number, (table, cookies) in enumerate(tables):
        sent: dict[int, float] = {}
        for seat, cookie in enumerate(cookies):
            player = Seat(site, table, cookie, sent, measured)
            await player.open(number + seat)
            tasks.append(asyncio.create_task(player.run(number + seat)))
        async with httpx.AsyncClient(
            base_url=site.url_of(number), timeout=60, verify=False, headers={"Cookie": cookies[0]}
        ) as http:
            await accepted(http, f"/api/tables/{table}/start")
    return tasks


async def measure(site: Site, number: int, seconds: float, *, kill: bool) -> None:
    """Set up the tables, play, and print the results."""
    measured, empty = Measured(), site.resident()
    gate = asyncio.Semaphore(PARALLEL_SETUPS)
    tables = await asyncio.gather(*(table_of_four(site, index, gate) for index in range(number)))
    tasks = await sit_down(site, list(tables), measured)
    await asyncio.sleep(min(SETTLE_S, seconds))
    used, measured.measuring, began = site.used(), True, time.perf_counter()
    measured.longest.clear()
    if kill:
        site.owners[-1].process.kill()
        measured.fault = time.perf_counter()
    if site.before:
        await site.upgrade()
    await asyncio.sleep(seconds)
    measured.measuring, took = False, time.perf_counter() - began
    shares = [(after - before) / took for after, before in zip(site.used(), used, strict=True)]
    full = site.resident()
    for task in tasks:
        task.cancel()
    report(measured, number, took, shares, (full - empty) / number)
    if kill:
        print(f"seconds until a disconnected seat got an update again: {spread(measured.recovery)}")
    print(f"longest interval between updates of a table, in seconds: {spread(measured.longest.values())}")
    silent = sum(began + took - updated > LOST_S for updated in measured.last_update.values())
    print(f"{number - len(measured.last_update) + silent} tables were silent at the end")


def spread(values: Iterable[float]) -> str:
    """Format the ``PERCENTILES`` of some values."""
    ordered = sorted(values) or [math.nan]
    return ", ".join(f"p{p:g} {ordered[int((len(ordered) - 1) * p / 100)]:.1f}" for p in PERCENTILES)


def report(measured: Measured, number: int, took: float, cpu: list[float], memory: float) -> None:
    """Print a row of the table in docs/performance.md."""
    delays = sorted(measured.delays)
    if not delays:
        raise SystemExit("no player acted")
    shares = [delays[min(len(delays) - 1, int(len(delays) * share))] * 1000 for share in (0.5, 0.95, 0.99)]
    print(
        "| tables | sockets | actions/s | updates/s | p50 ms | p95 ms | p99 ms | worst | CPU "
        "| KiB per table |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    print(
        f"| {number} | {4 * number} | {measured.actions / took:.0f} | {measured.messages / took:.0f} | "
        f"{shares[0]:.1f} | {shares[1]:.1f} | {shares[2]:.1f} | {delays[-1] * 1000:.0f} | "
        f"{' + '.join(f'{share:.0%}' for share in cpu if share)} | "
        f"{memory * 1024:.0f} |"
    )
    if measured.refused:
        print(f"{measured.refused} messages refused")


def wait_for(url: str) -> None:
    """Wait until the server responds; exit if it does not within minutes."""
    for _ in range(3000):  # compiling may take minutes
        try:
            if httpx.get(f"{url}/api/health").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise SystemExit("the server does not respond")


@contextmanager
def served(folder: str, port: int, owners: int, before: str) -> Iterator[Site]:
    """Run one server, or with ``owners`` a site of two gateways and that many processes with tables."""
    site = Site(folder, f"nats://127.0.0.1:{port + 100}" if owners else "", before)
    nats: subprocess.Popen[bytes] | None = None
    try:
        if not owners:
            site.owners.append(site.start(port, "all"))
            yield site
            return
        nats = subprocess.Popen(["nats-server", "-a", "127.0.0.1", "-p", str(port + 100)])
        time.sleep(1)
        site.owners += [site.start(port + 2 + number, "tables") for number in range(owners)]
        site.gateways += [site.start(port + number, "gateway") for number in range(2)]
        time.sleep(2)  # until all processes have discovered each other
        yield site
    finally:
        for process in (*site.owners, *site.gateways):
            process.process.kill()
        if nats is not None:
            nats.kill()


def main() -> None:
    """Parse the arguments, start the server, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--owners", type=int, default=0)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--from", dest="before", metavar="FOLDER", default="")
    parser.add_argument("--serve", metavar="FOLDER", help="run the server (used by the script itself)")
    parser.add_argument("--role", default="all")
    given = parser.parse_args()
    raise_file_limit()
    if given.serve:
        serve(given.serve, given.port, given.role)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        served(folder, given.port, given.owners, given.before) as site,
    ):
        gc.disable()  # garbage-collection pauses here would be attributed to the server
        uvloop.run(measure(site, given.tables, given.seconds, kill=given.kill))


if __name__ == "__main__":
    main()

"""Load on the parlour: ``python -m bench.server_load --tables 500 --seconds 30``.

A server in a process of its own, and here four people at every table, who think as long as bots do. What is
measured is the time from a person's action to the moment each of the four has its update. With ``--owners N``
(and ``JANTAKU_DATABASE_URL`` of an empty PostgreSQL database) it is a site: N processes with tables, two
gateways and NATS. ``--kill`` kills one of the former in the middle and measures how long its tables are gone.
``--from FOLDER`` starts the site with the code of another checkout and then replaces one process after the
other, as in a rolling upgrade.
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

THINKS = (0.4, 1.2)  # seconds, as the server's bots
AT_ONCE = 16
SHARES = (50, 90, 100)
SETTLE_S = 5.0  # before anything is measured
LOST_S = 10.0  # no pause of a game is as long
LIMITS = without(Limits(), *RATES, "_of_address", "_of_one", "tables")


@dataclass
class Measured:
    """What came of it: seconds from actions to updates, and what the server used."""

    delays: list[float] = field(default_factory=list)
    actions: int = 0
    messages: int = 0
    late: int = 0
    measuring: bool = False
    told: dict[str, float] = field(default_factory=dict)  # when each table was heard of last
    longest: dict[str, float] = field(default_factory=dict)  # how long it was silent at most
    fault: float = 0.0  # when a process was killed
    back: list[float] = field(default_factory=list)  # how long after that lost seats were told of their game


def serve(folder: str, port: int, role: str = "all") -> None:
    """The server, with its usual pauses and without limits on one address."""
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
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int | None:
        """Its process, while it lives."""
        return self.process.pid if self.process.poll() is None else None


@dataclass
class Site:
    """The servers that people come by, and those with tables; where there is one, it is both.

    ``before`` is the folder of the code with which servers are started at first, if it is not this code.
    """

    folder: str
    nats: str = ""
    before: str = ""
    gateways: list[Running] = field(default_factory=list)
    owners: list[Running] = field(default_factory=list)

    def start(self, port: int, role: str) -> Running:
        """Another server, once it answers."""
        command = [sys.executable, "-m", "bench.server_load", "--serve", self.folder, "--port", str(port)]
        code = self.before or str(Path(__file__).parents[1])
        own = {"PYTHONPATH": os.pathsep.join([f"{code}/src", code]), "JANTAKU_NATS": self.nats}
        command += ["--role", role]
        running = Running(subprocess.Popen(command, env=os.environ | own, cwd=code), port, role)
        wait_for(running.url)
        return running

    def url_of(self, number: int) -> str:
        """By which one somebody comes."""
        entries = self.gateways or self.owners
        return entries[number % len(entries)].url

    def used(self) -> list[float]:
        """Processor time of the gateways, and of the processes with tables."""
        return [
            sum(cpu_seconds(process.pid) for process in some if process.pid)
            for some in (self.gateways, self.owners)
        ]

    def resident(self) -> float:
        """Memory of all in MiB."""
        return sum(resident(process.pid) for process in (*self.gateways, *self.owners) if process.pid)

    async def upgrade(self) -> None:
        """End one server after the other, and start it with this code."""
        self.before = ""
        for some in (self.owners, self.gateways):
            for index, old in enumerate(some):
                old.process.terminate()
                await asyncio.to_thread(old.process.wait)
                some[index] = await asyncio.to_thread(self.start, old.port, old.role)
                await asyncio.sleep(SETTLE_S)


def resident(pid: int) -> float:
    """Memory of a process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def cpu_seconds(pid: int) -> float:
    """Processor time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def accepted(http: httpx.AsyncClient, path: str, **body: Any) -> Any:
    """Post something that the server must take: a limit that refuses it would be measured instead."""
    answer = await http.post(path, json=body)
    if answer.status_code != 200:
        raise SystemExit(f"{path} is refused with {answer.status_code}: {answer.text}")
    return answer.json()


async def table_of_four(site: Site, number: int, gate: asyncio.Semaphore) -> tuple[str, list[str]]:
    """Four guests at one table; its id and their cookies."""
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
    """One person: reads what comes, answers what is asked, notes how long updates took."""

    def __init__(
        self, site: Site, table: str, cookie: str, sent: dict[int, float], measured: Measured
    ) -> None:
        self.site, self.table, self.cookie = site, table, cookie
        self.sent = sent  # of this table: question: when it was answered
        self.measured = measured
        self.answering: set[asyncio.Task[None]] = set()
        self.last: tuple[int, int] | None = None
        self.socket: ClientConnection | None = None
        self.lost = False

    async def open(self, number: int) -> None:
        """Connect, by one gateway or the other."""
        address = f"{self.site.url_of(number).replace('http', 'ws', 1)}/ws/tables/{self.table}"
        headers = {"Cookie": self.cookie}
        self.socket = await connect(address, additional_headers=headers, compression=None, ping_interval=None)
        known = {} if self.last is None else {"game": self.last[0], "last": self.last[1]}
        await self.socket.send(json.dumps({"type": "hello", "version": 1} | known))

    async def run(self, number: int) -> None:
        """Play; connect again when the socket is closed, as a browser does."""
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
        """Play until the socket is closed."""
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
                self.measured.late += 1

    def note(self, message: dict[str, Any]) -> None:
        """How long ago the action happened that this update tells of."""
        now, heard = time.perf_counter(), self.measured.told
        silent = now - heard.get(self.table, now)
        if message["seq"] > (self.last or (0, 0))[1]:
            heard[self.table] = now
            self.measured.longest[self.table] = max(silent, self.measured.longest.get(self.table, 0.0))
        self.last = message["game"], message["seq"]
        if self.lost and self.measured.fault:
            self.lost = False
            self.measured.back.append(now - self.measured.fault)
        if not self.measured.measuring:
            return
        self.measured.messages += 1
        for number in range(message["seq"] - len(message["events"]), message["seq"]):
            if number in self.sent:
                self.measured.delays.append(now - self.sent[number])

    async def answer(self, game: int, own: dict[str, Any]) -> None:
        """Think, then pass or discard what was drawn; win where that is possible, so that hands end."""
        legal = own["legal"]
        wins = [action for action in legal if action["type"] in ("tsumo", "ron")]
        passes = [action for action in legal if action["type"] == "pass"]
        action = (wins or passes or legal[-1:])[0]
        if action["type"] != "pass":
            await asyncio.sleep(random.uniform(*THINKS))
            self.sent[own["ask"]] = time.perf_counter()
            self.measured.actions += self.measured.measuring
        said = {"type": "act", "id": str(own["ask"]), "game": game, "ask": own["ask"], "action": action}
        with suppress(ConnectionClosed):
            if self.socket is not None:
                await self.socket.send(json.dumps(said))


async def sit_down(
    site: Site, tables: list[tuple[str, list[str]]], measured: Measured
) -> list[asyncio.Task[None]]:
    """A socket for every seat."""
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
    """Set up the tables, play, print."""
    measured, empty = Measured(), site.resident()
    gate = asyncio.Semaphore(AT_ONCE)
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
        print(f"a lost seat was told of its game again after, in s: {spread(measured.back)}")
    print(f"longest silence of a table, in s: {spread(measured.longest.values())}")
    silent = sum(began + took - told > LOST_S for told in measured.told.values())
    print(f"{number - len(measured.told) + silent} tables were silent at the end")


def spread(values: Iterable[float]) -> str:
    """The median of some values, and the largest."""
    ordered = sorted(values) or [math.nan]
    return ", ".join(f"p{share:g} {ordered[int((len(ordered) - 1) * share / 100)]:.1f}" for share in SHARES)


def report(measured: Measured, number: int, took: float, cpu: list[float], memory: float) -> None:
    """One row of the table in the documents."""
    delays = sorted(measured.delays)
    if not delays:
        raise SystemExit("nobody acted")
    shares = [delays[min(len(delays) - 1, int(len(delays) * share))] * 1000 for share in (0.5, 0.95, 0.99)]
    print(
        "| tables | sockets | actions/s | updates/s | p50 ms | p95 ms | p99 ms | worst | CPU | KiB a table |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    print(
        f"| {number} | {4 * number} | {measured.actions / took:.0f} | {measured.messages / took:.0f} | "
        f"{shares[0]:.1f} | {shares[1]:.1f} | {shares[2]:.1f} | {delays[-1] * 1000:.0f} | "
        f"{' + '.join(f'{share:.0%}' for share in cpu if share)} | "
        f"{memory * 1024:.0f} |"
    )
    if measured.late:
        print(f"{measured.late} messages refused")


def wait_for(url: str) -> None:
    """Until the server answers."""
    for _ in range(3000):  # compiling may take minutes
        try:
            if httpx.get(f"{url}/api/health").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise SystemExit("the server does not answer")


@contextmanager
def served(folder: str, port: int, owners: int, before: str) -> Iterator[Site]:
    """One server, or a site of two gateways and so many processes with tables."""
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
        time.sleep(2)  # until all know each other
        yield site
    finally:
        for process in (*site.owners, *site.gateways):
            process.process.kill()
        if nats is not None:
            nats.kill()


def main() -> None:
    """Read the arguments, start the server, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--owners", type=int, default=0)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--from", dest="before", metavar="FOLDER", default="")
    parser.add_argument("--serve", metavar="FOLDER", help="be the server (used by the script itself)")
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
        gc.disable()  # its pauses would be counted as the server's
        uvloop.run(measure(site, given.tables, given.seconds, kill=given.kill))


if __name__ == "__main__":
    main()

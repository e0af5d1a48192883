"""Load on the parlour: ``python -m bench.load --tables 500 --seconds 30``.

A server in a process of its own, and here four people at every table, who think as long as bots do. What is
measured is the time from a person's action to the moment each of the four has its update.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from jantaku.server.edge.idle_connections import more_files
from jantaku.server.run import listen, load_compiled, server
from jantaku.server.settings import RATES, Limits, Settings, without

THINKS = (0.4, 1.2)  # seconds, as the server's bots
AT_ONCE = 16
SETTLE_S = 5.0  # before anything is measured
LIMITS = without(Limits(), *RATES, "_of_address", "_of_one", "tables")


@dataclass
class Measured:
    """What came of it: seconds from actions to updates, and what the server used."""

    delays: list[float] = field(default_factory=list)
    actions: int = 0
    messages: int = 0
    late: int = 0
    measuring: bool = False


def serve(folder: str, port: int) -> None:
    """The server, with its usual pauses and without limits on one address."""
    url = os.environ.get("JANTAKU_DATABASE_URL", "")
    load_compiled()
    settings = Settings(Path(folder), database_url=url, limits=LIMITS)
    server(settings, listen("127.0.0.1", port), lambda: None).run()


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


async def table_of_four(url: str, gate: asyncio.Semaphore) -> tuple[str, list[str]]:
    """Four guests at one table; its id and their cookies."""
    async with gate:
        cookies, table = [], ""
        for seat in range(4):
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

    def __init__(self, socket: ClientConnection, sent: dict[int, float], measured: Measured) -> None:
        self.socket = socket
        self.sent = sent  # of this table: question: when it was answered
        self.measured = measured
        self.answering: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Play until the socket is closed."""
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
        if not self.measured.measuring:
            return
        now = time.perf_counter()
        self.measured.messages += 1
        for place in range(message["seq"] - len(message["events"]), message["seq"]):
            if place in self.sent:
                self.measured.delays.append(now - self.sent[place])

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
            await self.socket.send(json.dumps(said))


async def sit_down(
    url: str, tables: list[tuple[str, list[str]]], measured: Measured
) -> list[asyncio.Task[None]]:
    """A socket for every seat."""
    tasks = []
    for table, cookies in tables:
        sent: dict[int, float] = {}
        for cookie in cookies:
            address = f"{url.replace('http', 'ws', 1)}/ws/tables/{table}"
            headers = {"Cookie": cookie}
            socket = await connect(address, additional_headers=headers, compression=None, ping_interval=None)
            await socket.send('{"type":"hello","version":1}')
            tasks.append(asyncio.create_task(Seat(socket, sent, measured).run()))
        async with httpx.AsyncClient(
            base_url=url, timeout=60, verify=False, headers={"Cookie": cookies[0]}
        ) as http:
            await accepted(http, f"/api/tables/{table}/start")
    return tasks


async def measure(url: str, pid: int, number: int, seconds: float) -> None:
    """Set up the tables, play, print."""
    measured, empty = Measured(), resident(pid)
    gate = asyncio.Semaphore(AT_ONCE)
    tables = await asyncio.gather(*(table_of_four(url, gate) for _ in range(number)))
    tasks = await sit_down(url, list(tables), measured)
    await asyncio.sleep(min(SETTLE_S, seconds))
    used, measured.measuring, began = cpu_seconds(pid), True, time.perf_counter()
    await asyncio.sleep(seconds)
    measured.measuring, took = False, time.perf_counter() - began
    used, full = cpu_seconds(pid) - used, resident(pid)
    for task in tasks:
        task.cancel()
    report(measured, number, took, used / took, (full - empty) / number)


def report(measured: Measured, number: int, took: float, cpu: float, memory: float) -> None:
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
        f"{shares[0]:.1f} | {shares[1]:.1f} | {shares[2]:.1f} | {delays[-1] * 1000:.0f} | {cpu:.0%} | "
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


def main() -> None:
    """Read the arguments, start the server, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--serve", metavar="FOLDER", help="be the server (used by the script itself)")
    given = parser.parse_args()
    more_files()
    if given.serve:
        serve(given.serve, given.port)
        return
    url = f"http://127.0.0.1:{given.port}"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bench.load", "--serve", folder, "--port", str(given.port)]
        with subprocess.Popen(command) as process:
            try:
                wait_for(url)
                gc.disable()  # its pauses would be counted as the server's
                uvloop.run(measure(url, process.pid, given.tables, given.seconds))
            finally:
                process.kill()


if __name__ == "__main__":
    main()

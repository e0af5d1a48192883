"""Servers for the fault run, whose processes are killed, suspended, stopped and replaced at random."""

import asyncio
import math
import os
import random
import signal
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen

import httpx

from jantaku.server.settings import Settings
from server.parlour import Process, fast_settings, free_port, port_in_use
from server.postgres_cluster import Cluster
from server.sites import Site

BEFORE = os.environ.get("JANTAKU_FAULT_FROM", "")
GATEWAYS, OWNERS = 2, 3


class Servers(ABC):
    """The servers that people play on, and the faults injected into them."""

    settings: Settings

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.running: list[Process] = []
        self.done: list[str] = []
        self._ends = math.inf

    @abstractmethod
    async def begin(self) -> None:
        """Start all servers."""

    @abstractmethod
    async def ready(self) -> str:
        """Wait until a server is ready; return its address."""

    async def any_url(self) -> str:
        """Return an address that a browser may try to connect to."""
        return await self.ready()

    @abstractmethod
    async def fail(self) -> None:
        """Inject one fault, then bring the number of servers back up."""

    def close(self) -> None:
        """Kill all servers."""
        for server in self.running:
            server.process.send_signal(signal.SIGCONT)
            server.kill()

    async def first_ready(self, among: Sequence[Process]) -> str:
        """Return the address of the first server that reports being ready."""
        async with httpx.AsyncClient(timeout=2, verify=False) as http:
            while True:
                for server in list(among):
                    with suppress(httpx.HTTPError):
                        if (await http.get(f"{server.url}/api/ready")).status_code == 200:
                            return server.url
                await asyncio.sleep(0.2)

    async def stop(self, process: Popen[bytes], what: str) -> str:
        """Suspend a process until its lease may have expired, then resume it next to its replacement."""
        process.send_signal(signal.SIGSTOP)
        seconds = self.chance.choice([0.5, 2.0, 6.0, 10.0])
        await asyncio.sleep(seconds)
        process.send_signal(signal.SIGCONT)
        await asyncio.sleep(2)
        return f"{what} stopped for {seconds} s"

    def fail_for(self, seconds: float) -> None:
        """Inject faults for this many seconds."""
        self._ends = asyncio.get_running_loop().time() + seconds

    @property
    def over(self) -> bool:
        """Whether no more faults will be injected."""
        return asyncio.get_running_loop().time() >= self._ends

    async def restart_database(self, cluster: Cluster) -> str:
        """Stop PostgreSQL immediately and start it again."""
        seconds = self.chance.choice([0.1, 4.0])
        await asyncio.to_thread(cluster.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(cluster.start)
        return f"the database gone for {seconds} s"


class StandingBy(Servers):
    """An active server and a standby server; a fault hits one of them."""

    def __init__(self, folder: Path, cluster: Cluster, chance: random.Random) -> None:
        super().__init__(chance)
        self._folder, self._cluster = folder, cluster
        self._url = cluster.new_database(f"faults{os.getpid()}")
        self.settings = fast_settings(folder, database_url=self._url)

    async def begin(self) -> None:
        await self._add()
        await self.ready()
        await self._add()

    async def _add(self) -> None:
        """Start another standby; return once it is ready to take over."""
        port = free_port()
        process = Process(self._folder, port, "standby=1", f"database_url={self._url}")
        self.running.append(process)
        while not port_in_use(port):
            await asyncio.sleep(0.1)

    async def ready(self) -> str:
        return await self.first_ready(self.running)

    async def fail(self) -> None:
        url = await self.ready()
        active = next(server for server in self.running if server.url == url)
        faults = (self._kill, self._end, self._stop, self._without_database)
        self.done.append(await self.chance.choice(faults)(active))

    async def _kill(self, process: Process) -> str:
        process.kill()
        self.running.remove(process)
        await self._add()
        return "killed"

    async def _end(self, process: Process) -> str:
        process.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.process.wait)
        self.running.remove(process)
        await self._add()
        return "ended"

    async def _stop(self, process: Process) -> str:
        return await self.stop(process.process, "a server")

    async def _without_database(self, _: Process) -> str:
        return await self.restart_database(self._cluster)


class WholeSite(Servers):
    """Two gateways and three table processes with NATS and PostgreSQL, any of which may fail."""

    def __init__(self, folder: Path, cluster: Cluster, chance: random.Random) -> None:
        super().__init__(chance)
        self._site, self._cluster = Site(folder, cluster, f"sites{os.getpid()}"), cluster
        self.settings = fast_settings(folder, database_url=self._site.database)

    async def begin(self) -> None:
        await asyncio.to_thread(self._site.begin, GATEWAYS, OWNERS)

    async def ready(self) -> str:
        return await self.first_ready(self._site.gateways)

    async def any_url(self) -> str:
        return random.choice(self._site.gateways or self._site.owners).url

    async def fail(self) -> None:
        server = self.chance.choice([*self._site.gateways, *self._site.owners])
        role = "gateway" if server in self._site.gateways else "tables"
        faults = (self._kill, self._kill, self._end, self._stop, self._without_nats, self._without_database)
        self.done.append(await self.chance.choice(faults)(server, role))

    async def _replace(self, process: Process, role: str) -> None:
        (self._site.gateways if role == "gateway" else self._site.owners).remove(process)
        await self.first_ready([self._site.add(role)])

    async def _kill(self, process: Process, role: str) -> str:
        process.kill()
        await self._replace(process, role)
        return f"{role} killed"

    async def _end(self, process: Process, role: str) -> str:
        process.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.process.wait)
        await self._replace(process, role)
        return f"{role} ended"

    async def _stop(self, process: Process, role: str) -> str:
        return await self.stop(process.process, role)

    async def _without_nats(self, *_: object) -> str:
        """Suspend NATS so that no link works, or restart it."""
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
    """A site whose processes from the earlier version are replaced one by one.

    Before an old process is stopped, a process of this version is started.
    """

    def __init__(self, folder: Path, cluster: Cluster, chance: random.Random) -> None:
        super().__init__(folder, cluster, chance)
        self._old: list[tuple[Process, str]] = []

    async def begin(self) -> None:
        self._site.code = BEFORE
        await super().begin()
        self._site.code = ""
        self._old = [(owner, "tables") for owner in self._site.owners]
        self._old += [(gateway, "gateway") for gateway in self._site.gateways]

    @property
    def over(self) -> bool:
        return not self._old

    async def fail(self) -> None:
        server, role = self._old.pop(0)
        await self.first_ready([self._site.add(role)])
        server.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(server.process.wait)
        (self._site.gateways if role == "gateway" else self._site.owners).remove(server)
        self.done.append(f"{role} replaced")

"""A site of several processes: gateways and processes with tables, NATS between them, one PostgreSQL."""

import atexit
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from jantaku.server.settings import Settings
from server.databases import SITES
from server.parlour import SITE, WAIT_S, Process, free_port, in_a_thread, listens
from server.postgres_cluster import Cluster, demand_postgres

# Processes of a site tell each other of what limits count four times a second
of_one_process = pytest.mark.skipif(SITE in os.environ, reason="about one process, its file and limits")


class NatsServer:
    """A NATS server of one's own, which can be stopped and started again."""

    def __init__(self) -> None:
        if shutil.which("nats-server") is None:
            pytest.skip("NATS is not installed")
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it; back when it listens."""
        command = ["nats-server", "-a", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.process.poll() is None and not listens(self.port):
            time.sleep(0.02)
        assert self.process.poll() is None, "NATS did not start"

    def stop(self) -> None:
        """Kill it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


class Site:
    """Processes of one site by their roles."""

    def __init__(self, folder: Path, cluster: Cluster, name: str, *options: str) -> None:
        self.nats = NatsServer()
        self.database = cluster.new_database(name)
        self._folder, self._options = folder, options
        self.code = ""  # the folder of the code of processes that are added, if it is not this one
        self.gateways: list[Process] = []
        self.owners: list[Process] = []

    def add(self, role: str, *options: str) -> Process:
        """Another process."""
        given = [f"database_url={self.database}", f"nats={self.nats.url}", f"role={role}"]
        code = {"PYTHONPATH": f"{self.code}/src{os.pathsep}{self.code}/tests"} if self.code else {}
        process = Process(self._folder, free_port(), *given, *self._options, *options, **code)
        (self.gateways if role == "gateway" else self.owners).append(process)
        return process

    def begin(self, gateways: int, owners: int) -> None:
        """Start so many of each; back when people can open tables."""
        for role, number in (("tables", owners), ("gateway", gateways)):
            for _ in range(number):
                self.add(role).wait()
        for gateway in self.gateways:
            self.knows(gateway, gateways + owners)

    @staticmethod
    def knows(process: Process, number: int) -> None:
        """Wait until a process knows of so many."""
        ends = time.monotonic() + WAIT_S
        while httpx.get(f"{process.url}/api/ready").json().get("processes") != number:
            assert time.monotonic() < ends
            time.sleep(0.05)

    def close(self) -> None:
        """End everything."""
        for server in (*self.gateways, *self.owners):
            server.process.send_signal(18)  # SIGCONT
            server.kill()
        self.nats.stop()


def tables_at(process: Process) -> int:
    """How many tables a process has."""
    return int(httpx.get(f"{process.url}/api/health").json()["tables"])


def owner_of(site: Site) -> Process:
    """The process with the only table of a site."""
    return next(owner for owner in site.owners if tables_at(owner))


@cache
def _cluster() -> Cluster:
    """PostgreSQL for all sites in threads of this process of tests."""
    demand_postgres()
    folder = Path("/tmp") / f"jantaku-pg-{uuid4().hex}"
    folder.mkdir()
    folder.chmod(0o777)
    cluster = Cluster(folder)
    cluster.start()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(cluster.stop)
    return cluster


def database_of(folder: Path) -> str:
    """The database of the site whose server would have a file in this folder."""
    if folder not in SITES:
        SITES[folder] = _cluster().new_database(f"s{uuid4().hex}")
    return SITES[folder]


@contextmanager
def site_in_threads(settings: Settings, in_loop: Callable[[], None], port: int) -> Iterator[str]:
    """Two gateways and a process with tables in threads, with a database and a NATS server of their own.

    Both gateways listen on the same port, so that each connection comes to one or the other.
    """
    nats = NatsServer()
    try:
        both = replace(settings, nats=nats.url)
        tables, gateway = replace(both, role="tables"), replace(both, role="gateway", metrics_port=0)
        port = port or free_port()
        first, second = (in_a_thread(gateway, port=port, shared=True) for _ in range(2))
        with in_a_thread(tables, in_loop), first as url, second:
            yield url
    finally:
        nats.stop()

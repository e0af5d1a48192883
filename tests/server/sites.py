"""A site of several processes: gateways and table processes with NATS and a PostgreSQL database."""

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
from server.postgres_cluster import Cluster, require_postgres

# Processes of a site exchange usage counts only four times a second
of_one_process = pytest.mark.skipif(
    SITE in os.environ, reason="tests one process with its own file and limits"
)


class NatsServer:
    """A private NATS server that can be stopped and started again."""

    def __init__(self) -> None:
        if shutil.which("nats-server") is None:
            pytest.skip("NATS is not installed")
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start the server and wait until it listens."""
        command = ["nats-server", "-a", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.process.poll() is None and not listens(self.port):
            time.sleep(0.02)
        assert self.process.poll() is None, "NATS did not start"

    def stop(self) -> None:
        """Kill the server."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


class Site:
    """The processes of one site, grouped by role."""

    def __init__(self, folder: Path, cluster: Cluster, name: str, *options: str) -> None:
        self.nats = NatsServer()
        self.database = cluster.new_database(name)
        self._folder, self._options = folder, options
        self.code = ""  # source folder for new processes; empty for the current one
        self.gateways: list[Process] = []
        self.owners: list[Process] = []

    def add(self, role: str, *options: str) -> Process:
        """Start another process."""
        given = [f"database_url={self.database}", f"nats={self.nats.url}", f"role={role}"]
        code = {"PYTHONPATH": f"{self.code}/src{os.pathsep}{self.code}/tests"} if self.code else {}
        process = Process(self._folder, free_port(), *given, *self._options, *options, **code)
        (self.gateways if role == "gateway" else self.owners).append(process)
        return process

    def begin(self, gateways: int, owners: int) -> None:
        """Start processes of both roles; return as soon as people can create tables."""
        for role, number in (("tables", owners), ("gateway", gateways)):
            for _ in range(number):
                self.add(role).wait()
        for gateway in self.gateways:
            self.wait_for_peers(gateway, gateways + owners)

    @staticmethod
    def wait_for_peers(process: Process, number: int) -> None:
        """Wait until a process knows this many other processes."""
        ends = time.monotonic() + WAIT_S
        while httpx.get(f"{process.url}/api/ready").json().get("processes") != number:
            assert time.monotonic() < ends
            time.sleep(0.05)

    def close(self) -> None:
        """Kill all processes."""
        for server in (*self.gateways, *self.owners):
            server.process.send_signal(18)  # SIGCONT
            server.kill()
        self.nats.stop()


def tables_at(process: Process) -> int:
    """Return the number of tables held by a process."""
    return int(httpx.get(f"{process.url}/api/health").json()["tables"])


def owner_of(site: Site) -> Process:
    """Return the process that holds the only table of the site."""
    return next(owner for owner in site.owners if tables_at(owner))


@cache
def _cluster() -> Cluster:
    """Start PostgreSQL once for all sites that run in threads of this test process."""
    require_postgres()
    folder = Path("/tmp") / f"jantaku-pg-{uuid4().hex}"
    folder.mkdir()
    folder.chmod(0o777)
    cluster = Cluster(folder)
    cluster.start()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(cluster.stop)
    return cluster


def database_of(folder: Path) -> str:
    """Return the database URL of the site that uses this data folder."""
    if folder not in SITES:
        SITES[folder] = _cluster().new_database(f"s{uuid4().hex}")
    return SITES[folder]


@contextmanager
def site_in_threads(settings: Settings, in_loop: Callable[[], None], port: int) -> Iterator[str]:
    """Run two gateways and a table process in threads, with their own database and NATS server.

    Both gateways listen on the same port, so a connection may reach either of them.
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

"""A PostgreSQL server for tests, if it is installed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

POSTGRES = (
    sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:] if Path("/usr/lib/postgresql").is_dir() else []
)


def require_postgres() -> None:
    """Skip the test if PostgreSQL is not installed or cannot run."""
    if not POSTGRES:
        pytest.skip("PostgreSQL is not installed")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")


class Cluster:
    """A private PostgreSQL server on a Unix socket in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.url = f"postgresql://postgres@/postgres?host={folder}"
        self._as = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self._run("initdb", "-D", str(self.data), "-A", "trust", "-U", "postgres", "--no-sync")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as, str(POSTGRES[0] / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", options, "start")

    def new_database(self, name: str) -> str:
        """Create a database; return its URL."""
        self._run("createdb", "-h", str(self.folder), "-U", "postgres", name)
        return self.url.replace("/postgres?", f"/{name}?")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", "immediate", "stop")

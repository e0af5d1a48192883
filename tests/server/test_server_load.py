"""The command that measures the capacity of the parlour works, whatever one address may do otherwise."""

import subprocess
import sys
from pathlib import Path

import pytest

from server.parlour import free_port

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_tables_are_loaded_and_measured() -> None:
    command = [sys.executable, "-m", "bench.server_load", "--tables", "4", "--seconds", "3"]
    output = subprocess.run(
        [*command, "--port", str(free_port())], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert output.returncode == 0, output.stderr
    titles, _, row = (line.strip("| ").split(" | ") for line in output.stdout.splitlines()[:3])
    figures = dict(zip(titles, row, strict=True))
    assert (figures["tables"], figures["sockets"]) == ("4", "16")
    assert float(figures["updates/s"]) > float(figures["actions/s"]) > 0
    assert "refused" not in output.stdout

"""The command line as a process: full disks, closed streams and missing extras."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest


def test_a_full_disk_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        for arguments in (["rules", "list"], ["--help"], ["--version"]):
            command = [sys.executable, "-m", "jantaku", "--lang", "en", *arguments]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


@pytest.mark.parametrize("command", ["score --jsonl", "shanten --jsonl", "settle --jsonl"])
def test_closed_standard_input_is_refused(command: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m jantaku {command} <&-'],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


WITHOUT_EXTRAS: Final = """
import sys
missing = "altair gymnasium pettingzoo polars ray scipy typst vl_convert"
sys.modules.update(dict.fromkeys(missing.split()))
from jantaku.cli.app import COMMANDS, app
import jantaku.server.app
for command in COMMANDS:
    try: app([command, "--help"])
    except SystemExit as end: assert not end.code, command
app(["lab", "ask", "--set", "yaku.pinfu.closed=0"])
"""


def test_a_missing_extra_is_reported_when_needed() -> None:
    """The server and all help pages need no extras; an experiment checks for its extra before it plays."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "jantaku[lab]" in done.stderr
    assert done.stderr.count("\n") == 1

"""The command line as a process: what its streams and its installation may lack."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest


def test_a_full_disk_is_said_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        for arguments in (["rules", "list"], ["--help"], ["--version"]):
            command = [sys.executable, "-m", "jantaku", "--lang", "en", *arguments]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


@pytest.mark.parametrize("command", ["score --jsonl", "shanten --jsonl", "settle --jsonl"])
def test_requests_need_an_input(command: str) -> None:
    """A caller may close it."""
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


def test_the_extras_are_asked_for_when_they_are_needed() -> None:
    """The parlour and the help of every command need none; an experiment asks before it plays."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "jantaku[lab]" in done.stderr
    assert done.stderr.count("\n") == 1

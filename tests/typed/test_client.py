"""A client program passes a strict type check, and runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import jantaku
from typed.client import main

PROGRAM = Path(__file__).parent / "client.py"
# As for a user of the installed package, whose own code is not checked again
CONFIG = "[mypy]\nstrict = true\nwarn_unreachable = true\n[mypy-jantaku.*]\nfollow_imports = silent\n"


@pytest.mark.slow
def test_the_program_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    config, package = tmp_path / "mypy.ini", Path(jantaku.__file__).parent
    config.write_text(CONFIG, "utf-8")
    installed = package.parent.name == "site-packages"
    variables = {} if installed else {"MYPYPATH": str(package.parent)}
    command = [sys.executable, "-m", "mypy", "--config-file", str(config), "--no-incremental", str(PROGRAM)]
    checked = subprocess.run(command, capture_output=True, text=True, env=os.environ | variables, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_program_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = main(tmp_path)
    assert len(capsys.readouterr().out.splitlines()) >= lines

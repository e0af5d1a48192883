"""The client's own tests, run where its packages are installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
VITEST = WEB / "node_modules" / "vitest" / "vitest.mjs"
NODE = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="no Node found")
@pytest.mark.skipif(not VITEST.is_file(), reason="the client's packages are not installed: run make client")
def test_the_reducer_and_its_helpers() -> None:
    """Against games recorded just now, so that the client never lags behind the engine."""
    subprocess.run([sys.executable, str(WEB / "record.py")], check=True)
    ran = subprocess.run(
        [str(NODE), str(VITEST), "run"], cwd=WEB, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr

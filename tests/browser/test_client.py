"""The client's unit tests, if its packages are installed, and the size of the first load."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from browser.parlour import STATIC

WEB = Path(__file__).parents[2] / "web"
VITEST = WEB / "node_modules" / "vitest" / "vitest.mjs"
NODE = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="no Node found")
@pytest.mark.skipif(not VITEST.is_file(), reason="the client's packages are not installed: run make client")
def test_the_unit_tests_of_the_client_pass() -> None:
    """The unit tests use games recorded just before, so the client always fits the current engine."""
    subprocess.run([sys.executable, str(WEB / "record.py")], check=True)
    ran = subprocess.run(
        [str(NODE), str(VITEST), "run"], cwd=WEB, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.skipif(not STATIC.is_file(), reason="the client is not built: run make client")
def test_a_waiting_table_does_not_load_the_game_code() -> None:
    """The bundler may put a shared module into a larger file, all of which would be loaded."""
    needed = json.loads((STATIC.parent / "opening.json").read_text("utf-8"))["pages"]["t"]
    texts = [gzip.decompress((STATIC.parent / f"{file[1:]}.gz").read_bytes()) for file in needed]
    assert not [text for text in texts if b"tile-button" in text], "loads the tiles of the hand"


@pytest.mark.skipif(not STATIC.is_file(), reason="the client is not built: run make client")
def test_the_lobby_needs_no_more_files_than_a_browser_fetches_at_once() -> None:
    """A browser opens six connections to a server; the images of tiles are loaded last."""
    opening = json.loads((STATIC.parent / "opening.json").read_text("utf-8"))
    common = re.findall(r'(?:src|href)="(/assets/[^"]+\.(?:js|css))"', STATIC.read_text("utf-8"))
    assert common
    for words in opening["languages"].values():
        assert len({*common, *opening["pages"][""], *words[""]}) <= 6

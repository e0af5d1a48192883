"""The client's own tests, run where its packages are installed."""

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
def test_the_reducer_and_its_helpers() -> None:
    """Against games recorded just now, so that the client never lags behind the engine."""
    subprocess.run([sys.executable, str(WEB / "record.py")], check=True)
    ran = subprocess.run(
        [str(NODE), str(VITEST), "run"], cwd=WEB, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.skipif(not STATIC.is_file(), reason="the client is not built: run make client")
def test_a_table_that_waits_does_not_load_its_game() -> None:
    """A bundler puts a shared module anywhere: then its whole file comes with the page."""
    needed = json.loads((STATIC.parent / "opening.json").read_text("utf-8"))["pages"]["t"]
    texts = [gzip.decompress((STATIC.parent / f"{file[1:]}.gz").read_bytes()) for file in needed]
    assert not [text for text in texts if b"tile-button" in text], "the tiles of the hand"


@pytest.mark.skipif(not STATIC.is_file(), reason="the client is not built: run make client")
def test_the_lobby_needs_no_more_files_than_a_browser_fetches_at_once() -> None:
    """A browser opens six connections to a server; tiles come last."""
    opening = json.loads((STATIC.parent / "opening.json").read_text("utf-8"))
    common = re.findall(r'(?:src|href)="(/assets/[^"]+\.(?:js|css))"', STATIC.read_text("utf-8"))
    assert common
    for words in opening["languages"].values():
        assert len({*common, *opening["pages"][""], *words[""]}) <= 6

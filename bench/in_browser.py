"""Shared by the browser benchmarks: Chromium, and a server in a separate process."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.server_load import serve, wait_for
from jantaku.server.run import listen, load_compiled

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """Return the path of Chromium, or exit if there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        sys.exit("No Chromium found: install Debian's chromium-headless-shell or chromium.")
    return found


@contextmanager
def parlour() -> Iterator[str]:
    """Run a server with its default pauses; yield its address."""
    load_compiled()
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, "-m", "bench.in_browser", folder, str(port)]
        running = subprocess.Popen(call, cwd=Path(__file__).parents[1])
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(url)
            yield url
        finally:
            running.terminate()
            running.wait()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))

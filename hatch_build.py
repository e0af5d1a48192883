"""What a package says of itself, and what a wheel contains beside the sources: tables and compiled code.

The tables are generated here. ``make wheel`` names the folder that compiled code lies in,
``JANTAKU_COMPILED``. A wheel with compiled code is for one minor version of Python and one platform, and asks
for the very version of Numba whose code it carries. Without that variable the wheel has no code for a
machine; where Numba is installed, it compiles there.

``JANTAKU_HOME`` is where the sources are published, as far as a path below them follows
(``https://host/owner/jantaku/blob/v0.1.0``). With it, ``make dist`` makes packages whose page at the package
index leads there and shows the pictures; without it, that page has neither, instead of broken ones.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

MAKE_TABLES = """
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.lookup import shanten_tables
from jantaku.tiles import MAN_KINDS
cut_tables()
for man in MAN_KINDS:
    shanten_tables(man)
"""
LEFT_OUT = "lab-"  # a third of the code, which simulations compile in a minute
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")
INSTALL = "```\npip install jantaku\n```\n\n"
CLONE = re.compile(r"^## Start\n.*?(?=^## )", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r'(<img src=")(?!https?:)([^"]+)("[^>]*>) *')


class StoredFiles(BuildHookInterface):  # type: ignore[type-arg]
    """The hook that hatchling calls."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add tables and compiled code to a wheel; ``version`` is the kind of wheel."""
        if version == "editable":
            return
        named = os.environ.get("JANTAKU_COMPILED")
        if not named:
            self._tables = tempfile.TemporaryDirectory()
            _make_tables(Path(self.root) / "src", self._tables.name)
            build_data["force_include"][self._tables.name] = "jantaku/_stored"
            return
        folder = Path(named).resolve()
        complete = list(folder.glob("*/complete-*"))
        if len(complete) != 1:
            message = f"{folder} holds {len(complete)} complete sets of compiled code instead of one"
            raise ValueError(message)
        for part in folder.iterdir():
            if not part.name.startswith(LEFT_OUT):
                build_data["force_include"][str(part)] = f"jantaku/_stored/{part.name}"
        build_data["pure_python"] = False
        build_data["tag"] = _tag()
        build_data["dependencies"] = [f"numba=={complete[0].read_text('utf-8')}"]


def _make_tables(sources: Path, folder: str) -> None:
    """Generate the tables of the kernels in another process."""
    # pip's isolated build finds NumPy through PYTHONPATH
    path = os.pathsep.join(filter(None, (str(sources), os.environ.get("PYTHONPATH"))))
    environment = {"PYTHONPATH": path, "NUMBA_CACHE_DIR": folder, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", MAKE_TABLES]
    subprocess.run(command, check=True, env={**os.environ, **environment})  # noqa: S603 — this very program


class PackageIndexPage(MetadataHookInterface):
    """The README and the addresses as the package index needs them."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the fields that ``pyproject.toml`` calls dynamic."""
        home = os.environ.get("JANTAKU_HOME", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": published(text, home)}
        metadata["urls"] = addresses(home) if home else {}


def published(text: str, home: str) -> str:
    """The README for who installs the package: how first, and nothing of a clone.

    Links and pictures lead to ``home``; if nothing is published, there are none.
    """
    text = INSTALL + CLONE.sub("", text)
    if not home:
        return LINK.sub(r"\1", PICTURE.sub("", text))
    text = PICTURE.sub(rf"\g<1>{home.replace('/blob/', '/raw/')}/\2\3 ", text)
    return LINK.sub(rf"[\1]({home}/\2)", text)


def addresses(home: str) -> dict[str, str]:
    """The addresses that the package index lists."""
    pages = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md", "Security": "SECURITY.md"}
    return {"Source": home.partition("/blob/")[0]} | {name: f"{home}/{page}" for name, page in pages.items()}


def _tag() -> str:
    """The tag of wheels for this Python and platform; on Linux any system that has NumPy's wheels will do."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform.replace('linux_', 'manylinux_2_28_')}"

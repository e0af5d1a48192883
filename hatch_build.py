"""Metadata of the package, and the generated tables and compiled code inside wheels.

Every wheel contains the tables. If ``JANTAKU_COMPILED`` names a folder of compiled code (``make wheel``), the
wheel contains that code too; it then fits one minor version of Python and one platform, and requires exactly
the version of Numba that compiled it.

``JANTAKU_HOME`` is the address of the published sources (``https://host/owner/jantaku/blob/v0.1.0``). With
it, the page at the package index has links and pictures; without it, they are removed rather than broken.
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
LEFT_OUT = "lab-"  # a third of the code; simulations compile it in a minute
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")
INSTALL = "```\npip install jantaku\n```\n\n"
CLONE = re.compile(r"^## Start\n.*?(?=^## )", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r'(<img src=")(?!https?:)([^"]+)("[^>]*>) *')


class StoredFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's build hook."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add tables and compiled code to a wheel; ``version`` is the type of wheel."""
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
    subprocess.run(command, check=True, env={**os.environ, **environment})  # noqa: S603


class PackageIndexPage(MetadataHookInterface):
    """README and links for the package index."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dynamic fields of ``pyproject.toml``."""
        home = os.environ.get("JANTAKU_HOME", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": published(text, home)}
        metadata["urls"] = addresses(home) if home else {}


def published(text: str, home: str) -> str:
    """Return the README for users of the package: how to install it, without the section about a clone.

    Links and pictures point to ``home`` and are removed if it is empty.
    """
    text = INSTALL + CLONE.sub("", text)
    if not home:
        return LINK.sub(r"\1", PICTURE.sub("", text))
    text = PICTURE.sub(rf"\g<1>{home.replace('/blob/', '/raw/')}/\2\3 ", text)
    return LINK.sub(rf"[\1]({home}/\2)", text)


def addresses(home: str) -> dict[str, str]:
    """Return the links for the package index."""
    pages = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md", "Security": "SECURITY.md"}
    return {"Source": home.partition("/blob/")[0]} | {name: f"{home}/{page}" for name, page in pages.items()}


def _tag() -> str:
    """Return the wheel tag of this Python and platform; on Linux the same manylinux tag as NumPy's wheels."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform.replace('linux_', 'manylinux_2_28_')}"

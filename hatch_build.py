"""What a package says of itself, and compiled code in a wheel.

``make wheel`` names the folder that compiled code lies in, ``JANTAKU_COMPILED``.

Such a wheel is for one minor version of Python and one platform, and asks for the very version of Numba whose
code it carries. Without that variable the wheel is plain Python and compiles on the user's machine.

``JANTAKU_HOME`` is where the sources are published, as far as a path below them follows
(``https://host/owner/jantaku/blob/v0.1.0``). With it, ``make dist`` makes packages whose page at the package
index leads there and shows the pictures; without it, that page has neither, instead of broken ones.
"""

import os
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")
PICTURE = re.compile(r'(<img src=")(?!https?:)([^"]+)("[^>]*>) *')


class CompiledCode(BuildHookInterface):  # type: ignore[type-arg]
    """The hook that hatchling calls."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled code to a wheel; ``version`` is the kind of wheel."""
        named = os.environ.get("JANTAKU_COMPILED")
        if not named or version == "editable":
            return
        folder = Path(named).resolve()
        complete = list(folder.glob("*/complete-*"))
        if len(complete) != 1:
            message = f"{folder} holds {len(complete)} complete sets of compiled code instead of one"
            raise ValueError(message)
        build_data["force_include"][str(folder)] = "jantaku/_compiled"
        build_data["pure_python"] = False
        build_data["tag"] = _tag()
        build_data["dependencies"] = [f"numba=={complete[0].read_text('utf-8')}"]


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
    """A page whose links and pictures lead to ``home``, or without them if nothing is published."""
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

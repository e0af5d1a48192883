"""Puts compiled code into a wheel: ``make wheel`` names the folder it lies in, ``JANTAKU_COMPILED``.

Such a wheel is for one minor version of Python and one platform, and asks for the very version of Numba whose
code it carries. Without that variable the wheel is plain Python and compiles on the user's machine.
"""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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


def _tag() -> str:
    """The tag of wheels for this Python and platform; on Linux any system that has NumPy's wheels will do."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform.replace('linux_', 'manylinux_2_28_')}"

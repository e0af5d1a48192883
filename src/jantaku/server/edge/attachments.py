"""The name under which a browser saves an answer."""

import re
from typing import Final
from urllib.parse import quote

_UNFIT: Final = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')  # in the names of files on some system
MOST: Final = 100


def attachment(name: str, suffix: str, plain: str) -> dict[str, str]:
    """The header for a file that is called ``name``; ``plain`` is its name for who reads ASCII alone."""
    fit = _UNFIT.sub(" ", name).strip(" .")[:MOST] or plain
    coded = f"filename*=UTF-8''{quote(fit + suffix, safe='')}"
    return {"content-disposition": f'attachment; filename="{plain}{suffix}"; {coded}'}

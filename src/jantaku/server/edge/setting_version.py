"""What somebody has seen of a setting before they change it, so that nobody takes back others' changes.

A setting is sent with its ``version``, a hash of what is stored; a change of it may send the version back.
"""

import hashlib
import json
from typing import Annotated, Final

from pydantic import Field

from jantaku.server.errors import ServerError

MOST_VERSION: Final = 16
Version = Annotated[str, Field(max_length=MOST_VERSION)]


def version_of(*stored: object) -> str:
    """The version of a setting: the same for the same content."""
    return hashlib.sha256(json.dumps(stored).encode()).hexdigest()[:MOST_VERSION]


def demand_seen(seen: str | None, now: str, code: str) -> None:
    """Raise the error of this ``code`` if another version is stored ``now`` than was ``seen``, if any was."""
    if seen is not None and seen != now:
        raise ServerError(code)

"""Rows that cannot be read; one of them never breaks a list."""

import logging
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from jantaku.bounded import Newest
from jantaku.errors import JantakuError

MOST_LOGGED: Final = 1_000  # rows that are known to have been logged
_LOGGED = Newest[tuple[str, str], None](MOST_LOGGED)
LOG = logging.getLogger("jantaku.server")
UNREADABLE: Final = (JantakuError, ValueError, TypeError, LookupError, AttributeError, RecursionError)
Read = TypeVar("Read")


def log_unreadable(kind: str, key: object) -> None:
    """Log an unreadable row for the operator, once; call it inside the ``except`` block."""
    if (kind, str(key)) in _LOGGED:
        return
    _LOGGED[kind, str(key)] = None
    LOG.exception("the stored %s %s cannot be read", kind, key)


def readable(rows: Iterable[Any], kind: str, read: Callable[[Any], Read]) -> list[Read]:
    """Read each row; log and skip those that cannot be read. Rows have an ``id``."""
    readable_rows = []
    for row in rows:
        try:
            readable_rows.append(read(row))
        except UNREADABLE:
            log_unreadable(kind, row.id)
    return readable_rows

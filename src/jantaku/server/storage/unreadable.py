"""Rows that cannot be read; one of them never breaks a list."""

import logging
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from jantaku.errors import JantakuError

LOG = logging.getLogger("jantaku.server")
UNREADABLE: Final = (JantakuError, ValueError, TypeError, LookupError, AttributeError, RecursionError)
Found = TypeVar("Found")


def log_unreadable(kind: str, key: object) -> None:
    """Log an unreadable row for the operator; call it inside the ``except`` block."""
    LOG.exception("the stored %s %s cannot be read", kind, key)


def readable(rows: Iterable[Any], kind: str, read: Callable[[Any], Found]) -> list[Found]:
    """Read each row; log and skip those that cannot be read. Rows have an ``id``."""
    found = []
    for row in rows:
        try:
            found.append(read(row))
        except UNREADABLE:
            log_unreadable(kind, row.id)
    return found

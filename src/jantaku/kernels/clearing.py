"""Sets every byte of a record to zero, so that nothing of what it held before is left."""

from typing import Any


def clear(record: Any) -> None:
    """Set every field of the record to zero; compiled (``_clearing``), also the unused bytes between them."""
    for name in record.dtype.names:
        record[name] = 0

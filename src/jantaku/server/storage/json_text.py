"""JSON in columns of text; nothing is stored as nothing."""

import json
from typing import Any


def as_json(value: object) -> str | None:
    """A value as it is stored."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def from_json(text: str | None) -> Any:
    """A stored value."""
    return None if text is None else json.loads(text)

"""JSON without spaces, as all messages are sent."""

import json


def dumps(data: object) -> str:
    """Compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

"""How long an entered hand may be: the names of its yaku are kept, so its size needs a bound."""

import json
from collections.abc import Mapping
from typing import Any, Final

from jantaku.errors import RequestError

MOST_LETTERS: Final = 12_000  # the most fouls that a hand may have, and the yaku of its wins


def check_hand_size(hand: Mapping[str, Any], field: str) -> None:
    """Raise ``RequestError`` for a hand that is longer than any real one."""
    if len(json.dumps(hand, ensure_ascii=False)) > MOST_LETTERS:
        raise RequestError("text_too_long", field=field, most=MOST_LETTERS)

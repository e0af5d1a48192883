"""Validate texts of untrusted records: JSON that can be written back, and names of limited length."""

import json
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.visible import clean_text

MAX_NAME: Final = 64  # characters of a player's name, or of the name of a ruleset
_ONE_LINE: Final = str.maketrans("\n\t", "  ")
_ESCAPED: Final = ("\\ud", "\\uD")  # the start of every escaped surrogate


def parse_json(text: str) -> Any:
    """Parse JSON; raise ``ValueError`` for values that could not be written back, such as NaN."""
    data = json.loads(text, parse_constant=_no_number)
    if any(mark in text for mark in _ESCAPED):
        json.dumps(data, ensure_ascii=False).encode()
    return data


def _no_number(constant: str) -> Any:
    raise ValueError(constant)


def bounded_name(name: object) -> str:
    """Return a name as stored: on one line, limited in length, without bidirectional control characters.

    >>> bounded_name("Mina"), len(bounded_name("x" * 10**6)), bounded_name("Mi\u202ena")
    ('Mina', 64, 'Mina')
    """
    return str(shown(str(clean_text(str(name))).translate(_ONE_LINE), MAX_NAME))

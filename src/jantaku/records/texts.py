"""What a record may bring along as text: valid JSON that can be written back, and names of bounded length."""

import json
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.visible import clean_text

MOST_NAME: Final = 64  # characters of a player's name, or of the name of the rules
_ONE_LINE: Final = str.maketrans("\n\t", "  ")
_ESCAPED: Final = ("\\ud", "\\uD")  # how every surrogate begins


def parse_json(text: str) -> Any:
    """The value of a JSON text; raises ``ValueError`` for what could not be written back."""
    data = json.loads(text, parse_constant=_no_number)
    if any(mark in text for mark in _ESCAPED):
        json.dumps(data, ensure_ascii=False).encode()
    return data


def _no_number(constant: str) -> Any:
    raise ValueError(constant)


def bounded_name(name: object) -> str:
    """A name as it is kept, whatever a record gives as one: in one line, without signs that turn others.

    >>> bounded_name("Mina"), len(bounded_name("x" * 10**6)), bounded_name("Mi\u202ena")
    ('Mina', 64, 'Mina')
    """
    return str(shown(str(clean_text(str(name))).translate(_ONE_LINE), MOST_NAME))

"""Names of people: how they are written, how long they may be, and which names look alike."""

import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs.confusables import confusables_data

from jantaku.server.errors import ServerError
from jantaku.server.seats import BOT_NAMES
from jantaku.visible import shown_form, unseen

ADMIN: Final = "admin"  # the account of whoever runs the server
MOST_LETTERS: Final = 24
MOST_SKELETON: Final = 120  # as many as are stored
_UNSEEN: Final = {"empty": "empty_name", "character": "name_character", "marks": "name_marks"}


def shown_name(name: str, most: int = MOST_LETTERS) -> str:
    """A name as it is shown (``jantaku.visible``); ``ServerError`` for one that may not stand.

    Names longer than ``most`` once they are normalised are refused, too.
    """
    found = shown_form(name)
    if (problem := unseen(found)) is not None:
        raise ServerError(_UNSEEN[problem.why], field="name", character=problem.character)
    if len(found) > most:
        raise ServerError("long_name", field="name", most=most)
    return found


def account_of(name: str) -> str:
    """The name by which an account is found: case, width and spaces at the ends do not matter."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def skeleton(name: str) -> str:
    """What names that look alike have in common (UTS 39, with case, spaces and marks between words left out).

    >>> skeleton("Mina") == skeleton("МINА") == skeleton("rnina")
    True
    >>> skeleton("かな") == skeleton("がな")
    False
    """
    text = unicodedata.normalize("NFKC", name)
    for _ in range(2):  # a capital looks like other letters than its small form
        drawn = "".join(map(_prototype, unicodedata.normalize("NFD", text)))
        text = unicodedata.normalize("NFD", drawn).casefold()
    kept = "".join(one for one in text if unicodedata.category(one)[0] not in "ZPC")
    return (kept.replace("i", "l") or text.replace(" ", ""))[:MOST_SKELETON]


@cache
def _prototype(letter: str) -> str:
    """The letters that stand for all that look like ``letter``: the target of the table of confusables."""
    alike = [str(row["c"]).strip("\u200e") for row in confusables_data.get(letter, ())]
    if len(alike) != 1:
        return letter
    target = alike[0]
    back = [str(row["c"]).strip("\u200e") for row in confusables_data.get(target, ())]
    return min(letter, target) if back == [letter] else target


RESERVED: Final = frozenset(map(skeleton, (*BOT_NAMES, ADMIN)))


def check_reserved(name: str) -> None:
    """``name_like`` for a name that looks like a bot's or like the administrator's."""
    if skeleton(name) in RESERVED:
        raise ServerError("name_like", field="name")

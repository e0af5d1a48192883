"""Names of people: how they are written, which characters they may have, and which names look alike."""

import re
import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs.confusables import confusables_data

from jantaku.server.errors import ServerError
from jantaku.server.seats import BOT_NAMES

ADMIN: Final = "admin"  # the account of whoever runs the server
MOST_LETTERS: Final = 24
MOST_SKELETON: Final = 120  # as many as are stored
# Korean writes ㅋㅋ and ㅇㅇ with letters that NFKC would turn into parts of syllables
_KEPT_LETTERS: Final = re.compile("([\u3131-\u3163\u3165-\u318e]+)")
_EMOJI_STYLE: Final = re.compile("(?<=[^\\w\\s])[\ufe0e\ufe0f]")
# Letters, marks and symbols that show nothing, beside the categories of ``_REFUSED``
_BLANK: Final = frozenset(
    "\u034f\u1680\u17b4\u17b5\u2800\u3164\uffa0\ufffc\ufffd\U00016fe4\U0001d159"
    "\u180b\u180c\u180d\u180f"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))  # styles of the letter before
)
_REFUSED: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"))
_PARTS_OF_SYLLABLES: Final = range(
    0x1100, 0x1200
)  # those that NFC has not put together stand upon each other
# Scripts that write vowels and tones as marks on top of each other
_TALL_SCRIPTS: Final = (
    "THAI",
    "LAO",
    "HEBREW",
    "ARABIC",
    "DEVANAGARI",
    "BENGALI",
    "TAMIL",
    "KHMER",
    "MYANMAR",
)


def shown_name(name: str, most: int = MOST_LETTERS) -> str:
    """A name as it is shown: NFKC, single spaces. ``ServerError`` for one that hides or piles up characters.

    Refused are names without a visible character, characters that are invisible, blank, unassigned or turn
    the text around, marks that pile up, and names longer than ``most`` once they are normalised.
    """
    whole = _EMOJI_STYLE.sub("", name)
    parts = _KEPT_LETTERS.split(whole)
    found = "".join(
        part if place % 2 else unicodedata.normalize("NFKC", part) for place, part in enumerate(parts)
    )
    found = " ".join(re.split(" +", found.strip(" ")))
    if not found:
        raise ServerError("empty_name", field="name")
    _check_letters(found)
    if len(found) > most:
        raise ServerError("long_name", field="name", most=most)
    if not any(unicodedata.category(one)[0] in "LNS" for one in found):
        raise ServerError("empty_name", field="name")
    return found


def _check_letters(name: str) -> None:
    marks, most = 0, 0
    for one in name:
        category, code = unicodedata.category(one), ord(one)
        if category in _REFUSED or one in _BLANK or code in _PARTS_OF_SYLLABLES:
            raise ServerError("name_character", field="name", character=f"U+{code:04X}")
        if category not in ("Mn", "Mc"):
            marks = 0
            most = 2 if unicodedata.name(one, "").startswith(_TALL_SCRIPTS) else int(category[0] == "L")
        elif (marks := marks + 1) > most:
            raise ServerError("name_marks", field="name")


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

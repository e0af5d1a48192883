"""Which characters texts may have that somebody writes and others see: names of people, tables and rules."""

import re
import unicodedata
from typing import Final, Literal, NamedTuple

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


class Unseen(NamedTuple):
    """Why a text may not stand: nothing in it can be seen, a ``character`` hides, or marks pile up."""

    why: Literal["empty", "character", "marks"]
    character: str = ""


def shown_form(text: str) -> str:
    """A text as it is shown: NFKC, without styles of emoji, single spaces and none at the ends."""
    parts = _KEPT_LETTERS.split(_EMOJI_STYLE.sub("", text))
    found = "".join(
        part if place % 2 else unicodedata.normalize("NFKC", part) for place, part in enumerate(parts)
    )
    return " ".join(re.split(" +", found.strip(" ")))


def unseen(text: str) -> Unseen | None:
    """Why a text, in the form in which it is shown, may not stand; ``None`` where it may.

    Refused are characters that are invisible, blank, unassigned or turn the text around, marks that pile up,
    and texts without a letter, digit or symbol.
    """
    marks, most = 0, 0
    for one in text:
        category, code = unicodedata.category(one), ord(one)
        if category in _REFUSED or one in _BLANK or code in _PARTS_OF_SYLLABLES:
            return Unseen("character", f"U+{code:04X}")
        if category not in ("Mn", "Mc"):
            marks = 0
            most = 2 if unicodedata.name(one, "").startswith(_TALL_SCRIPTS) else int(category[0] == "L")
        elif (marks := marks + 1) > most:
            return Unseen("marks")
    seen = any(unicodedata.category(one)[0] in "LNS" for one in text)
    return None if seen else Unseen("empty")

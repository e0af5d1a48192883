"""Which characters are allowed in texts that people write: names, reasons, descriptions."""

import re
import unicodedata
from typing import Final, Literal, NamedTuple

# Korean writes ㅋㅋ and ㅇㅇ with letters that NFKC would turn into parts of syllables
_KEPT_LETTERS: Final = re.compile("([\u3131-\u3163\u3165-\u318e]+)")
_EMOJI_STYLE: Final = re.compile("(?<=[^\\w\\s])[\ufe0e\ufe0f]")
# Letters, marks and symbols without a visible form, in addition to the categories of ``_REFUSED``
_BLANK: Final = frozenset(
    "\u034f\u1680\u17b4\u17b5\u2800\u3164\uffa0\ufffc\ufffd\U00016fe4\U0001d159"
    "\u180b\u180c\u180d\u180f" + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
    # style variants of the letter before
)
_REFUSED: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"))
_UNSAFE: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_PARTS_OF_SYLLABLES: Final = range(0x1100, 0x1200)  # marks that NFC does not combine are stacked
# Scripts that write vowels and tones as stacked marks
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
    """Why a text is refused: it has nothing visible, an invisible ``character``, or stacked marks."""

    why: Literal["empty", "character", "marks"]
    character: str = ""


def shown_form(text: str) -> str:
    """A text for display: NFKC, without emoji styles, with single spaces and none at the ends."""
    parts = _KEPT_LETTERS.split(_EMOJI_STYLE.sub("", text))
    shown = "".join(
        part if index % 2 else unicodedata.normalize("NFKC", part) for index, part in enumerate(parts)
    )
    return " ".join(re.split(" +", shown.strip(" ")))


def unseen(text: str) -> Unseen | None:
    """Why a text in its display form is refused; ``None`` if it is allowed.

    Refused are invisible, blank, unassigned and direction-changing characters, stacked marks, and texts
    without a letter, digit or symbol.
    """
    marks, most = 0, 0
    for letter in text:
        category, code = unicodedata.category(letter), ord(letter)
        if category in _REFUSED or letter in _BLANK or code in _PARTS_OF_SYLLABLES:
            return Unseen("character", f"U+{code:04X}")
        if category not in ("Mn", "Mc"):
            marks = 0
            most = 2 if unicodedata.name(letter, "").startswith(_TALL_SCRIPTS) else int(category[0] == "L")
        elif (marks := marks + 1) > most:
            return Unseen("marks")
    seen = any(unicodedata.category(letter)[0] in "LNS" for letter in text)
    return None if seen else Unseen("empty")


def sentence(text: object) -> object:
    """A free text without control and direction-changing characters; empty if nothing of it is visible.

    Lines and joined emoji stay. Anything but a text is returned as it is, for others to refuse.
    """
    if not isinstance(text, str):
        return text
    shown = "".join(
        letter
        for letter in text
        if letter in "\n\t\u200c\u200d" or unicodedata.category(letter) not in _UNSAFE
    )
    seen = any(unicodedata.category(letter)[0] in "LNPS" and letter not in _BLANK for letter in shown)
    return shown.strip() if seen else ""


def readable(text: object) -> object:
    """The same, but a text of which nothing is visible stays as it is: stored ones are read again."""
    return sentence(text) or text

"""Normalise and check text written by users: names, reasons, descriptions."""

import re
import unicodedata
from typing import Final, Literal, NamedTuple

# Korean ㅋㅋ and ㅇㅇ use compatibility letters, which NFKC would turn into conjoining ones
_KEPT_LETTERS: Final = re.compile("([\u3131-\u3163\u3165-\u318e]+)")
_EMOJI_STYLE: Final = re.compile("(?<=[^\\w\\s])[\ufe0e\ufe0f]")
# Letters, marks and symbols without a visible form, in addition to the categories of ``_REFUSED``
_BLANK: Final = frozenset(
    "\u034f\u1680\u17b4\u17b5\u2800\u3164\uffa0\ufffc\ufffd\U00016fe4\U0001d159"
    "\u180b\u180c\u180d\u180f" + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
    # variation selectors
)
_REFUSED: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"))
_UNSAFE: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_PARTS_OF_SYLLABLES: Final = range(0x1100, 0x1200)  # letters that NFC does not compose are stacked
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


class TextProblem(NamedTuple):
    """Why a text is refused: it has nothing visible, an invisible ``character``, or stacked marks."""

    why: Literal["empty", "character", "marks"]
    character: str = ""


def display_form(text: str) -> str:
    """Normalise a text for display: NFKC, no emoji variation selectors, single spaces, none at the ends."""
    parts = _KEPT_LETTERS.split(_EMOJI_STYLE.sub("", text))
    text = "".join(
        part if index % 2 else unicodedata.normalize("NFKC", part) for index, part in enumerate(parts)
    )
    return " ".join(re.split(" +", text.strip(" ")))


def text_problem(text: str) -> TextProblem | None:
    """Return why a text in its display form is refused, or ``None`` if it is allowed.

    Invisible, blank, unassigned and direction-changing characters are refused, and so are stacked marks and
    texts without a letter, digit or symbol.
    """
    marks, most = 0, 0
    for letter in text:
        category, code = unicodedata.category(letter), ord(letter)
        if category in _REFUSED or letter in _BLANK or code in _PARTS_OF_SYLLABLES:
            return TextProblem("character", f"U+{code:04X}")
        if category not in ("Mn", "Mc"):
            marks = 0
            most = 2 if unicodedata.name(letter, "").startswith(_TALL_SCRIPTS) else int(category[0] == "L")
        elif (marks := marks + 1) > most:
            return TextProblem("marks")
    seen = any(unicodedata.category(letter)[0] in "LNS" for letter in text)
    return None if seen else TextProblem("empty")


def clean_text(text: object) -> object:
    """Remove control and direction-changing characters from free text; empty if nothing visible remains.

    Line breaks and joined emoji stay. A value that is not a string is returned unchanged, for the caller's
    validation to refuse.
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


def clean_if_visible(text: object) -> object:
    """Clean a text; one without visible characters stays unchanged, so that stored texts load."""
    return clean_text(text) or text

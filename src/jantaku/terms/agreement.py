"""Agreement of Korean particles and English plurals with the text before them.

Korean texts contain both forms of a particle, ``이(가) 을(를) 은(는) 와(과) (으)로 (이)라``; the final sound
of the preceding word selects one. Numbers are read in Sino-Korean, tile notation by the names of the tiles
(만, 통, 삭, 동 남 서 북 백 발 중), Latin words by their last letter. English texts write ``{count} game(s)``,
``{count} entr(ies)`` and ``{count} code(s) (are|is) left``, which agree with the last number before them.
``web/src/domain/agreement.ts`` is the client's counterpart; ``tests/data/agreement.tsv`` tests both.
"""

import re
from collections.abc import Callable
from typing import Final, Literal

Sound = Literal["vowel", "rieul", "consonant"]

# Forms of each particle after a vowel, after ㄹ and after any other consonant
FORMS: Final[dict[str, dict[Sound, str]]] = {
    "이(가)": {"vowel": "가", "rieul": "이", "consonant": "이"},
    "을(를)": {"vowel": "를", "rieul": "을", "consonant": "을"},
    "은(는)": {"vowel": "는", "rieul": "은", "consonant": "은"},
    "와(과)": {"vowel": "와", "rieul": "과", "consonant": "과"},
    "(으)로": {"vowel": "로", "rieul": "로", "consonant": "으로"},
    "(이)라": {"vowel": "라", "rieul": "이라", "consonant": "이라"},
}
_PLURALS: Final = r"\((?:(?P<plural>s|ies)|(?P<many>[a-z]+)\|(?P<one>[a-z]+))\)"
# Compiled only on first use, because most programs show no text
_FORM: Final = f"(?P<particle>{'|'.join(map(re.escape, FORMS))})|{_PLURALS}"
_MARK: Final = "\x01"  # occurs in no text
_MARKED: Final = f"{_MARK}(?:{_FORM})"
_ENDS_WITH_ONE: Final = r"(?<![\d.,])1(?!\d|[.,]\d)\D*$"
_CLOSING: Final = "'\"’”)]}」』〉》⟧ "
_TILE: Final = r"([0-9])r?([mpsz])$"
_HONOURS: Final = "동남서북백발중"
_SUITS: Final = {"m": "만", "p": "통", "s": "삭"}
_DIGITS: Final = "영일이삼사오육칠팔구"
_LETTERS: Final[dict[str, Sound]] = {"l": "rieul", "r": "rieul", "m": "consonant", "n": "consonant"}


def in_agreement(text: str, fill: Callable[[str], str]) -> str:
    """Return ``fill(text)`` with particles and plurals resolved.

    Only those in ``text`` itself are resolved, none in the filled-in values, such as the name of a team.
    """
    if "(" not in text:
        return fill(text)
    text = fill(re.sub(_FORM, rf"{_MARK}\g<0>", text))
    return re.sub(_MARKED, lambda match: _resolved(match, text[: match.start()]), text)


def _resolved(match: re.Match[str], before: str) -> str:
    if particle := match["particle"]:
        return FORMS[particle][sound_of(before)]
    one = re.search(_ENDS_WITH_ONE, before) is not None
    if match["many"]:
        return match["one"] if one else match["many"]
    return {"s": "" if one else "s", "ies": "y" if one else "ies"}[match["plural"]]


def sound_of(before: str) -> Sound:
    """Return the final sound of the last word of ``before``; a vowel if it is unknown."""
    word = before.rstrip(_CLOSING)
    if tile := re.search(_TILE, word):
        number, suit = int(tile[1]), tile[2]
        word = _HONOURS[(number or 1) - 1 : number or 1] or word if suit == "z" else _SUITS[suit]
    last = word[-1:].lower()
    if last.isascii() and last.isdigit():
        last = _DIGITS[int(last)]
    if "가" <= last <= "힣":
        final = (ord(last) - ord("가")) % 28
        return "vowel" if final == 0 else "rieul" if final == 8 else "consonant"
    return "consonant" if word[-2:].lower() == "ng" else _LETTERS.get(last, "vowel")

"""Names of yaku, and the search for a yaku by any of its names."""

import difflib
import re
import unicodedata
from functools import cache

from jantaku import terms
from jantaku.errors import RequestError, chosen_language, expect
from jantaku.rules.bonus import BONUS
from jantaku.rules.catalogue import catalogue
from jantaku.rules.ruleset import Ruleset, load
from jantaku.terms import LANGUAGES, Language

_TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_LATIN_MARKS = re.compile("[\u0300-\u036f]")
_NOT_LETTERS = re.compile(r"[\W_]+")
_LONG_LATIN = re.compile(r"(ou|oo|uu|aa|ii|ei|ee)")
_VOWEL_ROWS = {
    "ア": "アカサタナハマヤラワガザダバパャァ",
    "イ": "イキシチニヒミリギジヂビピィエケセテネヘメレゲゼデベペェ",
    "ウ": "ウクスツヌフムユルグズヅブプュゥオコソトノホモヨロゴゾドボポョォ",
    "エ": "エケセテネヘメレゲゼデベペェ",
    "オ": "オコソトノホモヨロゴゾドボポョォ",
}
_LONG_KANA = re.compile("|".join(f"(?<=[{row}]){v}" for v, row in _VOWEL_ROWS.items()) + "|ー")
_VARIANTS = str.maketrans("幺発搶", "么發槍")
_MIN_SIMILARITY = 0.6


def yaku_name(yaku: str, language: Language | None = None, rules: Ruleset | str | None = None) -> str:
    """Return the name of a yaku or kind of dora in ``en``, ``ja`` or ``ko``, by default the current language.

    ``yaku`` is an id as in ``Score.yaku``; custom yaku need ``rules``. Raises ``RequestError`` for an
    unknown id (with suggestions) or language.

    >>> yaku_name("pinfu", "ja"), yaku_name("red_dora", "ko")
    ('平和', '적도라')
    """
    expect(yaku, str, "yaku")
    name = known_name(yaku, chosen_language(language), None if rules is None else load(rules))
    if name is None:
        raise _unknown(yaku, nearest(yaku))
    return name


def known_name(yaku: str, language: Language | None = None, rules: Ruleset | None = None) -> str | None:
    """Return the name of a yaku or kind of dora, or ``None`` for an unknown id."""
    if yaku in catalogue():
        return terms.text(f"yaku.{yaku}.name", language)
    if yaku in BONUS:
        return terms.text(f"explain.bonus.{yaku}", language)
    own = (own.word("name", language) for own in (rules.own_yaku if rules else ()) if own.id == yaku)
    return next(own, None)


def folded(text: str) -> str:
    """Normalise a text for search: case, width, kana, diacritics, punctuation and variant kanji."""
    wide = unicodedata.normalize("NFKD", text).casefold()
    plain = unicodedata.normalize("NFC", _LATIN_MARKS.sub("", wide))
    letters = _NOT_LETTERS.sub("", plain.replace("ー", "\0")).replace("\0", "ー")
    return letters.translate(_TO_KATAKANA).translate(_VARIANTS)


def shortened(text: str) -> str:
    """Return the folded text with long vowels shortened."""
    return _LONG_KANA.sub("", _LONG_LATIN.sub(lambda match: match[0][0], folded(text)))


@cache
def names() -> dict[str, tuple[str, ...]]:
    """Return, by yaku, its id and its names, readings and aliases in all languages."""
    by_yaku = {}
    for yaku in catalogue():
        entries = [terms.table("yaku", language)[yaku] for language in LANGUAGES]
        own = (name for e in entries for name in (e["name"], e["reading"], *e["aliases"]))
        by_yaku[yaku] = tuple(dict.fromkeys([yaku, *own]))
    return by_yaku


@cache
def _keys() -> tuple[dict[str, str], dict[str, str]]:
    """Return the yaku by folded name and by shortened name."""
    exact: dict[str, str] = {}
    short: dict[str, str] = {}
    for yaku, own in names().items():
        for name in own:
            exact.setdefault(folded(name), yaku)
            short.setdefault(shortened(name), yaku)
    return exact, short


@cache
def _combinations() -> dict[str, tuple[str, ...]]:
    """Return the yaku of named combinations (tanpin) by shortened name."""
    combinations: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        for entry in terms.table("combinations", language).values():
            combinations |= {shortened(name): tuple(entry["yaku"]) for name in entry["names"]}
    return combinations


def combination(text: str) -> list[str]:
    """Return the yaku of a named combination such as tanpin; empty for any other text."""
    return list(_combinations().get(shortened(text), ()))


def search(text: str, rules: Ruleset | None = None) -> list[str]:
    """Return the yaku with exactly that name, or else all whose names contain the text.

    Custom yaku of ``rules`` are found by id and full name.
    """
    for own in rules.own_yaku if rules else ():
        if folded(text) in map(folded, (own.id, *own.words.get("name", {}).values())):
            return [own.id]
    exact, short = _keys()
    if match := exact.get(folded(text)) or short.get(shortened(text)):
        return [match]
    part = shortened(text)
    if not part:
        return []
    return list(dict.fromkeys(yaku for name, yaku in short.items() if part in name))


def nearest(text: str, count: int = 3) -> list[str]:
    """Return up to ``count`` yaku with the most similar names."""
    letters = {unicodedata.normalize("NFD", name): yaku for name, yaku in _keys()[1].items()}
    typed = unicodedata.normalize("NFD", shortened(text))  # compares hangul letter by letter
    close = difflib.get_close_matches(typed, letters, n=3 * count, cutoff=_MIN_SIMILARITY)
    return list(dict.fromkeys(letters[name] for name in close))[:count]


def find_yaku(text: str, rules: Ruleset | None = None) -> str:
    """Return the yaku that matches; raises ``RequestError`` with suggestions unless exactly one does."""
    matches = search(text, rules)
    if len(matches) == 1:
        return matches[0]
    raise _unknown(text, matches[:5] or nearest(text))


def _unknown(text: str, close: list[str]) -> RequestError:
    code = "unknown_yaku_nearest" if close else "unknown_yaku"
    suggestions = terms.listed(f"{terms.text(f'yaku.{yaku}.name')} ({yaku})" for yaku in close)
    return RequestError(code, field="yaku", value=text, nearest=suggestions)

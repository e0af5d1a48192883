"""Names of people: normalisation, length limits and confusable names."""

import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs.confusables import confusables_data

from jantaku import terms
from jantaku.server.errors import ServerError
from jantaku.visible import display_form, text_problem

BOT_NAMES: Final = ("Kaede", "Sora", "Haneul", "Ren")  # 楓 空 하늘 蓮
ADMIN: Final = "admin"  # account name of the server's operator
MAX_NAME: Final = 24
MAX_SKELETON: Final = 120  # the stored length
_UNSEEN: Final = {"empty": "empty_name", "character": "name_character", "marks": "name_marks"}


def shown_name(name: str, most: int = MAX_NAME) -> str:
    """Normalise a name for display (``jantaku.visible``).

    Raises ``empty_name``, ``name_character``, ``name_marks``, and ``long_name`` for a normalised name of more
    than ``most`` characters.
    """
    shown = display_form(name)
    if (problem := text_problem(shown)) is not None:
        raise ServerError(_UNSEEN[problem.why], field="name", character=problem.character)
    if len(shown) > most:
        raise ServerError("long_name", field="name", most=most)
    return shown


def skeleton(name: str) -> str:
    """Return a form shared by names that look alike (UTS 39), ignoring case, spaces and punctuation.

    >>> skeleton("Mina") == skeleton("МINА") == skeleton("rnina")
    True
    >>> skeleton("かな") == skeleton("がな")
    False
    """
    text = unicodedata.normalize("NFKC", name)
    for _ in range(2):  # upper and lower case of a letter can resemble different letters
        drawn = "".join(map(_prototype, unicodedata.normalize("NFD", text)))
        text = unicodedata.normalize("NFD", drawn).casefold()
    kept = "".join(letter for letter in text if unicodedata.category(letter)[0] not in "ZPC")
    return (kept.replace("i", "l") or text.replace(" ", ""))[:MAX_SKELETON]


@cache
def _prototype(letter: str) -> str:
    """Return the prototype of the letters that look like ``letter``, from the Unicode confusables."""
    alike = [str(row["c"]).strip("\u200e") for row in confusables_data.get(letter, ())]
    if len(alike) != 1:
        return letter
    target = alike[0]
    back = [str(row["c"]).strip("\u200e") for row in confusables_data.get(target, ())]
    return min(letter, target) if back == [letter] else target


def numbered(name: str, number: int) -> str:
    """Return the name of the ``number``-th guest with a name.

    >>> numbered("Mina", 1), numbered("Mina", 2)
    ('Mina', 'Mina 2')
    """
    ending = f" {number}" if number > 1 else ""
    return name[: MAX_NAME - len(ending)].rstrip() + ending


def is_numbered(shown: str, name: str) -> bool:
    """Whether ``shown`` is a result of ``numbered(name, …)``."""
    number = shown.rpartition(" ")[2]
    return number.isdecimal() and shown == numbered(name, int(number))


_BOTS: Final = {
    terms.text(f"server.bots.{name}", language) for name in BOT_NAMES for language in terms.LANGUAGES
}
RESERVED: Final = frozenset(map(skeleton, (*_BOTS, *BOT_NAMES, ADMIN)))


def check_reserved(name: str) -> None:
    """Raise ``name_like`` for a name that resembles a bot's name or the administrator's."""
    if skeleton(name) in RESERVED:
        raise ServerError("name_like", field="name")

"""Names of people: their normal form, their length limits, and which names look alike."""

import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs.confusables import confusables_data

from jantaku import terms
from jantaku.server.errors import ServerError
from jantaku.visible import shown_form, unseen

BOT_NAMES: Final = ("Kaede", "Sora", "Haneul", "Ren")  # 楓 空 하늘 蓮
ADMIN: Final = "admin"  # the account of the server's operator
MOST_LETTERS: Final = 24
MOST_SKELETON: Final = 120  # the stored length
_UNSEEN: Final = {"empty": "empty_name", "character": "name_character", "marks": "name_marks"}


def shown_name(name: str, most: int = MOST_LETTERS) -> str:
    """A name as displayed (``jantaku.visible``); raises ``ServerError`` for a forbidden name.

    Names longer than ``most`` after normalisation are refused too.
    """
    shown = shown_form(name)
    if (problem := unseen(shown)) is not None:
        raise ServerError(_UNSEEN[problem.why], field="name", character=problem.character)
    if len(shown) > most:
        raise ServerError("long_name", field="name", most=most)
    return shown


def skeleton(name: str) -> str:
    """A form that names share if they look alike (UTS 39, without case, spaces and marks between words).

    >>> skeleton("Mina") == skeleton("МINА") == skeleton("rnina")
    True
    >>> skeleton("かな") == skeleton("がな")
    False
    """
    text = unicodedata.normalize("NFKC", name)
    for _ in range(2):  # a capital can resemble other letters than its lower case does
        drawn = "".join(map(_prototype, unicodedata.normalize("NFD", text)))
        text = unicodedata.normalize("NFD", drawn).casefold()
    kept = "".join(letter for letter in text if unicodedata.category(letter)[0] not in "ZPC")
    return (kept.replace("i", "l") or text.replace(" ", ""))[:MOST_SKELETON]


@cache
def _prototype(letter: str) -> str:
    """The prototype of all letters that look like ``letter``, from the table of confusables."""
    alike = [str(row["c"]).strip("\u200e") for row in confusables_data.get(letter, ())]
    if len(alike) != 1:
        return letter
    target = alike[0]
    back = [str(row["c"]).strip("\u200e") for row in confusables_data.get(target, ())]
    return min(letter, target) if back == [letter] else target


def numbered(name: str, number: int) -> str:
    """The name of the guest who is the ``number``-th with it.

    >>> numbered("Mina", 1), numbered("Mina", 2)
    ('Mina', 'Mina 2')
    """
    ending = f" {number}" if number > 1 else ""
    return name[: MOST_LETTERS - len(ending)].rstrip() + ending


def is_numbered(shown: str, name: str) -> bool:
    """Whether ``shown`` is ``name`` as such a guest has it."""
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

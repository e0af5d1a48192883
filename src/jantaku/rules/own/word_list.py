"""The words of the language with their meanings, for completion in editors of conditions."""

from dataclasses import dataclass
from typing import Literal

from jantaku import terms
from jantaku.reading import Strict
from jantaku.rules.own import vocabulary
from jantaku.rules.own.reader import known_yaku
from jantaku.terms import Language

WordKind = Literal[
    "tiles", "group", "number", "statement", "circumstance", "form", "wait", "letter", "joiner", "yaku"
]
_SHORT = {"quad": "kan", "concealed_quad": "concealed_kan"}
_STATEMENTS = ("only", "has", "every_set", "seat", "round")
_CIRCUMSTANCES = ("tsumo", "ron", "closed", "open", "dealer", *vocabulary.FLAGS)
_PLACED = ("count", "won_on")  # require brackets


@dataclass(frozen=True)
class Word(Strict):
    """A word of the language: the text that an editor inserts, and its meaning.

    For the kind ``yaku``, the word is the id of a yaku and the meaning its name.
    """

    word: str
    kind: WordKind
    insert: str
    about: str


def words_listed(language: Language | None = None) -> list[Word]:
    """Return the words of the language, one for each meaning."""
    rows = [
        *(_word(name, "statement", f"{name}()", language) for name in _STATEMENTS),
        *(_group(name, language) for name in vocabulary.GROUPS),
        *(_word(name, "number", name, language) for name in (*vocabulary.NUMBERS, *vocabulary.AMONG)),
        *(_word(name, "circumstance", name, language) for name in dict.fromkeys(_CIRCUMSTANCES)),
        *(_word(name, "form", name, language) for name in vocabulary.FORMS),
        *(_word(name, "wait", name, language) for name in vocabulary.WAITS),
        *(_word(name, "tiles", name, language) for name in (*vocabulary.TILES,)),
        *(
            _word(name, "letter", name, language)
            for name in (*vocabulary.NUMBER_LETTERS, *vocabulary.SUIT_LETTERS)
        ),
        *(_word(name, "joiner", f"{name} ", language) for name in ("and", "or", "not")),
        _word("yaku", "statement", 'yaku("")', language),
    ]
    yaku = (
        Word(name, "yaku", f'yaku("{name}")', terms.text(f"yaku.{name}.name", language))
        for name in known_yaku()
    )
    return [*rows, *yaku]


def _word(name: str, kind: WordKind, insert: str, language: Language | None) -> Word:
    return Word(name, kind, insert, terms.text(f"own.word.{name}", language))


def _group(name: str, language: Language | None) -> Word:
    short = _SHORT.get(name, name)
    written = f"{short}()" if name in _PLACED else short
    return Word(short, "group", written, terms.text(f"own.word.{name}", language))

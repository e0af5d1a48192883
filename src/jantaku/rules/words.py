"""The texts of a ruleset, its name and description by language, and what may be in them."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.errors import RulesError

MOST_WORDS: Final = {"name": 100, "about": 2000}  # characters in one language
MOST_LANGUAGES: Final = 16
_LANGUAGE: Final = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")
# Marks that reverse the text after them, so that it reads otherwise than it is
_TURNING: Final = frozenset(("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def words_problems(path: str, words: Mapping[Any, Any]) -> Iterator[RulesError]:
    """What is wrong with ``name`` or ``about``, a table of texts by language."""
    if len(words) > MOST_LANGUAGES:
        yield RulesError("too_many_entries", path=path, count=len(words), most=MOST_LANGUAGES)
        return
    for language, text in words.items():
        place = f"{path}.{shown(language)}"
        if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
            yield RulesError("unknown_language", path=place)
        elif not isinstance(text, str):
            yield RulesError("wrong_value", path=place, value=shown(text), wanted="string")
        elif len(text) > MOST_WORDS[path]:
            yield RulesError("text_too_long", path=place, field=place, most=MOST_WORDS[path])
        elif not all(map(_may_stand, text)):
            yield RulesError("unwritten_characters", path=place)


def _may_stand(character: str) -> bool:
    """Whether a character may stand in a text: control characters and halves of pairs may not."""
    if character in "\n\t":
        return True
    hidden = unicodedata.category(character) in ("Cc", "Cs")
    return not hidden and unicodedata.bidirectional(character) not in _TURNING

"""The texts of a ruleset (name and description by language), and what they may contain."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.errors import RulesError
from jantaku.visible import shown_form, unseen

MOST_WORDS: Final = {"name": 100, "about": 2000}  # characters in one language
MOST_LANGUAGES: Final = 16
_LANGUAGE: Final = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")
_LINES: Final = re.compile("[\r\n\t]+")
_UNSEEN: Final = {"empty": "blank_text", "character": "unwritten_characters", "marks": "piled_marks"}


def words_problems(path: str, words: Mapping[Any, Any]) -> Iterator[RulesError]:
    """The problems of ``name`` or ``about``, a table of texts by language."""
    if len(words) > MOST_LANGUAGES:
        yield RulesError("too_many_entries", path=path, count=len(words), most=MOST_LANGUAGES)
        return
    for language, text in words.items():
        place = f"{path}.{shown(language)}"
        if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
            yield RulesError("unknown_language", path=place)
        else:
            yield from _text_problems(path, place, text)


def _text_problems(path: str, place: str, text: object) -> Iterator[RulesError]:
    """The problems of one text; an empty text is allowed."""
    if not isinstance(text, str):
        yield RulesError("wrong_value", path=place, value=shown(text), wanted="string")
    elif len(text) > MOST_WORDS[path]:
        yield RulesError("text_too_long", path=place, field=place, most=MOST_WORDS[path])
    elif text and (problem := unseen(shown_form(_LINES.sub(" ", text)))) is not None:
        yield RulesError(_UNSEEN[problem.why], path=place, character=problem.character)


def without_unseen(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a ruleset without forbidden texts.

    Rules that an earlier version stored or that a record contains stay readable this way. Texts decide
    nothing.
    """
    kept = dict(data)
    for path in MOST_WORDS:
        words = kept.get(path)
        if isinstance(words, Mapping):
            kept[path] = {
                language: text
                for language, text in words.items()
                if not isinstance(text, str) or not list(_text_problems(path, path, text))
            }
    return kept

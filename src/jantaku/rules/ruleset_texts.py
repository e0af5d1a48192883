"""The texts of a ruleset (name and description by language), and what they may contain."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.errors import Phrases, RulesError, kind_of_value
from jantaku.terms import LANGUAGES
from jantaku.visible import shown_form, unseen

MOST_WORDS: Final = {"name": 100, "about": 2000}  # characters in one language
MOST_LANGUAGES: Final = 16
_LANGUAGE: Final = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")
_LINES: Final = re.compile("[\r\n\t]+")
_UNSEEN: Final = {"empty": "blank_text", "character": "unwritten_characters", "marks": "piled_marks"}


def words_problems(
    path: str, words: Mapping[Any, Any], *, by_hand: bool = True, most: int = 0
) -> Iterator[RulesError]:
    """The problems of a table of texts by language: ``name``, ``about``, or others of ``most`` characters.

    Rules written by hand may only have languages that Jantaku shows; others are kept in what is stored.
    """
    if len(words) > MOST_LANGUAGES:
        yield RulesError("too_many_entries", path=path, count=len(words), most=MOST_LANGUAGES)
        return
    for language, text in words.items():
        within = f"{path}.{shown(language)}"
        if language not in LANGUAGES and (by_hand or not _LANGUAGE.fullmatch(str(language))):
            yield RulesError("unknown_language", path=within, known=Phrases(LANGUAGES))
        else:
            yield from _text_problems(within, text, most or MOST_WORDS[path])


def _text_problems(within: str, text: object, most: int) -> Iterator[RulesError]:
    """The problems of one text; an empty text is allowed."""
    if not isinstance(text, str):
        yield RulesError("wrong_value", path=within, value=shown(text), wanted=kind_of_value(str))
    elif len(text) > most:
        yield RulesError("text_too_long", path=within, field=within, most=most)
    elif text and (problem := unseen(shown_form(_LINES.sub(" ", text)))) is not None:
        yield RulesError(_UNSEEN[problem.why], path=within, character=problem.character)


def one_line(words: Mapping[str, Any]) -> dict[str, Any]:
    """The texts with their lines joined: tables, lists and headings show a name in one line."""
    return {
        language: _LINES.sub(" ", text).strip() if isinstance(text, str) else text
        for language, text in words.items()
    }


def without_unseen(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a ruleset without forbidden texts.

    Rules that an earlier version stored or that a record contains stay readable this way. Texts decide
    nothing.
    """
    kept = dict(data)
    for path, most in MOST_WORDS.items():
        words = kept.get(path)
        if isinstance(words, Mapping):
            kept[path] = {
                language: text
                for language, text in words.items()
                if not isinstance(text, str) or not list(_text_problems(path, text, most))
            }
    return kept

"""Checks of the texts of a ruleset: names and descriptions by language."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.errors import Phrases, RulesError, kind_of_value
from jantaku.terms import LANGUAGES
from jantaku.visible import display_form, text_problem

MAX_WORDS: Final = {"name": 100, "about": 2000}  # characters in one language
MAX_LANGUAGES: Final = 16
_LANGUAGE: Final = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")
_LINES: Final = re.compile("[\r\n\t]+")
_CODES: Final = {"empty": "blank_text", "character": "unwritten_characters", "marks": "piled_marks"}


def words_problems(
    path: str, words: Mapping[Any, Any], *, by_hand: bool = True, most: int = 0
) -> Iterator[RulesError]:
    """Yield the problems of texts by language: ``name``, ``about``, or others of up to ``most`` characters.

    Rules written ``by_hand`` may have only the languages of Jantaku; stored rules may have others.
    """
    if len(words) > MAX_LANGUAGES:
        yield RulesError("too_many_entries", path=path, count=len(words), most=MAX_LANGUAGES)
        return
    for language, text in words.items():
        within = f"{path}.{shown(language)}"
        if language not in LANGUAGES and (by_hand or not _LANGUAGE.fullmatch(str(language))):
            yield RulesError("unknown_language", path=within, known=Phrases(LANGUAGES))
        else:
            yield from _text_problems(within, text, most or MAX_WORDS[path])


def _text_problems(within: str, text: object, most: int) -> Iterator[RulesError]:
    """Yield the problems of one text; an empty text is allowed."""
    if not isinstance(text, str):
        yield RulesError("wrong_value", path=within, value=shown(text), wanted=kind_of_value(str))
    elif len(text) > most:
        yield RulesError("text_too_long", path=within, field=within, most=most)
    elif text and (problem := text_problem(display_form(_LINES.sub(" ", text)))) is not None:
        yield RulesError(_CODES[problem.why], path=within, character=problem.character)


def one_line(words: Mapping[str, Any]) -> dict[str, Any]:
    """Join the lines of each text, because tables, lists and headings show a name in one line."""
    return {
        language: _LINES.sub(" ", text).strip() if isinstance(text, str) else text
        for language, text in words.items()
    }


def without_forbidden_texts(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a ruleset without forbidden texts, which have no effect on play.

    Rules stored by an earlier version or contained in a record stay readable this way.
    """
    allowed = dict(data)
    for path, most in MAX_WORDS.items():
        words = allowed.get(path)
        if isinstance(words, Mapping):
            allowed[path] = {
                language: text
                for language, text in words.items()
                if not isinstance(text, str) or not list(_text_problems(path, text, most))
            }
    return allowed

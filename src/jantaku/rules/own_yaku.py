"""Custom yaku: yaku that a rules file defines by a condition."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jantaku import terms
from jantaku.errors import RulesError
from jantaku.rules.own import Program, program, read
from jantaku.rules.own.codes import MAX_STEPS_TOGETHER
from jantaku.rules.own.condition_sentences import Named, condition_text, definition_of
from jantaku.rules.own.settings import OWN_SETTINGS, WHEN, WORDS
from jantaku.rules.ruleset_texts import one_line

MAX_OWN: Final = 16


@dataclass(frozen=True)
class OwnYaku:
    """A yaku defined by a condition; its value is in ``Ruleset.yaku``.

    ``words`` has its ``name`` and ``definition`` by language.
    """

    id: str
    condition: str
    words: Mapping[str, Mapping[str, str]]

    @property
    def fingerprint(self) -> str:
        """``id:hash``, with a SHA-256 of the condition."""
        return f"{self.id}:{hashlib.sha256(self.condition.encode()).hexdigest()}"

    def word(self, part: str, language: terms.Language | None = None) -> str:
        """Return its ``name`` or ``definition`` in a language, falling back to English, then any other."""
        texts = self.words.get(part, {})
        text = texts.get(language or terms.current()) or texts.get("en") or next(iter(texts.values()), "")
        return text or (self.id if part == "name" else "")

    def why(self, language: terms.Language | None = None, named: Named = str) -> str:
        """Return its definition or, without one in the language, its condition as a clause.

        ``named`` returns the names of other custom yaku (see ``naming``).
        """
        text = self.words.get("definition", {}).get(language or terms.current())
        return condition_text(read(self.condition), language, named) if text is None else text

    def definition(self, language: terms.Language | None = None, named: Named = str) -> str:
        """Return its definition followed by its condition as a sentence; ``named`` as in ``why``."""
        text = self.word("definition", language)
        return terms.paragraph((text, definition_of(read(self.condition), language, named)), language)

    @property
    def program(self) -> Program:
        """Its condition as a program for compiled code."""
        path = f"yaku.{self.id}.{WHEN}"  # the same path as in the check, because it is part of the cache keys
        return program(read(self.condition, path), path)

    @property
    def names(self) -> tuple[str, ...]:
        """Ids of the other custom yaku that this yaku's condition refers to."""
        return self.program.named

    @property
    def settings(self) -> dict[str, Any]:
        """Its settings in a rules file, other than its value."""
        return {WHEN: self.condition, **{part: dict(words) for part, words in self.words.items() if words}}


def naming(own: Iterable[OwnYaku], language: terms.Language | None = None) -> Named:
    """Return a function from ids of custom yaku to names in a language, for references in conditions."""
    names = {yaku.id: yaku.word("name", language) for yaku in own}
    return lambda yaku: names.get(yaku, yaku)


def with_own(inherited: Iterable[OwnYaku], rows: Mapping[str, Mapping[str, Any]]) -> tuple[OwnYaku, ...]:
    """Return the custom yaku by id: the ``inherited`` ones with the definitions and changes of a rules file.

    ``rows`` is its table ``yaku``. Raises ``RulesError`` for too many custom yaku (``own_count``) or too many
    steps together (``own_too_large``).
    """
    own = {yaku.id: yaku for yaku in inherited}
    for name, row in rows.items():
        if WHEN in row or (name in own and any(key in row for key in OWN_SETTINGS)):
            before = own.get(name)
            condition = row.get(WHEN) or (before.condition if before else "")
            words = {part: row.get(part, before.words.get(part, {}) if before else {}) for part in WORDS}
            text = read(condition, f"yaku.{name}.{WHEN}").text
            own[name] = OwnYaku(name, text, {part: one_line(texts) for part, texts in words.items()})
    if len(own) > MAX_OWN:
        raise RulesError("own_count", path="yaku", count=len(own), most=MAX_OWN)
    yaku = tuple(own[name] for name in sorted(own))
    if sum(each.program.size for each in yaku) > MAX_STEPS_TOGETHER:
        raise RulesError("own_too_large", path="yaku")
    return yaku

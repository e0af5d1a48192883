"""Own yaku: the yaku that a rules file defines by a condition."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jantaku import terms
from jantaku.errors import RulesError
from jantaku.rules.own import Program, program, read
from jantaku.rules.own.codes import MOST_STEPS_TOGETHER
from jantaku.rules.own.condition_sentences import Named, condition_text, definition_of
from jantaku.rules.own.settings import OWN_SETTINGS, WHEN, WORDS
from jantaku.rules.ruleset_texts import one_line

MAX_OWN: Final = 16


@dataclass(frozen=True)
class OwnYaku:
    """A yaku that is data: its condition decides. Its value stands in the rules."""

    id: str
    condition: str
    words: Mapping[str, Mapping[str, str]]

    @property
    def fingerprint(self) -> str:
        """Its id and a hash of its condition."""
        return f"{self.id}:{hashlib.sha256(self.condition.encode()).hexdigest()}"

    def word(self, part: str, language: terms.Language | None = None) -> str:
        """Its ``name`` or ``definition`` in a language; if missing, in English, otherwise in any language."""
        said = self.words.get(part, {})
        word = said.get(language or terms.current()) or said.get("en") or next(iter(said.values()), "")
        return word or (self.id if part == "name" else "")

    def why(self, language: terms.Language | None = None, named: Named = str) -> str:
        """Its definition in a language or, without one, its condition as a clause (``named``: ``naming``)."""
        said = self.words.get("definition", {}).get(language or terms.current())
        return condition_text(read(self.condition), language, named) if said is None else said

    def definition(self, language: terms.Language | None = None, named: Named = str) -> str:
        """Its definition and what its condition says (``named``: ``naming``)."""
        said = self.word("definition", language)
        return terms.paragraph((said, definition_of(read(self.condition), language, named)), language)

    @property
    def program(self) -> Program:
        """The program of its condition."""
        path = f"yaku.{self.id}.{WHEN}"  # as it was checked: it is known by its path, too
        return program(read(self.condition, path), path)

    @property
    def names(self) -> tuple[str, ...]:
        """The other own yaku that its condition names."""
        return self.program.named

    @property
    def settings(self) -> dict[str, Any]:
        """What a rules file says of it besides its value."""
        return {WHEN: self.condition, **{part: dict(words) for part, words in self.words.items() if words}}


def naming(own: Iterable[OwnYaku], language: terms.Language | None = None) -> Named:
    """What gives the names of own yaku in a language, for conditions that name others."""
    names = {yaku.id: yaku.word("name", language) for yaku in own}
    return lambda yaku: names.get(yaku, yaku)


def with_own(inherited: Iterable[OwnYaku], rows: Mapping[str, Mapping[str, Any]]) -> tuple[OwnYaku, ...]:
    """The own yaku by id, as the ``rows`` of a rules file define or change the ``inherited`` ones.

    Raises ``RulesError`` (``own_count``, ``own_too_large``) for too many of them, or too many steps together.
    """
    own = {yaku.id: yaku for yaku in inherited}
    for name, row in rows.items():
        if WHEN in row or (name in own and any(key in row for key in OWN_SETTINGS)):
            before = own.get(name)
            condition = row.get(WHEN) or (before.condition if before else "")
            words = {part: row.get(part, before.words.get(part, {}) if before else {}) for part in WORDS}
            text = read(condition, f"yaku.{name}.{WHEN}").text
            own[name] = OwnYaku(name, text, {part: one_line(said) for part, said in words.items()})
    if len(own) > MAX_OWN:
        raise RulesError("own_count", path="yaku", count=len(own), most=MAX_OWN)
    yaku = tuple(own[name] for name in sorted(own))
    if sum(each.program.size for each in yaku) > MOST_STEPS_TOGETHER:
        raise RulesError("own_too_large", path="yaku")
    return yaku

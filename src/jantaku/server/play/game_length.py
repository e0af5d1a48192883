"""The rules of a table with games of another length than usual."""

import dataclasses
from collections.abc import Iterable
from typing import get_args

from jantaku import terms
from jantaku.rules import Ruleset
from jantaku.server.play.table_bodies import ShortOrLong
from jantaku.server.rules.rules_names import rules_name


def of_length(rules: Ruleset, length: str | None) -> Ruleset:
    """The same rules with games of another length; they are stored under their fingerprint."""
    if length in (None, rules.match.length):
        return rules
    changed = rules.with_changes({"match.length": length})
    return dataclasses.replace(changed, id=changed.fingerprint, name=_names(rules, str(length)))


def _names(rules: Ruleset, length: str) -> dict[str, str]:
    """The name of the rules with the length of the game, in each language."""
    lengths = {
        language: {
            length: terms.text(f"server.rules.length.{length}", language) for length in get_args(ShortOrLong)
        }
        for language in terms.LANGUAGES
    }
    return {
        language: " · ".join([_without(rules_name(rules, language), words.values()), words[length]])
        for language, words in lengths.items()
    }


def _without(name: str, lengths: Iterable[str]) -> str:
    """A name without the length that it ends with."""
    return next(
        (name.removesuffix(f" · {length}") for length in lengths if name.endswith(f" · {length}")), name
    )

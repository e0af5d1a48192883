"""The rulesets of the operator's own files, which may have local yaku.

The command line reads the files at start and hands over the rulesets. The server itself reads no rules file
and loads no code: it only looks rulesets and yaku up among those it was given.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from jantaku.errors import Phrases
from jantaku.rules import Ruleset, load_kept
from jantaku.rules.fingerprints import BASELINE
from jantaku.rules.local_marks import as_marks, from_marks
from jantaku.server.errors import ServerError
from jantaku.terms import Language

LOCAL: Final = "local"  # the key of a stored ruleset for the marks of its local yaku


class ReadRules(NamedTuple):
    """A ruleset, and the ids of its local yaku whose code the server does not have.

    With ``missing``, ``rules`` can be shown, but nothing can be played by them: no hand has these yaku.
    ``fingerprint`` is that of the rules with all code.
    """

    rules: Ruleset
    fingerprint: str
    missing: tuple[str, ...] = ()


class HouseRules:
    """Looks up the rulesets that the server was started with."""

    def __init__(self, rulesets: Sequence[Ruleset] = ()) -> None:
        self._by_name = {rules.id: rules for rules in rulesets}
        self._by_fingerprint = {rules.fingerprint: rules for rules in rulesets}
        self._yaku = {yaku.fingerprint: yaku for rules in rulesets for yaku in rules.local}

    def __iter__(self) -> Iterator[Ruleset]:
        return iter(self._by_name.values())

    def find(self, name: str) -> Ruleset | None:
        """The ruleset with an id or a fingerprint."""
        return self._by_name.get(name) or self._by_fingerprint.get(name)

    def words(self, language: Language) -> dict[str, dict[str, str]]:
        """The name and the definition of every local yaku, by id."""
        return {
            yaku.id: {part: yaku.word(part, language) for part in ("name", "definition")}
            for yaku in self._yaku.values()
        }

    def read(self, tree: Mapping[str, Any], key: str) -> ReadRules:
        """A stored ruleset, with the code of its local yaku if the server has exactly that code."""
        tree = {"extends": BASELINE, **tree}
        stored: list[dict[str, Any]] = tree.pop(LOCAL, [])
        missing = tuple(mark["id"] for mark in stored if mark["mark"] not in self._yaku)
        rules = load_kept(tree, from_marks(stored, self._yaku))
        return ReadRules(rules, key if missing else rules.fingerprint, missing)


def check_code(name: str, missing: Sequence[str]) -> None:
    """Raise ``rules_code_missing`` if the server lacks the code of some local yaku of the rules."""
    if missing:
        raise ServerError("rules_code_missing", rules=name, yaku=Phrases(missing))


def as_stored(rules: Ruleset) -> dict[str, Any]:
    """A ruleset as ``HouseRules.read`` reads it: data, with a mark instead of the code of each local yaku."""
    return rules.to_dict() | ({LOCAL: as_marks(rules.local)} if rules.local else {})

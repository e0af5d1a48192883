"""The changes that bots are known to respond to, or not: results of ``python -m research.answers``."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from jantaku.rules import Ruleset
from jantaku.rules.catalogue import Worth, han_of
from jantaku.rules.worths import worths

ANSWERS: Final = Path(__file__).with_name("answers.json")
_VERDICTS: Final = {"moved": True, "still": False, "wrong": False}


class TriedChange(NamedTuple):
    """A change for which it is known whether bots respond, and the row that it was expected to change.

    ``yaku`` is the id of a yaku, or empty for the option ``path``; ``worth`` is the yaku's tried value.
    """

    path: str
    yaku: str
    worth: Worth
    answered: bool
    row: tuple[str, str]
    before: float
    after: float
    games: int


@cache
def _answers() -> Mapping[str, list[dict[str, Any]]]:
    """Read the conclusive results by what was changed: the path of an option, or ``yaku.`` and an id."""
    by_position: dict[str, list[dict[str, Any]]] = {}
    if ANSWERS.is_file():
        data = json.loads(ANSWERS.read_bytes())
        for answer in data["answers"]:
            if answer["verdict"] in _VERDICTS:
                by_position.setdefault(answer["path"], []).append({**answer, "games": data["games"]})
    return by_position


def tried_changes(before: Ruleset, after: Ruleset) -> Iterator[TriedChange]:
    """Yield the differences between the rulesets for which it is known whether bots respond.

    For a yaku, the result used is that of the tried value nearest to the new one in the same direction.
    """
    paths = before.differences(after)
    for yaku in dict.fromkeys(path.split(".")[1] for path in paths if path.startswith("yaku.")):
        answer = _nearest(yaku, *(max(map(han_of, worths(rules, yaku))) for rules in (before, after)))
        if answer is not None:
            yield _tried(answer, yaku, max(answer["changes"].values(), key=han_of))
    for path, (_, value) in paths.items():
        for answer in _answers().get(path, ()):
            if answer["changes"].get(path) == value:
                yield _tried(answer)


def _nearest(yaku: str, now: int, then: int) -> dict[str, Any] | None:
    """Return the result whose tried value is nearest to ``then`` and on the same side of ``now``."""
    pairs = [
        (abs(worth - then), answer)
        for answer in _answers().get(f"yaku.{yaku}", ())
        if ((worth := max(map(han_of, answer["changes"].values()))) - now) * (then - now) > 0
    ]
    return min(pairs, key=lambda pair: pair[0], default=(0, None))[1]


def _tried(answer: Mapping[str, Any], yaku: str = "", worth: Worth = False) -> TriedChange:
    group, name = answer["row"]
    answered = _VERDICTS[answer["verdict"]]
    figures = answer["before"], answer["after"], answer["games"]
    return TriedChange(answer["path"], yaku, worth, answered, (group, name), *figures)

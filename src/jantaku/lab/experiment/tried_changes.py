"""What bots have been found to answer to: the table of answers that ``python -m research.answers`` makes."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from jantaku.rules import Ruleset
from jantaku.rules.catalogue import Worth, han_of
from jantaku.rules.worths import worths

ANSWERS: Final = Path(__file__).with_name("answers.json")
_TELLING: Final = {"moved": True, "still": False, "wrong": False}


class TriedChange(NamedTuple):
    """A change of which it is known whether bots answer to it, and the row that should have moved.

    ``yaku`` is the id of a yaku, or empty for the option ``path``; ``worth`` is what the yaku was worth then.
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
    """The answers that tell something, by what they are about: an option's path, or ``yaku.`` and an id."""
    by_position: dict[str, list[dict[str, Any]]] = {}
    if ANSWERS.is_file():
        data = json.loads(ANSWERS.read_bytes())
        for answer in data["answers"]:
            if answer["verdict"] in _TELLING:
                by_position.setdefault(answer["path"], []).append({**answer, "games": data["games"]})
    return by_position


def tried(before: Ruleset, after: Ruleset) -> Iterator[TriedChange]:
    """What differs between the rulesets, as far as it is known whether bots answer to it.

    Of a yaku's worths that were tried, the nearest one in the same direction counts.
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
    """The tried worth of a yaku that is most like ``then`` and on the same side of what it is worth now."""
    pairs = [
        (abs(worth - then), answer)
        for answer in _answers().get(f"yaku.{yaku}", ())
        if ((worth := max(map(han_of, answer["changes"].values()))) - now) * (then - now) > 0
    ]
    return min(pairs, key=lambda pair: pair[0], default=(0, None))[1]


def _tried(answer: Mapping[str, Any], yaku: str = "", worth: Worth = False) -> TriedChange:
    group, name = answer["row"]
    answered = _TELLING[answer["verdict"]]
    figures = answer["before"], answer["after"], answer["games"]
    return TriedChange(answer["path"], yaku, worth, answered, (group, name), *figures)

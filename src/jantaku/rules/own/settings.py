"""Settings of a custom yaku in a rules file other than its value: condition, name and definition."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.errors import RulesError, phrase
from jantaku.rules.catalogue import catalogue
from jantaku.rules.own.reader import ID, Condition, Sum, known_yaku, no_yaku, problem_of, read, tests
from jantaku.rules.own.steps import program
from jantaku.rules.ruleset_texts import words_problems

WHEN: Final = "when"
WORDS: Final = {"name": 100, "definition": 1000}  # characters in one language
OWN_SETTINGS: Final = (WHEN, *WORDS)


def own_ids(data: Mapping[str, Any]) -> list[str]:
    """Return the ids of the yaku that the data of a rules file define by a condition."""
    rows = data.get("yaku")
    if not isinstance(rows, Mapping):
        return []
    known = catalogue()
    return [
        name for name, row in rows.items() if isinstance(row, Mapping) and WHEN in row and name not in known
    ]


def own_problem(yaku: str, setting: str, value: object, known: Collection[str]) -> Iterator[RulesError]:
    """Yield the problems of one setting that only custom yaku have; ``known`` are the existing ids."""
    path = f"yaku.{shown(yaku)}.{setting}"
    if yaku in catalogue():
        yield RulesError("own_taken", path=path, yaku=yaku)
    elif not ID.fullmatch(yaku):
        yield RulesError("own_id", path=f"yaku.{shown(yaku)}", value=shown(yaku))
    elif setting != WHEN:
        if isinstance(value, Mapping):
            yield from words_problems(path, value, by_hand=False, most=WORDS[setting])
        else:
            wanted = phrase("errors.kinds.such", example='{ en = "Red peacock" }')
            yield RulesError("wrong_value", path=path, value=shown(value), wanted=wanted)
    elif problem := problem_of(value, path) or _too_large(str(value), path):
        yield problem
    else:
        yield from unknown_names(read(str(value), path), path, known)


def unknown_names(condition: Condition, path: str, known: Collection[str]) -> Iterator[RulesError]:
    """Yield an error for each unknown yaku that a condition names."""
    every = {*known_yaku(), *known}
    for test in tests(condition.tree):
        for term in test.terms if isinstance(test, Sum) else ():
            if term.name and term.name not in every:
                start = condition.text.index(term.name, test.span[0]) - 1
                yield no_yaku(term.name, path, start, sorted(every))


def _too_large(text: str, path: str) -> RulesError | None:
    try:
        program(read(text, path), path)
    except RulesError as error:
        return error
    return None

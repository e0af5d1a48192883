"""Selection of the ruleset for a request, without running any code.

A request may name a preset or contain the rules as data. Any other name is refused unless the caller passes
``find`` to look it up, as the command line does to read rules files.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from jantaku.errors import RequestError, RulesError, either
from jantaku.rules import Ruleset, load, preset_names
from jantaku.rules.ruleset import no_preset

Find = Callable[[str], Ruleset]
MAX_CACHED_TEXT: Final = 32_768  # characters of JSON; longer rulesets are not cached


def rules_of(request: object, default: Ruleset | str = "standard", find: Find | None = None) -> Ruleset:
    """Return the ruleset of a request, or ``default`` if it has none.

    ``find`` looks up a name that is not a preset. Raises ``RulesError`` or ``RequestError``, both with
    ``rules`` as the field.
    """
    source = request.get("rules") if isinstance(request, Mapping) else None
    try:
        if source is None:
            return load(default)
        if isinstance(source, str):
            return _named(source, find)
        if isinstance(source, Mapping):
            return _ruleset_from(source)
    except RulesError as error:
        error.details["field"] = "rules"
        raise
    raise RequestError("wrong_type", field="rules", wanted=either(str, dict))


def _named(source: str, find: Find | None) -> Ruleset:
    if source in preset_names():
        return load(source)
    if find is None:
        raise no_preset(source)
    return find(source)


def _ruleset_from(data: Mapping[str, object]) -> Ruleset:
    try:
        text = json.dumps(data, sort_keys=True)
    except (RecursionError, TypeError, ValueError) as error:
        raise RequestError("wrong_type", field="rules", wanted=either(str, dict)) from error
    return _load_data(text) if len(text) <= MAX_CACHED_TEXT else load(data)


@lru_cache(maxsize=64)
def _load_data(text: str) -> Ruleset:
    return load(json.loads(text))

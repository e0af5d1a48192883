"""The ruleset that a request names, found without running anybody's code.

A request may name a preset or bring the rules as data. Where the caller allows paths it may name a
file too, but not one with local yaku, which is Python code: only the file that the user gave on the
command line may bring that.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from jantaku.errors import RequestError, RulesError
from jantaku.rules import Ruleset, load, preset_names


def rules_of(
    request: object,
    default: Ruleset | str = "standard",
    *,
    allow_paths: bool = False,
    trusted: Path | None = None,
) -> Ruleset:
    """The ruleset of a request, ``default`` where it names none.

    ``trusted`` is the file that ``default`` was read from; a request that names it gets that.
    Raises ``RulesError`` and ``RequestError`` with the field ``rules``.
    """
    source = request.get("rules") if isinstance(request, Mapping) else None
    try:
        if source is None:
            return load(default)
        if isinstance(source, str):
            return _named(source, default, allow_paths, trusted)
        if isinstance(source, Mapping):
            return _given(source)
    except RulesError as error:
        error.details["field"] = "rules"
        raise
    raise RequestError("wrong_type", field="rules", wanted="string | object")


def _named(source: str, default: Ruleset | str, allow_paths: bool, trusted: Path | None) -> Ruleset:
    if source in _presets():
        return _load_preset(source)
    if not allow_paths:
        raise RulesError("unknown_preset", path=source, presets=", ".join(preset_names()))
    try:
        if trusted is not None and Path(source).resolve() == trusted.resolve():
            return load(default)
        return _load_without_code(source)
    except (OSError, UnicodeDecodeError) as error:
        raise RulesError("unreadable_rules", path=source, reason=str(error)) from error


def _given(data: Mapping[str, object]) -> Ruleset:
    return _load_data(json.dumps(data, sort_keys=True))


@lru_cache(maxsize=1)
def _presets() -> frozenset[str]:
    return frozenset(preset_names())


@lru_cache(maxsize=64)
def _load_preset(name: str) -> Ruleset:
    return load(name)


@lru_cache(maxsize=64)
def _load_data(text: str) -> Ruleset:
    return load(json.loads(text))


@lru_cache(maxsize=64)
def _load_without_code(source: str) -> Ruleset:
    return load(source, allow_code=False)

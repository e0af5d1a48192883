"""Ready-made events and seasons: the JSON files in this folder, by name."""

import json
from functools import cache
from importlib import resources
from typing import Any

from jantaku import terms
from jantaku.errors import wrong_choice
from jantaku.terms import LANGUAGES, Language


@cache
def template_names() -> tuple[str, ...]:
    """Return the names of all templates."""
    files = resources.files(__package__).iterdir()
    return tuple(sorted(file.name.removesuffix(".json") for file in files if file.name.endswith(".json")))


def template(name: str, language: Language | None = None) -> dict[str, Any]:
    """Return a template with its texts in ``language``; raise ``RequestError`` for an unknown name."""
    if name not in template_names():
        raise wrong_choice("template", name, template_names())
    text = resources.files(__package__).joinpath(f"{name}.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    translated: dict[str, Any] = _in_language(data, language or terms.current())
    return translated


def _in_language(value: Any, language: Language) -> Any:
    """Replace every text given in three languages with the text in ``language``."""
    if isinstance(value, list):
        return [_in_language(item, language) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == set(LANGUAGES):
        return value[language]
    return {name: _in_language(item, language) for name, item in value.items()}

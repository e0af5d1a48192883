"""Events and seasons ready to be filled in: JSON files in this folder, by name."""

import json
from functools import cache
from importlib import resources
from typing import Any

from jantaku.bounded import nearest
from jantaku.errors import Phrases, RequestError


@cache
def template_names() -> tuple[str, ...]:
    """The names of all templates."""
    files = resources.files(__package__).iterdir()
    return tuple(sorted(file.name.removesuffix(".json") for file in files if file.name.endswith(".json")))


def template(name: str) -> dict[str, Any]:
    """The event or season of that name, as its file says it; ``RequestError`` where there is none."""
    if name not in template_names():
        near, known = nearest(name, template_names()), Phrases(template_names())
        code = "wrong_choice_nearest" if near else "wrong_choice"
        raise RequestError(code, field="template", value=name, nearest=near, known=known)
    text = resources.files(__package__).joinpath(f"{name}.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found

"""Events and seasons ready to be filled in: JSON files in this folder, by name."""

import json
from functools import cache
from importlib import resources
from typing import Any

from jantaku.errors import no_choice


@cache
def template_names() -> tuple[str, ...]:
    """The names of all templates."""
    files = resources.files(__package__).iterdir()
    return tuple(sorted(file.name.removesuffix(".json") for file in files if file.name.endswith(".json")))


def template(name: str) -> dict[str, Any]:
    """The event or season of that name, as its file says it; ``RequestError`` where there is none."""
    if name not in template_names():
        raise no_choice("template", name, template_names())
    text = resources.files(__package__).joinpath(f"{name}.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data

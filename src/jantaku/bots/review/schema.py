"""JSON Schema (draft 2020-12) of reviews, generated from their dataclasses and docstrings."""

import re
from typing import Any, Final

from jantaku.bots.review import model
from jantaku.bots.review.model import ReviewFile

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_FIELDS: Final = re.compile(r"^((?:``\w+``(?:, )?)+): (.*?)(?=^``|\Z)", re.MULTILINE | re.DOTALL)


def schema() -> dict[str, Any]:
    """Return the schema of a ``ReviewFile``; descriptions come from the docstrings.

    >>> schema()["properties"]["names"]["description"]
    'The players by seat; empty if the record has no names.'
    """
    from pydantic import TypeAdapter  # noqa: PLC0415  (only when a schema is made)

    made = TypeAdapter(ReviewFile).json_schema(mode="serialization")
    defined = made.get("$defs", {})
    for name, part in {**defined, ReviewFile.__name__: made}.items():
        _describe(part, getattr(model, name, None))
    return {"$schema": DIALECT, **made}


def _describe(part: dict[str, Any], kind: type | None) -> None:
    """Move the meaning of each field from the docstring to the field."""
    if kind is None or not kind.__doc__ or "properties" not in part:
        return
    text = re.sub(r"\n +", "\n", kind.__doc__)
    for names, meaning in _FIELDS.findall(text):
        description = " ".join(meaning.replace("``", "").replace("None", "null").split())
        for name in re.findall(r"\w+", names):
            part["properties"][name]["description"] = description[0].upper() + description[1:]
    part["description"] = text.partition("\n")[0]

"""What a stage is called: by its own names, or by what it is. Ids are for files and addresses."""

from collections.abc import Mapping, Sequence
from typing import Any

from jantaku import terms
from jantaku.terms import Language


def stage_name(stages: Sequence[Mapping[str, Any]], stage: str, language: Language) -> str:
    """The name of a stage in ``language``, else in any; a stage without one is named by its kind.

    ``stages`` are those of an event file. An unknown id stays as it is.
    """
    found = next((one for one in stages if one["id"] == stage), None)
    if found is None:
        return stage
    names = found.get("name") or {}
    given = names.get(language) or names.get("en") or next(filter(None, names.values()), None)
    if given:
        return str(given)
    alike = [one["id"] for one in stages if not one.get("name") and _kind(one) == _kind(found)]
    called = terms.text(f"event.unnamed.{_kind(found)}", language)
    return called if len(alike) == 1 else f"{called} {alike.index(stage) + 1}"


def _kind(stage: Mapping[str, Any]) -> str:
    return "final" if stage.get("from") else str(stage.get("kind") or "open")

"""What a stage is called: by its own names, or by what it is. Ids are for files and addresses."""

from collections.abc import Mapping, Sequence
from typing import Any

from jantaku import terms
from jantaku.terms import Language


def stage_name(stages: Sequence[Mapping[str, Any]], stage: str, language: Language) -> str:
    """The name of a stage; one without a name is named by its kind in ``language``.

    ``stages`` are those of an event file. An unknown id stays as it is.
    """
    named = next((row for row in stages if row["id"] == stage), None)
    if named is None:
        return stage
    if named.get("name"):
        return str(named["name"])
    alike = [stage["id"] for stage in stages if not stage.get("name") and _kind(stage) == _kind(named)]
    called = terms.text(f"event.unnamed.{_kind(named)}", language)
    return called if len(alike) == 1 else f"{called} {alike.index(stage) + 1}"


def _kind(stage: Mapping[str, Any]) -> str:
    return "final" if stage.get("from") else str(stage.get("kind") or "open")

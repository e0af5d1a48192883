"""What a stage is called: by its own names, or by what it is. Ids are for files and addresses."""

from collections.abc import Sequence

from jantaku import terms
from jantaku.club.event import Stage
from jantaku.terms import Language


def stage_name(stages: Sequence[Stage], stage: str, language: Language) -> str:
    """The name of a stage; one without a name is named by its kind in ``language``.

    An unknown id stays as it is.
    """
    named = next((row for row in stages if row.id == stage), None)
    if named is None:
        return stage
    if named.name:
        return named.name
    alike = [stage.id for stage in stages if not stage.name and _kind(stage) == _kind(named)]
    called = terms.text(f"event.unnamed.{_kind(named)}", language)
    return called if len(alike) == 1 else f"{called} {alike.index(stage) + 1}"


def _kind(stage: Stage) -> str:
    return "final" if stage.source else stage.kind

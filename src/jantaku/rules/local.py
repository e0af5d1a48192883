"""Local yaku: predicates in a Python file that a rules file names.

.. code-block:: python

    from jantaku.rules.local import yaku

    @yaku("kinmonkyou", closed=2, open=1, name={"en": "Golden Gate Bridge", "ja": "金門橋", "ko": "금문교"})
    def kinmonkyou(b):
        return b.runs & b.runs >> 2 & b.runs >> 4 & b.runs >> 6 & FIRSTS != 0

The predicate gets one reading of the hand (``jantaku.kernels.reading.PackedReading``), like the built-in ones
in ``jantaku.kernels.yaku``.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jantaku import terms
from jantaku.errors import RulesError
from jantaku.rules.catalogue import Worth, YakuValue, catalogue, is_worth

Predicate = Callable[[Any], bool]
MAX_LOCAL = 16


@dataclass(frozen=True)
class LocalYaku:
    """One local yaku: its words, its predicate, and its value unless the rules file sets another."""

    id: str
    value: YakuValue
    predicate: Predicate = field(compare=False)
    words: Mapping[str, Mapping[str, str]]
    fingerprint: str
    example: Mapping[str, Any] = field(default_factory=dict, compare=False)
    source: tuple[bytes, str] = field(
        default=(b"", ""), compare=False, repr=False
    )  # the file's code and path

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (*self.source, self.id)

    def word(self, part: str, language: terms.Language | None = None) -> str:
        """Its ``name`` or ``definition`` in a language; if missing, in English, otherwise in any language."""
        said = self.words.get(part, {})
        return said.get(language or terms.current()) or said.get("en") or next(iter(said.values()), "")


def absent_yaku(name: str, words: Mapping[str, Mapping[str, str]]) -> LocalYaku:
    """A stand-in for a local yaku whose code is missing, so that its rules can be shown. No hand has it.

    Its fingerprint differs from that of the yaku with its code.
    """
    return LocalYaku(name, YakuValue(), _never, words, f"{name}:absent")


def _never(_reading: Any) -> bool:
    return False


def yaku(
    name_id: str,
    /,
    *,
    closed: Worth,
    open: Worth = False,  # noqa: A002 — the word of the rules file
    name: Mapping[str, str],
    **settings: Any,
) -> Callable[[Predicate], Predicate]:
    """Mark a predicate as the yaku ``name_id``.

    ``name`` maps ``en``, ``ja`` and ``ko`` to the yaku's name; an optional ``definition`` does the same. An
    optional ``example`` is a hand with the yaku, as the fields of a JSON-lines request (``hand``, ``win``,
    ``by`` …). ``replaces`` and ``minimum`` are as in a rules file.
    """

    def mark(predicate: Predicate) -> Predicate:
        definition, example = settings.pop("definition", {}), settings.pop("example", {})
        value = YakuValue(closed=closed, open=open, **settings)
        predicate.jantaku_yaku = (name_id, value, name, definition, example)  # type: ignore[attr-defined]
        return predicate

    return mark


def load_local(settings: Any, folder: Path) -> tuple[LocalYaku, ...]:
    """The yaku of the file that ``[local] file`` names, relative to the rules file in ``folder``.

    This runs the file's code, so only ``jantaku.rules.files`` calls it. Raises ``RulesError`` if the file is
    missing or does not load.
    """
    if (
        not isinstance(settings, Mapping)
        or set(settings) != {"file"}
        or not isinstance(settings["file"], str)
    ):
        raise RulesError("wrong_value", path="local", value=settings, wanted='{ file = "my_yaku.py" }')
    path = folder / settings["file"]
    if not path.is_file():
        raise RulesError("local_missing", path="local.file", file=str(path))
    try:
        found = _run(path.read_bytes(), str(path))
    except RulesError:
        raise
    except Exception as error:
        raise RulesError("local_broken", path="local.file", file=str(path), reason=repr(error)) from error
    if not 0 < len(found) <= MAX_LOCAL:
        raise RulesError("local_count", path="local.file", count=len(found), most=MAX_LOCAL)
    return found


@cache
def _run(code: bytes, file: str) -> tuple[LocalYaku, ...]:
    """The yaku that a file's code defines; cached, so that equal code gives the same objects."""
    scope: dict[str, Any] = {"__name__": Path(file).stem, "__file__": file}
    exec(compile(code, file, "exec"), scope)  # noqa: S102 — the user's own file
    marked = [item for item in scope.values() if hasattr(item, "jantaku_yaku")]
    return tuple(_local(item, code, file) for item in dict.fromkeys(marked))


def _restored(code: bytes, file: str, name: str) -> LocalYaku:
    """Rebuild a yaku from a pickle; pickles are only read if this program wrote them."""
    return next(yaku for yaku in _run(code, file) if yaku.id == name)


def _local(predicate: Any, code: bytes, file: str) -> LocalYaku:
    name, value, words, definition, example = predicate.jantaku_yaku
    if name in catalogue():
        raise RulesError("local_taken", path=f"yaku.{name}", yaku=name)
    for worth in (value.closed, value.open):
        if not is_worth(worth):
            raise RulesError("wrong_yaku_value", path=f"yaku.{name}", value=worth)
    said = {"name": words, "definition": definition}
    mark = f"{name}:{hashlib.sha256(code).hexdigest()}"
    return LocalYaku(name, value, predicate, said, mark, example, (code, file))

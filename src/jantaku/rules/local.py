"""Local yaku: predicates in a Python file that a rules file names.

.. code-block:: python

    from jantaku.rules.local import yaku

    @yaku("kinmonkyou", closed=2, open=1, name={"en": "Golden Gate Bridge", "ja": "金門橋", "ko": "금문교"})
    def kinmonkyou(b):
        return b.runs & b.runs >> 2 & b.runs >> 4 & b.runs >> 6 & FIRSTS != 0

The predicate gets one reading of the hand (``jantaku.kernels.reading.PackedReading``), like the built-in ones
in ``jantaku.kernels.yaku``.
"""

import copyreg
import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.errors import JantakuError, RulesError, RulesFileError, cause, phrase
from jantaku.rules.catalogue import Worth, YakuValue
from jantaku.rules.local_marks import (
    MAX_LOCAL,
    LocalYaku,
    Mark,
    Predicate,
    absent_yaku,
    endless,
    line_of,
    mark_problems,
    own_yaku,
    place_in,
)
from jantaku.rules.local_time_limit import TooSlowError, time_limit
from jantaku.rules.own.settings import WORDS
from jantaku.rules.ruleset_texts import one_line

MOST_PROBLEMS: Final = 20  # reported for one file


_marks: ContextVar[list[Mark]] = ContextVar("jantaku_marks")
"""The marks of the file that is being loaded, in their order."""


def yaku(
    name_id: str | None = None,
    /,
    *,
    closed: Worth | None = None,
    open: Worth = False,  # noqa: A002 — the word of the rules file
    name: Mapping[str, str] | None = None,
    **settings: Any,
) -> Callable[[Predicate], Predicate]:
    """Mark a predicate as the yaku ``name_id``.

    ``name`` maps ``en``, ``ja`` and ``ko`` to the yaku's name; an optional ``definition`` does the same. An
    optional ``example`` is a hand with the yaku, as the fields of a JSON-lines request (``hand``, ``win``,
    ``by`` …). ``replaces``, ``minimum`` and ``only`` are as in a rules file. What is wrong here is reported
    when a rules file names the file.
    """

    def mark(predicate: Predicate) -> Predicate:
        given = {"closed": closed, "open": open, "name": name, **settings}
        mark = Mark(name_id, predicate, given, sys._getframe(1).f_lineno)
        _marks.get([]).append(mark)
        predicate.jantaku_yaku = mark  # type: ignore[attr-defined]  # for files that import the function
        return predicate

    return mark(name_id) if callable(name_id) else mark  # written without ()


def load_local(settings: Any, folder: Path) -> tuple[LocalYaku, ...]:
    """The yaku of the file that ``[local] file`` names, relative to the rules file in ``folder``.

    This runs the file's code, so only ``jantaku.rules.rules_files`` calls it. Raises ``RulesError`` (a
    ``RulesFileError`` for several problems) if the file is missing or does not load.
    """
    if (
        not isinstance(settings, Mapping)
        or set(settings) != {"file"}
        or not isinstance(settings["file"], str)
    ):
        wanted = phrase("errors.kinds.settings", path="local", line='file = "my_yaku.py"')
        raise RulesError("wrong_value", path="local", value=shown(settings), wanted=wanted)
    path = folder / settings["file"]
    try:
        code = path.read_bytes() if path.is_file() else None
    except (OSError, ValueError) as error:
        raise RulesError(
            "local_unreadable", path="local.file", file=str(path), reason=cause(error)
        ) from error
    if code is None:
        raise RulesError("local_missing", path="local.file", file=str(path))
    return _run(code, str(path))


def joined(inherited: tuple[LocalYaku, ...], own: tuple[LocalYaku, ...]) -> tuple[LocalYaku, ...]:
    """The local yaku of the rules that a file extends, then its own; both may name the same Python file.

    Raises ``RulesError`` if two different yaku have one id, or if there are too many.
    """
    before = {yaku.id: yaku for yaku in inherited}
    new = tuple(yaku for yaku in own if before.get(yaku.id) != yaku)
    for yaku in new:
        if other := before.get(yaku.id):
            raise RulesError("local_twice", path=f"yaku.{yaku.id}", place=yaku.place, other=other.place)
    if len(inherited) + len(new) > MAX_LOCAL:
        raise RulesError("local_count", path="local.file", count=len(inherited) + len(new), most=MAX_LOCAL)
    return inherited + new


@cache
def _run(code: bytes, file: str) -> tuple[LocalYaku, ...]:
    """The yaku that a file's code defines; cached, so that equal code gives the same objects.

    Raises ``RulesError`` for the first thing that stops the code, or for everything wrong with its marks.
    """
    marks = _executed(code, file)
    problems = list(islice(mark_problems(marks, code, file), MOST_PROBLEMS + 1))
    if not 0 < len(marks) <= MAX_LOCAL:
        problems.append(RulesError("local_count", path="local.file", count=len(marks), most=MAX_LOCAL))
    if len(problems) == 1:
        raise problems[0]
    if problems:
        more = len(problems) > MOST_PROBLEMS
        name = Path(file).name
        raise RulesFileError("local_problems", source=name, problems=problems[:MOST_PROBLEMS], more=more)
    return tuple(_local(mark, code, file) for mark in marks)


def _executed(code: bytes, file: str) -> Sequence[Mark]:
    """Run the code; the marks that it sets."""
    scope: dict[str, Any] = {"__name__": Path(file).stem, "__file__": file}
    marks: list[Mark] = []
    token = _marks.set(marks)
    try:
        compiled = compile(code, file, "exec")
        with time_limit(file):
            exec(compiled, scope)  # noqa: S102 — the user's own file
    except JantakuError:
        raise
    except (Exception, SystemExit, TooSlowError) as error:
        raise _stopped(error, file) from error
    finally:
        _marks.reset(token)
    imported = (getattr(item, "jantaku_yaku", None) for item in scope.values())
    return marks + [
        value for value in imported if isinstance(value, Mark) and not any(value is m for m in marks)
    ]


def _stopped(error: BaseException, file: str) -> RulesError:
    """The error for code that cannot be run, with the line of the file that failed."""
    line = error.lineno if isinstance(error, SyntaxError) else line_of(error, file)
    if isinstance(error, TooSlowError):
        return endless("local.file", file, line or 0)
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return RulesError(
        "local_broken", path="local.file", file=file, reason=f"{type(error).__name__}: {said}",
        place=place_in(file, line) if line else "",
    )  # fmt: skip


def _restored(code: bytes, file: str, name: str) -> LocalYaku:
    """Rebuild a yaku from a pickle; pickles are only read if this program wrote them."""
    return next(yaku for yaku in _run(code, file) if yaku.id == name)


def _pickled(yaku: LocalYaku) -> tuple[Any, ...]:
    if yaku.condition:
        return own_yaku, (yaku.id, yaku.condition, {part: dict(said) for part, said in yaku.words.items()})
    if yaku.is_absent:
        return absent_yaku, (yaku.id, {part: dict(said) for part, said in yaku.words.items()})
    return _restored, (*yaku.source, yaku.id)


copyreg.pickle(LocalYaku, _pickled)


def _local(mark: Mark, code: bytes, file: str) -> LocalYaku:
    settings = dict(mark.settings)
    said = {part: one_line(settings.pop(part, None) or {}) for part in WORDS}
    example = settings.pop("example", None) or {}
    value = YakuValue(**{**settings, "replaces": tuple(settings.get("replaces", ()))})
    finger = f"{mark.id}:{hashlib.sha256(code).hexdigest()}"
    return LocalYaku(mark.id, value, mark.predicate, said, finger, example, (code, file), mark.line)

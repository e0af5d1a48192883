"""Local yaku as values, and what can be wrong with their marks; each problem names its yaku and its line."""

import ast
import hashlib
import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from jantaku import terms
from jantaku.bounded import named, shown
from jantaku.errors import Phrase, Phrases, RulesError, phrase
from jantaku.nearest_word import nearest
from jantaku.rules.bonus import BONUS
from jantaku.rules.catalogue import YakuValue, catalogue
from jantaku.rules.check import setting_problems
from jantaku.rules.fingerprints import plain
from jantaku.rules.local_time_limit import SECONDS
from jantaku.rules.own import Program, program, read
from jantaku.rules.own.codes import MOST_STEPS_TOGETHER
from jantaku.rules.own.condition_sentences import Named, condition_text, definition_of
from jantaku.rules.own.operands import ID
from jantaku.rules.own.settings import OWN_SETTINGS, WHEN, WORDS
from jantaku.rules.ruleset_texts import one_line, words_problems

MAX_LOCAL: Final = 16
SETTINGS: Final = tuple(item.name for item in fields(YakuValue))
Predicate = Callable[[Any], bool]
KNOWN: Final = (*SETTINGS, *WORDS, "example")


@dataclass(frozen=True)
class LocalYaku:
    """One local yaku: its words, its predicate, and its value unless the rules file sets another."""

    id: str
    value: YakuValue
    predicate: Predicate = field(compare=False)
    words: Mapping[str, Mapping[str, str]]
    fingerprint: str
    example: Mapping[str, Any] = field(default_factory=dict, compare=False)
    # the file's code and path
    source: tuple[bytes, str] = field(default=(b"", ""), compare=False, repr=False)
    line: int = field(default=0, compare=False)
    condition: str = ""

    def word(self, part: str, language: terms.Language | None = None) -> str:
        """Its ``name`` or ``definition`` in a language; if missing, in English, otherwise in any language."""
        said = self.words.get(part, {})
        word = said.get(language or terms.current()) or said.get("en") or next(iter(said.values()), "")
        return word or (self.id if part == "name" else "")

    def why(self, language: terms.Language | None = None, named: Named = str) -> str:
        """Its definition in a language or, without one, its condition as a clause (``named``: ``naming``)."""
        said = self.words.get("definition", {}).get(language or terms.current())
        if said is None and self.condition:
            return condition_text(read(self.condition), language, named)
        return said or self.word("definition", language)

    def definition(self, language: terms.Language | None = None, named: Named = str) -> str:
        """Its definition and, if it has a condition, what that says (``named``: ``naming``)."""
        said = self.word("definition", language)
        shown = definition_of(read(self.condition), language, named) if self.condition else ""
        return terms.paragraph((said, shown), language)

    @property
    def is_absent(self) -> bool:
        """Whether its code is missing."""
        return not self.source[1] and not self.condition

    @property
    def program(self) -> Program | None:
        """The program of its condition; a yaku of Python code has none."""
        path = f"yaku.{self.id}.{WHEN}"  # as it was checked: it is known by its path, too
        return program(read(self.condition, path), path) if self.condition else None

    @property
    def names(self) -> tuple[str, ...]:
        """The other local yaku that its condition names."""
        return self.program.named if self.program else ()

    @property
    def place(self) -> Phrase:
        """Where it stands, for the beginning of a message."""
        return place_in(self.source[1], self.line)


def naming(local: Iterable[LocalYaku], language: terms.Language | None = None) -> Named:
    """What gives the names of local yaku in a language, for conditions that name others."""
    names = {own.id: own.word("name", language) for own in local}
    return lambda yaku: names.get(yaku, yaku)


def absent_yaku(name: str, words: Mapping[str, Mapping[str, str]]) -> LocalYaku:
    """A stand-in for a local yaku whose code is missing, so that its rules can be shown. No hand has it.

    Its fingerprint differs from that of the yaku with its code.
    """
    return LocalYaku(name, YakuValue(), _never, words, f"{name}:absent")


def _never(_reading: Any) -> bool:
    return False


def own_yaku(name: str, condition: str, words: Mapping[str, Mapping[str, str]]) -> LocalYaku:
    """A yaku that is data: its condition decides. Its value stands in the rules."""
    text = read(condition, f"yaku.{name}.{WHEN}").text
    mark = f"{name}:{hashlib.sha256(text.encode()).hexdigest()}"
    said = {part: one_line(text) for part, text in words.items()}
    return LocalYaku(name, YakuValue(), _never, said, mark, condition=text)


def with_own(local: Iterable[LocalYaku], rows: Mapping[str, Mapping[str, Any]]) -> tuple[LocalYaku, ...]:
    """The local yaku, then the own yaku by id, as the ``rows`` of a rules file define or change them.

    Raises ``RulesError`` (``own_count``, ``own_too_large``) for too many of them, or too many steps together.
    """
    given = tuple(local)
    coded = tuple(yaku for yaku in given if not yaku.condition)
    own = {yaku.id: yaku for yaku in given if yaku.condition}
    for name, row in rows.items():
        if WHEN in row or (name in own and any(key in row for key in OWN_SETTINGS)):
            before = own.get(name)
            words = {part: row.get(part, before.words.get(part, {}) if before else {}) for part in WORDS}
            own[name] = own_yaku(name, row.get(WHEN) or (before.condition if before else ""), words)
    count = len(coded) + len(own)
    if count > MAX_LOCAL:
        raise RulesError("own_count", path="yaku", count=count, most=MAX_LOCAL)
    yaku = tuple(own[name] for name in sorted(own))
    if sum(yaku.program.size for yaku in yaku if yaku.program) > MOST_STEPS_TOGETHER:
        raise RulesError("own_too_large", path="yaku")
    return coded + yaku


def coded_problems(local: Iterable[LocalYaku], rows: object) -> Iterator[RulesError]:
    """What the ``rows`` of a rules file say of a yaku in Python code, but only own yaku have."""
    for yaku in local:
        row = rows.get(yaku.id) if isinstance(rows, Mapping) and not yaku.condition else None
        for setting in OWN_SETTINGS:
            if isinstance(row, Mapping) and setting in row:
                yield RulesError("own_coded", path=f"yaku.{yaku.id}.{setting}", yaku=yaku.id)


def own_settings(yaku: LocalYaku) -> dict[str, Any]:
    """What a rules file says of an own yaku besides its value."""
    said = {part: dict(words) for part, words in yaku.words.items() if words}
    return {WHEN: yaku.condition, **said}


def as_marks(local: Iterable[LocalYaku]) -> list[dict[str, Any]]:
    """Local yaku as data: with a mark instead of their code. Own yaku, which are data, stand in the rules."""
    return [
        {"id": yaku.id, "mark": yaku.fingerprint, "words": plain(yaku.words)}
        for yaku in local
        if not yaku.condition
    ]


def from_marks(
    marks: Iterable[Mapping[str, Any]], known: Mapping[str, LocalYaku] = MappingProxyType({})
) -> tuple[LocalYaku, ...]:
    """The yaku of ``as_marks``: those ``known`` by their marks, stand-ins for the others."""
    return tuple(known.get(mark["mark"]) or absent_yaku(mark["id"], mark["words"]) for mark in marks)


class Mark(NamedTuple):
    """What ``@yaku`` says of a predicate, not checked yet."""

    name: Any
    predicate: Callable[..., Any]
    settings: Mapping[str, Any]
    called: int = 0  # the line of the call

    @property
    def id(self) -> str:
        """The id of the yaku, or the name of the function if it has no usable one."""
        return self.name if isinstance(self.name, str) else getattr(self.predicate, "__name__", "?")

    @property
    def line(self) -> int:
        """The line at which its function begins."""
        code = getattr(self.predicate, "__code__", None)
        return code.co_firstlineno if code is not None else self.called


def mark_problems(marks: Sequence[Mark], code: bytes, file: str) -> Iterator[RulesError]:
    """Everything that is wrong with the marks of one file."""
    known = [*catalogue(), *(mark.id for mark in marks)]
    functions, before = _functions(code), dict[str, Phrase]()
    for mark in marks:
        place = place_in(file, mark.line)
        other = before.setdefault(mark.id, place)
        problems = [*_of_id(mark), *_of_settings(mark, known), *_of_function(mark, functions, file)]
        if other is not place:
            problems.append(RulesError("local_twice", path=f"yaku.{shown(mark.id)}", other=other))
        for problem in problems:
            problem.details["place"] = place
            yield problem


def place_in(file: str, line: int) -> Phrase:
    """A line of a file, for the beginning of a message."""
    return phrase("errors.kinds.in_line", file=Path(file).name, line=line)


def endless(path: str, file: str, line: int) -> RulesError:
    """The error for code that runs too long."""
    return RulesError(
        "local_endless", path=path, place=place_in(file, line) if line else "", seconds=round(SECONDS)
    )


def line_of(error: BaseException, file: str) -> int:
    """The last line of ``file`` that led to the error, 0 if none did."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((int(frame.lineno or 0) for frame in reversed(frames) if frame.filename == file), 0)


def _of_id(mark: Mark) -> Iterator[RulesError]:
    path = f"yaku.{shown(mark.id)}"
    if mark.name is None or mark.name is mark.predicate:
        yield RulesError("local_bare", path=path, line='@yaku("my_yaku", closed=1, name={"en": "…"})')
    elif not isinstance(mark.name, str) or not ID.fullmatch(mark.name):
        yield RulesError("local_id", path=path, value=shown(mark.name))
    elif mark.name in catalogue():
        yield RulesError("local_taken", path=path, yaku=mark.name)
    elif mark.name in BONUS:
        yield RulesError("own_dora", path=path, yaku=mark.name)


def _of_settings(mark: Mark, known: Sequence[str]) -> Iterator[RulesError]:
    path = f"yaku.{shown(mark.id)}"
    for name, value in mark.settings.items():
        if value is None and name in ("closed", "name"):
            yield RulesError("missing_field", path=f"{path}.{name}", field=f"{path}.{name}")
        elif name in WORDS:
            yield from _of_words(f"{path}.{name}", name, value)
        elif name == "example":
            if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
                yield RulesError(
                    "wrong_value", path=f"{path}.example", value=shown(value),
                    wanted=phrase("errors.kinds.such", example='{"hand": "…", "win": "1s", "by": "ron"}'),
                )  # fmt: skip
        elif name in SETTINGS:
            yield from setting_problems(f"{path}.{name}", name, value, known)
        else:
            near = nearest(name, KNOWN)
            code = "unknown_key_nearest" if near else "unknown_key"
            yield RulesError(code, path=f"{path}.{named(name)}", nearest=near, known=Phrases(KNOWN))


def _of_words(path: str, part: str, value: Any) -> Iterator[RulesError]:
    if not isinstance(value, Mapping):
        wanted = phrase("errors.kinds.such", example='{"en": "Golden Gate Bridge"}')
        yield RulesError("wrong_value", path=path, value=shown(value), wanted=wanted)
        return
    yield from words_problems(path, value, most=WORDS[part])


def _of_function(mark: Mark, functions: Mapping[int, ast.FunctionDef], file: str) -> Iterator[RulesError]:
    path = f"yaku.{shown(mark.id)}"
    code = getattr(mark.predicate, "__code__", None)
    if not inspect.isfunction(mark.predicate) or code is None:
        yield RulesError("local_no_function", path=path, value=shown(mark.predicate))
        return
    if inspect.iscoroutinefunction(mark.predicate) or inspect.isasyncgenfunction(mark.predicate):
        yield RulesError("local_no_function", path=path, value=f"async def {mark.predicate.__name__}")
        return
    taken = inspect.signature(mark.predicate).parameters.values()
    needed = [
        parameter
        for parameter in taken
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
    ]
    if len(needed) != 1 or needed[0].kind is needed[0].KEYWORD_ONLY:
        yield RulesError("local_parameters", path=path, count=len(needed))
    body = functions.get(code.co_firstlineno) if code.co_filename == file else None
    if body is not None and not _returns(body.body):
        yield RulesError("local_no_return", path=path)


def _functions(code: bytes) -> dict[int, ast.FunctionDef]:
    """The functions of a file by the line at which they, or their first decorators, begin."""
    functions = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef)]
    return {
        min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): node
        for node in functions
    }


def _returns(body: Sequence[ast.stmt]) -> bool:
    """Whether every way through the statements ends with ``return`` and a value, or with an error."""
    last = body[-1]
    bare = any(isinstance(node, ast.Return) and node.value is None for part in body for node in _inside(part))
    if bare or isinstance(last, ast.Return | ast.Raise):
        return not bare
    if isinstance(last, ast.If):
        return bool(last.orelse) and _returns(last.body) and _returns(last.orelse)
    if isinstance(last, ast.Match):
        final = last.cases[-1]
        open_case = (
            final.guard is None and isinstance(final.pattern, ast.MatchAs) and not final.pattern.pattern
        )
        return open_case and all(_returns(case.body) for case in last.cases)
    if isinstance(last, ast.Try):
        parts = [last.orelse or last.body, *(handler.body for handler in last.handlers)]
        return bool(last.finalbody and _returns(last.finalbody)) or all(_returns(part) for part in parts)
    if isinstance(last, ast.While | ast.For):
        forever = (
            isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
        )
        left = any(isinstance(node, ast.Break) for node in _inside(last))
        return not left and (forever or bool(last.orelse and _returns(last.orelse)))
    return isinstance(last, ast.With) and _returns(last.body)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """The node and those below it, without the bodies of inner functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda):
            yield from _inside(child)

"""Comparison of answers with expected ones, given as rows ``{"request": …, "expect": …}`` or shanten rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jantaku.adjudication.jsonl import Answer, answer, parse_line, shanten_answer
from jantaku.adjudication.named_rules import Find
from jantaku.errors import RecordError
from jantaku.rules import Ruleset

SHANTEN_EXPECTED = ("shanten", "standard", "chiitoitsu", "kokushi")


@dataclass(frozen=True, slots=True)
class Difference:
    """A field of an answer that differs from the expected value."""

    id: str
    field: str
    expected: object
    given: object


@dataclass
class Outcome:
    """The result of checking one row: the request, the answer and the differences."""

    request: Mapping[str, Any]
    reply: Answer
    differences: list[Difference] = field(default_factory=list)


def check_row(
    line: str | bytes,
    default_rules: Ruleset | str = "standard",
    *,
    name: str = "",
    find: Find | None = None,
) -> Outcome:
    """Answer the request of one row and compare the answer with the expected one.

    ``name`` identifies a request without an id. Raises ``RequestError`` if the line is not JSON, and
    ``RecordError`` (``not_a_row``) if it is not a row.
    """
    row = parse_line(line)
    if not isinstance(row, Mapping):
        raise RecordError("not_a_row", line=name)
    if isinstance(row.get("request"), Mapping) and isinstance(row.get("expect"), Mapping):
        request, expected = row["request"], row["expect"]
    elif "hand" in row and "shanten" in row:
        expected = {key: row[key] for key in SHANTEN_EXPECTED if key in row}
        request = {key: value for key, value in row.items() if key not in expected}
    else:
        raise RecordError("not_a_row", line=name)
    if "win" in request or "shanten" not in expected:
        reply = answer(request, default_rules, find)
    else:
        reply = shanten_answer(request)
    return Outcome(request, reply, list(differences(expected, reply, str(request.get("id", name)))))


def differences(expected: Mapping[str, Any], answer: Answer, name: str) -> Iterator[Difference]:
    """Yield every field of ``expected`` that is missing from the answer or has another value."""
    if "error" in answer and "error" not in expected:
        error = answer["error"]
        yield Difference(name, "error", None, f"{error['code']}: {error['message']}")
        return
    for key, wanted in expected.items():
        got = answer.get(key)
        if key == "error":
            wanted, got = _code(wanted), _code(got)  # noqa: PLW2901  (messages may change, codes may not)
        if key == "yaku" and isinstance(wanted, list) and isinstance(got, Mapping):
            same = sorted(wanted) == sorted(got)
        else:
            same = wanted == got
        if not same:
            yield Difference(name, key, wanted, got)


def _code(error: object) -> object:
    return error.get("code") if isinstance(error, Mapping) else error

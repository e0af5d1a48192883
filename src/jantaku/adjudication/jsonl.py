"""Adjudication in JSON lines: one request a line in, one answer a line out, errors as answers.

Requests may come from strangers: every field is checked (``jantaku.adjudication.requests``) and
nothing in one can run code (``jantaku.adjudication.named_rules``).
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, BinaryIO, Final

from jantaku.adjudication.named_rules import Find, rules_of
from jantaku.adjudication.requests import (
    SHANTEN_FIELDS,
    about,
    check_fields,
    melds_from_request,
    request_id,
    typed,
    win_from_request,
)
from jantaku.errors import HandError, JantakuError, RequestError, RulesError
from jantaku.hand import Hand, Win
from jantaku.rules import Ruleset
from jantaku.tiles import RED, parse_tile, parse_tiles

__all__ = ["answer", "answer_line", "answer_lines", "shanten_answer", "win_from_request"]

MAX_LINE: Final = 64 * 1024

Answer = dict[str, Any]


def answer(
    request: object,
    default_rules: Ruleset | str = "standard",
    find: Find | None = None,
) -> Answer:
    """Adjudicate one request: the score, or ``{"id": …, "error": …}`` where there is none.

    ``default_rules`` hold where the request names none; ``find`` looks up a name that is no preset's.
    Never raises for what a request says.
    """
    from jantaku.adjudication.score import score  # noqa: PLC0415  (compiled code)

    try:
        win = win_from_request(request)
        rules = rules_of(request, default_rules, find)
        try:
            result = score(win, rules)
        except RulesError as error:
            error.details.setdefault("field", _field_of(error, win))
            raise
    except JantakuError as error:
        return _refusal(request, error)
    return {"id": request_id(request), **result.to_dict()}


def shanten_answer(request: object) -> Answer:
    """How far a hand is from complete, by form: ``{"id": …, "shanten": 2, "standard": 2, …}``."""
    from jantaku.adjudication.analysis import shanten_forms  # noqa: PLC0415  (compiled code)

    try:
        fields = check_fields(request, SHANTEN_FIELDS)
        melds = melds_from_request(fields)
        with about("hand"):
            hand = Hand(tuple(parse_tiles(typed(fields, "hand", str))), melds, fields["hand"])
    except JantakuError as error:
        return _refusal(request, error)
    return {"id": request_id(request), **asdict(shanten_forms(hand))}


def answer_line(text: str | bytes, respond: Callable[[object], Answer] = answer) -> str:
    """The answer to one line, as one line without its end; a malformed line is answered too."""
    try:
        found = respond(parse_line(text))
    except RequestError as error:
        found = _refusal(None, error)
    said = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    # half of a surrogate pair in the request cannot be written; escaped like this it is JSON again
    return said.encode("utf-8", "backslashreplace").decode()


def answer_lines(stream: BinaryIO, respond: Callable[[object], Answer] = answer) -> Iterator[str]:
    """Answer line by line as they arrive; blank lines are passed over."""
    return (answer_line(line, respond) for line in bounded_lines(stream) if line.strip())


def bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long only so much that it is seen to be."""
    while line := stream.readline(MAX_LINE + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE)
        yield line


def parse_line(text: str | bytes) -> object:
    """The value a line holds; ``RequestError`` where it is too long or no JSON."""
    if len(text.rstrip()) > MAX_LINE:
        raise RequestError("line_too_long", field="", most=MAX_LINE)
    return parse_json(text)


def parse_json(text: str | bytes) -> object:
    """The value that a whole text holds; ``RequestError`` where it is no JSON."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise RequestError("not_json", field="", reason=str(error)) from error
    return value


def _refusal(request: object, error: JantakuError) -> Answer:
    if isinstance(error, HandError):
        said = {"code": error.code, "message": error.message()}
    else:
        field = str(error.details.get("field", ""))
        said = {"code": "bad_request", "field": field, "message": error.message()}
    return {"id": request_id(request), "error": said}


def _field_of(error: RulesError, win: Win) -> str:
    """The field of the request with what the ruleset does not have."""
    if error.path == "riichi.open":
        return "riichi"
    if error.path != "tiles.red":
        return "rules"
    red = parse_tile(str(error.details["tile"])) + RED
    for i, meld in enumerate(win.hand.melds):
        if red in meld.tiles:
            return f"melds[{i}].tiles"
    return "hand" if red in win.hand.tiles else "win"

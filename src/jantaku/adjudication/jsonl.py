"""Adjudication in JSON lines: one request per line in, one answer per line out, errors as answers.

Requests may be untrusted: every field is checked (``jantaku.adjudication.requests``) and nothing in a request
can run code (``jantaku.adjudication.named_rules``).
"""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, BinaryIO, Final

from jantaku.adjudication.named_rules import Find, rules_of
from jantaku.adjudication.requests import ShantenRequest, request_id, win_from_request
from jantaku.errors import HandError, JantakuError, RequestError, RulesError, cause
from jantaku.reading import Reader, about
from jantaku.rules import Ruleset
from jantaku.tiles import RED, Tile
from jantaku.win import Win

__all__ = ["answer", "answer_line", "answer_lines", "shanten_answer", "win_from_request"]

log: Final = logging.getLogger(__name__)
MAX_LINE: Final = 64 * 1024
_SHANTEN: Final = Reader(ShantenRequest)

Answer = dict[str, Any]


def answer(
    request: object,
    default_rules: Ruleset | str = "standard",
    find: Find | None = None,
) -> Answer:
    """The answer of ``jantaku score --jsonl`` to one request: the score, or ``{"id": …, "error": …}``.

    ``request`` is an object as read from JSON (docs/scoring-requests.md); nothing in it raises an error.
    ``default_rules`` apply if it names none. A request may name a preset or hold whole rules; with ``find``
    (``jantaku.load_file``, as on the command line) also a rules file.

    >>> answer({"id": 7, "hand": "234m567p34567s99p", "win": "8s", "by": "ron"})["yaku"]
    {'pinfu': 1}
    >>> answer({"id": 8, "hand": "234m567p34567s99p", "win": "8x", "by": "ron"})["error"]["field"]
    'win'
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


def shanten_answer(request: object, man: str = "all", in_melds: bool = False) -> Answer:
    """The shanten of a hand, by form: ``{"id": …, "shanten": 2, "standard": 2, …}``.

    ``man`` (``tiles.man`` of the rules) and ``in_melds`` (``draw.wait_in_melds``) hold for a request that
    does not name them.
    """
    from jantaku.adjudication.analysis import shanten_forms  # noqa: PLC0415  (compiled code)

    try:
        asked = _SHANTEN(request)
        hand = asked.read()
        said = asked.model_fields_set
        man = asked.man if "man" in said else man
        in_melds = asked.wait_in_melds if "wait_in_melds" in said else in_melds
        with about("kita"):
            found = shanten_forms(hand, man, asked.kita, in_melds)
    except JantakuError as error:
        return _refusal(request, error)
    return {"id": request_id(request), **asdict(found)}


def answer_line(text: str | bytes, respond: Callable[[object], Answer] = answer) -> str:
    """The answer to one line, without a line end; a malformed line gets an answer too."""
    request: object = None
    try:
        request = parse_line(text)
        reply = respond(request)
    except RequestError as error:
        reply = _refusal(None, error)
    except Exception as error:
        log.exception("a line of JSON failed")
        said = JantakuError("line_failed", reason=type(error).__name__).message()
        reply = {"id": request_id(request), "error": {"code": "line_failed", "message": said}}
    said = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
    # a lone surrogate in the request cannot be encoded; escaped, it is valid JSON
    return said.encode("utf-8", "backslashreplace").decode()


def answer_lines(stream: BinaryIO, respond: Callable[[object], Answer] = answer) -> Iterator[str]:
    """Answer each line as it arrives; blank lines are skipped."""
    return (answer_line(line, respond) for line in bounded_lines(stream) if line.strip())


def bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; a line that is too long is cut just after the limit."""
    while line := stream.readline(MAX_LINE + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE)
        yield line


def parse_line(text: str | bytes) -> object:
    """The value of a line; raises ``RequestError`` if it is too long or not JSON."""
    if len(text.rstrip()) > MAX_LINE:
        raise RequestError("line_too_long", field="", most=MAX_LINE)
    return parse_json(text)


def parse_json(text: str | bytes) -> object:
    """The value of a whole text; raises ``RequestError`` if it is not JSON."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise RequestError("not_json", field="", reason=cause(error)) from error
    return value


def _refusal(request: object, error: JantakuError) -> Answer:
    if isinstance(error, HandError):
        said = {"code": error.code, "message": error.message()}
    else:
        field = str(error.details.get("field", ""))
        said = {"code": "bad_request", "field": field, "message": error.message()}
    return {"id": request_id(request), "error": said}


def _field_of(error: RulesError, win: Win) -> str:
    """The request field with the tile or riichi that the ruleset does not have."""
    if error.path == "riichi.open":
        return "riichi"
    if error.path != "tiles.red":
        return "rules"
    wrong = Tile.parse(str(error.details["tile"])) + RED * (error.code == "red_not_in_rules")
    parts = {f"melds[{i}].tiles": meld.tiles for i, meld in enumerate(win.hand.melds)}
    parts |= {"hand": win.hand.tiles, "win": (win.tile,), "dora": win.dora, "ura": win.ura}
    parts["discarded"] = win.discarded or ()
    held = [name for name, tiles in parts.items() for tile in tiles if tile == wrong]
    return held[int(str(error.details["allowed"]))]

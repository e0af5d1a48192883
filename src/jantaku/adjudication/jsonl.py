"""Scoring as JSON lines: one request per line in, one answer per line out; errors are answers too.

Requests may be untrusted: every field is checked (``jantaku.adjudication.requests``) and no request can run
code (``jantaku.adjudication.named_rules``).
"""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, BinaryIO, Final

from jantaku.adjudication.named_rules import Find, rules_of
from jantaku.adjudication.requests import ShantenRequest, request_id, win_from_request
from jantaku.errors import HandError, JantakuError, RequestError, RulesError, cause
from jantaku.reading import Reader, in_field
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
    """Return what ``jantaku score --jsonl`` answers to one request: a score, or ``{"id": …, "error": …}``.

    ``request`` is any value read from JSON (docs/scoring-requests.md); an invalid one gets an error answer
    and raises nothing. ``default_rules`` apply if the request has no ``rules``. Rules are the name of a
    preset or a whole ruleset; ``find`` (``jantaku.load_file`` on the command line) also allows rules files.

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
    """Return the shanten of a hand by form: ``{"id": …, "shanten": 2, "standard": 2, …}``.

    ``man`` (the option ``tiles.man``) and ``in_melds`` (``draw.wait_in_melds``) are the defaults for a
    request without these fields.
    """
    from jantaku.adjudication.analysis import shanten_forms  # noqa: PLC0415  (compiled code)

    try:
        parsed = _SHANTEN(request)
        hand = parsed.read()
        present = parsed.model_fields_set
        man = parsed.man if "man" in present else man
        in_melds = parsed.wait_in_melds if "wait_in_melds" in present else in_melds
        with in_field("kita"):
            forms = shanten_forms(hand, man, parsed.kita, in_melds)
    except JantakuError as error:
        return _refusal(request, error)
    return {"id": request_id(request), **asdict(forms)}


def answer_line(text: str | bytes, respond: Callable[[object], Answer] = answer) -> str:
    """Answer one line; the answer has no line end. A malformed line gets an error answer."""
    request: object = None
    try:
        request = parse_line(text)
        reply = respond(request)
    except RequestError as error:
        reply = _refusal(None, error)
    except Exception as error:
        log.exception("a line of JSON failed")
        message = JantakuError("line_failed", reason=type(error).__name__).message()
        reply = {"id": request_id(request), "error": {"code": "line_failed", "message": message}}
    line = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
    # a lone surrogate echoed from the request cannot be encoded; escaped, it is valid JSON
    return line.encode("utf-8", "backslashreplace").decode()


def answer_lines(stream: BinaryIO, respond: Callable[[object], Answer] = answer) -> Iterator[str]:
    """Yield the answer to each line as it arrives; skip blank lines."""
    return (answer_line(line, respond) for line in bounded_lines(stream) if line.strip())


def bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; lines over ``MAX_LINE`` are cut to a length ``parse_line`` refuses."""
    while line := stream.readline(MAX_LINE + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE)
        yield line


def parse_line(text: str | bytes) -> object:
    """Parse one line of JSON; raises ``RequestError`` (``line_too_long``, ``not_json``)."""
    if len(text.rstrip()) > MAX_LINE:
        raise RequestError("line_too_long", field="", most=MAX_LINE)
    return parse_json(text)


def parse_json(text: str | bytes) -> object:
    """Parse a JSON text of any length; raises ``RequestError`` (``not_json``)."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise RequestError("not_json", field="", reason=cause(error)) from error
    return value


def _refusal(request: object, error: JantakuError) -> Answer:
    if isinstance(error, HandError):
        reply = {"code": error.code, "message": error.message()}
    else:
        field = str(error.details.get("field", ""))
        reply = {"code": "bad_request", "field": field, "message": error.message()}
    return {"id": request_id(request), "error": reply}


def _field_of(error: RulesError, win: Win) -> str:
    """Return the request field with the tile or the kind of riichi that the ruleset lacks."""
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

"""Game files: every action and event of a game in readable lines, verified by replay.

A file is JSON lines: the header (version, rules, commitment), then in order each action (``[seat, "5m*"]``,
with the action in the form of ``str()``) and each event, and finally the opening: the seed of the walls, or
the walls themselves if they were given. It reveals all hidden tiles, so keep it private until the game ends.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError, cause
from jantaku.game.actions import parse
from jantaku.game.game import Game, check_length
from jantaku.game.mid_game_start import standing_from
from jantaku.records.native.rules_mark import marked_rules
from jantaku.records.texts import parse_json
from jantaku.rules import Ruleset
from jantaku.tiles import format_tiles, parse_tiles

VERSION: Final = 2
MAX_NAMES: Final = 4
_KEY: Final = "jantaku"
Line = dict[str, Any] | list[Any]
Absent = Sequence[Sequence[int]] | None


def lines(game: Game, absent: Absent = None, names: Sequence[str] | None = None) -> Iterator[Line]:
    """Yield the lines of a game file as plain data; raise ``RecordError`` for a ``RecordedGame``.

    ``absent`` lists the hands of each seat, counted from 0, that substitutes played.
    """
    if not game.follows_rules:
        raise RecordError("record_as_recorded")
    yield {
        _KEY: VERSION,
        "rules": game.rules.id,
        "fingerprint": game.rules.fingerprint,
        "commitment": game.events[0].to_dict().get("commitment"),
        "ruleset": game.rules.to_dict(),
    } | ({"names": list(names)} if names else {})
    written = 0
    for before, seat, action in game.moves:
        yield from (event.to_dict() for event in game.events[written:before])
        written = before
        yield [seat, str(action)]
    yield from (event.to_dict() for event in game.events[written:])
    yield {"opening": opening(game)} | ({"absent": absent} if absent else {})


def opening(game: Game) -> str | list[str] | dict[str, Any]:
    """Return the data that reproduces the walls: the seed in hexadecimal, or each wall in notation.

    For a game that started mid-game, a mapping contains it together with the standing.
    """
    notated = [format_tiles(wall, sort=False) for wall in game.walls]
    walls = notated if game.seed is None else game.seed.hex()
    return walls if game.standing is None else {"walls": walls, "standing": game.standing.to_dict()}


def dumps(game: Game, absent: Absent = None, names: Sequence[str] | None = None) -> str:
    """Return the text of a game file."""
    given = lines(game, absent, names)
    rows = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in given)
    return "".join(f"{row}\n" for row in rows)


def read(path: str | Path, rules: Ruleset | None = None) -> Game:
    """Read a game file; see ``loads``."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError("unreadable_file", path=str(path), reason=cause(error)) from error
    return loads(text, rules)


def loads(text: str, rules: Ruleset | None = None) -> Game:
    """Replay the game in the text of a game file and compare every event.

    Refuses ``rules`` that differ in effect from those of the file. Raises ``RecordError`` with the number
    of the invalid line.
    """
    rows = [_row(line, number) for number, line in enumerate(text.rstrip().splitlines(), 1)]
    if len(rows) < 2 or not isinstance(rows[0], dict) or not isinstance(rows[-1], dict):
        raise RecordError("record_short", line=len(rows))
    check_length(sum(isinstance(row, list) for row in rows))
    game = start(marked_rules(known_version(rows[0]), rules), rows[-1].get("opening"), len(rows))
    if rows[0].get("commitment") != game.events[0].to_dict().get("commitment"):
        raise RecordError("record_commitment", line=len(rows))
    written = 0
    for number, row in enumerate(rows[1:-1], 2):
        if isinstance(row, list):
            _play(game, row, number)
        else:
            _compare(game, written, row, number)
            written += 1
    if written != len(game.events):
        raise RecordError("record_event", line=len(rows), wanted=_text(game.events[written].to_dict()))
    return game


def names_in(header: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the players' names in a header; empty if it has none."""
    names = header.get("names")
    return tuple(map(str, names[:MAX_NAMES])) if isinstance(names, list) else ()


def _row(line: str, number: int) -> Line:
    try:
        row = parse_json(line)
    except ValueError as error:
        raise RecordError("record_line", line=number, reason=cause(error)) from error
    if not isinstance(row, dict | list):
        raise RecordError("record_line", line=number, reason=line[:40])
    return row


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


def known_version(header: dict[str, Any]) -> dict[str, Any]:
    """Return the header; raise ``RecordError`` if its version is unknown."""
    if header.get(_KEY) != VERSION:
        raise RecordError("record_version", line=1, found=header.get(_KEY), known=VERSION)
    return header


def start(rules: Ruleset, opened: object, line: int) -> Game:
    """Return a game ready for replay, from the seed or walls of its opening."""
    standing = None
    try:
        if isinstance(opened, dict):
            standing = standing_from(opened["standing"])
            opened = opened.get("walls")
        if isinstance(opened, str):
            return Game(rules, bytes.fromhex(opened), standing=standing)
        if isinstance(opened, list) and opened:
            return Game(rules, walls=[parse_tiles(str(wall)) for wall in opened], standing=standing)
    except (JantakuError, LookupError, TypeError, ValueError) as error:
        raise RecordError("record_opening", line=line, reason=cause(error)) from error
    raise RecordError("record_opening", line=line, reason=repr(opened)[:40])


def _play(game: Game, row: list[Any], number: int) -> None:
    try:
        seat, text = row
        game.play(int(seat), parse(str(text)))
    except (JantakuError, OverflowError, TypeError, ValueError) as error:
        raise RecordError("record_action", line=number, reason=cause(error)) from error


def _compare(game: Game, index: int, row: dict[str, Any], number: int) -> None:
    wanted = game.events[index].to_dict() if index < len(game.events) else {}
    if not event_matches(row, wanted):
        raise RecordError("record_event", line=number, wanted=_text(wanted))


def event_matches(row: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Whether a stored event matches ``wanted``, which may have fields that earlier versions lack."""
    if row == wanted:
        return True
    plain = json.loads(json.dumps(wanted))
    return "type" in row and all(name in plain and plain[name] == row[name] for name in row)

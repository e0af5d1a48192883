"""Store finished hands as they were played, so that no later version loses or changes them.

A stored game is its seed and its actions. A version whose engine plays them differently would show a
different game, so each finished hand is stored as well: its events, and the number of events before each
action.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from jantaku.errors import JantakuError, RecordError, cause
from jantaku.game.actions import Action, parse
from jantaku.game.events import Event, HandStarted, from_dict
from jantaku.game.game import Game
from jantaku.game.recorded import RecordedGame
from jantaku.records.native.game_file import event_matches
from jantaku.rules import Ruleset

VERSION: Final = 1
Moves = Sequence[tuple[int, str]]  # seat and action, in the form of ``str()``


def hand_logs(game: Game, first: int = 0, *, ended: bool = False) -> list[bytes]:
    """Return the logs of finished hands from index ``first``; ``ended``: the last hand is finished, too."""
    spans = list(_spans(game))
    if not (ended or game.is_over):
        spans.pop()
    return [_packed(game, *span) for span in spans[first:]]


def _spans(game: Game) -> Iterator[tuple[int, int]]:
    """Yield the range of events of each hand; the start of the game belongs to the first."""
    dealt = [i for i, event in enumerate(game.events) if isinstance(event, HandStarted)]
    starts = [0, *dealt[1:]]
    return zip(starts, [*starts[1:], len(game.events)], strict=True)


def _packed(game: Game, start: int, end: int) -> bytes:
    events = [event.to_dict() for event in game.events[start:end]]
    before = [first for first, _, _ in game.moves if start < first <= end]
    data = {"version": VERSION, "events": events, "before": before}
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


def _unpacked(log: bytes) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(zlib.decompress(log))
        version = data["version"]
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise RecordError("record_line", line=1, reason=cause(error)) from error
    if version != VERSION:
        raise RecordError("record_version", line=1, found=version, known=VERSION)
    return data


def differing_hand(game: Game, logs: Sequence[bytes]) -> int | None:
    """Return the index of the first hand that a replay plays differently from its log, or ``None``."""
    spans = list(_spans(game))
    for number, log in enumerate(logs):
        if number >= len(spans):
            return number
        start, end = spans[number]
        replayed = [event.to_dict() for event in game.events[start:end]]
        stored = _unpacked(log)["events"]
        if len(replayed) != len(stored) or not all(
            event_matches(row, wanted) for row, wanted in zip(stored, replayed, strict=True)
        ):
            return number
    return None


class PlayedHands(NamedTuple):
    """Hands as played: events, and the moves, each with the number of events before it."""

    events: list[Event]
    moves: list[tuple[int, int, Action]]


def unpack_hands(logs: Sequence[bytes], moves: Moves) -> PlayedHands:
    """Decode the hands of the logs; raises ``RecordError``."""
    played = PlayedHands([], [])
    try:
        for hand in map(_unpacked, logs):
            played.events.extend(map(from_dict, hand["events"]))
            for before in hand["before"]:
                seat, action = moves[len(played.moves)]
                played.moves.append((int(before), seat, parse(action)))
    except (JantakuError, LookupError, TypeError, ValueError) as error:
        raise RecordError("record_line", line=1, reason=cause(error)) from error
    return played


def as_played(rules: Ruleset, logs: Sequence[bytes], moves: Moves) -> RecordedGame:
    """Return the logged game, which this version's engine does not reproduce; raises ``RecordError``."""
    hands = unpack_hands(logs, moves)
    return RecordedGame(rules, hands.events, hands.moves, len(hands.moves))

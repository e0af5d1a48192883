"""A game in a few kilobytes of text: the rules' differences from the baseline, the seed and the actions.

The text is base85 of zlib-compressed bytes: the length of the header in two bytes, the header in JSON, then
two bytes per action, little-endian: the engine's integer in the low twelve bits, the seat in the next two.
"""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError, cause
from jantaku.game.actions import decode
from jantaku.game.game import Game, check_length
from jantaku.kernels.engine.state import CLAIMS
from jantaku.records.native.game_file import VERSION, known_version, names_in, opening, start
from jantaku.records.native.rules_mark import marked_rules, rules_mark
from jantaku.records.texts import parse_json
from jantaku.rules import Ruleset

_SEAT: Final = 12
_MAX_BYTES: Final = 1 << 20  # of a decompressed game


def compact(game: Game, names: Sequence[str] | None = None) -> str:
    """Return the game as one short text; raise ``RecordError`` for a ``RecordedGame``."""
    if not game.follows_rules:
        raise RecordError("record_as_recorded")
    header: dict[str, Any] = {
        "jantaku": VERSION,
        **rules_mark(game.rules),
        "opening": opening(game),
    } | ({"names": list(names)} if names else {})
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    actions = b"".join((seat << _SEAT | code).to_bytes(2, "little") for seat, code in game.played)
    packed = zlib.compress(len(head).to_bytes(2, "little") + head + actions, 9)
    return base64.b85encode(packed).decode()


def _unpacked(text: str) -> tuple[dict[str, Any], bytes]:
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b85decode(text.strip()), _MAX_BYTES)
        if unpacker.unconsumed_tail:
            raise ValueError(f"more than {_MAX_BYTES} bytes")
        size = int.from_bytes(data[:2], "little")
        return dict(parse_json(data[2 : 2 + size].decode())), data[2 + size :]
    except (ValueError, TypeError, zlib.error) as error:
        raise RecordError("record_line", line=1, reason=cause(error)) from error


def compact_names(text: str) -> tuple[str, ...]:
    """Return the players' names in a compact text; empty if it has none."""
    return names_in(_unpacked(text)[0])


def expand(text: str, rules: Ruleset | None = None) -> Game:
    """Replay the game in a compact text.

    Refuses ``rules`` that differ in effect from those of the text. Raises ``RecordError``, whose ``line``
    is the number of the invalid action.
    """
    header, actions = _unpacked(text)
    check_length(len(actions) // 2)
    game = start(marked_rules(known_version(header), rules), header.get("opening"), 1)
    for first in range(0, len(actions), 2):
        packed = int.from_bytes(actions[first : first + 2], "little")
        code, seat = packed & (1 << _SEAT) - 1, packed >> _SEAT
        called = int(game.record.claimed_tile) if game.record.phase == CLAIMS else 0
        try:
            game.play(seat, decode(code, called))
        except (JantakuError, KeyError) as error:
            raise RecordError("record_action", line=first // 2 + 1, reason=cause(error)) from error
    return game

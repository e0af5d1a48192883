"""Write events as mjai messages, in full or from one seat's perspective, and games as logs.

Jantaku extends mjai: red tiles of any rank are written like the red fives (``3mr``), an open riichi is a
``reach`` with ``open`` and ``tehai``, and ``start_game`` of a whole log contains the rules under ``jantaku``.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from jantaku.game import Game
from jantaku.game import events as e
from jantaku.game.walk import HandEnd, TableWalk, added_tile, source_seat, without
from jantaku.hand import WIND_NAMES, MeldType
from jantaku.records.log_rules import mark_of
from jantaku.records.native.rules_mark import KEY
from jantaku.records.script import logged_events
from jantaku.seats import hand_in_round, round_wind
from jantaku.tiles import NORTH, Tile
from jantaku.tiles import to_mjai as tile_name

Message = dict[str, Any]
HIDDEN: Final = "?"
WINDS: Final = "ESWN"
REASONS: Final[dict[e.DrawKind, str]] = {
    "exhausted": "fanpai",
    "kyuushu_kyuuhai": "kyushukyuhai",
    "suufuu_renda": "sufonrenta",
    "suucha_riichi": "suchareach",
    "suukansanra": "sukaikan",
    "sanchahou": "sanchaho",
    "voided": "chombo",
}
NAGASHI: Final = "nagashimangan"
KITA: Final = "nukidora"


def tiles_of(tiles: Iterable[int]) -> list[str]:
    """Return the mjai names of tiles."""
    return [tile_name(tile) for tile in tiles]


class MjaiEncoder:
    """Converts events to messages one at a time, for ``seat`` or in full if it is ``None``.

    A win is delayed until the next event, which has the payments.
    """

    def __init__(
        self,
        seat: int | None = None,
        names: Sequence[str] | None = None,
        mark: Mapping[str, Any] | None = None,
    ) -> None:
        """``mark`` describes the rules of the game (``rules_mark``)."""
        self.seat = seat
        self.mark = mark
        self.names = list(names or ())
        self._table = TableWalk()
        self._playing = False

    def encode(self, event: e.Event) -> list[Message]:
        """Return the messages for an event, preceded by delayed ones."""
        return [message for step in self._table.walk(event) for message in self._messages(step)]

    def rest(self) -> list[Message]:
        """Return messages still delayed when the events end: the end of a hand with unknown payments."""
        end = self._table.end()
        return self._end(end) if end else []

    def _messages(self, event: e.Event | HandEnd) -> list[Message]:  # noqa: PLR0911, one for each event
        match event:
            case e.GameStarted():
                return [self._game_started(event)]
            case e.HandStarted():
                return [*self._close(), self._hand_started(event)]
            case e.Drew():
                known = event.tile is not None and self.seat in (None, event.seat)
                pai = tile_name(event.tile) if known and event.tile is not None else HIDDEN
                return [{"type": "tsumo", "actor": event.seat, "pai": pai}]
            case e.Discarded():
                return self._discarded(event)
            case e.RiichiAccepted():
                return [{"type": "reach_accepted", "actor": event.seat}]
            case e.Called() | e.KanDeclared():
                return [self._meld(event)]
            case e.KitaDeclared():
                return [{"type": KITA, "actor": event.seat, "pai": tile_name(NORTH)}]
            case e.DoraTurned():
                return [{"type": "dora", "dora_marker": tile_name(event.indicator)}]
            case HandEnd():
                return self._end(event)
            case e.GameEnded():
                return [*self._close(), {"type": "end_game", "scores": list(self._table.scores)}]
            case _:
                return []

    def _end(self, end: HandEnd) -> list[Message]:
        if end.draw is not None:
            reason = NAGASHI if end.draw.nagashi else REASONS[end.draw.kind]
            return [{"type": "ryukyoku", "reason": reason, "deltas": list(end.deltas)}]
        return [
            {"type": "hora", "actor": win.seat, "target": win.seat if win.source is None else win.source}
            | {"pai": tile_name(win.tile), "deltas": deltas, "ura_markers": tiles_of(win.ura)}
            for win, deltas in zip(end.wins, end.shares(self._table.dealer), strict=True)
        ]

    def _close(self) -> list[Message]:
        playing, self._playing = self._playing, False
        return [{"type": "end_kyoku"}] if playing else []

    def _game_started(self, event: e.GameStarted) -> Message:
        names = self.names or [str(seat) for seat in range(event.seats)]
        if self.seat is not None:
            started: Message = {"type": "start_game", "names": names, "id": self.seat}
            return started | ({KEY: self.mark} if self.mark else {})
        mark = self.mark or {"rules": event.rules, "fingerprint": event.fingerprint}
        return {"type": "start_game", "names": names, KEY: mark}

    def _hand_started(self, event: e.HandStarted) -> Message:
        self._playing, seats = True, len(event.scores)
        hands = [
            tiles_of(hand) if hand and self.seat in (None, seat) else [HIDDEN] * 13
            for seat, hand in enumerate(event.hands)
        ]
        return {
            "type": "start_kyoku",
            "bakaze": WINDS[WIND_NAMES.index(round_wind(event.number, seats))],
            "dora_marker": tile_name(event.indicator),
            "kyoku": hand_in_round(event.number, seats),
            "honba": event.honba,
            "kyotaku": event.deposits,
            "oya": event.dealer,
            "scores": list(event.scores),
            "tehais": hands,
        }

    def _discarded(self, event: e.Discarded) -> list[Message]:
        messages: list[Message] = [{"type": "reach", "actor": event.seat}] if event.riichi else []
        if event.shown is not None:
            messages[0] |= {"open": True, "tehai": tiles_of(event.shown)}
        pai = tile_name(event.tile)
        return [*messages, {"type": "dahai", "actor": event.seat, "pai": pai, "tsumogiri": event.drawn}]

    def _meld(self, event: e.Called | e.KanDeclared) -> Message:
        meld = event.meld
        message: Message = {"type": str(meld.type), "actor": event.seat}
        if meld.type is MeldType.ANKAN:
            return message | {"consumed": tiles_of(meld.tiles) or [HIDDEN] * 4}
        if isinstance(event, e.Called):
            message["target"] = source_seat(event.seat, meld, self._table.seats)
            tile = meld.called or Tile(0)
        else:
            tile = added_tile(event)
        own = without(meld.tiles, meld.called if isinstance(event, e.Called) else tile)
        return message | {"pai": tile_name(tile), "consumed": tiles_of(own)}


def to_mjai(
    game: Game | Iterable[e.Event], perspective: int | None = None, names: Sequence[str] | None = None
) -> list[Message]:
    """Return the messages of a game or of events, in full or from the perspective of a seat."""
    events = logged_events(game) if isinstance(game, Game) else game
    mark = mark_of(game) if isinstance(game, Game) and perspective is None else None
    encoder = MjaiEncoder(perspective, names, mark)
    if perspective is not None:
        events = (e.hide(event, perspective) for event in events)
    messages = [message for event in events for message in encoder.encode(event)]
    return messages + encoder.rest()


def dumps_mjai(game: Game, names: Sequence[str] | None = None) -> str:
    """Return the text of a whole log, one message per line."""
    rows = to_mjai(game, None, names)
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)

"""Converts events to mjai messages, in full or as one seat sees them.

We extend mjai where it has no words: red tiles of any rank are written like the red fives (``3mr``), an open
riichi is a ``reach`` with ``open`` and ``tehai``, and ``start_game`` holds the rules of a whole log under
``jantaku``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from jantaku.game import Game
from jantaku.game.events import (
    Called,
    Discarded,
    DoraTurned,
    Drew,
    Event,
    Fouled,
    GameEnded,
    GameStarted,
    HandDrawn,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    PointsMoved,
    RiichiAccepted,
    Won,
    hide,
)
from jantaku.hand import WIND_NAMES, Meld, MeldType
from jantaku.records.native.rules_mark import KEY
from jantaku.records.ruleset import mark_of
from jantaku.records.script import told
from jantaku.seats import hand_in_round, round_wind, seat_at
from jantaku.tiles import NORTH, Tile
from jantaku.tiles import to_mjai as tile_name

Message = dict[str, Any]
HIDDEN: Final = "?"
WINDS: Final = "ESWN"
REASONS: Final = {
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
    """The mjai names of tiles."""
    return [tile_name(tile) for tile in tiles]


def source_seat(seat: int, meld: Meld, seats: int) -> int:
    """The seat that a meld of ``seat`` was called from, or ``seat`` itself if from nobody."""
    return seat if meld.source is None else seat_at(seat, meld.source, seats)


def without(tiles: Iterable[Tile], taken: Tile | None) -> list[Tile]:
    """The tiles without one ``taken``."""
    found = list(tiles)
    if taken is not None:
        found.remove(taken)
    return found


def shares(wins: Sequence[Won], dealer: int, total: Sequence[int]) -> list[list[int]]:
    """The payments of each seat for each win; together they make ``total``."""
    seats = len(total)
    found = [list(win.payments_by_seat(dealer, seats)) for win in wins]
    for seat in range(seats):  # payments for the hand as a whole go with the last win
        found[-1][seat] += total[seat] - sum(deltas[seat] for deltas in found)
    return found


class MjaiEncoder:
    """Converts events to messages one at a time, for ``seat`` or in full for ``None``.

    A win is held back until the next event, which has the payments.
    """

    def __init__(
        self,
        seat: int | None = None,
        names: Sequence[str] | None = None,
        mark: Mapping[str, Any] | None = None,
    ) -> None:
        """``mark`` names the rules of the game, if ``seat`` is ``None``."""
        self.seat = seat
        self.mark = mark
        self.names = list(names or ())
        self._dealer = 0
        self._scores: list[int] = []
        self._playing = False
        self._wins: list[Won] = []
        self._undecided: HandDrawn | None = None

    def encode(self, event: Event) -> list[Message]:
        """The messages of the event, including those that were held back for it."""
        if isinstance(event, Won):
            self._wins.append(event)
            return []
        if isinstance(event, PointsMoved) and event.reason == "hand":
            found = self._ended(event.deltas)
        else:
            found = self.rest()
        tell = _MESSAGES.get(type(event))
        return found + (tell(self, event) if tell else [])

    def rest(self) -> list[Message]:
        """What is still held back when the events end: a hand's end whose payments are unknown."""
        return self._ended((0,) * len(self._scores))

    def _ended(self, moved: Sequence[int]) -> list[Message]:
        """The held back wins or draw."""
        found: list[Message] = []
        if self._wins:
            for win, deltas in zip(self._wins, shares(self._wins, self._dealer, moved), strict=True):
                target = win.seat if win.source is None else win.source
                found.append(
                    {"type": "hora", "actor": win.seat, "target": target, "pai": tile_name(win.tile)}
                    | {"deltas": deltas, "ura_markers": tiles_of(win.ura)}
                )
        elif self._undecided is not None:
            drawn = self._undecided
            reason = NAGASHI if drawn.nagashi else REASONS[drawn.kind]
            found.append({"type": "ryukyoku", "reason": reason, "deltas": list(moved)})
        self._wins, self._undecided = [], None
        return found

    def _close(self) -> list[Message]:
        playing, self._playing = self._playing, False
        return [{"type": "end_kyoku"}] if playing else []

    def _game_started(self, event: GameStarted) -> list[Message]:
        names = self.names or [str(seat) for seat in range(event.seats)]
        found: Message = {"type": "start_game", "names": names}
        if self.seat is None:
            found[KEY] = self.mark or {"rules": event.rules, "fingerprint": event.fingerprint}
        else:
            found["id"] = self.seat
        return [found]

    def _hand_started(self, event: HandStarted) -> list[Message]:
        closing, seats = self._close(), len(event.scores)
        self._playing, self._dealer, self._scores = True, event.dealer, list(event.scores)
        hands = [
            tiles_of(hand) if hand and self.seat in (None, seat) else [HIDDEN] * 13
            for seat, hand in enumerate(event.hands)
        ]
        return [
            *closing,
            {
                "type": "start_kyoku",
                "bakaze": WINDS[WIND_NAMES.index(round_wind(event.number, seats))],
                "dora_marker": tile_name(event.indicator),
                "kyoku": hand_in_round(event.number, seats),
                "honba": event.honba,
                "kyotaku": event.deposits,
                "oya": event.dealer,
                "scores": list(event.scores),
                "tehais": hands,
            },
        ]

    def _drew(self, event: Drew) -> list[Message]:
        known = event.tile is not None and self.seat in (None, event.seat)
        pai = tile_name(event.tile) if known and event.tile is not None else HIDDEN
        return [{"type": "tsumo", "actor": event.seat, "pai": pai}]

    def _discarded(self, event: Discarded) -> list[Message]:
        found: list[Message] = []
        if event.riichi:
            found.append({"type": "reach", "actor": event.seat})
        if event.shown is not None:
            found[0] |= {"open": True, "tehai": tiles_of(event.shown)}
        pai = tile_name(event.tile)
        return [*found, {"type": "dahai", "actor": event.seat, "pai": pai, "tsumogiri": event.drawn}]

    def _riichi_accepted(self, event: RiichiAccepted) -> list[Message]:
        self._scores[event.seat] -= event.deposit
        return [{"type": "reach_accepted", "actor": event.seat}]

    def _fouled(self, event: Fouled) -> list[Message]:
        self._scores[event.seat] -= event.deposit
        return []

    def _called(self, event: Called) -> list[Message]:
        meld = event.meld
        found: Message = {"type": str(meld.type), "actor": event.seat}
        found |= {
            "target": source_seat(event.seat, meld, len(self._scores)),
            "pai": tile_name(meld.called or 0),
        }
        return [found | {"consumed": tiles_of(without(meld.tiles, meld.called))}]

    def _kan_declared(self, event: KanDeclared) -> list[Message]:
        meld = event.meld
        found: Message = {"type": str(meld.type), "actor": event.seat}
        if meld.type is MeldType.ANKAN:
            return [found | {"consumed": tiles_of(meld.tiles) or [HIDDEN] * 4}]
        tile = meld.tiles[0] if event.tile is None else event.tile
        pon = without(meld.tiles, tile)
        return [found | {"pai": tile_name(tile), "consumed": tiles_of(pon)}]

    def _kita_declared(self, event: KitaDeclared) -> list[Message]:
        return [{"type": KITA, "actor": event.seat, "pai": tile_name(NORTH)}]

    def _dora_turned(self, event: DoraTurned) -> list[Message]:
        return [{"type": "dora", "dora_marker": tile_name(event.indicator)}]

    def _hand_drawn(self, event: HandDrawn) -> list[Message]:
        self._undecided = event
        return []

    def _points_moved(self, event: PointsMoved) -> list[Message]:
        self._scores = list(event.scores)
        return []

    def _game_ended(self, _: GameEnded) -> list[Message]:
        return [*self._close(), {"type": "end_game", "scores": self._scores}]


_MESSAGES: Final[dict[type[Event], Callable[[MjaiEncoder, Any], list[Message]]]] = {
    GameStarted: MjaiEncoder._game_started,
    HandStarted: MjaiEncoder._hand_started,
    Drew: MjaiEncoder._drew,
    Discarded: MjaiEncoder._discarded,
    RiichiAccepted: MjaiEncoder._riichi_accepted,
    Fouled: MjaiEncoder._fouled,
    Called: MjaiEncoder._called,
    KanDeclared: MjaiEncoder._kan_declared,
    KitaDeclared: MjaiEncoder._kita_declared,
    DoraTurned: MjaiEncoder._dora_turned,
    HandDrawn: MjaiEncoder._hand_drawn,
    PointsMoved: MjaiEncoder._points_moved,
    GameEnded: MjaiEncoder._game_ended,
}


def to_mjai(
    game: Game | Iterable[Event], perspective: int | None = None, names: Sequence[str] | None = None
) -> list[Message]:
    """The messages of a game or of events: in full, or as the seat ``perspective`` sees them."""
    events = told(game) if isinstance(game, Game) else game
    encoder = MjaiEncoder(perspective, names, mark_of(game) if isinstance(game, Game) else None)
    if perspective is not None:
        events = (hide(event, perspective) for event in events)
    found = [message for event in events for message in encoder.encode(event)]
    return found + encoder.rest()

"""A game as tenhou.net/6 JSON."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from jantaku.game import Game
from jantaku.game.events import (
    Called,
    Discarded,
    DoraTurned,
    Drew,
    Event,
    GameEnded,
    HandDrawn,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    PointsMoved,
    Won,
)
from jantaku.hand import MeldType
from jantaku.records.mjai.encode import shares, source_seat, without
from jantaku.records.native.rules_mark import KEY
from jantaku.records.places import PLACES, at_places, place_number
from jantaku.records.ruleset import mark_of, require_seats
from jantaku.records.script import told
from jantaku.records.tenhou6.code import (
    ADDED_KAN,
    AS_DRAWN,
    CHI,
    CLOSED_KAN,
    KITA,
    NO_DISCARD,
    OPEN_KAN,
    PON,
    RIICHI,
    CallCode,
    number_of,
    place_of,
)
from jantaku.records.tenhou6.result import WON, draw_row, win_row
from jantaku.rules import Ruleset
from jantaku.seats import away
from jantaku.tiles import RED

_LETTERS: Final = {MeldType.CHI: CHI, MeldType.PON: PON, MeldType.DAIMINKAN: OPEN_KAN}


class HandWriter:
    """Consumes the events of one hand."""

    def __init__(self, start: HandStarted) -> None:
        self.start = start
        self.dora = [number_of(start.indicator)]
        self.ura: list[int] = []
        self.seats = len(start.scores)
        self.takes: list[list[Any]] = [[] for _ in range(PLACES)]
        self.discards: list[list[Any]] = [[] for _ in range(PLACES)]
        self.wins: list[Won] = []
        self.drawn: HandDrawn | None = None
        self.deltas: Sequence[int] = (0,) * self.seats

    def take(self, event: Event) -> None:
        """Consume one event."""
        if write := _WRITERS.get(type(event)):
            write(self, event)

    def _drew(self, event: Drew) -> None:
        if event.tile is not None:
            self.takes[event.seat].append(number_of(event.tile))

    def _discarded(self, event: Discarded) -> None:
        number = AS_DRAWN if event.drawn else number_of(event.tile)
        written = f"{RIICHI[event.riichi]}{number}" if event.riichi else number
        self.discards[event.seat].append(written)

    def _called(self, event: Called) -> None:
        meld = event.meld
        turns = away(event.seat, source_seat(event.seat, meld, self.seats), PLACES)
        others = without(meld.tiles, meld.called)
        called = meld.tiles[0] if meld.called is None else meld.called
        place = place_of(turns, len(meld.tiles))
        code = CallCode(_LETTERS[meld.type], place, called, tuple(others))
        self.takes[event.seat].append(str(code))
        if meld.type is MeldType.DAIMINKAN:
            self.discards[event.seat].append(NO_DISCARD)

    def _kan_declared(self, event: KanDeclared) -> None:
        meld = event.meld
        if meld.type is MeldType.ANKAN:
            code = CallCode(CLOSED_KAN, 3, meld.tiles[-1], meld.tiles[:-1])
        else:
            added = meld.tiles[0] if event.tile is None else event.tile
            pon = without(without(meld.tiles, added), meld.called)
            source = source_seat(event.seat, meld, self.seats)
            place = place_of(away(event.seat, source, PLACES), 3)
            own = list(pon)
            if meld.called is not None:
                own.insert(place, meld.called)
            code = CallCode(ADDED_KAN, place, added, tuple(own))
        self.discards[event.seat].append(str(code))

    def _kita_declared(self, event: KitaDeclared) -> None:
        self.discards[event.seat].append(KITA)

    def _dora_turned(self, event: DoraTurned) -> None:
        self.dora.append(number_of(event.indicator))

    def _won(self, event: Won) -> None:
        self.wins.append(event)
        self.ura = max(self.ura, [number_of(tile) for tile in event.ura], key=len)

    def _hand_drawn(self, event: HandDrawn) -> None:
        self.drawn = event

    def _points_moved(self, event: PointsMoved) -> None:
        if event.reason == "hand":
            self.deltas = event.deltas

    def _result(self) -> list[list[Any]]:
        if self.drawn is not None:
            return [draw_row(self.drawn, self.deltas)]
        if not self.wins:
            return []
        rows = zip(shares(self.wins, self.start.dealer, self.deltas), self.wins, strict=True)
        found: list[Any] = [WON]
        for deltas, win in rows:
            found += [at_places(deltas, 0), win_row(win, self.start.number, self.seats)]
        return [found]

    def row(self) -> list[Any]:
        """The hand as Tenhou writes it; without the last item while it is unfinished."""
        start = self.start
        found: list[Any] = [
            [place_number(start.number, self.seats), start.honba, start.deposits],
            at_places(start.scores, 0),
            self.dora,
            self.ura,
        ]
        for tiles, takes, discards in zip(at_places(start.hands, ()), self.takes, self.discards, strict=True):
            found += [[number_of(tile) for tile in sorted(tiles or (), key=_in_hand)], takes, discards]
        return found + self._result()


def _in_hand(tile: int) -> tuple[int, int]:
    """The order of a dealt hand in Tenhou's logs: a red five after the plain ones."""
    return tile % RED, tile


_WRITERS: Final[dict[type[Event], Callable[[HandWriter, Any], None]]] = {
    Drew: HandWriter._drew,
    Discarded: HandWriter._discarded,
    Called: HandWriter._called,
    KanDeclared: HandWriter._kan_declared,
    KitaDeclared: HandWriter._kita_declared,
    DoraTurned: HandWriter._dora_turned,
    Won: HandWriter._won,
    HandDrawn: HandWriter._hand_drawn,
    PointsMoved: HandWriter._points_moved,
}


def hand_rows(game: Game) -> list[list[Any]]:
    """Each hand of a game."""
    found: list[HandWriter] = []
    for event in told(game):
        if isinstance(event, HandStarted):
            found.append(HandWriter(event))
        elif found:
            found[-1].take(event)
    return [hand.row() for hand in found]


def display(rules: Ruleset) -> str:
    """Tenhou's name of such a table: ``南喰赤``, or ``三南喰赤`` with an empty place."""
    length = "三" * (len(rules.seats) < PLACES) + ("東" if rules.match.length == "east" else "南")
    return length + "喰" * bool(rules.calls.kuitan) + "赤" * bool(rules.tiles.red)


def to_tenhou(game: Game, names: Sequence[str] | None = None) -> dict[str, Any]:
    """A game as plain data."""
    rules = game.rules
    require_seats(rules, "tenhou", PLACES)
    reds = [rules.tiles.red.get(name, 0) for name in ("5m", "5p", "5s")]
    found: dict[str, Any] = {
        "title": [rules.id, ""],
        "name": at_places(list(names or [f"P{seat}" for seat in rules.seats]), ""),
        "rule": {
            "disp": display(rules),
            **{f"aka5{suit}": count for suit, count in enumerate(reds, 1)},
            KEY: mark_of(game),
        },
        "log": hand_rows(game),
    }
    if (ended := scores_of(game)) is not None:
        found["sc"] = ended
    return found


def scores_of(game: Game) -> list[float] | None:
    """Each seat's points and final points in thousands, once the game is over."""
    last = game.events[-1]
    if not isinstance(last, GameEnded):
        return None
    pairs = zip(at_places(game.scores, 0), at_places(last.final, 0), strict=True)
    return [number for score, final in pairs for number in (score, final / 1000)]


def dumps_tenhou(game: Game, names: Sequence[str] | None = None) -> str:
    """The text of a game, one line per hand."""
    found = to_tenhou(game, names)
    hands = ",\n".join(_text(hand) for hand in found.pop("log"))
    return f'{_text(found)[:-1]},"log":[\n{hands}\n]}}\n'


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

"""Write a game as tenhou.net/6 JSON."""

import json
from collections.abc import Sequence
from typing import Any, Final

from jantaku.game import Game
from jantaku.game import events as e
from jantaku.game.walk import HandEnd, TableWalk, added_tile, source_seat, walk, without
from jantaku.hand import MeldType
from jantaku.records.log_rules import mark_of, require_seats
from jantaku.records.native.rules_mark import KEY
from jantaku.records.places import PLACES, at_places, place_number
from jantaku.records.script import logged_events
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
from jantaku.records.tenhou6.endings import WON, draw_row, win_row
from jantaku.rules import Ruleset
from jantaku.seats import away
from jantaku.tiles import RED

_LETTERS: Final = {MeldType.CHI: CHI, MeldType.PON: PON, MeldType.DAIMINKAN: OPEN_KAN}


class HandWriter:
    """Writes one hand as a row; the last item is missing until the hand ends."""

    def __init__(self, start: e.HandStarted) -> None:
        self.seats = len(start.scores)
        self.dora = [number_of(start.indicator)]
        self.ura: list[int] = []
        self.takes: list[list[Any]] = [[] for _ in range(PLACES)]
        self.discards: list[list[Any]] = [[] for _ in range(PLACES)]
        number = place_number(start.number, self.seats)
        heading = [number, start.honba, start.deposits]
        self.row: list[Any] = [heading, at_places(start.scores, 0), self.dora, self.ura]
        for tiles, takes, discards in zip(at_places(start.hands, ()), self.takes, self.discards, strict=True):
            self.row += [[number_of(tile) for tile in sorted(tiles or (), key=_in_hand)], takes, discards]

    def write(self, event: e.Event | HandEnd, table: TableWalk) -> None:
        """Add one event."""
        match event:
            case e.Drew() if event.tile is not None:
                self.takes[event.seat].append(number_of(event.tile))
            case e.Discarded():
                number = AS_DRAWN if event.drawn else number_of(event.tile)
                written = f"{RIICHI[event.riichi]}{number}" if event.riichi else number
                self.discards[event.seat].append(written)
            case e.Called():
                self._call(event)
            case e.KanDeclared():
                self.discards[event.seat].append(str(self._kan(event)))
            case e.KitaDeclared():
                self.discards[event.seat].append(KITA)
            case e.DoraTurned():
                self.dora.append(number_of(event.indicator))
            case HandEnd() if table.start is not None:
                self.ura += map(number_of, table.ura)
                self.row.append(result_of(event, table.start))

    def _call(self, event: e.Called) -> None:
        meld = event.meld
        turns = away(event.seat, source_seat(event.seat, meld, self.seats), PLACES)
        called = meld.tiles[0] if meld.called is None else meld.called
        others = tuple(without(meld.tiles, meld.called))
        code = CallCode(_LETTERS[meld.type], place_of(turns, len(meld.tiles)), called, others)
        self.takes[event.seat].append(str(code))
        if meld.type is MeldType.DAIMINKAN:
            self.discards[event.seat].append(NO_DISCARD)

    def _kan(self, event: e.KanDeclared) -> CallCode:
        meld = event.meld
        if meld.type is MeldType.ANKAN:
            return CallCode(CLOSED_KAN, 3, meld.tiles[-1], meld.tiles[:-1])
        added = added_tile(event)
        own = without(without(meld.tiles, added), meld.called)
        index = place_of(away(event.seat, source_seat(event.seat, meld, self.seats), PLACES), 3)
        if meld.called is not None:
            own.insert(index, meld.called)
        return CallCode(ADDED_KAN, index, added, tuple(own))


def result_of(end: HandEnd, start: e.HandStarted) -> list[Any]:
    """Return the result of a hand: its draw, or the payments and details of each win."""
    if end.draw is not None:
        return draw_row(end.draw, end.deltas)
    row: list[Any] = [WON]
    for deltas, win in zip(end.shares(start.dealer), end.wins, strict=True):
        row += [at_places(deltas, 0), win_row(win, start.number, len(start.scores))]
    return row


def _in_hand(tile: int) -> tuple[int, int]:
    """Sort key of a dealt hand in Tenhou's logs: red fives come after plain ones."""
    return tile % RED, tile


def hand_rows(game: Game) -> list[list[Any]]:
    """Return the row of each hand of a game."""
    table, hands = TableWalk(), list[HandWriter]()
    for event in walk(logged_events(game), table):
        if isinstance(event, e.HandStarted):
            hands.append(HandWriter(event))
        elif hands:
            hands[-1].write(event, table)
    return [hand.row for hand in hands]


def display(rules: Ruleset) -> str:
    """Return Tenhou's name for such a table: ``南喰赤``, or ``三南喰赤`` with three players."""
    length = "三" * (len(rules.seats) < PLACES) + ("東" if rules.match.length == "east" else "南")
    return length + "喰" * bool(rules.calls.kuitan) + "赤" * bool(rules.tiles.red)


def to_tenhou(game: Game, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return a game as plain data."""
    rules = game.rules
    require_seats(rules, "tenhou", PLACES)
    reds = [rules.tiles.red.get(name, 0) for name in ("5m", "5p", "5s")]
    data: dict[str, Any] = {
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
        data["sc"] = ended
    return data


def scores_of(game: Game) -> list[float] | None:
    """Return each seat's points and final points in thousands; ``None`` until the game is over."""
    last = game.events[-1]
    if not isinstance(last, e.GameEnded):
        return None
    table = TableWalk()
    start = max(i for i, event in enumerate(game.events) if isinstance(event, e.HandStarted))
    for event in game.events[start:]:
        table.apply(event)
    pairs = zip(at_places(table.scores, 0), at_places(last.final, 0), strict=True)
    return [number for score, final in pairs for number in (score, final / 1000)]


def dumps_tenhou(game: Game, names: Sequence[str] | None = None) -> str:
    """Return the text of a game, one line per hand."""
    data = to_tenhou(game, names)
    hands = ",\n".join(_text(hand) for hand in data.pop("log"))
    return f'{_text(data)[:-1]},"log":[\n{hands}\n]}}\n'


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

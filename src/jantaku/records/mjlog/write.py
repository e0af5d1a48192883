"""Writes a game as a Tenhou log (XML) that Tenhou's own viewers and parsers can read.

Tenhou distinguishes the four copies of a tile, the engine does not: copies are numbered in the order in which
they are seen, the red ones first. We add what Tenhou lacks: ``jantaku`` in ``GO`` describes the rules,
``open`` in ``REACH`` marks an open riichi, ``local`` in ``AGARI`` names yaku without a Tenhou number.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote
from xml.sax.saxutils import escape

from jantaku.game import Game
from jantaku.game.events import (
    Called,
    Discarded,
    DoraTurned,
    Drew,
    Event,
    Fouled,
    GameEnded,
    HandDrawn,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    PointsMoved,
    RiichiAccepted,
    Won,
)
from jantaku.hand import WIND_NAMES, MeldType
from jantaku.records.mjai.encode import shares, source_seat, without
from jantaku.records.mjlog.log import KINDS_OF_DRAW, Call, red_counts
from jantaku.records.mjlog.meld_code import encode_kita, encode_meld
from jantaku.records.mjlog.wins import DORA, RED_DORA, ROUND_WIND, SEAT_WIND, TENHOU_YAKU, URA_DORA
from jantaku.records.native.rules_mark import KEY
from jantaku.records.places import PLACES, at_places, place_number
from jantaku.records.ruleset import mark_of, require_seats
from jantaku.records.script import told
from jantaku.records.tenhou6.result import liable_seat, told_yaku
from jantaku.rules import Ruleset
from jantaku.seats import away, round_wind
from jantaku.tiles import COPIES, NORTH, RED, Tile

NAGASHI: Final = "nm"
WORDS_OF_DRAW: Final = {kind: word for word, kind in KINDS_OF_DRAW.items() if word != NAGASHI}
LIMITS: Final = ("mangan", "haneman", "baiman", "sanbaiman")
YAKUMAN: Final = 5
_HUMANS, _NO_RED, _NO_KUITAN, _HANCHAN, _EMPTY_PLACE = 0x01, 0x02, 0x04, 0x08, 0x10
_NO_RANK: Final = {"dan": "0", "rate": "1500", "sx": "M"}
_RANKS: Final = {name: ",".join([value] * PLACES) for name, value in _NO_RANK.items()}
_QUOTE: Final = {'"': "&quot;"}
_BONUS: Final = {"dora": DORA, "ura_dora": URA_DORA, "red_dora": RED_DORA}


def tag(name: str, attributes: Mapping[str, object]) -> str:
    """One tag.

    >>> tag("DORA", {"hai": 5})
    '<DORA hai="5"/>'
    """
    pairs = (f' {key}="{escape(str(value), _QUOTE)}"' for key, value in attributes.items())
    return f"<{name}{''.join(pairs)}/>"


def listed(numbers: Sequence[object]) -> str:
    """Numbers separated by commas."""
    return ",".join(map(str, numbers))


def hundreds(points: int) -> str:
    """Points in hundreds, as in Tenhou; other amounts have decimals."""
    return str(points // 100) if points % 100 == 0 else f"{points / 100:.2f}"


def by_place(points: Sequence[int]) -> str:
    """The points of each place, in hundreds."""
    return listed([hundreds(one) for one in at_places(points, 0)])


class HandTags:
    """Consumes the events of one hand and writes its tags."""

    def __init__(self, start: HandStarted, rules: Ruleset) -> None:
        reds = red_counts(rules)
        self._left: dict[int, list[int]] = {}
        for kind, red in enumerate(reds):
            copies = range(COPIES * kind, COPIES * (kind + 1))
            self._left[kind + RED], self._left[kind] = list(copies[:red]), list(copies[red:])
        self._tile_of: dict[int, int] = {}  # the tile of each number seen so far
        self.start = start
        self.out: list[str] = []
        self.held = [[self._new(tile) for tile in hand or ()] for hand in start.hands]
        self.seats = len(start.scores)
        self.melds: list[list[int]] = [[] for _ in range(self.seats)]
        self._pons: dict[tuple[int, int], Call] = {}  # by seat and kind
        self.dora = [self._new(start.indicator)]
        self.ura: list[int] = []
        self.scores = list(start.scores)
        self.deposits = start.deposits
        self._drawn = self._lying = self._at = -1
        self.wins: list[Won] = []
        self.draw: HandDrawn | None = None
        self.deltas: Sequence[int] = (0,) * self.seats
        self._init()

    def _new(self, tile: int) -> int:
        """The number of a tile seen for the first time."""
        number = self._left[tile].pop(0)
        self._tile_of[number] = tile
        return number

    def _init(self) -> None:
        start = self.start
        number = place_number(start.number, self.seats)
        seed = (number, start.honba, start.deposits, 0, 0, self.dora[0])
        found = {"seed": listed(seed), "ten": by_place(start.scores)}
        hands = {f"hai{place}": listed(tiles) for place, tiles in enumerate(at_places(self.held, []))}
        self.out.append(tag("INIT", {**found, "oya": start.dealer, **hands}))

    def take(self, event: Event) -> None:
        """Consume one event."""
        if write := _WRITERS.get(type(event)):
            write(self, event)

    def _drew(self, event: Drew) -> None:
        self._drawn = self._new(event.tile or Tile(0))
        self.held[event.seat].append(self._drawn)
        self.out.append(f"<{'TUVW'[event.seat]}{self._drawn}/>")

    def _discarded(self, event: Discarded) -> None:
        if event.riichi:
            extra = {"open": 1} if event.riichi == "open" else {}
            self.out.append(tag("REACH", {"who": event.seat, "step": 1, **extra}))
        if event.drawn:
            self.held[event.seat].remove(self._drawn)
            self._lying = self._drawn
        else:
            self._lying = self._out_of(event.seat, event.tile, but=self._drawn)
        self._at, self._drawn = len(self.out), -1
        self.out.append(f"<{'DEFG'[event.seat]}{self._lying}/>")

    def _out_of(self, seat: int, tile: int, but: int = -1) -> int:
        """Remove such a tile from the hand; the one just drawn only if there is no other."""
        alike = [number for number in self.held[seat] if self._tile_of[number] == tile]
        found = next((number for number in alike if number != but), alike[0])
        self.held[seat].remove(found)
        return found

    def _riichi_accepted(self, event: RiichiAccepted) -> None:
        self.scores[event.seat] -= event.deposit
        self.deposits += 1
        ten = by_place(self.scores)
        self.out.append(tag("REACH", {"who": event.seat, "ten": ten, "step": 2}))

    def _fouled(self, event: Fouled) -> None:
        self.scores[event.seat] -= event.deposit
        self.deposits += event.sticks

    def _called(self, event: Called) -> None:
        meld, seat = event.meld, event.seat
        own = [self._out_of(seat, tile) for tile in without(meld.tiles, meld.called)]
        tiles = tuple(sorted((*own, self._lying)))
        call = Call(seat, meld.type, tiles, self._lying, source_seat(seat, meld, self.seats))
        if meld.type is MeldType.PON:
            self._pons[seat, tiles[0] // COPIES] = call
        self._meld(call)

    def _kan_declared(self, event: KanDeclared) -> None:
        meld, seat = event.meld, event.seat
        if meld.type is MeldType.ANKAN:
            tiles = tuple(sorted(self._out_of(seat, tile) for tile in meld.tiles))
            self._meld(Call(seat, MeldType.ANKAN, tiles, None, seat))
            return
        added = meld.tiles[0] if event.tile is None else event.tile
        self._lying = self._out_of(seat, added, but=self._drawn)
        pon = self._pons[seat, self._lying // COPIES]
        self.melds[seat].remove(encode_meld(pon))
        call = Call(seat, MeldType.KAKAN, (*pon.tiles, self._lying), self._lying, pon.source)
        self._meld(call, pon.called)

    def _meld(self, call: Call, taken: int | None = None) -> None:
        self._tell(call.seat, encode_meld(call, taken))

    def _tell(self, seat: int, code: int) -> None:
        self.melds[seat].append(code)
        self._at, self._drawn = -1, -1
        self.out.append(tag("N", {"who": seat, "m": code}))

    def _kita_declared(self, event: KitaDeclared) -> None:
        self._lying = self._out_of(event.seat, NORTH)
        self._tell(event.seat, encode_kita(self._lying))

    def _dora_turned(self, event: DoraTurned) -> None:
        """Tenhou writes it before the discard that turns it."""
        self.dora.append(self._new(event.indicator))
        turned = tag("DORA", {"hai": self.dora[-1]})
        self.out.insert(self._at if self._at == len(self.out) - 1 >= 0 else len(self.out), turned)

    def _won(self, event: Won) -> None:
        self.wins.append(event)
        self.ura += [self._new(tile) for tile in event.ura[len(self.ura) :]]

    def _hand_drawn(self, event: HandDrawn) -> None:
        self.draw = event

    def _points_moved(self, event: PointsMoved) -> None:
        if event.reason == "hand":
            self.deltas = event.deltas

    def tags(self, owari: str = "") -> list[str]:
        """The tags of the hand; ``owari`` is the result of a game that ends with it."""
        ends = self._ends()
        if ends and owari:
            ends[-1][1]["owari"] = owari
        return self.out + [tag(name, attributes) for name, attributes in ends]

    def _ends(self) -> list[tuple[str, dict[str, object]]]:
        if self.draw is not None:
            return [("RYUUKYOKU", self._drawn_row(self.draw))]
        if not self.wins:
            return []
        found: list[tuple[str, dict[str, object]]] = []
        rows = zip(self.wins, shares(self.wins, self.start.dealer, self.deltas), strict=True)
        for place, (win, deltas) in enumerate(rows):
            sticks = self.deposits if place == 0 else 0
            found.append(("AGARI", {"ba": f"{self.start.honba},{sticks}", **self._win_row(win, deltas)}))
        return found

    def _drawn_row(self, drawn: HandDrawn) -> dict[str, object]:
        kind = NAGASHI if drawn.nagashi else WORDS_OF_DRAW[drawn.kind]
        shown = {
            f"hai{seat}": listed(sorted(self.held[seat]))
            for seat, hand in enumerate(drawn.hands)
            if hand is not None
        }
        told: dict[str, object] = {"type": kind} if kind else {}
        return {**told, "ba": f"{self.start.honba},{self.deposits}", "sc": self._sc(self.deltas), **shown}

    def _sc(self, deltas: Sequence[int]) -> str:
        pairs = zip(at_places(self.scores, 0), at_places(deltas, 0), strict=True)
        found = [text for pair in pairs for text in map(hundreds, pair)]
        self.scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
        return listed(found)

    def _win_row(self, win: Won, deltas: Sequence[int]) -> dict[str, object]:
        seat, own = win.seat, win.source is None
        tile = self._drawn if own else self._lying
        found: dict[str, object] = {"hai": listed(sorted({*self.held[seat], tile}))}
        if self.melds[seat]:
            found["m"] = listed(self.melds[seat][::-1])
        found |= {"machi": tile, **worth_of(win, self.start), "doraHai": listed(self.dora)}
        if win.ura:
            found["doraHaiUra"] = listed(self.ura)
        found |= {"who": seat, "fromWho": seat if own else win.source}
        liable = liable_seat(win, self.start.dealer, self.seats)
        if liable != seat:
            found["paoWho"] = liable
        return {**found, "sc": self._sc(deltas)}


def worth_of(win: Won, start: HandStarted) -> dict[str, object]:
    """``ten`` and ``yaku`` or ``yakuman`` of a win; ``local`` for yaku without a Tenhou number."""
    score = win.score
    limit = score.limit or ""
    rank = LIMITS.index(limit) + 1 if limit in LIMITS else YAKUMAN if limit else 0
    yaku = told_yaku(win)
    numbers = {name: _number(name, win, start) for name in yaku}
    known = [name for name, number in numbers.items() if number >= 0]
    found: dict[str, object] = {"ten": f"{score.fu or 0},{score.points},{rank}"}
    if score.yakuman:
        found["yakuman"] = listed([numbers[name] for name in known])
    else:
        found["yaku"] = listed([one for name in known for one in (numbers[name], yaku[name])])
    others = [one for name, han in yaku.items() if numbers[name] < 0 for one in (name, han)]
    return found | ({"local": listed(others)} if others else {})


def _number(yaku: str, win: Won, start: HandStarted) -> int:
    """Tenhou's number of a yaku in a win; −1 if Tenhou has none."""
    if yaku == "seat_wind":
        return SEAT_WIND + away(start.dealer, win.seat, len(start.scores))
    if yaku == "round_wind":
        return ROUND_WIND + WIND_NAMES.index(round_wind(start.number, len(start.scores)))
    return _BONUS[yaku] if yaku in _BONUS else TENHOU_YAKU.index(yaku) if yaku in TENHOU_YAKU else -1


_WRITERS: Final[dict[type[Event], Callable[[HandTags, Any], None]]] = {
    Drew: HandTags._drew,
    Discarded: HandTags._discarded,
    RiichiAccepted: HandTags._riichi_accepted,
    Fouled: HandTags._fouled,
    Called: HandTags._called,
    KanDeclared: HandTags._kan_declared,
    KitaDeclared: HandTags._kita_declared,
    DoraTurned: HandTags._dora_turned,
    Won: HandTags._won,
    HandDrawn: HandTags._hand_drawn,
    PointsMoved: HandTags._points_moved,
}


def table_type(rules: Ruleset) -> int:
    """Tenhou's number of the table type, as far as it has one."""
    found = _HUMANS | (_HANCHAN if rules.match.length != "east" else 0)
    found |= _EMPTY_PLACE if len(rules.seats) < PLACES else 0
    found |= 0 if any(rules.tiles.red.values()) else _NO_RED
    return found | (0 if rules.calls.kuitan else _NO_KUITAN)


def to_mjlog(game: Game, names: Sequence[str] | None = None) -> list[str]:
    """The tags of a game."""
    require_seats(game.rules, "mjlog", PLACES)
    mark = json.dumps(mark_of(game), ensure_ascii=False, separators=(",", ":"))
    called = {
        f"n{place}": quote(name, errors="replace")
        for place, name in enumerate(at_places(list(names or [""] * len(game.rules.seats)), "")[:PLACES])
    }
    found = [
        tag("GO", {"type": table_type(game.rules), "lobby": 0, KEY: mark}),
        tag("UN", {**called, **_RANKS}),
        tag("TAIKYOKU", {"oya": 0}),
    ]
    hand: HandTags | None = None
    owari = ""
    for event in told(game):
        if isinstance(event, HandStarted):
            found += hand.tags() if hand else []
            hand = HandTags(event, game.rules)
        elif isinstance(event, GameEnded):
            pairs = zip(at_places(game.scores, 0), at_places(event.final, 0), strict=True)
            owari = listed([text for one, final in pairs for text in (hundreds(one), f"{final / 1000:g}")])
        elif hand:
            hand.take(event)
    return found + (hand.tags(owari) if hand else [])


def dumps_mjlog(game: Game, names: Sequence[str] | None = None) -> str:
    """The text of a game, one line per hand."""
    tags = "".join(to_mjlog(game, names)).replace("<INIT", "\n<INIT")
    return f'<mjloggm ver="2.3">{tags}\n</mjloggm>\n'

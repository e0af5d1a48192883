"""Write a game as a Tenhou log (XML) that Tenhou's own viewers and parsers can read.

Tenhou distinguishes the four copies of a tile, the engine does not: copies are numbered in the order in which
they appear, the red ones first. Jantaku's extensions: ``jantaku`` in ``GO`` describes the rules, ``open`` in
``REACH`` marks an open riichi, and ``local`` in ``AGARI`` names yaku without a Tenhou number.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote
from xml.sax.saxutils import escape

from jantaku.game import Game
from jantaku.game import events as e
from jantaku.game.walk import HandEnd, TableWalk, walk
from jantaku.hand import WIND_NAMES, MeldType
from jantaku.records.log_rules import mark_of, require_seats
from jantaku.records.mjlog.log import KINDS_OF_DRAW, NAGASHI, TENHOU_YAKU, Call, red_counts
from jantaku.records.mjlog.meld_code import encode_kita, encode_meld
from jantaku.records.mjlog.wins import DORA, RED_DORA, ROUND_WIND, SEAT_WIND, URA_DORA
from jantaku.records.native.rules_mark import KEY
from jantaku.records.places import PLACES, at_places, place_number
from jantaku.records.script import logged_events
from jantaku.records.tenhou6.endings import liable_seat, listed_yaku
from jantaku.rules import Ruleset
from jantaku.seats import away, round_wind
from jantaku.tiles import COPIES, RED, Tile

WORDS_OF_DRAW: Final = {kind: word for word, kind in KINDS_OF_DRAW.items() if word != NAGASHI}
LIMITS: Final = ("mangan", "haneman", "baiman", "sanbaiman")
YAKUMAN: Final = 5
_HUMANS, _NO_RED, _NO_KUITAN, _HANCHAN, _EMPTY_PLACE = 0x01, 0x02, 0x04, 0x08, 0x10
_NO_RANK: Final = {"dan": "0", "rate": "1500", "sx": "M"}
_RANKS: Final = {name: ",".join([value] * PLACES) for name, value in _NO_RANK.items()}
_QUOTE: Final = {'"': "&quot;"}
_BONUS: Final = {"dora": DORA, "ura_dora": URA_DORA, "red_dora": RED_DORA}


def tag(name: str, attributes: Mapping[str, object]) -> str:
    """Format one tag.

    >>> tag("DORA", {"hai": 5})
    '<DORA hai="5"/>'
    """
    pairs = (f' {key}="{escape(str(value), _QUOTE)}"' for key, value in attributes.items())
    return f"<{name}{''.join(pairs)}/>"


def listed(numbers: Sequence[object]) -> str:
    """Join numbers with commas."""
    return ",".join(map(str, numbers))


def hundreds(points: int) -> str:
    """Format points in hundreds, as Tenhou does; other amounts have decimals."""
    return str(points // 100) if points % 100 == 0 else f"{points / 100:.2f}"


def by_place(points: Sequence[int]) -> str:
    """Format the points of each place, in hundreds."""
    return listed([hundreds(points) for points in at_places(points, 0)])


class _Copies(TableWalk):
    """A table with Tenhou's numbers, one for each copy of a tile."""

    def __init__(self, rules: Ruleset) -> None:
        self._reds = red_counts(rules)
        super().__init__()

    def _begin(self) -> None:
        super()._begin()
        self._left: dict[int, list[int]] = {}
        for kind, red in enumerate(self._reds):
            copies = range(COPIES * kind, COPIES * (kind + 1))
            self._left[kind + RED], self._left[kind] = list(copies[:red]), list(copies[red:])
        self._tile_of: dict[int, int] = {}

    def number(self, tile: Tile) -> int:
        number = self._left[tile].pop(0)
        self._tile_of[number] = tile
        return number

    def tile(self, number: int) -> int:
        return self._tile_of[number]


class _LogWriter:
    """Converts the events of a game to tags, each a name with its attributes."""

    def __init__(self, rules: Ruleset) -> None:
        self.table = _Copies(rules)
        self.tags: list[tuple[str, dict[str, object]]] = []
        self.melds: list[list[int]] = []

    def write(self, event: e.Event | HandEnd) -> None:
        """Add the tags of one event."""
        table = self.table
        match event:
            case e.HandStarted():
                self._start(event)
            case e.Drew():
                self._add(f"{'TUVW'[event.seat]}{table.last[1]}")
            case e.Discarded():
                if event.riichi:
                    extra = {"open": 1} if event.riichi == "open" else {}
                    self._add("REACH", who=event.seat, step=1, **extra)
                self._add(f"{'DEFG'[event.seat]}{table.last[1]}")
            case e.RiichiAccepted():
                self._add("REACH", who=event.seat, ten=by_place(table.scores), step=2)
            case e.Called() | e.KanDeclared():
                self._meld(event.seat)
            case e.KitaDeclared():
                self._call(event.seat, encode_kita(table.last[1]))
            case e.DoraTurned():  # Tenhou writes it before the discard that causes it
                after_discard = self.tags[-1][0][0] in "DEFG" and self.tags[-1][0][1:].isdigit()
                at = len(self.tags) - after_discard
                self.tags.insert(at, ("DORA", {"hai": table.indicators[-1]}))
            case HandEnd():
                self._end(event)
            case e.GameEnded() if self.tags and self.tags[-1][0] in ("AGARI", "RYUUKYOKU"):
                pairs = zip(at_places(table.scores, 0), at_places(event.final, 0), strict=True)
                texts = [text for score, final in pairs for text in (hundreds(score), f"{final / 1000:g}")]
                self.tags[-1][1]["owari"] = listed(texts)

    def _add(self, name: str, **attributes: object) -> None:
        self.tags.append((name, attributes))

    def _start(self, start: e.HandStarted) -> None:
        table = self.table
        self.melds = [[] for _ in range(table.seats)]
        number = place_number(start.number, table.seats)
        seed = (number, start.honba, start.deposits, 0, 0, table.indicators[0])
        hands = {f"hai{seat}": listed(tiles) for seat, tiles in enumerate(at_places(table.held, []))}
        self._add("INIT", seed=listed(seed), ten=by_place(start.scores), oya=start.dealer, **hands)

    def _meld(self, seat: int) -> None:
        laid = self.table.laid
        assert laid is not None
        if laid.meld.type is not MeldType.KAKAN:
            self._call(seat, encode_meld(Call(seat, laid.meld.type, laid.tiles, laid.called, laid.source)))
            return
        added = laid.tiles[-1]
        pon = Call(seat, MeldType.PON, laid.tiles[:-1], laid.called, laid.source)
        self.melds[seat].remove(encode_meld(pon))
        self._call(seat, encode_meld(Call(seat, MeldType.KAKAN, laid.tiles, added, laid.source), laid.called))

    def _call(self, seat: int, code: int) -> None:
        self.melds[seat].append(code)
        self._add("N", who=seat, m=code)

    def _end(self, end: HandEnd) -> None:
        table = self.table
        if end.draw is not None:
            self._draw(end.draw, end.deltas)
            return
        scores = list(table.scores)
        rows = zip(end.wins, end.shares(table.dealer), strict=True)
        for i, (win, deltas) in enumerate(rows):
            ba = f"{table.honba},{0 if i else table.deposits}"
            self._add("AGARI", ba=ba, **self._win(win), sc=changes(scores, deltas))
            scores = [score + delta for score, delta in zip(scores, deltas, strict=True)]

    def _draw(self, drawn: e.HandDrawn, deltas: Sequence[int]) -> None:
        table = self.table
        kind = NAGASHI if drawn.nagashi else WORDS_OF_DRAW[drawn.kind]
        shown = {
            f"hai{seat}": listed(sorted(table.held[seat]))
            for seat, hand in enumerate(drawn.hands)
            if hand is not None
        }
        row: dict[str, object] = {"type": kind} if kind else {}
        ba = f"{table.honba},{table.deposits}"
        self._add("RYUUKYOKU", **row, ba=ba, sc=changes(table.scores, deltas), **shown)

    def _win(self, win: e.Won) -> dict[str, object]:
        table, seat, tile = self.table, win.seat, self.table.last[1]
        assert table.start is not None
        row: dict[str, object] = {"hai": listed(sorted({*table.held[seat], tile}))}
        if self.melds[seat]:
            row["m"] = listed(self.melds[seat][::-1])
        row |= {"machi": tile, **worth_of(win, table.start), "doraHai": listed(table.indicators)}
        if win.ura:
            row["doraHaiUra"] = listed(table.ura)
        row |= {"who": seat, "fromWho": seat if win.source is None else win.source}
        liable = liable_seat(win, table.dealer, table.seats)
        return row | ({"paoWho": liable} if liable != seat else {})


def changes(scores: Sequence[int], deltas: Sequence[int]) -> str:
    """Format the points of each place and their changes, in hundreds."""
    pairs = zip(at_places(scores, 0), at_places(deltas, 0), strict=True)
    return listed([text for pair in pairs for text in map(hundreds, pair)])


def worth_of(win: e.Won, start: e.HandStarted) -> dict[str, object]:
    """Return ``ten`` and ``yaku`` or ``yakuman`` of a win; ``local`` for yaku without a Tenhou number."""
    score = win.score
    limit = score.limit or ""
    rank = LIMITS.index(limit) + 1 if limit in LIMITS else YAKUMAN if limit else 0
    yaku = listed_yaku(win)
    numbers = {name: _number(name, win, start) for name in yaku}
    known = [name for name, number in numbers.items() if number >= 0]
    fields: dict[str, object] = {"ten": f"{score.fu or 0},{score.points},{rank}"}
    if score.yakuman:
        fields["yakuman"] = listed([numbers[name] for name in known])
    else:
        fields["yaku"] = listed([entry for name in known for entry in (numbers[name], yaku[name])])
    others = [entry for name, han in yaku.items() if numbers[name] < 0 for entry in (name, han)]
    return fields | ({"local": listed(others)} if others else {})


def _number(yaku: str, win: e.Won, start: e.HandStarted) -> int:
    """Return Tenhou's number for a yaku in a win; −1 if Tenhou has none."""
    if yaku == "seat_wind":
        return SEAT_WIND + away(start.dealer, win.seat, len(start.scores))
    if yaku == "round_wind":
        return ROUND_WIND + WIND_NAMES.index(round_wind(start.number, len(start.scores)))
    return _BONUS[yaku] if yaku in _BONUS else TENHOU_YAKU.index(yaku) if yaku in TENHOU_YAKU else -1


def table_type(rules: Ruleset) -> int:
    """Return Tenhou's number for the table type, as far as it can express the rules."""
    kind = _HUMANS | (_HANCHAN if rules.match.length != "east" else 0)
    kind |= _EMPTY_PLACE if len(rules.seats) < PLACES else 0
    kind |= 0 if any(rules.tiles.red.values()) else _NO_RED
    return kind | (0 if rules.calls.kuitan else _NO_KUITAN)


def to_mjlog(game: Game, names: Sequence[str] | None = None) -> list[str]:
    """Return the tags of a game."""
    require_seats(game.rules, "mjlog", PLACES)
    mark = json.dumps(mark_of(game), ensure_ascii=False, separators=(",", ":"))
    player_names = {
        f"n{seat}": quote(name, errors="replace")
        for seat, name in enumerate(at_places(list(names or [""] * len(game.rules.seats)), "")[:PLACES])
    }
    writer = _LogWriter(game.rules)
    for event in walk(logged_events(game), writer.table):
        writer.write(event)
    heading: list[tuple[str, dict[str, object]]] = [
        ("GO", {"type": table_type(game.rules), "lobby": 0, KEY: mark}),
        ("UN", {**player_names, **_RANKS}),
        ("TAIKYOKU", {"oya": 0}),
    ]
    return [tag(name, attributes) for name, attributes in heading + writer.tags]


def dumps_mjlog(game: Game, names: Sequence[str] | None = None) -> str:
    """Return the text of a game, one line per hand."""
    tags = "".join(to_mjlog(game, names)).replace("<INIT", "\n<INIT")
    return f'<mjloggm ver="2.3">{tags}\n</mjloggm>\n'

"""Converts a script into a game as recorded, with the results that the record gives.

This is for records that differ from the rules: nothing is checked, and everything is shown and converted as
it stands.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.game import events as e
from jantaku.game.actions import Action, Chi, Discard, Kan, Kita, NineTerminals, Pon, Ron, Tsumo
from jantaku.game.log import Move
from jantaku.game.recorded import RecordedGame
from jantaku.game.walk import TableWalk
from jantaku.hand import Meld, MeldType
from jantaku.records import script
from jantaku.records.inferred_rules import LoggedEnd
from jantaku.rules import Ruleset
from jantaku.seats import by_place, by_wind, source_of
from jantaku.tiles import RED, Tile, sort_tiles

YAKUMAN_HAN: Final = 13
_CLAIMS: Final = (Chi, Pon)


@dataclass(frozen=True)
class LoggedWin:
    """A win as a record gives it."""

    seat: int
    source: int
    score: RecordedScore


@dataclass(frozen=True)
class LoggedHandEnd:
    """The end of a hand as a record gives it: wins, or the kind of draw, and the payments."""

    deltas: tuple[int, ...]
    wins: tuple[LoggedWin, ...] = ()
    kind: str = ""
    shown: tuple[int, ...] = ()


@dataclass(frozen=True)
class LoggedGame:
    """A whole record: hands, how each ended (``None`` if the record breaks off), and the end of the game."""

    hands: Sequence[script.ScriptHand]
    ends: Sequence[LoggedHandEnd | None]
    rules: Ruleset
    names: tuple[str, ...] = ()
    final: LoggedEnd | None = None
    chips: tuple[tuple[int, ...] | None, ...] = ()


def score_of(yaku: Mapping[str, int], deltas: Sequence[int], dealer: int, **given: Any) -> RecordedScore:
    """What a record says of a win; ``given`` has its han, fu, points, limit and yakuman."""
    payments = by_wind(deltas, dealer)
    usual: dict[str, Any] = {"han": sum(yaku.values()), "fu": 0, "points": max(deltas)}
    known = {name: value for name, value in given.items() if value is not None}
    return RecordedScore(yaku=dict(yaku), payments=payments, **(usual | known))


def recorded_game(logged: LoggedGame) -> RecordedGame:
    """The game of a record."""
    script.check_script(logged.hands)
    events: list[e.Event] = [
        e.GameStarted(logged.rules.id, logged.rules.fingerprint, len(logged.rules.seats))
    ]
    moves: list[Move] = []
    for hand, end in zip(logged.hands, logged.ends, strict=True):
        _HandConverter(hand, end, logged.rules, events, moves).tell()
    if logged.final is not None:
        scores, final = logged.final.scores, logged.final.points
        order = by_place(scores)
        last = next((event.scores for event in reversed(events) if isinstance(event, e.PointsMoved)), scores)
        if last != scores:
            deltas = tuple(b - a for a, b in zip(last, scores, strict=True))
            events.append(e.PointsMoved(deltas, scores, "leftover_deposits"))
        events.append(e.GameEnded(final, tuple(order.index(seat) + 1 for seat in logged.rules.seats)))
    return RecordedGame(logged.rules, events, moves, len(moves))


class _HandConverter:
    """Converts one hand; wins and melds show the tiles that the walk over its events leaves each seat."""

    def __init__(
        self,
        hand: script.ScriptHand,
        end: LoggedHandEnd | None,
        rules: Ruleset,
        events: list[e.Event],
        moves: list[Move],
    ) -> None:
        self.hand, self.end, self.rules = hand, end, rules
        self.events, self.moves = events, moves
        self.table = TableWalk()
        self.below: tuple[Tile, ...] = ()
        self.early: list[e.DoraTurned] = []  # indicators given before any step, as in tenhou.net/6
        self.started = False

    def tell(self) -> None:
        """Add the events and moves of the hand."""
        self._add(self.hand.start)
        wins = iter(self.end.wins if self.end else ())
        for step in self.hand.steps:
            self._step(step.what, wins)
        if self.end is not None:
            self._close(self.end)

    def _step(self, what: script.StepContent, wins: Iterator[LoggedWin]) -> None:
        if isinstance(what, script.UraIndicators):
            self.below = what.tiles or self.below
        elif isinstance(what, e.DoraTurned):
            if self.started:
                self._add(what)
            else:
                self.early.append(what)
        elif isinstance(what, e.Drew):
            self.started = True
            self._accept()
            if what.rinshan and self.early:
                self._add(self.early.pop(0))
            self._add(what)
        elif isinstance(what, script.EndWithoutWin):
            if self.end and self.end.kind == "kyuushu_kyuuhai":
                self._move(self.table.last[0], NineTerminals())
        elif isinstance(what, script.UnloggedAct):
            self._move(what.seat, what.action)
        else:
            self._act(what, wins)

    def _move(self, seat: int, action: Action) -> None:
        self.moves.append((len(self.events), seat, action))

    def _add(self, event: e.Event) -> None:
        self.events.append(event)
        self.table.apply(event)

    def _accept(self) -> None:
        """The riichi tile has passed."""
        if self.table.declared is not None:
            self._add(e.RiichiAccepted(self.table.declared, self.rules.riichi.deposit))

    def _act(self, act: script.ScriptAct, wins: Iterator[LoggedWin]) -> None:
        seat, action = act.seat, act.action
        if isinstance(action, Tsumo | Ron):
            self._move(seat, action)
            if (win := next(wins, None)) is not None:
                self._won(win)
            return
        claim = isinstance(action, _CLAIMS) or (isinstance(action, Kan) and action.kind == "daiminkan")
        if claim:
            self._accept()
        self._move(seat, action)
        if isinstance(action, Discard):
            self._add(e.Discarded(seat, action.tile, action.drawn, action.riichi))
        elif claim:
            self._call(act)
        elif isinstance(action, Kan):
            self._kan(seat, action)
        elif isinstance(action, Kita):
            self._add(e.KitaDeclared(seat))

    def _call(self, act: script.ScriptAct) -> None:
        called = act.called if act.called is not None else Tile(self.table.last[1])
        own = self._own_tiles(act.seat, act.action, called)
        kind = MeldType.CHI if isinstance(act.action, Chi) else MeldType.PON
        kind = MeldType.DAIMINKAN if isinstance(act.action, Kan) else kind
        owner = self.table.last[0] if act.source is None else act.source
        source = source_of(act.seat, owner, self.table.seats)
        meld = Meld(kind, tuple(sort_tiles((*own, called))), called, source)
        self._add(e.Called(act.seat, meld))

    def _own_tiles(self, seat: int, action: Action, called: Tile) -> list[Tile]:
        if isinstance(action, Chi):
            return list(action.tiles)
        alike = self._alike(seat, called)
        reds, plain = [t for t in alike if t >= RED], [t for t in alike if t < RED]
        if isinstance(action, Pon):
            return (reds[: action.red] + plain + reds[action.red :])[:2]
        return alike[:3]

    def _kan(self, seat: int, action: Kan) -> None:
        if action.kind == "ankan":
            tiles = self._alike(seat, action.tile)
            meld = Meld(MeldType.ANKAN, tuple(sort_tiles(tiles)))
        else:
            pon = self.table.pons[seat, action.tile % RED].meld
            meld = Meld(MeldType.KAKAN, tuple(sort_tiles((*pon.tiles, action.tile))), pon.called, pon.source)
        self._add(e.KanDeclared(seat, action.tile, meld))

    def _alike(self, seat: int, tile: int) -> list[Tile]:
        """The tiles of a kind that a seat holds."""
        return [Tile(held) for held in self.table.held[seat] if held % RED == tile % RED]

    def _won(self, win: LoggedWin) -> None:
        own, tile = win.seat == win.source, Tile(self.table.last[1])
        hand = [Tile(held) for held in self.table.held[win.seat]]
        if own and tile in hand:
            hand.remove(tile)
        source = None if own else win.source
        self._add(e.Won(win.seat, tile, tuple(sort_tiles(hand)), win.score, source, self.below))

    def _close(self, end: LoggedHandEnd) -> None:
        if not end.wins:
            self._accept()
            hands = tuple(
                tuple(sort_tiles(map(Tile, held))) if seat in end.shown else None
                for seat, held in enumerate(self.table.held)
            )
            tenpai = end.shown if end.kind == "exhausted" else ()
            kind = cast("e.DrawKind", end.kind or "exhausted")
            self._add(e.HandDrawn(kind, tenpai, (), hands))
        if any(end.deltas):
            after = tuple(a + b for a, b in zip(self.table.scores, end.deltas, strict=True))
            self._add(e.PointsMoved(tuple(end.deltas), after))

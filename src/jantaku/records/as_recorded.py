"""Convert a script into a game as recorded, with the results that the record states.

The engine does not play it, so this is fast, and a record that differs from the rules stays unchanged.
Impossible records are refused: tiles that a seat does not hold, a fifth copy, a hand that continues after its
end.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.errors import JantakuError, Phrase, RecordError, cause, phrase
from jantaku.game import events as e
from jantaku.game.actions import Action, Chi, Discard, Kan, Kita, NineTerminals, Pon, Ron, Tsumo
from jantaku.game.fair_walls import tile_set
from jantaku.game.log import Move
from jantaku.game.recorded import RecordedGame
from jantaku.game.walk import TableWalk
from jantaku.hand import Meld, MeldType
from jantaku.records import script
from jantaku.records.inferred_rules import LoggedEnd
from jantaku.rules import Ruleset
from jantaku.seats import by_place, by_wind, source_of
from jantaku.tiles import COPIES, RED, Tile, format_tiles, sort_tiles

YAKUMAN_HAN: Final = 13
_CLAIMS: Final = (Chi, Pon)


@dataclass(frozen=True)
class LoggedWin:
    """A win as recorded."""

    seat: int
    source: int
    score: RecordedScore


@dataclass(frozen=True)
class LoggedHandEnd:
    """The end of a hand as recorded: wins, or the kind of draw, and the payments."""

    deltas: tuple[int, ...]
    wins: tuple[LoggedWin, ...] = ()
    kind: str = ""
    shown: tuple[int, ...] = ()
    nagashi: bool = False


@dataclass(frozen=True)
class LoggedGame:
    """A whole record: hands, how each ended (``None`` if the record stops there), and the end of the game.

    ``refusal`` creates the error for a position in the record. ``is_whole``: the record has the results of
    all hands; ``cut`` is the error of a record that stops in the middle of a line.
    """

    hands: Sequence[script.ScriptHand]
    ends: Sequence[LoggedHandEnd | None]
    rules: Ruleset
    refusal: Callable[[script.LogPosition, object], RecordError]
    names: tuple[str, ...] = ()
    final: LoggedEnd | None = None
    chips: tuple[tuple[int, ...] | None, ...] = ()
    is_whole: bool = True
    cut: RecordError | None = None

    @property
    def needs_rules(self) -> bool:
        """Whether only the rules determine some results: costs of fouls, hands revealed by open riichi."""
        steps = (step.what for hand in self.hands for step in hand.steps)
        return not self.is_whole or any(map(_depends_on_rules, steps))


def _depends_on_rules(what: script.StepContent) -> bool:
    if isinstance(what, script.ScriptAct):
        return isinstance(what.action, Discard) and what.action.riichi == "open"
    return isinstance(what, script.UnloggedAct) or what == script.EndWithoutWin("voided")


class _ImpossibleError(Exception):
    """A step that is impossible at any table; ``reason`` explains it."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.reason = phrase(f"errors.impossible.{code}", **details)


def _not_held(seat: int, tiles: Iterable[int]) -> _ImpossibleError:
    return _ImpossibleError("not_held", seat=seat, tile=format_tiles(map(Tile, tiles)))


class _CheckedTable(TableWalk):
    """A table that checks tiles against the set and against the hands they leave."""

    def __init__(self, rules: Ruleset) -> None:
        self._set = Counter(map(int, tile_set(rules)))
        super().__init__()

    def _begin(self) -> None:
        super()._begin()
        self._unseen = self._set.copy()

    def number(self, tile: Tile) -> int:
        if not self._unseen[tile]:
            raise _ImpossibleError("too_many", tile=format_tiles([tile]))
        self._unseen[tile] -= 1
        return tile

    def take(self, seat: int, tiles: Iterable[int]) -> list[int]:
        wanted = list(tiles)
        if missing := Counter(wanted) - Counter(self.held[seat]):
            raise _not_held(seat, missing)
        return super().take(seat, wanted)


def score_of(yaku: Mapping[str, int], deltas: Sequence[int], dealer: int, **given: Any) -> RecordedScore:
    """Return the score of a recorded win; ``given`` has its han, fu, points, limit and yakuman."""
    payments = by_wind(deltas, dealer)
    usual: dict[str, Any] = {"han": sum(yaku.values()), "fu": 0, "points": max(deltas)}
    known = {name: value for name, value in given.items() if value is not None}
    return RecordedScore(yaku=dict(yaku), payments=payments, **(usual | known))


def recorded_game(logged: LoggedGame, *, adds_up: bool = False) -> RecordedGame:
    """Return the game in a record; raise ``RecordError`` where it is impossible.

    With ``adds_up``, also refuse hands whose points do not follow from the previous hand and its payments.
    """
    script.check_script(logged.hands)
    events: list[e.Event] = [
        e.GameStarted(logged.rules.id, logged.rules.fingerprint, len(logged.rules.seats))
    ]
    moves: list[Move] = []
    left: tuple[int, ...] | None = None  # each seat's points after the previous hand
    for hand, end in zip(logged.hands, logged.ends, strict=True):
        if adds_up and left not in (None, hand.start.scores):
            raise logged.refusal(hand.position, _other_points(hand.start.scores, left or ()))
        converter = _HandConverter(hand, end, logged.rules, events, moves)
        try:
            converter.convert()
            if end is None and hand is not logged.hands[-1]:
                raise _ImpossibleError("no_end")
        except _ImpossibleError as error:
            raise logged.refusal(converter.position, error.reason) from error
        except JantakuError as error:  # an invalid meld
            raise logged.refusal(converter.position, cause(error)) from error
        left = tuple(converter.table.scores)
    if logged.final is not None:
        scores, final = logged.final.scores, logged.final.points
        last = scores if left is None else left
        paid_out = tuple(b - a for a, b in zip(last, scores, strict=True))
        if adds_up and (
            min(paid_out) < 0 or sum(paid_out) > logged.rules.riichi.deposit * converter.table.deposits
        ):
            raise logged.refusal(converter.position, _other_points(scores, last))
        if any(paid_out):
            events.append(e.PointsMoved(paid_out, scores, "leftover_deposits"))
        order = by_place(scores)
        events.append(e.GameEnded(final, tuple(order.index(seat) + 1 for seat in logged.rules.seats)))
    return RecordedGame(logged.rules, events, moves, len(moves))


def _other_points(found: Sequence[int], wanted: Sequence[int]) -> Phrase:
    values = {"found": " ".join(map(str, found)), "wanted": " ".join(map(str, wanted))}
    return phrase("errors.impossible.scores", **values)


class _HandConverter:
    """Converts one hand; hidden tiles of wins and melds come from walking over the events so far."""

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
        self.table = _CheckedTable(rules)
        self.position = hand.position
        self.below: tuple[Tile, ...] = ()
        self.early: list[e.DoraTurned] = []  # indicators listed before any step, as in tenhou.net/6
        self.reveal = ""  # when the rules turn the indicator of the latest kan
        self.late = 0  # how many indicators the next discard turns
        self.riichi: set[int] = set()
        self.started = self.ended = False

    def convert(self) -> None:
        """Add the events and moves of the hand."""
        self._add(self.hand.start)
        wins = iter(self.end.wins if self.end else ())
        for step in self.hand.steps:
            self.position = step.position
            self._step(step.what, wins)
        if self.end is not None:
            self._close(self.end)

    def _step(self, what: script.StepContent, wins: Iterator[LoggedWin]) -> None:
        if self.ended and not (
            isinstance(what, script.UraIndicators | e.DoraTurned)
            or (isinstance(what, script.ScriptAct) and isinstance(what.action, Ron))
        ):
            raise _ImpossibleError("after_end")
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
            self._draw(what)
        elif isinstance(what, script.EndWithoutWin):
            self._finish()
            if self.end and self.end.kind == "kyuushu_kyuuhai":
                self._move(self.table.last[0], NineTerminals())
        elif isinstance(what, script.UnloggedAct):
            self._move(what.seat, what.action)
        else:
            self._act(what, wins)

    def _draw(self, drew: e.Drew) -> None:
        self._check_turn(None)
        reveal, self.reveal = self.reveal, ""
        if drew.rinshan:
            self._turn(self.late)
            self.late = int(reveal == "after_discard")
        self._turn(reveal in ("at_once", "before_draw"))
        self._add(drew)
        self._turn(reveal == "before_discard")

    def _turn(self, count: int) -> None:
        """Turn indicators whose time the record does not state."""
        for _ in self.early[:count]:
            self._add(self.early.pop(0))

    def _finish(self) -> None:
        self._turn(len(self.early))
        self.ended = True

    def _check_turn(self, seat: int | None) -> None:
        """Check that ``seat``, and no other, holds the extra tile of its turn (``None``: no seat)."""
        for other, held in enumerate(self.table.held):
            if len(held) % 3 != (2 if other == seat else 1):
                raise _ImpossibleError("turn", seat=other, count=len(held))

    def _check_offered(self, seat: int, tile: Tile | None = None) -> None:
        """Check that a claimed tile is the one this seat has just discarded or laid."""
        offer = self.table.offer
        offered = Tile(self.table.last[1])
        if offer is None or offer.seat != seat or tile not in (None, offered):
            raise _ImpossibleError(
                "not_lying", seat=seat, tile=format_tiles([offered if tile is None else tile])
            )

    def _move(self, seat: int, action: Action) -> None:
        self.moves.append((len(self.events), seat, action))

    def _add(self, event: e.Event) -> None:
        self.events.append(event)
        self.table.apply(event)

    def _accept(self) -> None:
        """Accept a declared riichi, because nobody has won on its discard."""
        if self.table.declared is not None:
            self._add(e.RiichiAccepted(self.table.declared, self.rules.riichi.deposit))

    def _act(self, act: script.ScriptAct, wins: Iterator[LoggedWin]) -> None:
        seat, action = act.seat, act.action
        if isinstance(action, Tsumo | Ron):
            self._check_turn(seat if isinstance(action, Tsumo) else None)
            self._finish()
            self._move(seat, action)
            if (win := next(wins, None)) is not None:
                self._won(win)
            return
        claim = isinstance(action, _CLAIMS) or (isinstance(action, Kan) and action.kind == "daiminkan")
        self._check_turn(None if claim else seat)
        if claim:
            self._accept()
        self._move(seat, action)
        if isinstance(action, Kan):
            dora = self.rules.dora
            self.reveal = dora.ankan_reveal if action.kind == "ankan" else dora.minkan_reveal
        if isinstance(action, Discard):
            if action.drawn and action.tile != self.table.last[1]:
                raise _not_held(seat, [action.tile])
            self._add(e.Discarded(seat, action.tile, action.drawn, action.riichi))
            self.riichi |= {seat} if action.riichi else set()
            self._turn(self.late)
            self.late = 0
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
        self._check_offered(owner, called)
        source = source_of(act.seat, owner, self.table.seats)
        meld = Meld(kind, tuple(sort_tiles((*own, called))), called, source)
        self._add(e.Called(act.seat, meld))

    def _own_tiles(self, seat: int, action: Action, called: Tile) -> list[Tile]:
        if isinstance(action, Chi):
            return list(action.tiles)
        alike = self._alike(seat, called)
        reds, plain = [t for t in alike if t >= RED], [t for t in alike if t < RED]
        if isinstance(action, Pon):
            alike = reds[: action.red] + plain + reds[action.red :]
        count = 2 if isinstance(action, Pon) else 3
        if len(alike) < count:
            raise _not_held(seat, [called] * count)
        return alike[:count]

    def _kan(self, seat: int, action: Kan) -> None:
        if action.kind == "ankan":
            tiles = self._alike(seat, action.tile)
            if len(tiles) < COPIES:
                raise _not_held(seat, [action.tile] * COPIES)
            meld = Meld(MeldType.ANKAN, tuple(sort_tiles(tiles)))
        else:
            laid = self.table.pons.get((seat, action.tile % RED))
            if laid is None:
                raise _ImpossibleError("no_pon", seat=seat, tile=format_tiles([action.tile]))
            pon = laid.meld
            meld = Meld(MeldType.KAKAN, tuple(sort_tiles((*pon.tiles, action.tile))), pon.called, pon.source)
        self._add(e.KanDeclared(seat, action.tile, meld))

    def _alike(self, seat: int, tile: int) -> list[Tile]:
        """Return the tiles of a kind that a seat holds."""
        return [Tile(held) for held in self.table.held[seat] if held % RED == tile % RED]

    def _won(self, win: LoggedWin) -> None:
        own, tile = win.seat == win.source, Tile(self.table.last[1])
        if not own:
            self._check_offered(win.source)
        hand = [Tile(held) for held in self.table.held[win.seat]]
        if own and tile in hand:
            hand.remove(tile)
        source = None if own else win.source
        below = self.below if win.seat in self.riichi else ()
        self._add(e.Won(win.seat, tile, tuple(sort_tiles(hand)), win.score, source, below))

    def _close(self, end: LoggedHandEnd) -> None:
        if not end.wins:
            self._accept()
            shown = end.shown or self._shown(end.kind)
            hands = tuple(
                tuple(sort_tiles(map(Tile, held))) if seat in shown else None
                for seat, held in enumerate(self.table.held)
            )
            tenpai = end.shown if end.kind == "exhausted" else ()
            kind = cast("e.DrawKind", end.kind or "exhausted")
            paid = tuple(seat for seat, delta in enumerate(end.deltas) if delta > 0)
            nagashi = paid or tuple(self.rules.seats) if end.nagashi else ()
            self._add(e.HandDrawn(kind, tenpai, nagashi, hands))
        if any(end.deltas):
            after = tuple(a + b for a, b in zip(self.table.scores, end.deltas, strict=True))
            self._add(e.PointsMoved(tuple(end.deltas), after))

    def _shown(self, kind: str) -> set[int]:
        """Return the seats that reveal their hands at a draw if the record does not state it."""
        seats, last = set(self.rules.seats), self.table.last[0]
        return {"kyuushu_kyuuhai": {last}, "suucha_riichi": seats, "sanchahou": seats - {last}}.get(
            kind, set()
        )

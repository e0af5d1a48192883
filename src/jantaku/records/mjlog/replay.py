"""Replay logged games on the engine, which checks every draw and action."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.errors import Phrases
from jantaku.game import Standing
from jantaku.game.engine import dealer_of, seats_of
from jantaku.game.game import check_length
from jantaku.game.mid_game_start import beginning
from jantaku.hand import MeldType
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.engine import actions, dealing, entries
from jantaku.kernels.engine.context import new_context
from jantaku.kernels.engine.state import CLAIMS, GAME, NO_ANSWER, YOUR_TURN
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.rules import rules_record
from jantaku.records.inferred_rules import GameCourse, HandEnding, LoggedEnd, LoggedTable, rules_of_table
from jantaku.records.mjlog.difference import LogMismatchError, describe, describe_with_seat, state
from jantaku.records.mjlog.log import (
    BySeat,
    Call,
    Drawn,
    Log,
    LogDiscard,
    LogDraw,
    LogHand,
    LogKita,
    LogRiichi,
    LogWon,
    Step,
)
from jantaku.records.mjlog.wall import WallConflictError, wall_of
from jantaku.rules import Ruleset
from jantaku.tiles import RED, format_tiles

PHASES: Final = tuple(map(state, ("turn", "claims", "hand_over", "game_over")))


@dataclass(frozen=True, slots=True)
class Decision:
    """An action (``kernels.engine.actions``) about to be applied, passes included.

    ``games`` is the engine's live array of one ``GAME``; do not keep a reference to it.
    """

    hand: int
    seat: int
    action: int
    games: npt.NDArray[Any]

    @property
    def game(self) -> Any:
        """The game record."""
        return self.games[0]


def rules_of(log: Log) -> Ruleset:
    """Return Tenhou's rules with the options of the table; a private table's are inferred from its scores."""
    if log.rules is not None:
        return log.rules
    table = LoggedTable(
        seats=log.seats,
        red=None if log.red_fives else {},
        kuitan=log.kuitan,
        east_only=not log.hanchan,
        is_private=log.is_private,
    )
    standings = [Standing(hand.number, hand.honba, hand.deposits, hand.scores) for hand in log.hands]
    ending = None if log.final is None else LoggedEnd(*log.final)
    return rules_of_table(table, GameCourse(standings, ending, [_ending_of(hand) for hand in log.hands]))


def _ending_of(hand: LogHand) -> HandEnding:
    """Return how the hand ended; nagashi mangan is an exhaustive draw under Tenhou's rules."""
    last = hand.steps[-1] if hand.steps else None
    if isinstance(last, LogWon):
        return "won"
    return "exhausted" if isinstance(last, Drawn) and last.kind in ("", "nm") else "other"


def standing_of(log: Log, rules: Ruleset) -> Standing | None:
    """Return the standing of a log that starts mid-game; ``None`` if it starts as the rules state."""
    if not log.hands:
        return None
    hand = log.hands[0]
    standing = Standing(hand.number, hand.honba, hand.deposits, hand.scores)
    at_start = (hand.number, hand.honba, hand.deposits) == (0, 0, 0)
    return None if standing == beginning(rules) or (at_start and not log.is_private) else standing


def is_own_turn(move: Step) -> bool:
    """Whether the step belongs to a seat's own turn, after its draw or call."""
    if isinstance(move, Call):
        return move.kind in (MeldType.ANKAN, MeldType.KAKAN)
    if isinstance(move, Drawn):
        return move.kind == "yao9"
    return isinstance(move, LogDiscard | LogRiichi | LogKita) or (
        isinstance(move, LogWon) and move.source == move.seat
    )


class LogTable:
    """An engine table on which a log is played, one step at a time."""

    def __init__(self, log: Log) -> None:
        check_length(sum(not isinstance(move, LogDraw) for hand in log.hands for move in hand.steps))
        self.log = log
        self.ruleset = rules_of(log)
        self.records = rules_record(self.ruleset)
        self.rules = self.records[0]
        self.context = new_context(shanten_tables(self.ruleset.tiles.man), cut_tables())
        self.games: npt.NDArray[Any] = np.zeros(1, GAME)
        self.game: Any = self.games[0]
        self.hand = 0
        self.winners: frozenset[int] = frozenset()
        self._declared = self._drawn = -1
        self._room = np.empty(actions.MAX_ACTIONS, np.int16)
        dealing.start_match(self.game, self.rules)
        if standing := standing_of(log, self.ruleset):
            standing.put(self.game)

    def scores(self) -> BySeat:
        """Return the scores of the players."""
        return tuple(self.game.match.scores[: self.log.seats].tolist())

    def differs(self, what: str, log: object, engine: object) -> LogMismatchError:
        """Return the error for a difference in the current hand."""
        return LogMismatchError(self.hand, what, log, engine)

    def expect(self, what: str, log: object, engine: object) -> None:
        """Raise ``LogMismatchError`` if the two values differ."""
        if log != engine:
            raise self.differs(what, log, engine)

    def deal(self, hand: LogHand) -> None:
        """Deal the log's next hand with its tiles, if the game's standing matches the log."""
        match = self.game.match
        self.hand += 1
        if self.hand > 1:
            self.expect("end", state("hand_over"), PHASES[int(self.game.phase)])
        self.expect("scores", hand.scores, self.scores())
        ours = int(match.number), dealer_of(self.game), int(match.honba), int(match.deposits)
        self.expect("start", (hand.number, hand.dealer, hand.honba, hand.deposits), ours)
        self.winners = frozenset(step.seat for step in hand.steps if isinstance(step, LogWon))
        self._declared = self._drawn = -1
        try:
            wall = wall_of(hand, self.ruleset)
        except WallConflictError as error:
            raise self.differs("wall", format_tiles([self.log.tile(error.tile)]), None) from error
        self.game.wall[: len(wall)] = [self.log.tile(number) for number in wall]
        dealing.start_hand(self.game, self.context)

    def play(self, move: Step) -> None:
        """Apply one step of the log; raise ``LogMismatchError`` if the engine refuses it."""
        for seat, action in self.actions_of(move):
            self.carry_out(seat, action)

    def carry_out(self, seat: int, action: int) -> None:
        """Apply one action; raise ``LogMismatchError`` if it is illegal."""
        if entries.step(self.games, seat, action, self.records, self.context):
            self.require(seat, action)

    def require(self, seat: int, action: int) -> None:
        """Raise ``LogMismatchError`` if the action is not legal for the seat."""
        legal = self.legal(seat)
        if action not in legal:
            legal_text = Phrases(map(describe, legal)) if legal else state("nothing")
            raise self.differs("action", describe_with_seat(seat, action), legal_text)

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions of the seat."""
        count = entries.legal(self.games, seat, self.records, self.context, self._room)
        return [int(action) for action in self._room[:count]]

    def actions_of(self, move: Step) -> Iterator[tuple[int, int]]:
        """Yield the (seat, action) pairs of a step; apply each one before requesting the next."""
        if isinstance(move, LogDraw):
            yield from self._passes()
            self._check_draw(move)
            return
        if is_own_turn(move):
            self.expect("draw", self._drawn >= 0, self.game.drawn < 2 * RED)
        if isinstance(move, LogDiscard):
            yield move.seat, self._discard(move)
        elif isinstance(move, LogRiichi):
            self._declared = move.seat
        elif isinstance(move, Call):
            if not is_own_turn(move):
                self._check_source(move)
                yield from self._passes(frozenset((move.seat,)))
            self._drawn = -1
            yield move.seat, self._call(move)
        elif isinstance(move, LogKita):
            self._drawn = -1
            yield move.seat, actions.KITA << 8
        elif isinstance(move, LogWon):
            if move.source != move.seat:
                yield from self._passes(self.winners)
            yield move.seat, (actions.TSUMO if move.source == move.seat else actions.RON) << 8
        elif isinstance(move, Drawn):
            yield from self._draw_of_hand(move)

    def _passes(self, but: frozenset[int] = frozenset()) -> Iterator[tuple[int, int]]:
        for seat in seats_of(self.game):
            if seat not in but and self.is_asked(seat):
                yield seat, actions.PASS << 8

    def is_asked(self, seat: int) -> bool:
        """Whether the engine waits for the seat to claim a tile or pass."""
        game = self.game
        return bool(game.phase == CLAIMS and game.asked[seat] and game.answer[seat] == NO_ANSWER)

    def _check_draw(self, move: LogDraw) -> None:
        game, tile = self.game, self.log.tile(move.tile)
        theirs = move.seat, format_tiles([tile])
        ours = None
        if game.phase == YOUR_TURN and game.drawn < 2 * RED:
            ours = int(game.turn), format_tiles([int(game.drawn)])
        self.expect("draw", theirs, ours)
        self._drawn = move.tile

    def _check_source(self, move: Call) -> None:
        tile = -1 if move.called is None else self.log.tile(move.called)
        game = self.game
        ours = (int(game.claimed_from), int(game.claimed_tile)) if game.phase == CLAIMS else None
        self.expect("call", (move.source, tile), ours)

    def _discard(self, move: LogDiscard) -> int:
        kind = actions.RIICHI if self._declared == move.seat else actions.DISCARD
        mark = actions.DRAWN if move.tile == self._drawn else 0
        self._declared = self._drawn = -1
        return kind << 8 | self.log.tile(move.tile) | mark

    def _call(self, move: Call) -> int:
        reds = [self.log.tile(tile) >= RED for tile in move.tiles if tile != move.called]
        if move.kind == MeldType.CHI and move.called is not None:
            value = move.tiles.index(move.called) | reds[0] << 2 | reds[1] << 3
            return actions.CHI << 8 | value
        if move.kind == MeldType.PON:
            return actions.PON << 8 | sum(reds)
        if move.kind == MeldType.DAIMINKAN:
            return actions.DAIMINKAN << 8 | sum(reds)
        if move.kind == MeldType.KAKAN and move.called is not None:
            return actions.KAKAN << 8 | self.log.tile(move.called)
        return actions.ANKAN << 8 | move.tiles[0] // 4

    def _draw_of_hand(self, move: Drawn) -> Iterator[tuple[int, int]]:
        """Yield the declaration, the three rons, or the passes that end the hand."""
        if move.kind == "yao9":
            yield int(self.game.turn), actions.KYUUSHU << 8
        elif move.kind == "ron3":
            for seat in seats_of(self.game):
                if self.is_asked(seat):
                    ron = actions.RON << 8
                    yield seat, ron if ron in self.legal(seat) else actions.PASS << 8
        else:
            yield from self._passes()


def replay(log: Log) -> Iterator[Decision]:
    """Yield every decision of the log before it is applied; raise ``LogMismatchError`` if one is illegal."""
    table = LogTable(log)
    for hand in log.hands:
        table.deal(hand)
        for move in hand.steps:
            for seat, action in table.actions_of(move):
                yield Decision(table.hand, seat, action, table.games)
                table.carry_out(seat, action)

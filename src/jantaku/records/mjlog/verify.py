"""Check a whole Tenhou log against the rules, step by step."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jantaku.game.engine import seats_of
from jantaku.hand import MeldType
from jantaku.kernels.engine import actions, state
from jantaku.records.mjlog.copies import Copies
from jantaku.records.mjlog.difference import LogDifference, LogMismatchError, describe_with_seat
from jantaku.records.mjlog.log import (
    BySeat,
    Call,
    Drawn,
    Log,
    LogDiscard,
    LogDoraTurned,
    LogDraw,
    LogHand,
    LogKita,
    LogRiichiAccepted,
    LogWon,
    Settlement,
)
from jantaku.records.mjlog.parsing import read
from jantaku.records.mjlog.replay import PHASES, LogTable
from jantaku.records.mjlog.revealed import compare_winner, held_tiles, in_notation
from jantaku.records.mjlog.wins import URA_DORA, win_values
from jantaku.seats import away, sum_by_seat
from jantaku.tiles import format_tiles

ENDINGS: Final = {
    state.EXHAUSTED: "",
    state.KYUUSHU_KYUUHAI: "yao9",
    state.SUUFUU_RENDA: "kaze4",
    state.SUUCHA_RIICHI: "reach4",
    state.SUUKANSANRA: "kan4",
    state.SANCHAHOU: "ron3",
}


@dataclass(frozen=True, slots=True)
class LogReport:
    """The result of checking a log: numbers of hands and wins checked, and the first difference if any."""

    path: str
    hands: int
    wins: int
    difference: LogDifference | None

    @property
    def agrees(self) -> bool:
        """Whether the whole log agrees with the rules."""
        return self.difference is None


def verify_log(path: str | Path) -> LogReport:
    """Read a log and check it; raise ``RecordError`` if it cannot be read."""
    return verify(read(path))


def verify(log: Log) -> LogReport:
    """Check every action, draw, indicator, win, drawn hand and score of a log, and its result."""
    checker = _Checker(log)
    try:
        for hand in log.hands:
            checker.hand(hand)
    except LogMismatchError as error:
        return LogReport(log.path, checker.table.hand, checker.wins, error.difference)
    return LogReport(log.path, len(log.hands), checker.wins, None)


class _Checker:
    """Plays a log on a table and compares the two."""

    def __init__(self, log: Log) -> None:
        self.table = LogTable(log)
        self.expect = self.table.expect
        self.wins = 0
        self.turned = 1
        self.honba = self.deposits = 0
        self.scores: list[int] = []
        self.riichi = [False] * log.seats
        self.nothing: BySeat = (0,) * log.seats
        self.settled = self.nothing

    def hand(self, hand: LogHand) -> None:
        self.table.deal(hand)
        self.turned = 1
        self.settled = self.nothing
        self.honba = int(self.table.game.match.honba)
        copies = Copies(hand, self.expect)
        last = max((i for i, move in enumerate(hand.steps) if isinstance(move, LogWon | Drawn)), default=-1)
        for i, move in enumerate(hand.steps):
            self._remember_standing()
            if isinstance(move, LogWon):
                self._won(move)
                self.wins += 1
            elif isinstance(move, LogDoraTurned):
                self.turned += 1
            elif isinstance(move, LogRiichiAccepted) and move.scores is not None:
                self.expect("scores", list(move.scores), self.scores)
            self.table.play(move)
            copies.follow(move)
            if self._is_settled_on(move):
                self.expect("indicators", self.turned, int(self.table.game.indicators))
            if isinstance(move, Drawn):
                self._drawn(move)
            if i == last and isinstance(move, LogWon | Drawn):  # after a double ron, only the last win
                self._ended(move.settlement)

    def _is_settled_on(self, move: object) -> bool:
        """Whether log and engine have turned the same indicators after the step.

        The log turns a kan's indicator between the kan and the next draw or discard, the engine together with
        one of them.
        """
        kan = isinstance(move, LogKita) or (
            isinstance(move, Call) and move.kind not in (MeldType.CHI, MeldType.PON)
        )
        return isinstance(move, LogDraw | LogDiscard | Call | Drawn) and not kan

    def _remember_standing(self) -> None:
        """Store scores and sticks as the log lists them before a step.

        The engine collects a riichi stick only when all seats have passed. It ends a hand, and pays out the
        deposits at the end of a game, as soon as no seat can claim the last discard.
        """
        game = self.table.game
        riichi = [bool(game.riichi[seat]) for seat in seats_of(game)]
        if game.phase in (state.HAND_OVER, state.GAME_OVER):
            laid = [seat for seat in seats_of(game) if riichi[seat] and not self.riichi[seat]]
        else:
            self.scores, self.deposits = list(self.table.scores()), int(game.match.deposits)
            laid = [int(game.claimed_from)] if game.declaring else []
        for seat in laid:
            self.scores[seat] -= self.table.ruleset.riichi.deposit
        self.deposits += len(laid)
        self.riichi = riichi

    def _won(self, move: LogWon) -> None:
        table, game = self.table, self.table.game
        self.expect("indicators", self.turned, int(game.indicators))
        self.expect("turn", move.source, int(game.turn))
        own = move.source == move.seat
        action = (actions.TSUMO if own else actions.RON) << 8
        table.require(move.seat, action)
        nearest = min(table.winners, key=lambda seat: away(move.source, seat, table.log.seats))
        values = win_values(table, table.winners).get(move.seat)
        if values is None:
            raise table.differs("action", describe_with_seat(move.seat, action), None)
        compare_winner(table, move)
        self.expect(
            "yaku", {number: han for number, han in move.yaku if han or number != URA_DORA}, values.yaku
        )
        self.expect("yakuman", tuple(sorted(move.yakuman)), values.yakuman)
        self.expect("han", sum(han for _, han in move.yaku), values.han)
        if not move.yakuman:
            self.expect("fu", move.fu, values.fu)
        self.expect("points", (move.points, move.limit), (values.points, values.limit))
        self.expect("pao", move.liable, values.liable)
        deposits = int(game.match.deposits) if move.seat == nearest else 0
        theirs = move.settlement.honba, move.settlement.deposits
        self.expect("sticks", theirs, (self.honba, deposits))
        self._pay(move.settlement, values.change)

    def _pay(self, settlement: Settlement, change: BySeat) -> None:
        seats = self.table.log.seats
        before = sum_by_seat((self.table.scores(), self.settled), seats)
        self.expect("scores", settlement.before, before)
        self.expect("payments", settlement.change, change)
        self.settled = sum_by_seat((self.settled, change), seats)

    def _drawn(self, move: Drawn) -> None:
        game = self.table.game
        outcome, settlement = game.outcome, move.settlement
        ended = "nm" if outcome.nagashi else ENDINGS.get(int(outcome.ended))
        self.expect("draw_kind", move.kind, ended)
        shown = [seat for seat, hand in enumerate(move.shown) if hand is not None]
        if outcome.ended == state.EXHAUSTED:
            self.expect("tenpai", shown, [seat for seat in seats_of(game) if int(outcome.tenpai) >> seat & 1])
        for seat in shown:
            tiles = in_notation(self.table, move.shown[seat] or ())
            self.expect("tiles", tiles, format_tiles(held_tiles(game, seat)))
        change = tuple(outcome.delta[: self.table.log.seats].tolist())
        self.expect("payments", settlement.change, change)
        if move.kind != "ron3":
            self.expect("scores", list(settlement.before), self.scores)
        ours = self.honba, int(game.match.deposits) if move.kind == "ron3" else self.deposits
        self.expect("sticks", (settlement.honba, settlement.deposits), ours)

    def _ended(self, settlement: Settlement) -> None:
        """Compare the scores after the hand, and the result if the game is over."""
        game = self.table.game
        seats, scores = self.table.log.seats, self.table.scores()
        if settlement.final is None:
            self.expect("end", PHASES[state.HAND_OVER], PHASES[int(game.phase)])
            after = sum_by_seat((settlement.before, settlement.change), seats)
            self.expect("scores", after, scores)
        else:
            self.expect("end", PHASES[state.GAME_OVER], PHASES[int(game.phase)])
            self.expect("result", settlement.final, (scores, tuple(game.match.final[:seats].tolist())))

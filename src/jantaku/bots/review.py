"""Review of a finished game: compares every decision with that of ``standard``.

The value of a choice is the weight that ``standard`` gives it; ``jantaku.bots.losses`` converts it to points.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from jantaku.bots.chance import new_source
from jantaku.bots.losses import AFTER_DISCARDS, DISCARDS, costs, weighed_discards
from jantaku.bots.player import DECISION
from jantaku.bots.policies import STANDARD
from jantaku.bots.weighing import MAX_CALLS, WEIGH_CALLS, WIN_WORTH
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.errors import RequestError
from jantaku.game import Action, Game
from jantaku.game.actions import decode, encode
from jantaku.game.engine import context
from jantaku.kernels.engine import actions as codes
from jantaku.kernels.engine.state import CLAIMS
from jantaku.kernels.rules import rules_record
from jantaku.tiles import COPIES, KINDS, RED

DecisionKind = Literal["discard", "call", "win", "kita", "other"]
CALLS: Final = (codes.CHI, codes.PON, codes.PASS)
WINS: Final = (codes.TSUMO, codes.RON)


@dataclass(frozen=True, slots=True)
class DiscardReview:
    """Shanten and acceptance (remaining improving tiles) after a discard, and its danger in points.

    ``loss`` is its cost compared with the discard that ``standard`` weighs highest, in points.
    """

    shanten: int
    tiles: int
    danger: float
    loss: float


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A choice of ``seat`` at ``step`` of the game, in the hand with index ``hand``.

    ``same``: ``standard`` would have discarded the same kind, with riichi in both cases or neither, or made
    the same call. ``loss`` estimates the cost of the difference in points; ``None`` if ``standard`` has no
    weights. The ``kind`` is ``kita`` if either sets a north aside. The ``numbers`` of both describe discards,
    ``None`` if it is not a discard.
    """

    step: int
    hand: int
    seat: int
    kind: DecisionKind
    played: Action
    standard: Action
    same: bool
    loss: float | None
    played_numbers: DiscardReview | None = None
    standard_numbers: DiscardReview | None = None


def review(game: Game) -> tuple[ReviewedDecision, ...]:
    """Return every decision with a choice of actions, in order.

    Raises ``RequestError`` if the game cannot be replayed.

    >>> from jantaku.bots import new_match, play_match
    >>> from jantaku.game import Game
    >>> game = Game("standard", seed=3)
    >>> while len(game.moves) < 40:
    ...     _ = game.play(game.to_act[0], game.legal(game.to_act[0])[-1])
    >>> {one.kind for one in review(game)} <= {"discard", "call", "win", "kita", "other"}
    True
    """
    if not game.follows_rules:
        raise RequestError("no_review", field="game")
    return tuple(_decisions(game))


def _decisions(game: Game) -> Iterator[ReviewedDecision]:
    work = new_bot_workspace(new_source(0), game.rules)
    rules, now = rules_record(game.rules), game.restarted()
    hand, number = -1, 0
    for step, (_, seat, action) in enumerate(game.moves):
        if len(now.walls) != number:
            hand, number = hand + 1, len(now.walls)
        if len(now.legal(seat)) > 1 and action in now.legal(seat):
            yield _Moment(now, seat, action, rules, work).reviewed(step, hand)
        now.play(seat, action)


class _Moment:
    """A decision of ``seat``, compared with that of ``standard``."""

    def __init__(self, now: Game, seat: int, action: Action, rules: Any, work: BotWorkspace) -> None:
        self._arguments = (now.array, int(seat), rules, context(now.rules.tiles.man), work)
        self._work, self._now, self._seat = work, now, seat
        self._played = encode(action, now.claimed)
        self._standard = int(
            DECISION.call(now.array, int(seat), STANDARD, rules, context(now.rules.tiles.man), work)
        )
        self._action = action

    def reviewed(self, step: int, hand: int) -> ReviewedDecision:
        kind, loss = self._kind(), 0.0
        before: float | None = loss
        numbers: tuple[DiscardReview | None, DiscardReview | None] = (None, None)
        if kind == "discard":
            numbers = self._numbers(self._played), self._numbers(self._standard)
            before = numbers[0].loss if numbers[0] and numbers[1] else None
            if before is not None and not self._same() and _kind_of(self._played) == _kind_of(self._standard):
                before = None  # riichi or not: the weights of discards do not decide that
        elif not self._same():
            before = self._loss(kind)
        return ReviewedDecision(
            step, hand, self._seat, kind, self._action, decode(self._standard, self._now.claimed),
            self._same(), before, *numbers,
        )  # fmt: skip

    def _kind(self) -> DecisionKind:
        both = (self._played >> 8, self._standard >> 8)
        if any(code in WINS for code in both):
            return "win"
        if codes.KITA in both:
            return "kita"
        if all(code in AFTER_DISCARDS for code in both) and not self._now.record.riichi[self._seat]:
            return "discard" if self._now.record.phase != CLAIMS else "other"
        return "call" if all(code in CALLS for code in both) else "other"

    def _same(self) -> bool:
        if self._played >> 8 != self._standard >> 8:
            return False
        if self._played >> 8 in DISCARDS:
            return _kind_of(self._played) == _kind_of(self._standard)
        return self._played == self._standard

    def _numbers(self, code: int) -> DiscardReview | None:
        """Return the numbers of a discard from the workspace; ``standard`` has just weighed all of them."""
        if code >> 8 not in DISCARDS:
            return None
        work, kind = self._work, _kind_of(code)
        legal = [_kind_of(int(code)) for code in self._codes() if int(code) >> 8 == codes.DISCARD]
        shanten, waits = (int(number) for number in work.choices[kind])
        seen = work.views[0].seen
        left = sum(COPIES - int(seen[kind]) for kind in range(KINDS) if waits >> kind & 1)
        loss = weighed_discards(work.utility, {*legal, kind})[kind]
        return DiscardReview(shanten, left, float(work.risk[0, kind]), loss)

    def _codes(self) -> list[int]:
        return [encode(action, self._now.claimed) for action in self._now.legal(self._seat)]

    def _loss(self, kind: DecisionKind) -> float | None:
        calls, win = WEIGH_CALLS.call, WIN_WORTH.call
        if kind == "win":
            worth = float(win(*self._arguments))
            return worth if self._standard >> 8 in WINS else None
        if kind != "call":
            return None
        legal, work = self._codes()[:MAX_CALLS], self._work
        work.actions[: len(legal)] = legal
        work.actions[len(legal)] = -1
        calls(*self._arguments)
        weights = {code: float(work.utility[i]) for i, code in enumerate(legal)}
        return costs({codes.PASS << 8: 0.0, self._played: 0.0, **weights})[self._played]


def _kind_of(code: int) -> int:
    return int((codes.value_of(code) & ~codes.DRAWN) % RED)

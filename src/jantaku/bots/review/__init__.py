"""Review of a finished game: compares every decision with that of a judge, by default ``standard``."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from jantaku.bots.chance import new_source
from jantaku.bots.judge import Judge, Judgement, Unit
from jantaku.bots.standard_judge import DESCRIBE_DISCARDS, StandardJudge
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RequestError
from jantaku.game import Action, Chi, Discard, Game, Kan, Kita, Pass, Pon, Ron, Tsumo
from jantaku.game.engine import context
from jantaku.kernels.engine.state import CLAIMS
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset

DecisionKind = Literal["discard", "call", "win", "kita", "other"]


@dataclass(frozen=True, slots=True)
class DiscardReview:
    """Shanten and acceptance (remaining improving tiles) after a discard, and its danger in points."""

    shanten: int
    tiles: int
    danger: float


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A choice of ``seat`` at ``step`` of the game, in the hand with index ``hand``.

    ``best``: the judge's choice. ``same``: it is what was played, or a discard of the same kind, with riichi
    in both cases or neither, that the judge rates alike. ``loss``: how much worse the judge rates what was
    played, in ``unit``; ``None`` if it does not rate both. The ``kind`` is ``kita`` if either sets a north
    aside. The ``numbers`` of both describe discards, ``None`` if it is not a discard; they do not depend on
    the judge.
    """

    step: int
    hand: int
    seat: int
    kind: DecisionKind
    played: Action
    best: Action
    same: bool
    loss: float | None
    unit: Unit = "points"
    played_numbers: DiscardReview | None = None
    best_numbers: DiscardReview | None = None


def review(
    game: Game, judge: Judge | None = None, seats: Collection[int] | None = None
) -> tuple[ReviewedDecision, ...]:
    """Return every decision with a choice of actions, in order.

    ``judge`` is ``standard`` by default, ``seats`` are all seats. Raises ``RequestError`` if the game cannot
    be replayed, and what the judge raises.

    >>> from jantaku.bots import new_match, play_match
    >>> from jantaku.game import Game
    >>> game = Game("standard", seed=3)
    >>> while len(game.moves) < 40:
    ...     _ = game.play(game.to_act[0], game.legal(game.to_act[0])[-1])
    >>> {one.kind for one in review(game)} <= {"discard", "call", "win", "kita", "other"}
    True
    """
    return tuple(decisions(game, judge, seats))


def decisions(
    game: Game, judge: Judge | None = None, seats: Collection[int] | None = None
) -> Iterator[ReviewedDecision]:
    """Yield the decisions of ``review`` one by one: if the judge fails, the earlier ones are not lost."""
    if not game.follows_rules:
        raise RequestError("no_review", field="game")
    judge, numbers, now = judge or StandardJudge(), _Numbers(game.rules), game.restarted()
    hand, started = -1, 0
    for step, (_, seat, action) in enumerate(game.moves):
        if len(now.walls) != started:
            hand, started = hand + 1, len(now.walls)
        legal = now.legal(seat)
        if len(legal) > 1 and action in legal and (seats is None or seat in seats):
            judgement = judge.judge(now, seat)
            if judgement is not None:
                yield _reviewed(step, hand, seat, now, action, judgement, numbers)
        now.play(seat, action)


def _reviewed(  # noqa: PLR0913, PLR0917  (the fields of a decision)
    step: int, hand: int, seat: int, now: Game, played: Action, judgement: Judgement, numbers: "_Numbers"
) -> ReviewedDecision:
    best, kind = judgement.best, _kind(now, seat, played, judgement.best)
    described = numbers.of(now, seat, (played, best)) if kind == "discard" else (None, None)
    same, loss = _same(played, judgement), judgement.loss(played)
    return ReviewedDecision(step, hand, seat, kind, played, best, same, loss, judgement.unit, *described)


def _kind(now: Game, seat: int, *both: Action) -> DecisionKind:
    if any(isinstance(action, Tsumo | Ron) for action in both):
        return "win"
    if Kita() in both:
        return "kita"
    if now.record.phase == CLAIMS:
        return "call" if all(isinstance(action, Chi | Pon | Pass) for action in both) else "other"
    if all(isinstance(action, Discard | Kan) for action in both) and not now.record.riichi[seat]:
        return "discard"
    return "other"


def _same(played: Action, judgement: Judgement) -> bool:
    best = judgement.best
    if not (isinstance(played, Discard) and isinstance(best, Discard)):
        return played == best
    alike = judgement.values.get(played) == judgement.values.get(best)
    return played.tile.kind == best.tile.kind and played.riichi == best.riichi and (played == best or alike)


class _Numbers:
    """Computes the ``DiscardReview`` of discards."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules, self._room = rules_record(rules), context(rules.tiles.man)
        self._work = new_bot_workspace(new_source(0), rules)

    def of(self, now: Game, seat: int, chosen: tuple[Action, Action]) -> list[DiscardReview | None]:
        """Return the numbers of the actions, ``None`` for a kan."""
        work = self._work
        DESCRIBE_DISCARDS.call(now.array, int(seat), self._rules, self._room, work)
        numbers: list[DiscardReview | None] = []
        for action in chosen:
            if not isinstance(action, Discard):
                numbers.append(None)
                continue
            shanten, tiles = (int(number) for number in work.choices[action.tile.kind])
            numbers.append(DiscardReview(shanten, tiles, float(work.risk[0, action.tile.kind])))
        return numbers

"""The judge ``standard``: its weights of discards and calls, converted to points, and the points of wins."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from jantaku.bots.chance import new_source
from jantaku.bots.claim import COUNT, before_call, describe_call
from jantaku.bots.danger import find_risks
from jantaku.bots.efficient import tiles_left
from jantaku.bots.judge import Judgement
from jantaku.bots.player import DECISION
from jantaku.bots.policies import STANDARD
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.weights import CLAIM_AT
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.bots.worth import NO_KIND, win_points
from jantaku.game import Action, Chi, Discard, Game, Kan, Pass, Pon, Ron, Tsumo
from jantaku.game.actions import decode, encode
from jantaku.game.engine import context
from jantaku.kernels._jit import Direct, allocating
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.engine.state import CLAIMS, GAME, NO_TILE
from jantaku.kernels.rules import rules_record
from jantaku.kernels.waits import discard_choices
from jantaku.kernels.win import IN_RIICHI, TSUMO
from jantaku.rules import Ruleset, load

# Per unit of weight, as measured by ``research.points_per_weight``; docs/bots.md discusses its accuracy
POINTS: Final = 80.0
MAX_CALLS = 34  # size of ``work.utility``


@allocating
def weigh_calls_in(games, seat, rules, context, work):
    """Write the weight of each chi and pon among ``work.actions`` to ``work.utility``, by index.

    A negative number ends the actions. A weight above 0 is a call.
    """
    game, view = games[0], work.views[0]
    write_seat_view(game, seat, view)
    before = before_call(view, work.weights[0], rules[0], context, work)
    for i in range(MAX_CALLS):
        code = int(work.actions[i])
        if code < 0:
            return i
        work.utility[i] = 0.0
        if code >> 8 != actions.CHI and code >> 8 != actions.PON:
            continue
        describe_call(view, code, before, rules[0], context, work)
        for j in range(COUNT):
            work.utility[i] += work.weights[0, CLAIM_AT + j] * work.features[0, j]
    return MAX_CALLS


@allocating
def win_worth_in(games, seat, rules, context, work):
    """Return the points of the win available to ``seat``, 0 if there is none."""
    game, view = games[0], work.views[0]
    write_seat_view(game, seat, view)
    riichi = IN_RIICHI if view.riichi[0] else 0
    if int(view.claimed) != NO_TILE:
        return win_points(view, NO_KIND, int(view.claimed) % RED, riichi, rules[0], context)
    if int(view.drawn) == NO_TILE:
        return 0
    kind = int(view.drawn) % RED
    return win_points(view, kind, kind, riichi | TSUMO, rules[0], context)


@allocating
def describe_discards_in(games, seat, rules, context, work):
    """Write the shanten and acceptance after each discard to ``work.choices``, dangers to ``work.risk``."""
    view = work.views[0]
    write_seat_view(games[0], seat, view)
    find_risks(view, rules[0], context, work)
    melds = int(view.melds[0])
    discard_choices(view.hand, view.seen, melds, context.tables, context.scratch, work.choices)
    for kind in range(34):
        work.choices[kind, 1] = tiles_left(work.choices[kind, 1], view.seen)
    return 0


def _sample_arguments() -> tuple[object, ...]:
    work = new_bot_workspace(new_source(0), load("standard"))
    return np.zeros(1, GAME), 0, rules_record(load("standard")), context(), work


WEIGH_CALLS: Final = Direct(weigh_calls_in, _sample_arguments)
WIN_WORTH: Final = Direct(win_worth_in, _sample_arguments)
DESCRIBE_DISCARDS: Final = Direct(describe_discards_in, _sample_arguments)


class StandardJudge:
    """Rates discards by kind, chi, pon and pass, and wins; not riichi against damaten, kans or norths.

    Estimates of points: ``POINTS`` per unit of weight, 0 for the best.
    """

    def __init__(self) -> None:
        self._works: dict[str, BotWorkspace] = {}  # only the one for the rules of the last game

    def judge(self, game: Game, seat: int) -> Judgement:
        """Return the ratings for ``seat``, which must be a seat to act.

        >>> game = Game("standard", seed=3)
        >>> judgement = StandardJudge().judge(game, game.to_act[0])
        >>> judgement.values[judgement.best]
        0.0
        """
        rules, room, work = rules_record(game.rules), context(game.rules.tiles.man), self._work(game.rules)
        code = DECISION.call(game.array, int(seat), STANDARD, rules, room, work)
        best = decode(int(code), game.claimed)
        if isinstance(best, Tsumo | Ron):
            worth = float(WIN_WORTH.call(game.array, int(seat), rules, room, work))
            return Judgement(best, {action: worth * (action == best) for action in game.legal(seat)})
        if game.record.phase == CLAIMS:
            return Judgement(best, _calls(game, seat, rules, room, work))
        if isinstance(best, Discard | Kan) and not game.record.riichi[seat]:
            return Judgement(best, _discards(game, seat, best, work.utility))
        return Judgement(best)

    def _work(self, rules: Ruleset) -> BotWorkspace:
        if rules.fingerprint not in self._works:
            self._works = {rules.fingerprint: new_bot_workspace(new_source(0), rules)}
        return self._works[rules.fingerprint]


def _discards(game: Game, seat: int, best: Action, utility: Any) -> Mapping[Action, float]:
    """Return the values of the discards; ``standard`` has just written their weights to ``utility``.

    They do not decide between riichi and damaten, so the other way to discard the best kind is missing.
    """
    discards = [action for action in game.legal(seat) if isinstance(action, Discard)]
    most = max(float(utility[action.tile.kind]) for action in discards)
    return {
        action: -POINTS * (most - float(utility[action.tile.kind]))
        for action in discards
        if not isinstance(best, Discard) or action.tile.kind != best.tile.kind or action.riichi == best.riichi
    }


def _calls(game: Game, seat: int, rules: Any, room: Any, work: BotWorkspace) -> Mapping[Action, float]:
    """Return the values of chi, pon and pass."""
    legal = game.legal(seat)[:MAX_CALLS]
    work.actions[: len(legal)] = [encode(action, game.claimed) for action in legal]
    work.actions[len(legal)] = -1
    WEIGH_CALLS.call(game.array, int(seat), rules, room, work)
    weights = {
        action: float(work.utility[i])
        for i, action in enumerate(legal)
        if isinstance(action, Chi | Pon | Pass)
    }
    most = max(weights.values(), default=0.0)
    return {action: -POINTS * (most - weight) for action, weight in weights.items()}

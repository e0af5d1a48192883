"""The judge of a compiled policy, and the shapes and dangers of discards as policies see them."""

from typing import Final

import numpy as np

from jantaku.bots.chance import new_source
from jantaku.bots.danger import find_risks
from jantaku.bots.efficient import tiles_left
from jantaku.bots.judge import Judgement
from jantaku.bots.player import DECISION
from jantaku.bots.policies import BOTS, STRONG
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.game import Action, Discard, Game, Kan
from jantaku.game.actions import decode
from jantaku.game.engine import context
from jantaku.kernels._jit import Direct, allocating
from jantaku.kernels.engine.state import GAME
from jantaku.kernels.rules import rules_record
from jantaku.kernels.waits import discard_choices
from jantaku.rules import Ruleset, load

STRONG_NAME: Final = BOTS[STRONG]


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


DESCRIBE_DISCARDS: Final = Direct(describe_discards_in, _sample_arguments)


class PolicyJudge:
    """Prefers the action of a policy, and rates discards by its utility, which is not in points.

    ``name`` is one of ``BOTS``.
    """

    def __init__(self, name: str = STRONG_NAME) -> None:
        self.name = name
        self._policy = BOTS.index(name)
        self._works: dict[str, BotWorkspace] = {}  # only the one for the rules of the last game

    def judge(self, game: Game, seat: int) -> Judgement:
        """Return the judgement for ``seat``, which must be a seat to act.

        >>> game = Game("standard", seed=3)
        >>> judgement = PolicyJudge().judge(game, game.to_act[0])
        >>> judgement.values[judgement.best] == max(judgement.values.values())
        True
        """
        work = self._work(game.rules)
        room = context(game.rules.tiles.man)
        code = DECISION.call(game.array, int(seat), self._policy, rules_record(game.rules), room, work)
        best = decode(int(code), game.claimed)
        values: dict[Action, float] = {}
        if isinstance(best, Discard | Kan) and not game.record.riichi[seat]:
            values = {
                action: float(work.utility[action.tile.kind])
                for action in game.legal(seat)
                if isinstance(action, Discard) and action.riichi == getattr(best, "riichi", action.riichi)
            }
        return Judgement(best, values)

    def _work(self, rules: Ruleset) -> BotWorkspace:
        if rules.fingerprint not in self._works:
            self._works = {rules.fingerprint: new_bot_workspace(new_source(0), rules)}
        return self._works[rules.fingerprint]

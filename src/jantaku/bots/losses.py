"""Cost of a choice in points, compared with the one that ``standard`` rates highest."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from jantaku.bots.chance import new_source
from jantaku.bots.player import DECISION
from jantaku.bots.policies import STANDARD
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game import Discard, Game
from jantaku.game.engine import context
from jantaku.kernels.engine import actions as codes
from jantaku.kernels.rules import rules_record
from jantaku.tiles import RED, Tile

DISCARDS: Final = (codes.DISCARD, codes.RIICHI, codes.OPEN_RIICHI)
AFTER_DISCARDS: Final = (*DISCARDS, codes.ANKAN, codes.KAKAN)  # ``standard`` weighs discards before these
# Per unit of weight, as measured by ``research.points_per_weight``; docs/player.md discusses its accuracy
POINTS: Final = 80.0


def costs(weights: Mapping[int, float]) -> dict[int, float]:
    """Return the points that each choice costs compared with the one of highest weight."""
    most = max(weights.values(), default=0.0)
    return {choice: POINTS * (most - weight) for choice, weight in weights.items()}


def weighed_discards(utility: Any, kinds: Iterable[int]) -> dict[int, float]:
    """Return the cost of discarding each kind, from the utilities that ``standard`` has just computed."""
    return costs({kind: float(utility[kind]) for kind in kinds})


def losses(game: Game, seat: int) -> dict[Tile, float]:
    """Return the cost of each discard of ``seat`` compared with the best, in points, by kind.

    Empty if ``standard`` weighs no discards: when it may win, in riichi, and when it is not its turn to
    discard.

    >>> game = Game("standard", seed=3)
    >>> min(losses(game, game.to_act[0]).values())
    0.0
    """
    kinds = {action.tile % RED for action in game.legal(seat) if isinstance(action, Discard)}
    if not kinds or game.record.riichi[seat]:
        return {}
    work = new_bot_workspace(new_source(0), game.rules)
    rules, room = rules_record(game.rules), context(game.rules.tiles.man)
    chosen = int(DECISION.call(game.array, int(seat), STANDARD, rules, room, work))
    if chosen >> 8 not in AFTER_DISCARDS:
        return {}
    return {Tile(kind): cost for kind, cost in weighed_discards(work.utility, sorted(kinds)).items()}

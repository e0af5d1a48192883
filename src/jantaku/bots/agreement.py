"""Agreement of a bot with human players: how often both choose the same discard."""

from dataclasses import dataclass, field
from typing import Any, Final

from jantaku.bots.chance import new_source
from jantaku.bots.policies import STANDARD, decide_in
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game.engine import context
from jantaku.kernels.engine import actions
from jantaku.kernels.rules import rules_record
from jantaku.kernels.shanten import shanten
from jantaku.records import Decision, replay, rules_of
from jantaku.records.mjlog import Log
from jantaku.tiles import RED

DISCARDS: Final = (actions.DISCARD, actions.RIICHI, actions.OPEN_RIICHI)


@dataclass
class Agreement:
    """Counts of compared and agreeing discards, in total and by shanten before the discard."""

    compared: int = 0
    agreed: int = 0
    by_shanten: dict[int, list[int]] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Share of discards that agree."""
        return self.agreed / self.compared if self.compared else 0.0

    def add(self, distance: int, same: bool) -> None:
        """Count one discard."""
        pair = self.by_shanten.setdefault(distance, [0, 0])
        for number, more in enumerate((1, int(same))):
            pair[number] += more
        self.compared += 1
        self.agreed += int(same)

    def __add__(self, other: "Agreement") -> "Agreement":
        total = Agreement(self.compared, self.agreed, {key: [*pair] for key, pair in self.by_shanten.items()})
        for distance, (compared, agreed) in other.by_shanten.items():
            pair = total.by_shanten.setdefault(distance, [0, 0])
            pair[0] += compared
            pair[1] += agreed
        total.compared += other.compared
        total.agreed += other.agreed
        return total


def is_free_discard(decision: Decision) -> bool:
    """Return whether the player chose the discard freely: on their own turn and not in riichi."""
    return decision.action >> 8 in DISCARDS and not decision.game.riichi[decision.seat]


def agreement(log: Log, policy: int = STANDARD) -> Agreement:
    """Replay the log and compare each free discard with the kind that ``policy`` would discard.

    If the bot would not discard at all, but declare a kan or end the hand, that counts as a disagreement.
    """
    result, ruleset = Agreement(), rules_of(log)
    work = new_bot_workspace(new_source(0), ruleset)
    rules, room = rules_record(ruleset), context(ruleset.tiles.man)
    for decision in replay(log):
        if not is_free_discard(decision):
            continue
        game, seat = decision.game, decision.seat
        code = int(decide_in(decision.games, seat, policy, rules, room, work))
        same = code >> 8 in DISCARDS and _kind(code) == _kind(decision.action)
        result.add(_distance(game, seat), same)
    return result


def _kind(code: int) -> int:
    return (code & 255 & ~actions.DRAWN) % RED


def _distance(game: Any, seat: int) -> int:
    """Return the shanten including the drawn tile."""
    return int(shanten(game.hand[seat], int(game.melds[seat]), context().tables))

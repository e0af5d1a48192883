"""A program that speaks like Mortal and decides like ``standard``: ``python mortal_shape.py SEAT [every]``.

It answers only the lines at which it can act, or with ``every`` each line, as Mortal does for reviews.
"""

import json
import sys
from typing import Any

from jantaku.bots.policy_judge import PolicyJudge
from jantaku.game import Action, Chi, Discard, Kan, Pass, Pon, Ron, Tsumo
from jantaku.game.actions import NineTerminals
from jantaku.records.mjai import Follower
from jantaku.tiles import RED

UNKNOWN = -9.0  # for actions that ``standard`` does not rate
FILLER = {"type": "none", "meta": {"mask_bits": 0}}


def number(action: Action, claimed: int) -> int | None:
    """Return the index of an action among Mortal's 46."""
    if isinstance(action, Discard):
        red = {4: 34, 13: 35, 22: 36}.get(action.tile - RED)
        return 37 if action.riichi else action.tile % RED if red is None else red
    if isinstance(action, Chi):
        low, high = (tile % RED for tile in action.tiles)
        return 38 + (claimed % RED > low) + (claimed % RED > high)
    kinds = {Pon: 41, Kan: 42, Tsumo: 43, Ron: 43, NineTerminals: 44, Pass: 45}
    return kinds.get(type(action))


def packed(values: dict[int, float]) -> dict[str, Any]:
    """Return values as they stand in ``meta``."""
    mask = sum(1 << bit for bit in values)
    return {"q_values": [values[bit] for bit in sorted(values)], "mask_bits": mask, "is_greedy": True}


def answer(follower: Follower) -> dict[str, Any]:
    """Return the reaction of ``standard`` with a value for every action."""
    game = follower.game
    assert game is not None
    judgement = PolicyJudge("standard").judge(game, game.seat)
    best, legal = judgement.best, follower.legal
    most = max(judgement.values.values(), default=0.0)
    if best not in legal:  # the riichi has been declared
        best = legal[0]
    values: dict[int, float] = {}
    kans: dict[int, float] = {}
    for action in legal:
        bit = number(action, game.claimed)
        if bit is None:
            continue
        value = 1.0 if action == best else judgement.values.get(action, UNKNOWN) - most - 0.01
        if isinstance(action, Discard) and isinstance(best, Discard) and action.riichi != best.riichi:
            value = 0.5 if action.tile == best.tile else value  # the tile of a riichi
        if isinstance(action, Kan):
            kans[int(action.tile % RED)] = value
        values[bit] = max(value, values.get(bit, value))
    meta = packed(values) | {"shanten": 1, "at_furiten": False, "batch_size": 1, "eval_time_ns": 1}
    if kans and Pass() not in legal:
        meta["kan_select"] = packed(kans)
    return follower.answer(best) | {"meta": meta}


def reply(message: dict[str, Any]) -> None:
    """Write a line."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer the lines of a game."""
    follower, every = Follower(seat=int(sys.argv[1])), "every" in sys.argv
    for line in sys.stdin:
        message = json.loads(line)
        follower.follow(message)
        if follower.legal and message.get("can_act") is not False:
            reply(answer(follower))
        elif every:
            reply(FILLER)


if __name__ == "__main__":
    main()

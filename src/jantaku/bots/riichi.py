"""Decides whether a tenpai hand declares riichi or stays silent (damaten)."""

from math import log

from jantaku.bots.efficient import discard_code
from jantaku.bots.match_state import is_last_hand
from jantaku.bots.plan import worth_of
from jantaku.bots.weights import RIICHI
from jantaku.bots.worth import tenpai_worth
from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.rules import CLOSED
from jantaku.kernels.win import IN_RIICHI

MANGAN = 7600.0
OPEN_TILES = 6  # a wait with fewer tiles left is never shown, even for the han


@routine
def judge(view, kind, waits, rules, context):  # type: ignore[no-untyped-def]
    """The weight of riichi with the discard of ``kind``, which leaves ``waits``; above 0 it is declared."""
    left, silent = tenpai_worth(view, kind, waits, 0, rules, context)
    if left == 0:
        return -1.0
    _, declared = tenpai_worth(view, kind, waits, IN_RIICHI, rules, context)
    silent = max(silent / left, 300.0)
    declared = max(declared / left, 500.0)
    last = is_last_hand(view, rules)
    place = int(view.places[0])
    weight = RIICHI.always + RIICHI.tile * min(left, 8) + RIICHI.gain * log(declared / silent)
    weight += RIICHI.good * int(left >= 5) + RIICHI.mangan * int(silent >= MANGAN)
    weight += RIICHI.live * int(view.live_left) / 70.0 + RIICHI.dealer * int(view.dealer == 0)
    weight += RIICHI.last_first * int(last and place == 0) + RIICHI.last_fourth * int(last and place == 3)
    return weight


@kernel
def _shows_hand(view, waits, rules):  # type: ignore[no-untyped-def]
    """Whether to declare open riichi: it adds han, the wait is wide, and two opponents are in riichi."""
    more = worth_of(bits.OPEN_RIICHI, CLOSED, rules) - worth_of(bits.RIICHI, CLOSED, rules)
    bound = 0
    for seat in range(1, int(view.seats)):
        bound += int(view.riichi[seat] != 0)
    left = 0
    for kind in range(34):
        left += 4 - int(view.seen[kind]) if waits >> kind & 1 else 0
    return more > 0 and bound >= 2 and left >= OPEN_TILES


@routine
def riichi(view, kind, count, rules, context, work):  # type: ignore[no-untyped-def]
    """The riichi with the discard of ``kind``, −1 if it is illegal or unwise."""
    code = discard_code(kind, actions.RIICHI, count, work.actions)
    waits = work.choices[kind, 1]
    if code < 0 or judge(view, kind, waits, rules, context) <= 0:
        return -1
    if _shows_hand(view, waits, rules):
        shown = discard_code(kind, actions.OPEN_RIICHI, count, work.actions)
        return shown if shown >= 0 else code
    return code

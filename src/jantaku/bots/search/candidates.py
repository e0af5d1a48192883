"""The actions worth a search: all legal ones, without equal ones and those far below the policy's best.

A discard is dropped if the policy's utility is far below the best, or below that of several others. The
policy's own choice stays, and so does the safest tile if the policy's discard is dangerous.
"""

from typing import Any, Final

from jantaku.bots.efficient import tile_kind
from jantaku.bots.player import DECISION
from jantaku.bots.search.kernels.past import weigh_in
from jantaku.bots.search.position import KnownPosition
from jantaku.bots.workspace import BotWorkspace
from jantaku.game.engine import context
from jantaku.kernels.engine import actions as codes
from jantaku.kernels.engine.actions import DRAWN
from jantaku.kernels.rules import rules_record
from jantaku.tiles import RED

MOST_DISCARDS: Final = 6
MOST_RIICHI: Final = 3  # tiles with which to declare riichi
FAR_BELOW: Final = 8.0  # utility
RISKY: Final = 150.0  # points of danger from which the safest tile is considered
DECLARATIONS: Final = (codes.RIICHI, codes.OPEN_RIICHI)


def candidates(
    known: KnownPosition, policy: int, array: Any, work: BotWorkspace, far: float = FAR_BELOW
) -> list[int]:
    """Return the actions worth a search as the engine's integers, the policy's own choice first.

    ``array`` is the position's ``GAME[1]``, ``work`` a workspace for its rules, ``far`` the utility below the
    best from which a discard is dropped. If there is only one, there is nothing to search.
    """
    rules, room = rules_record(known.rules), context(known.rules.tiles.man)
    chosen = int(DECISION.call(array, known.seat, policy, rules, room, work))
    discards = _best_of_kind(known.codes, codes.DISCARD)
    if len(discards) < 2 or array[0].riichi[known.seat]:
        return [chosen, *(code for code in known.codes if code != chosen)]
    weigh_in(array, known.seat, policy, rules, room, work)
    utility = {kind: float(work.utility[kind]) for kind in discards}
    risk = {kind: float(work.risk[0, kind]) for kind in discards}
    wins = any(code >> 8 == codes.TSUMO for code in known.codes)
    found = [discards[kind] for kind in _kept(utility, risk, 1 if wins else MOST_DISCARDS, far)]
    ranked = sorted(utility, key=lambda kind: -utility[kind])
    for how in DECLARATIONS:
        declared = _best_of_kind(known.codes, how)
        kinds = [kind for kind in ranked if kind in declared][: 1 if wins else MOST_RIICHI]
        found += [declared[kind] for kind in kinds]
    found += [code for code in known.codes if code >> 8 not in (codes.DISCARD, *DECLARATIONS)]
    return [chosen, *(code for code in found if code != chosen)]


def _best_of_kind(offered: tuple[int, ...], how: int) -> dict[int, int]:
    """Return the action of the type for each kind of tile; a plain tile is preferred, then a drawn one."""
    best: dict[int, int] = {}
    for code in offered:
        if code >> 8 != how:
            continue
        kind = tile_kind(code)
        if kind not in best or _preference(code) > _preference(best[kind]):
            best[kind] = code
    return best


def _preference(code: int) -> tuple[bool, bool]:
    return (codes.value_of(code) & ~DRAWN) < RED, bool(code & DRAWN)


def _kept(utility: dict[int, float], risk: dict[int, float], most: int, far: float) -> list[int]:
    """Return the kinds of tiles whose discard is worth a search, best first."""
    ranked = sorted(utility, key=lambda kind: -utility[kind])
    best = ranked[0]
    kept = [kind for kind in ranked[:most] if utility[kind] >= utility[best] - far]
    safest = min(ranked, key=lambda kind: risk[kind])
    if safest not in kept and risk[best] - risk[safest] > RISKY:
        kept.append(safest)
    return kept

"""The choice between riichi and damaten (staying silent) for a tenpai hand."""

from math import log
from typing import Final

from jantaku.bots.caution import is_last_hand, margins_of
from jantaku.bots.discard import threat_of
from jantaku.bots.explore import explore, explores
from jantaku.bots.net import RIICHI, begin_options, net_value
from jantaku.bots.net_inputs import write_riichi, write_situation
from jantaku.bots.stakes import IPPATSU_CHANCE, deposit_cost, riichi_chips, white_dragons
from jantaku.bots.weights import RIICHI_AT
from jantaku.bots.worth import tenpai_worth
from jantaku.kernels._jit import routine
from jantaku.kernels.engine import actions
from jantaku.kernels.win import IN_DOUBLE_RIICHI, IN_OPEN_RIICHI, IN_RIICHI, ONE_SHOT

(
    ALWAYS,
    TILE,  # for each remaining tile of the wait, at most eight
    GOOD,  # five or more are left
    GAIN,  # logarithm of the ratio between the points of a riichi win and of a silent win
    MANGAN,  # a silent win is worth about a mangan
    LIVE,  # share of the wall that is left
    DEALER,
    LAST_FIRST,  # first in the last hand
    LAST_FOURTH,
    AHEAD,
    BEHIND,
    THREAT,
    THREAT_GOOD,
    SILENT,  # logarithm of the points of a silent win, in units of 2000
) = range(14)
COUNT: Final = 14
MANGAN_POINTS = 7600.0
HOPELESS: Final = -99.0  # the weight of riichi without a tile to win on
URA_SHARE: Final = 0.2  # share of the points of a riichi win that ura dora add
USUAL_IPPATSU: Final = 0.09  # share that ippatsu adds on average, if it gives one han
OPEN_WINS: Final = 0.4  # share of an open riichi's wins that remain if nobody discards the tile willingly


@routine
def _declared(view, kind, waits, how, rules, context):
    """Return the value of the waits in riichi, less what ippatsu and ura dora usually add."""
    if view.untouched and int(view.discards[0]) == 0:
        how |= IN_DOUBLE_RIICHI
    _, later = tenpai_worth(view, kind, waits, how, rules, context)
    _, at_once = tenpai_worth(view, kind, waits, how | ONE_SHOT, rules, context)
    worth = later + IPPATSU_CHANCE * (at_once - later)
    worth *= 1.0 + (URA_SHARE if rules.dora.ura else 0.0)
    return worth / ((1.0 + USUAL_IPPATSU) * (1.0 + URA_SHARE))


@routine
def _shown(view, kind, waits, rules, context):
    """Return the value of the waits in open riichi: others discard them only if bound by their own riichi."""
    if not rules.riichi.open:
        return 0.0
    bound = 0
    for seat in range(1, int(view.seats)):
        bound += int(view.riichi[seat] != 0)
    wins = OPEN_WINS + (1.0 - OPEN_WINS) * bound / (int(view.seats) - 1)
    return wins * _declared(view, kind, waits, IN_RIICHI | IN_OPEN_RIICHI, rules, context)


@routine
def judge(view, kind, row_of, rules, context, work):
    """Return (weight of riichi, whether to show the hand) for discarding ``kind``.

    A weight above 0 declares riichi. The features go to row 0 of ``work.features``.
    """
    waits = work.choices[kind, 1]
    left, silent = tenpai_worth(view, kind, waits, 0, rules, context)
    if left == 0:
        return HOPELESS, False
    closed = _declared(view, kind, waits, IN_RIICHI, rules, context)
    shown = _shown(view, kind, waits, rules, context)
    declared = max(closed, shown)
    silent = max(silent / left, 300.0)
    declared = declared / left * (1.0 + white_dragons(view, waits, rules) / left)
    declared = max(declared + riichi_chips(rules) - deposit_cost(rules), 500.0)
    last = is_last_hand(view, rules)
    place = int(view.places[0])
    row, margins, threat = work.features[0], margins_of(view, rules), threat_of(view, work)
    row[ALWAYS] = 1.0
    row[TILE] = min(left, 8)
    row[GOOD] = int(left >= 5)
    row[GAIN] = log(declared / silent)
    row[MANGAN] = int(silent >= MANGAN_POINTS)
    row[LIVE] = int(view.live_left) / 70.0
    row[DEALER] = int(view.dealer == 0)
    row[LAST_FIRST] = int(last and place == 0)
    row[LAST_FOURTH] = int(last and place == int(view.seats) - 1)
    row[AHEAD] = margins.ahead
    row[BEHIND] = margins.behind
    row[THREAT] = threat
    row[THREAT_GOOD] = threat * int(left >= 5)
    row[SILENT] = log(silent / 2000.0)
    weight = 0.0
    for i in range(COUNT):
        weight += work.weights[row_of, RIICHI_AT + i] * row[i]
    if work.corrected[row_of, RIICHI] != 0:
        write_situation(view, 0, rules, work)
        begin_options(RIICHI, row_of, work)
        write_riichi(view, kind, COUNT, (left, declared, silent), work, work.inputs.option[RIICHI, 1])
        weight += net_value(RIICHI, 1, row_of, work)
    return weight, shown > closed


@routine
def riichi_for(view, kind, row, rules, context, work):
    """Return how to discard ``kind`` from a hand that stays tenpai: open riichi, riichi, or silently."""
    weight, shows = judge(view, kind, row, rules, context, work)
    declares = weight > 0
    if explores(work) and weight != HOPELESS:
        work.utility[0], work.utility[1] = 0.0, weight
        declares = explore(RIICHI, 3, work) == 1
    if weight != HOPELESS:
        work.inputs.options[RIICHI] = 2
        work.inputs.chosen[RIICHI] = 1 if declares else -1
    if not declares:
        return actions.DISCARD
    return actions.OPEN_RIICHI if shows else actions.RIICHI

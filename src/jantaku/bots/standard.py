"""The bot ``standard``: weighs its hand's value against every risk, and folds when the risk is greater."""

from jantaku.bots.caution import is_last_hand
from jantaku.bots.claim import best_call
from jantaku.bots.discard import describe_discards
from jantaku.bots.discard_features import COUNT
from jantaku.bots.efficient import decide_end, discard_code, find, kita, tile_kind
from jantaku.bots.explore import explore, explores
from jantaku.bots.kans import called_kan, kan_for
from jantaku.bots.net import DISCARD, begin_options, net_value
from jantaku.bots.net_inputs import write_discard, write_situation
from jantaku.bots.riichi import riichi_for
from jantaku.bots.worth import NO_KIND, win_points
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.masks import ORPHANS, popcount
from jantaku.kernels.win import TSUMO

KOKUSHI_KINDS = 11  # with this many yaochuu kinds it goes for kokushi musou
LATE = 12  # with fewer tiles left in the wall, it takes every win


@routine
def best_discard(view, count, row, rules, context, work):
    """Return the kind whose discard has the highest weight, −1 if none is legal; fills ``work.utility``."""
    weights = work.weights[row]
    shanten = describe_discards(view, weights, rules, context, work)
    corrected = work.corrected[row, DISCARD] != 0
    if corrected:
        write_situation(view, shanten, rules, work)
        begin_options(DISCARD, row, work)
    best, most, options = -1, -1e9, 0
    for i in range(count):
        code = int(work.actions[i])
        if code >> 8 != actions.DISCARD:
            continue
        kind = tile_kind(code)
        if options >> kind & 1:
            continue
        weight = 0.0
        for j in range(COUNT):
            weight += weights[j] * work.features[kind, j]
        if corrected:
            write_discard(view, kind, shanten, rules, work, work.inputs.option[DISCARD, kind])
            weight += net_value(DISCARD, kind, row, work)
        work.utility[kind] = weight
        options |= 1 << kind
        if weight > most:
            best, most = kind, weight
    if explores(work) and best >= 0:
        best = explore(DISCARD, options, work)
    work.inputs.options[DISCARD] = options
    work.inputs.chosen[DISCARD] = best
    return best


@kernel
def _place_after(view, points, source):
    """Return the bot's place (0–3) after it wins ``points`` from the seat ``source``, or from all if 0."""
    place = 0
    for seat in range(1, int(view.seats)):
        paid = points // (int(view.seats) - 1) if source == 0 else points * int(seat == source)
        place += int(int(view.scores[seat]) - paid > int(view.scores[0]) + points)
    return place


@routine
def _declines_ron(view, rules, context):
    """Return whether to decline a ron that leaves the bot last in the last hand, if a tsumo would not."""
    if (
        not is_last_hand(view, rules)
        or view.places[0] != int(view.seats) - 1
        or view.riichi[0]
        or view.dealer == 0
    ):
        return False
    if int(view.live_left) < LATE:
        return False
    kind, last = int(view.claimed) % RED, int(view.seats) - 1
    ron = win_points(view, NO_KIND, kind, 0, rules, context)
    if _place_after(view, ron, int(view.claimed_from)) < last:
        return False
    return _place_after(view, win_points(view, NO_KIND, kind, TSUMO, rules, context), 0) < last


@kernel
def _far_from_kokushi(view):
    """Return whether a hand that allows kyuushu kyuuhai is too far from kokushi musou to play on."""
    kinds = 0
    for kind in range(34):
        kinds |= int(view.hand[kind] > 0) << kind
    return popcount(kinds & ORPHANS) < KOKUSHI_KINDS


@routine
def _answer(view, count, row, rules, context, work):
    """Return the answer to another player's tile."""
    ron = find(actions.RON, count, work.actions)
    if ron >= 0 and not _declines_ron(view, rules, context):
        return ron
    if view.riichi[0]:
        return actions.PASS << 8
    kan = find(actions.DAIMINKAN, count, work.actions)
    if kan >= 0 and called_kan(view, rules, context, work):
        return kan
    return best_call(view, count, row, rules, context, work)


@kernel
def _may_declare(kind, count, offered):
    """Return whether discarding ``kind`` may declare riichi, open or not."""
    closed = discard_code(kind, actions.RIICHI, count, offered) >= 0
    return closed or discard_code(kind, actions.OPEN_RIICHI, count, offered) >= 0


@routine
def standard(view, count, row, rules, context, work):
    """Return the action that ``standard`` chooses from the first ``count`` of ``work.actions``."""
    offered = work.actions
    if find(actions.PASS, count, offered) >= 0:
        return _answer(view, count, row, rules, context, work)
    code = max(find(actions.TSUMO, count, offered), decide_end(view, count, offered))
    if code < 0 and _far_from_kokushi(view):
        code = find(actions.KYUUSHU, count, offered)
    if code < 0:
        code = kita(view, count, context, work)
    if code >= 0:
        return code
    if view.riichi[0]:
        kan = find(actions.ANKAN, count, offered)
        return kan if kan >= 0 else int(offered[0])
    kind = best_discard(view, count, row, rules, context, work)
    if kind < 0:
        return int(offered[0])
    code = kan_for(view, kind, count, rules, context, work)
    if code < 0 and work.choices[kind, 0] == 0 and _may_declare(kind, count, offered):
        how = riichi_for(view, kind, row, rules, context, work)
        code = discard_code(kind, how, count, offered)
    return code if code >= 0 else discard_code(kind, actions.DISCARD, count, offered)

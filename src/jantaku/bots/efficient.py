"""The bot ``efficient``: takes the shortest way to tenpai and ignores danger."""

from jantaku.bots.plan import plan_of
from jantaku.bots.prospects import find_plans, nearest_yaku
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import NORTH, RED
from jantaku.kernels.engine.kuikae import barred_after
from jantaku.kernels.shanten import NEVER, shanten
from jantaku.kernels.waits import discard_choices
from jantaku.kernels.win import CHI, PON

FAR = 2  # shanten from which a hand gives up a pair of norths


@kernel
def tiles_left(mask, seen):
    """Count the unseen tiles of the kinds in ``mask``."""
    total = 0
    for kind in range(34):
        if mask >> kind & 1:
            total += 4 - int(seen[kind])
    return total


@kernel
def find(wanted, count, offered):
    """Return the first action of type ``wanted``, −1 if there is none."""
    for i in range(count):
        if int(offered[i]) >> 8 == wanted:
            return int(offered[i])
    return -1


@kernel
def tile_kind(code):
    """Return the kind of an action's tile."""
    return (actions.value_of(code) & ~actions.DRAWN) % RED


@kernel
def discard_code(kind, how, count, offered):
    """Return the action of type ``how`` that discards ``kind``, −1 if illegal.

    A plain tile is preferred to a red one, then the drawn tile to another.
    """
    best, worth = -1, -1
    for i in range(count):
        code = int(offered[i])
        if code >> 8 != how or tile_kind(code) != kind:
            continue
        red = (actions.value_of(code) & ~actions.DRAWN) >= RED
        value = 2 * int(not red) + int(code & actions.DRAWN != 0)
        if value > worth:
            best, worth = code, value
    return best


@kernel
def _uselessness(view, kind):
    """Return a small number that ranks useless tiles higher, to break ties between equal discards."""
    if kind >= 27:
        return 4.0 + int(view.seen[kind])
    rank = kind % 9
    return 0.0 + max(4 - rank, rank - 4)


@routine
def best_discard(view, count, context, work):
    """Return the kind whose discard leaves the lowest shanten, then the most improving tiles; −1 for none."""
    choices = work.choices
    discard_choices(view.hand, view.seen, int(view.melds[0]), context.tables, context.scratch, choices)
    best, most = -1, -1e9
    for i in range(count):
        code = int(work.actions[i])
        kind = tile_kind(code)
        if code >> 8 != actions.DISCARD:
            continue
        worth = (
            20.0 * tiles_left(choices[kind, 1], view.seen)
            + _uselessness(view, kind)
            - 5000.0 * choices[kind, 0]
        )
        if worth > most:
            best, most = kind, worth
    return best


@kernel
def take_called(view, code, trial):
    """Write the hand after a chi or pon to ``trial``; return the first tile of the meld."""
    called = int(view.claimed) % RED
    for kind in range(34):
        trial[kind] = view.hand[kind]
    if code >> 8 == actions.PON:
        trial[called] -= 2
        return called
    position = code & 3
    for k in range(3):
        if k != position:
            trial[called - position + k] -= 1
    return called - position


@routine
def after_call(view, code, first, rules, context, work):
    """Return (shanten, unseen improving tiles) of ``work.trial`` after the call and the best discard."""
    barred = barred_after(int(view.claimed) % RED, first, code >> 8 == actions.CHI, rules)
    inner = work.inner
    discard_choices(work.trial, view.seen, int(view.melds[0]) + 1, context.tables, context.scratch, inner)
    best, most = NEVER, 0
    for kind in range(34):
        if barred >> kind & 1 or inner[kind, 0] > best:
            continue
        left = tiles_left(inner[kind, 1], view.seen)
        if inner[kind, 0] < best or left > most:
            best, most = inner[kind, 0], left
    return best, most


@routine
def _claim(view, count, rules, context, work):
    now = shanten(view.hand, int(view.melds[0]), context.tables)
    best, lowest = actions.PASS << 8, now
    for i in range(count):
        code = int(work.actions[i])
        if code >> 8 != actions.CHI and code >> 8 != actions.PON:
            continue
        first = take_called(view, code, work.trial)
        nearer, _ = after_call(view, code, first, rules, context, work)
        if nearer >= lowest:
            continue
        meld = CHI if code >> 8 == actions.CHI else PON
        plan = plan_of(work.trial, view, meld, first, rules)
        find_plans(work.trial, view, plan, nearer, rules, work)
        if nearest_yaku(plan, view, rules, work) == 0:
            best, lowest = code, nearer
    return best


@routine
def kita(view, count, context, work):
    """Return the action that sets a north aside, −1 if there is none or the hand needs the tile.

    A hand at least two tiles from tenpai gives up a pair of norths; one on the way to kokushi keeps them.
    """
    code = find(actions.KITA, count, work.actions)
    if code < 0 or view.riichi[0]:
        return code
    melds, trial = int(view.melds[0]), work.trial
    for kind in range(34):
        trial[kind] = view.hand[kind]
    now = shanten(trial, melds, context.tables)
    trial[NORTH] -= 1
    after = shanten(trial, melds, context.tables)
    return code if after <= now or (now >= FAR and after == now + 1 and view.hand[NORTH] > 1) else -1


@kernel
def take_win(count, offered):
    """Return the tsumo or ron among the actions, −1 if there is none."""
    tsumo = find(actions.TSUMO, count, offered)
    return tsumo if tsumo >= 0 else find(actions.RON, count, offered)


@kernel
def decide_end(view, count, offered):
    """Return the dealer's choice whether to end the game, yes if in first place; −1 if there is no choice."""
    ends = find(actions.END_GAME, count, offered)
    if ends < 0 or view.places[0] == 0:
        return ends
    return find(actions.PLAY_ON, count, offered)


@routine
def efficient(view, count, rules, context, work):
    """Return the action that ``efficient`` chooses from the first ``count`` of ``work.actions``."""
    offered = work.actions
    code = max(take_win(count, offered), decide_end(view, count, offered))
    if code >= 0:
        return code
    if find(actions.PASS, count, offered) >= 0:
        return _claim(view, count, rules, context, work)
    code = kita(view, count, context, work)
    if code >= 0:
        return code
    kind = best_discard(view, count, context, work)
    if kind < 0:
        return int(offered[0])
    riichi = discard_code(kind, actions.RIICHI, count, offered)
    return riichi if riichi >= 0 else discard_code(kind, actions.DISCARD, count, offered)

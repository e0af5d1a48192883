"""Fouls: illegal acts that are possible if the ruleset penalises them, and their costs (inventory 166–207).

An illegal act that is executed (a barred discard, a riichi, a kan in riichi) is the ordinary action, and its
tiles lie on the table even if it voids the hand. One that the player retracts (a false win, a wrong call) is
the action ``FOUL``. A kan or kita declared by a dead hand (inventory d31) is the ordinary action, but is not
executed. A seat can commit at most one foul between two discards.
"""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.claims import may_ron
from jantaku.kernels.engine.furiten import is_furiten
from jantaku.kernels.engine.hands import NORTH, RED, after, seats_of
from jantaku.kernels.engine.kita import has_north_to_set_aside, must_keep_norths
from jantaku.kernels.engine.riichi import (
    add_discards_of,
    add_riichi,
    enough_wall,
    free_to_declare,
    is_exhausted,
    waits_after,
)
from jantaku.kernels.engine.riichi_kan import riichi_kan
from jantaku.kernels.engine.settle import lay_deposits
from jantaku.kernels.engine.state import CLAIMS, DISCARDED, EXHAUSTED, NO_ANSWER, NO_SEAT, NO_TILE, YOUR_TURN
from jantaku.kernels.engine.turn import kans_left, may_tsumo
from jantaku.kernels.rules import choice, foul
from jantaku.kernels.win import PON
from jantaku.rules.options import FOUL_DEPOSIT

PENALISE = choice("fouls.mode", "penalise")
SHORT_WALL_FOUL = choice("riichi.short_wall", "foul")
EXHAUSTED_FOUL = choice("riichi.exhausted_wait", "foul")
SUUCHA_CHOMBO = choice("draw.suucha_riichi_noten", "chombo")
NO_COST = choice("fouls.noten_riichi", "none")
CHOMBO = choice("fouls.noten_riichi", "chombo")
EXPULSION = choice("fouls.noten_riichi", "expulsion")
DEAD_HAND = choice("fouls.noten_riichi", "dead_hand")
DEPOSIT = choice("fouls.noten_riichi", "deposit_1000")
NOTEN_AT_DRAW = choice("fouls.noten_riichi", "noten_at_draw")

FALSE_WIN_SHOWN = foul("false_win_shown")
FALSE_WIN_CALLED = foul("false_win_called")
FALSE_WIN_IN_RIICHI = foul("false_win_in_riichi")
FURITEN_RON = foul("furiten_ron")
NOTEN_RIICHI = foul("noten_riichi")
ILLEGAL_RIICHI_ANKAN = foul("illegal_riichi_ankan")
GENBUTSU_KUIKAE = foul("genbutsu_kuikae")
SUJI_KUIKAE = foul("suji_kuikae")
LATE_RIICHI = foul("late_riichi")
EXHAUSTED_RIICHI = foul("exhausted_riichi")
WRONG_MELD = foul("wrong_meld")
CALL_SLIP = foul("call_slip")
ACTING_DEAD = foul("acting_dead")
WITHDRAWN_RIICHI = foul("riichi_withdrawn")


@routine
def foul_actions(game, seat, rules, context, out):
    """Write the fouls that ``seat`` can commit to ``out`` (``int16[MAX_ACTIONS]``); return their number."""
    if rules.fouls.mode != PENALISE or game.phase > CLAIMS or game.deciding or game.fouled[seat]:
        return 0
    if game.phase == YOUR_TURN and seat == int(game.turn):
        return own_fouls(game, seat, rules, context, out)
    return claim_fouls(game, seat, rules, context, out)


@kernel
def add_foul(how, out, count):
    """Add the ``FOUL`` of an act that the player retracts."""
    out[count] = actions.action(actions.FOUL, how)
    return count + 1


@kernel
def add_wrong_calls(out, count):
    """Add the fouls of calling a discard: a call that makes no set, and a slip (inventory 191, 203)."""
    count = add_foul(actions.MELD_WRONG, out, count)
    return add_foul(actions.CALL_WITHDRAWN, out, count)


@routine
def own_fouls(game, seat, rules, context, out):
    """Write the fouls possible on the seat's own turn: kuikae, false tsumo, wrong calls, riichi and kans."""
    count = 0
    if game.drawn == NO_TILE:
        for kind in range(34):
            if game.hand[seat, kind] > 0 and int(game.barred) >> kind & 1:
                count = add_discards_of(game, seat, kind, actions.DISCARD, out, count)
        return count
    if not may_tsumo(game, seat, rules, context):
        count = add_foul(actions.WIN_SHOWN, out, count)
        count = add_foul(actions.WIN_CALLED, out, count)
    if may_still_react(game, seat):  # a wrong call of the discard before this draw
        count = add_wrong_calls(out, count)
    if may_withdraw(game, seat, rules, context, out[count:]):
        count = add_foul(actions.RIICHI_WITHDRAWN, out, count)
    if free_to_declare(game, seat, rules):
        late, keep_norths = not enough_wall(game, rules), must_keep_norths(game, seat, rules)
        for kind in range(34):
            if game.hand[seat, kind] == 0 or (kind == NORTH and keep_norths):
                continue
            if late and rules.riichi.short_wall != SHORT_WALL_FOUL:
                continue
            waits = waits_after(game, seat, kind, context)
            empty = rules.riichi.exhausted_wait == EXHAUSTED_FOUL and is_exhausted(game, seat, waits)
            if late or waits == 0 or empty:
                count = add_discards_of(game, seat, kind, actions.RIICHI, out, count)
    if game.dead[seat] and has_north_to_set_aside(game, seat, rules):
        out[count] = actions.action(actions.KITA, 0)
        count += 1
    return add_foul_kans(game, seat, rules, context, out, count)


@routine
def may_withdraw(game, seat, rules, context, out):
    """Return whether the seat could declare riichi and withdraw it at a cost (inventory d42).

    ``out`` is scratch space.
    """
    if rules.foul_costs[WITHDRAWN_RIICHI] == NO_COST:
        return False
    if not free_to_declare(game, seat, rules) or not enough_wall(game, rules):
        return False
    return add_riichi(game, seat, rules, context, out) > 0


@kernel
def add_foul_kans(game, seat, rules, context, out, count):
    """Add the kans that riichi forbids, and every kan of a dead hand."""
    if not kans_left(game, rules):
        return count
    dead = game.dead[seat] != 0
    for kind in range(34):
        if game.hand[seat, kind] == 4 and (
            dead or (game.riichi[seat] and not riichi_kan(game, seat, kind, rules, context))
        ):
            out[count] = actions.action(actions.ANKAN, kind)
            count += 1
    for i in range(int(game.melds[seat])):
        kind = int(game.meld_first[seat, i])
        if dead and game.meld[seat, i] == PON and game.hand[seat, kind] > 0:
            out[count] = actions.action(actions.KAKAN, kind + RED * int(game.red[seat, kind] > 0))
            count += 1
    return count


@kernel
def may_still_react(game, seat):
    """Return whether the seat can still react to the last tile: claims are open or only a draw followed."""
    if int(game.claimed_from) == NO_SEAT or int(game.claimed_from) == seat:
        return False
    if game.phase == CLAIMS:
        return game.asked[seat] == 0 or game.answer[seat] == NO_ANSWER
    passed = game.drawn != NO_TILE and not game.after_kan and game.claimed_how == DISCARDED
    return passed and after(game, int(game.claimed_from), 1) == int(game.turn)


@routine
def claim_fouls(game, seat, rules, context, out):
    """Write the fouls possible on another seat's tile: false or furiten ron, and wrong calls."""
    count = 0
    if not may_still_react(game, seat):
        return 0
    if game.phase != CLAIMS or not may_ron(game, seat, rules, context):
        count = add_foul(actions.WIN_SHOWN, out, count)
        count = add_foul(actions.WIN_CALLED, out, count)
    if game.claimed_how != DISCARDED:
        return count
    return add_wrong_calls(out, count)


@kernel
def riichi_foul(game, seat, kind, rules, context):
    """Return the foul of a riichi that discards ``kind``: late, waiting for no remaining tile, or noten."""
    if not enough_wall(game, rules):
        return LATE_RIICHI
    return EXHAUSTED_RIICHI if waits_after(game, seat, kind, context) else NOTEN_RIICHI


@kernel
def foul_of(game, seat, code, rules, context):
    """Return the foul that an illegal act commits."""
    kind, value = actions.kind_of(code), actions.value_of(code)
    if kind == actions.DISCARD:
        called = int(game.meld_called[seat, int(game.melds[seat]) - 1])
        return GENBUTSU_KUIKAE if called % RED == (value & ~actions.DRAWN) % RED else SUJI_KUIKAE
    if game.dead[seat]:
        return ACTING_DEAD
    if kind == actions.RIICHI:
        return riichi_foul(game, seat, (value & ~actions.DRAWN) % RED, rules, context)
    if kind == actions.ANKAN:
        return ILLEGAL_RIICHI_ANKAN
    return retracted_foul(game, seat, value)


@kernel
def retracted_foul(game, seat, how):
    """Return the foul of a retracted act: a riichi, a call or an invalid win."""
    if how == actions.RIICHI_WITHDRAWN:
        return WITHDRAWN_RIICHI
    if how == actions.MELD_WRONG or how == actions.CALL_WITHDRAWN:
        return WRONG_MELD if how == actions.MELD_WRONG else CALL_SLIP
    return false_win(game, seat, how)


@kernel
def false_win(game, seat, how):
    """Return the foul of an invalid win."""
    if how == actions.WIN_CALLED:
        return FALSE_WIN_IN_RIICHI if game.riichi[seat] else FALSE_WIN_CALLED
    if game.illegal_kan[seat]:
        return ILLEGAL_RIICHI_ANKAN
    own = game.phase == YOUR_TURN and seat == int(game.turn)
    complete = int(game.waits[seat]) >> int(game.claimed_tile) % RED & 1
    return FURITEN_RON if not own and complete and is_furiten(game, seat) else FALSE_WIN_SHOWN


@kernel
def is_executed(game, seat, code):
    """Return whether an illegal act is executed anyway: neither retracted nor declared by a dead hand."""
    kind = actions.kind_of(code)
    return kind == actions.DISCARD or (kind != actions.FOUL and game.dead[seat] == 0)


@kernel
def charge(game, seat, foul, cost, rules):
    """Record the foul and apply its cost; return True for a chombo or expulsion, left to the caller."""
    game.earlier_foul[seat], game.earlier_cost[seat] = game.foul[seat], game.foul_cost[seat]
    game.foul[seat], game.foul_cost[seat] = foul, cost
    game.fouls[seat] += 1
    game.fouled[seat] = 1
    if cost == DEAD_HAND:
        game.dead[seat] = 1
    elif cost == NOTEN_AT_DRAW:
        game.noten[seat] = 1
    elif cost == DEPOSIT:  # laid as riichi sticks, which go to the next winner (inventory 202)
        sticks = FOUL_DEPOSIT // int(rules.riichi.deposit) if rules.riichi.deposit else 0
        lay_deposits(game.match, game.outcome, seat, sticks, rules)
    return cost == CHOMBO or cost == EXPULSION


@kernel
def commit_foul(game, seat, code, rules, context):
    """Charge an illegal act of the seat; return True for a chombo.

    A noten riichi, and a forbidden kan that costs a chombo, are discovered only when the hand is shown
    (inventory 135, 175–176).
    """
    foul = foul_of(game, seat, code, rules, context)
    cost = int(rules.foul_costs[foul])
    if actions.kind_of(code) == actions.RIICHI and foul == NOTEN_RIICHI:
        return False
    if actions.kind_of(code) == actions.ANKAN and foul == ILLEGAL_RIICHI_ANKAN and cost == CHOMBO:
        game.illegal_kan[seat] = 1
        return False
    return charge(game, seat, foul, cost, rules)


@routine
def claimed_fouls(game, rules, context):
    """Charge the fouls among the answers; return the seats that must pay a chombo as a mask."""
    offenders = 0
    for turn in range(1, seats_of(game)):
        seat = after(game, int(game.claimed_from), turn)
        code = int(game.answer[seat])
        if not game.asked[seat]:
            continue
        if actions.kind_of(code) == actions.FOUL:
            offenders |= int(commit_foul(game, seat, code, rules, context)) << seat
    return offenders


@routine
def fouls_at_draw(game, ended, rules):
    """Charge noten riichi and forbidden kans revealed by the hands shown at a draw (inventory 175–176, 187).

    Returns the seats that must pay a chombo as a mask.
    """
    offenders = 0
    if rules.fouls.mode != PENALISE:
        return 0
    for seat in range(seats_of(game)):
        foul, cost = NOTEN_RIICHI, int(rules.foul_costs[NOTEN_RIICHI])
        if ended != EXHAUSTED:
            cost = CHOMBO if rules.draw.suucha_riichi_noten == SUUCHA_CHOMBO else NO_COST
        noten = game.riichi[seat] != 0 and game.waits[seat] == 0
        if not noten and game.illegal_kan[seat] and ended == EXHAUSTED:
            noten, foul, cost = True, ILLEGAL_RIICHI_ANKAN, int(rules.foul_costs[ILLEGAL_RIICHI_ANKAN])
        if noten and cost != NO_COST:
            offenders |= int(charge(game, seat, foul, cost, rules)) << seat
    return offenders

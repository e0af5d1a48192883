"""Actions of a seat on its turn: win, discard, declare riichi, kan, or end the hand."""

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.abortive_draw import may_kyuushu
from jantaku.kernels.engine.hands import NORTH, RED, first_turn, kans_of
from jantaku.kernels.engine.kita import may_set_north_aside, must_keep_norths
from jantaku.kernels.engine.riichi import add_discards_of, add_riichi, enough_wall, free_to_declare
from jantaku.kernels.engine.riichi_kan import riichi_kan
from jantaku.kernels.engine.state import NO_TILE
from jantaku.kernels.engine.wall import MAX_KANS, live_left
from jantaku.kernels.engine.winning import may_not_win, may_win
from jantaku.kernels.rules import CLOSED
from jantaku.kernels.score import POCCHI_OFF, WHITE_KIND
from jantaku.kernels.win import PON


@kernel
def may_tsumo(game, seat, rules, context):
    """Return whether the seat may win on the drawn tile."""
    tile = int(game.drawn)
    if tile == NO_TILE or may_not_win(game, seat):
        return False
    if int(game.waits[seat]) >> tile % RED & 1 == 0 and not needs_no_wait(game, seat, tile, rules):
        return False
    return may_win(game, seat, tile, False, rules, context)


@kernel
def needs_no_wait(game, seat, tile, rules):
    """Return whether a tsumo is possible although the tile is not a wait (inventory 362, 379, d41).

    This covers shiisan puutaa, four kans, and a white dragon that stands for any tile.
    """
    if rules.riichi.shiro_pocchi != POCCHI_OFF and tile == WHITE_KIND and game.riichi[seat]:
        return True
    if first_turn(game, seat) and game.melds[seat] == 0:
        return int(rules.yaku.available[CLOSED]) >> bits.SHIISAN_PUUTAA & 1 != 0
    return rules.win.suukantsu_by_kan != 0 and game.after_kan != 0 and kans_of(game, seat) == MAX_KANS


@kernel
def add_discards(game, seat, rules, out, count):
    """Add a discard for each different tile of the hand, and one for the drawn tile as drawn."""
    barred = int(game.barred) | int(must_keep_norths(game, seat, rules)) << NORTH
    if game.riichi[seat]:
        if barred >> int(game.drawn) % RED & 1 == 0:
            out[count] = actions.action(actions.DISCARD, int(game.drawn) | actions.DRAWN)
            count += 1
        return count
    for kind in range(34):
        if game.hand[seat, kind] > 0 and barred >> kind & 1 == 0:
            count = add_discards_of(game, seat, kind, actions.DISCARD, out, count)
    return count


@kernel
def kans_left(game, rules):
    """Return whether the wall and the limit of four kans allow another kan (inventory 107–109)."""
    below_limit = int(game.kans) < MAX_KANS or not rules.calls.kan_limit_one_player
    return live_left(game) > 0 and below_limit


@kernel
def add_kans(game, seat, rules, context, out):
    """Write the concealed and added kans possible on this turn to ``out`` and return their number."""
    count = 0
    if game.drawn == NO_TILE or game.dead[seat] or not kans_left(game, rules):
        return 0
    for kind in range(34):
        if game.hand[seat, kind] == 4 and (
            not game.riichi[seat] or riichi_kan(game, seat, kind, rules, context)
        ):
            out[count] = actions.action(actions.ANKAN, kind)
            count += 1
    for i in range(int(game.melds[seat])):
        kind = int(game.meld_first[seat, i])
        if game.meld[seat, i] == PON and game.hand[seat, kind] > 0:
            out[count] = actions.action(actions.KAKAN, kind + RED * int(game.red[seat, kind] > 0))
            count += 1
    return count


@routine
def turn_actions(game, seat, rules, context, out):
    """Write all actions of the seat on turn to ``out`` (``int16[MAX_ACTIONS]``); return their number."""
    count = 0
    if may_tsumo(game, seat, rules, context):
        out[count] = actions.action(actions.TSUMO, 0)
        count += 1
    if may_kyuushu(game, seat, rules):
        out[count] = actions.action(actions.KYUUSHU, 0)
        count += 1
    count = add_discards(game, seat, rules, out, count)
    if free_to_declare(game, seat, rules) and enough_wall(game, rules):
        count += add_riichi(game, seat, rules, context, out[count:])
    if may_set_north_aside(game, seat, rules):
        out[count] = actions.action(actions.KITA, 0)
        count += 1
    return count + add_kans(game, seat, rules, context, out[count:])

"""Norths: setting one aside, discarding one, and winning on one set aside (inventory d23, d26)."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import NORTH
from jantaku.kernels.engine.state import NO_TILE
from jantaku.kernels.engine.wall import live_left
from jantaku.kernels.engine.winning import may_win, waits_for_kokushi
from jantaku.kernels.rules import choice
from jantaku.kernels.value import has_yakuman

RON_KOKUSHI = choice("kita.ron", "kokushi")
RON_YAKUMAN = choice("kita.ron", "yakuman")
RON_NEVER = choice("kita.ron", "never")


@kernel
def may_set_north_aside(game, seat, rules):
    """Return whether the seat may set a north aside as a dora after a draw; in riichi only the drawn one."""
    return game.dead[seat] == 0 and has_north_to_set_aside(game, seat, rules)


@kernel
def has_north_to_set_aside(game, seat, rules):
    """Return the same as ``may_set_north_aside``, but also for a dead hand."""
    if not rules.kita.nukidora or game.drawn == NO_TILE or game.hand[seat, NORTH] == 0:
        return False
    return live_left(game) > 0 and (not game.riichi[seat] or int(game.drawn) == NORTH)


@kernel
def must_keep_norths(game, seat, rules):
    """Return whether the rules forbid the seat to discard a north now.

    Under such rules, a north may still be discarded if it cannot be set aside and no other tile is legal.
    """
    if not rules.kita.nukidora or rules.kita.discard:
        return False
    if may_set_north_aside(game, seat, rules):
        return True
    if game.riichi[seat]:
        return False
    for kind in range(34):
        if kind != NORTH and game.hand[seat, kind] > 0 and int(game.barred) >> kind & 1 == 0:
            return True
    return False


@routine
def may_rob_north(game, seat, rules, context):
    """Return whether the rules let the seat, which waits for north, win on one set aside."""
    allowed = int(rules.kita.ron)
    if allowed == RON_KOKUSHI:
        return waits_for_kokushi(game, seat)
    if allowed == RON_YAKUMAN:  # a yakuman by yaku, not by counting dora
        robbing = rules.kita.chankan != 0
        return may_win(game, seat, NORTH, robbing, rules, context) and has_yakuman(context.result, rules)
    return allowed != RON_NEVER

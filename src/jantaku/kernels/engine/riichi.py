"""Riichi: the discards that may declare it, its stick, and the end of ippatsu (inventory 122–144)."""

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import NORTH, RED, count_held, holds, is_closed, seats_of
from jantaku.kernels.engine.kita import must_keep_norths
from jantaku.kernels.engine.settle import lay_deposits
from jantaku.kernels.engine.sight import is_seen
from jantaku.kernels.engine.state import DOUBLE_RIICHI, NO_TILE, RIICHI
from jantaku.kernels.engine.wall import live_left
from jantaku.kernels.rules import CLOSED, choice
from jantaku.kernels.shanten import shanten
from jantaku.kernels.waits import wait_mask

KEPT = choice("riichi.stick_when_declaration_is_ronned", "kept")
EXHAUSTED_ALLOWED = choice("riichi.exhausted_wait", "allowed")


@kernel
def free_to_declare(game, seat, rules):
    """Return whether the seat meets all conditions of riichi except those on hand and wall (inventory 126).

    If the rules do not make riichi a yaku, an option decides whether it may be declared.
    """
    if not (rules.riichi.without_yaku or int(rules.yaku.available[CLOSED]) >> bits.RIICHI & 1):
        return False
    if game.riichi[seat] or game.drawn == NO_TILE or not is_closed(game, seat) or game.dead[seat]:
        return False
    return not rules.riichi.needs_points or int(game.match.scores[seat]) >= int(rules.riichi.deposit)


@kernel
def enough_wall(game, rules):
    """Return whether enough tiles are left for riichi (inventory 127)."""
    return live_left(game) >= max(1, seats_of(game) * int(rules.riichi.draws_left))


@routine
def waits_after(game, seat, kind, context):
    """Return the waits after discarding a tile of the kind, as a mask; 0 if the hand is not tenpai.

    A kind is not a wait if the seat itself holds all four (``count_held``), as at an exhaustive draw.
    """
    hand = game.hand[seat]
    hand[kind] -= 1
    count_held(game, seat, context.held)
    waits = wait_mask(hand, context.held, int(game.melds[seat]), context.tables, context.scratch)
    hand[kind] += 1
    return waits


@kernel
def is_exhausted(game, seat, waits):
    """Return whether the seat can see that none of the tiles it would wait for is left (inventory 127)."""
    for kind in range(34):
        if waits >> kind & 1 and not is_seen(game, seat, kind):
            return False
    return True


@kernel
def may_wait(game, seat, kind, waits, rules):
    """Return whether the rules allow riichi with these waits after discarding ``kind``."""
    if waits == 0:
        return False
    if not rules.riichi.furiten_allowed and waits & (int(game.discarded[seat]) | 1 << kind) != 0:
        return False
    return rules.riichi.exhausted_wait == EXHAUSTED_ALLOWED or not is_exhausted(game, seat, waits)


@kernel
def add_discards_of(game, seat, tile_kind, kind, out, count):
    """Add the ways to discard a tile of ``tile_kind``: red, plain, and as drawn."""
    drawn = int(game.drawn)
    for tile in (tile_kind, tile_kind + RED):
        copies = holds(game, seat, tile)
        if tile == drawn:
            out[count] = actions.action(kind, tile | actions.DRAWN)
            count += 1
            copies -= 1
        if copies > 0:
            out[count] = actions.action(kind, tile)
            count += 1
    return count


@routine
def add_riichi(game, seat, rules, context, out):
    """Write every discard that may declare riichi to ``out`` and return their number."""
    hand = game.hand[seat]
    if shanten(hand, int(game.melds[seat]), context.tables) > 0:
        return 0
    count, keep_norths = 0, must_keep_norths(game, seat, rules)
    for kind in range(34):
        if hand[kind] == 0 or (kind == NORTH and keep_norths):
            continue
        if may_wait(game, seat, kind, waits_after(game, seat, kind, context), rules):
            count = add_discards_of(game, seat, kind, actions.RIICHI, out, count)
            if rules.riichi.open:
                count = add_discards_of(game, seat, kind, actions.OPEN_RIICHI, out, count)
    return count


@kernel
def declare(game, seat, open_hand, rules):
    """Declare riichi with a discard, or double riichi with an undisturbed first one (inventory 140–142)."""
    undisturbed = game.untouched or not (game.opened or rules.riichi.double_broken_by_ankan)
    first = undisturbed and game.discards[seat] == 0 and rules.riichi.double
    game.riichi[seat] = DOUBLE_RIICHI if first else RIICHI
    game.open_riichi[seat] = int(open_hand)
    game.declaring = 1


@kernel
def lay_stick(game, ronned, rules):
    """Pay the stick of a riichi just declared, unless a ron on its tile waives it (inventory 122, 139)."""
    if game.declaring and not (ronned and rules.riichi.stick_when_declaration_is_ronned == KEPT):
        lay_deposits(game.match, game.outcome, int(game.claimed_from), 1, rules)


@kernel
def end_ippatsu(game):
    """End the ippatsu of every seat."""
    for seat in range(seats_of(game)):
        game.ippatsu[seat] = 0

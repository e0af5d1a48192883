"""Abortive draws: nine kinds, four winds, four riichi, four kans, triple ron (inventory 225–235)."""

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.hand_end import close_hand
from jantaku.kernels.engine.hands import RED, first_turn, kans_of, seats_of
from jantaku.kernels.engine.state import NO_TILE, SUUCHA_RIICHI, SUUFUU_RENDA, SUUKANSANRA
from jantaku.kernels.engine.wall import MAX_KANS
from jantaku.kernels.masks import ORPHANS, popcount
from jantaku.kernels.rules import choice
from jantaku.kernels.win import MAX_SEATS

SUUKANSANRA_AT_ONCE = choice("draw.suukansanra_at", "at_once")


@kernel
def may_kyuushu(game, seat, rules):
    """Return whether the seat has nine kinds of yaochuu on an untouched first draw (inventory 229)."""
    if not rules.draw.kyuushu_kyuuhai or not first_turn(game, seat) or game.drawn == NO_TILE:
        return False
    kinds = 0
    for kind in range(34):
        kinds |= int(game.hand[seat, kind] > 0) << kind
    return popcount(kinds & ORPHANS) >= 9


@kernel
def four_kans_by_several(game):
    """Return whether four kans have been made by more than one player."""
    kans = owners = 0
    for seat in range(seats_of(game)):
        own = kans_of(game, seat)
        kans += own
        owners += int(own > 0)
    return kans == MAX_KANS and owners > 1


@kernel
def kan_aborts(game, rules):
    """Return whether a further kan ends the hand: it is the fifth, or several players have made four."""
    if int(game.kans) == MAX_KANS:
        return True
    at_once = rules.draw.suukansanra_at == SUUKANSANRA_AT_ONCE
    return at_once and rules.draw.suukansanra != 0 and four_kans_by_several(game)


@kernel
def ends_in_four_kans(game, rules):
    """Return whether this discard ends the hand by suukansanra unless it is ronned (inventory 107, 225)."""
    return int(game.kans) == MAX_KANS and rules.draw.suukansanra != 0 and four_kans_by_several(game)


@kernel
def abort_after_discard(game, rules):
    """Return the abortive draw that an unclaimed discard causes, 0 for none (inventory 226–232)."""
    riichi = 0
    for seat in range(seats_of(game)):
        riichi += int(game.riichi[seat] != 0)
    if riichi == seats_of(game) and rules.draw.suucha_riichi:
        return SUUCHA_RIICHI
    if ends_in_four_kans(game, rules):
        return SUUKANSANRA
    if rules.draw.suufuu_renda and game.untouched and same_winds(game):
        return SUUFUU_RENDA
    return 0


@kernel
def same_winds(game):
    """Return whether the first discards of all four seats are the same wind."""
    if seats_of(game) < MAX_SEATS:
        return False
    kind = int(game.river[0, 0]) % RED
    for seat in range(seats_of(game)):
        if game.discards[seat] != 1 or int(game.river[seat, 0]) % RED != kind:
            return False
    return 27 <= kind <= 30


@kernel
def end_aborted(game, ended, discarder, rules):
    """End the hand in an abortive draw, without payments (inventory 234–235).

    ``discarder`` is the seat whose tile three seats ronned, otherwise ``NO_SEAT``.
    """
    game.outcome.discarder = discarder
    close_hand(game, ended, False, rules)

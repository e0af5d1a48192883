"""Furiten: when it begins and ends, and whether it bars a seat from ron (inventory 155–165)."""

from jantaku.kernels._jit import kernel
from jantaku.kernels.rules import choice

NOT_FURITEN, BY_DISCARD, BY_PASSING, BY_RIICHI = range(4)
OWN_DRAW = choice("furiten.temporary_until", "own_draw")


@kernel
def furiten_of(game, seat):
    """Return the kind of furiten that bars the seat from ron (``BY_DISCARD`` …), or ``NOT_FURITEN``."""
    if game.furiten_lasting[seat]:
        return BY_RIICHI
    if int(game.waits[seat]) & int(game.discarded[seat]) != 0:
        return BY_DISCARD
    return BY_PASSING if game.furiten_passing[seat] else NOT_FURITEN


@kernel
def is_furiten(game, seat):
    """Return whether furiten of any kind bars the seat from ron."""
    return furiten_of(game, seat) != NOT_FURITEN


@kernel
def begin_by_passing(game, seat, rules):
    """Make a seat furiten after it passes up a winning tile; permanently in riichi (inventory 159–165)."""
    game.furiten_passing[seat] = 1
    if game.riichi[seat] and rules.furiten.riichi_permanent:
        game.furiten_lasting[seat] = 1


@kernel
def end_at_draw(game, seat):
    """End the seat's temporary furiten because it draws a tile."""
    game.furiten_passing[seat] = 0


@kernel
def end_at_call(game, seat, rules):
    """End the seat's temporary furiten if the rules end it at a call as well."""
    if rules.furiten.temporary_until != OWN_DRAW:
        game.furiten_passing[seat] = 0


@kernel
def clear_furiten(game, seat):
    """End furiten of every kind at the start of a hand."""
    game.furiten_passing[seat] = game.furiten_lasting[seat] = 0

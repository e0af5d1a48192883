"""Tiles that a seat can see, and tiles that an open riichi shows."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import NORTH, RED, count_held, seats_of
from jantaku.kernels.engine.state import CALLED, NO_TILE, YOUR_TURN
from jantaku.kernels.engine.wall import dora_indicator
from jantaku.kernels.masks import HONOURS, SUIT_MAN, SUIT_PIN, SUIT_SOU
from jantaku.kernels.waits import wait_mask
from jantaku.kernels.win import ANKAN, CHI
from jantaku.tiles import COPIES


@kernel
def suits_of_wait(waits):
    """Return all kinds of the suits in the wait, plus the honours of the wait (inventory 149)."""
    kinds = waits & HONOURS
    kinds |= SUIT_MAN if waits & SUIT_MAN else 0
    kinds |= SUIT_PIN if waits & SUIT_PIN else 0
    kinds |= SUIT_SOU if waits & SUIT_SOU else 0
    return kinds


@kernel
def waits_shown(shown, melds, context):
    """Return the waits implied by the shown tiles of a tenpai hand alone.

    ``shown`` (``uint8[34]``) counts the concealed tiles that are shown; ``melds`` is the number of melds. The
    hidden tiles are assumed to be complete sets, with a pair if the number of shown tiles requires one. Kinds
    of which the seat has a kan are not removed from the waits.
    """
    number, spare = 0, -1
    for kind in range(34):
        context.held[kind] = shown[kind]
        number += int(shown[kind])
        if kind >= 27 and int(shown[kind]) == 0:
            spare = kind
    if number == 13 - 3 * melds:
        return wait_mask(shown, context.held, melds, context.tables, context.scratch)
    if number % 3 == 1:
        return wait_mask(shown, context.held, (13 - number) // 3, context.tables, context.scratch)
    if number % 3 == 0 or spare < 0:
        return 0
    shown[spare] = 2  # an unrelated pair stands in for the hidden one
    waits = wait_mask(shown, context.held, (11 - number) // 3, context.tables, context.scratch)
    shown[spare] = 0
    return waits & ~(1 << spare)


@routine
def kinds_to_show(game, seat, context):
    """Return the kinds that an open riichi shows: ``suits_of_wait``, or the whole hand (inventory 149–150).

    The whole hand is shown if the part alone would imply other waits, as with seven pairs or thirteen
    orphans.
    """
    waits = int(game.waits[seat])
    kinds = suits_of_wait(waits)
    for kind in range(34):
        context.shown[kind] = int(game.hand[seat, kind]) if kinds >> kind & 1 else 0
    implied = waits_shown(context.shown, int(game.melds[seat]), context)
    count_held(game, seat, context.held)
    for kind in range(34):
        if int(context.held[kind]) >= COPIES:  # in an ankan, if melds count
            implied &= ~(1 << kind)
    if implied == waits:
        return kinds
    return (1 << 34) - 1


@kernel
def shown_count(game, seat, kind):
    """Return how many tiles of the kind the open riichi of ``seat`` shows, excluding a tile just drawn."""
    if int(game.shown[seat]) >> kind & 1 == 0:
        return 0
    count = int(game.hand[seat, kind])
    if game.phase == YOUR_TURN and int(game.turn) == seat and game.drawn != NO_TILE:
        count -= int(int(game.drawn) % RED == kind)
    return count


@kernel
def is_hidden(game, seat, other, index):
    """Return whether a meld of ``other`` is hidden from ``seat``: a face-down ankan."""
    return game.face_down != 0 and other != seat and int(game.meld[other, index]) == ANKAN


@kernel
def is_seen(game, seat, kind):
    """Return whether ``seat`` sees all four tiles of the kind.

    Visible tiles are its own, rivers, melds, norths set aside, indicators and the hands shown by open riichi.
    """
    count = int(game.hand[seat, kind])
    for i in range(int(game.indicators)):
        count += int(dora_indicator(game, i) % RED == kind)
    for other in range(seats_of(game)):
        for i in range(int(game.discards[other])):
            lies = int(game.river_marks[other, i]) & CALLED == 0
            count += int(lies and int(game.river[other, i]) % RED == kind)
        for i in range(int(game.melds[other])):
            meld, first = int(game.meld[other, i]), int(game.meld_first[other, i])
            if is_hidden(game, seat, other, i):
                continue
            if meld == CHI:
                count += int(first <= kind < first + 3)
            elif first == kind:
                count += 4 if meld >= ANKAN else 3
        if kind == NORTH:
            count += int(game.kita[other])
        if other != seat:
            count += shown_count(game, other, kind)
    return count >= COPIES

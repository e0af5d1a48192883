"""Carries out chi, pon and the three kans, and records who becomes liable (pao) through a call."""

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.furiten import end_at_call, end_at_draw
from jantaku.kernels.engine.hands import (
    RED,
    add_to_hand,
    away,
    four_kans_by_several,
    remove_from_hand,
    seats_of,
    update_waits,
)
from jantaku.kernels.engine.kuikae import barred_after
from jantaku.kernels.engine.state import CONCEALED, NO_SEAT, NO_TILE, YOUR_TURN
from jantaku.kernels.engine.wall import MOST_KANS, draw_rinshan
from jantaku.kernels.masks import DRAGONS, WINDS, popcount
from jantaku.kernels.rules import choice
from jantaku.kernels.win import ANKAN, CHI, DAIMINKAN, KAKAN, PON

ANKAN_AT_ONCE = choice("dora.ankan_reveal", "at_once")
MINKAN_AFTER_DISCARD = choice("dora.minkan_reveal", "after_discard")
SUUKANSANRA_AT_ONCE = choice("draw.suukansanra_at", "at_once")


@kernel
def turn_pending(game):
    """Turn the indicators that were due after the discard."""
    game.indicators += game.after_discard
    game.after_discard = 0


@kernel
def break_first_turn(game, rules, concealed):
    """End the untouched first go-around and, by the rules, ippatsu at a call or kan (inventory 143–144)."""
    game.untouched = 0
    if not concealed:
        game.opened = 1
    if not concealed or rules.riichi.ippatsu_broken_by_ankan:
        end_ippatsu(game)


@kernel
def end_ippatsu(game):
    """End everybody's ippatsu."""
    for seat in range(seats_of(game)):
        game.ippatsu[seat] = 0


@kernel
def add_meld(game, seat, kind, first, red):
    """Add a meld and return its index."""
    index = int(game.melds[seat])
    game.meld[seat, index] = kind
    game.meld_first[seat, index] = first
    game.meld_red[seat, index] = red
    game.melds[seat] = index + 1
    return index


@kernel
def take_out(game, seat, kind, number, reds):
    """Remove ``number`` tiles of a kind from the hand, ``reds`` of them red."""
    for i in range(number):
        remove_from_hand(game, seat, kind + RED * int(i < reds))


@routine
def call_meld(game, seat, code, rules, context):
    """Call the discard for a chi, pon or open kan; True if this ends the hand in an abortive draw."""
    kind, value = actions.kind_of(code), actions.value_of(code)
    tile, source = int(game.claimed_tile), int(game.claimed_from)
    called = tile % RED
    red_called = int(tile >= RED)
    break_first_turn(game, rules, False)
    end_at_call(game, seat, rules)
    if kind == actions.CHI:
        position = value & 3
        first = called - position
        low = first if position > 0 else first + 1
        high = first + 2 if position < 2 else first + 1
        remove_from_hand(game, seat, low + RED * (value >> 2 & 1))
        remove_from_hand(game, seat, high + RED * (value >> 3 & 1))
        red = red_called << position | (value >> 2 & 1) << low - first | (value >> 3 & 1) << high - first
        at = add_meld(game, seat, CHI, first, red)
        game.barred = barred_after(called, first, True, rules)
    else:
        number = 2 if kind == actions.PON else 3
        take_out(game, seat, called, number, value)
        red = (1 << value + red_called) - 1
        at = add_meld(game, seat, PON if kind == actions.PON else DAIMINKAN, called, red)
        game.barred = barred_after(called, called, False, rules)
        note_liability(game, seat, source, called, kind == actions.DAIMINKAN, rules)
    game.meld_called[seat, at] = tile
    game.meld_source[seat, at] = away(game, seat, source)
    game.turn = seat
    game.drawn = NO_TILE
    game.phase = YOUR_TURN
    if kind != actions.DAIMINKAN:
        return False
    game.barred = 0
    game.feeder = source
    return draw_after_kan(game, seat, False, rules, context)


@kernel
def add_kan(game, seat, code):
    """Declare a concealed or added kan; ``finish_kan`` completes it unless somebody robs it."""
    kind, value = actions.kind_of(code), actions.value_of(code)
    if kind == actions.ANKAN:
        red = int(game.red[seat, value])
        take_out(game, seat, value, 4, red)
        add_meld(game, seat, ANKAN, value, (1 << red) - 1)
    else:
        remove_from_hand(game, seat, value)


@kernel
def finish_kan(game, seat, rules, context):
    """Complete a kan that nobody robbed; True if this ends the hand in an abortive draw."""
    concealed = game.claimed_how == CONCEALED
    if not concealed:
        tile = int(game.claimed_tile)
        for i in range(int(game.melds[seat])):
            if game.meld[seat, i] == PON and int(game.meld_first[seat, i]) == tile % RED:
                game.meld[seat, i] = KAKAN
                game.meld_red[seat, i] = int(game.meld_red[seat, i]) << 1 | int(tile >= RED)
    break_first_turn(game, rules, concealed)
    return draw_after_kan(game, seat, concealed, rules, context)


@routine
def draw_after_kan(game, seat, concealed, rules, context):
    """Turn or schedule the indicator and draw the rinshan tile (inventory 97–103).

    The player who made the kan sees an indicator that is due before the discard, and may win with it. True
    instead if the kan ends the hand at once: a fifth kan, or four kans by several players.
    """
    turn_pending(game)
    if int(game.kans) == MOST_KANS or (
        rules.draw.suukansanra_at == SUUKANSANRA_AT_ONCE
        and rules.draw.suukansanra
        and four_kans_by_several(game)
    ):
        return True
    if rules.dora.kan_dora:
        if concealed:
            waits = rules.dora.ankan_reveal != ANKAN_AT_ONCE
        else:
            waits = rules.dora.minkan_reveal == MINKAN_AFTER_DISCARD
        game.indicators += int(not waits)
        game.after_discard += int(waits)
    game.kans += 1
    draw_replacement(game, seat, True, context)
    return False


@routine
def draw_replacement(game, seat, rinshan, context):
    """Draw the tile that follows a kan or a north set aside; ``rinshan``: a win on it is rinshan kaihou."""
    game.turn = seat
    game.phase = YOUR_TURN
    end_at_draw(game, seat)
    game.after_kan = int(rinshan)
    update_waits(game, seat, context)
    game.drawn = draw_rinshan(game)
    add_to_hand(game, seat, int(game.drawn))


@routine
def finish_kita(game, seat, rules, context):
    """Set aside a north that nobody robbed, and draw its replacement."""
    game.kita[seat] += 1
    if rules.kita.breaks_first_turn:
        game.untouched = 0
        game.opened = 1
    if rules.kita.breaks_ippatsu:
        end_ippatsu(game)
    turn_pending(game)
    draw_replacement(game, seat, rules.kita.rinshan != 0, context)


@routine
def note_liability(game, seat, source, called, kan, rules):
    """Record who fed the set that makes a yakuman certain (inventory 394–399)."""
    triplets = quads = 0
    for i in range(int(game.melds[seat])):
        bit = 1 << int(game.meld_first[seat, i])
        triplets |= bit if game.meld[seat, i] != CHI else 0
        quads += int(game.meld[seat, i] >= ANKAN)
    liable = int(rules.yaku.liable)
    completed = 0
    if popcount(triplets & DRAGONS) == 3 and DRAGONS >> called & 1:
        completed |= 1 << bits.DAISANGEN
    if popcount(triplets & WINDS) == 4:
        completed |= 1 << bits.DAISUUSHII
    if kan and quads == 4:
        completed |= 1 << bits.SUUKANTSU
    if popcount(triplets) == 4 and four_in_a_row(triplets):
        completed |= 1 << bits.SUURENKOU
    completed &= liable
    for yaku in (bits.DAISANGEN, bits.DAISUUSHII, bits.SUUKANTSU, bits.SUURENKOU):
        if completed >> yaku & 1:
            for i in range(2):
                if game.liable_yaku[seat, i] == NO_SEAT:
                    game.liable_yaku[seat, i] = yaku
                    game.liable_seat[seat, i] = away(game, seat, source)
                    break


@kernel
def four_in_a_row(triplets):
    """Whether there are four consecutive triplets of one suit."""
    row = triplets & triplets >> 1 & triplets >> 2 & triplets >> 3
    return row & (0b111111 | 0b111111 << 9 | 0b111111 << 18) != 0

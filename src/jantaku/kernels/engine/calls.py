"""Execution of chi, pon, the three kans, and kita."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.abortive_draw import kan_aborts
from jantaku.kernels.engine.furiten import end_at_call, end_at_draw
from jantaku.kernels.engine.hands import RED, add_to_hand, away, remove_from_hand, update_waits
from jantaku.kernels.engine.kan_dora import turn_for_kan, turn_pending
from jantaku.kernels.engine.kuikae import barred_after
from jantaku.kernels.engine.pao import note_liability
from jantaku.kernels.engine.riichi import end_ippatsu
from jantaku.kernels.engine.state import CONCEALED, NO_TILE, YOUR_TURN
from jantaku.kernels.engine.wall import draw_rinshan
from jantaku.kernels.win import ANKAN, CHI, DAIMINKAN, KAKAN, PON


@kernel
def break_first_turn(game, rules, concealed):
    """End the first go-around at a call or kan and, under some rules, ippatsu (inventory 143–144)."""
    game.untouched = 0
    if not concealed:
        game.opened = 1
    if not concealed or rules.riichi.ippatsu_broken_by_ankan:
        end_ippatsu(game)


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
    """Call the discard for a chi, pon or open kan; return whether this ends the hand in an abortive draw."""
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
    """Declare a concealed or added kan; ``finish_kan`` completes it unless it is robbed."""
    kind, value = actions.kind_of(code), actions.value_of(code)
    if kind == actions.ANKAN:
        red = int(game.red[seat, value])
        take_out(game, seat, value, 4, red)
        add_meld(game, seat, ANKAN, value, (1 << red) - 1)
    else:
        remove_from_hand(game, seat, value)


@kernel
def finish_kan(game, seat, rules, context):
    """Complete a kan that was not robbed; return whether this ends the hand in an abortive draw."""
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

    An indicator still pending from an earlier kan is turned first, so it counts for a win on this tile.
    Returns True without drawing if the kan ends the hand: it is the fifth, or several players have made four.
    """
    turn_pending(game)
    if kan_aborts(game, rules):
        return True
    turn_for_kan(game, concealed, rules)
    game.kans += 1
    draw_replacement(game, seat, True, context)
    return False


@routine
def draw_replacement(game, seat, rinshan, context):
    """Draw the replacement tile after a kan or kita; if ``rinshan``, a win on it is rinshan kaihou."""
    game.turn = seat
    game.phase = YOUR_TURN
    end_at_draw(game, seat)
    game.after_kan = int(rinshan)
    update_waits(game, seat, context)
    game.drawn = draw_rinshan(game)
    add_to_hand(game, seat, int(game.drawn))


@routine
def finish_kita(game, seat, rules, context):
    """Set aside a north that was not robbed, and draw its replacement."""
    game.kita[seat] += 1
    if rules.kita.breaks_first_turn:
        game.untouched = 0
        game.opened = 1
    if rules.kita.breaks_ippatsu:
        end_ippatsu(game)
    turn_pending(game)
    draw_replacement(game, seat, rules.kita.rinshan != 0, context)

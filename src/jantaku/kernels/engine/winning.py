"""Whether a seat may win, and the record of its win: circumstances, tiles and dora."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.furiten import is_furiten
from jantaku.kernels.engine.hands import RED, away, dealer, first_turn, seats_of, wind_of
from jantaku.kernels.engine.state import DISCARDED, DOUBLE_RIICHI, FOLLOWED_KAN, NO_SEAT
from jantaku.kernels.engine.wall import live_left, write_indicators
from jantaku.kernels.masks import ORPHANS, popcount
from jantaku.kernels.payments import RINSHAN_FEEDER
from jantaku.kernels.score import score
from jantaku.kernels.win import (
    AFTER_KAN,
    CHI,
    DISCARDER_IN_RIICHI,
    ERROR,
    FIRST_TURN,
    IN_DOUBLE_RIICHI,
    IN_FURITEN,
    IN_OPEN_RIICHI,
    IN_RIICHI,
    KAN_DISCARD,
    LAST_TILE,
    NO_ERROR,
    ONE_SHOT,
    RIICHI_TILE,
    ROBBING_KAN,
    ROUND_WINDS,
    SAID_ALL,
    TSUMO,
)


@routine
def may_win(game, seat, tile, robbing, rules, context):
    """Return whether the seat's hand with ``tile`` is complete and meets every condition of a win."""
    win = context.wins[0]
    write_win(game, seat, tile, robbing, int(game.indicators), win)
    score(win, rules, context.space, context.result)
    return context.result[ERROR] == NO_ERROR


@kernel
def waits_for_kokushi(game, seat):
    """Return whether the concealed tiles wait for kokushi: only yaochuu, and at least twelve kinds."""
    kinds = total = 0
    for kind in range(34):
        kinds |= int(game.hand[seat, kind] > 0) << kind
        total += int(game.hand[seat, kind])
    return total == 13 and kinds & ~ORPHANS == 0 and popcount(kinds) >= 12


@kernel
def may_not_win(game, seat):
    """Return whether a foul prevents the seat from winning."""
    return game.dead[seat] != 0 or game.illegal_kan[seat] != 0


@kernel
def write_win(game, seat, tile, robbing, indicators, win):
    """Write the win of ``seat`` on ``tile`` to a ``WIN``; for a tsumo, the hand already contains the tile."""
    own = int(game.turn) == seat
    red = 0
    for kind in range(34):
        win.hand[kind] = game.hand[seat, kind]
        red += int(game.red[seat, kind])
    if not own:
        win.hand[tile % RED] += 1
        red += int(tile >= RED)
    for i in range(4):
        win.meld[i] = game.meld[seat, i]
        win.meld_first[i] = game.meld_first[seat, i]
        mask = int(game.meld_red[seat, i])
        red += (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1)
    for i in range(3):
        win.liable_yaku[i] = game.liable_yaku[seat, i]
        win.liable_seat[i] = game.liable_seat[seat, i]
    # liable only for a win on the rinshan tile itself
    if own and game.after_kan and game.feeder != NO_SEAT:
        win.liable_yaku[2] = RINSHAN_FEEDER
        win.liable_seat[2] = away(game, seat, int(game.feeder))
    win.win_kind = tile % RED
    win.seat = wind_of(game, seat)
    win.round_wind = int(game.match.number) // seats_of(game) % ROUND_WINDS
    win.source = away(game, seat, int(game.turn))
    win.red = red
    win.red_kinds = 0
    if red > 0:
        win.red_kinds = red_kinds(game, seat) | (1 << tile % RED if not own and tile >= RED else 0)
    win.situation = _situation(game, seat, robbing)
    win.honba = game.match.honba
    win.deposits = game.match.deposits
    win.laid = 0
    win.streak = int(game.match.streak) + 1 if seat == dealer(game) else 0
    win.kita = game.kita[seat]
    win.turn = int(game.discards[seat]) + 1
    win.score = game.match.scores[seat]
    win.discarded = game.discarded[seat]
    win.said = SAID_ALL
    win.wareme = 0
    if game.wareme:
        win.wareme = 1 + wind_of(game, int(game.wareme) - 1)
    write_indicators(game, win, indicators)


@kernel
def _situation(game, seat, robbing):
    """Return the situation bits of a ``WIN`` by ``seat``: by tsumo on its own turn, otherwise by ron."""
    own = int(game.turn) == seat
    bits = TSUMO if own else 0
    if game.riichi[seat]:
        bits |= IN_RIICHI
    if game.riichi[seat] == DOUBLE_RIICHI:
        bits |= IN_DOUBLE_RIICHI
    if game.open_riichi[seat]:
        bits |= IN_OPEN_RIICHI
    if own and is_furiten(game, seat):
        # tsumo is allowed, but not a yaku that requires absence of furiten (inventory 367)
        bits |= IN_FURITEN
    if game.ippatsu[seat]:
        bits |= ONE_SHOT
    if own and game.after_kan:
        bits |= AFTER_KAN
    elif robbing:
        bits |= ROBBING_KAN
    elif live_left(game) == 0:
        bits |= LAST_TILE
    if first_turn(game, seat) and game.melds[seat] == 0:
        bits |= FIRST_TURN
    if not own and game.claimed_how == DISCARDED and follows_kan(game):
        bits |= KAN_DISCARD
    if not own and game.declaring and not robbing:
        bits |= RIICHI_TILE
    elif not own and game.riichi[game.turn]:
        bits |= DISCARDER_IN_RIICHI
    return bits


@kernel
def follows_kan(game):
    """Return whether the last discard of the seat on turn followed the replacement tile of a kan."""
    last = int(game.discards[game.turn]) - 1
    return last >= 0 and int(game.river_marks[game.turn, last]) & FOLLOWED_KAN != 0


@kernel
def red_kinds(game, seat):
    """Return the kinds of which the seat holds a red tile, including melds, as a mask."""
    kinds = 0
    for kind in range(34):
        kinds |= int(game.red[seat, kind] > 0) << kind
    for i in range(4):
        run = int(int(game.meld[seat, i]) == CHI)
        for k in range(4):
            if int(game.meld_red[seat, i]) >> k & 1:
                kinds |= 1 << int(game.meld_first[seat, i]) + k * run
    return kinds

"""The start of a match and of a hand, and draws from the live wall."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.clearing import clear
from jantaku.kernels.engine.dice import wall_broken
from jantaku.kernels.engine.furiten import clear_furiten, end_at_draw
from jantaku.kernels.engine.hand_end import clear_outcome
from jantaku.kernels.engine.hands import add_to_hand, after, dealer, seats_of, update_waits
from jantaku.kernels.engine.state import NO_SEAT, RIVER_ROOM, YOUR_TURN
from jantaku.kernels.engine.wall import DEALT, dealt_to, draw_live
from jantaku.kernels.payments import WAREME_OFF
from jantaku.kernels.rules import choice
from jantaku.kernels.win import MAX_SEATS

ALL_DOWN = choice("calls.ankan_display", "all_down")


@kernel
def set_up_table(game, rules):
    """Copy the number of players, the tile set and the display of ankans from the rules to the game."""
    game.match.seats = rules.match.players
    game.tiles, game.dead_wall, game.rinshan = rules.tiles_in_wall, rules.tiles.dead_wall, rules.rinshan
    game.absent = 0
    for kind in range(34):
        game.absent |= int(rules.copies[kind] == 0) << kind
    game.melds_count = int(rules.draw.wait_in_melds == 0)
    game.face_down = int(rules.calls.ankan_display == ALL_DOWN)
    game.has_wareme = int(rules.score.wareme != WAREME_OFF)


@routine
def start_match(game, rules):
    """Begin a match at East 1, with starting points for everyone and no trace of an earlier match."""
    clear(game)
    set_up_table(game, rules)
    for seat in range(seats_of(game)):
        game.match.scores[seat] = int(rules.match.start_points)


@routine
def start_hand(game, context):
    """Deal the next hand from ``game.wall``, filled by the caller, and draw for the dealer."""
    clear_outcome(game)
    for seat in range(MAX_SEATS):
        for kind in range(34):
            game.hand[seat, kind] = game.red[seat, kind] = 0
        for i in range(4):
            game.meld[seat, i] = game.meld_red[seat, i] = 0
        for i in range(3):
            game.liable_yaku[seat, i] = game.liable_seat[seat, i] = NO_SEAT
        for i in range(RIVER_ROOM):
            game.river_marks[seat, i] = 0
        game.melds[seat] = game.kita[seat] = game.discards[seat] = game.discarded[seat] = 0
        game.riichi[seat] = game.open_riichi[seat] = game.ippatsu[seat] = game.shown[seat] = 0
        clear_furiten(game, seat)
        game.dead[seat] = game.noten[seat] = game.illegal_kan[seat] = game.asked[seat] = 0
        game.fouls[seat] = game.foul[seat] = game.foul_cost[seat] = game.fouled[seat] = 0
        game.earlier_foul[seat] = game.earlier_cost[seat] = 0
    game.claimed_from = NO_SEAT
    game.drawn_live = game.drawn_rinshan = game.kans = game.after_discard = 0
    game.indicators = game.untouched = 1
    game.deciding = game.after_kan = game.declaring = game.barred = game.opened = 0
    game.feeder = NO_SEAT
    seats = seats_of(game)
    for i in range(DEALT * seats):
        add_to_hand(game, after(game, dealer(game), dealt_to(i, seats)), draw_live(game))
    for seat in range(seats):
        update_waits(game, seat, context)
    game.wareme = 1 + wall_broken(game) if game.has_wareme else 0
    draw_for(game, dealer(game))


@kernel
def draw_for(game, seat):
    """Draw from the live wall for the seat."""
    game.turn = seat
    game.phase = YOUR_TURN
    game.after_kan = 0
    game.barred = 0
    end_at_draw(game, seat)
    game.drawn = draw_live(game)
    add_to_hand(game, seat, int(game.drawn))

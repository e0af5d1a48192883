"""``step``: the only function that changes a game."""

from jantaku.kernels._jit import allocating, kernel, routine
from jantaku.kernels.clearing import clear
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.calls import add_kan, call_meld, finish_kan, finish_kita, turn_pending
from jantaku.kernels.engine.claims import (
    caller,
    claim_actions,
    ends_in_four_kans,
    is_chankan,
    may_rob,
    ron_seats,
    undecided,
)
from jantaku.kernels.engine.dice import wall_broken
from jantaku.kernels.engine.ending import clear_outcome, end_aborted, end_chombo, end_exhausted, end_won
from jantaku.kernels.engine.fouls import claimed_fouls, commit_foul, foul_actions, fouls_at_draw, stands
from jantaku.kernels.engine.hands import (
    NORTH,
    RED,
    add_to_hand,
    after,
    dealer,
    remove_from_hand,
    seats_of,
    update_waits,
)
from jantaku.kernels.engine.prizes import pay_final_chips
from jantaku.kernels.engine.settle import finish, lay_deposits
from jantaku.kernels.engine.sight import kinds_to_show
from jantaku.kernels.engine.state import (
    ADDED,
    CALLED,
    CLAIMS,
    CONCEALED,
    DECLARATION,
    DISCARDED,
    DOUBLE_RIICHI,
    EXHAUSTED,
    FOLLOWED_KAN,
    GAME_OVER,
    HAND_OVER,
    KYUUSHU_KYUUHAI,
    NO_ANSWER,
    NO_SEAT,
    NO_TILE,
    RIICHI,
    RIVER_ROOM,
    SANCHAHOU,
    SET_ASIDE,
    SUUCHA_RIICHI,
    SUUFUU_RENDA,
    SUUKANSANRA,
    TSUMOGIRI,
    YOUR_TURN,
)
from jantaku.kernels.engine.turn import turn_actions
from jantaku.kernels.engine.wall import DEALT, dealt_to, draw_live, live_left
from jantaku.kernels.payments import WAREME_OFF
from jantaku.kernels.rons import TRIPLE_DRAW
from jantaku.kernels.rules import choice
from jantaku.kernels.win import MOST_SEATS

KEPT = choice("riichi.stick_when_declaration_is_ronned", "kept")
ALL_DOWN = choice("calls.ankan_display", "all_down")
DONE, ILLEGAL = 0, 1


@kernel
def set_up_table(game, rules):
    """Copy the number of players, the tiles, and how an ankan is shown from the rules."""
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
    """Begin a match at East 1, with starting points for everyone; nothing of an earlier match is left."""
    clear(game)
    set_up_table(game, rules)
    for seat in range(seats_of(game)):
        game.match.scores[seat] = int(rules.match.start_points)


@routine
def start_hand(game, context):
    """Deal the next hand from ``game.wall``, which the caller has filled, and draw for the dealer."""
    clear_outcome(game)
    for seat in range(MOST_SEATS):
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
        game.furiten_passing[seat] = game.furiten_lasting[seat] = game.dead[seat] = 0
        game.noten[seat] = game.illegal_kan[seat] = game.asked[seat] = 0
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
    """Draw from the live wall for the seat; its temporary furiten ends."""
    game.turn = seat
    game.phase = YOUR_TURN
    game.after_kan = 0
    game.barred = 0
    game.furiten_passing[seat] = 0
    game.drawn = draw_live(game)
    add_to_hand(game, seat, int(game.drawn))


@kernel
def put_in_river(game, seat, tile, marks):
    """Move a tile from the hand to the river."""
    remove_from_hand(game, seat, tile)
    index = min(int(game.discards[seat]), RIVER_ROOM - 1)
    game.river[seat, index] = tile
    game.river_marks[seat, index] = marks | FOLLOWED_KAN * int(game.after_kan != 0)
    game.discarded[seat] |= 1 << tile % RED
    game.discards[seat] = index + 1


@routine
def discard(game, seat, tile, marks, rules, context):
    """Discard a tile and ask the other seats for claims."""
    for other in range(seats_of(game)):
        game.fouled[other] = 0
    put_in_river(game, seat, tile, marks)
    game.ippatsu[seat] = game.declaring
    game.drawn = NO_TILE
    game.feeder = NO_SEAT
    game.barred = game.after_kan = 0
    update_waits(game, seat, context)
    if game.declaring and game.open_riichi[seat]:
        game.shown[seat] = kinds_to_show(game, seat, context)
    if rules.dora.delayed_dora_counts_for_ron:
        turn_pending(game)
    ask(game, seat, tile, DISCARDED, rules, context)


@routine
def ask(game, seat, tile, how, rules, context):
    """Ask every other seat that may claim the tile; continue at once if none may."""
    game.claimed_tile, game.claimed_from, game.claimed_how = tile, seat, how
    anybody = False
    for other in range(seats_of(game)):
        game.asked[other] = 0
        game.answer[other] = NO_ANSWER
        if other != seat and claim_actions(game, other, rules, context, context.actions) > 0:
            game.asked[other] = 1
            anybody = True
    game.phase = CLAIMS
    if not anybody:
        resolve(game, rules, context)


@kernel
def pass_furiten(game, rules, context):
    """Make every seat furiten that let a winning tile pass; in riichi permanently (inventory 159–165)."""
    kind = int(game.claimed_tile) % RED
    for seat in range(seats_of(game)):
        if seat == int(game.claimed_from) or int(game.waits[seat]) >> kind & 1 == 0:
            continue
        if not may_rob(game, seat, rules, context):
            continue
        game.furiten_passing[seat] = 1
        if game.riichi[seat] and rules.furiten.riichi_permanent:
            game.furiten_lasting[seat] = 1


@kernel
def lay_stick(game, rules):
    """Pay the stick of the player who declared riichi (inventory 122, 139)."""
    lay_deposits(game.match, game.outcome, int(game.claimed_from), 1, rules)


@kernel
def abort_after_discard(game, rules):
    """The abortive draw that a discard nobody ronned causes, 0 for none (inventory 226–232)."""
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
    """Whether the first discards of all four seats are the same wind."""
    if seats_of(game) < MOST_SEATS:
        return False
    kind = int(game.river[0, 0]) % RED
    for seat in range(seats_of(game)):
        if game.discards[seat] != 1 or int(game.river[seat, 0]) % RED != kind:
            return False
    return 27 <= kind <= 30


@routine
def resolve(game, rules, context):
    """Resolve the answers of all asked seats: first ron, then calls, then the next draw."""
    tile, seat = int(game.claimed_tile), int(game.claimed_from)
    winners = ron_seats(game, rules)
    if winners == TRIPLE_DRAW:
        end_aborted(game, SANCHAHOU, seat, rules)
        return
    if winners:
        if game.declaring and rules.riichi.stick_when_declaration_is_ronned != KEPT:
            lay_stick(game, rules)
        end_won(game, winners, tile, is_chankan(game, rules), rules, context)
        return
    offenders = claimed_fouls(game, rules, context)
    if offenders:
        end_chombo(game, offenders, rules)
        return
    pass_furiten(game, rules, context)
    if game.claimed_how == SET_ASIDE:
        finish_kita(game, seat, rules, context)
        return
    if game.claimed_how != DISCARDED:
        if finish_kan(game, seat, rules, context):
            end_aborted(game, SUUKANSANRA, NO_SEAT, rules)
        return
    if game.declaring:
        lay_stick(game, rules)
        game.declaring = 0
    turn_pending(game)
    taker = caller(game)
    if taker >= 0:
        game.river_marks[seat, int(game.discards[seat]) - 1] |= CALLED
        if call_meld(game, taker, int(game.answer[taker]), rules, context):
            end_aborted(game, SUUKANSANRA, NO_SEAT, rules)
        return
    ended = abort_after_discard(game, rules)
    if ended or live_left(game) == 0:
        end_drawn(game, ended, rules, context)
    else:
        draw_for(game, after(game, seat, 1))


@routine
def end_drawn(game, aborted, rules, context):
    """End the hand in an abortive draw, or exhaustive if ``aborted`` is 0, unless it reveals a chombo."""
    offenders = 0
    if not aborted or aborted == SUUCHA_RIICHI:
        offenders = fouls_at_draw(game, aborted if aborted else EXHAUSTED, rules)
    if offenders:
        end_chombo(game, offenders, rules)
    elif aborted:
        end_aborted(game, aborted, NO_SEAT, rules)
    else:
        end_exhausted(game, rules, context)


@kernel
def declare(game, seat, open_hand, rules):
    """Declare riichi with a discard, double riichi with an undisturbed first one (inventory 140–142)."""
    undisturbed = game.untouched or not (game.opened or rules.riichi.double_broken_by_ankan)
    first = undisturbed and game.discards[seat] == 0 and rules.riichi.double
    game.riichi[seat] = DOUBLE_RIICHI if first else RIICHI
    game.open_riichi[seat] = int(open_hand)
    game.declaring = 1


@kernel
def decide(game, stop, rules):
    """Carry out the dealer's decision to end the game (``stop``) or play on (inventory 412)."""
    game.deciding = 0
    game.phase = HAND_OVER
    if stop:
        finish(game.match, rules)
        pay_final_chips(game.match, 0, 0, rules)
        game.phase = GAME_OVER


@routine
def play_turn(game, seat, code, rules, context):
    """Carry out an action on the seat's own turn."""
    kind, value = actions.kind_of(code), actions.value_of(code)
    if game.deciding:
        decide(game, kind == actions.END_GAME, rules)
    elif kind == actions.TSUMO:
        end_won(game, 1 << seat, int(game.drawn), False, rules, context)
    elif kind == actions.KYUUSHU:
        end_aborted(game, KYUUSHU_KYUUHAI, NO_SEAT, rules)
    elif kind == actions.ANKAN or kind == actions.KAKAN:
        add_kan(game, seat, code)
        how = ADDED if kind == actions.KAKAN else CONCEALED
        ask(game, seat, value, how, rules, context)
    elif kind == actions.KITA:
        remove_from_hand(game, seat, NORTH)
        if rules.dora.delayed_dora_counts_for_ron:
            turn_pending(game)
        ask(game, seat, NORTH, SET_ASIDE, rules, context)
    else:
        if kind != actions.DISCARD:
            declare(game, seat, kind == actions.OPEN_RIICHI, rules)
        discard(game, seat, value & ~actions.DRAWN, marks_of(code), rules, context)


@kernel
def marks_of(code):
    """The marks in the river of the tile that a discard or riichi plays."""
    marks = TSUMOGIRI if actions.value_of(code) & actions.DRAWN else 0
    return marks if actions.kind_of(code) == actions.DISCARD else marks | DECLARATION


@routine
def legal(game, seat, rules, context, out):
    """Write every legal action of ``seat`` to ``out`` (``int16[MOST_ACTIONS]``); return their number."""
    if game.deciding:
        out[0] = actions.action(actions.END_GAME, 0)
        out[1] = actions.action(actions.PLAY_ON, 0)
        return 2 if seat == int(game.turn) else 0
    if game.phase == YOUR_TURN and seat == int(game.turn):
        return turn_actions(game, seat, rules, context, out)
    if game.phase == CLAIMS and game.asked[seat] and game.answer[seat] == NO_ANSWER:
        return claim_actions(game, seat, rules, context, out)
    return 0


@kernel
def among(code, offered, count):
    """Whether ``code`` is one of the first ``count`` actions in ``offered``."""
    for i in range(count):
        if offered[i] == code:
            return True
    return False


@allocating
def step(game, seat, code, rules, context):
    """Carry out an action of ``seat`` and return ``DONE``, or return ``ILLEGAL`` and change nothing."""
    found = legal(game, seat, rules, context, context.actions)
    if not among(code, context.actions, found):
        return step_foul(game, seat, code, rules, context)
    carry_out(game, seat, code, rules, context)
    return DONE


@kernel
def carry_out(game, seat, code, rules, context):
    """Carry out a legal action of ``seat``: ``step`` without the check."""
    if game.phase == YOUR_TURN:
        play_turn(game, seat, code, rules, context)
    else:
        answer(game, seat, code, rules, context)


@kernel
def answer(game, seat, code, rules, context):
    """Record the seat's answer to the offered tile; resolve once all asked seats have answered."""
    game.asked[seat] = 1
    game.answer[seat] = code
    if not undecided(game):
        resolve(game, rules, context)


@routine
def step_foul(game, seat, code, rules, context):
    """Carry out an illegal act that the rules penalise; return ``ILLEGAL`` if they do not."""
    found = foul_actions(game, seat, rules, context, context.actions)
    if not among(code, context.actions, found):
        return ILLEGAL
    if game.phase == CLAIMS:
        answer(game, seat, code, rules, context)
        return DONE
    made = stands(game, seat, code)
    chombo = commit_foul(game, seat, code, rules, context)
    if made and not chombo:
        play_turn(game, seat, code, rules, context)
    if chombo:
        if made:
            lay_out(game, seat, code, context)
        end_chombo(game, 1 << seat, rules)
    return DONE


@kernel
def lay_out(game, seat, code, context):
    """Put the tiles of an illegal act that voids the hand where they were played."""
    if actions.kind_of(code) == actions.ANKAN:
        add_kan(game, seat, code)
        return
    if actions.kind_of(code) != actions.DISCARD:
        game.riichi[seat] = RIICHI
    put_in_river(game, seat, actions.value_of(code) & ~actions.DRAWN, marks_of(code))
    game.drawn = NO_TILE
    update_waits(game, seat, context)

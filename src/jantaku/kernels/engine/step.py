"""``step``, the only function that changes a game."""

from jantaku.kernels._jit import allocating, kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.abortive_draw import end_aborted
from jantaku.kernels.engine.calls import add_kan
from jantaku.kernels.engine.chips_and_yakitori import pay_final_chips
from jantaku.kernels.engine.chombo import end_chombo
from jantaku.kernels.engine.claims import claim_actions, undecided
from jantaku.kernels.engine.fouls import commit_foul, foul_actions, is_executed
from jantaku.kernels.engine.game_end import finish
from jantaku.kernels.engine.hand_end import end_won
from jantaku.kernels.engine.hands import NORTH, RED, remove_from_hand, seats_of, update_waits
from jantaku.kernels.engine.kan_dora import turn_pending
from jantaku.kernels.engine.offer import offer_tile, resolve
from jantaku.kernels.engine.riichi import declare
from jantaku.kernels.engine.sight import kinds_to_show
from jantaku.kernels.engine.state import (
    ADDED,
    CLAIMS,
    CONCEALED,
    DECLARATION,
    DISCARDED,
    FOLLOWED_KAN,
    GAME_OVER,
    HAND_OVER,
    KYUUSHU_KYUUHAI,
    NO_ANSWER,
    NO_SEAT,
    NO_TILE,
    RIICHI,
    RIVER_ROOM,
    SET_ASIDE,
    TSUMOGIRI,
    YOUR_TURN,
)
from jantaku.kernels.engine.turn import turn_actions

DONE, ILLEGAL = 0, 1


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
    """Discard a tile and offer it to the other seats."""
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
    offer_tile(game, seat, tile, DISCARDED, rules, context)


@kernel
def decide(game, stop, rules):
    """Execute the dealer's decision to end the game (``stop``) or play on (inventory 412)."""
    game.deciding = 0
    game.phase = HAND_OVER
    if stop:
        finish(game.match, rules)
        pay_final_chips(game.match, 0, 0, rules)
        game.phase = GAME_OVER


@routine
def play_turn(game, seat, code, rules, context):
    """Execute an action on the seat's own turn."""
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
        offer_tile(game, seat, value, how, rules, context)
    elif kind == actions.KITA:
        remove_from_hand(game, seat, NORTH)
        if rules.dora.delayed_dora_counts_for_ron:
            turn_pending(game)
        offer_tile(game, seat, NORTH, SET_ASIDE, rules, context)
    else:
        if kind != actions.DISCARD:
            declare(game, seat, kind == actions.OPEN_RIICHI, rules)
        discard(game, seat, value & ~actions.DRAWN, marks_of(code), rules, context)


@kernel
def marks_of(code):
    """Return the river marks of the tile played by a discard or riichi."""
    marks = TSUMOGIRI if actions.value_of(code) & actions.DRAWN else 0
    return marks if actions.kind_of(code) == actions.DISCARD else marks | DECLARATION


@routine
def legal(game, seat, rules, context, out):
    """Write every legal action of ``seat`` to ``out`` (``int16[MAX_ACTIONS]``); return their number."""
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
    """Return whether ``code`` is one of the first ``count`` actions in ``offered``."""
    for i in range(count):
        if offered[i] == code:
            return True
    return False


@allocating
def step(game, seat, code, rules, context):
    """Execute an action of ``seat`` and return ``DONE``, or return ``ILLEGAL`` and change nothing."""
    count = legal(game, seat, rules, context, context.actions)
    if not among(code, context.actions, count):
        return step_foul(game, seat, code, rules, context)
    carry_out(game, seat, code, rules, context)
    return DONE


@kernel
def carry_out(game, seat, code, rules, context):
    """Execute an action of ``seat`` without checking that it is legal."""
    if game.phase == YOUR_TURN:
        play_turn(game, seat, code, rules, context)
    else:
        answer(game, seat, code, rules, context)


@kernel
def answer(game, seat, code, rules, context):
    """Record the seat's answer to the offered tile; resolve the claims after the last answer."""
    game.asked[seat] = 1
    game.answer[seat] = code
    if not undecided(game):
        resolve(game, rules, context)


@routine
def step_foul(game, seat, code, rules, context):
    """Execute an illegal act that the rules penalise; return ``ILLEGAL`` if they do not."""
    count = foul_actions(game, seat, rules, context, context.actions)
    if not among(code, context.actions, count):
        return ILLEGAL
    if game.phase == CLAIMS:
        answer(game, seat, code, rules, context)
        return DONE
    made = is_executed(game, seat, code)
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
    """Place the tiles of an illegal act that voids the hand where they were played."""
    if actions.kind_of(code) == actions.ANKAN:
        add_kan(game, seat, code)
        return
    if actions.kind_of(code) != actions.DISCARD:
        game.riichi[seat] = RIICHI
    put_in_river(game, seat, actions.value_of(code) & ~actions.DRAWN, marks_of(code))
    game.drawn = NO_TILE
    update_waits(game, seat, context)

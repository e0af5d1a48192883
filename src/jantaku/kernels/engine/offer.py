"""Claims on a tile: which seats may make one, and how their answers are resolved."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.abortive_draw import abort_after_discard, end_aborted
from jantaku.kernels.engine.calls import call_meld, finish_kan, finish_kita
from jantaku.kernels.engine.chombo import end_chombo
from jantaku.kernels.engine.claims import caller, claim_actions, completes, is_chankan, ron_seats
from jantaku.kernels.engine.dealing import draw_for
from jantaku.kernels.engine.exhaustive_draw import end_exhausted
from jantaku.kernels.engine.fouls import claimed_fouls, fouls_at_draw
from jantaku.kernels.engine.furiten import begin_by_passing
from jantaku.kernels.engine.hand_end import end_won
from jantaku.kernels.engine.hands import after, seats_of
from jantaku.kernels.engine.kan_dora import turn_pending
from jantaku.kernels.engine.riichi import lay_stick
from jantaku.kernels.engine.state import (
    CALLED,
    CLAIMS,
    DISCARDED,
    EXHAUSTED,
    NO_ANSWER,
    NO_SEAT,
    SANCHAHOU,
    SET_ASIDE,
    SUUCHA_RIICHI,
    SUUKANSANRA,
)
from jantaku.kernels.engine.wall import live_left
from jantaku.kernels.rons import TRIPLE_DRAW


@routine
def offer_tile(game, seat, tile, how, rules, context):
    """Offer the tile to every other seat that may claim it; continue immediately if none may."""
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
    """Make every seat furiten that passed on the offered tile although the tile completes its hand."""
    for seat in range(seats_of(game)):
        if seat != int(game.claimed_from) and completes(game, seat, rules, context):
            begin_by_passing(game, seat, rules)


@routine
def resolve(game, rules, context):
    """Resolve the answers of all seats with a claim: first ron, then calls, then the next draw."""
    tile, seat = int(game.claimed_tile), int(game.claimed_from)
    winners = ron_seats(game, rules)
    if winners == TRIPLE_DRAW:
        end_aborted(game, SANCHAHOU, seat, rules)
        return
    if winners:
        lay_stick(game, True, rules)
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
    lay_stick(game, False, rules)
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
    """End the hand in the abortive draw ``aborted`` (0: exhaustive), unless the hands reveal a chombo."""
    offenders = 0
    if not aborted or aborted == SUUCHA_RIICHI:
        offenders = fouls_at_draw(game, aborted if aborted else EXHAUSTED, rules)
    if offenders:
        end_chombo(game, offenders, rules)
    elif aborted:
        end_aborted(game, aborted, NO_SEAT, rules)
    else:
        end_exhausted(game, rules, context)

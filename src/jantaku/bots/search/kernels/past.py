"""How probable the opponents' recent discards are from a hand dealt to them.

``recall`` reconstructs what each opponent saw when it chose its latest discards, from rivers and melds.
``likelihood`` undoes these discards one by one, from the dealt hand back: a tile discarded as drawn leaves
the hand unchanged; a tile from the hand returns to it, and a random tile, the unknown draw, leaves it; a call
returns the caller's own tiles. Each discard's probability is a softmax over the utilities that the opponent's
policy gives to the tiles it could have discarded.
"""

from math import exp
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import below
from jantaku.bots.danger import find_risks
from jantaku.bots.policies import STANDARD, choose
from jantaku.bots.seat_view import SEAT_VIEW, caller_of, next_call, write_seat_view
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import RED, after, dealer, seats_of
from jantaku.kernels.engine.state import (
    CALLED,
    DECLARATION,
    GAME,
    NO_TILE,
    RIVER_ROOM,
    TSUMOGIRI,
    YOUR_TURN,
)
from jantaku.kernels.win import ANKAN, CHI, DAIMINKAN, MAX_SEATS, NO_MELD
from jantaku.tiles import COPIES, KINDS

RECENT: Final = 6  # discards of each opponent that are considered
SHARPNESS: Final = 1.0  # factor of the utilities before the softmax
FLOOR: Final = 0.1  # share of the discards that are assumed to be random, so that no hand is ruled out
AS_DRAWN, FROM_HAND, AFTER_CALL, AFTER_KAN = range(4)  # how a discard came about


class Past(NamedTuple):
    """The latest discards of each seat, the last one first; seat ``s`` has ``found[s]`` of them.

    Row ``s * RECENT + i`` of ``views`` (``SEAT_VIEW``) is what the seat saw before discard ``i``, without its
    own hand; ``tiles`` is the discarded tile, ``how`` is how it came about and ``own`` (``uint8[n, 3]``) the
    tiles that the seat added to the call before it. The rest is working memory: ``order`` (``int64[3, n]``)
    lists all discards of the hand by seat, index in the river and how the turn began, ``hand`` and ``red``
    count the tiles of a hand.
    """

    found: npt.NDArray[np.int64]
    views: npt.NDArray[Any]
    tiles: npt.NDArray[np.uint8]
    how: npt.NDArray[np.uint8]
    own: npt.NDArray[np.uint8]
    games: npt.NDArray[Any]
    order: npt.NDArray[np.int64]
    hand: npt.NDArray[np.int64]
    red: npt.NDArray[np.int64]


def new_past() -> Past:
    """Allocate an empty ``Past``."""
    rows = MAX_SEATS * RECENT
    return Past(
        np.zeros(MAX_SEATS, np.int64),
        np.zeros(rows, SEAT_VIEW),
        np.zeros(rows, np.uint8),
        np.zeros(rows, np.uint8),
        np.full((rows, 3), NO_TILE, np.uint8),
        np.zeros(1, GAME),
        np.zeros((3, MAX_SEATS * RIVER_ROOM), np.int64),
        np.zeros(KINDS, np.int64),
        np.zeros(KINDS, np.int64),
    )


@routine
def _write_order(game, order):
    """Write all discards in the order that rivers and melds imply; return their number.

    The third row is 0 if the turn began with a draw, otherwise 1 plus the index of the meld just called.
    """
    turn, laid, replayed, began = dealer(game), 0, 0, 0
    for event in range(seats_of(game) * RIVER_ROOM):
        index = replayed >> 8 * turn & 255
        if index >= int(game.discards[turn]):
            return event
        replayed += 1 << 8 * turn
        order[0, event], order[1, event], order[2, event] = turn, index, began
        began = 0
        if int(game.river_marks[turn, index]) & CALLED:
            caller = caller_of(game, turn, int(game.river[turn, index]), laid)
            began = next_call(game, caller, laid >> 4 * caller & 15) + 1
            laid = laid & ~(15 << 4 * caller) | began << 4 * caller
            turn = caller
        else:
            turn = after(game, turn, 1)
    return seats_of(game) * RIVER_ROOM


@kernel
def _rewind_melds(game, seat, calls, then):
    """Keep the seat's ankans and its first ``calls`` called melds."""
    kept = 0
    for i in range(int(game.melds[seat])):
        called = int(game.meld[seat, i]) != ANKAN
        if called and calls == 0:
            continue
        calls -= int(called)
        then.meld[seat, kept] = game.meld[seat, i]
        then.meld_first[seat, kept] = game.meld_first[seat, i]
        then.meld_red[seat, kept] = game.meld_red[seat, i]
        then.meld_called[seat, kept] = game.meld_called[seat, i]
        then.meld_source[seat, kept] = game.meld_source[seat, i]
        kept += 1
    for i in range(kept, 4):
        then.meld[seat, i] = NO_MELD
    then.melds[seat] = kept


@kernel
def declared_at(game, seat):
    """Return the index in the river of the discard that declared riichi, ``RIVER_ROOM`` if there is none."""
    for i in range(int(game.discards[seat])):
        if int(game.river_marks[seat, i]) & DECLARATION:
            return i
    return RIVER_ROOM


@routine
def _rewind(game, events, event, order, then):
    """Change ``then``, a copy of the game, to what was visible just before discard ``event`` of ``order``.

    Points, indicators and ankans stay as they are now.
    """
    seat = int(order[0, event])
    draws = int(game.phase == YOUR_TURN and game.drawn != NO_TILE)
    for other in range(seats_of(game)):
        discards = calls = kinds = 0
        for i in range(events):
            if int(order[0, i]) != other:
                continue
            if i < event:
                discards += 1
                kinds |= 1 << int(game.river[other, int(order[1, i])]) % RED
            calls += int(i <= event and int(order[2, i]) != 0)
            draws += int(i > event and int(order[2, i]) == 0)
        then.discards[other], then.discarded[other] = discards, kinds
        _rewind_melds(game, other, calls, then)
        declared = declared_at(game, other)
        if declared >= discards:
            then.riichi[other] = then.open_riichi[other] = then.shown[other] = 0
        then.ippatsu[other] = int(declared + 1 == discards)
    then.drawn_live = int(game.drawn_live) - draws
    then.phase, then.turn, then.drawn, then.barred = YOUR_TURN, seat, NO_TILE, 0
    then.furiten_passing[seat] = then.furiten_lasting[seat] = then.after_kan = 0
    for kind in range(KINDS):
        then.hand[seat, kind] = then.red[seat, kind] = 0


@kernel
def _write_own_tiles(game, seat, meld, own):
    """Write the tiles that the caller added to a called meld to ``own``; a kakan's last tile is left out."""
    first, called = int(game.meld_first[seat, meld]), int(game.meld_called[seat, meld])
    kind, reds = int(game.meld[seat, meld]), int(game.meld_red[seat, meld])
    for k in range(3):
        own[k] = NO_TILE
    count = 0
    if kind == CHI:
        for k in range(3):
            if first + k != called % RED:
                own[count] = first + k + RED * (reds >> k & 1)
                count += 1
        return
    left = -int(called >= RED)
    for k in range(4):
        left += reds >> k & 1
    for k in range(3 if kind == DAIMINKAN else 2):
        own[k] = first + RED * int(k < left)


@routine
def _recall_seat(game, seat, events, past, then):
    """Write the latest discards of one seat; in riichi, those up to its declaration."""
    found, last = 0, declared_at(game, seat) if game.riichi[seat] else RIVER_ROOM
    for back in range(events):
        event = events - 1 - back
        index = int(past.order[1, event])
        if int(past.order[0, event]) != seat or index > last:
            continue
        row, began = seat * RECENT + found, int(past.order[2, event])
        past.tiles[row] = game.river[seat, index]
        past.how[row] = AS_DRAWN if int(game.river_marks[seat, index]) & TSUMOGIRI else FROM_HAND
        if began:
            _write_own_tiles(game, seat, began - 1, past.own[row])
            kan = int(game.meld[seat, began - 1]) == DAIMINKAN
            past.how[row] = AFTER_KAN if kan else AFTER_CALL
        past.games[0] = game
        _rewind(game, events, event, past.order, then)
        write_seat_view(then, seat, past.views[row])
        if past.how[row] == AS_DRAWN:
            past.views[row].drawn = past.tiles[row]
        found += 1
        if found == RECENT:
            break
    past.found[seat] = found


@kernel
def _has_hidden_ankan(game, seat):
    """Return whether the seat has a face-down ankan, whose tiles are part of its view."""
    for i in range(int(game.melds[seat])):
        if game.face_down and int(game.meld[seat, i]) == ANKAN:
            return True
    return False


@routine
def recall(game, seat, past, policies):
    """Reconstruct the latest discards of all seats other than ``seat`` whose policy has utilities."""
    events = _write_order(game, past.order)
    for other in range(MAX_SEATS):
        past.found[other] = 0
        if other == seat or other >= seats_of(game) or int(policies[other]) < STANDARD:
            continue
        if not _has_hidden_ankan(game, other):
            _recall_seat(game, other, events, past, past.games[0])


@kernel
def _change(past, tile, number):
    past.hand[tile % RED] += number
    if tile >= RED:
        past.red[tile % RED] += number


@kernel
def _show(past, view):
    """Write the hand of ``past`` to the view."""
    for kind in range(KINDS):
        held = int(past.hand[kind])
        view.hand[kind], view.red[kind] = held, max(0, int(past.red[kind]))
        view.seen[kind] = min(int(view.seen[kind]) + held, COPIES)


@routine
def weigh_discards(policy, rules, context, work):
    """Write the policy's utility of discarding each kind in ``work.views[0]``; return the number of kinds."""
    count = 0
    for kind in range(KINDS):
        if work.views[0].hand[kind] > 0:
            work.actions[count] = actions.action(actions.DISCARD, kind)
            work.utility[kind] = 0.0
            count += 1
    choose(policy, count, rules, context, work)
    return count


@routine
def weigh_in(games, seat, policy, rules, context, work):
    """Write the utility of discarding each kind and its risk to ``work``, for callers in Python."""
    write_seat_view(games[0], seat, work.views[0])
    weigh_discards(policy, rules[0], context, work)
    find_risks(work.views[0], rules[0], context, work)


@routine
def _chance(past, row, policy, rules, context, work):
    """Return the probability that the policy chooses the discard of this row from the hand of ``past``."""
    work.views[0] = past.views[row]
    _show(past, work.views[0])
    count = weigh_discards(policy, rules, context, work)
    wanted, most, total = int(past.tiles[row]) % RED, -1e300, 0.0
    for kind in range(KINDS):
        if past.hand[kind] > 0:
            most = max(most, work.utility[kind])
    for kind in range(KINDS):
        if past.hand[kind] > 0:
            total += exp(SHARPNESS * (work.utility[kind] - most))
    share = exp(SHARPNESS * (work.utility[wanted] - most)) / total
    return FLOOR / count + (1.0 - FLOOR) * share


@kernel
def _take_draw(past, kept, source):
    """Remove a random tile, other than one of the kind ``kept``, as the unknown draw before a discard."""
    tiles = -1
    for kind in range(KINDS):
        tiles += int(past.hand[kind])
    wanted = below(source, tiles)
    for kind in range(KINDS):
        wanted -= int(past.hand[kind]) - int(kind == kept)
        if wanted < 0:
            past.hand[kind] -= 1
            past.red[kind] = min(int(past.red[kind]), int(past.hand[kind]))
            return


@routine
def likelihood(game, seat, past, players, source, rules, context):
    """Return the probability of the recent discards of ``seat`` if it holds its hand in the record."""
    for kind in range(KINDS):
        past.hand[kind], past.red[kind] = game.hand[seat, kind], game.red[seat, kind]
    chance = 1.0
    for i in range(int(past.found[seat])):
        row = seat * RECENT + i
        tile = int(past.tiles[row])
        _change(past, tile, 1)
        chance *= _chance(past, row, int(players.policies[0, seat]), rules, context, players.work)
        if past.how[row] == AS_DRAWN:
            _change(past, tile, -1)
        elif past.how[row] != AFTER_CALL:
            _take_draw(past, tile % RED, source)
        if past.how[row] >= AFTER_CALL:
            for k in range(3):
                if int(past.own[row, k]) != NO_TILE:
                    _change(past, int(past.own[row, k]), 1)
    return chance

"""The value of a tenpai hand under the ruleset, from scoring a win on every tile of its wait."""

from typing import Final

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.engine.state import NO_TILE
from jantaku.kernels.engine.wall import MAX_INDICATORS
from jantaku.kernels.masks import popcount
from jantaku.kernels.score import score
from jantaku.kernels.waits import tenpai_choices
from jantaku.kernels.win import (
    ANKAN,
    ERROR,
    IN_RIICHI,
    NO_ERROR,
    NOBODY,
    POINTS,
    RIGHT,
    ROUND_WINDS,
    SAID_ALL,
    TSUMO,
)

NO_KIND: Final = -1
TSUMO_SHARE: Final = 0.4  # share of a wait's wins that remains if ron is impossible


@kernel
def _write_tiles(view, hand, discarded, win):
    """Write ``hand`` less one ``discarded`` tile to a ``WIN`` record; plain tiles are discarded first."""
    red = 0
    for kind in range(34):
        win.hand[kind] = hand[kind]
    if discarded != NO_KIND:
        win.hand[discarded] -= 1
    for kind in range(34):
        red += min(int(view.red[kind]), int(win.hand[kind]))
    for i in range(4):
        red += popcount(int(view.meld_red[0, i]))
    win.red = red


@kernel
def write_hand(view, discarded, win):
    """Write the seat's hand, without one tile of the kind ``discarded``, to a ``WIN`` record."""
    _write_tiles(view, view.hand, discarded, win)
    for i in range(4):
        win.meld[i] = view.meld[0, i]
        win.meld_first[i] = view.meld_first[0, i]
    for i in range(3):
        win.liable_yaku[i] = win.liable_seat[i] = NOBODY
    for i in range(MAX_INDICATORS):
        indicator = int(view.indicators[i])
        win.dora[i] = indicator % RED if indicator != NO_TILE else NO_TILE
        win.ura[i] = NO_TILE
    win.seat = -int(view.dealer) % int(view.seats)
    win.round_wind = int(view.number) // int(view.seats) % ROUND_WINDS
    win.source = RIGHT
    win.honba = win.deposits = win.streak = 0
    win.kita = view.kita[0]
    win.turn = int(view.discards[0]) + 1 + int(discarded != NO_KIND)
    win.score, win.discarded, win.said = view.scores[0], view.discarded[0], SAID_ALL


@kernel
def _points(kind, situation, rules, context):
    """Return the points of winning on ``kind`` with the hand in ``context.wins``, 0 if it may not win."""
    win = context.wins[0]
    win.hand[kind] += 1
    win.win_kind = kind
    win.situation = situation
    win.source = 0 if situation & TSUMO else RIGHT
    score(win, rules, context.space, context.result)
    win.hand[kind] -= 1
    return int(context.result[POINTS]) if context.result[ERROR] == NO_ERROR else 0


@kernel
def situation_of(view):
    """Return ``IN_RIICHI`` if the seat's hand is closed and the wall long enough, otherwise 0."""
    if view.live_left < int(view.seats):
        return 0
    for i in range(int(view.melds[0])):
        if view.meld[0, i] != ANKAN:
            return 0
    return IN_RIICHI


@routine
def win_points(view, discarded, kind, situation, rules, context):
    """Return the points of a win on ``kind`` after discarding ``discarded``, 0 if it may not win."""
    write_hand(view, discarded, context.wins[0])
    return _points(kind, situation, rules, context)


@kernel
def _worth_of_waits(view, waits, discards, situation, rules, context):
    """Return how many tiles of ``waits`` are left, and the sum of the points of a win on each.

    The hand is the one in ``context.wins``. A tile that can win only by tsumo, because a wait is among the
    kinds of ``discards`` or because a ron would have no yaku, counts ``TSUMO_SHARE`` of its points.
    """
    furiten = waits & discards != 0
    left, points = 0, 0.0
    for kind in range(34):
        unseen = 4 - int(view.seen[kind])
        if waits >> kind & 1 == 0 or unseen == 0:
            continue
        left += unseen
        worth = 0.0 + _points(kind, situation, rules, context)
        if furiten or worth == 0:
            worth = TSUMO_SHARE * _points(kind, situation | TSUMO, rules, context)
        points += unseen * worth
    return left, points


@routine
def tenpai_worth(view, discarded, waits, situation, rules, context):
    """Return ``_worth_of_waits`` for the view's hand after discarding ``discarded`` (may be ``NO_KIND``)."""
    write_hand(view, discarded, context.wins[0])
    discards = int(view.discarded[0])
    if discarded != NO_KIND:
        discards |= 1 << discarded
    return _worth_of_waits(view, waits, discards, situation, rules, context)


@routine
def one_away_worth(view, discarded, improving, rules, context, work):
    """Return the sum, over the tiles of ``improving``, of the points of the best tenpai times the tiles left.

    The hand is the view's after discarding ``discarded``, one tile away from tenpai.
    """
    hand, drawn, melds, situation = view.hand, work.drawn, int(view.melds[0]), situation_of(view)
    for kind in range(34):
        drawn[kind] = hand[kind]
    drawn[discarded] -= 1
    write_hand(view, NO_KIND, context.wins[0])
    discards = int(view.discarded[0]) | 1 << discarded
    total = 0.0
    for kind in range(34):
        unseen = 4 - int(view.seen[kind])
        if improving >> kind & 1 == 0 or unseen == 0:
            continue
        drawn[kind] += 1
        view.seen[kind] += 1
        tenpai_choices(drawn, view.seen, melds, context.tables, context.scratch, work.inner)
        best = 0.0
        for other in range(34):
            if drawn[other] == 0 or work.inner[other, 0] != 0:
                continue
            _write_tiles(view, drawn, other, context.wins[0])
            _, points = _worth_of_waits(
                view, work.inner[other, 1], discards | 1 << other, situation, rules, context
            )
            best = max(best, points)
        view.seen[kind] -= 1
        drawn[kind] -= 1
        total += unseen * best
    return total

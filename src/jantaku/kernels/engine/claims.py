"""Claims of the other seats on a tile (ron, pon, kan, chi) and their priority (inventory 70–79, 253–259)."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.abortive_draw import ends_in_four_kans
from jantaku.kernels.engine.furiten import is_furiten
from jantaku.kernels.engine.hands import RED, after, holds, seats_of
from jantaku.kernels.engine.kita import may_rob_north
from jantaku.kernels.engine.kuikae import barred_after
from jantaku.kernels.engine.state import (
    ADDED,
    CLAIMS,
    CONCEALED,
    DISCARDED,
    NO_ANSWER,
    NO_SEAT,
    SET_ASIDE,
    YOUR_TURN,
)
from jantaku.kernels.engine.turn import kans_left
from jantaku.kernels.engine.wall import live_left
from jantaku.kernels.engine.winning import may_not_win, may_win, waits_for_kokushi
from jantaku.kernels.rons import valid_rons


@kernel
def may_ron(game, seat, rules, context):
    """Return whether the seat may win on the offered tile."""
    if may_not_win(game, seat) or is_furiten(game, seat) or not completes(game, seat, rules, context):
        return False
    return may_win(game, seat, int(game.claimed_tile), is_chankan(game, rules), rules, context)


@kernel
def completes(game, seat, rules, context):
    """Return whether the seat waits for the offered tile and may win on it, regardless of yaku."""
    waits = int(game.waits[seat]) >> int(game.claimed_tile) % RED & 1 != 0
    return waits and may_rob(game, seat, rules, context)


@kernel
def may_rob(game, seat, rules, context):
    """Return whether the rules allow a win on a tile played in this way (inventory 120–121)."""
    if game.claimed_how == CONCEALED:
        return rules.win.kokushi_on_ankan != 0 and waits_for_kokushi(game, seat)
    if game.claimed_how == SET_ASIDE:
        return may_rob_north(game, seat, rules, context)
    return True


@kernel
def is_chankan(game, rules):
    """Return whether a win on the offered tile robs a kan; a concealed one scores only kokushi."""
    return game.claimed_how == ADDED or (game.claimed_how == SET_ASIDE and rules.kita.chankan != 0)


@kernel
def _leaves_discard(game, seat, used, barred):
    """Return whether a legal discard remains after a call.

    ``used`` packs the two kinds used from the hand, six bits each.
    """
    for kind in range(34):
        count = int(game.hand[seat, kind])
        count -= int(used & 63 == kind) + int(used >> 6 & 63 == kind)
        if count > 0 and barred >> kind & 1 == 0:
            return True
    return False


@routine
def add_chi(game, seat, rules, out, count):
    """Add every chi of the discard that the seat may call, with separate entries for red tiles."""
    called = int(game.claimed_tile) % RED
    if called >= 27:
        return count
    for position in range(3):
        first = called - position
        if first < called - called % 9 or first % 9 > 6:
            continue
        low = first if position > 0 else first + 1
        high = first + 2 if position < 2 else first + 1
        if game.hand[seat, low] == 0 or game.hand[seat, high] == 0:
            continue
        if not _leaves_discard(game, seat, low | high << 6, barred_after(called, first, True, rules)):
            continue
        for reds in range(4):
            if holds(game, seat, low + RED * (reds & 1)) and holds(game, seat, high + RED * (reds >> 1)):
                out[count] = actions.action(actions.CHI, position | reds << 2)
                count += 1
    return count


@kernel
def add_pon(game, seat, rules, out, count):
    """Add pon and open kan of the discard, with separate entries for red tiles."""
    kind = int(game.claimed_tile) % RED
    copies, red = int(game.hand[seat, kind]), int(game.red[seat, kind])
    if copies >= 2 and _leaves_discard(game, seat, kind | kind << 6, barred_after(kind, kind, False, rules)):
        for reds in range(min(red, 2) + 1):
            if copies - red >= 2 - reds:
                out[count] = actions.action(actions.PON, reds)
                count += 1
    if copies == 3 and kans_left(game, rules):
        out[count] = actions.action(actions.DAIMINKAN, red)
        count += 1
    return count


@routine
def claim_actions(game, seat, rules, context, out):
    """Write every action of ``seat`` on the offered tile to ``out`` and return their number (may be 0)."""
    count = 0
    if may_ron(game, seat, rules, context):
        out[count] = actions.action(actions.RON, 0)
        count += 1
    if (
        game.claimed_how == DISCARDED
        and live_left(game) > 0
        and not game.riichi[seat]
        and not game.dead[seat]
        and not ends_in_four_kans(game, rules)
    ):
        count = add_pon(game, seat, rules, out, count)
        if rules.calls.chi and seat == after(game, int(game.claimed_from), 1):
            count = add_chi(game, seat, rules, out, count)
    if count:
        out[count] = actions.action(actions.PASS, 0)
        count += 1
    return count


@kernel
def ron_seats(game, rules):
    """Return the seats whose ron is valid, as a mask, or ``TRIPLE_DRAW`` if three rons abort the hand."""
    winners = 0
    for seat in range(seats_of(game)):
        if game.asked[seat] and actions.kind_of(int(game.answer[seat])) == actions.RON:
            winners |= 1 << seat
    return valid_rons(winners, int(game.claimed_from), rules)


@kernel
def caller(game):
    """Return the seat whose call takes precedence, −1 for none: kan and pon before chi (inventory 74)."""
    best = -1
    for turn in range(1, seats_of(game)):
        seat = after(game, int(game.claimed_from), turn)
        if not game.asked[seat]:
            continue
        kind = actions.kind_of(int(game.answer[seat]))
        if kind == actions.PON or kind == actions.DAIMINKAN:
            return seat
        if kind == actions.CHI:
            best = seat
    return best


@kernel
def undecided(game):
    """Return whether any seat with a claim has not answered yet."""
    for seat in range(seats_of(game)):
        if game.asked[seat] and game.answer[seat] == NO_ANSWER:
            return True
    return False


@kernel
def next_seat(game):
    """Return the seat to act next, ``NO_SEAT`` if none; of several, the nearest after the discarder."""
    if game.phase == YOUR_TURN:
        return int(game.turn)
    if game.phase == CLAIMS:
        for turn in range(1, seats_of(game)):
            seat = after(game, int(game.claimed_from), turn)
            if game.asked[seat] and game.answer[seat] == NO_ANSWER:
                return seat
    return NO_SEAT

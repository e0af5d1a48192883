"""The end of a game: whether a hand ends it, and the distribution of the deposits left on the table."""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.chips_and_yakitori import pay_yakitori
from jantaku.kernels.engine.final_points import ahead_of, bonus, rounded, share_among_first
from jantaku.kernels.engine.renchan import dealer_of, is_win
from jantaku.kernels.engine.state import EXHAUSTED, VOIDED
from jantaku.kernels.rules import choice

EAST_ONLY: Final = choice("match.length", "east")
HANCHAN: Final = choice("match.length", "hanchan")
TOBI_OFF: Final = choice("end.tobi", "off")
TOBI_BELOW: Final = choice("end.tobi", "below_zero")
STOP_OFF: Final = choice("end.agari_yame", "off")  # tenpai-yame uses the same numbers
STOP_OPTIONAL: Final = choice("end.agari_yame", "optional")
STOP_FORCED: Final = choice("end.agari_yame", "forced")
TO_FIRST: Final = choice("end.leftover_deposits", "first")
TO_OWNER: Final = choice("end.leftover_deposits", "riichi_owner")
SUDDEN_DEATH: Final = choice("end.extension", "sudden_death")


@kernel
def last_number(rules):
    """Return the number of the last regular hand: the last of the East, South or North round."""
    rounds = 4
    if rules.match.length == EAST_ONLY:
        rounds = 1
    elif rules.match.length == HANCHAN:
        rounds = 2
    return rounds * int(rules.match.players) - 1


@kernel
def _highest(match):
    most = int(match.scores[0])
    for seat in range(1, int(match.seats)):
        most = max(most, int(match.scores[seat]))
    return most


@kernel
def busted_seats(match, rules):
    """Return the players with so few points that the game ends (tobi), as a mask."""
    seats = 0
    for seat in range(int(match.seats)):
        points = int(match.scores[seat])
        out = points < 0 or (points == 0 and rules.end.tobi != TOBI_BELOW)
        seats |= int(out and rules.end.tobi != TOBI_OFF) << seat
    return seats


@kernel
def ends_game(match, outcome, stays, stop, rules):
    """Return whether the game is over after this hand; ``stop`` is the choice of a dealer who may end it."""
    if outcome.ended == VOIDED:
        return False
    if busted_seats(match, rules) or 0 < int(rules.end.top_points) <= _highest(match):
        return True
    if int(match.number) < last_number(rules):
        return False
    if stays:
        return dealer_stops(match, outcome, stop, rules)
    extended = rules.end.extension == SUDDEN_DEATH and int(match.number) < last_number(rules) + int(
        match.seats
    )
    return not extended or _highest(match) >= int(rules.end.extension_target)


@kernel
def dealer_stops(match, outcome, stop, rules):
    """Return whether the dealer, leading and staying in the last hand, ends the game."""
    seat, rule = dealer_of(match), stop_rule(outcome, rules)
    leads = ahead_of(match, seat, rules) == 0 and match.scores[seat] >= rules.end.dealer_stop_points
    if rule == STOP_OFF or not leads:
        return False
    return rule == STOP_FORCED or stop


@kernel
def stop_rule(outcome, rules):
    """Return the option for a dealer's stop: agari-yame after a win, tenpai-yame after an exhaustive draw."""
    if is_win(outcome, rules):
        return int(rules.end.agari_yame)
    return int(rules.end.tenpai_yame) if outcome.ended == EXHAUSTED else STOP_OFF


@kernel
def finish(match, rules):
    """End the game: distribute leftover deposits, compute places and final points (inventory 400–412)."""
    match.over = 1
    if rules.end.leftover_deposits == TO_OWNER:
        for seat in range(int(match.seats)):
            match.scores[seat] += int(match.deposits_of[seat]) * int(rules.riichi.deposit)
        clear_deposits(match)
    for seat in range(int(match.seats)):
        match.place[seat] = ahead_of(match, seat, rules) + 1
    if rules.end.leftover_deposits == TO_FIRST:
        share_among_first(match, match.scores, int(match.deposits) * int(rules.riichi.deposit))
        clear_deposits(match)
    left = 0
    for seat in range(int(match.seats)):
        points = rounded(int(match.scores[seat]), rules)
        left += int(match.scores[seat]) - points
        match.final[seat] = points - int(rules.match.return_points) + bonus(match, seat, rules)
    share_among_first(match, match.final, left)  # points lost or gained by rounding
    pay_yakitori(match, rules)
    for seat in range(int(match.seats)):
        chips = int(match.chips[seat]) * int(rules.chips.value)
        match.final[seat] += chips + int(match.yakitori[seat]) - int(match.penalties[seat])


@kernel
def clear_deposits(match):
    """Remove every deposit from the table."""
    match.deposits = 0
    for seat in range(int(match.seats)):
        match.deposits_of[seat] = 0

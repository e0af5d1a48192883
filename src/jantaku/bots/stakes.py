"""What a ruleset pays beside the hand, beyond the usual: for any win, for tenpai at a draw, for riichi.

All in points. The usual is what people know from the rules of Tenhou, and gives 0.
"""

from math import exp
from typing import Final

from jantaku.bots.caution import hands_left
from jantaku.kernels._jit import kernel
from jantaku.kernels.score import POCCHI_IPPATSU, POCCHI_OFF, WHITE_KIND

USUAL_HONBA: Final = 300
USUAL_NOTEN: Final = 3000
USUAL_DEPOSIT: Final = 1000
TENPAI_GAINS: Final = 0.7  # of the noten payments, between tenpai and noten
DRAW_AT: Final = 37.0  # with so many tiles left a hand is drawn one time in e
NO_WIN: Final = 0.79  # of the hands that a player plays
TENPAI: Final = (1.0, 0.5, 0.25, 0.12, 0.06, 0.03, 0.03)  # the chance to be tenpai in the end, by shanten
WINS: Final = (0.6, 0.45, 0.32, 0.22, 0.15, 0.1, 0.1)  # the chance to win by shanten, early in a hand
IPPATSU_CHANCE, URA_CHANCE = 0.12, 0.33  # of a win in riichi
TSUMO_CHANCE: Final = 0.4
COUNTED: Final = 0.2  # of these points; with more, bots broke tenpai hands where noten costs nothing
LOST: Final = 0.5  # of the deposits for riichi


@kernel
def of_win(view, rules):
    """What any win brings: honba, and the yakitori of somebody who has not won yet."""
    honba = float(int(view.honba) * (int(rules.score.honba_value) - USUAL_HONBA))
    if rules.match.yakitori == 0 or view.has_won:
        return honba
    return honba + int(rules.match.yakitori) * NO_WIN ** hands_left(view, rules)


@kernel
def of_tenpai(view, rules):
    """What tenpai brings at a draw, times the chance that the hand is drawn."""
    if rules.draw.noten_payment == USUAL_NOTEN:
        return 0.0
    return TENPAI_GAINS * (int(rules.draw.noten_payment) - USUAL_NOTEN) * exp(-int(view.live_left) / DRAW_AT)


@kernel
def of_hand(shanten, view, rules):
    """What a hand of this shanten may win of both, in thousands of points."""
    at = min(max(shanten, 0), 6)
    return COUNTED * (WINS[at] * of_win(view, rules) + TENPAI[at] * of_tenpai(view, rules)) / 1000.0


@kernel
def of_riichi_win(rules):
    """What chips for ippatsu and ura dora bring on average in a win in riichi; a tsumo gets them from all."""
    chips = IPPATSU_CHANCE * int(rules.chips.ippatsu) + URA_CHANCE * int(rules.chips.ura)
    return int(rules.chips.value) * chips * (1.0 + TSUMO_CHANCE * (int(rules.match.players) - 2))


@kernel
def of_deposit(rules):
    """What declaring riichi costs."""
    return LOST * (int(rules.riichi.deposit) - USUAL_DEPOSIT)


@kernel
def white_dragons(view, waits, rules):
    """How many tiles win in riichi besides those of the wait, because a white dragon is any tile."""
    if rules.riichi.shiro_pocchi == POCCHI_OFF or waits >> WHITE_KIND & 1:
        return 0.0
    left = TSUMO_CHANCE * (4 - int(view.seen[WHITE_KIND]))
    return left * IPPATSU_CHANCE if rules.riichi.shiro_pocchi == POCCHI_IPPATSU else left


@kernel
def needs_two_han(view, rules):
    """Whether a win needs two han of yaku now."""
    return rules.win.two_han_from_honba > 0 and int(view.honba) >= int(rules.win.two_han_from_honba)

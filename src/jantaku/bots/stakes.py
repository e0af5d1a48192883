"""What a ruleset pays more than usual whatever the hand is worth: for wins, for tenpai at a draw, for riichi.

All are in points. The usual amounts are those of Tenhou's rules, which people are used to; they count as 0.
"""

from math import exp
from typing import Final

from jantaku.bots.caution import hands_left
from jantaku.kernels._jit import kernel
from jantaku.kernels.score import POCCHI_IPPATSU, POCCHI_OFF, WHITE_KIND

USUAL_HONBA: Final = 300
USUAL_NOTEN: Final = 3000
USUAL_DEPOSIT: Final = 1000
TENPAI_GAINS: Final = 0.7  # average share of the noten payments that tenpai gains over noten
DRAW_AT: Final = 37.0  # with this many tiles left, one hand in e (2.718) ends in a draw
NO_WIN: Final = 0.79  # share of hands that a player does not win
TENPAI: Final = (1.0, 0.5, 0.25, 0.12, 0.06, 0.03, 0.03)  # chance of tenpai at the end, by shanten
WINS: Final = (0.6, 0.45, 0.32, 0.22, 0.15, 0.1, 0.1)  # chance to win by shanten, early in a hand
IPPATSU_CHANCE, URA_CHANCE = 0.12, 0.33  # in a riichi win
TSUMO_CHANCE: Final = 0.4
COUNTED: Final = 0.2  # factor on both bonuses; if higher, bots break tenpai hands where noten is free
LOST: Final = 0.5  # share of riichi deposits that is lost


@kernel
def win_bonus(view, rules):
    """Return what any win gains: honba, and the yakitori of a player without a win."""
    honba = float(int(view.honba) * (int(rules.score.honba_value) - USUAL_HONBA))
    if rules.match.yakitori == 0 or view.has_won:
        return honba
    return honba + int(rules.match.yakitori) * NO_WIN ** hands_left(view, rules)


@kernel
def tenpai_bonus(view, rules):
    """Return what tenpai gains at a draw, times the chance that the hand is drawn."""
    if rules.draw.noten_payment == USUAL_NOTEN:
        return 0.0
    return TENPAI_GAINS * (int(rules.draw.noten_payment) - USUAL_NOTEN) * exp(-int(view.live_left) / DRAW_AT)


@kernel
def hand_bonus(shanten, view, rules):
    """Return the expected gain of a hand of this shanten from both, in thousands of points."""
    at = min(max(shanten, 0), 6)
    return COUNTED * (WINS[at] * win_bonus(view, rules) + TENPAI[at] * tenpai_bonus(view, rules)) / 1000.0


@kernel
def riichi_chips(rules):
    """Return the average gain from chips in a riichi win, for ippatsu and ura dora.

    On tsumo everyone pays them.
    """
    chips = IPPATSU_CHANCE * int(rules.chips.ippatsu) + URA_CHANCE * int(rules.chips.ura)
    return int(rules.chips.value) * chips * (1.0 + TSUMO_CHANCE * (int(rules.match.players) - 2))


@kernel
def deposit_cost(rules):
    """Return the extra cost of declaring riichi."""
    return LOST * (int(rules.riichi.deposit) - USUAL_DEPOSIT)


@kernel
def white_dragons(view, waits, rules):
    """Return the equivalent number of extra winning tiles in riichi if a white dragon stands for any tile."""
    if rules.riichi.shiro_pocchi == POCCHI_OFF or waits >> WHITE_KIND & 1:
        return 0.0
    left = TSUMO_CHANCE * (4 - int(view.seen[WHITE_KIND]))
    return left * IPPATSU_CHANCE if rules.riichi.shiro_pocchi == POCCHI_IPPATSU else left


@kernel
def needs_two_han(view, rules):
    """Return whether a win requires two han of yaku at this honba."""
    return rules.win.two_han_from_honba > 0 and int(view.honba) >= int(rules.win.two_han_from_honba)

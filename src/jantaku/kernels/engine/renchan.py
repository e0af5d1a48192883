"""The next hand's dealer and honba."""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.state import EXHAUSTED, SANCHAHOU, VOIDED, WON
from jantaku.kernels.rules import choice

STAYS: Final = choice("draw.dealer_after_abort", "stays")
TRIPLE_STAYS: Final = choice("draw.dealer_after_triple_ron", "stays")
TRIPLE_PASSES: Final = choice("draw.dealer_after_triple_ron", "passes")
HONBA_ADDS: Final = choice("draw.honba_after_abort", "adds")
NAGASHI_AS_WIN: Final = choice("draw.nagashi_mangan", "as_win")
TENPAI_RENCHAN: Final = choice("deal.renchan", "tenpai")
NO_RENCHAN: Final = choice("deal.renchan", "none")


@kernel
def dealer_of(match):
    """Return the seat that is East in this hand."""
    return int(match.number) % int(match.seats)


@kernel
def dealer_stays(match, outcome, rules):
    """Return whether the dealer keeps the deal (inventory 223, 236–238, 244–246, 249)."""
    bit = 1 << dealer_of(match)
    ended = int(outcome.ended)
    if ended == VOIDED:
        return True
    if ended == WON:
        return int(outcome.winners) & bit != 0 and rules.deal.renchan != NO_RENCHAN
    if ended == SANCHAHOU:
        rule = int(rules.draw.dealer_after_triple_ron)
        dealt_in = int(outcome.discarder) == dealer_of(match)
        return rule == TRIPLE_STAYS or (rule != TRIPLE_PASSES and not dealt_in)
    if ended == EXHAUSTED:
        if outcome.nagashi and rules.draw.nagashi_mangan == NAGASHI_AS_WIN:
            return int(outcome.nagashi) & bit != 0 and rules.deal.renchan != NO_RENCHAN
        return int(outcome.tenpai) & bit != 0 and rules.deal.renchan == TENPAI_RENCHAN
    return rules.draw.dealer_after_abort == STAYS


@kernel
def is_win(outcome, rules):
    """Return whether the hand counts as won: by a win, or by a nagashi mangan that counts as one."""
    nagashi = outcome.ended == EXHAUSTED and outcome.nagashi != 0
    return outcome.ended == WON or (nagashi and rules.draw.nagashi_mangan == NAGASHI_AS_WIN)


@kernel
def next_honba(match, outcome, stays, rules):
    """Return the honba of the next hand (inventory 242–246)."""
    honba = int(match.honba)
    if outcome.ended == VOIDED:
        return honba
    if is_win(outcome, rules):
        return honba + 1 if stays else 0
    if outcome.ended == EXHAUSTED or rules.draw.honba_after_abort == HONBA_ADDS:
        return honba + 1
    return honba

"""What a foul in an entered hand costs under the ruleset, and which fouls end the hand (inventory H–J)."""

from typing import Final

from jantaku.club.entered_hands import EnteredFoul, EnteredHand
from jantaku.rules import Ruleset

CHOMBO: Final = ("chombo", "expulsion")
"""The costs that void the hand."""

FALSE_WINS: Final = ("false_win_shown", "false_win_called", "false_win_in_riichi", "furiten_ron")


def cost_of(foul: EnteredFoul, hand: EnteredHand, rules: Ruleset) -> str:
    """What the foul costs in this hand: a value of the options in ``[fouls]``.

    Noten riichi comes to light only at a draw: where somebody wins it costs nothing, and at four riichi
    ``draw.suucha_riichi_noten`` decides. Where a ron stands, a chombo for another false win on the same
    tile is not charged (inventory 135, 186–187, 189).
    """
    cost: str = getattr(rules.fouls, foul.foul)
    won = hand.end in ("ron", "tsumo")
    if foul.foul == "noten_riichi":
        if won:
            return "none"
        if is_four_riichi(hand, rules):
            return rules.draw.suucha_riichi_noten
    winners = {win.seat for win in hand.wins}
    beside = hand.end == "ron" and foul.seat not in (*winners, hand.discarder)
    if beside and foul.foul in FALSE_WINS and cost in CHOMBO:
        return "none"
    return cost


def is_four_riichi(hand: EnteredHand, rules: Ruleset) -> bool:
    """Whether the hand ended because every seat declared riichi, or would have without a foul."""
    everybody = len(hand.riichi) == rules.match.players and rules.draw.suucha_riichi
    return hand.abort == "suucha_riichi" or (hand.end == "foul" and everybody)

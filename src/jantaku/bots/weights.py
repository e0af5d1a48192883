"""The weights of the features in the decisions of ``standard``.

``bots.fitting`` fitted the weights of discards and calls to the choices of strong human players. Afterwards
every call got 1 more, and 2 less if no yaku is in sight, because a bot that always takes the likeliest choice
calls less often than humans, who deviate in both directions. The weights of riichi come from a similar fit;
they are rounded, and lowered until riichi is as frequent as among humans.
"""

from typing import Final, NamedTuple

DISCARD_WEIGHTS: Final = (
    ("further", -2.03),
    ("further_near", -2.08),
    ("further_threat", 1.56),
    ("ukeire_0", 1.49),
    ("ukeire_1", 4.85),
    ("ukeire_2", 3.62),
    ("ukeire_3", 1.98),
    ("ukeire_threat_1", -2.33),
    ("ukeire_threat_2", -2.61),
    ("ukeire_threat_3", -1.87),
    ("many_2", 0.49),
    ("many_3", 0.29),
    ("points_0", 0.77),
    ("alone_19", 1.27),
    ("alone_28", 0.26),
    ("alone_37", -0.56),
    ("alone_456", -0.77),
    ("alone_late", 0.09),
    ("next_one", -1.22),
    ("next_both", -1.39),
    ("gapped", -0.78),
    ("pair", -0.15),
    ("triplet", -1.51),
    ("many_pairs", 0.18),
    ("guest_0", 2.14),
    ("guest_1", 2.13),
    ("guest_2", 0.45),
    ("value_0", 0.13),
    ("value_1", 1.05),
    ("value_2", 0.27),
    ("value_pair", -2.17),
    ("guest_pair", -1.15),
    ("honour_late", -3.27),
    ("unseen_late", 0.72),
    ("safe_honour", 1.18),
    ("dora", -1.71),
    ("red_one", -1.21),
    ("dora_near", -0.34),
    ("tanyao_closed", 1.37),
    ("tanyao_open", 0.90),
    ("honitsu_closed", 0.47),
    ("honitsu_open", 0.94),
    ("sanshoku", -0.81),
    ("ittsuu", -0.84),
    ("risk_0", -2.10),
    ("risk_1", -6.64),
    ("risk_2", -6.49),
    ("risk_3", -7.67),
    ("risk_further", -0.65),
    ("safe_far", 1.76),
    ("drawn", 0.97),
)
"""Weights of the features of ``bots.shape``, in order; the bot discards the tile with the highest sum."""

CLAIM_WEIGHTS: Final = (
    ("of_chi", -0.78),
    ("of_pon", -0.59),
    ("nearer", 2.30),
    ("same", 0.53),
    ("leaves_0", -0.23),
    ("leaves_1", -1.15),
    ("leaves_2", -0.90),
    ("leaves_3", -1.09),
    ("ukeire", 0.16),
    ("no_yaku", -3.77),
    ("yakuhai", 0.13),
    ("yakuhai_pon", 2.17),
    ("yakuhai_pair", 0.03),
    ("tanyao", 0.13),
    ("tanyao_left", -0.50),
    ("honitsu", -0.45),
    ("honitsu_near", 0.20),
    ("toitoi", -1.43),
    ("han", 0.28),
    ("han_0", -0.13),
    ("turn", -0.25),
    ("turn_2", -0.40),
    ("threat", -0.70),
    ("threat_1", -0.10),
    ("opens", -1.26),
    ("opens_1", 0.19),
    ("opens_2", 0.41),
    ("last_pair", -0.89),
    ("tenpai_late", 0.35),
    ("tenpai_last", -0.47),
)
"""Weights of the features of ``bots.claim``, in order; the bot makes the best call above 0."""

DISCARD: Final = tuple(weight for _, weight in DISCARD_WEIGHTS)
CLAIM: Final = tuple(weight for _, weight in CLAIM_WEIGHTS)


class RiichiWeights(NamedTuple):
    """The weights for riichi; a sum above 0 declares it.

    ``always`` is a constant. ``tile`` counts for each tile left of the wait (at most eight), ``good`` once if
    five or more are left. ``gain`` is multiplied by the logarithm of how many times the points of a silent
    win a riichi brings; ``mangan`` applies if the silent win is about a mangan. ``live`` is multiplied by the
    tiles left in the wall, divided by 70. ``dealer`` applies to the dealer, ``last_first`` and
    ``last_fourth`` to first and fourth place in the last hand.
    """

    always: float = -2.2
    tile: float = 0.05
    good: float = 1.2
    gain: float = 1.7
    mangan: float = -1.3
    live: float = 1.3
    dealer: float = 0.9
    last_first: float = -1.2
    last_fourth: float = 0.3


RIICHI: Final = RiichiWeights()

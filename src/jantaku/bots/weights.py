"""The weights of the features in the decisions of ``standard``.

``bots.fitting`` fitted the weights of discards and calls to the choices of strong human players. Then the
weights of plans, calls and riichi were moved in games of four bots until the yaku of their wins came as often
as those of people (``bench.people``), and the other weights of discards were fitted again around them. Every
call got about 1 more, because a bot that always takes the likeliest choice calls less often than humans, who
deviate in both directions.
"""

from typing import Final

DISCARD_WEIGHTS: Final = (
    ("further", -2.06),
    ("further_near", -2.11),
    ("further_threat", 1.63),
    ("ukeire_0", 1.66),
    ("ukeire_1", 3.73),
    ("ukeire_2", 3.68),
    ("ukeire_3", 2.04),
    ("ukeire_threat_1", -2.72),
    ("ukeire_threat_2", -2.69),
    ("ukeire_threat_3", -1.94),
    ("many_2", 0.43),
    ("many_3", 0.27),
    ("points_0", 0.71),
    ("alone_19", 0.89),
    ("alone_28", 0.43),
    ("alone_37", -0.45),
    ("alone_456", -0.88),
    ("alone_late", -0.06),
    ("next_one", -0.91),
    ("next_both", -0.66),
    ("gapped", -0.83),
    ("pair", -0.84),
    ("triplet", -2.00),
    ("many_pairs", 0.19),
    ("guest_0", 1.70),
    ("guest_1", 1.72),
    ("guest_2", 0.44),
    ("value_0", -0.40),
    ("value_1", 0.63),
    ("value_2", 0.25),
    ("value_pair", -2.40),
    ("guest_pair", -1.90),
    ("honour_late", -3.54),
    ("unseen_late", 0.88),
    ("safe_honour", 0.75),
    ("dora", -1.79),
    ("red_one", -1.14),
    ("dora_near", -0.35),
    ("value_one_away", 1.10),
    ("yaku_missing", -0.37),
    ("risk_0", -2.11),
    ("risk_1", -6.63),
    ("risk_2", -6.35),
    ("risk_3", -7.55),
    ("risk_further", -0.68),
    ("safe_far", 1.77),
    ("drawn", 0.96),
    ("near_honitsu", 3.26),
    ("near_chinitsu", 0.67),
    ("near_toitoi", 1.06),
    ("near_chiitoitsu", 0.56),
    ("near_sanshoku", 1.39),
    ("near_ittsuu", 2.57),
    ("near_chanta", 0.95),
    ("near_iipeikou", 0.38),
    ("near_triple_triplets", 0.30),
    ("near_dragons", 1.56),
    ("near_tanyao", 2.38),
    ("near_pinfu", 1.58),
    ("far_honitsu", 0.85),
    ("far_chinitsu", 0.21),
    ("far_toitoi", 0.79),
    ("far_chiitoitsu", -1.13),
    ("far_sanshoku", 2.17),
    ("far_ittsuu", 1.70),
    ("far_chanta", 0.43),
    ("far_iipeikou", 1.22),
    ("far_triple_triplets", -0.13),
    ("far_dragons", 0.06),
    ("far_tanyao", 6.15),
    ("far_pinfu", 8.39),
)
"""Weights of the features of ``bots.shape``, in order; the bot discards the tile with the highest sum."""

CLAIM_WEIGHTS: Final = (
    ("of_chi", -1.68),
    ("of_pon", -1.87),
    ("nearer", 2.43),
    ("same", 0.59),
    ("leaves_0", -0.49),
    ("leaves_1", -1.14),
    ("leaves_2", -1.02),
    ("leaves_3", -1.24),
    ("ukeire", 0.23),
    ("yaku_0", 0.40),
    ("yaku_1", -0.04),
    ("yaku_2", -0.47),
    ("yaku_3", -1.45),
    ("yaku_far", -4.33),
    ("yakuhai", -0.34),
    ("yakuhai_pon", 1.01),
    ("yakuhai_pair", 0.22),
    ("han", 0.33),
    ("han_0", -0.00),
    ("turn", -0.35),
    ("turn_2", -0.38),
    ("threat", -0.74),
    ("threat_1", -0.06),
    ("opens", -0.94),
    ("opens_1", 0.05),
    ("opens_2", 0.33),
    ("last_pair", -0.69),
    ("tenpai_late", 0.35),
    ("tenpai_last", -0.37),
    ("near_honitsu", 0.96),
    ("near_chinitsu", -0.33),
    ("near_toitoi", 1.85),
    ("near_chiitoitsu", 0.00),
    ("near_sanshoku", 0.34),
    ("near_ittsuu", -0.04),
    ("near_chanta", 0.89),
    ("near_iipeikou", 0.00),
    ("near_triple_triplets", -0.28),
    ("near_dragons", 0.28),
    ("near_tanyao", -0.00),
    ("near_pinfu", 0.00),
)
"""Weights of the features of ``bots.claim``, in order; the bot makes the best call above 0."""

RIICHI_WEIGHTS: Final = (
    ("always", -2.43),
    ("tile", 0.05),
    ("good", 1.20),
    ("gain", 1.70),
    ("mangan", -1.30),
    ("live", 1.30),
    ("dealer", 0.90),
    ("last_first", -1.20),
    ("last_fourth", 0.30),
)
"""Weights of the features of ``bots.riichi``, in order; a sum above 0 declares riichi."""

STANDARD_WEIGHTS: Final = tuple(
    weight for rows in (DISCARD_WEIGHTS, CLAIM_WEIGHTS, RIICHI_WEIGHTS) for _, weight in rows
)
WEIGHT_NAMES: Final = tuple(
    f"{group}.{name}"
    for group, rows in (("discard", DISCARD_WEIGHTS), ("call", CLAIM_WEIGHTS), ("riichi", RIICHI_WEIGHTS))
    for name, _ in rows
)
CLAIM_AT: Final = len(DISCARD_WEIGHTS)  # where the weights of calls begin
RIICHI_AT: Final = CLAIM_AT + len(CLAIM_WEIGHTS)

"""Weights of the features in the decisions of ``standard`` (first) and ``strong`` (second).

``research.fit_weights`` fitted the weights of discards and calls to the choices of strong human players. The
weights of plans, calls and riichi were then adjusted in games of four bots until the yaku of their wins were
as frequent as those of human players, and the other weights of discards were fitted again. Every call got
about 1 more, because a bot that always makes the likeliest choice calls less often than humans, who deviate
in both directions.

``strong`` plays to win instead: starting from the weights of ``standard``, self-play under the rules of
Tenhou improved its average place, as ``jantaku lab adapt --aim place`` does: 21 rounds of 4,096 games, of
which the last eleven were averaged. Features for which ``standard`` has weight 0 are used only by ``strong``
and adapted bots.
"""

from typing import Final

DISCARD_WEIGHTS: Final = (
    ("further", -2.06, -4.27),
    ("further_near", -2.11, -10.24),
    ("further_threat", 1.63, 3.62),
    ("ukeire_0", 1.66, 2.87),
    ("ukeire_1", 3.73, 3.20),
    ("ukeire_2", 3.68, 6.72),
    ("ukeire_3", 2.04, 4.92),
    ("ukeire_threat_1", -2.72, -3.48),
    ("ukeire_threat_2", -2.69, -4.83),
    ("ukeire_threat_3", -1.94, -4.68),
    ("many_2", 0.43, 0.23),
    ("many_3", 0.27, 0.07),
    ("points_0", 0.71, 9.31),
    ("alone_19", 0.89, 1.21),
    ("alone_28", 0.43, 0.54),
    ("alone_37", -0.45, -0.23),
    ("alone_456", -0.88, -0.58),
    ("alone_late", -0.06, 0.06),
    ("next_one", -0.91, -1.19),
    ("next_both", -0.66, -0.69),
    ("gapped", -0.83, -0.82),
    ("pair", -0.84, -1.59),
    ("triplet", -2.00, -5.88),
    ("many_pairs", 0.19, 0.96),
    ("guest_0", 1.70, 2.03),
    ("guest_1", 1.72, 2.33),
    ("guest_2", 0.44, 0.74),
    ("value_0", -0.40, -0.27),
    ("value_1", 0.63, 0.81),
    ("value_2", 0.25, 0.11),
    ("value_pair", -2.40, -6.24),
    ("guest_pair", -1.90, -2.90),
    ("honour_late", -3.54, -4.42),
    ("unseen_late", 0.88, 0.73),
    ("safe_honour", 0.75, 0.87),
    ("dora", -1.79, -2.95),
    ("red_one", -1.14, -2.15),
    ("dora_near", -0.35, -0.50),
    ("value_one_away", 1.10, 7.62),
    ("yaku_missing", -0.37, -2.62),
    ("risk_0", -2.11, -1.52),
    ("risk_1", -6.63, -13.43),
    ("risk_2", -6.35, -4.47),
    ("risk_3", -7.55, -8.82),
    ("risk_further", -0.68, -3.64),
    ("safe_far", 1.77, 1.64),
    ("drawn", 0.96, 0.86),
    ("near_honitsu", 3.26, 4.77),
    ("near_chinitsu", 0.67, 4.77),
    ("near_toitoi", 1.06, 11.92),
    ("near_chiitoitsu", 0.56, 2.00),
    ("near_sanshoku", 1.39, 1.85),
    ("near_ittsuu", 2.57, 4.21),
    ("near_chanta", 0.95, 0.58),
    ("near_iipeikou", 0.38, 1.18),
    ("near_triple_triplets", 0.30, 2.59),
    ("near_dragons", 1.56, -0.17),
    ("near_tanyao", 2.38, 3.02),
    ("near_pinfu", 1.58, 1.87),
    ("far_honitsu", 0.85, 1.26),
    ("far_chinitsu", 0.21, -0.57),
    ("far_toitoi", 0.79, 0.24),
    ("far_chiitoitsu", -1.13, -1.59),
    ("far_sanshoku", 2.17, 1.89),
    ("far_ittsuu", 1.70, 1.24),
    ("far_chanta", 0.43, 0.24),
    ("far_iipeikou", 1.22, -1.40),
    ("far_triple_triplets", -0.13, -0.37),
    ("far_dragons", 0.06, -0.21),
    ("far_tanyao", 6.15, 7.80),
    ("far_pinfu", 8.39, 8.46),
    ("risk_han", 0.00, -0.12),
    ("risk_han_ready", 0.00, -0.05),
    ("risk_dealer", 0.00, 0.23),
    ("risk_turn", 0.00, -3.94),
    ("risk_ahead", 0.00, -3.44),
    ("risk_behind", 0.00, 2.62),
    ("risk_points", 0.00, 2.97),
    ("risk_value", 0.00, 4.16),
    ("dora_chasing", 0.00, -0.16),
    ("points_chasing", 0.00, 3.10),
    ("value_chasing", 0.00, 3.47),
    ("ukeire_chasing", 0.00, -0.24),
    ("further_chasing", 0.00, -0.49),
    ("near_chasing", 0.00, 0.30),
    ("far_chasing", 0.00, -0.25),
    ("safe_near", 0.00, -0.09),
    ("risk_0_flat", 0.00, 3.20),
    ("risk_1_flat", 0.00, -7.70),
    ("prospect", 5.00, 5.00),
)
"""Weights of the features of ``bots.discard``, in order; the bot discards the tile with the highest sum."""

CLAIM_WEIGHTS: Final = (
    ("of_chi", -1.68, -6.86),
    ("of_pon", -1.87, -7.46),
    ("nearer", 2.43, 14.66),
    ("same", 0.59, 3.41),
    ("leaves_0", -0.49, -8.96),
    ("leaves_1", -1.14, -7.35),
    ("leaves_2", -1.02, -1.62),
    ("leaves_3", -1.24, -0.23),
    ("ukeire", 0.23, 0.80),
    ("yaku_0", 0.40, 0.33),
    ("yaku_1", -0.04, -4.32),
    ("yaku_2", -0.47, -8.83),
    ("yaku_3", -1.45, -15.27),
    ("yaku_far", -4.33, -8.88),
    ("yakuhai", -0.34, -0.30),
    ("yakuhai_pon", 1.01, 9.03),
    ("yakuhai_pair", 0.22, 1.80),
    ("han", 0.33, 1.26),
    ("han_0", -0.00, -0.06),
    ("turn", -0.35, 1.95),
    ("turn_2", -0.38, -3.55),
    ("threat", -0.74, -1.30),
    ("threat_1", -0.06, -3.07),
    ("opens", -0.94, -5.46),
    ("opens_1", 0.05, 1.39),
    ("opens_2", 0.33, 2.64),
    ("last_pair", -0.69, -1.71),
    ("tenpai_late", 0.35, 1.98),
    ("tenpai_last", -0.37, 1.46),
    ("near_honitsu", 0.96, 1.61),
    ("near_chinitsu", -0.33, 0.18),
    ("near_toitoi", 1.85, 4.65),
    ("near_chiitoitsu", 0.00, 0.00),
    ("near_sanshoku", 0.34, -1.22),
    ("near_ittsuu", -0.04, -2.58),
    ("near_chanta", 0.89, 2.04),
    ("near_iipeikou", 0.00, 0.00),
    ("near_triple_triplets", -0.28, 0.27),
    ("near_dragons", 0.28, 0.13),
    ("near_tanyao", -0.00, -0.23),
    ("near_pinfu", 0.00, 0.00),
    ("chasing", 0.00, -3.39),
    ("han_chasing", 0.00, 0.51),
    ("dealer", 0.00, 0.35),
    ("ahead", 0.00, -0.22),
    ("threat_han", 0.00, -0.32),
    ("threat_0", 0.00, 2.25),
    ("ukeire_2", 0.00, -0.97),
    ("prospect", 2.00, 2.00),
)
"""Weights of the features of ``bots.claim``, in order; the bot makes the best call above 0."""

RIICHI_WEIGHTS: Final = (
    ("always", -2.43, -3.89),
    ("tile", 0.05, 0.25),
    ("good", 1.20, 0.53),
    ("gain", 1.70, 6.46),
    ("mangan", -1.30, -1.11),
    ("live", 1.30, 2.78),
    ("dealer", 0.90, 0.85),
    ("last_first", -1.20, -5.40),
    ("last_fourth", 0.30, -0.13),
    ("ahead", 0.00, -0.39),
    ("behind", 0.00, 0.70),
    ("threat", 0.00, -1.11),
    ("threat_good", 0.00, 1.74),
    ("silent", 0.00, 0.82),
)
"""Weights of the features of ``bots.riichi``, in order; a sum above 0 declares riichi."""

_ROWS: Final = DISCARD_WEIGHTS + CLAIM_WEIGHTS + RIICHI_WEIGHTS
STANDARD_WEIGHTS: Final = tuple(weight for _, weight, _ in _ROWS)
STRONG_WEIGHTS: Final = tuple(weight for _, _, weight in _ROWS)
WEIGHT_NAMES: Final = tuple(
    f"{group}.{name}"
    for group, rows in (("discard", DISCARD_WEIGHTS), ("call", CLAIM_WEIGHTS), ("riichi", RIICHI_WEIGHTS))
    for name, _, _ in rows
)
CLAIM_AT: Final = len(DISCARD_WEIGHTS)  # index of the first weight of calls
RIICHI_AT: Final = CLAIM_AT + len(CLAIM_WEIGHTS)

"""How much each number weighs in the decisions of ``standard``."""

from typing import Final, NamedTuple

DISCARD: Final = (
    -2.03,  # FURTHER
    -2.08,  # FURTHER_NEAR
    1.56,  # FURTHER_THREAT
    1.49,  # UKEIRE_0
    4.85,  # UKEIRE_1
    3.62,  # UKEIRE_2
    1.98,  # UKEIRE_3
    -2.33,  # UKEIRE_THREAT_1
    -2.61,  # UKEIRE_THREAT_2
    -1.87,  # UKEIRE_THREAT_3
    0.49,  # MANY_2
    0.29,  # MANY_3
    0.77,  # POINTS_0
    1.27,  # ALONE_19
    0.26,  # ALONE_28
    -0.56,  # ALONE_37
    -0.77,  # ALONE_456
    0.09,  # ALONE_LATE
    -1.22,  # NEXT_ONE
    -1.39,  # NEXT_BOTH
    -0.78,  # GAPPED
    -0.15,  # PAIR
    -1.51,  # TRIPLET
    0.18,  # MANY_PAIRS
    2.14,  # GUEST_0
    2.13,  # GUEST_1
    0.45,  # GUEST_2
    0.13,  # VALUE_0
    1.05,  # VALUE_1
    0.27,  # VALUE_2
    -2.17,  # VALUE_PAIR
    -1.15,  # GUEST_PAIR
    -3.27,  # HONOUR_LATE
    0.72,  # UNSEEN_LATE
    1.18,  # SAFE_HONOUR
    -1.71,  # DORA
    -1.21,  # RED_ONE
    -0.34,  # DORA_NEAR
    1.37,  # TANYAO_CLOSED
    0.90,  # TANYAO_OPEN
    0.47,  # HONITSU_CLOSED
    0.94,  # HONITSU_OPEN
    -0.81,  # SANSHOKU
    -0.84,  # ITTSUU
    -2.10,  # RISK_0
    -6.64,  # RISK_1
    -6.49,  # RISK_2
    -7.67,  # RISK_3
    -0.65,  # RISK_FURTHER
    1.76,  # SAFE_FAR
    0.97,  # DRAWN
)
CLAIM: Final = (
    -0.58,  # OF_CHI
    -0.39,  # OF_PON
    2.30,  # NEARER
    0.53,  # SAME
    -0.23,  # LEAVES_0
    -1.15,  # LEAVES_1
    -0.90,  # LEAVES_2
    -1.09,  # LEAVES_3
    0.16,  # UKEIRE
    -1.77,  # NO_YAKU
    0.13,  # YAKUHAI
    2.17,  # YAKUHAI_PON
    0.03,  # YAKUHAI_PAIR
    0.13,  # TANYAO
    -0.50,  # TANYAO_LEFT
    -0.45,  # HONITSU
    0.20,  # HONITSU_NEAR
    -1.43,  # TOITOI
    0.28,  # HAN
    -0.13,  # HAN_0
    -0.25,  # TURN
    -0.40,  # TURN_2
    -0.70,  # THREAT
    -0.10,  # THREAT_1
    -1.26,  # OPENS
    0.19,  # OPENS_1
    0.41,  # OPENS_2
    -0.89,  # LAST_PAIR
    0.35,  # TENPAI_LATE
    -0.47,  # TENPAI_LAST
)


class RiichiWeights(NamedTuple):
    always: float = -2.4
    tile: float = 0.05
    good: float = 1.2
    gain: float = 1.7
    mangan: float = -1.3
    live: float = 1.3
    dealer: float = 0.9
    last_first: float = -1.2
    last_fourth: float = 0.3


RIICHI: Final = RiichiWeights()

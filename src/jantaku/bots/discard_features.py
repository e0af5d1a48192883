"""Features of a discard, by number, and the facts shared by all discards of a turn."""

from typing import Final, NamedTuple

(
    FURTHER,
    FURTHER_NEAR,
    FURTHER_THREAT,
    UKEIRE_0,
    UKEIRE_1,
    UKEIRE_2,
    UKEIRE_3,
    UKEIRE_THREAT_1,
    UKEIRE_THREAT_2,
    UKEIRE_THREAT_3,
    MANY_2,
    MANY_3,
    POINTS_0,
    ALONE_19,
    ALONE_28,
    ALONE_37,
    ALONE_456,
    ALONE_LATE,
    NEXT_ONE,
    NEXT_BOTH,
    GAPPED,
    PAIR,
    TRIPLET,
    MANY_PAIRS,
    GUEST_0,
    GUEST_1,
    GUEST_2,
    VALUE_0,
    VALUE_1,
    VALUE_2,
    VALUE_PAIR,
    GUEST_PAIR,
    HONOUR_LATE,
    UNSEEN_LATE,
    SAFE_HONOUR,
    DORA,
    RED_ONE,
    DORA_NEAR,
    VALUE_ONE_AWAY,
    YAKU_MISSING,
    RISK_0,
    RISK_1,
    RISK_2,
    RISK_3,
    RISK_FURTHER,
    SAFE_FAR,
    DRAWN,
    NEAR_HONITSU,
    NEAR_CHINITSU,
    NEAR_TOITOI,
    NEAR_CHIITOITSU,
    NEAR_SANSHOKU,
    NEAR_ITTSUU,
    NEAR_CHANTA,
    NEAR_IIPEIKOU,
    NEAR_TRIPLE_TRIPLETS,
    NEAR_DRAGONS,
    NEAR_TANYAO,
    NEAR_PINFU,
    FAR_HONITSU,
    FAR_CHINITSU,
    FAR_TOITOI,
    FAR_CHIITOITSU,
    FAR_SANSHOKU,
    FAR_ITTSUU,
    FAR_CHANTA,
    FAR_IIPEIKOU,
    FAR_TRIPLE_TRIPLETS,
    FAR_DRAGONS,
    FAR_TANYAO,
    FAR_PINFU,
    RISK_HAN,
    RISK_HAN_READY,
    RISK_DEALER,
    RISK_TURN,
    RISK_AHEAD,
    RISK_BEHIND,
    RISK_POINTS,
    RISK_VALUE,
    DORA_CHASING,
    POINTS_CHASING,
    VALUE_CHASING,
    UKEIRE_CHASING,
    FURTHER_CHASING,
    NEAR_CHASING,
    FAR_CHASING,
    SAFE_NEAR,
    RISK_0_FLAT,
    RISK_1_FLAT,
    PROSPECT,
) = range(90)
COUNT: Final = 90
TASTE_COUNT: Final = FAR_HONITSU - NEAR_HONITSU


class Moment(NamedTuple):
    """Facts shared by all discards of a turn.

    ``best`` is the lowest shanten, ``most`` the number of improving tiles after the best discard; ``threat``
    the probability that an opponent is tenpai (1 in riichi), ``calm`` its complement; ``turn`` the number of
    the seat's discards divided by ten; ``caution`` scales risk; bit ``taste`` of ``likes_far`` and
    ``likes_near`` is set if the bot's weight for that plan is positive. Like ``claim.Before``, the tuple
    holds no array.
    """

    best: int
    most: int
    threat: float
    calm: float
    turn: float
    caution: float
    ahead: float
    behind: float
    chasing: float
    likes_far: int
    likes_near: int

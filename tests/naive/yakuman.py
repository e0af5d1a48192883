"""The yaku that are yakuman under most rules, one predicate each."""

from naive.readings import DRAGONS, GREEN, WINDS, Reading, is_honour, is_terminal, number, suit
from naive.situation import Situation
from naive.yaku import chinitsu

GREEN_KINDS = frozenset({19, 20, 21, 23, 25, GREEN})
NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)


def kokushi_musou(s: Situation, r: Reading) -> bool:
    """One of each terminal and honour and a second one of any of them."""
    return r.form == "kokushi"


def kokushi_juusanmen(s: Situation, r: Reading) -> bool:
    """Kokushi musou completed by its pair, having waited for thirteen kinds."""
    return r.form == "kokushi" and r.pair == s.win


def chuuren_poutou(s: Situation, r: Reading) -> bool:
    """1112345678999 of one suit and one more tile of it, without melds."""
    held = _only_suit(s)
    return bool(held) and all(has >= needs for has, needs in zip(held, NINE_GATES, strict=True))


def junsei_chuuren(s: Situation, r: Reading) -> bool:
    """Exactly 1112345678999 before the winning tile."""
    if not chuuren_poutou(s, r):
        return False
    before = list(_only_suit(s))
    before[number(s.win) - 1] -= 1
    return tuple(before) == NINE_GATES


def suuankou(s: Situation, r: Reading) -> bool:
    """Four triplets or quads formed without a call or a ron."""
    return r.concealed_triplets == 4


def suuankou_tanki(s: Situation, r: Reading) -> bool:
    """Four concealed triplets, completed by the pair."""
    return r.concealed_triplets == 4 and r.wait == "tanki"


def daisangen(s: Situation, r: Reading) -> bool:
    """Triplets of all three dragons."""
    return set(DRAGONS) <= set(r.triplets)


def shousuushii(s: Situation, r: Reading) -> bool:
    """Triplets of three winds and a pair of the fourth."""
    return r.pair in WINDS and sum(kind in WINDS for kind in r.triplets) == 3


def daisuushii(s: Situation, r: Reading) -> bool:
    """Triplets of all four winds."""
    return set(WINDS) <= set(r.triplets)


def tsuuiisou(s: Situation, r: Reading) -> bool:
    """Only honours."""
    return all(is_honour(kind) for kind in s.kinds)


def ryuuiisou(s: Situation, r: Reading) -> bool:
    """Only the bamboos 2, 3, 4, 6, 8 and Green dragons."""
    return s.kinds <= GREEN_KINDS


def chinroutou(s: Situation, r: Reading) -> bool:
    """Only ones and nines."""
    return all(is_terminal(kind) for kind in s.kinds)


def suukantsu(s: Situation, r: Reading) -> bool:
    """Four quads."""
    return r.quads == 4


def shousharin(s: Situation, r: Reading) -> bool:
    """Seven pairs from 1 to 7 or from 3 to 9 of one suit."""
    return _wheel(s, r, 1) or _wheel(s, r, 3)


def daisharin(s: Situation, r: Reading) -> bool:
    """Seven pairs from 2 to 8 of one suit."""
    return _wheel(s, r, 2)


def suurenkou(s: Situation, r: Reading) -> bool:
    """Triplets of four consecutive numbers of one suit."""
    low = min(r.triplets, default=0)
    in_a_row = sorted(r.triplets) == [low, low + 1, low + 2, low + 3]
    return in_a_row and not is_honour(low) and suit(low) == suit(low + 3)


def daichisei(s: Situation, r: Reading) -> bool:
    """A pair of each of the seven honours."""
    return r.form == "chiitoitsu" and tsuuiisou(s, r)


def _wheel(s: Situation, r: Reading, lowest: int) -> bool:
    numbers = sorted(number(kind) for kind in s.kinds)
    return r.form == "chiitoitsu" and chinitsu(s, r) and numbers == list(range(lowest, lowest + 7))


def _only_suit(s: Situation) -> tuple[int, ...]:
    """Return the counts of 1 to 9 of a hand without melds in one suit, otherwise an empty tuple."""
    start = 9 * suit(s.win)
    held = s.concealed[start : start + 9]
    return held if not s.melds and not is_honour(s.win) and sum(held) == 14 else ()

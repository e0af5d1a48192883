"""The yaku that depend on how the hand was won instead of its tiles."""

from naive.readings import Reading
from naive.situation import Situation


def riichi(s: Situation, r: Reading) -> bool:
    """Any kind of riichi."""
    return s.riichi is not None


def double_riichi(s: Situation, r: Reading) -> bool:
    """Riichi with the first discard."""
    return s.riichi in ("double", "double_open")


def open_riichi(s: Situation, r: Reading) -> bool:
    """Riichi with the waiting tiles revealed."""
    return s.riichi in ("open", "double_open")


def double_open_riichi(s: Situation, r: Reading) -> bool:
    """Open riichi with the first discard."""
    return s.riichi == "double_open"


def open_riichi_deal_in(s: Situation, r: Reading) -> bool:
    """Ron of an open riichi hand on the discard of a player who is not in riichi."""
    return open_riichi(s, r) and s.ron and "discarder_riichi" not in s.flags


def ippatsu(s: Situation, r: Reading) -> bool:
    """A win within one uncalled go-around of riichi."""
    return s.riichi is not None and "ippatsu" in s.flags


def menzen_tsumo(s: Situation, r: Reading) -> bool:
    """A closed hand completed by self-draw."""
    return s.closed and s.tsumo


def haitei(s: Situation, r: Reading) -> bool:
    """A win by drawing the last tile of the live wall."""
    return "last_tile" in s.flags and s.tsumo and "rinshan" not in s.flags


def houtei(s: Situation, r: Reading) -> bool:
    """Ron on the last discard."""
    return "last_tile" in s.flags and s.ron and "chankan" not in s.flags


def rinshan_kaihou(s: Situation, r: Reading) -> bool:
    """A win with the replacement tile."""
    return "rinshan" in s.flags and s.tsumo


def chankan(s: Situation, r: Reading) -> bool:
    """Ron on a tile that another player adds to a pon."""
    return "chankan" in s.flags and s.ron


def tsubame_gaeshi(s: Situation, r: Reading) -> bool:
    """Ron on the tile with which another player declares riichi."""
    return "riichi_tile" in s.flags and s.ron


def renhou(s: Situation, r: Reading) -> bool:
    """A child's ron before the first draw, without any call."""
    return "first_turn" in s.flags and s.ron and not s.dealer and not s.melds


def tenhou(s: Situation, r: Reading) -> bool:
    """The dealer's dealt hand is complete as sets and a pair, seven pairs or kokushi musou."""
    return _first_draw(s) and s.dealer and r.form != "puutaa"


def chiihou(s: Situation, r: Reading) -> bool:
    """A child wins on the first draw, in the same forms."""
    return _first_draw(s) and not s.dealer and r.form != "puutaa"


def shiisan_puutaa(s: Situation, r: Reading) -> bool:
    """Thirteen unconnected tiles and a pair on the uninterrupted first draw."""
    return r.form == "puutaa" and _first_draw(s)


def paarenchan(s: Situation, r: Reading) -> bool:
    """The dealer's eighth or later win in a row; ``rulebook`` checks rules for every eighth only."""
    return s.dealer and s.dealer_streak >= 8


def nagashi_mangan(s: Situation, r: Reading) -> bool:
    """Never part of a winning hand; it is paid at a draw."""
    return False


def _first_draw(s: Situation) -> bool:
    return "first_turn" in s.flags and s.tsumo and not s.melds

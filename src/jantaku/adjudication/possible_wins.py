"""Refuses circumstances of a win that no hand under a ruleset can have together.

``Win`` refuses those that exclude each other under any rules.
"""

from typing import Final

from jantaku.errors import RequestError, RulesError
from jantaku.hand import WIND_NAMES
from jantaku.rules import Ruleset
from jantaku.seats import seat_at
from jantaku.tiles import COPIES, HONOURS, NORTH, RED
from jantaku.win import MOST_KANS, Win

_DOUBLE: Final = ("double", "double_open")
_LEAST_OF_KOKUSHI: Final = 12  # kinds among 13 tiles


def check_possible(win: Win, rules: Ruleset) -> None:
    """Raise an error with the reason if the circumstances cannot come about together."""
    ippatsu = win.ippatsu
    if win.first_turn:
        _check_first_turn(win, rules)
    if ippatsu and win.riichi in _DOUBLE:
        _check_double_ippatsu(win, rules)
    if win.chankan:
        _check_robbed(win, rules)
    if win.rinshan:
        _check_rinshan(win, rules)
    if win.kan_discard:
        _check_kan_discard(win, rules)
    if win.last_tile and (ippatsu or win.riichi_tile):
        _check_late_riichi(win, rules)


def check_riichi(win: Win, rules: Ruleset) -> None:
    """Raise ``RulesError`` for a double or open riichi that the rules, or a kan in the hand, do not allow."""
    if win.riichi in ("open", "double_open") and not rules.riichi.open:
        raise RulesError("open_riichi_off", path="riichi.open", rules=rules.id)
    if (
        win.riichi in _DOUBLE
        and win.hand.melds
        and (rules.riichi.double_broken_by_ankan and rules.riichi.ankan == "never")
    ):
        raise RulesError("no_kan_in_riichi", path="riichi.ankan", rules=rules.id)


def _check_first_turn(win: Win, rules: Ruleset) -> None:
    """Before the winner's first discard, and with no call or kan, only those before it have discarded."""
    if not _from_earlier_seat(win, rules):
        raise RequestError("clash_first_turn", field="first_turn")
    if len(win.dora) > 1:
        raise RequestError("kan_ended_first_turn", field="first_turn")
    if win.furiten and win.tsumo:
        raise RequestError("furiten_at_first_draw", field="furiten")
    if win.kita and not win.tsumo:
        raise RequestError("kita_on_own_turn", field="kita")
    if win.kita and rules.kita.breaks_first_turn:
        raise RulesError("kita_ends_first_turn", path="kita.breaks_first_turn", rules=rules.id)


def _from_earlier_seat(win: Win, rules: Ruleset) -> bool:
    """Whether the discarder may be one whose turn comes before the winner's in each go-around."""
    winner = WIND_NAMES.index(win.seat)
    if win.source is None:
        return win.tsumo or winner > 0
    return seat_at(winner, win.source, rules.match.players) < winner


def _check_double_ippatsu(win: Win, rules: Ruleset) -> None:
    """A kan or a north comes before the riichi, which may end the first turn, or after it."""
    riichi = rules.riichi
    if (win.hand.melds or len(win.dora) > 1) and (
        riichi.double_broken_by_ankan and riichi.ippatsu_broken_by_ankan
    ):
        raise RulesError("kan_ends_double_ippatsu", path="riichi.ippatsu_broken_by_ankan", rules=rules.id)
    if win.kita and rules.kita.breaks_first_turn and rules.kita.breaks_ippatsu:
        raise RulesError("kita_ends_double_ippatsu", path="kita.breaks_ippatsu", rules=rules.id)
    if win.discarder_riichi and not win.riichi_tile and not _from_earlier_seat(win, rules):
        raise RequestError("riichi_before_turn", field="discarder_riichi")


def _check_robbed(win: Win, rules: Ruleset) -> None:
    """An added kan needs a call before it; of a closed one only kokushi may take a tile."""
    if win.tile % RED == NORTH:
        if _may_rob_north(win, rules):
            return
        win.check_robbed()
    sudden = win.ippatsu and win.riichi in _DOUBLE
    if (win.first_turn or win.discarder_riichi or sudden) and not (
        rules.win.kokushi_on_ankan and _waits_for_kokushi(win)
    ):
        raise RulesError("only_closed_kan", path="win.kokushi_on_ankan", rules=rules.id)


def _may_rob_north(win: Win, rules: Ruleset) -> bool:
    """Whether the win may rob a north that is set aside, and does so by chankan."""
    kita = rules.kita
    if not (kita.nukidora and kita.chankan) or kita.ron == "never":
        return False
    return kita.ron != "kokushi" or _waits_for_kokushi(win)


def _waits_for_kokushi(win: Win) -> bool:
    kinds = {tile % RED for tile in win.hand.tiles}
    yaochuu = all(kind >= HONOURS or kind % 9 in (0, 8) for kind in kinds)
    return not win.hand.melds and len(kinds) >= _LEAST_OF_KOKUSHI and yaochuu


def _kans(win: Win) -> int:
    return sum(len(meld.tiles) == COPIES for meld in win.hand.melds)


def _check_rinshan(win: Win, rules: Ruleset) -> None:
    riichi, kita = rules.riichi, rules.kita
    north = win.kita > 0 and kita.rinshan
    if north and not (win.ippatsu and kita.breaks_ippatsu):
        return
    if win.riichi is not None and riichi.ankan == "never":
        raise RulesError("no_kan_in_riichi", path="riichi.ankan", rules=rules.id)
    if win.ippatsu and riichi.ippatsu_broken_by_ankan:
        raise RulesError("kan_ends_ippatsu", path="riichi.ippatsu_broken_by_ankan", rules=rules.id)


def _check_kan_discard(win: Win, rules: Ruleset) -> None:
    riichi, kita = rules.riichi, rules.kita
    if (
        kita.nukidora
        and kita.rinshan  # the tile drawn for a north is a replacement tile
        and not (win.ippatsu and kita.breaks_ippatsu)
        and not (win.first_turn and kita.breaks_first_turn)
    ):
        return
    if win.first_turn:
        raise RequestError("clash_first_turn", field="first_turn")
    if _kans(win) == MOST_KANS:
        raise RequestError("no_fifth_kan", field="kan_discard")
    if win.discarder_riichi and not win.riichi_tile and riichi.ankan == "never":
        raise RulesError("no_kan_in_riichi", path="riichi.ankan", rules=rules.id)
    if win.ippatsu and riichi.ippatsu_broken_by_ankan:
        raise RulesError("kan_ends_ippatsu", path="riichi.ippatsu_broken_by_ankan", rules=rules.id)


def _check_late_riichi(win: Win, rules: Ruleset) -> None:
    """A riichi needs tiles in the wall: enough that the last one is not won on with it, or with ippatsu."""
    riichi, kita, seats = rules.riichi, rules.kita, rules.match.players
    if riichi.short_wall == "foul" and rules.fouls.mode == "penalise":
        return
    least = max(1, seats * riichi.draws_left)
    within = seats if win.tsumo else seats - 1  # draws until the last one of the first go-around
    if not riichi.ippatsu_broken_by_ankan:
        within += MOST_KANS - _kans(win)
    if kita.nukidora and not kita.breaks_ippatsu:
        within += MOST_KANS
    if win.riichi_tile or least > within:
        raise RulesError("riichi_too_late", path="riichi.draws_left", rules=rules.id)

"""Checks for circumstances of a win that cannot occur together under a ruleset.

``Win`` itself refuses those that exclude each other under any rules.
"""

from typing import Final

from jantaku.errors import RequestError, RulesError
from jantaku.hand import WIND_NAMES
from jantaku.rules import Ruleset
from jantaku.seats import seat_at
from jantaku.tiles import COPIES, HONOURS, NORTH, RED
from jantaku.win import MAX_KANS, Win

_DOUBLE: Final = ("double", "double_open")
_MIN_KOKUSHI_KINDS: Final = 12  # different kinds among the 13 tiles of a hand that waits for kokushi musou


def check_possible(win: Win, rules: Ruleset) -> None:
    """Raise ``RequestError`` or ``RulesError`` if the circumstances cannot occur together."""
    ippatsu = win.ippatsu
    if win.first_turn:
        _check_first_turn(win, rules)
    if ippatsu and win.riichi in _DOUBLE:
        _check_double_ippatsu(win, rules)
    if win.chankan:
        _check_chankan(win, rules)
    if win.rinshan:
        _check_rinshan(win, rules)
    if win.kan_discard:
        _check_kan_discard(win, rules)
    if win.last_tile and (ippatsu or win.riichi_tile):
        _check_late_riichi(win, rules)


def check_riichi(win: Win, rules: Ruleset) -> None:
    """Raise ``RulesError`` for a double or open riichi that the rules or a kan in the hand rule out."""
    if win.riichi in ("open", "double_open") and not rules.riichi.open:
        raise RulesError("open_riichi_off", path="riichi.open", rules=rules.id)
    if (
        win.riichi in _DOUBLE
        and win.hand.melds
        and (rules.riichi.double_broken_by_ankan and rules.riichi.ankan == "never")
    ):
        raise RulesError("no_kan_in_riichi", path="riichi.ankan", rules=rules.id)


def _check_first_turn(win: Win, rules: Ruleset) -> None:
    """Check a win in the first turn: there was no call or kan, and only earlier seats have discarded."""
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
    """Return whether the tile may come from a seat whose turn is before the winner's in each go-around."""
    winner = WIND_NAMES.index(win.seat)
    if win.source is None:
        return win.tsumo or winner > 0
    return seat_at(winner, win.source, rules.match.players) < winner


def _check_double_ippatsu(win: Win, rules: Ruleset) -> None:
    """Check double riichi with ippatsu: a kan or a north would have ended the first turn or the ippatsu."""
    riichi = rules.riichi
    if (win.hand.melds or len(win.dora) > 1) and (
        riichi.double_broken_by_ankan and riichi.ippatsu_broken_by_ankan
    ):
        raise RulesError("kan_ends_double_ippatsu", path="riichi.ippatsu_broken_by_ankan", rules=rules.id)
    if win.kita and rules.kita.breaks_first_turn and rules.kita.breaks_ippatsu:
        raise RulesError("kita_ends_double_ippatsu", path="kita.breaks_ippatsu", rules=rules.id)
    if win.discarder_riichi and not win.riichi_tile and not _from_earlier_seat(win, rules):
        raise RequestError("riichi_before_turn", field="discarder_riichi")


def _check_chankan(win: Win, rules: Ruleset) -> None:
    """Check a robbed kan: a kakan needs an earlier call, and only kokushi musou may rob an ankan."""
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
    """Return whether the win may be chankan on a north being set aside."""
    kita = rules.kita
    if not (kita.nukidora and kita.chankan) or kita.ron == "never":
        return False
    return kita.ron != "kokushi" or _waits_for_kokushi(win)


def _waits_for_kokushi(win: Win) -> bool:
    kinds = {tile % RED for tile in win.hand.tiles}
    yaochuu = all(kind >= HONOURS or kind % 9 in (0, 8) for kind in kinds)
    return not win.hand.melds and len(kinds) >= _MIN_KOKUSHI_KINDS and yaochuu


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
    if _kans(win) == MAX_KANS:
        raise RequestError("no_fifth_kan", field="kan_discard")
    if win.discarder_riichi and not win.riichi_tile and riichi.ankan == "never":
        raise RulesError("no_kan_in_riichi", path="riichi.ankan", rules=rules.id)
    if win.ippatsu and riichi.ippatsu_broken_by_ankan:
        raise RulesError("kan_ends_ippatsu", path="riichi.ippatsu_broken_by_ankan", rules=rules.id)


def _check_late_riichi(win: Win, rules: Ruleset) -> None:
    """Check ippatsu or a win on the riichi tile at the last tile: riichi requires draws left in the wall."""
    riichi, kita, seats = rules.riichi, rules.kita, rules.match.players
    if riichi.short_wall == "foul" and rules.fouls.mode == "penalise":
        return
    required = max(1, seats * riichi.draws_left)
    draws = seats if win.tsumo else seats - 1  # at most this many draws before ippatsu ends
    if not riichi.ippatsu_broken_by_ankan:
        draws += MAX_KANS - _kans(win)
    if kita.nukidora and not kita.breaks_ippatsu:
        draws += MAX_KANS
    if win.riichi_tile or required > draws:
        raise RulesError("riichi_too_late", path="riichi.draws_left", rules=rules.id)

"""Wins among three as riichienv's evaluator values them, beside ours.

Two differences are known: a hand that is both a true yakuman and a counted one gets either name, and of a
complete first hand of the dealer the evaluator takes kokushi alone for its double form (inventory d28).
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import score
from jantaku.errors import HandError
from jantaku.records.mjlog.wins import ROUND_WIND, SEAT_WIND, TENHOU_YAKU
from jantaku.rules import Ruleset
from jantaku.tiles import parse_tiles

LEFT_OUT: Final = ("pao", "dealer_streak", "final_hand", "furiten", "riichi_tile", "discarder_riichi")
RIICHI: Final = {"open": "riichi", "double_open": "double"}
WINDS: Final = ("east", "south", "west", "north")
MANGAN_HAN, YAKUMAN_HAN = 5, 13
Worth = tuple[int, int, dict[str, int], dict[str, int]]


def plain(request: Mapping[str, Any]) -> dict[str, Any]:
    """The request without what the evaluator does not know: open riichi, liability, furiten and the like."""
    found = {name: value for name, value in request.items() if name not in LEFT_OUT}
    found["riichi"] = RIICHI.get(found["riichi"], found["riichi"])
    return found


def ours(request: Mapping[str, Any], rules: Ruleset) -> Worth | None:
    """Han, fu, yaku by name and payments by wind; ``None`` if it is no win."""
    try:
        found = score(win_from_request(request), rules)
    except HandError:
        return None
    yaku = Counter(found.yaku)
    yaku["dora"] += yaku.pop("kita", 0)
    payments = {str(wind): paid for wind, paid in found.payments.items()}
    payments[request["seat"]] -= rules.riichi.deposit * request["deposits"]
    if found.limit == "yakuman":
        return 13 * found.yakuman, 0, {}, payments
    return found.han or 0, found.fu or 0, {name: han for name, han in yaku.items() if han}, payments


def theirs(peer: Any, request: Mapping[str, Any], players: int) -> Worth | None:
    """The same of the evaluator; its yaku have no han of their own, so each counts once."""
    numbers = _Numbers()
    hand = numbers.of(request["hand"])
    win = numbers.of(request["win"])[0]
    melds = [_meld(peer, meld, numbers) for meld in request["melds"]]
    dora, ura = numbers.of(request["dora"]), numbers.of(request["ura"])
    winds = (peer.Wind.East, peer.Wind.South, peer.Wind.West, peer.Wind.North)
    tsumo, seat = request["by"] == "tsumo", WINDS.index(request["seat"])
    conditions = peer.Conditions(
        tsumo=tsumo,
        riichi=request["riichi"] is not None,
        double_riichi=request["riichi"] == "double",
        ippatsu=request["ippatsu"],
        haitei=request["last_tile"] and tsumo,
        houtei=request["last_tile"] and not tsumo,
        rinshan=request["rinshan"],
        chankan=request["chankan"],
        tsumo_first_turn=request["first_turn"] and tsumo,
        player_wind=winds[seat],
        round_wind=winds[WINDS.index(request["round"])],
        honba=request["honba"],
        kita_count=request.get("kita", 0),
        is_sanma=True,
        num_players=players,
    )
    found = peer.HandEvaluator3P(hand, melds).calc(win, dora, conditions, ura)
    if not found.is_win:
        return None
    payments = dict.fromkeys(WINDS[:players], 0)
    for other in range(players):
        if other != seat and tsumo:
            payments[WINDS[other]] = -(found.tsumo_agari_ko if other else found.tsumo_agari_oya)
    if not tsumo:
        turns = {"right": 1, "across": 2}[request["from"]]
        payments[WINDS[(seat + turns) % players]] = -found.ron_agari
    payments[request["seat"]] = -sum(payments.values())
    if found.yakuman:
        return found.han, 0, {}, payments
    return found.han, found.fu, {_name(one.tenhou_id): 1 for one in found.yaku_list()}, payments


def _name(number: int) -> str:
    if SEAT_WIND <= number < ROUND_WIND:
        return "seat_wind"
    return TENHOU_YAKU[number]


class _Numbers:
    """Tenhou's numbers of tiles: each copy once, the red five the first."""

    def __init__(self) -> None:
        self.used: Counter[int] = Counter()

    def of(self, text: str) -> list[int]:
        return [self._next(tile) for tile in parse_tiles(text)]

    def _next(self, tile: int) -> int:
        kind = tile % 34
        if tile >= 34:
            return 4 * kind
        first = 1 if kind in (4, 13, 22) else 0
        self.used[kind] += 1
        return 4 * kind + (first + self.used[kind] - 1) % 4


def _meld(peer: Any, meld: Mapping[str, Any], numbers: _Numbers) -> Any:
    kinds = peer.MeldType
    kind = {
        "pon": kinds.Pon, "ankan": kinds.Ankan, "daiminkan": kinds.Daiminkan, "kakan": kinds.Kakan,
    }[meld["type"]]  # fmt: skip
    return peer.Meld(kind, sorted(numbers.of(meld["tiles"])), meld["type"] != "ankan", 1)


def same(one: Worth | None, other: Worth | None) -> bool:
    """Whether han, fu, the names of the yaku and the payments agree."""
    if one is None or other is None:
        return one is other
    limit = max(one[0], other[0]) >= MANGAN_HAN  # fu do not matter from there on
    names = [set(worth[2]) for worth in (one, other)]
    return (
        one[0] == other[0] and (limit or one[1] == other[1]) and names[0] == names[1] and one[3] == other[3]
    )


def why(request: Mapping[str, Any], one: Worth | None, other: Worth | None) -> str | None:
    """The name of a known difference."""
    if one is None or other is None:
        return None
    if one[3] == other[3] and min(one[0], other[0]) >= YAKUMAN_HAN:
        return "true and counted yakuman"
    if request["first_turn"] and request["seat"] == "east" and one[0] == other[0] + YAKUMAN_HAN:
        return "last tile of a tenhou"
    return None

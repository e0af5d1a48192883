"""The result of a hand in the format of tenhou.net/6: deltas, seats, points and yaku in Japanese.

Norths set aside count among the dora, since Tenhou has no separate name for them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jantaku import terms
from jantaku.game.events import HandDrawn, Won
from jantaku.hand import WIND_NAMES, Wind
from jantaku.records.places import at_places
from jantaku.records.yaku_names import AMONG_DORA
from jantaku.rules import catalogue
from jantaku.seats import dealer_of, others, round_wind, seat_wind

WON: Final = "和了"
EXHAUSTED: Final = "流局"
ALL_TENPAI, NONE_TENPAI, NAGASHI = "全員聴牌", "全員不聴", "流し満貫"
DRAWS: Final = {
    "exhausted": EXHAUSTED,
    "kyuushu_kyuuhai": "九種九牌",
    "suufuu_renda": "四風連打",
    "suucha_riichi": "四家立直",
    "suukansanra": "四槓散了",
    "sanchahou": "三家和了",
    "voided": "錯和",
}
KINDS: Final = (
    {name: kind for kind, name in DRAWS.items()}
    | dict.fromkeys((ALL_TENPAI, NONE_TENPAI, NAGASHI), "exhausted")
    | {"四開槓": "suukansanra", "三家和": "sanchahou"}  # as written by converters of Mahjong Soul logs
)
LIMIT_NAMES: Final = {
    "mangan": "満貫",
    "haneman": "跳満",
    "baiman": "倍満",
    "sanbaiman": "三倍満",
    "kazoe_yakuman": "役満",
}
_WINDS: Final[dict[Wind, str]] = dict(zip(WIND_NAMES, "東南西北", strict=True))
_BONUS: Final = {"dora": "ドラ", "red_dora": "赤ドラ", "ura_dora": "裏ドラ"}  # in Tenhou's order
_SPELLINGS: Final = {  # Tenhou's spellings that differ from Jantaku's Japanese terms
    "tanyao": "断幺九",
    "chanta": "混全帯幺九",
    "junchan": "純全帯幺九",
    "haitei": "海底摸月",
    "houtei": "河底撈魚",
    "double_riichi": "両立直",
}
_YAKUMAN_HAN: Final = 13


def yaku_text(name: str, han: int, win: Won, wind: Wind, of_round: Wind) -> str:
    """Return a yaku in Tenhou's form: ``立直(1飜)``, ``自風 東(1飜)``, ``国士無双(役満)``."""
    if name in ("seat_wind", "round_wind"):
        text = f"自風 {_WINDS[wind]}" if name == "seat_wind" else f"場風 {_WINDS[of_round]}"
    else:
        known = catalogue().get(name)
        text = terms.text(f"yaku.{name}.name", "ja") if known else _BONUS.get(name, name)
        text = _SPELLINGS.get(name, text)
    multiple = han // _YAKUMAN_HAN
    yakuman = f"{multiple}倍役満" if multiple > 1 else "役満"
    return f"{text}({yakuman if win.score.yakuman else f'{han}飜'})"


def listed_yaku(win: Won) -> dict[str, int]:
    """Return the yaku of a win with their han in Tenhou's order: dora last, including norths and kan han."""
    yaku = dict(win.score.yaku)
    bonus = {name: yaku.pop(name, 0) for name in _BONUS}
    for name, among in AMONG_DORA.items():
        bonus[among] += yaku.pop(name, 0)
    return yaku | {name: han for name, han in bonus.items() if han}


def win_row(win: Won, number: int, seats: int) -> list[Any]:
    """Return ``[seat, from, liable, points, yaku…]`` for a win in the hand ``number``."""
    dealer = dealer_of(number, seats)
    wind, of_round = seat_wind(win.seat, dealer, seats), round_wind(number, seats)
    source = win.seat if win.source is None else win.source
    pays = _pays(win, dealer, seats)
    rows = [yaku_text(name, han, win, wind, of_round) for name, han in listed_yaku(win).items()]
    liable = liable_seat(win, dealer, seats)
    return [win.seat, source, liable, _value(win) + _points(win, pays, dealer), *rows]


def _pays(win: Won, dealer: int, seats: int) -> dict[int, int]:
    """Return the payment of each other seat."""
    paid = win.payments_by_seat(dealer, seats)
    return {seat: -paid[seat] for seat in others(win.seat, seats)}


def liable_seat(win: Won, dealer: int, seats: int) -> int:
    """Return the seat liable under pao, which pays together with the discarder, or alone for a tsumo.

    Without a liable seat, return the winner's own.
    """
    pays = _pays(win, dealer, seats)
    payers = [seat for seat, points in pays.items() if points > 0 and seat != win.source]
    return payers[0] if len(payers) == 1 else win.seat


def _value(win: Won) -> str:
    score = win.score
    if score.yakuman:
        return "役満" if score.yakuman == 1 else f"{score.yakuman}倍役満"
    return LIMIT_NAMES.get(score.limit or "") or f"{score.fu}符{score.han}飜"


def _points(win: Won, pays: Mapping[int, int], dealer: int) -> str:
    """Return the points without honba: ``2600点``, ``700-1300点``, ``1300点∀``."""
    points = int(win.score.points)
    if win.source is not None or min(pays.values()) <= 0:
        return f"{points}点"
    if win.seat == dealer:
        return f"{points // len(pays)}点∀"
    more = pays[dealer] - min(points for seat, points in pays.items() if seat != dealer)
    share = (points - more) // len(pays)
    return f"{share}-{share + more}点"


def draw_row(drawn: HandDrawn, deltas: Sequence[int]) -> list[Any]:
    """Return ``["流局", deltas]``, or the name of an abortive draw."""
    if drawn.nagashi:
        return [NAGASHI, at_places(deltas, 0)]
    if drawn.kind != "exhausted":
        return [DRAWS[drawn.kind], *([at_places(deltas, 0)] if any(deltas) else [])]
    name = {0: NONE_TENPAI, len(deltas): ALL_TENPAI}.get(len(drawn.tenpai), EXHAUSTED)
    return [name, at_places(deltas, 0)]

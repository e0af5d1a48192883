"""How a hand ended, in the words of tenhou.net/6: deltas, seats, points and yaku in Japanese."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jantaku import terms
from jantaku.game.events import HandDrawn, Won
from jantaku.hand import WIND_NAMES, Wind
from jantaku.rules import catalogue

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
}
KINDS: Final = {name: kind for kind, name in DRAWS.items()} | dict.fromkeys(
    (ALL_TENPAI, NONE_TENPAI, NAGASHI), "exhausted"
)
_LIMITS: Final = {
    "mangan": "満貫",
    "haneman": "跳満",
    "baiman": "倍満",
    "sanbaiman": "三倍満",
    "kazoe_yakuman": "役満",
}
_WINDS: Final[dict[Wind, str]] = dict(zip(WIND_NAMES, "東南西北", strict=True))
_BONUS: Final = {"dora": "ドラ", "ura_dora": "裏ドラ", "red_dora": "赤ドラ"}
_SPELT: Final = {  # where Tenhou writes a yaku otherwise than our own Japanese terms
    "tanyao": "断幺九",
    "chanta": "混全帯幺九",
    "junchan": "純全帯幺九",
    "haitei": "海底摸月",
    "houtei": "河底撈魚",
    "double_riichi": "両立直",
}
# Forms that our score counts under the id of their yakuman
_FORMS: Final = {
    "四暗刻単騎": "四暗刻",
    "国士無双１３面": "国士無双",
    "純正九蓮宝燈": "九蓮宝燈",
}
_YAKUMAN_HAN: Final = 13


def yaku_text(name: str, han: int, win: Won, wind: Wind, round_wind: Wind) -> str:
    """``立直(1飜)``, ``自風 東(1飜)``, ``国士無双(役満)``."""
    if name in ("seat_wind", "round_wind"):
        said = f"自風 {_WINDS[wind]}" if name == "seat_wind" else f"場風 {_WINDS[round_wind]}"
    else:
        known = catalogue().get(name)
        said = terms.text(f"yaku.{name}.name", "ja") if known else _BONUS.get(name, name)
        said = _SPELT.get(name, said)
    many = han // _YAKUMAN_HAN
    worth = f"{many}倍役満" if many > 1 else "役満"
    return f"{said}({worth if win.score['yakuman'] else f'{han}飜'})"


def win_row(win: Won, number: int) -> list[Any]:
    """``[seat, from, liable, points, yaku…]`` of a win in the hand ``number``."""
    dealer = number % 4
    wind, round_wind = WIND_NAMES[(win.seat - dealer) % 4], WIND_NAMES[number // 4 % 4]
    source = win.seat if win.source is None else win.source
    pays = {
        seat: -win.score["payments"].get(WIND_NAMES[(seat - dealer) % 4], 0)
        for seat in range(4)
        if seat != win.seat
    }
    rows = [yaku_text(name, han, win, wind, round_wind) for name, han in win.score["yaku"].items()]
    return [win.seat, source, _liable(win, pays), _value(win) + _points(win, pays, dealer), *rows]


def _liable(win: Won, pays: Mapping[int, int]) -> int:
    """Who pays besides the discarder, or alone for a tsumo: the seat that pao makes pay."""
    payers = [seat for seat, points in pays.items() if points > 0 and seat != win.source]
    return payers[0] if len(payers) == 1 else win.seat


def _value(win: Won) -> str:
    score = win.score
    if score["yakuman"]:
        return "役満" if score["yakuman"] == 1 else f"{score['yakuman']}倍役満"
    return _LIMITS.get(score["limit"] or "") or f"{score['fu']}符{score['han']}飜"


def _points(win: Won, pays: Mapping[int, int], dealer: int) -> str:
    """The points without honba: ``2600点``, ``700-1300点``, ``1300点∀``."""
    points = int(win.score["points"])
    if win.source is not None or min(pays.values()) <= 0:
        return f"{points}点"
    if win.seat == dealer:
        return f"{points // 3}点∀"
    more = pays[dealer] - min(points for seat, points in pays.items() if seat != dealer)
    return f"{(points - more) // 3}-{(points - more) // 3 + more}点"


def draw_row(drawn: HandDrawn, deltas: Sequence[int]) -> list[Any]:
    """``["流局", deltas]``, or the name of an abortive draw."""
    if drawn.nagashi:
        return [NAGASHI, list(deltas)]
    if drawn.kind != "exhausted":
        return [DRAWS.get(drawn.kind, drawn.kind), *([list(deltas)] if any(deltas) else [])]
    name = {0: NONE_TENPAI, 4: ALL_TENPAI}.get(len(drawn.tenpai), EXHAUSTED)
    return [name, list(deltas)]


def meaning(result: Sequence[Any]) -> list[Any]:
    """What two ways of writing the same end have in common."""
    if not result or result[0] != WON:
        known = KINDS.get(str(result[0]), result[0]) if result else ""
        deltas = list(result[1]) if result[1:] else [0] * 4
        return [known, deltas]
    found: list[Any] = [WON]
    for deltas, row in zip(result[1::2], result[2::2], strict=True):
        found += [list(deltas), [int(row[0]), int(row[1]), int(row[2])]]
        if row[3:]:
            found.append(_numbers(str(row[3])))
            found.append(sorted(_yaku(str(text)) for text in row[4:]))
    return found


def _numbers(text: str) -> list[str]:
    """The fu, han and points of ``30符2飜2000点``; a limit has its points alone."""
    return re.findall(r"\d+(?=符|飜|点|-)", text)


def _yaku(text: str) -> str:
    name, bracket, worth = text.partition("(")
    return _FORMS.get(name, name) + bracket + worth

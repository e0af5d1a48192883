"""Write a game as a Majiang record (電脳麻将) from Majiang's type definitions, independent of our reader."""

from collections.abc import Sequence
from typing import Any

from jantaku.game import Game
from jantaku.game import events as e
from jantaku.game.walk import HandEnd, TableWalk, added_tile, walk
from jantaku.hand import MeldType
from jantaku.records.script import logged_events
from jantaku.tiles import RED

_MARKS = {"left": "-", "across": "=", "right": "+"}
_NAMES = {
    "exhausted": "荒牌平局",
    "kyuushu_kyuuhai": "九種九牌",
    "suufuu_renda": "四風連打",
    "suucha_riichi": "四家立直",
    "suukansanra": "四開槓",
    "sanchahou": "三家和",
}


def majiang_of(game: Game, names: Sequence[str], first: int = 0) -> dict[str, Any]:
    """Return the record of a game whose first dealer is the player ``first``."""
    hands: list[list[dict[str, Any]]] = []
    table = TableWalk()
    dealer = 0
    ended: e.GameEnded | None = None
    riichi: set[int] = set()
    kan = False
    for event in walk(logged_events(game), table):
        place = (getattr(event, "seat", 0) - dealer) % 4
        match event:
            case e.HandStarted():
                dealer, riichi, kan = event.dealer, set(), False
                start = {
                    "zhuangfeng": event.number // 4,
                    "jushu": event.number % 4,
                    "changbang": event.honba,
                    "lizhibang": event.deposits,
                    "defen": _from_dealer(event.scores, dealer),
                    "baopai": tile(event.indicator),
                    "shoupai": [held(hand or ()) for hand in _from_dealer(event.hands, dealer)],
                }
                hands.append([{"qipai": start}])
            case e.Drew():
                hands[-1].append({"gangzimo" if kan else "zimo": {"l": place, "p": tile(event.tile or 0)}})
                kan = False
            case e.Discarded():
                said = tile(event.tile) + "_" * event.drawn + "*" * bool(event.riichi)
                hands[-1].append({"dapai": {"l": place, "p": said}})
                riichi |= {event.seat} if event.riichi else set()
            case e.Called():
                kan = event.meld.type is MeldType.DAIMINKAN
                hands[-1].append({"fulou": {"l": place, "m": _called(event.meld)}})
            case e.KanDeclared():
                kan = True
                meld = event.meld
                said = _called(meld, added_tile(event)) if meld.type is MeldType.KAKAN else _ankan(meld)
                hands[-1].append({"gang": {"l": place, "m": said}})
            case e.DoraTurned():
                hands[-1].append({"kaigang": {"baopai": tile(event.indicator)}})
            case HandEnd():
                hands[-1] += _end(event, dealer, riichi)
            case e.GameEnded():
                ended = event
            case _:
                pass
    turned = [(seat - first) % 4 for seat in range(4)]
    scores = ended and [game.scores[seat] for seat in turned]
    return {
        "title": "電脳麻将\n2026/1/1",
        "player": [f"{names[seat]}\n(四段 R1600)" for seat in turned],
        "qijia": first,
        "log": hands,
        "defen": scores or [25000] * 4,
        "rank": [1, 2, 3, 4],
        "point": [f"{ended.final[seat] / 1000:.1f}" for seat in turned] if ended else [0, 0, 0, 0],
    }


def _end(end: HandEnd, dealer: int, riichi: set[int]) -> list[dict[str, Any]]:
    if end.draw is not None:
        name = "流し満貫" if end.draw.nagashi else _NAMES[end.draw.kind]
        return [{"pingju": {"name": name, "shoupai": [""] * 4, "fenpei": _from_dealer(end.deltas, dealer)}}]
    steps = []
    for win, deltas in zip(end.wins, end.shares(dealer), strict=True):
        source = None if win.source is None else (win.source - dealer) % 4
        ura = [tile(indicator) for indicator in win.ura] if win.seat in riichi else None
        won = {
            "l": (win.seat - dealer) % 4,
            "baojia": source,
            "fubaopai": ura,
            "fenpei": _from_dealer(deltas, dealer),
        }
        steps.append({"hule": won})
    return steps


def _from_dealer(values: Sequence[Any], dealer: int) -> list[Any]:
    return [values[(dealer + place) % 4] for place in range(4)]


def tile(number: int) -> str:
    kind = number % RED
    return f"{'mpsz'[kind // 9]}{0 if number >= RED else kind % 9 + 1}"


def held(tiles: Sequence[int]) -> str:
    """Return sorted tiles in Majiang's notation, red fives first: ``m055z77``."""
    text = suit = ""
    for name in sorted(map(tile, tiles), key=lambda name: ("mpsz".index(name[0]), float(name[1]) or 4.5)):
        text += name if name[0] != suit else name[1]
        suit = name[0]
    return text


def _called(meld: Any, added: int | None = None) -> str:
    tiles = sorted(meld.tiles, key=lambda one: (one % RED, one < RED))
    if added is not None:
        tiles.remove(added)
    mark, called = _MARKS[meld.source], meld.called
    if meld.type is MeldType.CHI:
        return tile(tiles[0])[0] + "".join(tile(one)[1] + (mark if one == called else "") for one in tiles)
    own = sorted(tiles)  # red fives last
    own.remove(called)
    end = "" if added is None else tile(added)[1]
    return tile(called)[0] + "".join(tile(one)[1] for one in own) + tile(called)[1] + mark + end


def _ankan(meld: Any) -> str:
    tiles = sorted(meld.tiles)  # red fives last
    return tile(tiles[0])[0] + "".join(tile(one)[1] for one in tiles)

"""Building blocks of the scenarios of options: hands, plays and rules.

A ``Scenario`` is dealt and played under each value in turn. ``values`` are the values to try if the type of
the option does not list them; ``company`` has the further changes that a value requires.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Changes = Mapping[str, Any]

KANCHAN_3S = "123m456p789s99p24s"  # waits for 3s alone, no yaku
TANYAO_3S = "234m567m22p24s678s"  # the same wait, with tanyao
RYANMEN = "23p567s222m33m777z"  # waits for 1p and 4p; the Red dragon is its yaku
FAR = "147m258p369s1234z"
NOTEN = "147m258p369s1122z"
ONE = {"S": "234m567m22p24s678s"}  # tanyao on 3s
TWO = {**ONE, "W": "345p678p33m24s567m"}
THREE = {**TWO, "N": "456p456m77p24s888m"}
TENPAI = {
    "E": "123456789m1122z", "S": "123456789p3344z", "W": "123456789s5566z", "N": "111999m111p99p77z",
}  # fmt: skip
NINE_KINDS = "19m19p19s123z3456m"
KANS = {"E": "111122223333m5z", "S": "1111p"}
PLAIN: Changes = {"indicators": "6z6z", "ura": "6z6z"}
PENALISE: Changes = {"fouls.mode": "penalise", "draw.nagashi_mangan": "off"}
PAO_TWO: Changes = {"yaku.suurenkou.closed": "yakuman", "yaku.suurenkou.open": "yakuman"}
PAARENCHAN: Changes = {"yaku.paarenchan.closed": "yakuman", "yaku.paarenchan.open": "yakuman"}


@dataclass(frozen=True)
class Scenario:
    """A deal, the commands to play, and changes of rules other than the tested option."""

    hands: Mapping[str, str] = field(default_factory=dict)
    draws: str = ""
    plays: tuple[str, ...] = ()
    rules: Changes = field(default_factory=dict)
    setting: Changes = field(default_factory=dict)
    values: tuple[Any, ...] = ()
    company: Mapping[Any, Changes] = field(default_factory=dict)


def hand(hands: Mapping[str, str], draws: str, *plays: str, **more: Any) -> Scenario:
    """Return a scenario without dora; ``more`` has rules, values, company, or settings of the table."""
    own = {name: more.pop(name) for name in ("rules", "values", "company") if name in more}
    return Scenario(hands, draws, plays, setting={**PLAIN, **more}, **own)


WON = ({"E": TANYAO_3S}, "7z 3s", "-", "S discard 3s", "E ron")  # the dealer wins by ron from South
LOST = (ONE, "3s", "E discard 3s", "S ron")  # South wins by ron from the dealer
DRAWN = ({"S": KANCHAN_3S}, "7z", "end")
DECLARED = ({"E": KANCHAN_3S}, "7z 3s", "E riichi 7z", "S discard 3s", "E ron")
ENDED = {"scores": (24500, 30500, 22400, 22600), "number": 7}
DAISANGEN = ("E discard 5z", "S pon", "S discard 1m", "W discard 6z", "S pon", "S discard 9m",
             "W discard 7z", "S pon", "S discard 1s")  # fmt: skip
DAISANGEN_HANDS = {"S": "556677z99s45p1m9m1s"}
EIGHT_PIN: Changes = {"indicators": "8p8p", "ura": "8p8p"}
DAISANGEN_RON = (DAISANGEN_HANDS, "5z 6z 7z 8m 8m 6p", *DAISANGEN, "-", "-", "E discard 6p", "S ron")
ANY: Changes = {"indicators": "", "ura": ""}
SUUKANTSU = (
    {"S": "111222333444m5p"}, "1m 2m 3m 4m 9p 9p 5p", "E discard 1m", "S kan", "S discard", "W discard 2m",
    "S kan", "S discard", "W discard 3m", "S kan", "S discard", "W discard 4m", "S kan", "S discard",
    "-", "-", "E discard 5p", "S ron",
)  # fmt: skip
SUURENKOU = (
    {"S": "33445566s19p23z7p"}, "3s 4s 5s 6s 9m 9m 7p", "E discard 3s", "S pon", "S discard 1p",
    "W discard 4s", "S pon", "S discard 9p", "W discard 5s", "S pon", "S discard 2z",
    "W discard 6s", "S pon", "S discard 3z", "-", "-", "E discard 7p", "S ron",
)  # fmt: skip
# East declares riichi on a wait for 3s, all four of which are visible
EXHAUSTED = ({"E": KANCHAN_3S}, "7z 3s 3s 3s 7z", "-", "-", "-", "-", "E riichi 7z")
LAST_3S: Changes = {"indicators": "3s6z6z6z6z", "ura": ""}
# West is liable for daisangen, East for suukantsu, which is worth two
TWO_LIABLE = (
    "E discard 8m", "-", "W discard 5z", "S kan", "S discard", "W discard 6z", "S kan", "S discard",
    "W discard 7z", "S kan", "S discard", "-", "-", "E discard 9s", "S kan", "S discard", "-",
)  # fmt: skip
TWO_LIABLE_HANDS = {"S": "555666777z999s1p"}
TWO_LIABLE_RULES: Changes = {
    "pao.yakuman": ("daisangen", "suukantsu"), "yaku.suukantsu.open": "double_yakuman",
}  # fmt: skip
KAN_TILES: Changes = {"rinshan": "8s7s6s4s", "indicators": "4p4p", "ura": "4p4p"}
FOUR_KANS = ("E ankan 1m", "E ankan 2m", "E ankan 3m", "E discard", "S ankan 1p")
FALSE = ({"E": KANCHAN_3S, "W": FAR}, "9s")
COSTS = ("none", "chombo", "dead_hand", "deposit_1000", "noten_at_draw", "expulsion")


def sticks(points: int) -> Changes:
    """Return changes of sticks and return points for other starting points."""
    return {"match.sticks": {"1000": points // 1000}, "match.return_points": max(points, 30000)}


def foul(*plays: str, hands: Mapping[str, str] | None = None, draws: str = "9s", **more: Any) -> Scenario:
    """Return a scenario of a penalised foul, played to the end of the hand."""
    rules = {**PENALISE, **more.pop("rules", {})}
    return hand(hands or FALSE[0], draws, *plays, "end", rules=rules, values=COSTS, **more)

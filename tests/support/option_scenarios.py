"""For every option a hand that comes out differently by its value; ``test_option_scenarios.py`` plays them.

A ``Scenario`` is dealt and played under each value in turn. ``values`` are the values to try where the option
does not name them itself; a value that needs company brings it along as further changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from jantaku.rules.options import SECTIONS
from kernels.engine.test_scenarios_draws import SOUTH, yaochuu_at

Changes = Mapping[str, Any]

KANCHAN_3S = "123m456p789s99p24s"  # waits for 3s alone, no yaku
TANYAO_3S = "234m567m22p24s678s"  # the same with tanyao
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
    """A deal, what is done in it, and the rules it is played under besides the option."""

    hands: Mapping[str, str] = field(default_factory=dict)
    draws: str = ""
    plays: tuple[str, ...] = ()
    rules: Changes = field(default_factory=dict)
    setting: Changes = field(default_factory=dict)
    values: tuple[Any, ...] = ()
    company: Mapping[Any, Changes] = field(default_factory=dict)


def hand(hands: Mapping[str, str], draws: str, *plays: str, **more: Any) -> Scenario:
    """A scenario without dora; ``more``: rules, values, further changes, or the setting of the table."""
    own = {name: more.pop(name) for name in ("rules", "values", "company") if name in more}
    return Scenario(hands, draws, plays, setting={**PLAIN, **more}, **own)


WON = ({"E": TANYAO_3S}, "7z 3s", "-", "S discard 3s", "E ron")  # the dealer, by ron of South
LOST = (ONE, "3s", "E discard 3s", "S ron")  # South, by ron of the dealer
DRAWN = ({"S": KANCHAN_3S}, "7z", "end")
DECLARED = ({"E": KANCHAN_3S}, "7z 3s", "E riichi 7z", "S discard 3s", "E ron")
ENDED = {"scores": (24500, 30500, 22400, 22600), "number": 7}
DAISANGEN = ("E discard 5z", "S pon", "S discard 1m", "W discard 6z", "S pon", "S discard 9m",
             "W discard 7z", "S pon", "S discard 1s")  # fmt: skip
DAISANGEN_HANDS = {"S": "556677z99s45p1m9m1s"}
EIGHT_PIN: Changes = {"indicators": "8p8p", "ura": "8p8p"}
DAISANGEN_RON = (DAISANGEN_HANDS, "5z 6z 7z 8m 8m 6p", *DAISANGEN, "-", "-", "E discard 6p", "S ron")
DAISANGEN_TSUMO = (DAISANGEN_HANDS, "5z 6z 7z 8m 8m 8m 6p", *DAISANGEN, "-", "-", "-", "S tsumo")
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
# East declares on 3s, of which all four lie open
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
MANY = {"10000": 1, "5000": 2, "1000": 4, "100": 10}


def sticks(points: int) -> Changes:
    """Sticks that add up to other starting points."""
    return {"match.sticks": {"1000": points // 1000}, "match.return_points": max(points, 30000)}


def foul(*plays: str, hands: Mapping[str, str] | None = None, draws: str = "9s", **more: Any) -> Scenario:
    """A foul in a game that penalises them, played on to the end of the hand."""
    rules = {**PENALISE, **more.pop("rules", {})}
    return hand(hands or FALSE[0], draws, *plays, "end", rules=rules, values=COSTS, **more)


SCENARIOS: dict[str, list[Scenario]] = {
    "match.length": [hand(*LOST, number=3), hand(*LOST, number=7)],
    "match.start_points": [
        hand(*LOST, values=(20000, 25000, 40000), company={p: sticks(p) for p in (20000, 25000, 40000)})
    ],
    "match.return_points": [hand(*LOST, number=7, values=(25000, 30000, 35000))],
    "match.oka": [hand(*LOST, number=7, values=("derived", "none", 8000))],
    "match.uma": [
        hand(*LOST, number=7, values=((20000, 10000, -10000, -20000), (30000, 10000, -10000, -30000)))
    ],
    "match.floating_uma": [
        hand(*LOST, number=7, values=((), ((1000, 0, 0, -1000), (2000, 0, 0, -2000), (3000, 0, 0, -3000))))
    ],
    "match.tie": [hand({}, "", "end", number=7, rules={"draw.noten_payment": 0, "deal.renchan": "none"})],
    "match.final_rounding": [hand({}, "", "end", rules={"draw.noten_payment": 0}, **ENDED)],
    "tiles.red": [hand({}, "", "end", values=({"5m": 1, "5p": 1, "5s": 1}, {}, {"3m": 1, "3p": 1, "3s": 1}))],
    "dora.kan_dora": [
        hand({"E": "111m456p789s99p24s"}, "1m", "E ankan 1m", rules={"dora.kan_ura": False}, rinshan="3s")
    ],
    "dora.ura": [hand(*DECLARED[:2], *DECLARED[2:], rules={"dora.kan_ura": False}, ura="8p2z")],
    "dora.kan_ura": [
        hand(
            {"E": "222z123m456p99p24s"},
            "2z 3s",
            "E ankan 2z",
            "E riichi 7z",
            "S discard 3s",
            "E ron",
            rinshan="7z",
            ura="3z8p",
        ),
    ],
    "dora.ankan_reveal": [hand({"E": "111m456p789s99p24s"}, "1m", "E ankan 1m", "E discard", rinshan="7z")],
    "dora.minkan_reveal": [
        hand({"W": "111m", "N": "77z"}, "1m", "E discard 1m", "W kan", "W discard", "N pass", rinshan="7z"),
    ],
    "dora.delayed_dora_counts_for_ron": [
        hand(
            {"E": "222z", "S": TANYAO_3S},
            "2z",
            "E ankan 2z",
            "E discard 3s",
            "S ron",
            rules={"dora.ankan_reveal": "after_discard"},
            rinshan="3s",
            indicators="6z1p",
        ),
    ],
    "calls.kuitan": [
        hand(
            {"S": "23m567m22p24s678s9p"},
            "4m 3s",
            "E discard 4m",
            "S chi 23m",
            "S discard 9p",
            "W discard 3s",
            "S ron",
        ),
    ],
    "calls.kuikae": [
        hand({"S": "678p"}, "9p", "E discard 9p", "S chi 78p", "S discard 6p"),
        hand({"S": "678p"}, "6p", "E discard 6p", "S chi 78p", "S discard 6p"),
    ],
    "calls.sakizuke": [
        hand(
            {"S": "23m456p789s99p55z1s"},
            "1m 5z",
            "E discard 1m",
            "S chi 23m",
            "S discard 1s",
            "W discard 5z",
            "S ron",
        ),
    ],
    "calls.kan_limit_one_player": [
        hand(
            {"E": "111122223333m4m", "S": "1111p"},
            "5z",
            "E ankan 1m",
            "E ankan 2m",
            "E ankan 3m",
            "E ankan 5z",
            "E discard",
            "S ankan 1p",
            rinshan="5z5z5z6z",
            indicators="4p4p",
            ura="4p4p",
        ),
    ],
    "riichi.deposit": [hand(*DECLARED, values=(0, 500, 1000))],
    "riichi.needs_points": [hand(*DECLARED, scores=(900, 33000, 33000, 33100))],
    "riichi.draws_left": [
        hand({"E": KANCHAN_3S}, "", "until 1", values=(0, 1, 2)),
        hand({"E": KANCHAN_3S}, "", "until 5", values=(0, 1, 2)),
    ],
    "riichi.short_wall": [hand({"E": KANCHAN_3S}, "", "until 1", "late", rules=PENALISE)],
    "riichi.ankan": [
        hand({"E": "22456s222p123m67m"}, "7z 9s 9p 9s 2p", "E riichi 7z", "-", "-", "-", "E ankan 2p"),
        hand({"E": "11122333s111z33z"}, "7z 9s 9p 9s 3s", "E riichi 7z", "-", "-", "-", "E ankan 3s"),
    ],
    "riichi.exhausted_wait": [hand(*EXHAUSTED, rules=PENALISE, **LAST_3S)],
    "riichi.furiten_allowed": [
        hand({"E": "123m456p789s11z23s"}, "4s 9m 9m 8p 7z", "E discard 4s", "-", "-", "-", "E riichi 7z")
    ],
    "riichi.double": [hand(*DECLARED)],
    "riichi.double_broken_by_ankan": [
        hand(
            {"E": "222z", "S": KANCHAN_3S},
            "2z 7z 3s",
            "E ankan 2z",
            "E discard 9m",
            "S riichi 7z",
            "W discard 3s",
            "S ron",
            rinshan="9m",
        ),
    ],
    "riichi.ippatsu": [hand(*DECLARED)],
    "riichi.ippatsu_broken_by_ankan": [
        hand(
            {"E": KANCHAN_3S, "S": "222z"},
            "7z 2z",
            "E riichi 7z",
            "S ankan 2z",
            "S discard 3s",
            "E ron",
            rinshan="3s",
        ),
    ],
    "riichi.open": [hand({"E": KANCHAN_3S}, "7z 3s", "E open_riichi 7z", "S discard 3s", "E ron")],
    "riichi.open_han": [
        hand(
            {"E": KANCHAN_3S},
            "7z 3s",
            "E open_riichi 7z",
            "S discard 3s",
            "E ron",
            rules={"riichi.open": True, "riichi.double": False, "riichi.ippatsu": False},
            values=(1, 2, 3),
        ),
    ],
    "riichi.open_deal_in": [
        hand(
            {"E": KANCHAN_3S},
            "7z 3s",
            "E open_riichi 7z",
            "S discard 3s",
            "E ron",
            rules={"riichi.open": True},
        ),
    ],
    "riichi.sticks_to": [
        hand(*LOST, deposits=2),
        hand(
            {"S": TANYAO_3S, "W": "345p678p33m24s567m"},
            "7z 7z 5z 9m 3s",
            "-",
            "-",
            "W riichi 5z",
            "-",
            "E discard 3s",
            "S ron",
            deposits=2,
        ),
    ],
    "riichi.stick_when_declaration_is_ronned": [
        hand({"E": KANCHAN_3S.replace("24s", "57s"), "N": TANYAO_3S}, "3s", "E riichi 3s", "N ron")
    ],
    "furiten.temporary_until": [
        hand(
            {"S": RYANMEN},
            "9m 9m 1p 3m 4p",
            "-",
            "-",
            "W discard 1p",
            "S pass",
            "N discard 3m",
            "S pon",
            "S discard 2m",
            "W discard 4p",
            "S ron",
        ),
    ],
    "furiten.riichi_permanent": [
        hand(
            {"S": RYANMEN},
            "9m 9s 1p 9s 9s 9m 4p",
            "-",
            "S riichi 9s",
            "W discard 1p",
            "S pass",
            "-",
            "-",
            "S discard 9m",
            "W discard 4p",
            "S ron",
        ),
    ],
    "win.multiple_ron": [
        hand(
            hands,
            "3s",
            "E discard 3s",
            *(f"{wind} ron" for wind in reversed(hands)),
            company={
                value: {"draw.sanchahou": value.endswith("triple_draw")}
                for value in (
                    "head_bump",
                    "all",
                    "double_triple_draw",
                    "nearest_two",
                    "head_bump_triple_draw",
                )
            },
        )
        for hands in (TWO, THREE)
    ],
    "win.deposits_to": [hand(TWO, "3s", "E discard 3s", "W ron", "S ron", deposits=2)],
    "win.honba_to": [hand(TWO, "3s", "E discard 3s", "W ron", "S ron", honba=1)],
    "win.two_han_from_honba": [hand(*LOST, honba=1, values=(0, 1)), hand(*LOST, honba=5, values=(0, 5))],
    "win.kokushi_on_ankan": [
        hand({"S": "19m119p19s123456z", "E": "777z"}, "7z", "E ankan 7z", "S ron", indicators="5m5m"),
    ],
    "win.suukantsu_by_kan": [
        hand(
            {"S": "111m222p333s444z9p"},
            "7z 1m 7z",
            "-",
            "S ankan 1m",
            "S ankan 2p",
            "S ankan 3s",
            "S ankan 4z",
            "S tsumo",
            rinshan="2p3s4z5m",
        ),
    ],
    "score.one_han_20_fu": [
        hand(
            {"S": "234m567m34p567s99s"},
            "9m 5z 5z 5z 9m 2p",
            "-",
            "-",
            "-",
            "-",
            "-",
            "S tsumo",
            rules={"yaku.pinfu.closed": 0},
        ),
    ],
    "score.zero_han_win": [
        hand(
            {"S": "234m567m34p567s99s"},
            "9m 5z 5z 5z 9m 5z 2p",
            "-",
            "-",
            "-",
            "-",
            "-",
            "-",
            "W discard 2p",
            "S ron",
            rules={"yaku.pinfu.closed": 0},
        ),
    ],
    "score.double_wind_pair_fu": [
        hand(
            {"E": "111m456p234s67s11z"},
            "7z 8s",
            "E riichi 7z",
            "S discard 8s",
            "E ron",
            rules={"riichi.double": False},
        ),
    ],
    "score.rinshan_tsumo_fu": [
        hand({"E": "111m999p456p34s99s"}, "1m", "E ankan 1m", "E tsumo", rinshan="5s"),
    ],
    "score.kiriage_mangan": [
        hand(
            {"S": "234m567m22p34s678s"},
            "7z 9m 5s",
            "-",
            "S riichi 9m",
            "W discard 5s",
            "S ron",
            rules={"riichi.double": False, "riichi.ippatsu": False},
            indicators="1m1m",
            ura="1z1z",
        ),
    ],
    "score.kazoe": [
        hand(
            {"S": "2233445566778m"},
            "7z 9p 8m",
            "-",
            "S riichi 9p",
            "W discard 8m",
            "S ron",
            rules={"yaku.chinitsu.closed": 10},
        ),
    ],
    "score.multiple_yakuman": [hand({"E": "555666777z111z2z"}, "2z", "E tsumo", **EIGHT_PIN)],
    "score.limit_yaku": [
        hand({"W": "1112233456789m"}, "4m", "E discard 4m", "W ron", rules={"yaku.renhou.closed": "mangan"})
    ],
    "score.honba_value": [hand(*LOST, honba=2, values=(0, 100, 300, 1500))],
    "draw.noten_payment": [hand(*DRAWN, values=(0, 1000, 3000))],
    "draw.kyuushu_kyuuhai": [hand({"S": NINE_KINDS}, "7z 5z", "-", "S kyuushu")],
    "draw.suufuu_renda": [
        hand(dict.fromkeys("ESWN", "1z"), "", *(f"{wind} discard 1z" for wind in "ESWN"), indicators="6z")
    ],
    "draw.suucha_riichi": [
        hand(
            TENPAI,
            "5m 5p 5s 8p",
            "E riichi 5m",
            "S riichi 5p",
            "W riichi 5s",
            "N riichi 8p",
            indicators="2s2s",
            ura="4s4s",
        )
    ],
    "draw.suukansanra": [hand(KANS, "9s", *FOUR_KANS, "S discard", rinshan="8s7s6s7z")],
    "draw.sanchahou": [
        hand(
            THREE,
            "3s",
            "E discard 3s",
            "N ron",
            "W ron",
            "S ron",
            company={False: {"win.multiple_ron": "all"}},
        ),
    ],
    "draw.suukansanra_at": [hand(KANS, "9s", *FOUR_KANS, "S discard", rinshan="8s7s6s7z")],
    "draw.suucha_riichi_noten": [
        hand(
            {**TENPAI, "E": "147m258p369s1122z"},
            "5s 5p 5s 8p",
            "E riichi 5s",
            "S riichi 5p",
            "W riichi 5s",
            "N riichi 8p",
            rules=PENALISE,
            indicators="8m8m",
            ura="8m8m",
        ),
    ],
    "draw.dealer_after_abort": [hand({"S": NINE_KINDS}, "7z 5z", "-", "S kyuushu")],
    "draw.dealer_after_triple_ron": [
        hand(THREE, "3s", "E discard 3s", "N ron", "W ron", "S ron"),
        hand(
            {"E": THREE["S"], "W": THREE["W"], "N": THREE["N"]},
            "9m 3s",
            "-",
            "S discard 3s",
            "N ron",
            "W ron",
            "E ron",
        ),
    ],
    "draw.honba_after_abort": [hand({"S": NINE_KINDS}, "7z 5z", "-", "S kyuushu")],
    "draw.nagashi_mangan": [hand({}, SOUTH, "end", honba=1, deposits=1, **ANY)],
    "draw.nagashi_needs_closed": [
        hand(
            {"S": "11z9m"},
            yaochuu_at([0, *range(4, 70, 4)]),
            "E discard 1z",
            "S pon",
            "S discard 9m",
            "end",
            **ANY,
        ),
    ],
    "deal.renchan": [hand(*WON, honba=1), hand({"E": KANCHAN_3S}, "7z", "end")],
    "deal.paarenchan": [hand(*WON, streak=streak, rules=PAARENCHAN) for streak in (7, 8)],
    "end.tobi": [hand(*LOST, scores=(points, 33000, 33000, 34000 - points)) for points in (1200, 1300)],
    "end.dealer_stop": [hand(*WON, number=7), hand(*WON, "E end_game", number=7)],
    "end.dealer_stop_points": [hand(*WON, number=7, rules={"end.dealer_stop": "forced"}, values=(0, 50000))],
    "end.extension": [hand(*LOST, number=7)],
    "end.extension_target": [
        hand(*LOST, number=7, rules={"end.extension": "sudden_death"}, values=(26000, 30000))
    ],
    "end.leftover_deposits": [hand({}, "", "end", number=7, deposits=2, scores=(10000, 20000, 30000, 38000))],
    "pao.yakuman": [
        hand(*DAISANGEN_RON, values=((), ("daisangen",)), rules=PAO_TWO, **EIGHT_PIN),
        hand(*SUUKANTSU, values=((), ("suukantsu",)), rules=PAO_TWO, **KAN_TILES),
        hand(*SUURENKOU, values=((), ("suurenkou",)), rules=PAO_TWO, **EIGHT_PIN),
    ],
    "pao.tsumo": [
        hand(
            TWO_LIABLE_HANDS,
            "8m 8m 5z 6z 7z 8p 8p 9s 8p 9m 9m 1p",
            *TWO_LIABLE,
            "-",
            "-",
            "S tsumo",
            rules=TWO_LIABLE_RULES,
            **KAN_TILES,
        ),
    ],
    "pao.ron": [
        hand(
            TWO_LIABLE_HANDS,
            "8m 8m 5z 6z 7z 8p 8p 9s 8p 1p",
            *TWO_LIABLE,
            "N discard 1p",
            "S ron",
            rules=TWO_LIABLE_RULES,
            **KAN_TILES,
        ),
    ],
    "pao.scope": [
        hand(
            {"S": "556677z19m1s1112z"},
            "5z 6z 7z 8m 8m 2z",
            *DAISANGEN,
            "-",
            "-",
            "E discard 2z",
            "S ron",
            **EIGHT_PIN,
        ),
    ],
    "pao.honba": [hand(*DAISANGEN_RON, honba=1, **EIGHT_PIN)],
    "pao.rinshan_after_daiminkan": [
        hand({"S": "111m234567p22s56s"}, "1m", "E discard 1m", "S kan", "S tsumo", rinshan="7s")
    ],
    "fouls.mode": [hand(*FALSE, "E foul win_shown")],
    "fouls.chombo": [hand(*FALSE, "E foul win_shown", rules={**PENALISE, "fouls.chombo_points": 4500})],
    "fouls.chombo_points": [
        hand(*FALSE, "E foul win_shown", rules={**PENALISE, "fouls.chombo": "to_each"}, values=(3000, 5000))
    ],
    "fouls.false_win_shown": [foul("E foul win_shown")],
    "fouls.false_win_called": [foul("E foul win_called")],
    "fouls.call_slip": [foul("E discard 9s", "W foul call_slip")],
    "fouls.wrong_meld": [foul("E discard 9s", "W foul wrong_meld")],
    "fouls.false_win_in_riichi": [
        foul("E riichi 7z", "S discard 9s", "E foul win_called", hands={"E": KANCHAN_3S}, draws="7z 9s")
    ],
    "fouls.furiten_ron": [
        foul(
            "E discard 9m",
            "S discard 3s",
            "W discard 3s",
            "S foul win_shown",
            hands={"S": TANYAO_3S},
            draws="9m 3s 3s",
        ),
    ],
    "fouls.noten_riichi": [foul("E riichi 9s", hands={"E": NOTEN, "S": FAR})],
    "fouls.illegal_riichi_ankan": [
        foul(
            "E riichi 7z",
            "S discard 6z",
            "W discard 6z",
            "N discard 6z",
            "E ankan 1m",
            hands={"E": "1112m456p789p123s"},
            draws="7z 6z 6z 6z 1m",
            rules={"riichi.ankan": "same_waits"},
            indicators="5m5m",
            ura="5s5s",
        ),
    ],
    "fouls.genbutsu_kuikae": [
        foul("E discard 6p", "S chi 78p", "S discard 6p", hands={"S": "678p"}, draws="6p")
    ],
    "fouls.suji_kuikae": [foul("E discard 9p", "S chi 78p", "S discard 6p", hands={"S": "678p"}, draws="9p")],
    "fouls.exhausted_riichi": [
        foul(
            *EXHAUSTED[2:],
            hands=EXHAUSTED[0],
            draws=EXHAUSTED[1],
            **LAST_3S,
            rules={"riichi.exhausted_wait": "foul"},
        ),
    ],
    "fouls.late_riichi": [
        foul("until 1", "late", hands={"E": KANCHAN_3S}, draws="", rules={"riichi.short_wall": "foul"})
    ],
    "fouls.acting_dead": [
        foul(
            "E discard 9s",
            "N foul wrong_meld",
            "S discard 5z",
            "N foul call_slip",
            hands={"N": "55z147m258p369s22z"},
            draws="9s 5z",
        ),
    ],
}
AT_THE_TABLE = (
    "too_many_tiles", "too_few_tiles", "call_with_wrong_count", "late_pickup", "never_picked_up",
    "wrong_draw_in_riichi", "revealing_tiles", "looking_at_hand", "moving_seat", "collapsing_wall",
    "misconduct",
)  # fmt: skip


def names_in(section: str) -> list[str]:
    """The options of a section."""
    return [item.name for item in fields(SECTIONS[section])]


SHEET, CLOCK, MELDS = "rule sheet", "clock", "melds of the browser"
NOT_PLAYED: dict[str, str] = {
    "match.players": SHEET,  # only four are known
    "match.sticks": SHEET,
    "calls.ankan_display": MELDS,
    **{f"clock.{name}": CLOCK for name in names_in("clock")},
    **{f"event.{name}": SHEET for name in names_in("event")},
    **{f"fouls.{name}": SHEET for name in AT_THE_TABLE},
}
"""Options that no hand can decide, and what reads them instead."""

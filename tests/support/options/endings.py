"""Scenarios of the options about draws, the next dealer and the end of a game."""

from kernels.engine.test_scenarios_draws import SOUTH, yaochuu_at
from support.options.deals import (
    ANY,
    DRAWN,
    FOUR_KANS,
    KANCHAN_3S,
    KANS,
    LOST,
    NINE_KINDS,
    PAARENCHAN,
    PENALISE,
    TENPAI,
    THREE,
    WON,
    Scenario,
    hand,
)

ENDINGS: dict[str, list[Scenario]] = {
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
    "draw.wait_in_melds": [
        hand({"E": "12333m456p789s55z"}, "3m", "E ankan 3m", "E discard", "end", rinshan="9m", **ANY),
        hand(
            {"E": "12333m456p789s55z"}, "3m 9p 9p 9p 7p", "E ankan 3m", "E riichi", "end", rinshan="9m", **ANY
        ),
        hand(
            {"E": "789m22234055s77s"},
            "7z 9p 9p 9p 2s",
            "E riichi 7z",
            "-",
            "-",
            "-",
            "E ankan 2s",
            rules={"riichi.ankan": "same_waits"},
        ),
    ],
    "deal.renchan": [hand(*WON, honba=1), hand({"E": KANCHAN_3S}, "7z", "end")],
    "deal.paarenchan": [hand(*WON, streak=streak, rules=PAARENCHAN) for streak in (7, 8)],
    "end.tobi": [hand(*LOST, scores=(points, 33000, 33000, 34000 - points)) for points in (1200, 1300)],
    "end.top_points": [
        hand(*LOST, scores=(20000, points, 15000, 65000 - points)) for points in (50000, 55000, 60000)
    ],
    "end.agari_yame": [hand(*WON, number=7), hand(*WON, "E end_game", number=7)],
    "end.tenpai_yame": [
        hand({"E": KANCHAN_3S}, "7z", "end", number=7),
        hand({"E": KANCHAN_3S}, "7z", "end", "E end_game", number=7),
    ],
    "end.dealer_stop_points": [hand(*WON, number=7, rules={"end.agari_yame": "forced"}, values=(0, 50000))],
    "end.extension": [hand(*LOST, number=7)],
    "end.extension_target": [
        hand(*LOST, number=7, rules={"end.extension": "sudden_death"}, values=(26000, 30000))
    ],
    "end.leftover_deposits": [hand({}, "", "end", number=7, deposits=2, scores=(10000, 20000, 30000, 38000))],
}

"""Scenarios of the options about wins, their points and who pays for a yakuman."""

from support.options.deals import (
    DAISANGEN,
    DAISANGEN_RON,
    EIGHT_PIN,
    KAN_TILES,
    LOST,
    PAO_TWO,
    SUUKANTSU,
    SUURENKOU,
    THREE,
    TWO,
    TWO_LIABLE,
    TWO_LIABLE_HANDS,
    TWO_LIABLE_RULES,
    Scenario,
    hand,
)

WINS: dict[str, list[Scenario]] = {
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
    "win.deposits_to": [
        hand(
            TWO,
            "7z 7z 5z 9m 3s",
            *("-", "-", "W riichi 5z", "-", "E discard 3s", "W ron", "S ron"),
            deposits=3,
        )
    ],
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
    "score.fixed_fu": [
        hand(*LOST),
        hand({"E": "111m456p234s67s11z"}, "7z 8s", "E riichi 7z", "S discard 8s", "E ron"),
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
        hand(
            {"S": "2233445566778m"},
            "7z 9p 8m",
            "-",
            "S riichi 9p",
            "W discard 8m",
            "S ron",
            rules={"yaku.chinitsu.closed": 13, "yaku.ryanpeikou.closed": 12},
        ),
    ],
    "score.multiple_yakuman": [hand({"E": "555666777z111z2z"}, "2z", "E tsumo", **EIGHT_PIN)],
    "score.tenhou_wait": [hand({"E": "119m19p19s123456z"}, "7z", "E tsumo", **EIGHT_PIN)],
    "score.limit_yaku": [
        hand({"W": "1112233456789m"}, "4m", "E discard 4m", "W ron", rules={"yaku.renhou.closed": "mangan"})
    ],
    "score.wareme": [
        hand(LOST[0], draws, "E discard 3s", "S ron", honba=2) for draws in ("3s", "3s 1m", "3s 2m", "3s 3m")
    ],
    "score.kan_han": [
        hand(
            {"S": "23m456789p99s111z"},
            "7z 1z 8p 7p 1m",
            "-",
            "S ankan 1z",
            "S discard",
            "-",
            "-",
            "E discard 1m",
            "S ron",
            rinshan="8m",
        ),
    ],
    "score.aotenjou": [
        hand(
            {"S": "2233445566778m"},
            "7z 9p 8m",
            "-",
            "S riichi 9p",
            "W discard 8m",
            "S ron",
        ),
        hand(*DAISANGEN_RON, **EIGHT_PIN),
    ],
    "score.honba_value": [hand(*LOST, honba=2, values=(0, 100, 300, 1500))],
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
}

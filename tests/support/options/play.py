"""Scenarios of the options about the match, the tiles, dora, calls, riichi and furiten."""

from support.options.deals import (
    DECLARED,
    ENDED,
    EXHAUSTED,
    KANCHAN_3S,
    LAST_3S,
    LOST,
    PENALISE,
    RYANMEN,
    TANYAO_3S,
    TWO,
    Changes,
    Scenario,
    hand,
    sticks,
)

CHIPS: Changes = {"chips.value": 1000}
IPPATSU = ({"S": KANCHAN_3S}, "9m 7z 3s", "-", "S riichi 7z", "W discard 3s", "S ron")
KOKUSHI = {"S": "19m19p19s1234567z"}
BUST: Changes = {"scores": (500, 20000, 59500, 20000)}  # the dealer deals in; West is leading
YAKUMAN: Changes = {"number": 7, "rules": CHIPS, "indicators": "4p4p", "ura": "4p4p"}

PLAY: dict[str, list[Scenario]] = {
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
    "match.yakitori": [hand(*LOST, number=7, values=(0, 5000, 10000))],
    "match.yakitori_to": [
        hand(TWO, "3s", "E discard 3s", "W ron", "S ron", number=7, rules={"match.yakitori": 1000})
    ],
    "chips.value": [hand(*IPPATSU, number=7, values=(0, 500, 1000))],
    "chips.ippatsu": [hand(*IPPATSU, number=7, rules=CHIPS, values=(0, 1, 2))],
    "chips.red": [hand({"S": "234m067m22p24s678s"}, *LOST[1:], number=7, rules=CHIPS, values=(0, 1, 3))],
    "chips.red_open": [
        hand(
            {"S": "23067m22p24s678s9p"},
            "4m 3s",
            "E discard 4m",
            "S chi 23m",
            "S discard 9p",
            "W discard 3s",
            "S ron",
            number=7,
            rules=CHIPS,
        )
    ],
    "chips.ura": [hand(*IPPATSU, number=7, rules=CHIPS, ura="8p8p", values=(0, 1, 3))],
    "chips.yakuman_ron": [hand(KOKUSHI, "1m", "E discard 1m", "S ron", **YAKUMAN, values=(0, 5, 10))],
    "chips.yakuman_tsumo": [hand(KOKUSHI, "2m 1m", "-", "S tsumo", **YAKUMAN, values=(0, 5, 10))],
    "chips.tobi": [hand(*LOST, rules=CHIPS, values=(0, 1, 5), **BUST)],
    "chips.tobi_to": [hand(*LOST, rules={**CHIPS, "chips.tobi": 2}, **BUST)],
    "chips.first": [hand(*LOST, number=7, rules=CHIPS, values=(0, 1, 2))],
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
    "riichi.without_yaku": [hand(*DECLARED, rules={"yaku.riichi.closed": False})],
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
    "riichi.shiro_pocchi": [
        hand({"S": KANCHAN_3S}, f"9m 7z 8m 8m 8m {later}5z", "-", "S riichi 7z", *turns, "S tsumo")
        for later, turns in (("", "---"), ("7m 7m 7m 7m ", "-------"))
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
}

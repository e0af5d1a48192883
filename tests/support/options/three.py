"""Scenarios of the options for three players: tiles, chi, norths set aside, the missing share."""

from typing import Final

from support.options.deals import Changes, Scenario, hand

THREE: Final[Changes] = {
    "match.players": 3,
    "match.uma": (20000, 0, -20000),
    "tiles.man": "one_nine",
    "tiles.red": {"5p": 1, "5s": 1},
    "calls.chi": False,
    "kita.nukidora": True,
}
FOUR: Final[Changes] = {"match.uma": (20000, 10000, -10000, -20000)}
TANYAO = "234567p22s45667s"  # waits for 5s and 8s
PAIRS_AND_NORTH = "1199p22337788s4z"  # seven pairs, waiting for north
SHANPON: Final = {"S": "123p456s789s11p44z", "E": "147p258s19m1235z4z"}  # north gives no yaku
ORPHANS: Final = {"S": "119m19p19s123567z", "E": "258p147s33p66s77p4z"}
KYUUSHU = "19m19p19s123z258p3s"


def three(hands: dict[str, str], draws: str, *plays: str, **more: object) -> Scenario:
    """Return a scenario under rules for three."""
    rules: Changes = {**THREE, **more.pop("rules", {})}  # type: ignore[dict-item]
    return hand(hands, draws, *plays, rules=rules, **more)


THREE_PLAYERS: dict[str, list[Scenario]] = {
    "match.players": [
        hand({}, "", "end", company={3: {"match.uma": (20000, 0, -20000)}, 4: FOUR}),
    ],
    "tiles.man": [hand({}, "", "end", rules={"tiles.red": {"5p": 1}})],
    "tiles.dead_wall": [three({}, "", "end", values=(14, 16, 18))],
    "calls.chi": [hand({"S": "23m"}, "1m", "E discard 1m", "S chi 23m")],
    "kita.nukidora": [three({"E": "4z"}, "1p", "E kita")],
    "kita.han": [
        three(
            {"E": "234567p22s456s44z"}, "8s", "E kita", "E kita", "E tsumo", rinshan="6s7s", values=(0, 1, 2)
        )
    ],
    "kita.ron": [
        three({"S": PAIRS_AND_NORTH, "E": "4z"}, "5p", "E kita", "S ron"),
        three(ORPHANS, "9p", "E kita", "S ron", indicators="8s8s", ura="8s8s"),
        three({"S": "111222333z11s44z", "E": "4z"}, "9p", "E kita", "S ron"),
    ],
    "kita.discard": [three({"E": "4z"}, "9p", "E discard 4z")],
    "kita.chankan": [three(SHANPON, "9p", "E kita", "S ron")],
    "kita.rinshan": [three({"E": "123567p22s4567s4z"}, "9s", "E kita", "E tsumo", rinshan="8s")],
    "kita.breaks_ippatsu": [
        three(
            {"E": "234567p22s45689s", "S": "147p258s19m1234z"},
            "7s 4z 7p 6s 4z",
            "E riichi 9s",
            "S kita",
            "S discard",
            "-",
            "E tsumo",
            rinshan="9m",
        )
    ],
    "kita.breaks_first_turn": [
        three({"E": "4z", "S": KYUUSHU}, "8p 7p", "E kita", "E discard", "S kyuushu", rinshan="3p")
    ],
    "score.missing_share": [three({"E": "147p258s19m12357z", "S": TANYAO}, "9p 8s", "-", "S tsumo")],
}

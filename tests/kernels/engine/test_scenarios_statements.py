"""Statements of the rule inventory that no other scenario covers."""

import json
from typing import Any

import pytest

import jantaku
from jantaku.cli.table_view import ROW, meld, river
from jantaku.game import Game
from jantaku.game.view import RiverTile, view_of
from jantaku.hand import Meld
from jantaku.rules import Ruleset, catalogue
from jantaku.rules.worths import worths
from jantaku.rules.yaku_names import combination, search
from jantaku.tiles import Tile
from support.scoring import agrees, answer, full, summary, table
from support.table import WINDS, Table

_NO_YAME = {"end.agari_yame": "off", "end.tenpai_yame": "off"}

ROWS = table("statements.tsv")
ALLOWED = {"calls.kuikae": "allowed"}


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_a_statement_about_one_win(row: dict[str, str]) -> None:
    rules, request = jantaku.load(row["rules"]), full(json.loads(row["request"]))
    reply = answer(request, rules)
    assert summary(reply) == row["expected"]
    assert agrees(reply, request, rules)


# Names (inventory 15–35) ---------------------------------------------------------------------------------

NAMES = {
    "tsumo": "menzen_tsumo", "tanyaochuu": "tanyao", "kuitan": "tanyao", "fanpai haku": "yakuhai_haku",
    "rinshan": "rinshan_kaihou", "搶槓": "chankan", "槍槓": "chankan", "haitei raoyue": "haitei",
    "haitei moyue": "haitei", "houtei raoyui": "houtei", "daburii": "double_riichi",
    "daburi": "double_riichi", "double east": "round_wind", "double south": "round_wind",
    "chiitoi": "chiitoitsu", "nikoniko": "chiitoitsu", "toitoihou": "toitoi", "san'an": "sanankou",
    "shousan": "shousangen", "honroo": "honroutou", "sanshoku": "sanshoku_doujun", "ryanpee": "ryanpeikou",
    "suu'an": "suuankou", "kokushi": "kokushi_musou", "honchantaiyaochuu": "chanta",
    "junchantaiyaochuu": "junchan", "menhon": "honitsu", "tatehon": "honitsu", "bakahon": "honitsu",
    "menchin": "chinitsu", "tatechin": "chinitsu", "yaochuu furikiri": "nagashi_mangan",
    "ten'i muhou": "chuuren_poutou", "all green": "ryuuiisou", "断幺九": "tanyao", "断么九": "tanyao",
}  # fmt: skip


@pytest.mark.parametrize(("typed", "yaku"), NAMES.items(), ids=list(NAMES))
def test_names_of_yaku_are_found(typed: str, yaku: str) -> None:
    assert search(typed) == [yaku]


def test_a_short_name_stands_for_several_yaku() -> None:
    assert combination("tanpin") == ["pinfu", "tanyao"]
    assert combination("mentanpin") == ["riichi", "pinfu", "tanyao"]


# Turns (inventory 4, 12, 50, 70, 72, 425–427) ------------------------------------------------------------


def test_play_passes_to_the_right() -> None:
    """East begins with 14 tiles; each player in turn draws one and discards one."""
    game = Game("standard", seed=1)
    held = [int(hand.sum()) for hand in game.record.hand]
    assert (held, list(game.to_act)) == ([14, 13, 13, 13], [0])
    table = Table(draws="1z 2z 3z 4z 1z")
    for wind in "ESWNE":
        table.expect(turn=wind)
        table.play("-")


def test_only_the_player_on_turn_may_act() -> None:
    """South waits for 3s and holds four of a kind, but may not act."""
    table = Table(hands={"E": "147m258p369s1122z", "S": "6666m456p789s99p4s"}, draws="7z")
    assert [bool(table.legal(wind)) for wind in WINDS] == [True, False, False, False]


def test_no_claim_is_offered_on_a_useless_tile() -> None:
    hands = {"E": "1z", "S": "147m258p369s2345z", "W": "147m258p369s2345z", "N": "147m258p369s1234z"}
    table = Table(hands=hands, draws="9p").play("E discard 1z")
    table.expect(turn="S", left=68)


# Sets and calls (inventory 67, 80, 85, 95) ---------------------------------------------------------------


def test_meld_tiles_cannot_be_discarded() -> None:
    """Only the fourth 2z, which is in South's hand, may be discarded or added to the pon."""
    table = Table(ALLOWED, {"S": "22z3z"}, "2z 8p 8p 8p 2z").play("E discard 2z", "S pon")
    assert "discard 2z" not in table.legal("S")
    table.play("S discard 3z", "-", "-", "-")
    assert {"discard 2z", "kakan 2z"} <= table.legal("S")


def test_a_discard_is_never_added_to_a_pon() -> None:
    """Neither the discard itself nor the next turn allows it."""
    hands = {"S": "11z9m147p258s36m22z", "W": "1z"}
    table = Table(hands=hands, draws="1z 9s 9s 9s").play("E discard 1z", "S pon", "S discard 9m")
    table.play("W discard 1z")
    assert table.legal("S") == set()
    table.play("-", "-")
    assert {word.split()[0] for word in table.legal("S")} == {"discard"}


def test_kuikae_ends_with_the_turn() -> None:
    """South calls 9p; one turn later it may discard 6p and 9p from its hand."""
    table = Table(hands={"S": "6789p1z"}, draws="9p 8m 8m 8m 7z").play("E discard 9p", "S chi 78p")
    assert not {"discard 6p", "discard 9p"} & table.legal("S")
    table.play("S discard 1z", "-", "-", "-")
    assert {"discard 6p", "discard 9p"} <= table.legal("S")


def test_a_called_set_is_visible_to_all() -> None:
    table = Table(hands={"S": "11z9m"}, draws="1z").play("E discard 1z", "S pon")
    seen = [view_of(table.game, seat, ()).melds[1] for seat in range(4)]
    assert [[str(one.type) for one in melds] for melds in seen] == [["pon"]] * 4


# Furiten (inventory 155–158) -----------------------------------------------------------------------------

TWO_SIDES = "234m567m22p23s678s"  # waits for 1s without a yaku and for 4s with tanyao


def test_a_called_discard_causes_furiten() -> None:
    hands = {"S": "23p567s222m33m777z", "N": "11p9m"}
    table = Table(hands=hands, draws="9m 1p 8m 9s 4p").play("-", "S discard 1p", "N pon", "N discard 9m")
    table.play("-", "S discard", "W discard")
    table.play("N discard 4p")
    assert "ron" not in table.legal("S")


def test_passing_a_tile_without_a_yaku_causes_furiten() -> None:
    free = Table(hands={"S": TWO_SIDES}, draws="9m 9m 4s").play("-", "-", "W discard 4s")
    assert "ron" in free.legal("S")
    barred = Table(hands={"S": TWO_SIDES}, draws="9m 1s 4s").play("-", "S discard 1s", "W discard 4s")
    assert "ron" not in barred.legal("S")


def test_changing_the_wait_ends_furiten() -> None:
    """South waits for 1p and 4p and discards 1p, then 2p: 35p waits for 4p only."""
    hands, draws = {"S": "23p567s222m33m777z"}, "9m 1p 9s 9s 9s 5p 4p"
    table = Table(hands=hands, draws=draws).play("-", "S discard 1p", "-", "-", "-", "S discard 2p")
    table.play("W discard 4p")
    assert "ron" in table.legal("S")


# Draws and winning streaks (inventory 230, 384) -------------------------------------------------------------


def test_a_complete_kokushi_may_declare_kyuushu_kyuuhai() -> None:
    table = Table(hands={"E": "19m19p19s1234567z"}, draws="7z")
    assert {"tsumo", "kyuushu"} <= table.legal("E")
    table.play("E kyuushu").expect(ended="kyuushu_kyuuhai")


def test_a_draw_ends_a_winning_streak() -> None:
    rules = {"deal.paarenchan": "every_eighth", "yaku.paarenchan.closed": "yakuman"}
    hands = {"E": "123456789m1122z"}
    table = Table(rules, hands, streak=7).to_the_end()
    table.expect(ended="exhausted", tenpai="E", number=0, streak=0)


# Han and fu (inventory 62–65, 91, 267, 268) --------------------------------------------------------------

# The concealed tiles that form the wait, and a run or triplet that is concealed or called
OPENED = {
    "sanshoku_doujun": ("24m234p234s44z", "3m", ("chi", "678s")),
    "ittsuu": ("46m123789m44p", "5m", ("chi", "678s")),
    "chanta": ("13m999m789p66z", "2m", ("chi", "123s")),
    "junchan": ("13m999m789p99s", "2m", ("chi", "123s")),
    "honitsu": ("13m456m789m44z", "2m", ("chi", "678m")),
    "chinitsu": ("13m456m78999m", "2m", ("chi", "678m")),
}
HAN = {"sanshoku_doujun": 2, "ittsuu": 2, "chanta": 2, "junchan": 3, "honitsu": 3, "chinitsu": 6}


@pytest.mark.parametrize("yaku", OPENED)
def test_an_open_hand_loses_a_han(yaku: str) -> None:
    concealed, win, (kind, tiles) = OPENED[yaku]
    rules = jantaku.load("standard")
    closed = answer(full({"hand": concealed + tiles, "win": win}), rules)
    called = answer(full({"hand": concealed, "win": win, "melds": [{"type": kind, "tiles": tiles}]}), rules)
    assert (closed["yaku"][yaku], called["yaku"][yaku]) == (HAN[yaku], HAN[yaku] - 1)


def test_only_these_yaku_lose_a_han() -> None:
    rules = jantaku.load("standard")
    both = {name: worths(rules, name) for name in catalogue()}
    less = {name for name, (one, other) in both.items() if other is not False and one != other}
    assert less == set(OPENED)


FU: dict[str, tuple[dict[str, Any], int]] = {
    "a run": ({"hand": "234m"}, 0),
    "minko of simples": ({"melds": [("pon", "222m")]}, 2),
    "minko of yaochuu": ({"melds": [("pon", "999m")]}, 4),
    "anko of simples": ({"hand": "222m"}, 4),
    "anko of yaochuu": ({"hand": "999m"}, 8),
    "minkan of simples": ({"melds": [("daiminkan", "2222m")]}, 8),
    "kakan of yaochuu": ({"melds": [("kakan", "9999m")]}, 16),
    "ankan of simples": ({"melds": [("ankan", "2222m")]}, 16),
    "ankan of honours": ({"melds": [("ankan", "3333z")]}, 32),
}


@pytest.mark.parametrize("case", FU)
def test_fu_of_sets(case: str) -> None:
    """The yaku of the hand is a called triplet of red dragons, which adds 4 fu."""
    held, wanted = FU[case]
    melds = [("pon", "777z"), *held.get("melds", [])]
    request = full(
        {
            "hand": held.get("hand", "") + "456p67s99p", "win": "8s",
            "melds": [{"type": kind, "tiles": tiles} for kind, tiles in melds],
        }
    )  # fmt: skip
    reply = answer(request, jantaku.load("standard"))
    assert reply["fu_items"]["triplets"] == wanted + 4
    assert agrees(reply, request, jantaku.load("standard"))


# How tiles lie (inventory 81, 433–436) -------------------------------------------------------------------


def test_a_river_has_six_tiles_a_row() -> None:
    rows = river([RiverTile(Tile(kind), drawn=False, riichi=False, called=False) for kind in range(13)])
    assert ROW == 6
    assert [sum(mark.isdigit() for mark in row.plain) for row in rows] == [6, 6, 1]


@pytest.mark.parametrize(
    ("kind", "tiles"), [("chi", "123m"), ("pon", "333m"), ("daiminkan", "3333m"), ("kakan", "3333m")]
)
@pytest.mark.parametrize("source", ["left", "across", "right"])
def test_a_called_tile_lies_on_the_side_it_came_from(kind: str, tiles: str, source: Any) -> None:
    """The tile in brackets comes first, second or last; a kakan adds a tile without brackets."""
    if kind == "chi" and source != "left":
        pytest.skip("a run takes the tile of the player to the left")
    text = meld(Meld.parse(kind, tiles, "3m", source)).plain
    before, after = text.split("‹")[0], text.split("›")[1]
    others = len(tiles) - 2
    turn = {"left": 0, "across": 1, "right": others}[source]
    counted = [sum(mark.isdigit() for mark in part) for part in (before, after)]
    assert counted == [turn, others - turn]


# Named rulesets (inventory 408–420, 443–452) -------------------------------------------------------------

TOLD: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "408": [("bgm-2025", {"match.start_points": 30000, "end.tobi": "off", "end.extension": "none"})],
    "409": [("bgm-2025", {"match.uma": (20000, 10000, -10000, -20000), "match.oka": "none"})],
    "412": [("bgm-2025", {**_NO_YAME, "end.leftover_deposits": "first"})],
    "419": [("bgm-2025", {"event.finalists": 20})],
    "420": [("bgm-2025", {"event.format": "individual", "event.days": 14})],
    "443": [("kmf", {"dora.ankan_reveal": "at_once", "dora.minkan_reveal": "before_draw"})],
    "444": [
        (
            "jongryumon",
            {
                "dora.minkan_reveal": "before_draw", "win.multiple_ron": "double_triple_draw",
                "draw.sanchahou": True,
            },
        )
    ],
    "445": [
        (
            "tenhou",
            {
                "dora.ankan_reveal": "at_once", "dora.minkan_reveal": "after_discard",
                "win.multiple_ron": "double_triple_draw", "draw.sanchahou": True,
                "match.uma": (20000, 10000, -10000, -20000),
            },
        )
    ],
    "447": [
        ("jpml-a", dict.fromkeys(("dora.kan_dora", "dora.ura", "dora.kan_ura", "riichi.ippatsu"), False)),
        ("jpml-b", dict.fromkeys(("dora.kan_dora", "dora.ura", "dora.kan_ura", "riichi.ippatsu"), True)),
    ],
    "448": [("jpml-a", {"yaku.renhou.closed": "mangan"}), ("jpml-b", {"yaku.renhou.closed": "mangan"})],
    "452": [
        (
            "bgm-2025",
            {
                "tiles.red": {"3m": 1, "3p": 1, "3s": 1}, "calls.kuikae": "forbidden", "riichi.open": True,
                "win.multiple_ron": "double_triple_draw", "dora.minkan_reveal": "before_draw",
            },
        ),
        ("bgm-2025-red7", {"tiles.red": {"7m": 1, "7p": 1, "7s": 1}}),
    ],
    "d5": [
        (
            "bgm-2025",
            {"win.deposits_to": "nearest", "win.honba_to": "nearest", "fouls.call_slip": "none"},
        )
    ],
    "d11": [("bgm-2025", {**_NO_YAME, "end.tobi": "off", "end.extension": "none"})],
}  # fmt: skip


@pytest.mark.parametrize("number", TOLD)
def test_presets_follow_their_rule_texts(number: str) -> None:
    for preset, wanted in TOLD[number]:
        rules: Ruleset = jantaku.load(preset)
        assert {path: rules.option(path) for path in wanted} == wanted

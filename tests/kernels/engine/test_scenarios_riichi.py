"""Riichi: declaration, stick, double riichi, ippatsu, kans in riichi; and furiten (inventory 122–165)."""

from typing import Any

import pytest

from jantaku import load
from support.table import Table

KANCHAN_3S = "123m456p789s99p24s"  # waits for 3s alone, no yaku, 40 fu by ron
TANYAO_3S = "234m567m22p24s678s"  # the same wait, with tanyao
NO_DORA = "6z6z6z"
PLAIN = {"indicators": NO_DORA, "ura": NO_DORA.replace("6", "2")}


def offers(table: Table, wind: str, verb: str) -> bool:
    return any(word.split()[0] == verb for word in table.legal(wind))


# Declaration ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "scores", "may"),
    [
        ({"riichi.needs_points": True}, (900, 33000, 33000, 33100), False),
        ({"riichi.needs_points": True}, (1000, 33000, 33000, 33000), True),
        ({"riichi.needs_points": False}, (900, 33000, 33000, 33100), True),
        ({"riichi.deposit": 2000}, (1900, 33000, 33000, 32100), False),
        ({"riichi.deposit": 2000}, (2000, 33000, 33000, 32000), True),
    ],
)
def test_riichi_needs_the_points_of_the_stick(rules: dict[str, Any], scores: Any, may: bool) -> None:
    table = Table(rules, {"E": KANCHAN_3S}, "7z", scores=scores)
    assert offers(table, "E", "riichi") is may


@pytest.mark.parametrize(
    ("draws", "left", "may"), [(1, 5, True), (1, 1, False), (2, 9, True), (2, 5, False), (0, 1, True)]
)
def test_riichi_needs_remaining_draws(draws: int, left: int, may: bool) -> None:
    table = Table({"riichi.draws_left": draws}, {"E": KANCHAN_3S}).until(left)
    assert offers(table, "E", "riichi") is may


def test_riichi_needs_tenpai_and_a_closed_hand() -> None:
    table = Table(hands={"E": KANCHAN_3S, "S": "11z7z123m456p789s9p"}, draws="1z 9p")
    assert {word for word in table.legal("E") if "riichi" in word} == {"riichi 1z"}
    table.play("E discard 1z")
    assert not offers(table.play("S pon", "S discard 7z", "-", "-", "-"), "S", "riichi")
    assert not offers(Table(hands={"E": KANCHAN_3S.replace("99p", "9p5z")}, draws="7z"), "E", "riichi")


@pytest.mark.parametrize("mode", ["prevent", "penalise"])
@pytest.mark.parametrize("changes", [{}, {"riichi.open": True}, {"riichi.draws_left": 0}])
def test_riichi_cannot_be_declared_if_it_is_not_a_yaku(changes: dict[str, Any], mode: str) -> None:
    rules = {"fouls.mode": mode, **changes}
    table = Table({**rules, "yaku.riichi.closed": False}, {"E": KANCHAN_3S}, "7z")
    assert not [word for word in table.legal("E") | table.fouls("E") if "riichi" in word]
    assert offers(Table(rules, {"E": KANCHAN_3S}, "7z"), "E", "riichi")


def test_riichi_without_a_yaku_if_the_rules_allow_it() -> None:
    rules = load("standard").with_changes({"yaku.riichi.closed": False, "riichi.without_yaku": True})
    assert rules.fingerprint == load(rules.to_dict(whole=False)).fingerprint
    table = Table(rules, {"E": KANCHAN_3S}, "7z 8m 8m 8m 3s").play("E riichi 7z", "-", "-", "-")
    assert table.play("E tsumo").facts()["ended"]


def test_a_concealed_kan_keeps_the_hand_closed() -> None:
    table = Table(hands={"E": "111m456p789s99p24s"}, draws="1m", rinshan="7z").play("E ankan 1m")
    assert "riichi 7z" in table.legal("E")


@pytest.mark.parametrize(("allowed", "may"), [(True, True), (False, False)])
def test_riichi_in_furiten(allowed: bool, may: bool) -> None:
    hands = {"E": "123m456p789s11z23s"}
    table = Table({"riichi.furiten_allowed": allowed}, hands, "4s 9m 9m 8p 7z")
    table.play("E discard 4s", "-", "-", "-")
    assert ("riichi 7z" in table.legal("E")) is may
    assert "riichi 7z" in Table({"riichi.furiten_allowed": allowed}, hands, "7z").legal("E")


def test_after_riichi_the_drawn_tile_is_discarded_or_wins() -> None:
    table = Table(hands={"E": KANCHAN_3S.replace("99p", "55z"), "N": "5z"}, draws="7z 8m 8m 9m 3s")
    table.play("E riichi 7z", "-", "-", "N discard 5z")
    assert table.legal("E") == {"discard 3s", "tsumo"}


@pytest.mark.parametrize("open_riichi", [False, True])
def test_open_riichi_is_an_option(open_riichi: bool) -> None:
    table = Table({"riichi.open": open_riichi}, {"E": KANCHAN_3S}, "7z 3s", **PLAIN)
    assert ("open_riichi 7z" in table.legal("E")) is open_riichi
    if open_riichi:  # 3 han, plus ippatsu on the first discard, with 40 fu
        table.play("E open_riichi 7z", "S discard 3s", "E ron").expect(delta=(13000, -12000, 0, 0))


# The stick -----------------------------------------------------------------------------------------------


def test_the_stick_is_deposited_when_the_riichi_tile_has_passed() -> None:
    table = Table(hands={"E": KANCHAN_3S}, draws="7z").play("E riichi 7z")
    table.expect(scores=(24000, 25000, 25000, 25000), deposits=1)


@pytest.mark.parametrize(
    ("rule", "scores"),
    [("kept", (23700, 25000, 25000, 26300)), ("paid", (22700, 25000, 25000, 27300))],
)
def test_the_stick_when_the_declaration_is_ronned(rule: str, scores: tuple[int, ...]) -> None:
    rules = {"riichi.stick_when_declaration_is_ronned": rule}
    table = Table(rules, {"E": KANCHAN_3S.replace("24s", "57s"), "N": TANYAO_3S}, "3s", **PLAIN)
    table.play("E riichi 3s", "N ron").expect(scores=scores, deposits=0)


TSUBAME = {"yaku.tsubame_gaeshi.closed": 1, "yaku.tsubame_gaeshi.open": 1}


@pytest.mark.parametrize(("rule", "delta"), [("kept", (-2600, 2600)), ("paid", (-2600, 3600))])
def test_tsubame_gaeshi(rule: str, delta: tuple[int, int]) -> None:
    rules = {"riichi.stick_when_declaration_is_ronned": rule} | TSUBAME
    table = Table(rules, {"E": KANCHAN_3S.replace("24s", "57s"), "N": TANYAO_3S}, "3s", **PLAIN)
    table.play("E riichi 3s", "N ron").expect(delta=(delta[0], 0, 0, delta[1]))


def test_tsubame_gaeshi_wins_alone() -> None:
    east = KANCHAN_3S.replace("24s", "57s").replace("789s", "234m")
    table = Table(TSUBAME, {"E": east, "N": KANCHAN_3S}, "3s", **PLAIN).play("E riichi 3s", "N ron")
    table.expect(delta=(-1300, 0, 0, 1300))


# Double riichi and ippatsu -------------------------------------------------------------------------------

NO_IPPATSU = {"riichi.ippatsu": False}


@pytest.mark.parametrize(("double", "points"), [(True, 3900), (False, 2000)])
def test_double_riichi(double: bool, points: int) -> None:
    table = Table(NO_IPPATSU | {"riichi.double": double}, {"E": KANCHAN_3S}, "7z 3s", **PLAIN)
    table.play("E riichi 7z", "S discard 3s", "E ron")
    table.expect(scores=(25000 + points, 25000 - points, 25000, 25000))


def test_riichi_on_a_later_discard_is_not_double() -> None:
    table = Table(NO_IPPATSU, {"E": KANCHAN_3S}, "7z 5z 5z 8m 7z 3s", **PLAIN).play("-", "-", "-", "-")
    table.play("E riichi 7z", "S discard 3s", "E ron").expect(delta=(3000, -2000, 0, 0))


def test_a_call_breaks_double_riichi() -> None:
    table = Table(NO_IPPATSU, {"S": KANCHAN_3S, "N": "11z9m"}, "1z 5z 7z 3s", **PLAIN)
    table.play("E discard 1z", "N pon", "N discard 9m", "-", "S riichi 7z", "W discard 3s", "S ron")
    table.expect(delta=(0, 2300, -1300, 0))


@pytest.mark.parametrize(("broken", "points"), [(True, 1300), (False, 2600)])
def test_a_concealed_kan_and_double_riichi(broken: bool, points: int) -> None:
    rules = NO_IPPATSU | {"riichi.double_broken_by_ankan": broken}
    table = Table(rules, {"E": "222z", "S": KANCHAN_3S}, "2z 7z 3s", rinshan="9m", indicators=NO_DORA)
    table.play("E ankan 2z", "E discard 9m", "S riichi 7z", "W discard 3s", "S ron")
    table.expect(delta=(0, points + 1000, -points, 0))


ONCE = {"riichi.double": False}


@pytest.mark.parametrize(("ippatsu", "points"), [(True, 3900), (False, 2000)])
def test_ippatsu(ippatsu: bool, points: int) -> None:
    table = Table(ONCE | {"riichi.ippatsu": ippatsu}, {"E": KANCHAN_3S}, "7z 3s", **PLAIN)
    table.play("E riichi 7z", "S discard 3s", "E ron").expect(delta=(points + 1000, -points, 0, 0))


def test_ippatsu_lasts_until_the_players_next_draw() -> None:
    own = Table(ONCE, {"E": KANCHAN_3S}, "7z 8m 8m 8m 3s", **PLAIN).play("E riichi 7z", "-", "-", "-")
    own.play("E tsumo").expect(delta=(7000, -2000, -2000, -2000))  # 3 han 30 fu
    later = Table(ONCE, {"E": KANCHAN_3S}, "7z 8m 8m 8m 9s 3s", **PLAIN).play("E riichi 7z", *["-"] * 4)
    later.play("S discard 3s", "E ron").expect(delta=(3000, -2000, 0, 0))


def test_ippatsu_is_broken_by_a_call() -> None:
    table = Table(ONCE, {"E": KANCHAN_3S, "N": "11z9m"}, "7z 1z 3s", **PLAIN).play("E riichi 7z")
    table.play("S discard 1z", "N pon", "N discard 9m", "E tsumo")
    table.expect(delta=(1000 + 3000, -1000, -1000, -1000))  # 2 han 30 fu


@pytest.mark.parametrize(("broken", "points"), [(True, 2000), (False, 3900)])
def test_ippatsu_and_a_concealed_kan(broken: bool, points: int) -> None:
    rules = ONCE | {"riichi.ippatsu_broken_by_ankan": broken}
    table = Table(
        rules, {"E": KANCHAN_3S, "S": "222z"}, "7z 2z", rinshan="3s", indicators=NO_DORA, ura="1z1z"
    )
    table.play("E riichi 7z", "S ankan 2z", "S discard 3s", "E ron")
    table.expect(delta=(points + 1000, -points, 0, 0))


# A concealed kan in riichi -------------------------------------------------------------------------------

SAME_WAIT_OTHER_SHAPE = "11122333s111z33z"
FREE_TRIPLET = "22456s222p123m67m"
CHANGES_WAIT = "3334s123m456m789p"


@pytest.mark.parametrize(
    ("hand", "tile", "rules_that_allow"),
    [
        (FREE_TRIPLET, "2p", {"same_waits", "same_structure"}),
        (SAME_WAIT_OTHER_SHAPE, "1s", {"same_waits"}),
        (SAME_WAIT_OTHER_SHAPE, "3s", {"same_waits"}),
        (SAME_WAIT_OTHER_SHAPE, "1z", {"same_waits", "same_structure"}),
        (CHANGES_WAIT, "3s", set()),
    ],
)
@pytest.mark.parametrize("rule", ["never", "same_waits", "same_structure"])
def test_a_concealed_kan_in_riichi(rule: str, hand: str, tile: str, rules_that_allow: set[str]) -> None:
    table = Table({"riichi.ankan": rule}, {"E": hand}, f"7z 9s 9p 9s {tile}").play("E riichi 7z", *["-"] * 3)
    assert (f"ankan {tile}" in table.legal("E")) is (rule in rules_that_allow)


def test_tiles_of_others_do_not_affect_a_kan_in_riichi() -> None:
    hands = {"E": FREE_TRIPLET, "N": "8888m"}  # East waits for 5m and 8m
    table = Table(hands=hands, draws="7z 9s 9p 9s 2p").play("E riichi 7z", "-", "-", "-")
    assert "ankan 2p" in table.legal("E")


def test_only_the_drawn_tile_makes_a_kan_in_riichi() -> None:
    table = Table(hands={"E": "2222p3p22456s123m"}, draws="7z 9s 9p 9s 7z")
    assert "ankan 2p" in table.legal("E")
    table.play("E riichi 7z", "-", "-", "-")
    assert table.legal("E") == {"discard 7z"}


# Furiten -------------------------------------------------------------------------------------------------

RYANMEN = "23p567s222m33m777z"  # waits for 1p and 4p; the Red dragon is its yaku


def may_ron(table: Table, wind: str = "S") -> bool:
    return "ron" in table.legal(wind)


def test_discard_furiten_bars_ron_on_every_wait_but_not_tsumo() -> None:
    table = Table(hands={"S": RYANMEN}, draws="9m 1p 4p 9s 9s 4p").play("-", "S discard 1p", "W discard 4p")
    assert not may_ron(table)
    table.play("N discard 9s", "E discard 9s")
    assert "tsumo" in table.legal("S")


def test_a_passed_win_bars_ron_until_the_players_draw() -> None:
    table = Table(hands={"S": RYANMEN}, draws="9m 9m 1p 4p 4p 9m 4p").play("-", "-", "W discard 1p")
    assert may_ron(table)
    table.play("S pass", "N discard 4p")
    assert not may_ron(table)
    table.play("E discard 4p")
    assert not may_ron(table)
    table.play("S discard 9m", "W discard 4p")
    assert may_ron(table)


def test_passing_a_win_without_a_yaku_causes_furiten() -> None:
    table = Table(hands={"S": KANCHAN_3S.replace("24s", "23s")}, draws="9m 9m 4s")
    table.play("-", "-", "-").expect(furiten="S")


@pytest.mark.parametrize(("until", "may"), [("own_draw", False), ("own_draw_or_call", True)])
def test_a_call_and_temporary_furiten(until: str, may: bool) -> None:
    table = Table({"furiten.temporary_until": until}, {"S": RYANMEN}, "9m 9m 1p 3m 4p")
    table.play("-", "-", "W discard 1p", "S pass", "N discard 3m", "S pon", "S discard 2m", "W discard 4p")
    assert may_ron(table) is may


@pytest.mark.parametrize(("permanent", "may"), [(True, False), (False, True)])
def test_a_win_passed_in_riichi(permanent: bool, may: bool) -> None:
    rules = {"furiten.riichi_permanent": permanent}
    table = Table(rules, {"S": RYANMEN}, "9m 9s 1p 9s 9s 9m 4p")
    table.play("-", "S riichi 9s", "W discard 1p", "S pass", "-", "-", "S discard 9m", "W discard 4p")
    assert may_ron(table) is may
    drawn = Table(rules, {"S": RYANMEN}, "9m 9s 1p 9s 9s 4p")
    drawn.play("-", "S riichi 9s", "W discard 1p", "S pass", "-", "-")
    assert "tsumo" in drawn.legal("S")


def test_a_concealed_kan_is_not_a_passed_win() -> None:
    table = Table(hands={"S": RYANMEN, "W": "111p"}, draws="9m 9s 1p 4p", rinshan="9s")
    table.play("-", "S riichi 9s", "W ankan 1p", "W discard 9s", "N discard 4p")
    assert may_ron(table)

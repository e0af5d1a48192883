"""Norths set aside: waits and riichi, wins on a north, and discarding one."""

from typing import Any

import pytest

from support.options.three import THREE
from support.table import Table

PLAIN: dict[str, Any] = {"indicators": "2s2s", "ura": "3s3s"}
ON_NORTH = "123456p789s111s4z"  # waits for north alone
ORPHANS = "119m19p19s12z4444z"  # kokushi, once four norths have been set aside and replaced


def table(rules: dict[str, Any], hands: dict[str, str], draws: str, rinshan: str) -> Table:
    return Table({**THREE, **rules}, hands, draws, rinshan=rinshan, **PLAIN)


@pytest.mark.parametrize(("rule", "may"), [("allowed", True), ("refused", False)])
@pytest.mark.parametrize("setters", ["SW", "SS"])
def test_riichi_on_norths_that_others_have_set_aside(setters: str, rule: str, may: bool) -> None:
    """East holds one north and waits for another; the other three are set aside."""
    hands = {"E": ON_NORTH, "S": "44z" if setters == "SW" else "444z", "W": "4z" if setters == "SW" else ""}
    game = table({"riichi.exhausted_wait": rule}, hands, "7z 7z 7z 6z", "9m9m9m")
    game.play("-", *["S kita"] * hands["S"].count("4"), "S discard")
    game.play(*["W kita"] * len(hands["W"][:1]), "W discard")
    assert ("riichi 6z" in game.legal("E")) is may


def kokushi(*, own: bool) -> Table:
    """Let East wait for north with thirteen orphans, with all four norths set aside by East or by others."""
    if own:
        game = table({}, {"E": ORPHANS}, "3z 2p 2p 2p", "5z6z7z2p")
        return game.play(*["E kita"] * 4, "E discard 2p")
    hands = {"E": "119m19p19s123567z", "S": "44z", "W": "44z"}
    game = table({}, hands, "2p", "3p3p3p3p").play("E discard 2p", "S kita", "S kita", "S discard")
    return game.play("W kita", "W kita", "W discard")


@pytest.mark.parametrize(("own", "tenpai"), [(True, False), (False, True)])
def test_a_wait_for_north_with_all_four_set_aside_is_noten(own: bool, tenpai: bool) -> None:
    """Only norths set aside by the player count, as only the player's own melds do."""
    game = kokushi(own=own)
    assert bool(int(game.game.waits[0])) is tenpai
    game.to_the_end()
    assert ("E" in game.facts()["tenpai"]) is tenpai


def test_a_shanpon_wait_loses_north_with_two_in_hand_and_two_set_aside() -> None:
    game = table({}, {"E": "123456p789s4444z"}, "7z", "1s1s")
    game.play("E kita", "E kita", "E discard 7z")
    assert int(game.game.waits[0]) == 1 << 18  # 1s alone: all four norths are the player's own


def test_a_riichi_loses_its_wait_for_north_when_all_are_set_aside_or_held() -> None:
    """A riichi hand waits for 1s and north; with two norths held and two set aside, only 1s is left."""
    hands = {"E": "123456p789s11s44z"}
    game = table({}, hands, "6z 7z 7z 4z", "9s9p").play("E riichi 6z", "-", "-", "E kita", "E discard")
    assert int(game.game.waits[0]) == 1 << 18 | 1 << 30
    assert game.facts()["turn"] == "S"


# Wins on a north ---------------------------------------------------------------------------------------


YAKUMAN = {"S": "111222333z11s44z"}  # daisuushii on north
CHEAP = {"S": "123p456s789s11p44z"}


@pytest.mark.parametrize(("ron", "yakuman", "cheap"), [
    ("any", True, True), ("yakuman", True, False), ("kokushi", False, False), ("never", False, False),
])  # fmt: skip
def test_hands_that_win_on_a_north_being_set_aside(ron: str, yakuman: bool, cheap: bool) -> None:
    rules = {"kita.ron": ron, "kita.chankan": True}
    for hands, may in ((YAKUMAN, yakuman), (CHEAP, cheap)):
        game = table(rules, {**hands, "E": "4z"}, "5p", "9s").play("E kita")
        assert ("ron" in game.legal("S")) is may


def test_a_kazoe_yakuman_by_dora_does_not_win_on_a_north() -> None:
    table = Table(
        {**THREE, "kita.ron": "yakuman", "kita.chankan": True}, {"S": "111999p111s99s44z", "E": "4z"}, "5p",
        rinshan="9m", indicators="9p8p",
    )  # fmt: skip
    assert "ron" not in table.play("E kita").legal("S")


@pytest.mark.parametrize(("ron", "furiten"), [("any", "S"), ("yakuman", ""), ("never", "")])
def test_only_a_north_that_could_be_won_on_causes_furiten(ron: str, furiten: str) -> None:
    rules = {"kita.ron": ron, "kita.chankan": True}
    game = table(rules, {**CHEAP, "E": "4z"}, "5p", "9s").play("E kita")
    if "pass" in game.legal("S"):
        game.play("S pass")
    assert game.facts()["furiten"] == furiten


@pytest.mark.parametrize("ron", ["yakuman", "any"])
def test_a_yakuman_that_lets_a_north_pass_is_furiten(ron: str) -> None:
    game = table({"kita.ron": ron}, {**YAKUMAN, "E": "4z"}, "5p", "9s").play("E kita", "S pass")
    assert game.facts()["furiten"] == "S"


# The indicator of an open kan -------------------------------------------------------------------------------


@pytest.mark.parametrize(("counts", "indicators"), [(True, 2), (False, 1)])
def test_a_north_after_an_open_kan_turns_the_indicator_as_a_discard_does(
    counts: bool, indicators: int
) -> None:
    """In Mahjong Soul the indicator is turned when the north is set aside, and counts for a ron on it."""
    rules = {"dora.minkan_reveal": "after_discard", "dora.delayed_dora_counts_for_ron": counts}
    hands = {"S": "111z4z", "W": "123p456s789s11p44z"}
    table = Table({**THREE, **rules, "kita.chankan": True}, hands, "1z", rinshan="9m", indicators="8s9p")
    table.play("E discard 1z", "S kan").expect(dora=1)
    table.play("S kita", "W ron")
    assert int(table.game.indicators) == indicators
    assert int(table.game.wins[0].dora[1]) == (17 if indicators > 1 else 255)


# Discarding a north -----------------------------------------------------------------------------------

KEPT = {"kita.discard": False}


def test_a_north_that_may_not_be_discarded_is_set_aside_or_kept() -> None:
    game = table(KEPT, {"E": "44z"}, "5p", "9s")
    assert {"discard 4z", "riichi 4z"} & game.legal("E") == set()
    assert {"kita", "discard 5p"} <= game.legal("E")
    assert "discard 4z" in table({}, {"E": "44z"}, "5p", "9s").legal("E")


def test_a_riichi_cannot_be_declared_with_a_north_that_may_not_be_discarded() -> None:
    hands = {"E": "123456p789s11s23s"}
    assert "riichi 4z" in table({}, hands, "4z", "9m").legal("E")
    assert "riichi 4z" not in table(KEPT, hands, "4z", "9m").legal("E")


def test_in_riichi_a_drawn_north_is_set_aside() -> None:
    game = table(KEPT, {"E": "123456p789s11s23s"}, "6z 7z 7z 4z", "9m").play("E riichi 6z", "-", "-")
    assert game.legal("E") == {"kita"}


def test_in_riichi_the_last_tile_of_the_wall_is_discarded_even_if_it_is_a_north() -> None:
    hands = {"E": "123456p789s11s23s", "S": "44z", "W": "4z"}
    scores = Table({**THREE, **KEPT}, hands, "6z", last="4z", **PLAIN).play("E riichi 6z").until(0)
    scores.expect(turn="E", left=0)
    assert scores.legal("E") == {"discard 4z"}


@pytest.mark.parametrize(("rules", "may"), [(KEPT, False), ({}, True)])
def test_after_a_call_a_north_may_not_be_discarded_if_another_tile_may(
    rules: dict[str, Any], may: bool
) -> None:
    game = table(rules, {"S": "11z4z"}, "1z", "9s").play("E discard 1z", "S pon")
    assert ("discard 4z" in game.legal("S")) is may


def test_after_a_call_that_leaves_two_norths_one_is_discarded() -> None:
    """Neither can be set aside before the next draw, and there is no other tile."""
    hands = {"S": "112233556z44z9m1m"}
    game = table(KEPT, hands, "1z 2p 2z 3p 3z 4p 5z", "9s").play("E discard 1z", "S pon", "S discard 9m", "-")
    game.play("E discard 2z", "S pon", "S discard 1m", "-", "E discard 3z", "S pon", "S discard 6z", "-")
    assert game.play("E discard 5z", "S pon").legal("S") == {"discard 4z"}

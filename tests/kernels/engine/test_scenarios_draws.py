"""Hands without a winner: exhaustive draws, nagashi mangan, abortive draws (inventory 218–241)."""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from jantaku.tiles import EAST, HONOURS, RED, format_tiles
from support.table import Table, ruleset, tile_set

TENPAI = {
    "E": "123456789m1122z",
    "S": "123456789p3344z",
    "W": "123456789s5566z",
    "N": "111999m111p99p77z",
}


# Exhaustive draws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tenpai", "payment", "delta"),
    [
        ("", 3000, (0, 0, 0, 0)),
        ("E", 3000, (3000, -1000, -1000, -1000)),
        ("S", 3000, (-1000, 3000, -1000, -1000)),
        ("EW", 3000, (1500, -1500, 1500, -1500)),
        ("ESN", 3000, (1000, 1000, -3000, 1000)),
        ("ESWN", 3000, (0, 0, 0, 0)),
        ("E", 6000, (6000, -2000, -2000, -2000)),
        ("SW", 1500, (-800, 800, 700, -700)),
        ("S", 0, (0, 0, 0, 0)),
    ],
)
def test_noten_payments(tenpai: str, payment: int, delta: tuple[int, ...]) -> None:
    hands = {wind: hand for wind, hand in TENPAI.items() if wind in tenpai}
    table = Table({"draw.noten_payment": payment}, hands, honba=1, deposits=1).to_the_end()
    table.expect(ended="exhausted", tenpai=tenpai, delta=delta, honba=2, deposits=1)
    table.expect(number=0 if "E" in tenpai else 1)


@pytest.mark.parametrize(("renchan", "number"), [("tenpai", 0), ("agari", 1), ("none", 1)])
def test_the_deal_after_a_draw_with_the_dealer_tenpai(renchan: str, number: int) -> None:
    table = Table({"deal.renchan": renchan}, {"E": TENPAI["E"]}, honba=2).to_the_end()
    table.expect(ended="exhausted", number=number, honba=3)


def test_the_riichi_stick_stays_on_the_table() -> None:
    table = Table(hands={"E": TENPAI["E"]}, draws="7z").play("E riichi 7z").to_the_end()
    table.expect(scores=(27000, 24000, 24000, 24000), deposits=1)


def test_seventy_draws_make_a_hand() -> None:
    table = Table().until(left=0)
    table.expect(ended="running", turn="S")
    assert int(table.game.discards.sum()) == 69
    table.to_the_end().expect(ended="exhausted")
    assert int(table.game.discards.sum()) == 70


# Nagashi mangan ------------------------------------------------------------------------------------------


def yaochuu_at(places: Iterable[int]) -> str:
    """Return seventy draws: yaochuu at ``places``, an East wind first, and simples elsewhere."""
    tiles = [tile for tile in tile_set(ruleset("standard")) if tile < RED and tile != EAST]
    Random(1).shuffle(tiles)
    simple = [tile for tile in tiles if tile < HONOURS and 0 < tile % 9 < 8]
    outer = [EAST, *(tile for tile in tiles if tile not in simple)]
    wanted = set(places)
    return " ".join(format_tiles([outer.pop(0) if i in wanted else simple.pop()]) for i in range(70))


SOUTH = yaochuu_at(range(1, 70, 4))
MANGAN = (-4000, 8000, -2000, -2000)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("off", {"nagashi": "", "delta": (0, 0, 0, 0), "honba": 2, "deposits": 1}),
        ("as_draw", {"nagashi": "S", "delta": MANGAN, "honba": 2, "deposits": 1}),
        ("as_win", {"nagashi": "S", "delta": (-4100, 8300 + 1000, -2100, -2100), "honba": 0, "deposits": 0}),
    ],
)
def test_nagashi_mangan(rule: str, expected: dict[str, Any]) -> None:
    table = Table({"draw.nagashi_mangan": rule}, draws=SOUTH, honba=1, deposits=1).to_the_end()
    table.expect(ended="exhausted", number=1, **expected)


@pytest.mark.parametrize(("rule", "number", "honba"), [("as_draw", 1, 1), ("as_win", 0, 1)])
def test_nagashi_mangan_of_a_noten_dealer(rule: str, number: int, honba: int) -> None:
    table = Table({"draw.nagashi_mangan": rule}, draws=yaochuu_at(range(0, 70, 4))).to_the_end()
    table.expect(nagashi="E", delta=(12000, -4000, -4000, -4000), number=number, honba=honba)


@pytest.mark.parametrize("called", [False, True])
def test_a_called_discard_breaks_nagashi_mangan(called: bool) -> None:
    """After North's pon, South draws the fourth tile and every fourth tile from then on."""
    draws = yaochuu_at([1, *range(3 if called else 5, 70, 4)])
    table = Table(hands={"N": "11z5m"}, draws=draws).play("-", "S discard 1z")
    if called:
        table.play("N pon", "N discard 5m")
    table.to_the_end().expect(ended="exhausted", nagashi="" if called else "S")


@pytest.mark.parametrize(("closed", "nagashi"), [(True, ""), (False, "S")])
def test_nagashi_mangan_with_an_open_hand(closed: bool, nagashi: str) -> None:
    draws = yaochuu_at([0, *range(4, 70, 4)])
    table = Table({"draw.nagashi_needs_closed": closed}, {"S": "11z9m"}, draws)
    table.play("E discard 1z", "S pon", "S discard 9m").to_the_end()
    table.expect(ended="exhausted", nagashi=nagashi)


# Abortive draws ------------------------------------------------------------------------------------------

NINE_KINDS = "19m19p19s123z3456m"
WINDS_OF_ONE = {"E": "1z", "S": "1z", "W": "1z", "N": "1z"}
FOUR_RIICHI = "5m 5p 5s 8p"
KANS = {"E": "111122223333m5z", "S": "1111p"}


def kyuushu(rules: dict[str, Any]) -> Table:
    table = Table(rules, {"S": NINE_KINDS}, "7z 5z").play("-")
    return table.play("S kyuushu") if "kyuushu" in table.legal("S") else table


def suufuu(rules: dict[str, Any]) -> Table:
    return Table(rules, WINDS_OF_ONE).play(*[f"{wind} discard 1z" for wind in "ESWN"])


def four_riichi(rules: dict[str, Any]) -> Table:
    table = Table(rules, TENPAI, FOUR_RIICHI)
    return table.play("E riichi 5m", "S riichi 5p", "W riichi 5s", "N riichi 8p")


def four_kans(rules: dict[str, Any]) -> Table:
    table = Table(rules, KANS, "9s", rinshan="8s7s6s7z").play("E ankan 1m", "E ankan 2m", "E ankan 3m")
    table.play("E discard", "S ankan 1p")
    return table.play("S discard") if table.facts()["ended"] == "running" else table


ABORTS = {
    "kyuushu_kyuuhai": kyuushu,
    "suufuu_renda": suufuu,
    "suucha_riichi": four_riichi,
    "suukansanra": four_kans,
}
OPTIONS = {
    "kyuushu_kyuuhai": "draw.kyuushu_kyuuhai",
    "suufuu_renda": "draw.suufuu_renda",
    "suucha_riichi": "draw.suucha_riichi",
    "suukansanra": "draw.suukansanra",
}


@pytest.mark.parametrize("name", ABORTS)
def test_an_abortive_draw_moves_no_points(name: str) -> None:
    table = ABORTS[name]({}).expect(ended=name, delta=(0, 0, 0, 0), number=0, honba=1)
    table.expect(deposits=4 if name == "suucha_riichi" else 0)
    ABORTS[name]({OPTIONS[name]: False}).expect(ended="running", honba=0)


@pytest.mark.parametrize("name", ABORTS)
@pytest.mark.parametrize(
    ("rules", "number", "honba"),
    [
        ({"draw.dealer_after_abort": "stays", "draw.honba_after_abort": "adds"}, 0, 1),
        ({"draw.dealer_after_abort": "passes", "draw.honba_after_abort": "adds"}, 1, 1),
        ({"draw.dealer_after_abort": "stays", "draw.honba_after_abort": "keeps"}, 0, 0),
    ],
)
def test_deal_and_honba_after_an_abortive_draw(
    name: str, rules: dict[str, Any], number: int, honba: int
) -> None:
    ABORTS[name](rules).expect(ended=name, number=number, honba=honba)


def test_kyuushu_is_a_choice() -> None:
    table = Table(hands={"E": NINE_KINDS}, draws="5z")
    assert "kyuushu" in table.legal("E")
    table.play("E discard 5z").expect(ended="running")


def test_eight_kinds_are_too_few() -> None:
    table = Table(hands={"E": "19m19p1s123z34567m"}, draws="8m")
    assert "kyuushu" not in table.legal("E")


@pytest.mark.parametrize("broken_by", ["call", "kan", "own discard"])
def test_no_kyuushu_after_an_interruption_or_the_first_draw(broken_by: str) -> None:
    if broken_by == "call":
        table = Table(hands={"S": NINE_KINDS, "N": "77z8m"}, draws="7z 8p 5z")
        table.play("E discard 7z", "N pon", "N discard 8m", "-")
    elif broken_by == "kan":
        table = Table(hands={"S": NINE_KINDS, "E": "777z"}, draws="7z 5z", rinshan="8p")
        table.play("E ankan 7z", "E discard 8p")
    else:
        table = Table(hands={"S": NINE_KINDS}, draws="7z 5z 8p 8p 8p 5z").play("-", "-", "-", "-", "-")
    assert "discard 5z" in table.legal("S")
    assert "kyuushu" not in table.legal("S")


def test_different_winds_or_a_kan_are_not_suufuu_renda() -> None:
    table = Table(hands=WINDS_OF_ONE | {"N": "2z"})
    table.play(*[f"{wind} discard 1z" for wind in "ESW"], "N discard 2z").expect(ended="running")
    kan = Table(hands=WINDS_OF_ONE | {"E": "1z111m"}, draws="1m").play("E ankan 1m")
    kan.play(*[f"{wind} discard 1z" for wind in "ESWN"]).expect(ended="running")


def test_dragons_are_not_suufuu_renda() -> None:
    table = Table(hands=dict.fromkeys("ESWN", "5z"))
    table.play(*[f"{wind} discard 5z" for wind in "ESWN"]).expect(ended="running")


def test_the_fourth_riichi_may_be_ronned() -> None:
    table = Table(hands=TENPAI, draws="5m 5p 5s 1z").play("E riichi 5m", "S riichi 5p", "W riichi 5s")
    table.play("N riichi 1z", "E ron").expect(ended="won", winners="E", deposits=0)


@pytest.mark.parametrize(("at", "phase"), [("at_once", "suukansanra"), ("after_discard", "running")])
def test_when_four_kans_end_the_hand(at: str, phase: str) -> None:
    rules = {"draw.suukansanra_at": at}
    table = Table(rules, KANS, "9s", rinshan="8s7s6s7z").play("E ankan 1m", "E ankan 2m", "E ankan 3m")
    table.play("E discard", "S ankan 1p").expect(ended=phase)


def test_the_discard_after_the_fourth_kan_may_be_ronned() -> None:
    hands = KANS | {"W": "456p345p22p24s678s"}
    table = Table(hands=hands, draws="9s", rinshan="8s7s6s3s", indicators="6z6z6z5z5z")
    table.play("E ankan 1m", "E ankan 2m", "E ankan 3m", "E discard", "S ankan 1p", "S discard 3s", "W ron")
    table.expect(ended="won", winners="W")


# The rules of a game -------------------------------------------------------------------------------------


def test_all_players_start_with_the_same_points() -> None:
    rules = {"match.start_points": 30000, "match.sticks": {"10000": 2, "5000": 2}}
    Table(rules).expect(scores=(30000, 30000, 30000, 30000), number=0, honba=0, deposits=0)

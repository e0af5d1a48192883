"""Situational wins, several winners, liability, and the effect of a win on the game."""

from typing import Any

import pytest

from support.table import Table

KANCHAN_3S = "123m456p789s99p24s"  # waits for 3s alone, no yaku, 40 fu by ron
NO_DORA = {"indicators": "6z6z", "ura": "2z2z"}
ONE = {"S": "234m567m22p24s678s"}  # tanyao on 3s: 1300 each, 2000 to the dealer
TWO = ONE | {"W": "345p678p33m24s567m"}
THREE = TWO | {"N": "456p456m77p24s888m"}


# Last tiles and first turns ------------------------------------------------------------------------------


def test_haitei() -> None:
    table = Table(hands={"S": KANCHAN_3S}, last="3s", **NO_DORA).until(left=0)
    table.play("S tsumo").expect(delta=(-1000, 2000, -500, -500))  # with menzen tsumo, 30 fu


def test_houtei() -> None:
    table = Table(hands={"N": KANCHAN_3S, "W": "333s"}, last="3s", **NO_DORA).until(left=0)
    table.play("S discard", "N ron").expect(delta=(0, -1300, 0, 1300))


def test_the_last_but_one_discard_is_not_houtei() -> None:
    table = Table(hands={"N": KANCHAN_3S, "W": "333s"}, last="5z3s", **NO_DORA).until(left=1)
    assert table.play("E discard").legal("N") == set()


def test_tenhou() -> None:
    table = Table(hands={"E": KANCHAN_3S}, draws="3s").play("E tsumo")
    table.expect(delta=(48000, -16000, -16000, -16000), number=0, honba=1)


def test_a_kan_before_the_win_rules_out_tenhou() -> None:
    table = Table(hands={"E": "111m456p789s99p24s"}, draws="1m", rinshan="3s", **NO_DORA)
    table.play("E ankan 1m", "E tsumo").expect(delta=(6000, -2000, -2000, -2000))  # 2 han 60 fu


def test_chiihou() -> None:
    table = Table(hands={"S": KANCHAN_3S}, draws="7z 3s").play("-", "S tsumo")
    table.expect(delta=(-16000, 32000, -8000, -8000), number=1, honba=0)


def test_a_call_before_the_win_rules_out_chiihou() -> None:
    table = Table(hands={"S": KANCHAN_3S, "N": "11z9m"}, draws="1z 7z 3s", **NO_DORA)
    table.play("E discard 1z", "N pon", "N discard 9m", "-", "S tsumo")
    table.expect(delta=(-500, 1100, -300, -300))


@pytest.mark.parametrize(
    ("value", "points"), [(False, None), ("mangan", 8000), ("baiman", 16000), ("yakuman", 32000)]
)
def test_renhou(value: Any, points: int | None) -> None:
    rules = {"yaku.renhou.closed": value}
    table = Table(rules, {"W": KANCHAN_3S}, "3s").play("E discard 3s")
    assert ("ron" in table.legal("W")) is (points is not None)
    if points:
        table.play("W ron").expect(delta=(-points, 0, points, 0))


@pytest.mark.parametrize("before", ["call", "own draw"])
def test_no_renhou_after_a_call_or_a_draw(before: str) -> None:
    rules = {"yaku.renhou.closed": "mangan"}
    if before == "call":
        table = Table(rules, {"W": KANCHAN_3S, "N": "11z9m"}, "1z 3s")
        table.play("E discard 1z", "N pon", "N discard 9m", "E discard 3s")
    else:
        table = Table(rules, {"W": KANCHAN_3S}, "7z 7z 5z 3s").play("-", "-", "-", "N discard 3s")
    assert table.legal("W") == set()


def test_a_yaku_is_needed() -> None:
    table = Table(hands={"W": KANCHAN_3S}, draws="7z 7z 7z 3s").play("-", "-", "-", "N discard 3s")
    assert table.legal("W") == set()


# Several winners -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "hands", "delta"),
    [  # 1 honba and 1 deposit go to the winner nearest to the discarder
        ("head_bump", TWO, (-1600, 2600, 0, 0)),
        ("head_bump", THREE, (-1600, 2600, 0, 0)),
        ("all", TWO, (-2900, 2600, 1300, 0)),
        ("all", THREE, (-4200, 2600, 1300, 1300)),
        ("double_triple_draw", TWO, (-2900, 2600, 1300, 0)),
        ("double_triple_draw", THREE, None),
        ("nearest_two", TWO, (-2900, 2600, 1300, 0)),
        ("nearest_two", THREE, (-2900, 2600, 1300, 0)),
        ("head_bump_triple_draw", TWO, (-1600, 2600, 0, 0)),
        ("head_bump_triple_draw", THREE, None),
    ],
)
def test_several_rons(rule: str, hands: dict[str, str], delta: tuple[int, ...] | None) -> None:
    rules = {"win.multiple_ron": rule, "draw.sanchahou": rule.endswith("triple_draw")}
    table = Table(rules, hands, "3s", honba=1, deposits=1, **NO_DORA).play("E discard 3s")
    table.play(*[f"{wind} ron" for wind in reversed(hands)])
    if delta:
        table.expect(ended="won", delta=delta, deposits=0, number=1, honba=0)
    else:
        table.expect(ended="sanchahou", delta=(0, 0, 0, 0), deposits=1, number=0, honba=2)


@pytest.mark.parametrize(
    ("rules", "delta"),
    [
        ({}, (-4200, 1300 + 300 + 4000, 1300, 1300)),
        ({"win.honba_to": "each"}, (-4800, 1600 + 4000, 1600, 1600)),
        ({"win.deposits_to": "split"}, (-4200, 1600 + 2000, 2300, 2300)),
    ],
)
def test_shares_of_several_winners(rules: dict[str, Any], delta: tuple[int, ...]) -> None:
    everybody = {"win.multiple_ron": "all", "draw.sanchahou": False} | rules
    table = Table(everybody, THREE, "3s", honba=1, deposits=4, **NO_DORA)
    table.play("E discard 3s", "S ron", "W ron", "N ron").expect(delta=delta, deposits=0)


@pytest.mark.parametrize(
    ("rule", "stays"), [("stays", True), ("passes_if_dealer_dealt_in", False), ("passes", False)]
)
@pytest.mark.parametrize("by", ["E", "N"])
def test_the_deal_after_a_triple_ron(rule: str, stays: bool, by: str) -> None:
    shift = {"E": 0, "N": 3}[by]
    hands = {"ESWN"[("ESWN".index(wind) + shift) % 4]: hand for wind, hand in THREE.items()}
    draws = "3s" if by == "E" else "7z 7z 5z 3s"
    table = Table({"draw.dealer_after_triple_ron": rule}, hands, draws).play(*["-"] * shift)
    table.play(f"{by} discard 3s", *[f"{wind} ron" for wind in hands])
    if rule == "passes_if_dealer_dealt_in":
        stays = by != "E"
    table.expect(ended="sanchahou", number=0 if stays else 1, honba=1)


@pytest.mark.parametrize(
    ("rule", "number", "left", "paid"),
    [("any_winner", 0, 0, 2000), ("riichi_winner", 0, 2, 0), ("riichi_winner", 7, 2, 2000)],
)
def test_winners_of_deposits(rule: str, number: int, left: int, paid: int) -> None:
    """Some rules keep deposits for a winner in riichi, or any winner in the final hand (inventory 137)."""
    rules = {"riichi.sticks_to": rule, "end.leftover_deposits": "nobody"}
    table = Table(rules, ONE, "3s", deposits=2, number=number, **NO_DORA)
    table.play("E discard 3s", "S ron").expect(delta=(-1300, 1300 + paid, 0, 0))
    assert table.facts()["deposits"] == (0 if paid else left)


def test_the_nearest_winner_in_riichi_gets_reserved_deposits() -> None:
    rules = {"riichi.sticks_to": "riichi_winner", "riichi.ippatsu": False, "riichi.double": False}
    table = Table(rules, TWO, "7z 7z 5z 9m 3s", deposits=2, **NO_DORA).play("-", "-", "W riichi 5z", "-")
    table.play("E discard 3s", "S ron", "W ron")
    # sticks of this hand go to the nearest winner, earlier ones to the winner in riichi
    table.expect(delta=(-1300 - 2600, 1300 + 1000, 2600 + 2000, 0), deposits=0)


# Open riichi ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "limit"), [("normal", False), ("yakuman", True)])
@pytest.mark.parametrize("discarder_in_riichi", [False, True])
def test_dealing_into_an_open_riichi(rule: str, limit: bool, discarder_in_riichi: bool) -> None:
    rules = {"riichi.open": True, "riichi.open_deal_in": rule}
    if limit:
        rules |= {"yaku.open_riichi_deal_in.closed": "yakuman"}
    hands = {"E": KANCHAN_3S, "S": "123456789m1122z"}
    table = Table(rules, hands, "7z 5z 9p 8m 8m 3s", **NO_DORA).play("E open_riichi 7z")
    table.play("S riichi 5z" if discarder_in_riichi else "-", "-", "-", "-", "S discard 3s", "E ron")
    yakuman = limit and not discarder_in_riichi
    assert (table.facts()["delta"][1] == -48000) is yakuman


# Liability -----------------------------------------------------------------------------------------------

DAISANGEN = {"S": "556677z99s45p1m9m1s"}


def daisangen(rules: dict[str, Any], draws: str, honba: int = 0) -> Table:
    """Let South call three dragons, the last one from West."""
    table = Table(rules, DAISANGEN, "5z 6z 7z" + draws, honba=honba)
    table.play("E discard 5z", "S pon", "S discard 1m", "W discard 6z", "S pon", "S discard 9m")
    return table.play("W discard 7z", "S pon", "S discard 1s")


@pytest.mark.parametrize(
    ("rules", "honba", "ron", "tsumo"),
    [
        ({}, 0, (-16000, 32000, -16000, 0), (0, 32000, -32000, 0)),
        ({"pao.yakuman": []}, 0, (-32000, 32000, 0, 0), (-16000, 32000, -8000, -8000)),
        ({"pao.ron": "equal_shares"}, 0, (-16000, 32000, -16000, 0), (0, 32000, -32000, 0)),
        ({"pao.tsumo": "equal_shares"}, 0, (-16000, 32000, -16000, 0), (0, 32000, -32000, 0)),
        ({}, 1, (-16300, 32300, -16000, 0), (0, 32300, -32300, 0)),
        ({"pao.honba": "liable"}, 1, (-16000, 32300, -16300, 0), (0, 32300, -32300, 0)),
        ({"score.honba_value": 1500}, 1, (-17500, 33500, -16000, 0), (0, 33500, -33500, 0)),
    ],
)
def test_liability_for_daisangen(rules: dict[str, Any], honba: int, ron: Any, tsumo: Any) -> None:
    from_east = daisangen(rules, "8m 8m 6p", honba).play("-", "-", "E discard 6p", "S ron")
    from_east.expect(delta=ron)
    daisangen(rules, "8m 8m 8m 6p", honba).play("-", "-", "-", "S tsumo").expect(delta=tsumo)


def test_the_liable_player_who_deals_in_pays_alone() -> None:
    daisangen({}, "6p").play("W discard 6p", "S ron").expect(delta=(0, 32000, -32000, 0))


def daisuushii(draws: str) -> Table:
    table = Table(hands={"S": "11223344z9m8m1p1s5p"}, draws="1z 2z 3z 4z" + draws)
    table.play("E discard 1z", "S pon", "S discard 9m", "W discard 2z", "S pon", "S discard 8m")
    return table.play("W discard 3z", "S pon", "S discard 1p", "W discard 4z", "S pon", "S discard 1s")


def test_liability_for_daisuushii() -> None:
    daisuushii("7m 7m 5p").play("-", "-", "E discard 5p", "S ron").expect(delta=(-16000, 32000, -16000, 0))
    daisuushii("7m 7m 7m 5p").play("-", "-", "-", "S tsumo").expect(delta=(0, 32000, -32000, 0))


def test_nobody_is_liable_for_drawn_dragons() -> None:
    table = Table(hands={"S": "55566z99s45p1m9m77z"}, draws="6z 7z 8m 8m 6p")
    table.play("E discard 6z", "S pon", "S discard 1m", "W discard 7z", "S pon", "S discard 9m")
    table.play("-", "-", "E discard 6p", "S ron").expect(delta=(-32000, 32000, 0, 0))


# The effect of a win on the game --------------------------------------------------------------------------


@pytest.mark.parametrize(("renchan", "number", "honba"), [("tenpai", 0, 2), ("agari", 0, 2), ("none", 1, 0)])
def test_the_dealer_wins(renchan: str, number: int, honba: int) -> None:
    hands = {"E": ONE["S"]}
    table = Table({"deal.renchan": renchan}, hands, "7z 3s", honba=1, **NO_DORA).play("-", "S discard 3s")
    table.play("E ron").expect(delta=(2300, -2300, 0, 0), number=number, honba=honba)


def test_another_player_wins() -> None:
    table = Table(hands=ONE, draws="3s", honba=2, **NO_DORA).play("E discard 3s", "S ron")
    table.expect(delta=(-1900, 1900, 0, 0), number=1, honba=0, streak=0)


@pytest.mark.parametrize(
    ("tobi", "points", "over"),
    [
        ("off", 0, False),
        ("below_zero", 1300, False),
        ("below_zero", 1200, True),
        ("zero_or_below", 1300, True),
        ("zero_or_below", 1400, False),
    ],
)
def test_busting_ends_the_game(tobi: str, points: int, over: bool) -> None:
    scores = (points, 33000, 33000, 34000 - points)
    table = Table({"end.tobi": tobi}, ONE, "3s", scores=scores, **NO_DORA).play("E discard 3s", "S ron")
    table.expect(over=over, scores=(points - 1300, 34300, 33000, 34000 - points))


@pytest.mark.parametrize(
    ("stop", "decides", "over"),
    [
        ("off", None, False),
        ("optional", "E end_game", True),
        ("optional", "E play_on", False),
        ("forced", None, True),
    ],
)
def test_the_leading_dealer_ends_the_game_in_the_last_hand(
    stop: str, decides: str | None, over: bool
) -> None:
    hands = {"E": ONE["S"]}
    table = Table({"end.agari_yame": stop}, hands, "7z 3s", number=7, **NO_DORA).play("-", "S discard 3s")
    table.play("E ron")
    assert table.legal("E") == ({"end_game", "play_on"} if decides else set())
    table.play(*[decides] if decides else []).expect(over=over, number=7, honba=1)


@pytest.mark.parametrize(("number", "scores"), [(6, ()), (7, (10000, 40000, 25000, 25000))])
def test_only_the_leading_dealer_of_the_last_hand_decides(number: int, scores: tuple[int, ...]) -> None:
    hands, setting = {"E": ONE["S"]}, {"scores": scores} if scores else {}
    table = Table({"end.agari_yame": "optional"}, hands, "7z 3s", number=number, **setting, **NO_DORA)
    table.play("-", "S discard 3s", "E ron").expect(over=False, number=number)
    assert table.legal("E") == set()


@pytest.mark.parametrize(("extension", "over"), [("none", True), ("sudden_death", False)])
def test_the_game_continues_while_nobody_has_reached_the_target(extension: str, over: bool) -> None:
    table = Table({"end.extension": extension}, ONE, "3s", number=7, **NO_DORA).play("E discard 3s", "S ron")
    table.expect(over=over, number=7 if over else 8)

"""Priority of claims, kuikae, kans and their indicators (inventory 70–121)."""

from typing import Any

import pytest

from jantaku.game.wins import wins_of
from jantaku.kernels.engine.state import NO_TILE
from support.table import Table

TANYAO_5P = "234m456s678s22m46p"  # waits for 5p alone
NO_YAKU_3M = "12m456p789p123s11z"  # waits for 3m, without a yaku


# Priority ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["S chi 46p", "W pon", "N ron"], {"ended": "won", "winners": "N"}),
        (["N ron", "W kan", "S chi 46p"], {"ended": "won", "winners": "N"}),
        (["S chi 46p", "W pon"], {"turn": "W", "left": 69}),
        (["W kan", "S chi 46p"], {"turn": "W", "left": 68}),
        (["S chi 46p"], {"turn": "S", "left": 69}),
        ([], {"turn": "S", "left": 68}),
    ],
)
def test_ron_before_pon_and_kan_before_chi(answers: list[str], expected: dict[str, Any]) -> None:
    table = Table(hands={"S": "46p", "W": "550p", "N": TANYAO_5P}, draws="5p").play("E discard 5p")
    assert table.legal("W") == {"pon", "pon 05p", "kan", "pass"}
    table.play(*answers).expect(**expected)


def test_claims_resolve_after_every_answer() -> None:
    table = Table(hands={"S": "46p", "W": "550p"}, draws="5p").play("E discard 5p", "S chi 46p")
    assert table.legal("S") == set()
    assert table.legal("W") > {"pon"}
    table.play("W pass").expect(turn="S")


@pytest.mark.parametrize(("discarder", "may"), [("E", True), ("W", False), ("N", False)])
def test_chi_from_the_left_only(discarder: str, may: bool) -> None:
    table = Table(hands={"S": "46p", discarder: "5p"}).play(*["-"] * "ESWN".index(discarder))
    table.play(f"{discarder} discard 5p")
    assert ("chi 46p" in table.legal("S")) is may


def test_each_run_and_red_tile_gives_a_separate_chi() -> None:
    table = Table(hands={"S": "350677p"}, draws="4p").play("E discard 4p")
    assert table.legal("S") >= {"chi 35p", "chi 30p", "chi 56p", "chi 06p"}


def test_a_call_skips_players_and_the_next_is_to_its_right() -> None:
    table = Table(hands={"N": "11z9m"}, draws="1z").play("E discard 1z", "N pon", "N discard 9m")
    table.expect(turn="E", left=68)


def test_the_last_discard_may_only_be_ronned() -> None:
    table = Table(hands={"W": "46p550p", "N": TANYAO_5P}, last="5p").until(left=0).play("S discard")
    assert table.legal("W") == set()
    assert table.legal("N") == {"ron", "pass"}


# Kuikae --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kuikae", "chi", "pon"),
    [("forbidden", "", ""), ("suji_allowed", "6p", ""), ("allowed", "6p 9p", "1z")],
)
def test_kuikae(kuikae: str, chi: str, pon: str) -> None:
    rules = {"calls.kuikae": kuikae}
    run = Table(rules, {"S": "6789p"}, "9p").play("E discard 9p", "S chi 78p")
    assert run.legal("S") & {"discard 6p", "discard 9p"} == {f"discard {tile}" for tile in chi.split()}
    triplet = Table(rules, {"S": "111z"}, "1z").play("E discard 1z", "S pon")
    assert triplet.legal("S") & {"discard 1z"} == {f"discard {tile}" for tile in pon.split()}


def test_suji_is_not_enough_for_kuikae() -> None:
    """After calling 6p with 57p, 9p may be discarded: it is not the other end of the run (inventory 87)."""
    table = Table(hands={"S": "5679p"}, draws="6p").play("E discard 6p", "S chi 57p")
    assert table.legal("S") & {"discard 6p", "discard 9p"} == {"discard 9p"}


@pytest.mark.parametrize(("kuikae", "may"), [("forbidden", False), ("suji_allowed", True), ("allowed", True)])
def test_a_call_that_leaves_no_discard_is_refused(kuikae: str, may: bool) -> None:
    table = Table({"calls.kuikae": kuikae}, {"S": "112233z6789p567z"}, "1z 2z 3z 8s 8s 9p")
    table.play("E discard 1z", "S pon", "S discard 5z", "W discard 2z", "S pon", "S discard 6z")
    table.play("W discard 3z", "S pon", "S discard 7z", "-", "-", "E discard 9p")
    assert ("chi 78p" in table.legal("S")) is may


# Kans ----------------------------------------------------------------------------------------------------


def ankan(rules: dict[str, Any]) -> Table:
    """Let East declare an ankan; its rinshan tile is 9s."""
    return Table(rules, {"E": "111m", "S": "99s"}, "1m", rinshan="9s").play("E ankan 1m")


def daiminkan(rules: dict[str, Any]) -> Table:
    """Let South call East's discard for a daiminkan."""
    return Table(rules, {"S": "111z", "W": "99s"}, "1z", rinshan="9s").play("E discard 1z", "S kan")


def kakan(rules: dict[str, Any]) -> Table:
    """Let South add the tile it draws to its pon."""
    table = Table(rules, {"S": "11z7m", "W": "99s"}, "1z 8p 8p 8p 1z", rinshan="9s")
    return table.play("E discard 1z", "S pon", "S discard 7m", "-", "-", "-", "S kakan 1z")


@pytest.mark.parametrize(("make", "left"), [(ankan, 68), (daiminkan, 68), (kakan, 64)])
def test_a_kan_draws_from_the_dead_wall_and_shortens_the_live_one(make: Any, left: int) -> None:
    table = make({})
    table.expect(left=left)
    assert "discard 9s" in table.legal(table.facts()["turn"])


COUNTS_FOR_RON = {"dora.delayed_dora_counts_for_ron": True}
NO_KAN_DORA = {"dora.kan_dora": False, "dora.kan_ura": False}


@pytest.mark.parametrize(
    ("make", "rules", "indicators"),
    [  # number of indicators after the kan, while the discard may be claimed, and after nobody has claimed it
        (ankan, {"dora.ankan_reveal": "at_once"}, (2, 2, 2)),
        (ankan, {"dora.ankan_reveal": "after_discard"}, (1, 1, 2)),
        (ankan, {"dora.ankan_reveal": "after_discard"} | COUNTS_FOR_RON, (1, 2, 2)),
        (ankan, NO_KAN_DORA, (1, 1, 1)),
        (daiminkan, {"dora.minkan_reveal": "before_draw"}, (2, 2, 2)),
        (daiminkan, {"dora.minkan_reveal": "before_discard"}, (2, 2, 2)),
        (daiminkan, {"dora.minkan_reveal": "after_discard"}, (1, 1, 2)),
        (daiminkan, {"dora.minkan_reveal": "after_discard"} | COUNTS_FOR_RON, (1, 2, 2)),
        (daiminkan, NO_KAN_DORA, (1, 1, 1)),
        (kakan, {"dora.minkan_reveal": "before_draw"}, (2, 2, 2)),
        (kakan, {"dora.minkan_reveal": "before_discard"}, (2, 2, 2)),
        (kakan, {"dora.minkan_reveal": "after_discard"}, (1, 1, 2)),
        (kakan, {"dora.minkan_reveal": "after_discard"} | COUNTS_FOR_RON, (1, 2, 2)),
    ],
)
def test_indicators_are_turned_at_the_right_time(
    make: Any, rules: dict[str, Any], indicators: tuple[int, ...]
) -> None:
    table = make(rules)
    after_kan = table.facts()["dora"]
    table.play(f"{table.facts()['turn']} discard 9s")
    assert (after_kan, int(table.game.indicators), table.facts()["dora"]) == indicators


@pytest.mark.parametrize(
    ("reveal", "dora"), [("before_draw", 2), ("before_discard", 2), ("after_discard", 1)]
)
def test_visible_indicators_count_for_a_win_on_the_replacement_tile(reveal: str, dora: int) -> None:
    rules = {"dora.minkan_reveal": reveal}
    hands = {"S": "111z234567m99s23p"}
    table = Table(rules, hands, "1z", rinshan="4p").play("E discard 1z", "S kan", "S tsumo")
    assert sum(int(kind) != NO_TILE for kind in table.game.wins[0].dora) == dora


def test_another_kan_turns_the_pending_indicator() -> None:
    rules = {"dora.minkan_reveal": "after_discard"}
    table = Table(rules, {"S": "111z444s"}, "1z", rinshan="4s").play("E discard 1z", "S kan")
    table.expect(dora=1).play("S ankan 4s").expect(dora=3, left=67)


FOUR_KANS = {"E": "111122223333m5z", "S": "1111p"}


def four_kans(rules: dict[str, Any], draws: str = "4m") -> Table:
    """Let East declare four ankans and wait for a second White."""
    table = Table(rules, FOUR_KANS, draws, rinshan="4m4m4m6z", indicators="7z7z7z2z2z")
    return table.play("E ankan 1m", "E ankan 2m", "E ankan 3m", "E ankan 4m")


@pytest.mark.parametrize(("limited", "may"), [(True, False), (False, True)])
def test_play_continues_after_four_kans_by_one_player(limited: bool, may: bool) -> None:
    table = four_kans({"calls.kan_limit_one_player": limited}).play("E discard 6z")
    table.expect(ended="running", turn="S", left=64, dora=5)
    assert ("ankan 1p" in table.legal("S")) is may


def test_a_fifth_kan_ends_the_hand() -> None:
    table = four_kans({"calls.kan_limit_one_player": False}).play("E discard 6z", "S ankan 1p")
    table.expect(ended="suukansanra", honba=1, number=0)


def test_a_hand_with_four_kans_wins() -> None:
    table = four_kans({}, "4m 5z").play("E discard 6z", "S discard 5z", "E ron")
    three_yakuman = 144000  # suukantsu, and suuankou tanki worth two yakuman
    table.expect(winners="E", delta=(three_yakuman, -three_yakuman, 0, 0))


@pytest.mark.parametrize(("left", "wind", "may"), [(1, "E", True), (0, "S", False)])
def test_a_kan_needs_a_tile_to_draw(left: int, wind: str, may: bool) -> None:
    table = Table(hands={"E": "1111m", "S": "9999m"}).until(left)
    assert bool({"ankan 1m", "ankan 9m"} & table.legal(wind)) is may


def test_no_added_or_concealed_kan_in_the_turn_of_a_call() -> None:
    table = Table(hands={"S": "11z4444s"}, draws="1z").play("E discard 1z", "S pon")
    assert {word.split()[0] for word in table.legal("S")} == {"discard"}


# Robbing a kan -------------------------------------------------------------------------------------------


def robbed() -> Table:
    table = Table(
        hands={"S": "33m7z", "W": NO_YAKU_3M}, draws="3m 9p 9m 8s 3m", indicators="6z6z", rinshan="9s"
    )
    table.play("E discard 3m")
    assert table.legal("W") == set()  # no yaku
    return table.play("S pon", "S discard 7z", "-", "-", "-", "S kakan 3m")


def test_chankan_is_a_yaku_and_the_kan_does_not_stand() -> None:
    table = robbed()
    assert table.legal("W") == {"ron", "pass"}
    table.play("W ron").expect(delta=(0, -1300, 1300, 0), dora=1, left=65)


def test_a_kan_that_nobody_robs_stands() -> None:
    robbed().play("W pass").expect(turn="S", dora=2, left=64)


KOKUSHI_1Z = "19m19p19s2345677z"


@pytest.mark.parametrize(("allowed", "winners"), [(True, "W"), (False, "")])
def test_kokushi_may_rob_a_concealed_kan(allowed: bool, winners: str) -> None:
    rules = {"win.kokushi_on_ankan": allowed}
    table = Table(rules, {"E": "111z", "W": KOKUSHI_1Z}, "1z").play("E ankan 1z")
    if allowed:
        table.play("W ron").expect(delta=(-32000, 0, 32000, 0), dora=1)
    table.expect(winners=winners)


def test_only_kokushi_robs_a_concealed_kan() -> None:
    rules = {"win.kokushi_on_ankan": True}
    table = Table(rules, {"E": "333m", "W": NO_YAKU_3M.replace("11z", "99s")}, "3m").play("E ankan 3m")
    assert table.legal("W") == set()


# Rinshan -------------------------------------------------------------------------------------------------


def test_rinshan_kaihou() -> None:
    table = Table(
        hands={"E": "111m234p567p99s78s"}, draws="1m", rinshan="6s", indicators="6z6z"
    )  # 2 han, 20 + 32 + 2 fu
    table.play("E ankan 1m", "E tsumo").expect(delta=(6000, -2000, -2000, -2000))


def test_rinshan_kaihou_of_a_hand_that_the_kan_made_tenpai() -> None:
    table = Table(hands={"E": "1111m234p567p99s7s"}, draws="8s", rinshan="6s").play("E ankan 1m")
    assert "tsumo" in table.legal("E")


@pytest.mark.parametrize(
    ("rule", "delta"), [("normal", (-700, 1500, -400, -400)), ("feeder_pays", (-1500, 1500, 0, 0))]
)
def test_rinshan_after_an_open_kan(rule: str, delta: tuple[int, ...]) -> None:
    rules = {"pao.rinshan_after_daiminkan": rule}
    table = Table(rules, {"S": "111s234p567p99m78m"}, "1s", rinshan="6m", indicators="6z6z")
    table.play("E discard 1s", "S kan", "S tsumo").expect(delta=delta)


def test_robbing_a_kan_after_an_open_kan_makes_nobody_liable() -> None:
    """The robbed player called the tile of the daiminkan; the winner did not."""
    rules = {"pao.rinshan_after_daiminkan": "feeder_pays"}
    hands = {"S": "33m222z7z", "W": NO_YAKU_3M}
    table = Table(rules, hands, "3m 9p 9m 2z", rinshan="3m", indicators="6z6z").play("E discard 3m", "S pon")
    table.play("S discard 7z", "-", "-", "E discard 2z", "S kan", "S kakan 3m", "W ron")
    table.expect(delta=(0, -1300, 1300, 0))
    ((value, _),) = wins_of(table.game, table.rules)
    assert not value.win.pao

"""Fouls under rules that penalise them, and the cost of each (inventory 166–207)."""

from typing import Any

import pytest

from jantaku import terms
from jantaku.errors import IllegalActionError
from jantaku.game import Foul, Game
from jantaku.game.why import why
from support.table import Table

MANGAN_E, MANGAN_S, MANGAN_W = (
    (-12000, 4000, 4000, 4000),
    (4000, -8000, 2000, 2000),
    (4000, 2000, -8000, 2000),
)
TANYAO_5P = "234m456s678s22m46p"  # waits for 5p alone
NO_YAKU_3M = "12m456p789p123s11z"  # waits for 3m, without a yaku
KANCHAN_3S = "123m456p789s99p24s"  # waits for 3s alone
FAR = "147m258p369s1234z"


def table(
    hands: dict[str, str], draws: str = "", rules: dict[str, Any] | None = None, **setting: Any
) -> Table:
    return Table({"fouls.mode": "penalise", **(rules or {})}, hands, draws, **setting)


def test_prevented_fouls_cannot_be_committed() -> None:
    played = Table(hands={"E": FAR, "S": FAR}, draws="9s")
    assert [played.fouls(wind) for wind in "ESWN"] == [set()] * 4
    played.play("E discard 9s")
    assert [played.fouls(wind) for wind in "ESWN"] == [set()] * 4


# Each foul and its cost under the standard rules -----------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "draws", "commands", "foul", "expected"),
    [
        ({"E": FAR}, "9s", ["E foul win_shown"], "E false_win_shown", {"ended": "voided", "delta": MANGAN_E}),
        ({"E": FAR}, "9s", ["E foul win_called"], "E false_win_called", {"ended": "running", "dead": "E"}),
        (
            {"S": NO_YAKU_3M}, "3m", ["E discard 3m", "S foul win_shown"],
            "S false_win_shown", {"ended": "voided", "delta": MANGAN_S},
        ),
        (
            {"W": NO_YAKU_3M}, "3m", ["E discard 3m", "W foul win_called"],
            "W false_win_called", {"ended": "running", "dead": "W"},
        ),
        (
            {"S": TANYAO_5P}, "9m 5p 5p",
            ["E discard 9m", "S discard 5p", "W discard 5p", "S foul win_shown"],
            "S furiten_ron", {"ended": "voided", "delta": MANGAN_S},
        ),
        (
            {"S": TANYAO_5P}, "9m 5p 5p",
            ["E discard 9m", "S discard 5p", "W discard 5p", "S foul win_called"],
            "S false_win_called", {"ended": "running", "dead": "S"},
        ),
        (
            {"W": FAR}, "9s", ["E discard 9s", "W foul wrong_meld"],
            "W wrong_meld", {"ended": "running", "dead": "W", "turn": "S"},
        ),
        (
            {"W": FAR}, "9s", ["E discard 9s", "W foul call_slip"],
            "W call_slip", {"deposits": 1, "scores": (25000, 25000, 24000, 25000), "dead": ""},
        ),
        (
            {"S": "678p"}, "6p", ["E discard 6p", "S chi 78p", "S discard 6p"],
            "S genbutsu_kuikae", {"ended": "voided", "delta": MANGAN_S},
        ),
        (
            {"S": "678p"}, "9p", ["E discard 9p", "S chi 78p", "S discard 6p"],
            "S suji_kuikae", {"ended": "running", "dead": "S", "turn": "W"},
        ),
    ],
)  # fmt: skip
def test_fouls_cost_what_the_rules_state(
    hands: dict[str, str], draws: str, commands: list[str], foul: str, expected: dict[str, Any]
) -> None:
    who, name = foul.split()
    table(hands, draws).play(*commands).expect(fouls={who: name}, **expected)


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        ("none", {"ended": "running", "dead": "", "deposits": 0}),
        ("chombo", {"ended": "voided", "delta": MANGAN_W, "offenders": "W"}),
        ("dead_hand", {"ended": "running", "dead": "W", "deposits": 0}),
        ("deposit_1000", {"ended": "running", "dead": "", "deposits": 1}),
        ("noten_at_draw", {"ended": "running", "dead": "", "deposits": 0}),
        ("expulsion", {"ended": "voided", "delta": MANGAN_W}),
    ],
)
@pytest.mark.parametrize(
    ("name", "act"),
    [
        ("false_win_shown", "foul win_shown"),
        ("false_win_called", "foul win_called"),
        ("wrong_meld", "foul wrong_meld"),
        ("call_slip", "foul call_slip"),
    ],
)
def test_every_penalty_for_a_retracted_act(name: str, act: str, cost: str, expected: dict[str, Any]) -> None:
    played = table({"W": FAR}, "9s", {f"fouls.{name}": cost}).play("E discard 9s", f"W {act}")
    played.expect(fouls={"W": name}, **expected)


def test_a_deposit_goes_to_the_next_winner() -> None:
    played = table({"W": FAR, "S": TANYAO_5P}, "9s 1z 1z 5p").play(
        "E discard 9s", "W foul call_slip", "-", "-"
    )
    played.play("N discard 5p", "S ron").expect(winners="S", deposits=0)
    assert sum(played.facts()["delta"]) == 1000


def test_noten_at_a_draw() -> None:
    hands = {"E": KANCHAN_3S, "S": FAR}
    rules = {"fouls.false_win_called": "noten_at_draw", "draw.nagashi_mangan": "off"}
    plain = table(hands, "7z", rules).play("E discard 7z").to_the_end()
    marked = table(hands, "7z", rules).play("E foul win_called", "E discard 7z").to_the_end()
    assert "E" in plain.facts()["tenpai"]
    assert "E" not in marked.facts()["tenpai"]


@pytest.mark.parametrize(("mode", "allowed"), [("suji_allowed", True), ("allowed", False)])
def test_kuikae_is_a_foul_only_if_it_is_forbidden(mode: str, allowed: bool) -> None:
    played = table({"S": "678p"}, "6p", {"calls.kuikae": mode}).play("E discard 6p", "S chi 78p")
    assert ("discard 6p" in played.fouls("S")) is allowed
    assert ("discard 6p" in played.legal("S")) is not allowed


# False wins ----------------------------------------------------------------------------------------------


def test_a_valid_win_is_not_a_foul() -> None:
    played = table({"S": TANYAO_5P}, "5p").play("E discard 5p")
    assert "ron" in played.legal("S")
    assert played.fouls("S") == {"foul wrong_meld", "foul call_slip"}


def test_a_tile_can_be_called_falsely_until_the_next_discard() -> None:
    played = table({"W": FAR}, "9s").play("E discard 9s")
    played.expect(turn="S")  # nobody could claim the discard, so the next player has drawn
    assert played.fouls("W") == {"foul win_shown", "foul win_called", "foul wrong_meld", "foul call_slip"}
    assert played.fouls("E") == set()
    assert played.play("S discard").fouls("S") == set()


@pytest.mark.parametrize("act", ["wrong_meld", "call_slip"])
def test_the_next_player_can_miscall_as_the_others_can(act: str) -> None:
    """Inventory 191, 203: the next player has drawn, since nobody could claim, but not discarded."""
    played = table({"E": "5558m258p369s123z", "S": FAR}, "9s 1m").play("E discard 9s")
    played.expect(turn="S")
    assert f"foul {act}" in played.fouls("S")
    played.play(f"S foul {act}").expect(fouls={"S": act}, turn="S")
    assert played.fouls("S") == set()
    played.play("S discard 1m").expect(turn="W")


def test_there_is_nothing_to_miscall_after_a_call_a_kan_or_at_the_start() -> None:
    calls = {"foul wrong_meld", "foul call_slip"}
    played = table({"E": "5555z147m258p369s", "S": "678p"}, "9p")
    assert not played.fouls("E") & calls
    played.play("E discard 9p", "S chi 78p")
    assert not played.fouls("S") & calls
    played.play("S discard 1m" if "discard 1m" in played.legal("S") else "-").play("-", "-")
    played.expect(turn="E").play("E ankan 5z").expect(turn="E")
    assert not played.fouls("E") & calls


def test_a_seat_commits_one_foul_between_two_discards() -> None:
    played = table({"W": FAR}, "9s").play("E discard 9s", "W foul call_slip")
    assert played.fouls("W") == set()
    assert played.play("-").fouls("W")


def test_in_a_double_ron_the_valid_win_stands_and_the_false_one_is_free() -> None:
    """Inventory 186."""
    played = table({"S": TANYAO_5P, "W": FAR}, "5p").play("E discard 5p", "W foul win_shown", "S ron")
    played.expect(ended="won", winners="S", fouls={}, offenders="")


@pytest.mark.parametrize(("cost", "tenpai"), [("noten_at_draw", ""), ("none", "E"), ("dead_hand", "")])
def test_a_win_called_falsely_in_riichi(cost: str, tenpai: str) -> None:
    """Inventory 200: at a draw the player counts as noten."""
    rules = {"fouls.false_win_in_riichi": cost, "draw.nagashi_mangan": "off"}
    played = table({"E": KANCHAN_3S, "S": FAR}, "7z 9s", rules)
    played.play("E riichi 7z", "S discard 9s", "E foul win_called").to_the_end()
    assert played.facts()["fouls"] == {"E": "false_win_in_riichi"}
    assert ("E" in played.facts()["tenpai"]) is bool(tenpai)


# Riichi --------------------------------------------------------------------------------------------------

NOTEN = {"E": "147m258p369s1122z", "S": FAR}


def test_noten_riichi_is_revealed_at_a_draw() -> None:
    rules = {"draw.nagashi_mangan": "off"}
    played = table(NOTEN, "9s", rules).play("E riichi 9s")
    played.expect(deposits=1, fouls={})
    played.to_the_end()
    played.expect(ended="voided", offenders="E", fouls={"E": "noten_riichi"}, deposits=0, honba=0, number=0)
    played.expect(scores=(13000, 29000, 29000, 29000))


def test_noten_riichi_stays_hidden_if_another_player_wins() -> None:
    hands = {"E": NOTEN["E"], "W": TANYAO_5P}
    table(hands, "9s 5p").play("E riichi 9s", "S discard 5p", "W ron").expect(ended="won", fouls={})


@pytest.mark.parametrize(
    ("cost", "ended"), [("chombo", "voided"), ("none", "exhausted"), ("dead_hand", "exhausted")]
)
def test_the_cost_of_noten_riichi(cost: str, ended: str) -> None:
    rules = {"fouls.noten_riichi": cost, "draw.nagashi_mangan": "off"}
    table(NOTEN, "9s", rules).play("E riichi 9s").to_the_end().expect(ended=ended)


@pytest.mark.parametrize(("cost", "ended"), [("chombo", "voided"), ("none", "suucha_riichi")])
def test_four_riichi_reveal_noten_hands(cost: str, ended: str) -> None:
    """Inventory 187."""
    tenpai = {"S": "123m456p789s99p24s", "W": "456m789p123s1m1m68p", "N": "789m123p456s22z79s"}
    played = table({"E": "147m258p369s1133z", **tenpai}, "5z 5z 5z 5z", {"draw.suucha_riichi_noten": cost})
    played.play(*[f"{wind} riichi 5z" for wind in "ESWN"]).expect(ended=ended)


@pytest.mark.parametrize(("short_wall", "possible"), [("foul", True), ("forbidden", False)])
def test_riichi_with_too_few_tiles_left(short_wall: str, possible: bool) -> None:
    """Inventory 128, 194."""
    played = table({"E": KANCHAN_3S}, "", {"riichi.short_wall": short_wall}).until(left=1)
    fouls = {word for word in played.fouls("E") if word.startswith("riichi")}
    assert bool(fouls) is possible
    if possible:
        played.play(f"E {min(fouls)}").expect(fouls={"E": "late_riichi"}, dead="E")


IN_RIICHI = {"E": "1112m456p789p123s"}
TO_THE_KAN = ["E riichi 7z", "S discard 6z", "W discard 6z", "N discard 6z", "E ankan 1m"]


def with_forbidden_kan(cost: str = "chombo", **setting: Any) -> Table:
    rules = {"fouls.illegal_riichi_ankan": cost, "riichi.ankan": "same_waits", "draw.nagashi_mangan": "off"}
    return table(IN_RIICHI, "7z 6z 6z 6z 1m", rules, **setting)


def test_a_forbidden_kan_in_riichi_is_revealed_at_a_draw() -> None:
    played = with_forbidden_kan().play(*TO_THE_KAN).expect(fouls={}, dead="")
    played.to_the_end().expect(ended="voided", offenders="E", fouls={"E": "illegal_riichi_ankan"})


def test_a_forbidden_kan_in_riichi_makes_a_win_a_chombo() -> None:
    played = with_forbidden_kan(rinshan="2m").play(*TO_THE_KAN)
    assert "tsumo" not in played.legal("E")
    played.play("E foul win_shown").expect(ended="voided", fouls={"E": "illegal_riichi_ankan"})


def test_a_forbidden_kan_may_cost_a_dead_hand_at_once() -> None:
    with_forbidden_kan("dead_hand").play(*TO_THE_KAN).expect(fouls={"E": "illegal_riichi_ankan"}, dead="E")


# Through the public game ------------------------------------------------------------------------------------


def test_a_prevented_foul_is_refused_with_the_reason() -> None:
    game = Game("tenhou", seed=3)
    with pytest.raises(IllegalActionError) as error:
        game.play(0, Foul("win_shown"))
    assert why(game, 0, Foul("win_shown"), "en") in error.value.message("en")
    assert why(game, 0, "foul", "en") == terms.text("game.why.fouls_prevented", "en")

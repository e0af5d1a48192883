"""Dead hands and void hands under rules that penalise fouls (inventory 166–207)."""

from typing import get_args

import pytest

from jantaku.game import Action, Event, Game, Pass
from jantaku.game.actions import default_action
from jantaku.game.engine import wall_left
from jantaku.game.events import Discarded, Fouled, HandDrawn, KanDeclared, KitaDeclared
from jantaku.game.snapshot import Snapshot
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import VOIDED
from jantaku.records.formats import BY_NAME, dumps, parse_record
from jantaku.rules.options import FoulCost
from jantaku.tiles import Tile
from kernels.engine.test_scenarios_fouls import FAR, KANCHAN_3S, NOTEN, TANYAO_5P, table, with_forbidden_kan
from support.plain import stepped
from support.random_games import facts
from support.record_games import comparable_events
from support.table import Table


@pytest.mark.parametrize("act", ["foul call_slip", "foul win_called", "foul win_shown", "foul wrong_meld"])
def test_acting_under_a_dead_hand_is_a_chombo(act: str) -> None:
    played = table({"N": "55z147m258p369s22z"}, "9s 5z").play(
        "E discard 9s", "N foul wrong_meld", "S discard 5z"
    )
    assert played.legal("N") == set()
    played.play(f"N {act}").expect(ended="voided", offenders="N", fouls={"N": "acting_dead"})


def test_kans_under_a_dead_hand() -> None:
    played = table({"E": "5555z147m258p369s"}, "9s").play("E foul win_called")
    assert "ankan 5z" not in played.legal("E")
    assert played.fouls("E") == set()  # one foul between two discards
    played.play("E discard 9s", "-", "-", "-")
    played.play("E ankan 5z").expect(ended="voided", fouls={"E": "acting_dead"})


def started(played: Table) -> Game:
    """Return a game that deals the same hand repeatedly."""
    wall = played.game.wall[: int(played.game.tiles)].tolist()
    return Game(played.rules, walls=[wall] * 3)


def do(game: Game, *commands: str) -> list[Event]:
    """Play commands ``wind action`` while other seats pass; return the events of the last command."""
    events: list[Event] = []
    for command in commands:
        seat, act = "ESWN".index(command[0]), command[2:]
        while act not in (may := {str(action).strip("*"): action for action in all_of(game, seat)}):
            game.play(game.to_act[0], Pass())
        events = list(game.play(seat, may[act]))
    return events


def all_of(game: Game, seat: int) -> list[Action]:
    return [*game.legal(seat), *game.fouls(seat)]


def expect_every_format(game: Game) -> None:
    for name in BY_NAME:
        assert comparable_events(parse_record(dumps(game, name).encode()).game) == comparable_events(game), (
            name
        )


@pytest.mark.parametrize("cost", get_args(FoulCost))
@pytest.mark.parametrize(
    ("hand", "draws", "before", "act", "preset"),
    [
        (
            "5555z147m258p369s", "9s 8s 8s 8s",
            ["E foul win_called", "E 9s", "S 8s", "W 8s", "N 8s"], "E ankan 5z", "standard",
        ),
        (
            "557m147p258s1234z", "9s 5m 8s 8s 8s 0m",
            ["E 9s", "S 5m", "E pon", "E 1p", "S 8s", "E foul win_called", "W 8s", "N 8s"], "E kakan 0m",
            "standard",
        ),
        (
            "199m258p369s1234z", "9s 8s 8s 9s", ["E foul win_called", "E 9s", "S 8s", "W 8s"], "E kita",
            "tenhou-3",
        ),
    ],
    ids=["ankan", "kakan", "kita"],
)  # fmt: skip
def test_declarations_of_a_dead_hand_have_no_effect(
    hand: str, draws: str, before: list[str], act: str, preset: str, cost: str
) -> None:
    """Inventory d31: the only event is the penalty for the foul."""
    game = started(table({"E": hand}, draws, {"preset": preset, "fouls.acting_dead": cost}))
    do(game, *before)
    held = facts(game.record)
    effect = do(game, act)
    assert not [event for event in effect if isinstance(event, KanDeclared | KitaDeclared)]
    assert isinstance(effect[0], Fouled)
    assert (effect[0].seat, effect[0].foul, effect[0].cost) == (0, "acting_dead", cost)
    if cost in ("chombo", "expulsion"):
        assert [event.kind for event in effect if isinstance(event, HandDrawn)] == ["voided"]
    else:
        assert game.to_act == [0]
        points = 1000 * (cost == "deposit_1000")
        assert facts(game.record) | {"scores": 0, "deposits": 0} == held | {"scores": 0, "deposits": 0}
        assert game.scores[0] == held["scores"][0] - points
        game.play(0, default_action(game.legal(0)))
    expect_every_format(game)


@pytest.mark.parametrize(("cost", "goes_on"), [("expulsion", False), ("dead_hand", True), ("none", True)])
def test_a_forbidden_kan_lies_on_the_table_even_if_it_voids_the_hand(cost: str, goes_on: bool) -> None:
    game = started(with_forbidden_kan(cost))
    effect = do(game, "E riichi 7z", "S 6z", "W 6z", "N 6z", "E ankan 1m")
    assert isinstance(effect[0], KanDeclared)
    assert any(isinstance(event, Fouled) for event in effect)
    assert (len(game.walls) == 1) is goes_on
    expect_every_format(game)


def test_a_discard_that_voids_the_hand_lies_in_the_river() -> None:
    game = started(table({"S": "678p"}, "6p"))
    do(game, "E 6p", "S chi 78p")
    before = game.state
    assert isinstance(do(game, "S 6p")[0], Discarded)
    after = Snapshot(stepped(before, *game.played[-1], game.rules, compiled=COMPILED).tobytes())
    assert (after.discards[1], after.river[1][0]) == (1, Tile.parse("6p"))
    assert after.outcome.ended == VOIDED
    expect_every_format(game)


def test_two_fouls_of_a_seat_revealed_together_have_two_events() -> None:
    """A slip at the last discard and a noten riichi revealed at the draw are penalised as two events."""
    rules = {"draw.nagashi_mangan": "off", "fouls.noten_riichi": "noten_at_draw"}
    game = started(table({**NOTEN, "W": TANYAO_5P, "N": "0p"}, "9s", rules, last="5p"))
    do(game, "E riichi 9s")
    while wall_left(game.record) or game.to_act == [2]:
        game.play(game.to_act[0], default_action(game.legal(game.to_act[0])))
    do(game, "S 5p", "E foul call_slip")
    effect = do(game, "W pass")
    fouls = [(event.foul, event.cost) for event in effect if isinstance(event, Fouled)]
    assert fouls == [("call_slip", "deposit_1000"), ("noten_riichi", "noten_at_draw")]
    expect_every_format(game)


def test_bgm_rules_make_a_hand_dead_after_a_false_win_in_riichi() -> None:
    """Inventory 200: the hand may not win and is noten at a draw."""
    rules = {"preset": "bgm-2025", "draw.nagashi_mangan": "off"}
    hands = {"E": KANCHAN_3S, "S": FAR}
    assert "ron" in table(hands, "7z 3s", rules).play("E riichi 7z", "S discard 3s").legal("E")
    played = table(hands, "7z 9s 1z 1z 3s 3s", rules).play("E riichi 7z", "S discard 9s")
    played.play("E foul win_called", "-", "-").expect(dead="E", turn="E")
    assert "tsumo" not in played.legal("E")
    played.play("E discard 3s", "S discard 3s")
    assert "ron" not in played.legal("E")
    assert "E" not in played.to_the_end().facts()["tenpai"]
    assert played.facts()["fouls"] == {"E": "false_win_in_riichi"}


def test_bgm_rules_check_riichi_for_tenpai_even_after_a_false_win() -> None:
    """Inventory 200: the hand must be shown to be tenpai."""
    rules = {"preset": "bgm-2025", "draw.nagashi_mangan": "off"}
    played = table(NOTEN, "9s", rules).play("E riichi 9s", "-", "-", "-", "E foul win_called").to_the_end()
    played.expect(ended="voided", offenders="E", fouls={"E": "noten_riichi"})


def test_a_dead_hand_cannot_win_and_is_noten() -> None:
    rules = {"draw.nagashi_mangan": "off"}
    played = table({"S": TANYAO_5P}, "9s 1z 1z 1z 5p", rules).play("E discard 9s", "S foul win_called")
    played.play("S discard 1z", "W discard 1z", "N discard 1z", "E discard 5p")
    assert "ron" not in played.legal("S")
    assert "S" not in played.to_the_end().facts()["tenpai"]


def test_a_void_hand_gives_back_its_riichi_sticks_only() -> None:
    """Inventory 166, 171, d10: the dealer, honba and older deposits stay the same."""
    hands = {"E": KANCHAN_3S, "S": FAR}
    played = table(hands, "7z", deposits=2, honba=3, number=5).play("E riichi 7z", "-")
    played.expect(deposits=3)
    played.play("W foul win_shown").expect(ended="voided", deposits=2, honba=3, number=5)
    points = played.facts()["scores"]
    assert sum(points) == 100_000
    assert points[2] == 25000 - 8000


def test_a_chombo_below_zero_does_not_end_the_game() -> None:
    """Inventory d29: the hand is dealt again, whatever the rule about busting."""
    for tobi in ("below_zero", "zero_or_below"):
        points = (1000, 33000, 33000, 33000)
        played = table({"E": FAR}, "9s", {"end.tobi": tobi}, scores=points).play("E foul win_shown")
        played.expect(ended="voided", over=False, number=0, scores=(-11000, 37000, 37000, 37000))

"""Fouls under rules that penalise them: which ones exist and what each costs (inventory 166–207)."""

from random import Random
from typing import Any, get_args

import pytest

from conftest import scale
from jantaku import terms
from jantaku.errors import IllegalActionError
from jantaku.game import Action, Event, Foul, Game, Pass
from jantaku.game.actions import by_default
from jantaku.game.engine import wall_left
from jantaku.game.events import Discarded, Fouled, HandDrawn, KanDeclared, KitaDeclared, PointsMoved
from jantaku.game.snapshot import Snapshot
from jantaku.game.why import why
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import VOIDED
from jantaku.kernels.rules import FOULS
from jantaku.records.formats import BY_NAME, dumps, parse_record
from jantaku.rules import load
from jantaku.rules.options import FoulCost
from jantaku.tiles import parse_tile
from support.plain import stepped
from support.playing import choose
from support.random_games import facts
from support.record_games import told
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


# What each act is, and what it costs by the standard rules -------------------------------------------------


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
def test_a_foul_costs_what_the_rules_say(
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


def test_a_deposit_goes_to_whoever_wins() -> None:
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
def test_kuikae_is_a_foul_only_where_it_is_forbidden(mode: str, allowed: bool) -> None:
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
    played.expect(turn="S")  # nobody could claim it, and the next player has drawn
    assert played.fouls("W") == {"foul win_shown", "foul win_called", "foul wrong_meld", "foul call_slip"}
    assert played.fouls("E") == set()
    assert played.play("S discard").fouls("S") == set()


@pytest.mark.parametrize("act", ["wrong_meld", "call_slip"])
def test_the_next_player_can_miscall_as_the_others_can(act: str) -> None:
    """Inventory 191, 203: it has drawn since nobody could claim the tile, but has not discarded."""
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


def test_in_a_double_ron_the_true_win_stands_and_the_false_one_costs_nothing() -> None:
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


def test_noten_riichi_comes_to_light_at_a_draw() -> None:
    rules = {"draw.nagashi_mangan": "off"}
    played = table(NOTEN, "9s", rules).play("E riichi 9s")
    played.expect(deposits=1, fouls={})
    played.to_the_end()
    played.expect(ended="voided", offenders="E", fouls={"E": "noten_riichi"}, deposits=0, honba=0, number=0)
    played.expect(scores=(13000, 29000, 29000, 29000))


def test_noten_riichi_stays_hidden_where_somebody_wins() -> None:
    hands = {"E": NOTEN["E"], "W": TANYAO_5P}
    table(hands, "9s 5p").play("E riichi 9s", "S discard 5p", "W ron").expect(ended="won", fouls={})


@pytest.mark.parametrize(
    ("cost", "ended"), [("chombo", "voided"), ("none", "exhausted"), ("dead_hand", "exhausted")]
)
def test_what_noten_riichi_costs(cost: str, ended: str) -> None:
    rules = {"fouls.noten_riichi": cost, "draw.nagashi_mangan": "off"}
    table(NOTEN, "9s", rules).play("E riichi 9s").to_the_end().expect(ended=ended)


@pytest.mark.parametrize(("cost", "ended"), [("chombo", "voided"), ("none", "suucha_riichi")])
def test_four_riichi_show_who_is_noten(cost: str, ended: str) -> None:
    """Inventory 187."""
    tenpai = {"S": "123m456p789s99p24s", "W": "456m789p123s1m1m68p", "N": "789m123p456s22z79s"}
    played = table({"E": "147m258p369s1133z", **tenpai}, "5z 5z 5z 5z", {"draw.suucha_riichi_noten": cost})
    played.play(*[f"{wind} riichi 5z" for wind in "ESWN"]).expect(ended=ended)


@pytest.mark.parametrize(("short_wall", "possible"), [("foul", True), ("forbidden", False)])
def test_riichi_with_too_few_tiles_left(short_wall: str, possible: bool) -> None:
    """Inventory 128, 194."""
    played = table({"E": KANCHAN_3S}, "", {"riichi.short_wall": short_wall}).until(left=1)
    found = {word for word in played.fouls("E") if word.startswith("riichi")}
    assert bool(found) is possible
    if possible:
        played.play(f"E {min(found)}").expect(fouls={"E": "late_riichi"}, dead="E")


IN_RIICHI = {"E": "1112m456p789p123s"}
TO_THE_KAN = ["E riichi 7z", "S discard 6z", "W discard 6z", "N discard 6z", "E ankan 1m"]


def with_forbidden_kan(cost: str = "chombo", **setting: Any) -> Table:
    rules = {"fouls.illegal_riichi_ankan": cost, "riichi.ankan": "same_waits", "draw.nagashi_mangan": "off"}
    return table(IN_RIICHI, "7z 6z 6z 6z 1m", rules, **setting)


def test_a_forbidden_kan_in_riichi_comes_to_light_at_a_draw() -> None:
    played = with_forbidden_kan().play(*TO_THE_KAN).expect(fouls={}, dead="")
    played.to_the_end().expect(ended="voided", offenders="E", fouls={"E": "illegal_riichi_ankan"})


def test_a_forbidden_kan_in_riichi_makes_a_win_a_chombo() -> None:
    played = with_forbidden_kan(rinshan="2m").play(*TO_THE_KAN)
    assert "tsumo" not in played.legal("E")
    played.play("E foul win_shown").expect(ended="voided", fouls={"E": "illegal_riichi_ankan"})


def test_a_forbidden_kan_may_cost_a_dead_hand_at_once() -> None:
    with_forbidden_kan("dead_hand").play(*TO_THE_KAN).expect(fouls={"E": "illegal_riichi_ankan"}, dead="E")


# Dead hands and void hands ---------------------------------------------------------------------------------


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
    """A game that deals the same hand again and again."""
    wall = played.game.wall[: int(played.game.tiles)].tolist()
    return Game(played.rules, walls=[wall] * 3)


def do(game: Game, *commands: str) -> list[Event]:
    """Play ``wind act`` as ``str()`` writes it; other claims are passed. Returns the events of the last."""
    found: list[Event] = []
    for command in commands:
        seat, act = "ESWN".index(command[0]), command[2:]
        while act not in (may := {str(one).strip("*"): one for one in all_of(game, seat)}):
            game.play(game.to_act[0], Pass())
        found = list(game.play(seat, may[act]))
    return found


def all_of(game: Game, seat: int) -> list[Action]:
    return [*game.legal(seat), *game.fouls(seat)]


def expect_every_format(game: Game) -> None:
    for name in BY_NAME:
        assert told(parse_record(dumps(game, name).encode()).game) == told(game), name


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
def test_what_a_dead_hand_declares_is_not_made(
    hand: str, draws: str, before: list[str], act: str, preset: str, cost: str
) -> None:
    """Inventory d31: it is charged, and the events tell nothing else of it."""
    game = started(table({"E": hand}, draws, {"preset": preset, "fouls.acting_dead": cost}))
    do(game, *before)
    held = facts(game.record)
    found = do(game, act)
    assert not [event for event in found if isinstance(event, KanDeclared | KitaDeclared)]
    assert isinstance(found[0], Fouled)
    assert (found[0].seat, found[0].foul, found[0].cost) == (0, "acting_dead", cost)
    if cost in ("chombo", "expulsion"):
        assert [event.kind for event in found if isinstance(event, HandDrawn)] == ["voided"]
    else:
        assert game.to_act == [0]
        points = 1000 * (cost == "deposit_1000")
        assert facts(game.record) | {"scores": 0, "deposits": 0} == held | {"scores": 0, "deposits": 0}
        assert game.scores[0] == held["scores"][0] - points
        game.play(0, by_default(game.legal(0)))
    expect_every_format(game)


@pytest.mark.parametrize(("cost", "goes_on"), [("expulsion", False), ("dead_hand", True), ("none", True)])
def test_a_forbidden_kan_lies_on_the_table_even_if_it_voids_the_hand(cost: str, goes_on: bool) -> None:
    game = started(with_forbidden_kan(cost))
    found = do(game, "E riichi 7z", "S 6z", "W 6z", "N 6z", "E ankan 1m")
    assert isinstance(found[0], KanDeclared)
    assert any(isinstance(event, Fouled) for event in found)
    assert (len(game.walls) == 1) is goes_on
    expect_every_format(game)


def test_a_discard_that_voids_the_hand_lies_in_the_river() -> None:
    game = started(table({"S": "678p"}, "6p"))
    do(game, "E 6p", "S chi 78p")
    before = game.state
    assert isinstance(do(game, "S 6p")[0], Discarded)
    after = Snapshot(stepped(before, *game.played[-1], game.rules, compiled=COMPILED).tobytes())
    assert (after.discards[1], after.river[1][0]) == (1, parse_tile("6p"))
    assert after.outcome.ended == VOIDED
    expect_every_format(game)


def test_two_fouls_of_a_seat_that_come_to_light_together_are_both_told() -> None:
    """A slip at the last discard is charged with the draw that shows a noten riichi."""
    rules = {"draw.nagashi_mangan": "off", "fouls.noten_riichi": "noten_at_draw"}
    game = started(table({**NOTEN, "W": TANYAO_5P, "N": "0p"}, "9s", rules, last="5p"))
    do(game, "E riichi 9s")
    while wall_left(game.record) or game.to_act == [2]:
        game.play(game.to_act[0], by_default(game.legal(game.to_act[0])))
    do(game, "S 5p", "E foul call_slip")
    found = do(game, "W pass")
    fouls = [(event.foul, event.cost) for event in found if isinstance(event, Fouled)]
    assert fouls == [("call_slip", "deposit_1000"), ("noten_riichi", "noten_at_draw")]
    expect_every_format(game)


def test_at_the_event_a_false_win_in_riichi_ends_the_hope_of_a_win() -> None:
    """Inventory 200: no win any more, and noten at a draw."""
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


def test_at_the_event_a_noten_riichi_is_a_chombo_after_a_false_win_too() -> None:
    """Inventory 200: the hand is shown to be tenpai."""
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
    """Inventory 166, 171, d10: deal, honba and older deposits stay."""
    hands = {"E": KANCHAN_3S, "S": FAR}
    played = table(hands, "7z", deposits=2, honba=3, number=5).play("E riichi 7z", "-")
    played.expect(deposits=3)
    played.play("W foul win_shown").expect(ended="voided", deposits=2, honba=3, number=5)
    points = played.facts()["scores"]
    assert sum(points) == 100_000
    assert points[2] == 25000 - 8000


def test_a_chombo_below_zero_is_no_end_of_the_game() -> None:
    """Inventory d29: the hand is dealt again, whatever the rules say about busting."""
    for tobi in ("below_zero", "zero_or_below"):
        points = (1000, 33000, 33000, 33000)
        played = table({"E": FAR}, "9s", {"end.tobi": tobi}, scores=points).play("E foul win_shown")
        played.expect(ended="voided", over=False, number=0, scores=(-11000, 37000, 37000, 37000))


# Through the public game ------------------------------------------------------------------------------------


def test_a_prevented_foul_is_refused_with_the_reason() -> None:
    game = Game("tenhou", seed=3)
    with pytest.raises(IllegalActionError) as error:
        game.play(0, Foul("win_shown"))
    assert why(game, 0, Foul("win_shown"), "en") in error.value.message("en")
    assert why(game, 0, "foul", "en") == terms.text("game.why.fouls_prevented", "en")


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["standard", "bgm-2025", "ema"])
def test_games_with_fouls_keep_their_points_and_replay(preset: str) -> None:
    rules = load(preset).with_changes(
        {"fouls.mode": "penalise", "riichi.short_wall": "foul", "match.length": "east"}
    )
    seen: set[str] = set()
    for seed in range(scale(6)):
        rng, game = Random(seed), Game(rules, seed=seed)
        while not game.is_over and len(game.played) < 600:
            for seat in range(4):
                fouls = game.fouls(seat)
                if fouls and rng.random() < 0.02:
                    game.play(seat, rng.choice(fouls))
            if game.is_over or not game.to_act:
                continue
            seat = rng.choice(game.to_act)
            game.play(seat, choose(game, seat, rng))
            match = game.record.match
            assert (
                sum(game.scores) + int(match.deposits) * rules.riichi.deposit == 4 * rules.match.start_points
            )
        seen |= {event.foul for event in game.events if isinstance(event, Fouled)}
        moved = [event for event in game.events if isinstance(event, PointsMoved)]
        assert not moved or moved[-1].scores is not None
        assert parse_record(dumps(game, "jantaku").encode()).game.state == game.state
    assert seen <= set(FOULS)
    assert seen

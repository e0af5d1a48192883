"""External programs as judges: the values of a program that speaks like Mortal, and invalid answers."""

import json
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bots import mortal_shape
from jantaku import terms
from jantaku.bots import bot, play
from jantaku.bots.judge import Judge, Judgement
from jantaku.bots.mjai import MjaiBot, ProgramJudge
from jantaku.bots.policy_judge import PolicyJudge
from jantaku.bots.review import ReviewedDecision, reviews
from jantaku.cli.app import app
from jantaku.errors import RequestError
from jantaku.game import Chi, Discard, Game, Kan, NineTerminals, Pass
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.wall import DEALT, dealt_to
from jantaku.records.formats import write
from jantaku.records.mjai import action_to_mjai
from jantaku.rules import load
from jantaku.tiles import parse_tiles
from support.table import tile_set

SHAPE = [sys.executable, mortal_shape.__file__, "{seat}"]
STANDARD = [sys.executable, "-m", "jantaku", "mjai", "standard"]


@cache
def game_of(rules: str, seed: int) -> Game:
    """Play a game between bots that disagree with ``standard`` now and then."""
    return play(
        Game(rules, seed=seed), ["efficient", "standard", "efficient", "standard"][: len(load(rules).seats)]
    )


def review(game: Game, judge: Judge, seat: int = 0) -> tuple[ReviewedDecision, ...]:
    return next(reviews(game, seat, judge)).decisions


def by(command: Sequence[str], game: Game, seat: int, *, lines: bool) -> tuple[ReviewedDecision, ...]:
    with ProgramJudge(command, lines=lines, seconds=60) as judge:
        return review(game, judge, seat)


GAMES = [
    pytest.param("tenhou", 3, 1, [], id="acting"),
    pytest.param("tenhou", 4, 2, ["every"], id="every-line"),
    pytest.param("tenhou-3", 5, 0, ["every"], id="three-players"),
    pytest.param("bgm-2025", 6, 2, [], id="other-rules", marks=pytest.mark.slow),
]


@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.parametrize(("rules", "seed", "seat", "more"), GAMES)
def test_a_program_with_the_values_of_standard_agrees_with_it(
    rules: str, seed: int, seat: int, more: list[str]
) -> None:
    game = game_of(rules, seed)
    ours = review(game, PolicyJudge("standard"), seat)
    theirs = by([*SHAPE, *more], game, seat, lines=True)
    kinds: Counter[bool] = Counter()
    assert len(theirs) == len(ours) > 30
    for own, other in zip(ours, theirs, strict=True):
        assert (other.step, other.kind, other.best) == (own.step, own.kind, own.best)
        both_rate = own.rating is not None and other.rating is not None
        if other.verdict != "same" and both_rate and isinstance(own.best, Discard):
            assert other.rating == pytest.approx(1.01 + (own.rating or 0.0))
        kinds[isinstance(own.best, Discard)] += 1
    assert min(kinds.values()) > 5


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_a_program_without_values_has_choices_but_no_ratings() -> None:
    game = game_of("tenhou", 3)
    theirs = by(STANDARD, game, 1, lines=False)
    for own, other in zip(review(game, PolicyJudge("standard"), 1), theirs, strict=True):
        declared = isinstance(own.best, Discard) and own.best.riichi  # the tile follows in another message
        assert declared or other.best == own.best
        assert other.rating == (0 if other.played == other.best else None)


# Single decisions ------------------------------------------------------------------------------------------


def dealt(*hands: str) -> Game:
    """Start a game with these hands of the first seats, the dealer's first."""
    left = Counter(int(tile) for tile in tile_set(load("tenhou")))
    own = [[int(tile) for tile in parse_tiles(hand)] for hand in hands] + [[] for _ in range(4 - len(hands))]
    for hand in own:
        left.subtract(hand)
    rest = sorted(left.elements(), key=lambda tile: (tile * 7) % 37)
    wall = [(own[seat] or rest).pop() for seat in (dealt_to(i, 4) for i in range(4 * DEALT))]
    return Game("tenhou", walls=[[*wall, *rest]])


def judged(game: Game, answer: object, *, tmp_path: Path, seconds: float = 30) -> Judgement:
    """Return the judgement of a program that always prints this answer."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    path = tmp_path / "scripted.py"
    path.write_text(f"import sys\nfor line in sys.stdin: print({text!r}, flush=True)", "utf-8")
    with ProgramJudge([sys.executable, str(path)], seconds=seconds, first_seconds=seconds) as judge:
        judgement = judge.judge(game, game.to_act[0])
        assert judgement is not None
        return judgement


def meta(values: dict[int, float], **more: object) -> dict[str, Any]:
    return mortal_shape.packed(values) | more


def test_each_of_two_kans_has_its_own_value(tmp_path: Path) -> None:
    game = dealt("1111z2222z19m19p5s")
    kans = meta({27: 0.25, 28: 0.75})
    answer = {
        "type": "ankan",
        "actor": 0,
        "consumed": ["S"] * 4,
        "meta": meta({0: -1.0, 42: 2.0}, kan_select=kans),
    }
    judgement = judged(game, answer, tmp_path=tmp_path)
    east, south = Kan("ankan", "1z"), Kan("ankan", "2z")
    assert judgement.best == south
    assert (judgement.values[south], judgement.values[east]) == (2.0, 1.5)
    assert judgement.loss(east) == 0.5
    assert judgement.loss(Discard("1m")) == 3.0
    assert judgement.loss(Discard("5s")) is None


def test_nine_terminals_and_a_riichi_without_its_tile(tmp_path: Path) -> None:
    game = dealt("19m19p19s1234567z")
    answer = {"type": "ryukyoku", "meta": meta({0: -1.0, 44: 1.0})}
    judgement = judged(game, answer, tmp_path=tmp_path)
    assert (judgement.best, judgement.values[NineTerminals()]) == (NineTerminals(), 1.0)
    game = ready_game()
    ways = [way for way in game.legal(game.to_act[0]) if isinstance(way, Discard) and way.riichi]
    liked, *others = sorted({way.tile for way in ways})
    values = {int(tile): -1.0 for tile in others} | {int(liked): 0.0, 37: 1.0}
    judgement = judged(game, {"type": "reach", "actor": 0, "meta": meta(values)}, tmp_path=tmp_path)
    assert isinstance(judgement.best, Discard)
    assert (judgement.best.tile, judgement.best.riichi) == (liked, "riichi")
    assert [action for action in judgement.values if isinstance(action, Discard) and action.riichi] == [
        judgement.best
    ]


@cache
def ready_game() -> Game:
    """Return a game in which a seat can declare riichi with several tiles, none of them red."""
    for seed in range(200):
        game, player = Game("tenhou", seed=seed), bot("efficient")
        while len(game.walls) == 1 and not game.is_over:
            seat = game.to_act[0]
            ways = {way.tile for way in game.legal(seat) if isinstance(way, Discard) and way.riichi}
            if len(ways) > 1 and not any(tile.is_red for tile in ways):
                return game
            game.play(seat, player.choose(game, seat))
    raise AssertionError


def test_calls_have_the_value_of_their_number(tmp_path: Path) -> None:
    """Chi with the called tile as the lowest, middle and highest, each with and without a red five."""
    game = dealt("4m258p369s123456z", "023566m19p19s123z")
    game.play(0, Discard("4m"))
    seat = game.to_act[0]
    legal = game.legal(seat)
    bits = {way: bit for way in legal if (bit := mortal_shape.number(way, game.claimed)) is not None}
    assert set(bits.values()) == {38, 39, 40, 45}
    rated = meta({bit: bit / 100 for bit in bits.values()})
    judgement = judged(game, {"type": "none", "meta": rated}, tmp_path=tmp_path)
    assert judgement.best == Pass()
    assert judgement.values == {way: bit / 100 for way, bit in bits.items()}
    for chosen in (way for way in legal if isinstance(way, Chi)):
        (message,) = action_to_mjai(chosen, game, seat)
        judgement = judged(game, message | {"meta": rated}, tmp_path=tmp_path)
        assert judgement.best == chosen
        assert [way for way in judgement.values if bits[way] == bits[chosen]] == [chosen]


def test_a_red_five_has_its_own_value(tmp_path: Path) -> None:
    game = dealt("0555m258p369s123z")
    answer = {"type": "dahai", "actor": 0, "pai": "5mr", "tsumogiri": False}
    judgement = judged(game, answer | {"meta": meta({4: -0.5, 34: 0.25})}, tmp_path=tmp_path)
    assert judgement.best == Discard("0m")
    assert judgement.loss(Discard("5m")) == 0.75


# Invalid answers -------------------------------------------------------------------------------------------

DISCARD = {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False}
VALUES = {0: 0.5, 8: 0.25}
INVALID = {
    "nothing": "",
    "garbage": "{",
    "nested": "[" * 60_000,
    "a list": "[1]",
    "illegal": {"type": "hora", "actor": 0},
    "no action": {"type": "dahai", "actor": 0, "pai": "??"},
    "huge": '{"type": "dahai", "x": "' + "x" * 1_000_000 + '"}',
    "too few values": {**DISCARD, "meta": {"q_values": [1.0], "mask_bits": 257}},
    "too many values": {**DISCARD, "meta": {"q_values": [1.0] * 3, "mask_bits": 257}},
    "no values": {**DISCARD, "meta": {"mask_bits": 257}},
    "no mask": {**DISCARD, "meta": {"q_values": [1.0]}},
    "NaN": {**DISCARD, "meta": meta({0: float("nan"), 8: 0.0})},
    "infinity": {**DISCARD, "meta": meta({0: float("inf"), 8: 0.0})},
    "text": {**DISCARD, "meta": {"q_values": ["1", "2"], "mask_bits": 257}},
    "huge number": {**DISCARD, "meta": {"q_values": [10**400, 1], "mask_bits": 257}},
    "answer not in the mask": {**DISCARD, "meta": meta({8: 0.0})},
    "high bit": {**DISCARD, "meta": {"q_values": [1.0], "mask_bits": 1 << 46}},
    "negative mask": {**DISCARD, "meta": {"q_values": [1.0], "mask_bits": -1}},
    "meta is a list": {**DISCARD, "meta": [1]},
    "wrong kans": {**DISCARD, "meta": meta(VALUES, kan_select={"q_values": [1], "mask_bits": 3})},
    "riichi is illegal": {"type": "reach", "actor": 0, "meta": meta({37: 1.0})},
}


@pytest.mark.parametrize("name", INVALID)
def test_invalid_answers_end_the_review_with_an_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError) as error:
        judged(dealt("1479m258p369s123z"), INVALID[name], tmp_path=tmp_path)
    assert error.value.code == "judge_failed"
    messages = {error.value.message(language) for language in terms.LANGUAGES}
    assert len(messages) == len(terms.LANGUAGES)


ENDING = {
    "late": "import time\ntime.sleep(60)",
    "dead": "raise SystemExit(3)",
    "deaf": "import os, time\nos.close(0)\ntime.sleep(60)",
    "unanswered": "import sys\nfor line in sys.stdin: pass",
}


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("name", ENDING)
def test_a_late_or_dead_program_ends_the_review(name: str, lines: bool, tmp_path: Path) -> None:
    path = tmp_path / "ending.py"
    path.write_text(ENDING[name], "utf-8")
    judge = ProgramJudge([sys.executable, str(path)], lines=lines, seconds=0.5, first_seconds=0.5)
    with judge, pytest.raises(RequestError) as error:
        review(short_game(), judge)
    assert error.value.code == "judge_failed"


def short_game() -> Game:
    game = Game("tenhou", seed=1)
    for _ in range(12):
        game.play(game.to_act[0], game.legal(game.to_act[0])[-1])
    return game


def run(*arguments: str) -> Result:
    environment = {"JANTAKU_LANG": "en", "COLUMNS": "200", "NO_COLOR": "1"}
    return CliRunner().invoke(app, arguments, env=environment)


DYING = """
import json, sys
for number, line in enumerate(sys.stdin):
    last = json.loads(line)[-1]
    if number == 3:
        raise SystemExit(1)
    tsumo = last["type"] == "tsumo" and last["pai"] != "?"
    print(json.dumps({"type": "dahai", "actor": last["actor"], "pai": last["pai"], "tsumogiri": True}
        if tsumo else {"type": "none"}), flush=True)
"""


def test_the_command_says_which_judge_failed(tmp_path: Path) -> None:
    path = tmp_path / "dying.py"
    path.write_text(DYING, "utf-8")
    record = tmp_path / "game.json"
    write(game_of("tenhou", 3), record, "jantaku")
    done = run("review", str(record), "--judge", f"mjai:{sys.executable} {path}", "--seat", "0", "--json")
    assert done.exit_code == 2
    output = json.loads(done.stdout)
    assert output["reviews"] == []
    assert "judge" in output["error"]


def test_a_program_that_cannot_be_started_is_named_without_its_command() -> None:
    judge = ProgramJudge("no-such-program --secret", name="Engine")
    with judge, pytest.raises(RequestError) as error:
        review(short_game(), judge)
    assert "Engine" in str(error.value)
    assert "no-such" not in str(error.value)


@pytest.mark.skipif(not COMPILED, reason="a whole game")
def test_a_program_in_mortals_dialect_plays() -> None:
    game = Game(load("tenhou").with_changes({"match.length": "east"}), seed=2)
    ours, guest = bot("standard"), MjaiBot(f"lines:{shlex.join(SHAPE)} every", 60)
    while not game.is_over:
        seat = game.to_act[0]
        action = ours.choose(game, seat)
        if seat == 1:
            assert guest.choose(game, seat) == action
        game.play(seat, action)
    guest.close()
    assert guest.faults == []


@pytest.mark.skipif(not COMPILED, reason="rollouts")
def test_the_command_lists_mistakes_by_seat(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    write(short_game(), record, "jantaku")
    done = run("review", str(record), "--seat", "1")
    assert done.exit_code == 0, done.output
    assert "mistake" in done.output
    wrong = run("review", str(record), "--judge", "strng")
    assert wrong.exit_code == 2
    assert "strong" in wrong.stderr

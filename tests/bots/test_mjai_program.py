"""Our bots as mjai programs: in our own arena, in other dialects, and with invalid messages."""

import json
import subprocess
import sys
from contextlib import ExitStack, closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from conftest import scale
from jantaku import terms
from jantaku.bots import bot
from jantaku.bots.mjai import MjaiBot
from jantaku.bots.mjai_program import MjaiProgram
from jantaku.game import Game, hide
from jantaku.kernels._jit import COMPILED
from jantaku.records.mjai import MjaiEncoder, action_from_mjai, to_mjai
from jantaku.rules import Ruleset, load

if TYPE_CHECKING:
    from jantaku.errors import JantakuError

Message = dict[str, Any]
PROGRAM = [sys.executable, "-m", "jantaku", "mjai"]
SHORT = {
    "match.length": "east",
    "match.start_points": 1000,
    "match.sticks": {"1000": 1},
    "end.tobi": "zero_or_below",
}
RULES = [  # rulesets that our arena sends to the programs
    pytest.param(load("tenhou").with_changes(SHORT), id="short"),
    pytest.param(load("tenhou-3").with_changes(SHORT), id="three"),
    pytest.param(load("bgm-2025"), id="whole", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_four_programs_decide_like_the_bots_they_run(rules: Ruleset) -> None:
    game = Game(rules, seed=3)
    ours = [bot("standard") for _ in game.seats]
    with ExitStack() as stack:
        programs = [stack.enter_context(closing(MjaiBot([*PROGRAM, "standard"], 60))) for _ in game.seats]
        while not game.is_over:
            seat = game.to_act[0]
            action = ours[seat].choose(game, seat)
            assert programs[seat].choose(game, seat) == action
            game.play(seat, action)
    assert [program.faults for program in programs] == [[]] * len(programs)


@pytest.mark.parametrize("style", ["array", "lines"])
@pytest.mark.parametrize("name", ["random", "efficient", "gentle"])
def test_every_answer_is_legal(name: str, style: str) -> None:
    """A line contains one message, as for Mortal, or all messages since the last decision, as on mjai.app."""
    reports: list[JantakuError] = []
    game, sent, riichi = Game("tenhou", seed=5), 0, 0
    programs = [MjaiProgram(bot(name, seat), "tenhou", report=reports.append) for seat in game.seats]
    encoders = [MjaiEncoder(seat) for seat in game.seats]
    for _ in range(scale(400)):
        lines: list[list[Message]] = [[] for _ in game.seats]
        for event in game.events[sent:]:
            for seat in game.seats:
                lines[seat] += encoders[seat].encode(hide(event, seat))
        sent = len(game.events)
        replies: list[Message] = [{} for _ in game.seats]
        for seat, messages in enumerate(lines):
            for line in [messages] if style == "array" else messages:
                replies[seat] = json.loads(programs[seat].answer(json.dumps(line)))
            assert bool(messages) or replies[seat] == {}
        for seat in game.seats:
            if seat not in game.to_act:
                assert replies[seat]["type"] == "none"
        for seat in game.to_act:
            kind = "riichi" if replies[seat]["type"] == "reach" else None
            if kind:
                riichi += 1
                replies[seat] = json.loads(programs[seat].answer(json.dumps(replies[seat])))
            action = action_from_mjai(replies[seat], game, seat, "riichi" if kind else None)
            assert action in game.legal(seat)
            game.play(seat, action)
        if game.is_over:
            break
    assert reports == []
    assert (riichi > 0) == (name == "efficient")


@pytest.mark.parametrize(
    ("mode", "rule", "rules"),
    [
        ("4p-red-half", "default_tenhou", None),
        ("3p-red-half", "default_tenhou", None),
        ("4p-red-half", "default_mjsoul", "mahjongsoul"),
        ("3p-red-half", "default_mjsoul", "mahjongsoul-3"),
    ],
)
@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_riichienv_accepts_every_answer(mode: str, rule: str, rules: str | None) -> None:
    """RiichiEnv sends neither seat nor rules, and offers the same legal actions as our engine."""
    riichienv: Any = pytest.importorskip("riichienv")
    reports: list[JantakuError] = []
    seats = range(int(mode[0]))
    programs = [MjaiProgram(bot("efficient", seat), rules, report=reports.append) for seat in seats]
    env = riichienv.RiichiEnv(mode, rule=getattr(riichienv.GameRule, rule)(), seed=4)
    seen = env.reset()
    while not env.done():
        actions = {}
        for seat, place in seen.items():
            program = programs[seat]
            reply = json.loads(program.answer(f"[{','.join(place.new_events())}]"))
            offered = {action_key(json.loads(action.to_mjai())) for action in place.legal_actions()}
            follower = program.follower
            assert {action_key(follower.answer(action)) for action in follower.legal} == offered
            if offered:
                if reply["type"] == "nukidora":
                    reply["type"] = "kita"
                actions[seat] = place.select_action_from_mjai(json.dumps(reply))
                assert actions[seat] is not None, reply
            else:
                assert reply == {"type": "none"}
        seen = env.step(actions)
    assert reports == []


def action_key(message: Message) -> tuple[object, ...]:
    """Return the fields that identify an action in every dialect."""
    kind = {"nukidora": "kita"}.get(message["type"], message["type"])
    tile = None if kind in ("hora", "ankan", "kita") else message.get("pai")
    return kind, tile, *sorted(message.get("consumed", ()))


def started(*more: Message) -> list[Message]:
    return [*to_mjai(Game("tenhou", seed=7), 0), *more]


def test_messages_without_a_decision_are_answered_with_none() -> None:
    program = MjaiProgram(bot("standard"), "tenhou")
    assert json.loads(program.answer('{"type": "hello"}')) == {
        "type": "join",
        "name": "standard",
        "room": "default",
    }
    *before, draw = started()
    for message in before:
        assert json.loads(program.answer(json.dumps(message))) == {"type": "none"}
    assert json.loads(program.answer(json.dumps({**draw, "can_act": False}))) == {"type": "none"}
    reply = json.loads(program.answer(json.dumps([{"type": "log", "msg": "hi"}])))
    assert reply["type"] == "dahai"
    program.answer(json.dumps([reply, {"type": "end_game"}]))
    assert program.over


NONSENSE = [
    "",
    "nonsense",
    "5",
    "[5]",
    '"tsumo"',
    "{}",
    '{"type": 1}',
    "[" * 9999,
    '{"type": "tsumo"}',
    "\ud800",
    "NaN",
]


def test_invalid_messages_are_reported_and_the_game_continues() -> None:
    reports: list[JantakuError] = []
    program = MjaiProgram(bot("efficient"), "tenhou", report=reports.append)
    for message in started():
        program.answer(json.dumps(message))
    for line in NONSENSE:
        assert json.loads(program.answer(line))["type"] in ("none", "dahai")
    assert len(reports) == len(NONSENSE)
    assert all(report.message(language) for report in reports for language in terms.LANGUAGES)
    other = MjaiProgram(bot("efficient"), "tenhou", report=reports.append)
    drawn = {"type": "tsumo", "actor": 2, "pai": "5mr"}
    assert json.loads(other.answer(json.dumps(drawn))) == {
        "type": "dahai", "actor": 2, "pai": "5mr", "tsumogiri": True,
    }  # fmt: skip


def test_a_program_survives_lost_and_corrupted_messages() -> None:
    chance = Random(1)
    game = Game("tenhou", seed=5)
    player = bot("random", 1)
    while len(game.played) < scale(300) and not game.is_over:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    messages = to_mjai(game, 0)
    values: list[Any] = [None, -1, 9, "?", "1m", "5sr", [], {}, ["1m"] * 13, True, 2**70, "E" * 99]
    for _ in range(12):
        program = MjaiProgram(bot("efficient"), "tenhou")
        for message in messages:
            if chance.random() < 0.05:
                continue
            changed = dict(message)
            if chance.random() < 0.1:
                changed[chance.choice(list(changed))] = chance.choice(values)
            reply = json.loads(program.answer(json.dumps([changed] * chance.choice((1, 1, 1, 2)))))
            assert isinstance(reply["type"], str)


def run(*arguments: str, lines: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*PROGRAM, *arguments], input=lines, capture_output=True, text=True, check=False)


def test_the_command_answers_each_line_and_exits() -> None:
    start, *rest = started()
    del start["id"]
    end = {"type": "end_game"}
    lines = "".join(json.dumps(it) + "\n\n" for it in (start, *rest, end, *rest))
    done = run("efficient", "--seat", "0", "--rules", "tenhou", lines=lines)
    replies = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert (done.returncode, replies) == (0, ["none", "none", "dahai", "none"])
    twice = [run("random", "--seed", "7", lines=lines).stdout for _ in range(2)]
    assert twice[0] == twice[1] != ""
    wrong = run("clever")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "efficient" in wrong.stderr

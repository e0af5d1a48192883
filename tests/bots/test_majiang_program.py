"""The mjai program for majiang-ai: its translation in both directions, and games with the real player.

The translation of whole games is compared with Majiang records of the same games, written independently.
"""

import json
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from conftest import scale
from jantaku.bots import bot
from jantaku.bots.mjai import MjaiBot
from jantaku.game import Action, Discard, Game, hide
from jantaku.game import actions as a
from jantaku.game import events as e
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.records.mjai import MjaiEncoder
from jantaku.records.mjai.actions import read_action
from jantaku.records.native.rules_mark import rules_mark
from jantaku.rules import load
from support.majiang_writer import majiang_of, tile

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "research" / "majiang" / "mjai.js"
NODE = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))
pytestmark = pytest.mark.skipif(NODE is None, reason="no Node found")
INSTALLED = pytest.mark.skipif(
    not (PROGRAM.parent / "node_modules" / "@kobalab" / "majiang-ai").is_dir(),
    reason="majiang-ai is not installed: run npm ci in research/majiang",
)
Message = dict[str, Any]

# Reads messages and the replies of a player; prints the steps it gets, and the answers
HARNESS = """
const { Seat } = require(process.argv[1]);
const steps = [], answers = [];
let reply;
const player = { action: (step, callback) => { steps.push(step); if (callback) callback(reply); } };
const seat = new Seat(player, { "赤牌": { m: 1, p: 1, s: 1 }, "クイタンあり": true });
for (const [messages, given] of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
  reply = given;
  answers.push(seat.answer(messages));
}
console.log(JSON.stringify({ steps, answers }));
"""


def translated(exchange: list[tuple[list[Message], Any]]) -> tuple[list[Message], list[Message]]:
    """Return the steps that the player gets for an exchange of messages and replies, and the answers."""
    ran = subprocess.run(
        [str(NODE), "-e", HARNESS, str(PROGRAM)],
        input=json.dumps(exchange), capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    found = json.loads(ran.stdout)
    return found["steps"], found["answers"]


@dataclass
class Seated:
    """What one seat of a game is sent and decides: the number of events so far, and the action."""

    seat: int
    decisions: list[tuple[int, Action, bool]] = field(default_factory=list)  # and whether it is its own turn

    def exchange(self, game: Game) -> list[tuple[list[Message], Any]]:
        """Return the lines of the game, each with Majiang's reply for the action; none after the last."""
        encoder, sent, lines = MjaiEncoder(self.seat, mark=rules_mark(game.rules)), 0, []
        for count, action, _ in [*self.decisions, (len(game.events), None, False)]:
            fresh = [hide(event, self.seat) for event in game.events[sent:count]]
            sent = count
            messages = [message for event in fresh for message in encoder.encode(event)]
            lines.append((messages, None if action is None else self._reply(game, count, action)))
            if isinstance(action, Discard) and action.riichi:
                lines.append(([{"type": "reach", "actor": self.seat}], None))
        return lines

    def _reply(self, game: Game, count: int, action: Action) -> Any:
        """Return the reply of Majiang's player for an action; melds are written as the record does."""
        match action:
            case Discard():
                return {"dapai": tile(action.tile) + "_" * action.drawn + "*" * bool(action.riichi)}
            case a.Tsumo() | a.Ron():
                return {"hule": "-"}
            case a.NineTerminals():
                return {"daopai": "-"}
            case a.Pass():
                return None
        event = next(
            (it for it in game.events[count:] if isinstance(it, e.Called | e.KanDeclared | e.Won)), None
        )
        if event is None or isinstance(event, e.Won) or event.seat != self.seat:
            return None  # another seat's claim came first
        steps = [step for hand in majiang_of(game, "ABCD")["log"] for step in hand]
        before = [it for it in game.events[:count] if isinstance(it, e.Called | e.KanDeclared)]
        melds = [step for step in steps if "fulou" in step or "gang" in step]
        [(kind, what)] = melds[len(before)].items()
        return {kind: what["m"]}


def played(name: str, seed: int, moves: int) -> tuple[Game, list[Seated]]:
    """Play the beginning of a game between bots and record the decisions of every seat."""
    game, player = Game("tenhou", seed=seed), bot(name, seed)
    seats = [Seated(seat) for seat in game.seats]
    while not game.is_over and len(game.played) < moves:
        seat = game.to_act[0]
        action = player.choose(game, seat)
        seats[seat].decisions.append((len(game.events), action, game.record.phase == YOUR_TURN))
        game.play(seat, action)
    return game, seats


GAMES = [
    ("random", 3),
    ("random", 4),
    ("random", 5),
    *([("standard", 1), ("efficient", 2)] if COMPILED else []),
]


@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_the_player_gets_the_steps_of_a_record(name: str, seed: int) -> None:
    game, seats = played(name, seed, scale(900))
    record = [step for hand in majiang_of(game, "ABCD")["log"] for step in hand]
    for seated in seats:
        start, *steps = translated(seated.exchange(game))[0]
        assert start["kaiju"]["id"] == seated.seat
        expected = seen_by(seated.seat, record)
        assert in_order(steps) == in_order(expected)
        assert [it for it in steps if "kaigang" in it] == [it for it in expected if "kaigang" in it]


def in_order(steps: list[Message]) -> list[Message]:
    """Return the steps without indicators, which Majiang turns earlier than mjai."""
    return [step for step in steps if "kaigang" not in step]


def seen_by(seat: int, record: list[Message]) -> list[Message]:
    """Hide what a seat does not see, and the results, which the player does not get."""
    seen, place = [], 0
    for step in record:
        [(kind, what)] = step.items()
        if kind == "qipai":
            place = (seat - what["jushu"]) % 4
            what = what | {
                "shoupai": [hand if at == place else "" for at, hand in enumerate(what["shoupai"])]
            }
        if kind in ("zimo", "gangzimo") and what["l"] != place:
            what = what | {"p": ""}
        if kind not in ("hule", "pingju"):
            seen.append({kind: what})
    return seen


@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_replies_become_the_same_actions(name: str, seed: int) -> None:
    """The answers to Majiang's replies are the actions that the replies stand for."""
    game, seats = played(name, seed, scale(900))
    checked = set()
    for seated in seats:
        exchange = seated.exchange(game)
        answers = iter(zip(translated(exchange)[1], exchange, strict=True))
        for _, action, own_turn in seated.decisions:
            answer, (_, reply) = next(answers)
            riichi: a.Riichi | None = None
            if isinstance(action, Discard) and action.riichi:
                assert answer == {"type": "reach", "actor": seated.seat}
                answer, riichi = next(answers)[0], "riichi"
            if reply is not None or action == a.Pass():
                assert read_action(answer, own_turn=own_turn, riichi=riichi) == action
                checked.add(type(action))
    assert {Discard, a.Pass} <= checked
    if COMPILED:
        assert a.Pon in checked


def test_the_indicator_of_a_kan_comes_before_the_discard_that_reveals_it() -> None:
    start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    start |= {"dora_marker": "5pr", "scores": [25000] * 4, "tehais": [["1m"] * 13, *[["?"] * 13] * 3]}
    discard = {"type": "dahai", "actor": 3, "pai": "E", "tsumogiri": True}
    messages: list[Message] = [
        {"type": "start_game", "names": ["", "", "", ""], "id": 0},
        start, discard, {"type": "dora", "dora_marker": "C"},
    ]  # fmt: skip
    steps, answers = translated([(messages, {"fulou": "z111-"})])
    assert steps[2:] == [{"kaigang": {"baopai": "z7"}}, {"dapai": {"l": 3, "p": "z1_"}}]
    assert answers == [{"type": "pon", "actor": 0, "target": 3, "pai": "E", "consumed": ["E", "E"]}]


SHORT = {
    "match.length": "east",
    "match.start_points": 1000,
    "match.sticks": {"1000": 1},
    "end.tobi": "zero_or_below",
}


@INSTALLED
@pytest.mark.parametrize(
    ("changes", "seats"),
    [(SHORT, (2,)), pytest.param({}, (0, 2), marks=pytest.mark.slow, id="whole")],
)
@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_majiang_plays_whole_games_without_a_fault(changes: dict[str, Any], seats: Any) -> None:
    game, other = Game(load("tenhou").with_changes(changes), seed=6), bot("standard")
    programs = {seat: MjaiBot([str(NODE), str(PROGRAM)], 60) for seat in seats}
    try:
        while not game.is_over:
            seat = game.to_act[0]
            player: Any = programs.get(seat, other)
            game.play(seat, player.choose(game, seat))
    finally:
        for program in programs.values():
            program.close()
    assert [program.faults for program in programs.values()] == [[] for _ in programs]


@INSTALLED
def test_majiang_names_its_version_and_refuses_three_players() -> None:
    ran = subprocess.run([str(NODE), str(PROGRAM), "--version"], capture_output=True, text=True, check=True)
    locked = json.loads((PROGRAM.parent / "package-lock.json").read_text("utf-8"))["packages"]
    version = locked["node_modules/@kobalab/majiang-ai"]["version"]
    assert ran.stdout.startswith(f"majiang-ai {version}, majiang-core ")
    game = Game("tenhou-3", seed=1)
    with closing(MjaiBot([str(NODE), str(PROGRAM)], 60)) as guest:
        guest.choose(game, game.to_act[0])
        assert not guest.active

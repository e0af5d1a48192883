"""The arena: every player plays in every seat on the same walls; external mjai programs and Python bots."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner, Result

import jantaku
from conftest import scale
from jantaku.bots import bot, play
from jantaku.bots.arena import contest, pairing, play_round, seating, walls_of
from jantaku.bots.chance import new_source
from jantaku.bots.game_tally import tally_of
from jantaku.bots.match import GAMES, POINTS, SEAT_SHIFT, new_match, play_match
from jantaku.bots.mjai import MAX_LINES, MjaiBot, fallback
from jantaku.bots.net_file import PLAIN as STANDARD_BOT
from jantaku.bots.policies import EFFICIENT, STANDARD
from jantaku.cli.command import Command, CommandGroup
from jantaku.cli.simulate import arena
from jantaku.errors import RequestError
from jantaku.game import Discard, Game, Pass
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import GAME
from jantaku.kernels.rules import rules_record
from jantaku.records.formats import read
from jantaku.records.mjai import action_to_mjai
from support.table import context

# Short games: the first win ends the game
POOR = {"match.start_points": 1000, "match.sticks": {"1000": 1}, "end.tobi": "zero_or_below"}
SHORT = jantaku.load("tenhou").with_changes({"match.length": "east"} | POOR)
NAMES = ("standard", "efficient", "standard", "efficient")


def test_every_player_sits_in_every_seat() -> None:
    assert sorted(tuple(seating(4, turn)) for turn in range(4)) == sorted(
        (turn, (turn + 1) % 4, (turn + 2) % 4, (turn + 3) % 4) for turn in range(4)
    )


def test_a_round_is_deterministic_and_fair() -> None:
    meeting = pairing(SHORT, NAMES, 7)
    first, again = play_round(meeting, 3), play_round(meeting, 3)
    assert (first.games == again.games).all()
    assert (first.games[:, :, GAMES] == 1).all()
    assert [sorted(places) for places in first.places.tolist()] == [[1, 2, 3, 4]] * 4
    assert first.games[:, :, POINTS].sum() == 16 * SHORT.match.start_points


def test_equal_players_have_equal_results() -> None:
    """With the same player in all seats, every rotation is the same game, so luck cancels out."""
    rows = play_round(pairing(SHORT, ("efficient",) * 4, 2), 0).games.sum(axis=0)
    assert (rows == rows[0]).all()


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    meeting, progress = pairing(SHORT, NAMES, 1), list[int]()
    one, two = (contest(meeting, scale(6), jobs, progress.append) for jobs in (1, 2))
    assert progress == [*range(1, scale(6) + 1)] * 2
    for alone, shared in zip(one, two, strict=True):
        assert (alone.tally == shared.tally).all()
        assert alone.rounds == shared.rounds
        assert 1 <= alone.place <= 4
    assert sum(standing.place for standing in one) == pytest.approx(10)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
def test_a_search_plays_the_same_games_with_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jantaku.bots.search.bot.SEEDED_DEALS", 1)
    meeting = pairing(SHORT, ("search", "strong", "gentle", "strong"), 3)
    first, again = play_round(meeting, 0), play_round(meeting, 0)
    assert (first.games == again.games).all()
    assert sum(thinking.decisions for thinking in first.thinking) > 20


def test_typed_games_equal_compiled_games() -> None:
    """Typed and compiled games on the same walls have the same moves and the same counts."""
    meeting = pairing(SHORT, NAMES, 11)
    match = new_match(SHORT, (STANDARD, EFFICIENT) * 2, 0, 2000)
    match.walls[:] = new_source((11, 0, 5))
    moves = play_match(np.zeros(1, GAME)[0], match, rules_record(SHORT)[0], context())
    game = play(Game(SHORT, walls=walls_of(meeting, 5)), NAMES)
    assert [seat << SEAT_SHIFT | code for seat, code in game.played] == match.moves[:moves].tolist()
    assert tally_of(game).tolist() == match.tally.tolist()


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_bot_files_play_as_the_bots_in_them(tmp_path: Path) -> None:
    """A file with the weights of ``standard`` has its results; with two files the games are typed."""
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        STANDARD_BOT.write(file)
    one, two = map(str, files)
    names = (NAMES, (one, "efficient", "standard", "efficient"), (one, "efficient", two, "efficient"))
    meetings = [pairing(SHORT, each, 7) for each in names]
    assert [meeting.compiled for meeting in meetings] == [True, True, False]
    expected, *rounds = (play_round(meeting, 1).games for meeting in meetings)
    assert all((games == expected).all() for games in rounds)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("standard",) * 3, "3 players are named; these rules need 4"),
        (("standard",) * 3 + ("stronger",), "stronger"),
    ],
)
def test_wrong_players_are_refused(names: tuple[str, ...], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        pairing(SHORT, names, 1)


# Programs that use mjai ------------------------------------------------------------------------------------

PLAIN = """
import json, sys
for line in sys.stdin:
    news = json.loads(line)
    last = news[-1]
    me = next((m["id"] for m in news if m["type"] == "start_game"), globals().get("me"))
    if last["type"] == "tsumo" and last["actor"] == me:
        answer = {"type": "dahai", "actor": me, "pai": last["pai"], "tsumogiri": True}
    else:
        answer = {"type": "none"}
    print(json.dumps(answer), flush=True)
"""
BROKEN = {
    "garbage": "import sys\nfor _ in sys.stdin: print('{', flush=True)",
    "a list": "import sys\nfor _ in sys.stdin: print('[1]', flush=True)",
    "too long": "import sys\nfor _ in sys.stdin: print('x' * 1000000, flush=True)",
    "illegal": 'import sys\nfor _ in sys.stdin: print(\'{"type": "hora", "actor": 0}\', flush=True)',
    "crash": "raise SystemExit(3)",
    "silence": "import time\ntime.sleep(60)",
}


def program(tmp_path: Path, source: str) -> list[str]:
    path = tmp_path / "program.py"
    path.write_text(source, "utf-8")
    return [sys.executable, str(path)]


def with_guest(guest: MjaiBot, moves: int) -> Game:
    """Play the beginning of a game with the guest in seat 0."""
    game, other = Game("tenhou", seed=4), bot("efficient")
    while not game.is_over and len(game.moves) < moves:
        seat = game.to_act[0]
        player: Any = guest if seat == 0 else other
        game.play(seat, player.choose(game, seat))
    return game


def test_an_external_program_plays(tmp_path: Path) -> None:
    guest = MjaiBot(program(tmp_path, PLAIN))
    game = with_guest(guest, 80)
    guest.close()
    own = [action for _, seat, action in game.moves if seat == 0]
    assert guest.faults == []
    assert all(action == Pass() or (isinstance(action, Discard) and action.drawn) for action in own)
    assert len(own) > 10


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_program_does_not_stop_the_game(name: str, tmp_path: Path) -> None:
    guest = MjaiBot(program(tmp_path, BROKEN[name]), seconds=0.2 if name == "silence" else 5)
    game = with_guest(guest, 30)
    guest.close()
    guest.close()
    assert len(game.moves) == 30
    assert guest.faults
    assert not guest.active
    if name in ("crash", "silence"):
        assert len(guest.faults) == 1


STARTERS = {
    "killed": "sleep 90 | cat",
    "exits": "sleep 90 & read line; exit 3",
    "ends itself": 'sleep 90 & read line; echo \'{"type": "none"}\'; exit 0',
}


EVERY_LINE = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    own = message["type"] == "tsumo" and message["actor"] == 0 and message.get("can_act", True)
    discard = {"type": "dahai", "actor": 0, "pai": message.get("pai"), "tsumogiri": True}
    answer = discard if own else {"type": "none"}
    print(json.dumps(answer), flush=True)
"""


def test_a_program_that_answers_every_line_can_join_late(tmp_path: Path) -> None:
    """It gets the game so far at once, more lines than the program may print unasked."""
    game = Game("tenhou", seed=4)
    while not game.is_over and (len(game.events) < 3 * MAX_LINES or game.to_act[0] != 0):
        game.play(game.to_act[0], fallback(game, game.to_act[0]))
    assert not game.is_over
    guest = MjaiBot(program(tmp_path, EVERY_LINE), lines=True)
    for _ in range(40):
        if not game.to_act:
            break
        seat = game.to_act[0]
        game.play(seat, guest.choose(game, 0) if seat == 0 else fallback(game, seat))
    guest.close()
    assert guest.faults == []


def has_processes(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize("name", STARTERS)
def test_the_processes_that_a_program_started_end_with_it(name: str, tmp_path: Path) -> None:
    """They hold the program's input and output, which must not delay an answer or the end."""
    (tmp_path / "command.sh").write_text(f"echo $$ > {tmp_path}/pid; {STARTERS[name]}", "utf-8")
    guest, began = MjaiBot(["sh", str(tmp_path / "command.sh")], seconds=1), time.monotonic()
    with_guest(guest, 12)
    guest.close()
    assert time.monotonic() - began < 30
    assert guest.faults
    while has_processes(int((tmp_path / "pid").read_text())):  # until init has collected them
        assert time.monotonic() - began < 60
        time.sleep(0.05)


def test_mjai_riichi_takes_two_steps(tmp_path: Path) -> None:
    """The program answers ``reach`` first, then the ``dahai``."""
    game, best = Game("tenhou", seed=8), bot("standard")
    action = best.choose(game, game.to_act[0])
    while not (isinstance(action, Discard) and action.riichi):
        game.play(game.to_act[0], action)
        action = best.choose(game, game.to_act[0])
    seat = game.to_act[0]
    script = [json.dumps(message) for message in action_to_mjai(action, game, seat)]
    source = f"import sys\nfor line, reply in zip(sys.stdin, {script!r}): print(reply, flush=True)"
    guest = MjaiBot(program(tmp_path, source))
    assert guest.choose(game, seat) == action
    assert guest.faults == []
    guest.close()


def test_a_missing_program_is_refused() -> None:
    for command in ("no-such-program-anywhere", "", "'cat"):
        with pytest.raises(RequestError, match="cannot be started"):
            MjaiBot(command)


def test_fallback_is_always_legal() -> None:
    game = Game("bgm-2025", seed=3)
    for _ in range(60):
        seat = game.to_act[0]
        assert fallback(game, seat) in game.legal(seat)
        game.play(seat, fallback(game, seat))


# The command -----------------------------------------------------------------------------------------------


RULES = """
extends = "tenhou"
[match]
length = "east"
start_points = 1000
sticks = { 1000 = 1 }
[end]
tobi = "zero_or_below"
"""


def run(*arguments: str, language: str = "en") -> Result:
    app = typer.Typer(cls=CommandGroup, pretty_exceptions_enable=False)
    app.command("arena", cls=Command)(arena)
    app.callback()(lambda: None)
    environment = {"JANTAKU_LANG": language, "COLUMNS": "200", "NO_COLOR": "1"}
    return CliRunner().invoke(app, ["arena", *arguments], env=environment)


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "short.toml"
    path.write_text(RULES, "utf-8")
    return str(path)


@pytest.mark.parametrize(("language", "word"), [("en", "Deal-in"), ("ja", "放銃"), ("ko", "방총")])
def test_the_command_prints_a_table(language: str, word: str, rules: str) -> None:
    games = "8" if COMPILED else "4"
    done = run(*NAMES, "--games", games, "--rules", rules, language=language)
    assert done.exit_code == 0, done.output
    assert word in done.output
    assert ("±" in done.output) is COMPILED  # four games are a single rotation, too few for an interval


def test_the_command_writes_json(rules: str) -> None:
    first, again = (
        run(*NAMES, "--games", "6", "--rules", rules, "--seed", "3", "--json", "--jobs", jobs)
        for jobs in ("1", "2")
    )
    output, same = (json.loads(done.stdout) for done in (first, again))
    assert output["games"] == 8
    assert [player["name"] for player in output["players"]] == list(NAMES)
    assert output["players"] == same["players"]
    for player in output["players"]:
        low, high = player["interval"]
        assert low <= player["place"] <= high
        assert sum(player["places"]) == pytest.approx(1)
    assert sum(player["points"] for player in output["players"]) == pytest.approx(
        4 * SHORT.match.start_points
    )


def test_the_command_seats_programs_and_reports_their_faults(rules: str, tmp_path: Path) -> None:
    crash = "mjai:" + " ".join(program(tmp_path, BROKEN["crash"]))
    done = run("efficient", "efficient", "efficient", crash, "--games", "4", "--rules", rules)
    assert done.exit_code == 0, done.output
    assert "program: " in done.output
    assert f"{len(seating(4, 0))}×" in done.output


PYTHON_BOT = """
class First:
    name = "first"
    closed = 0

    def choose(self, game, seat):
        return game.legal(seat)[0]

    def close(self):
        First.closed += 1

class Mute:
    pass
"""


def test_a_python_class_plays_and_every_game_is_saved(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    (tmp_path / "own_bots.py").write_text(PYTHON_BOT, "utf-8")
    own = [*NAMES[:3], "own_bots:First", "--games", "4", "--rules", rules, "--seed", "3", "--json"]
    done = run(*own, "--save", "saved")
    assert done.exit_code == 0, done.output
    assert sys.modules["own_bots"].First.closed == 4
    files = sorted((tmp_path / "saved").glob("*.json"))
    games = [read(file) for file in files]
    assert [file.name for file in files] == [f"000000-{seat}.json" for seat in range(4)]
    assert all(game.is_over for game in games)
    points = [game.scores[seat] for seat, game in enumerate(games)]  # the first player sits in seats 0–3
    players = json.loads(done.stdout)["players"]
    assert players[0]["points"] == pytest.approx(sum(points) / 4)
    assert json.loads(run(*own).stdout)["players"] == players  # saving does not change the result


@pytest.mark.parametrize("name", ["own_bots:Nobody", "nowhere:Bot", "json:dumps", "own_bots:Mute", "a:b:c"])
def test_invalid_python_bots_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    (tmp_path / "own_bots.py").write_text(PYTHON_BOT, "utf-8")
    done = run("efficient", "efficient", "efficient", name)
    assert done.exit_code == 2
    assert name in done.output

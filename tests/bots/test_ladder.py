"""The ladder: void rounds, resumption, ratings and the report."""

import json
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from research import ladder as module
from research.ladder import Player, build, climb, parse, place_chances, strengths

from jantaku.bots.arena import pairing, walls_of
from jantaku.game import Game
from jantaku.game.events import HandStarted
from jantaku.kernels._jit import COMPILED
from jantaku.rules import load_file
from jantaku.tiles import RED

ROOT = Path(__file__).parents[2]
RULES = """
extends = "{preset}"
[match]
length = "east"
start_points = 1000
sticks = {{ 1000 = 1 }}
[end]
tobi = "zero_or_below"
"""
# Discards what it draws; answers nonsense in games whose first indicator is an honour
PROGRAM = """
import json, sys
started = broken = False
for line in sys.stdin:
    news = json.loads(line)
    for message in news:
        if message["type"] == "start_game":
            me = message["id"]
        if message["type"] == "start_kyoku" and not started:
            started, broken = True, message["dora_marker"] in "ESWNPFC"
    last = news[-1]
    if broken:
        print("nonsense", flush=True)
    elif last["type"] == "tsumo" and last["actor"] == me:
        print(json.dumps({"type": "dahai", "actor": me, "pai": last["pai"], "tsumogiri": True}), flush=True)
    else:
        print('{"type": "none"}', flush=True)
"""
ROUNDS = 6
WHOLE_GAMES = pytest.mark.skipif(not COMPILED, reason="whole games")


@pytest.fixture
def rules(tmp_path: Path) -> str:
    return write_rules(tmp_path, "tenhou")


def write_rules(folder: Path, preset: str) -> str:
    path = folder / "short.toml"
    path.write_text(RULES.format(preset=preset), "utf-8")
    return str(path)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, "utf-8")
    return path


def called(folder: Path, rules: str, *arguments: object) -> Namespace:
    return parse([str(folder), *map(str, arguments), "--rules", rules])


def run(chosen: Namespace, executor: ThreadPoolExecutor | None = None) -> dict[str, Any]:
    with executor or ThreadPoolExecutor(1) as pool:
        climb(build(chosen), chosen.folder, pool, 1)
    found: dict[str, Any] = json.loads((chosen.folder / "ladder.json").read_text("utf-8"))
    return found


def rows(folder: Path) -> dict[tuple[str, str, int], Any]:
    """Return the places and faults of the stored rounds."""
    stored = map(json.loads, (folder / "rounds.jsonl").read_text("utf-8").splitlines())
    return {
        (row["one"], row["others"], row["number"]): (row["places"], row["faults"])
        for row in stored
        if "number" in row
    }


def broken_rounds(rules: str) -> list[int]:
    """Return the rounds whose first indicator is an honour."""
    meeting = pairing(load_file(rules), ("random",) * 4)
    found = []
    for number in range(ROUNDS):
        game = Game(meeting.rules, walls=walls_of(meeting, number))
        start = next(event for event in game.events if isinstance(event, HandStarted))
        if start.indicator % RED >= 27:
            found.append(number)
    return found


@WHOLE_GAMES
def test_rounds_with_faults_are_void(rules: str, program: Path, tmp_path: Path) -> None:
    fake = f"fake=mjai:{sys.executable} {program}"
    call = ["random", fake, "--against", "random", "--rounds", ROUNDS, "--seconds", 60]
    found = run(called(tmp_path / "out", rules, *call))
    expected = broken_rounds(rules)
    assert 0 < len(expected) < ROUNDS
    [row] = found["pairings"]
    assert (row["one"], row["others"]) == ("fake", "random")
    assert (row["void"], row["hanchan"]) == (len(expected), 4 * (ROUNDS - len(expected)))
    assert row["finished"]
    assert {number for (_, _, number), (_, faults) in rows(tmp_path / "out").items() if faults[0]} == {
        *expected
    }
    assert {fault["label"] for fault in found["faults"]} == {"fake"}
    assert sum(fault["times"] for fault in found["faults"]) >= 4 * len(expected)
    [listed] = [player for player in found["players"] if player["label"] == "fake"]
    assert "program.py" in listed["version"]
    assert listed["ms"] > 0


class Interrupting(ThreadPoolExecutor):
    """Is interrupted when it gets a certain round."""

    left = 3

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **named: Any) -> "Future[Any]":
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().submit(call, *arguments, **named)


@WHOLE_GAMES
def test_an_interrupted_ladder_goes_on(rules: str, tmp_path: Path) -> None:
    whole, parts = (
        called(tmp_path / name, rules, "efficient", "random", "--rounds", 2) for name in ("whole", "parts")
    )
    run(whole)
    with pytest.raises(KeyboardInterrupt):
        run(parts, Interrupting(1))
    stored = parts.folder / "rounds.jsonl"
    count = len(rows(parts.folder))
    assert 0 < count < 4
    stored.write_bytes(stored.read_bytes() + b'{"one":"efficient","oth')  # cut off while it was written
    run(parts)
    assert rows(parts.folder) == rows(whole.folder)
    assert len(rows(parts.folder)) == 4
    unchanged = stored.read_bytes()
    run(parts)
    assert stored.read_bytes() == unchanged


@WHOLE_GAMES
def test_more_players_and_rounds_extend_a_ladder(rules: str, tmp_path: Path) -> None:
    first = called(tmp_path, rules, "random", "efficient", "--rounds", 2)
    run(first)
    before = rows(tmp_path)
    found = run(called(tmp_path, rules, "random", "efficient", "standard", "--rounds", 3))
    after = rows(tmp_path)
    assert before.items() <= after.items()
    assert len(after) == 6 * 3
    assert len(found["pairings"]) == 6


@pytest.mark.parametrize(
    ("change", "word"), [(["--seed", "5"], "seed"), (["--seconds", "1"], "seconds"), ([], "program.py")]
)
def test_rounds_of_another_setup_or_program_are_not_mixed(
    change: list[str], word: str, rules: str, program: Path, tmp_path: Path
) -> None:
    call = (tmp_path / "out", rules, "random", f"fake=mjai:{sys.executable} {program}", "--rounds", 1)
    build(called(*call))
    if not change:
        program.write_text(f"{PROGRAM}# changed", "utf-8")
    with pytest.raises(SystemExit, match=word):
        build(called(*call, *change))


@WHOLE_GAMES
@pytest.mark.parametrize(("preset", "seats"), [("tenhou", 4), ("tenhou-3", 3)])
def test_a_clearly_better_bot_is_rated_first(preset: str, seats: int, tmp_path: Path) -> None:
    found = run(called(tmp_path, write_rules(tmp_path, preset), "random", "good=efficient", "--rounds", 20))
    best, worst = found["players"]
    assert (best["label"], worst["label"]) == ("good", "random")
    assert (worst["rating"], worst["error"]) == (0, None)
    assert best["rating"] > best["error"] > 0
    for row in found["pairings"]:
        assert len(row["places"]) == seats
        assert sum(row["places"]) == pytest.approx(1, abs=0.001)
        assert (row["place"] < (seats + 1) / 2) == (row["one"] == "good")
        assert (row["expected"] < (seats + 1) / 2) == (row["one"] == "good")
    page = (tmp_path / "ladder.md").read_text("utf-8")
    assert f"against {seats - 1}" in page
    assert page.index("| good |") < page.index("| random |")


@WHOLE_GAMES
def test_a_pairing_ends_when_its_interval_is_narrow_enough(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 8)
    found = run(called(tmp_path, rules, "efficient", "random", "--rounds", 800, "--width", 0.3))
    for row in found["pairings"]:
        assert row["interval"] <= 0.3
        assert row["hanchan"] % (4 * 8) == 0
        assert row["hanchan"] < 4 * 800


@pytest.mark.parametrize("seats", [3, 4])
def test_the_fit_recovers_known_strengths(seats: int) -> None:
    known = np.array([0.0, 0.4, -0.7, 1.1])
    ones, others = [0, 1, 2, 3, 0], [1, 2, 3, 0, 2]
    chances = place_chances(known[ones] - known[others], seats)
    assert chances.sum(axis=-1) == pytest.approx(1)
    assert place_chances(np.zeros(1), seats)[0] == pytest.approx(1 / seats)
    fitted = strengths(1e5 * chances, ones, others, 4)
    assert fitted - fitted[0] == pytest.approx(known, abs=0.001)
    several = strengths(np.stack([1e5 * chances, 10 * chances]), ones, others, 4)
    assert several[0] == pytest.approx(fitted)
    unbeaten = strengths(np.array([[1000.0] + [0.0] * (seats - 1)]), [0], [1], 2)
    assert np.isfinite(unbeaten).all()
    assert unbeaten[0] > unbeaten[1]


@pytest.mark.parametrize(
    ("text", "label", "name"),
    [
        ("standard", "standard", "standard"),
        ("ours=strong", "ours", "strong"),
        ("p=mjai:node a.js --level=2", "p", "mjai:node a.js --level=2"),
        ("mjai:node a.js --level=2", "mjai:node a.js --level=2", "mjai:node a.js --level=2"),
        ("own:Bot", "own:Bot", "own:Bot"),
    ],
)
def test_a_player_has_a_name_and_a_label(text: str, label: str, name: str) -> None:
    assert Player.parse(text) == Player(name, label)


@pytest.mark.parametrize(
    "players",
    [
        ["standard"],
        ["standard", "standard"],
        ["a=standard", "a=strong"],
        ["standard", "strong", "--against", "x"],
    ],
)
def test_ladders_without_pairings_are_refused(players: list[str], rules: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        build(called(tmp_path / "out", rules, *players))


@WHOLE_GAMES
@pytest.mark.slow
def test_the_command_prints_the_report_and_names_players_that_fail(rules: str, tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(
        "class Bot:\n    def choose(self, game, seat):\n        return 1 / 0\n"
    )
    folder = str(tmp_path / "out")
    call = [sys.executable, "-m", "research.ladder", folder, "random", "--rules", rules, "--rounds", "1"]
    environment = {"PYTHONPATH": f"{ROOT / 'src'}:{tmp_path}:{ROOT}"}
    ran = [
        subprocess.run([*call, other], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        for other in ("same=random", "efficient", "failing:Bot")
    ]
    assert [done.returncode for done in ran] == [1, 0, 2]
    assert "## Ratings" in ran[1].stdout
    assert "failing:Bot" in ran[2].stderr
    assert "ZeroDivisionError" in ran[2].stderr

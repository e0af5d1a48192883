"""Files of version 0.1.0 are read, replayed and continued, whatever options were added since."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import jantaku
from jantaku.kernels._jit import COMPILED
from jantaku.records.native.compact import expand
from jantaku.records.native.game_file import dumps, loads, read
from jantaku.rules import fingerprints, load, preset_names
from jantaku.server.settings import DATABASE_FILE
from server.parlour import Person, open_server, quick, simplest

STORED = Path(__file__).parents[1] / "data" / "stored" / "0.1.0"
COMPACT = json.loads((STORED / "compact.json").read_text())
PARLOUR = json.loads((STORED / "parlour.json").read_text())
FILES = sorted(path.name for path in STORED.glob("*.jsonl"))


@pytest.mark.parametrize("name", FILES)
def test_game_files_are_read_and_continued(name: str) -> None:
    game = read(STORED / name)
    assert loads(dumps(game)).state == game.state
    assert game.is_over == (name in ("whole.jsonl", "own-rules.jsonl"))
    if not game.is_over:
        assert game.play(game.to_act[0], game.legal(game.to_act[0])[0])


@pytest.mark.parametrize("rules", COMPACT)
def test_compact_games_are_read(rules: str) -> None:
    game = expand(COMPACT[rules]["text"])
    assert [int(points) for points in game.scores] == COMPACT[rules]["scores"]
    assert len(game.played) == COMPACT[rules]["actions"]
    assert game.rules.id == rules
    assert game.rules.fingerprint == COMPACT[rules].get("fingerprint", game.rules.fingerprint)
    assert set(game.rules.differences(load(rules))) <= {"fouls.false_win_in_riichi"}, "but for corrections"


def test_baseline_options_are_always_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An option that a later version dropped counts with its baseline value."""
    options = dict(load("tenhou").options())
    whole = fingerprints.fingerprint(options, [])
    assert whole == load("tenhou").fingerprint
    del options["clock.turn_s"]
    assert fingerprints.fingerprint(options, []) == whole
    assert fingerprints.fingerprint({**options, "calls.later": 1}, []) != whole
    known = fingerprints.added_options()
    monkeypatch.setattr(fingerprints, "added_options", lambda: {**known, "calls.later": 1})
    assert fingerprints.fingerprint({**options, "calls.later": 1}, []) == whole
    assert fingerprints.fingerprint({**options, "calls.later": 2}, []) != whole


def test_every_option_has_a_row_in_the_baseline() -> None:
    """An option or yaku that comes later adds its row, with what was played before, to ``added.json``."""
    now = {path for path, _ in load("standard").options()}
    missing = now - set(fingerprints.first_options()) - set(fingerprints.added_options())
    assert not missing, "add to rules/baseline/added.json: " + ", ".join(sorted(missing))
    assert len(fingerprints.first_options()) == 412


@pytest.mark.skipif(not COMPILED, reason="a server plays whole games")
def test_a_stored_parlour_continues(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / DATABASE_FILE)
    database.executescript((STORED / "parlour.sql").read_text())
    database.close()
    with open_server(quick(tmp_path)) as url:
        mina = Person(url)
        mina.post("/api/login", name="Mina", password="a long password 1")
        listed = {game["table"]: game for game in mina.get("/api/games")["games"]}
        finished = listed[PARLOUR["finished"]]
        assert finished["rules_name"] == "Club rules"
        replay = mina.get(f"/api/games/{finished['id']}/replay")
        assert len(replay["steps"]) > 100
        text = mina.http.get(f"/api/games/{finished['id']}/record").text
        assert loads(text).is_over
        line = mina.socket(PARLOUR["playing"])
        line.until("sync")
        for _ in range(3):
            assert line.act(simplest(line.asked() or {}))["type"] == "ack"
        line.close()
        waiting = mina.get(f"/api/tables/{PARLOUR['waiting']}")
        assert waiting["rules"]["id"] == PARLOUR["saved"]
        assert mina.get(f"/api/rules/{PARLOUR['saved']}")["toml"].startswith('extends = "bgm-2025"')
        mina.close()


MADE_UP = """
import json, sys
from pathlib import Path
from jantaku.records.native.compact import compact, expand
from jantaku.records.native.game_file import dumps, loads, read
from jantaku.rules import load, preset_names
assert load("standard").calls.made_up == 3
assert load({"calls": {"made_up": 4}}) != load("standard")
stored = Path(sys.argv[1])
for name in sys.argv[2:]:
    game = read(stored / name)
    assert loads(dumps(game)).state == expand(compact(game)).state == game.state
if len(sys.argv) == 2:
    for rules, row in json.loads((stored / "compact.json").read_text()).items():
        assert len(expand(row["text"]).played) == row["actions"]
print(json.dumps({name: load(name).fingerprint for name in preset_names()}))
"""


long = pytest.mark.long  # uncompiled, a whole game takes most of a minute


@pytest.mark.parametrize("files", [
    ["given-walls.jsonl", "going-on.jsonl"],
    pytest.param(["whole.jsonl"], marks=long),
    pytest.param(["own-rules.jsonl"], marks=long),
    pytest.param([], marks=long, id="compact"),
])  # fmt: skip
def test_a_new_option_changes_no_fingerprint_or_file(files: list[str], tmp_path: Path) -> None:
    """The package is copied and gets one more option; it reads all that was written without it."""
    source = Path(jantaku.__file__).parent
    for path in source.rglob("*"):
        if path.suffix in (".py", ".toml", ".json", ".npy") and "static" not in path.parts:
            target = tmp_path / "jantaku" / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    options = tmp_path / "jantaku" / "rules" / "options.py"
    text = options.read_text("utf-8").replace(
        "    kuitan: bool =", "    made_up: int = _option(3, low=0, high=9)\n    kuitan: bool ="
    )
    options.write_text(text, "utf-8")
    added = tmp_path / "jantaku" / "rules" / "baseline" / "added.json"
    tree = json.loads(added.read_text("utf-8"))
    tree.setdefault("calls", {})["made_up"] = 3
    added.write_text(json.dumps(tree), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", MADE_UP, str(STORED), *files],
        env=os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {name: load(name).fingerprint for name in preset_names()}

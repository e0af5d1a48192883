"""A folder with the files that the pages name."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import segno

from jantaku import load
from jantaku.bots.weights import STANDARD_WEIGHTS
from jantaku.club import template
from jantaku.lab.adapt.bot import AdaptedBot, MatchResult
from jantaku.lab.experiment.estimates import Estimate
from jantaku.records import formats
from jantaku.server.run import prepare
from jantaku.server.settings import Settings
from support.club_games import random_game
from support.pages import blocks, text_of
from support.record_games import game_of
from support.shown_commands import invoke

PLAYERS = 40


def summer() -> dict[str, Any]:
    """An event with two games and forty players."""
    event = dict(template("bgm-2025"))
    event["players"] = [
        {"id": f"p{n:02}", "name": f"Player {n}", "team": "AB"[n % 2]} for n in range(1, PLAYERS + 1)
    ]
    rng, stage = Random(1), event["stages"][0]["id"]
    event["games"] = [
        {
            "id": f"g{n}",
            "stage": stage,
            "at": f"2025-06-0{n}T14:00:00+09:00",
            "players": ["p01", "p02", "p03", "p04"],
            "hands": random_game(rng, load("bgm-2025")),
        }
        for n in (1, 2)
    ]
    return event


def write_rules(folder: Path) -> None:
    """The rules of the club, with their yaku, and rules without any."""
    (folder / "house.toml").write_text('extends = "standard"\n[riichi]\nopen = true\n', "utf-8")
    (folder / "club.toml").write_text(blocks("docs/own-yaku.md", "toml")[0], "utf-8")


def write_bot(folder: Path) -> None:
    """A bot as if it had been adapted to ``bgm-2025``."""
    match = MatchResult(2, Estimate(2.5, 2.0, 3.0), Estimate(0.0, -1.0, 1.0))
    AdaptedBot("bgm-2025", load("bgm-2025"), STANDARD_WEIGHTS, 2, match).write(folder / "bgm-bot.json")


@pytest.fixture
def rules_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with nothing but rules, which is made at once."""
    write_rules(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def example_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files by their names, made once."""
    folder = tmp_path_factory.mktemp("example-files")
    formats.write(game_of("bgm-2025", 3), folder / "game.jsonl")
    formats.write(game_of("bgm-2025", 3, 60), folder / "begun.jsonl")
    formats.write(game_of("bgm-2025", 3), folder / "named.mjson")
    first, rest = (folder / "named.mjson").read_text("utf-8").split("\n", 1)
    started = json.loads(first) | {"names": [f"Player {n}" for n in range(5, 9)]}
    (folder / "named.mjson").write_text(f"{json.dumps(started)}\n{rest}", "utf-8")
    simulated = ["simulate", "--games", "2", "--bots", "efficient", "--out", str(folder / "hands.parquet")]
    assert invoke(simulated)[0] == 0
    prepare(Settings(data_dir=folder / "data"), admin=False)
    event = summer()
    rounds = [*event["stages"], {"id": "rounds", "kind": "rounds"}]
    files: dict[str, Any] = {
        "summer.json": event,
        "event.json": event | {"stages": rounds[-1:], "games": []},
        "year.json": template("bgm-2025-season"),
        "plan.json": json.loads(invoke(["event", "seat", "--players", "40", "--rounds", "8", "--json"])[1]),
        "game.json": {"id": "g1", "hands": event["games"][0]["hands"], "rules": "bgm-2025"},
        "requests": {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"},
    }
    files["games"] = files["game.json"]
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value) + "\n", "utf-8")
    (folder / "teams.csv").write_text("".join(f"Player {n},{n % 4}\n" for n in range(28)), "utf-8")
    segno.make("the club's logo").save(str(folder / "logo.png"), scale=8)
    write_rules(folder)
    write_bot(folder)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path, example_files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a reader tries what a page shows; nothing outside it is changed."""
    for name in ("data", "evening"):
        (tmp_path / name).mkdir()
    for name, content in example_files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "evening" / "late.toml").write_text('extends = "club.toml"\n', "utf-8")
    (tmp_path / "mybot.py").write_text(f"import jantaku\n\n\n{own_bot()}", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JANTAKU_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


def own_bot() -> str:
    """The class that the page shows, as a reader keeps it in a file."""
    shown = re.search(r"^class Nearest:\n.*?\n\n\n", text_of("docs/how-to.md"), re.MULTILINE | re.DOTALL)
    assert shown is not None
    return shown[0]

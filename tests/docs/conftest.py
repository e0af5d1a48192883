"""Fixtures: folders with the files that the pages mention."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from docs.pages import blocks, text_of
from jantaku import load
from jantaku.club import template
from jantaku.records import formats
from support.club_games import random_game
from support.record_games import game_of
from support.terminal import run


@pytest.fixture
def rules_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a club's rules, which include custom yaku."""
    (tmp_path / "club.toml").write_text(blocks("docs/own-yaku.md", "toml")[0], "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def folder(rules_folder: Path) -> Path:
    """A folder for trying the examples of a page: a game, an event, simulated hands and a bot."""
    formats.write(game_of("bgm-2025", 3), rules_folder / "game.jsonl")
    event = dict(template("bgm-2025"))
    event["players"] = [{"id": f"p{n:02}", "name": f"Player {n}", "team": "AB"[n % 2]} for n in range(1, 41)]
    game = {"id": "g1", "stage": event["stages"][0]["id"], "at": "2025-06-01T14:00:00+09:00"}
    hands = random_game(Random(1), load("bgm-2025"))
    event["games"] = [game | {"players": ["p01", "p02", "p03", "p04"], "hands": hands}]
    (rules_folder / "summer.json").write_text(json.dumps(event), "utf-8")
    run("simulate", "--games", "2", "--bots", "efficient", "--out", "hands.parquet")
    bot = re.search(r"^class Nearest:\n.*?\n\n\n", text_of("docs/python.md"), re.MULTILINE | re.DOTALL)
    assert bot is not None
    (rules_folder / "mybot.py").write_text(f"import jantaku\n\n\n{bot[0]}", "utf-8")
    return rules_folder

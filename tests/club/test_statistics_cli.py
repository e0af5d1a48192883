"""The commands ``jantaku event statistics`` and ``ratings``, with tables in three languages and JSON."""

import json
from pathlib import Path
from random import Random

import pytest

from jantaku.cli.app import app
from jantaku.rules import load
from jantaku.terms import LANGUAGES, Language, text
from support.club_games import random_event


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("event") / "event.json"
    folder.write_text(json.dumps(random_event(Random(3), load("bgm-2025"), 6, 8)), "utf-8")
    return folder


def run(capsys: pytest.CaptureFixture[str], *command: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as stopped:
        app(["event", *command])
    output = capsys.readouterr()
    assert stopped.value.code == code, output.err
    return output.out if code == 0 else output.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables(
    language: Language, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    overview = run(capsys, "statistics", str(file), "--lang", language)
    for key in ("rate.tenpai_at_draw", "achievement.most_wins", "achievement.fewest_deal_ins"):
        assert text(f"figures.{key}", language) in overview
    output = run(capsys, "statistics", str(file), "--player", "p1", "--lang", language)
    for key in ("rate.deal_in_to_open", "average_deal_in", "opponent"):
        assert text(f"figures.{key}", language) in output
    assert "#1" in output
    rated = run(capsys, "ratings", str(file), "--lang", language)
    assert "25.000 − 3 × 8.333 = 0.000" in rated


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    overview = json.loads(run(capsys, "statistics", str(file), "--json"))
    assert [player["player"] for player in overview["players"]] == [f"p{i}" for i in range(6)]
    assert len(overview["teams"]) == 3
    data = json.loads(run(capsys, "statistics", str(file), "--player", "p1", "--json"))
    assert data["brief"]["hands_played"] == data["rates"]["win"]["known"]
    assert {line["hand"] for line in data["hands"]}
    rated = json.loads(run(capsys, "ratings", str(file), "--json"))
    last = {seat["player"]: seat["after"]["mu"] for game in rated["games"] for seat in game["seats"]}
    assert {rating["player"]: rating["mu"] for rating in rated["ratings"]} == last


def test_an_unknown_player_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "p1" in run(capsys, "statistics", str(file), "--player", "p11", code=2)

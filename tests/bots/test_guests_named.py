"""The arena names Python players that fail or act illegally, and the valid forms of player names."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jantaku.cli.app import app

PLAYERS = """
from jantaku.game import Tsumo

class Crashes:
    def choose(self, game, seat):
        return 1 / 0

class Illegal:
    def choose(self, game, seat):
        return Tsumo() if Tsumo() not in game.legal(seat) else game.legal(seat)[0]

class Nothing:
    def choose(self, game, seat):
        return None

class Refused:
    def choose(self, game, seat):
        return game.legal(9)
"""


def arena(*players: str) -> Result:
    environment = {"JANTAKU_LANG": "en", "COLUMNS": "300", "NO_COLOR": "1"}
    return CliRunner().invoke(app, ["arena", *players, "--games", "4", "--jobs", "1"], env=environment)


@pytest.mark.parametrize("name", ["Crashes", "Illegal", "Nothing", "Refused"])
def test_a_player_that_fails_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_players.py").write_text(PLAYERS, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = arena("random", "random", f"failing_players:{name}", "random")
    assert result.exit_code == 2
    assert f"failing_players:{name}" in result.stderr
    assert "Traceback" not in result.stderr
    if name == "Crashes":
        assert "ZeroDivisionError" in result.stderr
        assert "failing_players.py" in result.stderr


def test_an_unknown_player_name_is_answered_with_the_valid_forms() -> None:
    result = arena("random", "random", "nobody", "random")
    assert result.exit_code == 2
    for known in ("standard", "mjai:COMMAND", "module:Class"):
        assert known in result.stderr

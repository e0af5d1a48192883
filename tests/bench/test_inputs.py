"""The inputs of the comparisons are complete and need no data from outside the repository."""

import importlib
import sys

import pytest

from bench import inputs


def test_the_projects_own_wins_state_every_field_that_peers_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "REAL_WINS", inputs.ROOT / "missing")
    wins = inputs.wins()
    assert len(wins) > 1000
    assert all(inputs.DEFAULTS.keys() <= win.request.keys() for win in wins)
    assert all(len(win.tiles) + 3 * len(win.melds) == 13 for win in wins)
    assert {win.request["by"] for win in wins} == {"ron", "tsumo"}


def test_missing_packages_are_named_with_the_command_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bench.installed", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(SystemExit, match=r"riichienv.*make \.venv/installed-bench"):
        importlib.import_module("bench.installed")

"""What packages are timed on is there without data beside the project, and complete."""

import importlib
import sys

import pytest

from bench import inputs


def test_the_projects_own_wins_state_every_field_that_peers_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "REAL_WINS", inputs.ROOT / "missing")
    wins = inputs.wins()
    assert len(wins) > 1000
    assert all(inputs.USUAL.keys() <= win.request.keys() for win in wins)
    assert all(len(win.tiles) + 3 * len(win.melds) == 13 for win in wins)
    assert {win.request["by"] for win in wins} == {"ron", "tsumo"}


def test_a_comparison_without_its_packages_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bench.installed", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(SystemExit, match=r"riichienv.*make \.venv/installed-bench"):
        importlib.import_module("bench.installed")

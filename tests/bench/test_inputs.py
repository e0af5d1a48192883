"""What packages are timed on is there without data beside the project, and complete."""

import importlib
import sys
from random import Random
from types import ModuleType
from typing import Any

import pytest

from bench import inputs
from naive.generate import FOUR


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


def test_cases_of_the_comparison_are_packed_as_the_engines_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the packages that they are compared with are not installed."""
    monkeypatch.setitem(sys.modules, "bench.installed", ModuleType("bench.installed"))
    cases: Any = importlib.import_module("bench.conform.cases")
    made = list(cases.random_cases(Random(3), 50, FOUR))
    records = cases.records(made)
    assert records["win_kind"].tolist() == [win.win for win in made]
    assert records["honba"].tolist() == [win.honba for win in made]
    assert records["kita"].tolist() == [win.kita for win in made]
    assert not records["wareme"].any()

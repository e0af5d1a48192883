"""A short form of the comparison with other engines; ``docs/other-engines.md`` has the long one."""

from pathlib import Path
from typing import Any

import pytest

from jantaku.kernels._jit import COMPILED

pytest.importorskip("riichienv", reason="riichienv is not installed")
pytest.importorskip("mahjong", reason="mahjong is not installed")
pytestmark = [pytest.mark.skipif(not COMPILED, reason="whole games"), pytest.mark.slow]

SIZES = {"wins": 12_000, "mahjong": 6_000, "games": 80, "logs": 8}


def conform() -> Any:
    from bench.conform import __main__ as found

    return found


def total_of(path: Path | None = None) -> dict[str, Any]:
    from bench.conform.parts import portions

    total: dict[str, Any] = conform().added(conform().work(portions(SIZES, seed=7), 1, path))
    return total


def test_every_difference_has_a_known_class(tmp_path: Path) -> None:
    from bench.conform.reasons import REASONS

    total = total_of(tmp_path / "results.jsonl")
    assert [example for part in total.values() for example in part.unknown] == []
    assert {name for part in total.values() for name in part.differences} <= REASONS.keys()
    seen = {part: compared.seen for part, compared in total.items()}
    assert sum(numbers["wins"] for numbers in seen.values()) == SIZES["wins"] + SIZES["mahjong"]
    assert sum(numbers["games"] for numbers in seen.values()) == SIZES["games"]
    assert all(
        numbers["ron"] and numbers["tsumo"] for part, numbers in seen.items() if part.startswith("games")
    )
    assert all(numbers["actions read"] for part, numbers in seen.items() if part.startswith("logs"))


def test_a_run_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.jsonl"
    monkeypatch.setitem(SIZES, "wins", 400)
    for name in ("mahjong", "games", "logs"):
        monkeypatch.setitem(SIZES, name, 0)
    first = total_of(path)
    monkeypatch.setattr(conform(), "run", None)  # a portion that is done again would fail
    assert total_of(path) == first


def test_a_difference_of_the_rules_is_found() -> None:
    """Under the rules of the other site, wins and games differ in ways that have no class."""
    from bench.conform import lockstep, wins
    from bench.conform.found_differences import Conformance
    from bench.conform.peers import by_riichienv

    from jantaku.rules import load

    assert wins.compare("tenhou", by_riichienv, "1", 3000).differences["unknown"] > 0
    tally = Conformance()
    game = lockstep.Lockstep("mahjongsoul", 9, tally)
    game.rules = load("mahjongsoul").with_changes({"draw.noten_payment": 1500})
    game.game = game._ours()
    game.play()
    assert tally.differences["unknown"] > 0

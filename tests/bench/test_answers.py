"""The table of answers: its rows, and what is made of what was measured."""

from pathlib import Path

import pytest
from bench.answers import adapted
from bench.answers import measured as measuring
from bench.answers.expected import expected, row_of, table
from bench.answers.page import as_data, page_lines

from jantaku.kernels._jit import COMPILED
from jantaku.lab.adapt.search import SearchSettings
from jantaku.lab.experiment.rows import row_label
from jantaku.rules import catalogue


def test_the_table_of_answers_is_about_rules_that_there_are() -> None:
    """Every row of the tables makes valid rules, names a row that is compared, and has a reason."""
    rows = expected()
    assert len({row.id for row in rows}) == len(rows)
    named = {
        entry for row in rows for entry in [row.path.removeprefix("yaku.")] if row.path.startswith("yaku.")
    }
    others = {entry.id: entry.han_from for entry in catalogue().values() if entry.han_from}
    assert named == set(catalogue()) - set(others)
    assert {row.path for row in rows} >= set(others.values())
    for row in rows:
        assert row.after != row.base
        assert row.why
        assert row_label(*row.row) if row.sign else row.row == ("", "")


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
def test_what_was_played_is_kept_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second call plays nothing; calls forbidden lower the rate of calls; the page has every row."""
    pytest.importorskip("polars")
    monkeypatch.setattr(measuring, "PORTION", 10)
    rows = [row for row in expected() if row.path in ("calls.chi", "yaku.tenhou", "yaku.kokushi_musou")]
    portions: list[int] = []
    played = measuring.PlayedSums(tmp_path, 20, lambda: portions.append(1))
    measured = [measuring.measured(row, played) for row in rows]
    once = len(portions)
    assert [measuring.measured(row, played) for row in rows] == measured
    assert len(portions) == once == 2 * (1 + len(rows))
    verdicts = {row.expected.path: row.verdict for row in measured}
    assert verdicts == {"calls.chi": "moved", "yaku.tenhou": "", "yaku.kokushi_musou": "rare"}
    assert len(as_data(measured)["answers"]) == len(rows)
    assert sum(line.startswith("| ") for line in page_lines(measured)) == len(rows) + 4


def test_bots_are_adapted_to_changes_of_the_table() -> None:
    """Each change is one of the table of answers, and its row one that is compared."""
    known = {row.id for row in expected()}
    for line in table("adapted"):
        assert line["id"] in known
        row, sign = row_of(f"+{line['row']}")
        assert row_label(*row)
        assert sign == 1


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
def test_adapting_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """The weights of every round are kept, and a second call searches and plays nothing anew."""
    pytest.importorskip("polars")
    ippatsu = next(row for row in expected() if row.id == "riichi.ippatsu False")
    settings = SearchSettings(rounds=2, games=16, match_games=16)
    first = adapted.Curve(ippatsu.after, tmp_path, settings)
    assert sorted(first.weights) == [0, 1, 2]
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again = adapted.Curve(ippatsu.after, tmp_path, settings)
    assert (again.weights, again.match) == (first.weights, first.match)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before

"""Local yaku in what the lab plays: columns of hands, experiments, questions about a discard."""

from pathlib import Path
from typing import Final

import pytest

from jantaku import load_file
from jantaku.kernels._jit import COMPILED
from jantaku.lab.chunks import ChunkPlan, play_chunk
from jantaku.lab.discards import HandQuestion, SeatPosition, answers, known_position
from jantaku.lab.experiment.live import summaries
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.parquet import hands_table
from jantaku.lab.simulate import simulate
from jantaku.rules import Ruleset, load

pl = pytest.importorskip("polars", reason="the extra lab is not installed")
pytestmark = [
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code"),
]
# Every win without a called meld has it, and no other win: so the other columns say who must have it
CODE: Final = """
from jantaku.rules.local import yaku


@yaku("sealed", closed=3, name={"en": "Sealed", "ja": "封", "ko": "봉인"})
def sealed(b):
    return b.closed == 1


@yaku("sevens", closed=1, open=1, name={"en": "Sevens", "ja": "七", "ko": "칠"})
def sevens(b):
    return b.kinds >> 6 & 1 == 1
"""
BOTS: Final = ("standard",) * 4


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("rules")
    (folder / "own.py").write_text(CODE, "utf-8")
    (folder / "club.toml").write_text('extends = "standard"\n[local]\nfile = "own.py"\n', "utf-8")
    return load_file(folder / "club.toml")


def test_columns_name_the_local_yaku_of_each_winner(sealed: Ruleset) -> None:
    hands = hands_table(play_chunk(ChunkPlan(sealed, BOTS, 12, 3), 0, 12))
    wins = 0
    for row in hands.iter_rows(named=True):
        for seat in range(4):
            made = row[f"local_{seat}"]
            closed = bool(row[f"won_{seat}"]) and row[f"calls_{seat}"] == 0
            assert ("sealed" in made) == closed, row
            assert row[f"won_{seat}"] or list(made) == []
            wins += closed
    assert wins > 10
    assert any("sevens" in row["local_0"] for row in hands.iter_rows(named=True))


def test_the_file_has_the_columns_and_files_without_local_yaku_do_not(
    sealed: Ruleset, tmp_path: Path
) -> None:
    for name, rules in (("own", sealed), ("plain", load("standard"))):
        simulate(ChunkPlan(rules, BOTS, 4, 3), 1, tmp_path / f"{name}.parquet")
    own, plain = (pl.read_parquet(tmp_path / f"{name}.parquet") for name in ("own", "plain"))
    assert {name for name in own.columns if name not in plain.columns} == {
        f"local_{seat}" for seat in range(4)
    }
    closed = own.filter(pl.col("won_2") & (pl.col("calls_2") == 0))
    assert closed["local_2"].cast(pl.List(pl.String)).list.contains("sealed").all()


def test_an_experiment_counts_them(sealed: Ruleset) -> None:
    rulesets = NamedRules("plain", load("standard")), NamedRules("sealed", sealed)
    *_, summary = summaries(Experiment(rulesets, ("standard",), games=16, seed=3))
    plain, own = summary.rulesets
    hands = hands_table(play_chunk(Experiment(rulesets, ("standard",), 16, 3).plan(rulesets[1]), 0, 16))
    counted = sum(
        "sealed" in row[f"local_{seat}"] for row in hands.iter_rows(named=True) for seat in range(4)
    )
    assert own.yaku["sealed"].wins == counted > 20
    assert "sealed" not in plain.yaku or plain.yaku["sealed"].wins == 0
    share = summary.paired[0].yaku["sealed"]["share"].interval()
    assert share.low > 0  # a yaku that only one of them has is in more of its wins


@pytest.mark.slow
def test_a_question_about_a_discard_counts_them(sealed: Ruleset) -> None:
    position = SeatPosition.parse("23456m234p678s99p 1z", seat="south")
    means = []
    for rules in (load("standard"), sealed):
        *_, answer = answers(HandQuestion(known_position(position, rules), games=40, seed=1))
        means.append(next(choice for choice in answer.choices if str(choice.action) == "1z").points)
    assert means[1].value > means[0].value

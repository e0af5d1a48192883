"""Custom yaku, which a rules file defines by a condition, work in games, in records and in the lab."""

from pathlib import Path
from random import Random

import pytest

from jantaku import load
from jantaku.game import Game
from jantaku.kernels._jit import COMPILED
from jantaku.lab.experiment.live import summaries
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.records import formats
from jantaku.rules import Ruleset

pytestmark = [
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code"),
]
pytest.importorskip("polars")


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    own = {"closed": 2, "when": "riichi", "name": {"en": "Sworn", "ja": "誓い", "ko": "맹세"}}
    return load({"extends": "standard", "yaku": {"sworn": own}})


def test_an_experiment_counts_them(rules: Ruleset) -> None:
    pair = NamedRules("plain", load("standard")), NamedRules("own", rules)
    *_, summary = summaries(Experiment(pair, ("standard",), games=16, seed=3))
    plain, own = summary.rulesets
    assert own.yaku["sworn"].wins == own.yaku["riichi"].wins > 20
    assert plain.yaku["sworn"].wins == 0


@pytest.mark.parametrize("name", formats.BY_NAME)
def test_a_game_with_them_is_written_and_read(rules: Ruleset, name: str, tmp_path: Path) -> None:
    game, rng = Game(rules, seed=2), Random(2)
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, rng.choice(game.legal(seat)))
    path = tmp_path / f"game{formats.BY_NAME[name].suffixes[0]}"
    formats.write(game, path, name)
    again = formats.read(path)  # the file contains the rules
    assert again.scores == game.scores
    assert again.rules.fingerprint == rules.fingerprint

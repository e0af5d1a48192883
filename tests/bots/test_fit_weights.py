"""How weights are fitted to people's choices, and how far the bots agree with people."""

from pathlib import Path

import numpy as np
import pytest

from bench import fit_weights
from jantaku.bots import bot, claim, discard_features, riichi, weights
from jantaku.bots.agreement import Agreement, agreement
from jantaku.game import Action, Discard, Game, Pass, Tsumo
from jantaku.kernels._jit import COMPILED
from jantaku.records import read_log


def test_weights_follow_the_order_of_the_features() -> None:
    for module, rows in (
        (discard_features, weights.DISCARD_WEIGHTS),
        (claim, weights.CLAIM_WEIGHTS),
        (riichi, weights.RIICHI_WEIGHTS),
    ):
        assert [getattr(module, name.upper()) for name, _, _ in rows] == list(range(module.COUNT))


def test_standard_discards_like_people(shared_data: Path) -> None:
    logs = sorted((shared_data / "tenhou-logs").glob("*.mjlog"))[: 3 if COMPILED else 1]
    whole = sum((agreement(read_log(path)) for path in logs), Agreement())
    assert whole.compared > 300
    assert whole.rate > 0.57
    assert sum(pair[0] for pair in whole.by_shanten.values()) == whole.compared


def test_agreement_counts_add_up() -> None:
    one, two = Agreement(), Agreement()
    one.add(1, True)
    two.add(1, False)
    two.add(0, True)
    both = one + two
    assert (both.compared, both.agreed, both.by_shanten) == (3, 2, {1: [2, 1], 0: [1, 1]})
    assert Agreement().rate == 0
    assert both.rate == pytest.approx(2 / 3)


def test_bots_choose_legal_typed_actions() -> None:
    game = Game("tenhou", seed=3)
    action: Action = bot("standard").choose(game, 0)
    assert isinstance(action, Discard | Tsumo)
    assert Pass() not in game.legal(0)


def test_fitting_finds_the_weights_that_made_the_choices() -> None:
    rng, true = np.random.default_rng(2), np.array([2.0, -1.0, 0.0])
    numbers, options = rng.normal(size=(4000, 34, 3)), rng.random((4000, 34)) < 0.3
    options[:, 0] = True
    made = fit_weights.Choices(numbers, options, np.zeros(4000, np.int64), np.arange(4000) % 7)
    chances = fit_weights.likelihoods(made, true)
    assert chances.sum(axis=1) == pytest.approx(np.ones(4000))
    assert chances[~options].max() == 0
    taken = (chances.cumsum(axis=1) > rng.random((4000, 1))).argmax(axis=1)
    choices = fit_weights.Choices(numbers, options, taken, made.games)
    assert fit_weights.fit(choices) == pytest.approx(true, abs=0.1)
    assert 0.3 < fit_weights.cross_validated(choices) < 1


@pytest.mark.slow
def test_choices_of_real_games_are_described(shared_data: Path) -> None:
    logs = [read_log(path) for path in sorted((shared_data / "tenhou-logs").glob("*.mjlog"))[:1]]
    for choices, weighed in (
        (fit_weights.discards_of(logs), weights.DISCARD_WEIGHTS),
        (fit_weights.calls_of(logs), weights.CLAIM_WEIGHTS),
    ):
        assert choices.numbers.shape[1:] == (34, len(weighed))
        assert choices.options[np.arange(len(choices.taken)), choices.taken].all()
        assert fit_weights.agreed(choices, np.array([weight for _, weight, _ in weighed])).mean() > 0.5

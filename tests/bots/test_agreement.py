"""The agreement of bots with human players, and the order of their weights."""

from pathlib import Path

import pytest

from jantaku.bots import bot, claim, discard_features, riichi, weights
from jantaku.bots.agreement import Agreement, agreement
from jantaku.game import Action, Discard, Game, Pass, Tsumo
from jantaku.kernels._jit import COMPILED
from jantaku.records import mjlog


def test_weights_follow_the_order_of_the_features() -> None:
    for module, rows in (
        (discard_features, weights.DISCARD_WEIGHTS),
        (claim, weights.CLAIM_WEIGHTS),
        (riichi, weights.RIICHI_WEIGHTS),
    ):
        assert [getattr(module, name.upper()) for name, _ in rows] == list(range(module.COUNT))


def test_standard_discards_like_human_players(shared_data: Path) -> None:
    logs = sorted((shared_data / "tenhou-logs").glob("*.mjlog"))[: 3 if COMPILED else 1]
    whole = sum((agreement(mjlog.read(path)) for path in logs), Agreement())
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

"""Training the network: what games record, and that training is repeatable and can be resumed."""

from pathlib import Path

import numpy as np
import pytest

from jantaku import load
from jantaku.bots.net import OPTION, SITUATION
from jantaku.bots.net_file import TrainedBot, trained_for
from jantaku.bots.policies import ADAPTED
from jantaku.errors import RequestError
from jantaku.kernels._jit import COMPILED
from jantaku.lab.kernels.recording import D_CHOSEN, D_COUNT, D_FIRST, D_STEP, STEP_HAND, STEP_SEAT
from jantaku.lab.train.games import Play, Recorded, play

pytestmark = [
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code"),
]


def recorded(rules: str, count: int = 3) -> Recorded:
    ruleset = load(rules)
    plan = Play(ruleset, (ADAPTED,) * len(ruleset.seats), trained_for(ruleset), 3, 0.02)
    return play(plan, 5, count)


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
def test_recorded_decisions_belong_to_their_steps(rules: str) -> None:
    found = recorded(rules)
    hands, seats = len(found.chunk.hands), len(load(rules).seats)
    assert len(found.decisions) > 100
    assert (np.diff(found.steps[:, STEP_HAND]) >= 0).all()
    assert set(found.steps[:, STEP_HAND]) <= set(range(hands))
    assert set(found.steps[:, STEP_SEAT]) == set(range(seats))
    assert (found.decisions[:, D_CHOSEN] <= found.decisions[:, D_COUNT]).all()
    ends = found.decisions[:, D_FIRST] + found.decisions[:, D_COUNT]
    assert (found.decisions[1:, D_FIRST] == ends[:-1]).all()
    assert ends[-1] == len(found.options)
    assert found.decisions[:, D_STEP].max() < len(found.states)
    assert np.isfinite(found.states).all()
    assert np.abs(found.states[:, :SITUATION]).max() <= 4
    assert found.options.shape[1] == OPTION


@pytest.mark.parametrize("room", [64, 5])
def test_the_same_seed_records_the_same(room: int) -> None:
    """However little room is guessed, at first, for the hands of a game."""
    ruleset = load("tenhou")
    plan = Play(ruleset, (ADAPTED,) * 4, trained_for(ruleset), 3, 0.02)
    first, again = recorded("tenhou", 1), play(plan, 5, 1, room=room)
    assert (first.chunk.games == again.chunk.games).all()
    for one, other in zip(first[1:], again[1:], strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))


def test_training_is_repeatable_and_resumes(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra train")
    from jantaku.lab.train.folder import BOT, TrainingSettings
    from jantaku.lab.train.run import train

    rules, settings = load("tenhou"), TrainingSettings(games=24, between=8, seed=4)

    class StopError(Exception):
        pass

    def stop(games: int, _log: object) -> None:
        if games == 16:
            raise StopError

    whole = train(rules, settings, tmp_path / "whole", jobs=2)
    with pytest.raises(StopError):
        train(rules, settings, tmp_path / "parts", progress=stop)
    train(rules, settings, tmp_path / "parts")
    first, second = ((tmp_path / name / BOT).read_bytes() for name in ("whole", "parts"))
    assert first == second
    assert whole.digest != trained_for(rules).digest
    assert whole.about["games"] == 24
    assert TrainedBot.read(tmp_path / "whole" / BOT).rules == rules
    with pytest.raises(RequestError):
        train(rules, TrainingSettings(games=24, between=8, seed=5), tmp_path / "whole")


def test_a_network_that_is_trained_further_plays_as_before_at_first() -> None:
    pytest.importorskip("torch", reason="training needs the extra train")
    from jantaku.lab.train.learning import bot_of, heads_of

    source = np.random.default_rng(3)
    start = trained_for(load("tenhou"))
    layers = [source.normal(0, 0.1, array.shape).astype(np.float32) for array in start.net]
    drawn = TrainedBot(start.weights, type(start.net)(*layers))
    again = bot_of(heads_of(drawn))
    assert again.weights == pytest.approx(drawn.weights)
    for one, other in zip(again.net, drawn.net, strict=True):
        assert one == pytest.approx(other, abs=1e-6)


def test_a_head_without_a_network_can_learn_one() -> None:
    pytest.importorskip("torch", reason="training needs the extra train")
    from jantaku.lab.train.learning import bot_of, heads_of

    start = trained_for(load("tenhou"))
    layers = [np.array(array) for array in start.net]
    for layer in layers:
        layer[0] = 0.0
        layer[1:] += 0.01
    again = bot_of(heads_of(TrainedBot(start.weights, type(start.net)(*layers))))
    assert not again.net.last[0].any()  # changes nothing yet
    assert again.net.option[0].any()
    assert again.net.second[0].any()
    assert again.net.option[1] == pytest.approx(layers[1][1], abs=1e-6)

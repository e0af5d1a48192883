"""Training the network: what games record, and that training is repeatable and can be resumed."""

from pathlib import Path

import numpy as np
import pytest

from jantaku import load
from jantaku.bots.net import DISCARD, OPTION, SITUATION
from jantaku.bots.net_file import TrainedBot, trained_for
from jantaku.bots.policies import ADAPTED_NAME
from jantaku.bots.weights import STANDARD_WEIGHTS
from jantaku.errors import RequestError
from jantaku.kernels._jit import COMPILED
from jantaku.lab.adapt.evidence import traces_of
from jantaku.lab.chunks import Chunk, ChunkPlan, Recorded, play_chunk
from jantaku.lab.kernels.recording import (
    D_CHOSEN,
    D_COUNT,
    D_FIRST,
    D_HEAD,
    D_STEP,
    STEP_HAND,
    STEP_SEAT,
)

pytestmark = [
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code"),
]


def played(rules: str, sharpness: float, games: int, first: int = 5) -> tuple[Chunk, Recorded]:
    ruleset = load(rules)
    bot, names = trained_for(ruleset), (ADAPTED_NAME,) * len(ruleset.seats)
    plan = ChunkPlan(ruleset, names, 99, 3, adapted=bot, sharpness=sharpness, critic=True)
    chunk = play_chunk(plan, first, games)
    assert chunk.recorded is not None
    return chunk, chunk.recorded


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
def test_recorded_decisions_belong_to_their_steps(rules: str) -> None:
    chunk, found = played(rules, 0.5, 3)
    hands, seats = len(chunk.hands), len(load(rules).seats)
    assert len(found.decisions) > 100
    assert (np.diff(found.steps[:, STEP_HAND]) >= 0).all()
    assert set(found.steps[:, STEP_HAND]) <= set(range(hands))
    assert set(found.steps[:, STEP_SEAT]) == set(range(seats))
    first, count, chosen = (found.decisions[:, column] for column in (D_FIRST, D_COUNT, D_CHOSEN))
    assert (chosen <= count).all()
    assert (first[1:] == first[:-1] + count[:-1]).all()
    assert first[-1] + count[-1] == len(found.options) == len(found.chances)
    assert found.decisions[:, D_STEP].max() < len(found.steps) == len(found.states)
    assert np.isfinite(found.states).all()
    assert np.abs(found.states[:, :SITUATION]).max() <= 4
    assert found.options.shape[1] == OPTION
    total = np.add.reduceat(found.chances, first)
    discards = found.decisions[:, D_HEAD] == DISCARD
    assert total[discards] == pytest.approx(1.0, abs=0.03)  # less the options that are hardly ever chosen
    assert (total < 1.0 + 1e-5).all()
    taken = np.where(chosen < count, found.chances[first + np.minimum(chosen, count - 1)], 1.0 - total)
    expected = np.add.reduceat(found.chances**2, first) + (1.0 - total) ** 2
    assert taken.mean() == pytest.approx(
        float(expected.mean()), abs=4 * float(taken.std()) / len(taken) ** 0.5
    )
    assert taken.min() > 0


def test_a_small_first_guess_loses_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played("tenhou", 0.5, 2)
    monkeypatch.setattr("jantaku.lab.chunks._HANDS_PER_GAME", 3)
    again = played("tenhou", 0.5, 2)
    assert (whole[0].games == again[0].games).all()
    for one, other in zip(whole[1], again[1], strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))


def test_only_random_choices_of_the_bot_are_recorded() -> None:
    rules = load("tenhou")
    bot, mixed = trained_for(rules), ("standard", "standard", ADAPTED_NAME, "standard")
    plain = play_chunk(ChunkPlan(rules, (ADAPTED_NAME,) * 4, 2, 1, adapted=bot), 0, 2)
    assert plain.recorded is None
    assert not traces_of(plain).any()
    one = play_chunk(ChunkPlan(rules, mixed, 2, 1, adapted=bot, sharpness=0.5), 0, 1)
    assert one.recorded is not None
    assert set(one.recorded.steps[:, STEP_SEAT]) == {2}
    assert not len(one.recorded.states)
    traces = traces_of(one)
    assert traces[:, 2].any()
    assert not traces[:, [0, 1, 3]].any()


def test_the_traces_of_random_choices_average_to_zero() -> None:
    """The average gradient of a log probability is zero, whatever the policy."""
    chunk, _ = played("tenhou", 0.5, 40, first=0)
    traces = traces_of(chunk).reshape(-1, len(STANDARD_WEIGHTS))
    spread = traces.std(axis=0) / len(traces) ** 0.5
    moved = spread > 1e-3
    assert moved.sum() > 50
    assert (np.abs(traces.mean(axis=0))[moved] < 5 * spread[moved]).all()


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
    (tmp_path / "whole" / BOT).unlink()  # as if killed after the last iteration
    assert train(rules, settings, tmp_path / "whole").digest == whole.digest
    assert (tmp_path / "whole" / BOT).read_bytes() == first
    with pytest.raises(RequestError):
        train(rules, TrainingSettings(games=24, between=8, seed=5), tmp_path / "whole")


@pytest.mark.parametrize("content", [b"", b"PK", b"a list"])
def test_a_damaged_state_is_refused(content: bytes, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="training needs the extra train")
    from jantaku.lab.train.folder import TrainingFolder, TrainingSettings

    path = tmp_path / "state.pt"
    path.write_bytes(content)
    if content == b"a list":
        torch.save([1], path)
    with pytest.raises(RequestError, match=r"state\.pt"):
        TrainingFolder(tmp_path, load("tenhou"), TrainingSettings(), "").read()


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

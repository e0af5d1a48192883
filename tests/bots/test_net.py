"""The network of ``strong``: compiled and plain code agree, and its file keeps it."""

import io
import json
import tracemalloc
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

from jantaku import Game, load
from jantaku.bots.chance import new_source
from jantaku.bots.net import CALL, DISCARD, HEADS, OPTION, RIICHI, SHAPES, SITUATION, Net
from jantaku.bots.net_file import NETS, PLAIN, TrainedBot, trained_for
from jantaku.bots.player import DECISION, bot, play
from jantaku.bots.policies import ADAPTED, STANDARD
from jantaku.bots.weights import STANDARD_WEIGHTS, WEIGHT_NAMES
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RecordError
from jantaku.game.engine import context
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.layers import layer, rectify
from jantaku.kernels.rules import rules_record


def random_net(seed: int, size: float = 0.05) -> Net:
    source = np.random.default_rng(seed)
    return Net(*(source.normal(0, size, shape).astype(np.float32) for shape in SHAPES))


def test_a_layer_is_an_affine_map() -> None:
    source = np.random.default_rng(1)
    bias, inputs, matrix = source.normal(size=8), source.normal(size=5), source.normal(size=(5, 8))
    inputs[2] = 0.0
    arrays = [array.astype(np.float32) for array in (bias, inputs, matrix)]
    out = np.ones(8, np.float32)
    layer(out, *arrays)
    assert out == pytest.approx(bias + inputs @ matrix, abs=1e-5)
    rectify(out)
    assert out == pytest.approx(np.maximum(bias + inputs @ matrix, 0), abs=1e-5)


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3", "bgm-2025"])
def test_the_value_of_a_discard_is_that_of_the_matrices(rules: str) -> None:
    """The chosen discard is the best of all, computed from the recorded numbers by NumPy."""
    game, net, checked = Game(rules, seed=4), random_net(2), 0
    trained = TrainedBot(STANDARD_WEIGHTS, net)
    work = new_bot_workspace(new_source(0), game.rules, trained)
    while game.to_act and checked < 25:
        seat = game.to_act[0]
        room = context(game.rules.tiles.man)
        DECISION.call(game.array, int(seat), ADAPTED, rules_record(game.rules), room, work)
        inputs = work.inputs
        for head in range(HEADS):
            options = int(inputs.options[head])
            if options.bit_count() < 2 or head > 0:
                continue
            values = {}
            for option in range(34):
                if options >> option & 1:
                    numbers = inputs.option[head, option]
                    first = (
                        inputs.situation @ net.situation[head] + net.bias[head] + numbers @ net.option[head]
                    )
                    second = np.maximum(first, 0) @ net.second[head] + net.second_bias[head]
                    plain = numbers[:90] @ np.array(STANDARD_WEIGHTS[:90])
                    values[option] = float((np.maximum(second, 0) @ net.last[head])[0]) + plain
            assert values[int(inputs.chosen[head])] == pytest.approx(max(values.values()), abs=1e-3)
            checked += 1
        game.play(seat, bot("standard").choose(game, seat))
    assert checked == 25
    assert len(inputs.situation) == SITUATION
    assert inputs.option.shape[-1] == OPTION
    assert np.isfinite(inputs.situation).all()


@pytest.mark.parametrize("head", range(HEADS))
def test_a_head_without_a_network_is_skipped(head: int) -> None:
    """The choices are those of a network of zeros, also of the heads that have one."""
    net, rules = random_net(5), load("tenhou")
    for array in net:
        array[head] = 0.0
    skipping = new_bot_workspace(new_source(0), rules, TrainedBot(STANDARD_WEIGHTS, net))
    evaluating = new_bot_workspace(new_source(0), rules, TrainedBot(STANDARD_WEIGHTS, net))
    assert skipping.corrected[2].tolist() == [int(other != head) for other in range(HEADS)]
    evaluating.corrected[:] = 1
    room, record = context(rules.tiles.man), rules_record(rules)
    riichi = calls = 0
    for seed in range(8 if COMPILED else 1):
        game = Game(rules, seed=seed)
        while game.to_act and len(game.walls) < 2:
            seat = game.to_act[0]
            chosen = [
                DECISION.call(game.array, int(seat), ADAPTED, record, room, work)
                for work in (skipping, evaluating)
            ]
            assert chosen[0] == chosen[1]
            riichi += int(skipping.inputs.options[RIICHI] != 0)
            calls += int(skipping.inputs.options[CALL] != 0)
            game.play(seat, bot("standard").choose(game, seat))
    assert not COMPILED or (riichi > 3 and calls > 20)


def test_a_random_choice_without_a_network_writes_no_inputs() -> None:
    game = Game("tenhou", seed=3)
    work = new_bot_workspace(new_source(0), game.rules)
    work.sharpness[0] = 0.7
    room, rules = context(game.rules.tiles.man), rules_record(game.rules)
    DECISION.call(game.array, int(game.to_act[0]), STANDARD, rules, room, work)
    assert work.inputs.chances[DISCARD].any()
    assert not work.inputs.situation.any()


def test_a_file_gives_back_the_bot(tmp_path: Path) -> None:
    rules, net = load("bgm-2025"), random_net(3)
    made = TrainedBot(tuple(np.arange(len(STANDARD_WEIGHTS)) / 7.0), net, rules.id, rules, {"seed": 5})
    made.write(tmp_path / "bot.npz")
    made.write(tmp_path / "again.npz")
    assert (tmp_path / "bot.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    read = TrainedBot.read(tmp_path / "bot.npz")
    assert read.weights == made.weights
    assert read.rules == rules
    assert read.about == {"seed": 5}
    for stored, array in zip(read.net, net, strict=True):
        assert stored == pytest.approx(array, rel=1e-3, abs=1e-6)


def test_a_file_with_other_weights_is_read_by_their_names(tmp_path: Path) -> None:
    """A weight that the file lacks has its value in ``standard``; an unknown weight is ignored."""
    path = tmp_path / "bot.npz"
    TrainedBot(tuple(weight + 1 for weight in STANDARD_WEIGHTS), random_net(3)).write(path)
    with np.load(path) as data:
        arrays = dict(data)
    head = json.loads(str(arrays["head"]))
    del head["weights"][WEIGHT_NAMES[3]]
    head["weights"]["discard.of_old"] = 5.0
    np.savez(path, **arrays | {"head": np.array(json.dumps(head))})
    weights = TrainedBot.read(path).weights
    assert weights[3] == STANDARD_WEIGHTS[3]
    assert weights[4] == STANDARD_WEIGHTS[4] + 1
    assert len(weights) == len(STANDARD_WEIGHTS)


@pytest.mark.parametrize("content", [None, b"", b"{", b"PK", b"[]"])
def test_other_files_are_refused(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "bot.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RecordError) as error:
        TrainedBot.read(path)
    assert error.value.code == ("unreadable_file" if content is None else "adapted_damaged")


@pytest.mark.parametrize("change", ["cut", "later", "shape", "not a number", "vast"])
def test_a_damaged_file_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "bot.npz"
    TrainedBot(STANDARD_WEIGHTS, random_net(3), "tenhou", load("tenhou")).write(path)
    if change == "cut":
        path.write_bytes(path.read_bytes()[:-400])
    else:
        with np.load(path) as data:
            arrays = dict(data)
        if change == "later":
            arrays["head"] = np.array(str(arrays["head"]).replace('"format": 1', '"format": 99'))
        elif change == "shape":
            arrays["last"] = arrays["last"][:, :-1]
        elif change == "vast":
            arrays["last"] = arrays["last"].astype(np.float64)
            arrays["last"][0, 0, 0] = 1e300
        else:
            arrays["last"][0, 0, 0] = np.nan
        np.savez(path, **arrays)
    with pytest.raises(RecordError):
        TrainedBot.read(path)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -1e300, 10**400, None, "x"])
def test_a_weight_that_is_no_ordinary_number_is_refused(tmp_path: Path, weight: object) -> None:
    path = tmp_path / "bot.npz"
    PLAIN.write(path)
    with np.load(path) as data:
        arrays = dict(data)
    head = json.loads(str(arrays["head"]))
    head["weights"][WEIGHT_NAMES[3]] = weight
    np.savez(path, **arrays | {"head": np.array(json.dumps(head))})
    with pytest.raises(RecordError, match="bot file"):
        TrainedBot.read(path)


@pytest.mark.parametrize("member", ["head.npy", "last.npy"])
@pytest.mark.parametrize(("shape", "size"), [((10**7, 10**7), 0), ((10**8,), 2 * 10**8)])
def test_a_file_with_a_huge_array_is_refused(
    tmp_path: Path, member: str, shape: tuple[int, ...], size: int
) -> None:
    path, array = tmp_path / "bot.npz", io.BytesIO()
    np.lib.format.write_array_header_1_0(array, {"descr": "<f2", "fortran_order": False, "shape": shape})
    with ZipFile(NETS / "tenhou.npz") as good, ZipFile(path, "w", ZIP_DEFLATED) as bad:
        for name in good.namelist():
            bad.writestr(name, array.getvalue() + bytes(size) if name == member else good.read(name))
    tracemalloc.start()
    try:
        with pytest.raises(RecordError, match="bot file"):
            TrainedBot.read(path)
        assert not size or tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_a_changed_byte_gives_a_bot_or_an_error(tmp_path: Path) -> None:
    """Also in the archive's headers, which name flags, methods and versions."""
    path, good = tmp_path / "bot.npz", (NETS / "tenhou-3.npz").read_bytes()
    refused = 0
    for at in [*range(0, len(good), 40), *range(len(good) - 200, len(good))]:
        for change in (0x01, 0x5A):
            path.write_bytes(good[:at] + bytes([good[at] ^ change]) + good[at + 1 :])
            try:
                TrainedBot.read(path)
            except RecordError:
                refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    ("rules", "trained"),
    [("tenhou", "tenhou"), ("tenhou-3", "tenhou-3"), ("bgm-2025", "tenhou"), ("standard-3", "tenhou-3")],
)
def test_every_ruleset_has_a_network(rules: str, trained: str) -> None:
    assert trained_for(load(rules)).ruleset == trained
    assert sorted(path.stem for path in NETS.glob("*.npz")) == ["tenhou", "tenhou-3"]


def test_a_file_can_play(tmp_path: Path) -> None:
    """The bot of ``standard``'s weights, stored and read, chooses as ``standard`` does."""
    game, path = Game("tenhou", seed=6), tmp_path / "bot.npz"
    PLAIN.write(path)
    stored, standard = bot(str(path)), bot("standard")
    for _ in range(60):
        seat = game.to_act[0]
        action = stored.choose(game, seat)
        assert action == standard.choose(game, seat)
        game.play(seat, action)


def test_strong_plays_a_whole_game_of_three() -> None:
    assert play(Game("tenhou-3", seed=3), "strong").is_over

"""Snapshots contain the same numbers as the engine's record."""

import numpy as np
import pytest

from jantaku.game.snapshot import FREQUENT, Snapshot
from jantaku.kernels.engine.state import GAME


@pytest.mark.parametrize("seed", range(3))
def test_every_field_is_read_as_numpy_reads_it(seed: int) -> None:
    data = np.random.default_rng(seed).bytes(GAME.itemsize)
    record, snapshot = np.frombuffer(data, GAME)[0], Snapshot(data)
    assert set(FREQUENT) < set(GAME.names or ())
    for name in GAME.names or ():
        value, read = record[name], getattr(snapshot, name)
        if value.dtype.names and not value.shape:
            numbers = [field for field in value.dtype.names if value.dtype[field].shape == ()]
            assert [getattr(read, number) for number in numbers] == [int(value[number]) for number in numbers]
        else:
            assert np.array_equal(read, value)
            assert value.shape or type(read) is int
    assert Snapshot(data).same(snapshot, "phase")
    with pytest.raises(AttributeError):
        _ = snapshot.no_such_field

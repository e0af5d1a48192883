"""Immutable copies of the engine's record with fast access to its fields."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from struct import Struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.kernels.engine.state import GAME

Reader = Callable[[bytes], Any]
_FIELDS: Final[Mapping[str, Any]] = GAME.fields or {}


class Snapshot:
    """An immutable copy of one ``GAME``: ``snapshot.turn`` is an ``int``, ``snapshot.hand`` an array.

    It stores the record's bytes and reads each field once, on first use, thirty times as fast as NumPy reads
    a field of a record. ``snapshot.match`` is a snapshot of the nested record.
    """

    def __init__(self, data: bytes, readers: Mapping[str, Reader] | None = None) -> None:
        self._data, self._readers = data, readers or _GAME
        if readers is None:  # the fields in FREQUENT; this is faster than updating ``__dict__``
            (
                self.drawn_live, self.drawn_rinshan, self.indicators, self.phase, self.turn, self.drawn,
                self.deciding, self.declaring,
            ) = _frequent(data)  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if name == "_readers" or (read := self._readers.get(name)) is None:
            raise AttributeError(name)
        value = read(self._data)
        setattr(self, name, value)
        return value

    def same(self, other: "Snapshot", name: str) -> bool:
        """Return whether a top-level field is equal in both; only the bytes are compared."""
        span = _SPANS[name]
        return self._data[span] == other._data[span]

    @property
    def array(self) -> npt.NDArray[Any]:
        """A read-only array of the record for compiled code."""
        return np.frombuffer(self._data, GAME)

    def copy(self) -> Any:
        """Return a writable ``GAME`` record with the same content."""
        return self.array.copy()[0]


def _readers(dtype: np.dtype[Any], start: int = 0) -> dict[str, Reader]:
    """Return a reader for each field of a record that begins at byte ``start``."""
    fields: Mapping[str, Any] = dtype.fields or {}
    return {name: _reader(field[0], start + field[1]) for name, field in fields.items()}


def _reader(dtype: np.dtype[Any], offset: int) -> Reader:
    if dtype.names:
        inside = _readers(dtype, offset)
        return lambda data: Snapshot(data, inside)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return lambda data: np.ndarray(shape, base, data, offset)
    if dtype == np.uint8:
        return itemgetter(offset)
    unpack = Struct(f"={_code(dtype)}").unpack_from
    return lambda data: unpack(data, offset)[0]


def _code(dtype: np.dtype[Any]) -> str:
    """Return the ``struct`` format character for a number of this type."""
    return "q" if dtype == np.int64 else dtype.char  # NumPy's ``l`` has eight bytes, ``struct``'s has four


def _together(names: Sequence[str]) -> Callable[[bytes], tuple[int, ...]]:
    """Return a reader for several numbers of a ``GAME``; ``names`` are in the order of its layout."""
    layout, end = "=", 0
    for name in names:
        dtype, start = _FIELDS[name][:2]
        layout += f"{start - end}x{_code(dtype)}"
        end = start + dtype.itemsize
    return Struct(layout).unpack_from


_GAME: Final = _readers(GAME)
# Nearly every action needs these fields, so they are read together
FREQUENT: Final = (
    "drawn_live", "drawn_rinshan", "indicators", "phase", "turn", "drawn", "deciding", "declaring",
)  # fmt: skip
_frequent: Final = _together(FREQUENT)
_SPANS: Final = {name: slice(field[1], field[1] + field[0].itemsize) for name, field in _FIELDS.items()}

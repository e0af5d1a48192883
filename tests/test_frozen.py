"""Dataclasses of ``jantaku.frozen`` behave like those of the standard library."""

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from jantaku import Hand, Meld, Win, frozen
from jantaku.reading import Reader


def made_by(library: Any) -> Any:
    @library.dataclass(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: int = 0
        _: library.KW_ONLY
        name: str = ""
        note: str = library.field(default="", compare=False)
        far: bool = library.field(init=False, repr=False)

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("x is below zero")
            object.__setattr__(self, "far", self.x + self.y > 9)

    return Point


OURS, STANDARD = made_by(frozen), made_by(dataclasses)


def outcome(look: Callable[[Any], Any], kind: Any) -> Any:
    try:
        return look(kind)
    except Exception as error:
        return type(error)


@pytest.mark.parametrize(
    "look",
    [
        lambda kind: kind(1, 2) == kind(1, y=2, note="not compared"),
        lambda kind: kind(1, 2) == kind(1, 2, name="other"),
        lambda kind: kind(1) == (1, 0),
        lambda kind: hash(kind(1, 2, name="a")),
        lambda kind: (kind(5, 5).far, kind(5).far, kind(5).name),
        lambda kind: kind(-1),
        lambda kind: kind(),
        lambda kind: kind(1, 2, "name"),
        lambda kind: kind(1, z=3),
        lambda kind: setattr(kind(1), "x", 2),
        lambda kind: delattr(kind(1), "x"),
        lambda kind: kind(1).__dict__,
        inspect.signature,
        lambda kind: [(f.name, f.type, f.default, f.kw_only) for f in dataclasses.fields(kind)],
        lambda kind: [(f.init, f.compare, f.repr) for f in dataclasses.fields(kind(1))],
        lambda kind: dataclasses.asdict(kind(1, note="kept")),
        lambda kind: dataclasses.replace(kind(1), y=9).far,
        lambda kind: dataclasses.replace(kind(1), x=-9),
        lambda kind: sys.version_info < (3, 13) or vars(copy)["replace"](kind(1), y=9).far,
        lambda kind: (kind.__match_args__, kind.__slots__, kind.__doc__, kind.__qualname__, kind.__module__),
        lambda kind: vars(kind)["__dataclass_params__"] and kind.__dataclass_params__.frozen,
        lambda kind: copy.copy(kind(8, 2, note="kept")).note + str(copy.deepcopy(kind(8, 2)).far),
    ],
)  # fmt: skip
def test_it_behaves_like_the_standard_library(look: Callable[[Any], Any]) -> None:
    assert outcome(look, OURS) == outcome(look, STANDARD)


@pytest.mark.parametrize(
    "value",
    [
        Meld.parse("chi", "340m", "4m", "left"),
        Hand.parse("123456789m1122z"),
        Win.parse("234m567p34567s99p 8s"),
    ],
)
def test_copies_are_equal_and_frozen(value: Any) -> None:
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value
        assert type(twin) is type(value)
        with pytest.raises(dataclasses.FrozenInstanceError):
            twin._tally = 0


def test_objects_read_by_pydantic_are_checked_and_frozen() -> None:
    read = Reader(Meld)({"type": "pon", "tiles": "555m", "called": "5m", "from": "across"})
    assert read == Meld.parse("pon", "555m", "5m", "across")
    with pytest.raises(dataclasses.FrozenInstanceError):
        read.source = None  # type: ignore[misc]


def test_importing_hands_and_wins_does_not_import_dataclasses() -> None:
    code = "from jantaku import Hand, Win; import sys; print('dataclasses' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout == b"False\n"

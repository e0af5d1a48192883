"""Trained bots: a network with the weights it corrects, as one file that names its rules, seed and version.

``NETS`` has those of ``strong``; ``jantaku lab train`` and ``jantaku lab adapt`` write others.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tokenize import TokenError
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from jantaku import __version__
from jantaku.bots.net import NO_NET, SHAPES, Net
from jantaku.bots.weights import STANDARD_WEIGHTS, WEIGHT_NAMES
from jantaku.errors import JantakuError, RecordError, cause, file_errors
from jantaku.rules import Ruleset
from jantaku.rules.ruleset import load_stored

NETS: Final = Path(__file__).with_name("nets")
FILE_END: Final = ".npz"
FORMAT: Final = 1
MAX_BYTES: Final = 1 << 24  # of the unpacked file, many times those of a bot
MAX_NUMBER: Final = 65504.0  # the largest in half precision, in which files store layers
FOUR_PLAYERS, THREE_PLAYERS = "tenhou", "tenhou-3"
"""The names of the shipped bots."""
DAMAGES: Final = (
    *(KeyError, TypeError, ValueError, AttributeError, OverflowError, EOFError, RuntimeError, MemoryError),
    *(BadZipFile, zlib.error, TokenError),
)
"""What ``numpy``, ``zipfile`` and ``json`` raise for files that are not what they should be."""


@dataclass(frozen=True, eq=False)
class TrainedBot:
    """The ``weights`` of the features (``WEIGHT_NAMES``), the network that corrects them, and their origin.

    ``ruleset`` and ``rules`` are those it was trained under; ``about`` has the seed, the number of games, the
    version and what else the training notes.
    """

    weights: tuple[float, ...]
    net: Net
    ruleset: str = ""
    rules: Ruleset | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Store the bot, equal ones as equal files; raise ``RecordError`` if the file cannot be written."""
        rules = (
            {"fingerprint": self.rules.fingerprint, "rules": self.rules.to_dict(whole=False)}
            if self.rules
            else {}
        )
        head = {
            "format": FORMAT,
            "version": __version__,
            "ruleset": self.ruleset,
            **rules,
            "about": dict(self.about),
        }
        head["weights"] = dict(zip(WEIGHT_NAMES, self.weights, strict=True))
        new = path.with_name(path.name + ".new")
        with file_errors(path, writing=True):
            with new.open("wb") as file:
                text = json.dumps(head, ensure_ascii=False, sort_keys=True)
                arrays = {name: array.astype(np.float16) for name, array in self.net._asdict().items()}
                np.savez_compressed(file, head=np.array(text), **arrays)
            new.replace(path)

    @property
    def digest(self) -> str:
        """A hash of what decides how the bot plays."""
        numbers = [np.array(self.weights, np.float64), *self.net]
        return hashlib.sha256(b"".join(np.asarray(array).tobytes() for array in numbers)).hexdigest()

    @classmethod
    def read(cls, path: Path) -> "TrainedBot":
        """Read a bot; features that its file does not know have the weights of ``standard``.

        Raises ``RecordError`` if the file cannot be read, is damaged, or was written by a later version.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
                if sum(member.file_size for member in data.zip.infolist()) > MAX_BYTES:
                    raise ValueError("it is too large")
                head = json.loads(str(data["head"]))
                if int(head["format"]) > FORMAT:
                    raise RecordError("lab_later", path=str(path))
                layers = zip(Net._fields, SHAPES, strict=True)
                return _bot_of(head, Net(*(_array(data[name], shape) for name, shape in layers)))
        except OSError as error:
            raise RecordError("unreadable_file", path=str(path), reason=cause(error)) from error
        except RecordError:
            raise
        except (*DAMAGES, JantakuError) as error:
            raise RecordError("adapted_damaged", path=str(path), reason=cause(error)) from error


def _bot_of(head: Mapping[str, Any], net: Net) -> TrainedBot:
    known = dict(zip(WEIGHT_NAMES, STANDARD_WEIGHTS, strict=True))
    weights = tuple(float(head["weights"].get(name, value)) for name, value in known.items())
    if not all(abs(weight) <= MAX_NUMBER for weight in weights):
        raise ValueError("a weight is not a number of ordinary size")
    rules = load_stored(head["rules"]) if "rules" in head else None
    return TrainedBot(weights, net, str(head["ruleset"]), rules, head["about"])


def _array(stored: Any, shape: tuple[int, ...]) -> Any:
    """Return a layer in single precision; raise ``ValueError`` for other shapes and numbers."""
    if stored.shape != shape:
        message = f"a layer has the shape {stored.shape} instead of {shape}"
        raise ValueError(message)
    if stored.dtype.kind != "f" or not (np.abs(stored) <= MAX_NUMBER).all():
        raise ValueError("a layer has other entries than numbers of ordinary size")
    return np.ascontiguousarray(stored, np.float32)


PLAIN: Final = TrainedBot(STANDARD_WEIGHTS, NO_NET)
"""``standard``, which has no network."""


@cache
def _shipped(name: str) -> TrainedBot:
    return TrainedBot.read(NETS / f"{name}.npz")


def trained_for(rules: Ruleset) -> TrainedBot:
    """Return ``strong`` for the rules: the bot trained under Tenhou's for as many players."""
    return _shipped(THREE_PLAYERS if len(rules.seats) == 3 else FOUR_PLAYERS)

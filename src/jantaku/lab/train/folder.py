"""The folder of a training: the bot so far, the state from which it resumes, and its log."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import torch

from jantaku.errors import RequestError, file_errors, wrong_choice
from jantaku.kernels._cache import source_hash
from jantaku.lab.adapt.outlook import AIMS
from jantaku.rules import Ruleset

BOT: Final = "bot.npz"
_STATE: Final = "state.pt"
_LOG: Final = "log.jsonl"


@dataclass(frozen=True)
class TrainingSettings:
    """Length of a training in ``games``, those between two updates, its ``aim`` (``AIMS``) and seed."""

    games: int = 300_000
    between: int = 768
    aim: str = "place"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.aim not in AIMS:
            raise wrong_choice("aim", self.aim, AIMS)
        for name, low in {"games": 1, "between": 1, "seed": 0}.items():
            if getattr(self, name) < low:
                raise RequestError("number_least", field=name, value=getattr(self, name), low=low)

    @property
    def iterations(self) -> int:
        """Number of updates of the network."""
        return max(self.games // self.between, 1)


class TrainingFolder:
    """The files of a training of ``settings`` under ``rules`` that started from the bot ``start``."""

    def __init__(self, path: Path, rules: Ruleset, settings: TrainingSettings, start: str) -> None:
        self.path = path
        head = {"settings": asdict(settings), "fingerprint": rules.fingerprint, "start": start}
        self._head = json.dumps(head | {"code": source_hash("lab")}, sort_keys=True)

    def read(self) -> dict[str, Any]:
        """Return the stored state, empty if there is none; ``RequestError`` if it is another training's."""
        path = self.path / _STATE
        if not path.exists():
            return {}
        try:
            state = dict[str, Any](torch.load(path, weights_only=True))
        except Exception as error:  # torch raises errors of many kinds for a damaged file
            raise RequestError("adapt_other_search", field="--out", path=str(path)) from error
        if state.get("head") != self._head:
            raise RequestError("adapt_other_search", field="--out", path=str(path))
        return state

    def write(self, state: dict[str, Any], log: dict[str, float]) -> None:
        """Replace the state and extend the log; a process killed at any time leaves an old or a new state."""
        path = self.path / _STATE
        new = path.with_suffix(".new")
        with file_errors(path, writing=True):
            self.path.mkdir(parents=True, exist_ok=True)
            with new.open("wb") as file:
                torch.save({**state, "head": self._head}, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
            with (self.path / _LOG).open("a", encoding="utf-8") as file:
                file.write(json.dumps(log) + "\n")

"""The file, next to the bot's, with the state from which an interrupted search resumes."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jantaku.bots.net_file import DAMAGES, TrainedBot
from jantaku.errors import RequestError, file_errors, wrong_choice
from jantaku.kernels._cache import source_hash
from jantaku.lab.adapt.evidence import Evidence
from jantaku.lab.adapt.outlook import AIMS, Outlook
from jantaku.rules import Ruleset


@dataclass(frozen=True)
class SearchSettings:
    """Length of a search: ``rounds`` of ``games``, then a match. ``aim`` (``AIMS``) is the bot's goal."""

    rounds: int = 30
    games: int = 4_096
    match_games: int = 8_000
    aim: str = "score"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.aim not in AIMS:
            raise wrong_choice("aim", self.aim, AIMS)
        bounds = {"rounds": 1, "games": 2, "match_games": 2, "seed": 0}
        for name, low in bounds.items():
            if getattr(self, name) < low:
                value = getattr(self, name)
                raise RequestError("number_least", field=name, value=value, low=low)

    @property
    def total(self) -> int:
        """Number of games in a complete search."""
        return self.rounds * self.games + self.match_games


@dataclass(frozen=True)
class SearchState:
    """State of a search after ``rounds`` rounds; the other fields are empty before the first round."""

    rounds: int = 0
    weights: tuple[float, ...] = ()
    outlook: Outlook | None = None
    evidence: Evidence | None = None


class StateFile:
    """The state of the search for ``out`` that starts from the bot ``begun``, replaced after every round."""

    def __init__(self, out: Path, rules: Ruleset, settings: SearchSettings, begun: TrainedBot) -> None:
        self.path = out.with_name(out.name + ".search")
        self._aim = settings.aim
        head = {
            "settings": asdict(settings),
            "fingerprint": rules.fingerprint,
            "begun": begun.digest,
            "code": source_hash("lab"),
        }
        self._head = json.dumps(head, sort_keys=True)

    def read(self) -> SearchState:
        """Read the stored state, or return an empty one if there is no file.

        Raises ``RequestError`` if the file belongs to another search or is damaged.
        """
        if not self.path.exists():
            return SearchState()
        try:
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as state:
                same = str(state["head"]) == self._head
                if same:
                    return self._state(state)
        except (OSError, *DAMAGES) as error:
            raise RequestError("adapt_other_search", field="--out", path=str(self.path)) from error
        raise RequestError("adapt_other_search", field="--out", path=str(self.path))

    def _state(self, data: Any) -> SearchState:
        outlook = Outlook(data["pairs"], data["bonus"], self._aim)
        evidence = Evidence(data["products"], data["gains"], float(data["squares"]), float(data["hands"]))
        return SearchState(int(data["rounds"]), tuple(data["weights"].tolist()), outlook, evidence)

    def write(self, state: SearchState) -> None:
        """Replace the file atomically: a process killed at any time leaves the old state or the new one."""
        assert state.outlook is not None
        assert state.evidence is not None
        new = self.path.with_name(self.path.name + ".new")
        with file_errors(self.path, writing=True):
            with new.open("wb") as file:
                np.savez(
                    file, head=self._head, rounds=state.rounds, weights=np.array(state.weights),
                    pairs=state.outlook.weights, bonus=state.outlook.bonus, products=state.evidence.products,
                    gains=state.evidence.gains, squares=state.evidence.squares, hands=state.evidence.hands,
                )  # fmt: skip
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)

    def remove(self) -> None:
        """Remove the file if it exists."""
        self.path.unlink(missing_ok=True)

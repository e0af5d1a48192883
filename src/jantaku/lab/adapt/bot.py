"""The file of an adapted bot: the ruleset it was fitted to, its weights by name, and its match result."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jantaku import __version__
from jantaku.bots.plan_tables import TASTES, USUAL_RULES
from jantaku.bots.weights import STANDARD_WEIGHTS, WEIGHT_NAMES
from jantaku.errors import JantakuError, RecordError, RequestError, cause, file_errors
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.plan import ADAPTED_END, NamedRules
from jantaku.rules import Ruleset, load
from jantaku.rules.catalogue import han_of
from jantaku.rules.ruleset import load_stored
from jantaku.rules.worths import worth_in

FORMAT: Final = 2  # format 1 scaled a plan's weights by its han and had no ``prospect`` weights
_NAMES: Final = [
    name.removeprefix("discard.far_") for name in WEIGHT_NAMES if name.startswith("discard.far_")
]
_YAKU_OF_PLAN: Final = dict(zip(_NAMES, TASTES, strict=False))
"""The yaku of each plan with a named weight."""
_MAX_HAN: Final = 5  # limits and yakuman count as this many han


@dataclass(frozen=True)
class MatchResult:
    """Average place and final score of one adapted bot against plain ones, with 95% intervals."""

    games: int
    place: Estimate
    score: Estimate


@dataclass(frozen=True)
class AdaptedBot:
    """A ``standard`` bot with its own ``weights``, in the order of ``STANDARD_WEIGHTS``."""

    ruleset: str  # id of the ruleset
    rules: Ruleset
    weights: tuple[float, ...]
    played: int  # games played by the search
    match: MatchResult

    @property
    def named_weights(self) -> dict[str, float]:
        """The weights by name (``WEIGHT_NAMES``)."""
        return dict(zip(WEIGHT_NAMES, self.weights, strict=True))

    def write(self, path: Path) -> None:
        """Store the bot as JSON; raise ``RecordError`` if the file cannot be written."""
        data = {
            "format": FORMAT,
            "version": __version__,
            "ruleset": self.ruleset,
            "fingerprint": self.rules.fingerprint,
            "rules": self.rules.to_dict(whole=False),
            "played": self.played,
            "match": {"games": self.match.games, "place": self.match.place, "score": self.match.score},
            "weights": self.named_weights,
        }
        with file_errors(path, writing=True):
            path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")

    @classmethod
    def read(cls, path: Path) -> "AdaptedBot":
        """Read a bot from a file; weights missing from the file are those of ``standard``.

        Raises ``RecordError`` if the file cannot be read, is damaged, or was written by a later version.
        """
        try:
            data = json.loads(path.read_bytes())
        except OSError as error:
            raise RecordError("unreadable_file", path=str(path), reason=cause(error)) from error
        except ValueError as error:
            raise RecordError("adapted_damaged", path=str(path), reason=cause(error)) from error
        version = data.get("format") if isinstance(data, Mapping) else None
        if isinstance(version, int) and version > FORMAT:
            raise RecordError("lab_later", path=str(path))
        try:
            return _bot_of(data)
        except (KeyError, TypeError, ValueError, JantakuError) as error:
            raise RecordError("adapted_damaged", path=str(path), reason=cause(error)) from error


def _bot_of(data: Any) -> AdaptedBot:
    known = dict(zip(WEIGHT_NAMES, STANDARD_WEIGHTS, strict=True))
    stored = {str(name): float(value) for name, value in data["weights"].items()}
    rules, match = load_stored(data["rules"]), data["match"]
    if data.get("format") == 1:
        stored = {name: value * _han_factor(name, rules) for name, value in stored.items()}
        stored |= {name: 0.0 for name in known if name.endswith(".prospect")}
    weights = tuple(stored.get(name, value) for name, value in known.items())
    result = MatchResult(int(match["games"]), Estimate(*match["place"]), Estimate(*match["score"]))
    return AdaptedBot(str(data["ruleset"]), rules, weights, int(data["played"]), result)


def _han_factor(name: str, rules: Ruleset) -> float:
    """Return the factor by which format 1 scaled a weight: the plan's han over its usual han, at least 1."""
    yaku = _YAKU_OF_PLAN.get(name.partition(".")[2].partition("_")[2])
    if yaku is None or "_" not in name:
        return 1.0
    now, usual = (min(han_of(worth_in(rules, yaku, True)), _MAX_HAN) for rules in (rules, load(USUAL_RULES)))
    return max(now / usual, 1.0)


def with_adapted(named: tuple[NamedRules, ...], files: Iterable[Path]) -> tuple[NamedRules, ...]:
    """Return the rulesets, followed by an adapted copy of each one that a file has a bot for.

    Raises ``RequestError`` if a file's bot was fitted to none of the rulesets.
    """
    rulesets = named
    for file in files:
        bot = AdaptedBot.read(file)
        own = [player for player in named if player.rules.fingerprint == bot.rules.fingerprint]
        if not own:
            raise RequestError("adapted_other_rules", field="--adapted", path=str(file), name=bot.ruleset)
        rulesets += tuple(
            player._replace(name=player.name + ADAPTED_END, weights=bot.weights) for player in own
        )
    return rulesets

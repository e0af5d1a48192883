"""The file of an adapted bot: the ruleset it was fitted to, its weights by name, and how it fares."""

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
from jantaku.rules.ruleset import load_kept
from jantaku.rules.worths import worth_in

FORMAT: Final = 2  # 1 weighed the han of a plan, and nothing beyond the usual
_NAMES: Final = [
    name.removeprefix("discard.far_") for name in WEIGHT_NAMES if name.startswith("discard.far_")
]
_TASTES: Final = dict(zip(_NAMES, TASTES, strict=False))
"""The yaku of each plan whose weight has a name."""
_MOST_HAN: Final = 5  # limits and yakuman counted as that


@dataclass(frozen=True)
class MatchResult:
    """One adapted bot against three plain ones: its average place and final score, and the intervals."""

    games: int
    place: Estimate
    score: Estimate


@dataclass(frozen=True)
class AdaptedBot:
    """A bot that plays as ``standard`` with ``weights``, in the order of ``STANDARD_WEIGHTS``."""

    ruleset: str  # its id
    rules: Ruleset
    weights: tuple[float, ...]
    played: int  # games of the search
    match: MatchResult

    @property
    def named_weights(self) -> dict[str, float]:
        """The weights by name (``WEIGHT_NAMES``)."""
        return dict(zip(WEIGHT_NAMES, self.weights, strict=True))

    def write(self, path: Path) -> None:
        """Store the bot as JSON; raises ``RecordError`` if that is impossible."""
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
        """The bot in a file. A weight that the file does not know is that of ``standard``.

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
    rules, match = load_kept(data["rules"]), data["match"]
    if data.get("format") == 1:
        stored = {name: value * _more_han(name, rules) for name, value in stored.items()}
        stored |= {name: 0.0 for name in known if name.endswith(".prospect")}
    weights = tuple(stored.get(name, value) for name, value in known.items())
    result = MatchResult(int(match["games"]), Estimate(*match["place"]), Estimate(*match["score"]))
    return AdaptedBot(str(data["ruleset"]), rules, weights, int(data["played"]), result)


def _more_han(name: str, rules: Ruleset) -> float:
    """How many times the usual han a plan counted in the first format, where it is worth more than usual."""
    yaku = _TASTES.get(name.partition(".")[2].partition("_")[2])
    if yaku is None or "_" not in name:
        return 1.0
    now, usual = (min(han_of(worth_in(rules, yaku, True)), _MOST_HAN) for rules in (rules, load(USUAL_RULES)))
    return max(now / usual, 1.0)


def with_adapted(named: tuple[NamedRules, ...], files: Iterable[Path]) -> tuple[NamedRules, ...]:
    """The rulesets, and again those that the files have adapted bots for; raises ``adapted_other_rules``."""
    more = named
    for file in files:
        bot = AdaptedBot.read(file)
        own = [player for player in named if player.rules.fingerprint == bot.rules.fingerprint]
        if not own:
            raise RequestError("adapted_other_rules", field="--adapted", path=str(file), name=bot.ruleset)
        more += tuple(player._replace(name=player.name + ADAPTED_END, weights=bot.weights) for player in own)
    return more

"""Fits the weights of ``standard`` to a ruleset: CMA-ES over games against the plain bot.

The candidates of a generation play the same walls, two of each against two plain bots, and are ranked by
their final scores. The scores are stored after every generation, so that an interrupted search goes on from
there: it depends on nothing but its settings and those scores.
"""

import json
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from jantaku.bots.weights import DISCARD_WEIGHTS, STANDARD_WEIGHTS, WEIGHT_NAMES
from jantaku.errors import RecordError, RequestError
from jantaku.kernels._cache import source_hash
from jantaku.lab.adapt.bot import AdaptedBot, MatchResult
from jantaku.lab.adapt.duel import Weights, plans_of, results
from jantaku.lab.experiment.estimates import Estimate, Z
from jantaku.rules import Ruleset

_PLANS: Final = tuple(name.removeprefix("far_") for name, _ in DISCARD_WEIGHTS if name.startswith("far_"))
GROUPS: Final = (
    *((f"discard.near_{plan}", f"discard.far_{plan}", f"call.near_{plan}") for plan in _PLANS),
    ("discard.risk_0", "discard.risk_1", "discard.risk_2", "discard.risk_3"),
    ("discard.risk_0",),
    ("discard.points_0", "discard.value_one_away"),
    ("discard.dora", "discard.red_one", "discard.dora_near"),
    ("discard.value_0", "discard.value_1", "discard.value_2", "discard.value_pair"),
    ("call.of_chi", "call.of_pon"),
    ("call.yaku_3", "call.yaku_far"),
    ("call.han", "call.yakuhai_pon"),
    ("riichi.always",),
    ("riichi.gain", "riichi.mangan"),
    ("riichi.tile", "riichi.good"),
)
"""Weights that a search moves together: each plan, and when to push, to call and to declare riichi."""
FIRST_STEP: Final = 0.3  # standard deviation of the first generation, as a share of a weight's size
SMALLEST: Final = 0.5  # a weight's size counts as at least this
_SEARCH, _MATCH = 1, 2  # walls of the search and of the match differ


@dataclass(frozen=True)
class SearchSettings:
    """How long to search: ``generations`` of ``candidates`` that play ``games`` each, then a match."""

    generations: int = 24
    candidates: int = 16
    games: int = 768
    match_games: int = 8_000
    seed: int = 0

    def __post_init__(self) -> None:
        bounds = {"generations": 1, "candidates": 4, "games": 2, "match_games": 2, "seed": 0}
        for name, low in bounds.items():
            if getattr(self, name) < low:
                value = getattr(self, name)
                raise RequestError("number_range", field=name, value=value, low=low, high="2^63 - 1")

    @property
    def total(self) -> int:
        """All games that a whole search plays."""
        return self.generations * self.candidates * self.games + self.match_games


class SearchLog:
    """The scores of the generations so far, beside the file of the bot, which they precede."""

    def __init__(self, out: Path, rules: Ruleset, settings: SearchSettings) -> None:
        self.path = out.with_name(out.name + ".search")
        head = {"settings": asdict(settings), "fingerprint": rules.fingerprint, "code": source_hash("lab")}
        self.generations: list[list[float]] = []
        try:
            lines = self.path.read_text("utf-8").splitlines() if self.path.exists() else []
            if not lines:
                self.path.write_text(json.dumps(head) + "\n", "utf-8")
        except OSError as error:
            raise RecordError("unwritable_file", path=str(self.path), reason=error.strerror) from error
        if lines:
            self._read(lines, head)

    def _read(self, lines: list[str], head: dict[str, Any]) -> None:
        try:
            found = json.loads(lines[0])
        except ValueError:
            found = None
        if found != head:
            raise RequestError("adapt_other_search", field="--out", path=str(self.path))
        for line in lines[1:]:
            try:
                self.generations.append([float(score) for score in json.loads(line)])
            except (TypeError, ValueError):  # written while the process was killed
                break

    def add(self, scores: list[float]) -> None:
        """Store a generation."""
        self.generations.append(scores)
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(scores) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise RecordError("unwritable_file", path=str(self.path), reason=error.strerror) from error


def adapt(
    rules: Ruleset,
    settings: SearchSettings,
    out: Path,
    jobs: int = 1,
    tell: Callable[[int], object] = lambda _: None,
) -> AdaptedBot:
    """Search weights for ``rules``, let the bot play its match, and write it to ``out``.

    ``tell`` gets the number of games whenever some have been played, those of an interrupted search included.
    The bot depends only on the rules and the settings, not on ``jobs`` or interruptions. Raises
    ``RequestError`` if another search was begun for ``out``, the rules have code of their own, or the library
    of the search is missing.
    """
    if rules.local:
        raise RequestError("lab_local", field="--rules", name=rules.id)
    log = SearchLog(out, rules, settings)
    weights = STANDARD_WEIGHTS
    for number, (candidates, judge) in enumerate(_generations(settings)):
        if number < len(log.generations):
            tell(settings.candidates * settings.games)
        else:
            seed = _seed(settings, _SEARCH, number)
            plans = plans_of(rules, candidates, len(rules.seats) // 2, settings.games, seed)
            log.add([float(found.scores.mean()) for found in results(plans, jobs, tell)])
        weights = judge(log.generations[number])
    match = play_match(rules, weights, settings, jobs, tell)
    played = settings.generations * settings.candidates * settings.games
    bot = AdaptedBot(rules.id, rules, weights, played, match)
    bot.write(out)
    log.path.unlink(missing_ok=True)
    return bot


def _generations(
    settings: SearchSettings,
) -> Iterator[tuple[list[Weights], Callable[[list[float]], Weights]]]:
    """The candidates of each generation, and a function that takes their scores and returns the centre."""
    try:
        with warnings.catch_warnings():  # about Matplotlib, which only its plots need
            warnings.simplefilter("ignore", UserWarning)
            import cma  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise RequestError("missing_extra", field="adapt", extra="lab") from error
    plain = np.array(STANDARD_WEIGHTS)
    sizes = np.maximum(np.abs(plain), SMALLEST)
    moves = np.array([[name in group for name in WEIGHT_NAMES] for group in GROUPS]) * sizes
    chance = np.random.default_rng(settings.seed)
    options = {
        "popsize": settings.candidates, "verbose": -9, "seed": np.nan,
        "randn": lambda rows, columns: chance.standard_normal((rows, columns)),
        "maxiter": np.inf, "tolfun": 0, "tolfunhist": 0, "tolx": 0, "tolflatfitness": np.inf,
        "tolstagnation": np.inf,
    }  # fmt: skip
    search = cma.CMAEvolutionStrategy(np.zeros(len(GROUPS)), FIRST_STEP, options)

    def whole(steps: Any) -> Weights:
        return tuple(float(weight) for weight in plain + np.asarray(steps) @ moves)

    for _ in range(settings.generations):
        steps = search.ask()

        def judge(scores: list[float], steps: Any = steps) -> Weights:
            search.tell(steps, [-score for score in scores])
            return whole(search.mean)

        yield [whole(step) for step in steps], judge


def play_match(
    rules: Ruleset,
    weights: Weights,
    settings: SearchSettings,
    jobs: int,
    tell: Callable[[int], object] = lambda _: None,
) -> MatchResult:
    """One bot with ``weights`` against plain ones, on walls that the search has not seen."""
    plans = plans_of(rules, [weights], 1, settings.match_games, _seed(settings, _MATCH, 0))
    (found,) = results(plans, jobs, tell)
    return MatchResult(settings.match_games, _mean(found.places), _mean(found.scores))


def _mean(values: Any) -> Estimate:
    value, half = float(values.mean()), Z * float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(value, value - half, value + half)


def _seed(settings: SearchSettings, purpose: int, number: int) -> int:
    """A seed of walls for one purpose."""
    return int(np.random.SeedSequence((settings.seed, purpose, number)).generate_state(1)[0])

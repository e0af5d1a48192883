"""Search at the table: plays out the actions of a seat and returns the expected final result of each.

Every action is played out from the same deals of the unseen tiles, with one policy for all seats, to the end
of the hand; from there, the chances of each place give the final result. Sequential halving divides the work:
in every round, each remaining action gets the same number of further deals, then the worse half is dropped.

The action to choose is not simply the one with the highest average, which would often be luck. The difference
of each action from the policy's choice on the same deals is combined with what such differences usually are
(``DISCARD_PRIOR``, ``OTHER_PRIOR``), according to the errors of both.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source
from jantaku.bots.policies import ADAPTED, RANDOM, STRONG
from jantaku.bots.search.candidates import candidates
from jantaku.bots.search.kernels import rollouts as columns
from jantaku.bots.search.kernels.rollouts import COLUMNS, Chances
from jantaku.bots.search.position import KnownPosition, choice_of
from jantaku.bots.search.trials import Rollouts
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RequestError
from jantaku.fields import whole
from jantaku.game.actions import Action, decode
from jantaku.kernels._jit import use_compiled
from jantaku.kernels.engine import actions as codes
from jantaku.kernels.engine.state import GAME

Aim = Literal["final", "place"]
HANDS: Final = 2  # dealt to each opponent to choose from
MAX_DEALS: Final = 1_000_000
MAX_HANDS: Final = 1000
CHUNK: Final = 4  # deals between two looks at the clock
LEAST_DEALS: Final = 8  # of each action before one is dropped
# Mean and spread of the true difference of an action from the policy's choice, as multiples of the standard
# deviation of this difference from deal to deal: between two discards, and between other choices. Measured on
# 200 positions of research.points_lost; how much worse the policy rates an action says nothing about it.
DISCARD_PRIOR: Final = (-0.015, 0.035)
OTHER_PRIOR: Final = (-0.13, 0.14)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to search: a budget in milliseconds or in deals per action (one of them), policy, aim and seed.

    ``policy`` is the number of a policy in ``bots.policies``: its choice is the one to improve on.
    ``rollout_policy`` plays all seats in the rollouts, and explains the opponents' discards; by default it is
    the same, but a quicker one allows more deals. ``hands`` is the number of hands dealt to each
    opponent to choose from by the likelihood of its recent discards; 1 ignores the discards. With a budget in
    deals, the same position and seed always give the same result.
    """

    budget_ms: float | None = None
    deals: int | None = None
    policy: int = STRONG
    rollout_policy: int | None = None
    aim: Aim = "final"
    hands: int = HANDS
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise ``RequestError`` unless there is one positive budget, and for an unknown policy."""
        budgets = [budget for budget in (self.budget_ms, self.deals) if budget is not None]
        if len(budgets) != 1 or budgets[0] <= 0:
            raise RequestError("number_range", field="deals", value=self.deals, low=1, high=MAX_DEALS)
        whole(self.hands, "hands", 1, MAX_HANDS)
        whole(self.policy, "policy", RANDOM, ADAPTED)
        whole(self.played_by, "rollout_policy", RANDOM, ADAPTED)

    @property
    def played_by(self) -> int:
        """The policy of all seats in the rollouts."""
        return self.policy if self.rollout_policy is None else self.rollout_policy


@dataclass(frozen=True, slots=True)
class ActionValue:
    """What ``deals`` rollouts of an action say.

    ``value`` is the expected final result in points, or minus the expected place, with its standard error
    ``error``. ``gain`` is its difference from the policy's choice on the same deals, with ``gain_error``;
    ``posterior`` is the gain combined with what the policy expects. ``win``, ``tsumo``, ``deal_in``, ``draw``
    and ``tenpai`` (at an exhaustive draw, as a share of all deals) are probabilities, ``points`` the mean
    change of the score in the hand, ``place`` the expected place, ``mean_win`` and ``mean_deal_in`` what a
    win gains and a deal-in costs, 0 if there was none.
    """

    action: Action
    value: float
    error: float
    deals: int
    gain: float
    gain_error: float
    posterior: float
    win: float
    tsumo: float
    deal_in: float
    draw: float
    tenpai: float
    points: float
    place: float
    mean_win: float
    mean_deal_in: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The action to choose, the policy's choice, and the values of the searched actions, best first.

    ``values`` is empty if there was nothing to search or the search failed. ``deals`` is the number of deals.
    ``effective`` is the mean number of equally likely hands from which each opponent's hand was chosen: close
    to 1 if its discards left no choice, ``hands`` if they said nothing. ``seconds`` is the time taken.
    """

    chosen: Action
    policy: Action
    values: tuple[ActionValue, ...] = ()
    deals: int = 0
    effective: float = 0.0
    seconds: float = 0.0


def deal_sources(seed: int, first: int, count: int) -> Chances:
    """Return the random sources of ``count`` deals from number ``first`` on; those of a deal never change."""
    words = 6 * count
    raw = np.random.PCG64(seed).advance(6 * first).random_raw(words).reshape(count, 3, 2)
    states = (1 + (raw >> np.uint64(2)) % np.uint64(2_147_483_000)).astype(np.int64)
    return Chances(*(np.ascontiguousarray(states[:, purpose]) for purpose in range(3)))


@dataclass(slots=True)
class _Played:
    """An action, as the engine's integer, and a row of ``COLUMNS`` for each of its deals."""

    code: int
    rows: list[npt.NDArray[np.float64]] = field(default_factory=list)

    @property
    def results(self) -> npt.NDArray[np.float64]:
        return np.concatenate(self.rows) if self.rows else np.zeros((0, len(COLUMNS)))


@dataclass(slots=True)
class _Estimate:
    """The difference between a candidate and the policy's choice, with and without the prior."""

    gain: float
    error: float
    posterior: float


class _Search:
    """One search of a position."""

    def __init__(self, known: KnownPosition, settings: Settings, found: Sequence[int]) -> None:
        self.known, self.settings = known, settings
        self.played = [_Played(code) for code in found]
        self.left = list(self.played)
        self.effective: list[float] = []  # for each deal
        self._rollouts = Rollouts(known, settings.played_by, whole=False, hands=settings.hands)
        self._started = time.perf_counter()

    def run(self) -> None:
        """Play out the candidates, dropping half of them after each round."""
        rounds = max(1, math.ceil(math.log2(len(self.played))))
        for number in range(rounds):
            if self.settings.deals is not None:
                share = self.settings.deals * len(self.played) / (rounds * len(self.left))
                self._play_deals(max(math.ceil(share), LEAST_DEALS if number == 0 else 1))
            else:
                self._play_until((self.settings.budget_ms or 0.0) / 1000.0 * (number + 1) / rounds)
            if len(self.left) > 2:
                ranked = sorted(self.left[1:], key=lambda one: -self.estimate(one).posterior)
                self.left = [self.left[0], *ranked[: math.ceil(len(self.left) / 2) - 1]]

    def _play_until(self, end: float) -> None:
        """Play deals until about ``end`` seconds have passed since the start."""
        while True:
            before = time.perf_counter()
            self._play_deals(CHUNK)
            now = time.perf_counter()
            enough = len(self.effective) >= LEAST_DEALS
            if enough and now - self._started + (now - before) / 2 > end:
                return

    def _play_deals(self, count: int) -> None:
        chances = deal_sources(self.settings.seed, len(self.effective), count)
        out, _, effective = self._rollouts.play([one.code for one in self.left], chances)
        self.effective += effective.tolist()
        for index, one in enumerate(self.left):
            one.rows.append(out[:, index])

    def worth(self, results: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the value of each result according to the aim."""
        return -results[:, columns.PLACE] if self.settings.aim == "place" else results[:, columns.FINAL]

    def estimate(self, one: _Played) -> _Estimate:
        """Compare a candidate with the policy's choice on the same deals."""
        base = self.played[0]
        if one is base:
            return _Estimate(0.0, 0.0, 0.0)
        results = one.results
        mean, error = _mean(self.worth(results) - self.worth(base.results[: len(results)]))
        alike = one.code >> 8 == base.code >> 8 == codes.DISCARD
        usual, spread = DISCARD_PRIOR if alike else OTHER_PRIOR
        deals = len(results)
        trust = deals * spread**2 / (deals * spread**2 + 1.0)
        prior = usual * error * math.sqrt(deals) if deals > 1 else 0.0
        return _Estimate(mean, error, trust * mean + (1.0 - trust) * prior)

    def value(self, one: _Played) -> ActionValue:
        """Return everything known about a candidate."""
        results, estimate = one.results, self.estimate(one)
        base, base_error = _mean(self.worth(self.played[0].results))
        mean = results.mean(axis=0)
        win, deal_in = float(mean[columns.WIN]), float(mean[columns.DEAL_IN])
        return ActionValue(
            choice_of(one.code, self.known.claimed),
            value=base + estimate.gain,
            error=math.hypot(base_error, estimate.error),
            deals=len(results),
            gain=estimate.gain,
            gain_error=estimate.error,
            posterior=estimate.posterior,
            win=win,
            tsumo=float(mean[columns.BY_TSUMO]),
            deal_in=deal_in,
            draw=float(mean[columns.DRAW]),
            tenpai=float(mean[columns.TENPAI]),
            points=float(mean[columns.POINTS]),
            place=float(mean[columns.PLACE]),
            mean_win=float(mean[columns.WON_POINTS]) / win if win else 0.0,
            mean_deal_in=float(mean[columns.LOST_POINTS]) / deal_in if deal_in else 0.0,
        )


def _mean(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean and its standard error, which is infinite for a single value."""
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return float(values.mean()), error


def search(known: KnownPosition, settings: Settings) -> SearchResult:
    """Return the action to choose and the value of each action that is worth a search.

    If no deal fits the position, for example because no tenpai hand explains a riichi, the result is the
    policy's choice without values.
    """
    use_compiled()
    started = time.perf_counter()
    array = np.frombuffer(known.state, GAME).copy()
    work = new_bot_workspace(new_source(settings.seed), known.rules)
    found = candidates(known, settings.policy, array, work)
    own = decode(found[0], known.claimed)
    if len(found) < 2:
        return SearchResult(own, own, seconds=time.perf_counter() - started)
    searched = _Search(known, settings, found)
    try:
        searched.run()
    except RequestError:
        return SearchResult(own, own, seconds=time.perf_counter() - started)
    best = max(searched.left, key=lambda one: searched.estimate(one).posterior)
    values = sorted(map(searched.value, searched.played), key=lambda value: -value.posterior)
    return SearchResult(
        decode(best.code, known.claimed),
        own,
        tuple(values),
        len(searched.effective),
        float(np.mean(searched.effective)),
        time.perf_counter() - started,
    )

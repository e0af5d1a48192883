"""Fits the weights of ``standard`` to a ruleset by natural policy gradient over self-play.

In each round all seats play by the current weights and sometimes explore other choices (``bots.explore``).
``outlook`` values each hand for each seat, ``evidence`` finds the direction in which the weights gain most.
The state is stored after every round, so an interrupted search resumes from there.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np

from jantaku.bots.policies import ADAPTED_NAME
from jantaku.bots.weights import STANDARD_WEIGHTS
from jantaku.kernels.engine.game_end import last_number
from jantaku.kernels.rules import rules_record
from jantaku.lab.adapt.bot import AdaptedBot, MatchResult
from jantaku.lab.adapt.duel import Floats, Weights, plans_of, results
from jantaku.lab.adapt.evidence import DECAY, Evidence, evidence_of
from jantaku.lab.adapt.outlook import Outlook, learn, starts_of
from jantaku.lab.adapt.progress import SearchSettings, SearchState, StateFile
from jantaku.lab.chunks import CHUNK, Chunk, ChunkPlan, play_chunk
from jantaku.lab.experiment.estimates import Estimate, Z
from jantaku.rules import Ruleset

SHARPNESS: Final = 2.0  # how strongly exploring bots prefer the choice they rate best
STEP: Final = 0.02
_SEARCH, _MATCH = 1, 2  # purposes of a seed: the search and the match use different walls


def adapt(
    rules: Ruleset,
    settings: SearchSettings,
    out: Path,
    jobs: int = 1,
    progress: Callable[[int], object] = lambda _: None,
    on_round: Callable[[SearchState], object] = lambda _: None,
) -> AdaptedBot:
    """Search weights for ``rules``, let the bot play its match, and write it to ``out``.

    ``progress`` is called with the number of games just played and, on resuming, with that of the earlier
    run; ``on_round`` is called with the state after every round. The bot depends only on the rules and the
    settings, not on ``jobs`` or interruptions. Raises ``RequestError`` if a different search was begun for
    ``out``.
    """
    file = StateFile(out, rules, settings)
    state = file.read()
    progress(state.rounds * settings.games)
    while state.rounds < settings.rounds:
        state = _round(rules, settings, state, jobs, progress)
        file.write(state)
        on_round(state)
    weights = state.weights or STANDARD_WEIGHTS
    match = play_match(rules, weights, settings, jobs, progress)
    bot = AdaptedBot(rules.id, rules, weights, settings.rounds * settings.games, match)
    bot.write(out)
    file.remove()
    return bot


def _round(
    rules: Ruleset, settings: SearchSettings, state: SearchState, jobs: int, progress: Callable[[int], object]
) -> SearchState:
    """Play one round and move the weights along the estimated gradient."""
    weights = state.weights or STANDARD_WEIGHTS
    seed = _seed(settings, _SEARCH, state.rounds)
    bots = (ADAPTED_NAME,) * len(rules.seats)
    plan = ChunkPlan(rules, bots, settings.games, seed, weights=weights, sharpness=SHARPNESS)

    def play(first: int) -> Chunk:
        chunk = play_chunk(plan, first, min(CHUNK, plan.games - first))
        progress(len(chunk.games))
        return chunk

    outlook = state.outlook
    with ThreadPoolExecutor(jobs) as pool:
        chunks = pool.map(play, range(0, plan.games, CHUNK))
        if outlook is None:
            first_round = list(chunks)
            hands = int(last_number(rules_record(rules)[0])) + 1
            outlook = learn(starts_of(first_round), hands, settings.aim)
            chunks = iter(first_round)
        total = Evidence.none()
        for chunk in chunks:
            total = total.joined(_evidence(chunk, outlook))
    evidence = total if state.evidence is None else state.evidence.joined(total, DECAY)
    moved = np.array(weights) + evidence.step(STEP)
    return SearchState(state.rounds + 1, tuple(moved.tolist()), outlook, evidence)


def _evidence(chunk: Chunk, outlook: Outlook) -> Evidence:
    starts = starts_of([chunk])
    traces = chunk.traces[:, list(chunk.seats)].astype(np.float64)
    return evidence_of(traces, outlook.gains(starts), starts.dealer)


def play_match(
    rules: Ruleset,
    weights: Weights,
    settings: SearchSettings,
    jobs: int,
    progress: Callable[[int], object] = lambda _: None,
) -> MatchResult:
    """Play one bot with ``weights`` against plain ones, on walls that the search did not use."""
    plans = plans_of(rules, [weights], 1, settings.match_games, _seed(settings, _MATCH, 0))
    (match,) = results(plans, jobs, progress)
    return MatchResult(settings.match_games, _mean(match.places), _mean(match.scores))


def _mean(values: Floats) -> Estimate:
    value, half = float(values.mean()), Z * float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(value, value - half, value + half)


def _seed(settings: SearchSettings, purpose: int, number: int) -> int:
    """Derive the seed of the walls for a purpose and a round."""
    return int(np.random.SeedSequence((settings.seed, purpose, number)).generate_state(1)[0])

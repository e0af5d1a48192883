"""Fits the weights of ``strong`` to a ruleset by natural policy gradient over self-play.

The network that corrects the weights (``bots.net``) stays as it is.

In each round all seats play by the current weights and sometimes explore other choices (``bots.explore``).
``outlook`` values each hand for each seat, ``evidence`` finds the direction in which the weights gain most.
The state is stored after every round, so an interrupted search resumes from there.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from jantaku.bots.net_file import TrainedBot, trained_for
from jantaku.bots.policies import ADAPTED_NAME
from jantaku.kernels.engine.game_end import last_number
from jantaku.kernels.rules import rules_record
from jantaku.lab.adapt.duel import play_match
from jantaku.lab.adapt.evidence import DECAY, Evidence, evidence_of, traces_of
from jantaku.lab.adapt.outlook import Outlook, learn, starts_of
from jantaku.lab.adapt.progress import SearchSettings, SearchState, StateFile
from jantaku.lab.chunks import Chunk, ChunkPlan, played_chunks
from jantaku.rules import Ruleset

SHARPNESS: Final = 1.0  # the weights are logits: this is how ``strong`` chose while it was trained
STEP: Final = 0.08
_SEARCH, _MATCH = 1, 2  # purposes of a seed: the search and the match use different walls


def adapt(
    rules: Ruleset,
    settings: SearchSettings,
    out: Path,
    jobs: int = 1,
    progress: Callable[[int], object] = lambda _: None,
    on_round: Callable[[SearchState], object] = lambda _: None,
) -> TrainedBot:
    """Adapt ``strong`` to ``rules``, let the bot play its match, and write it to ``out``.

    ``progress`` is called with the number of games just played and, on resuming, with that of the earlier
    run; ``on_round`` is called with the state after every round. The bot depends only on the rules and the
    settings, not on ``jobs`` or interruptions; ``about`` has the number of games played (``games``), the
    result of the match (``MatchResult``), the aim and the seed. Raises ``RequestError`` if a different search
    was begun for ``out``.
    """
    begun = trained_for(rules)
    file = StateFile(out, rules, settings, begun)
    state = file.read()
    progress(state.rounds * settings.games)
    while state.rounds < settings.rounds:
        state = _round(rules, settings, _moved(begun, state), state, jobs, progress)
        file.write(state)
        on_round(state)
    bot, seed = _moved(begun, state), _seed(settings, _MATCH, 0)
    match = play_match(rules, bot, settings.match_games, seed, jobs, progress)
    about = {
        "games": settings.rounds * settings.games,
        "aim": settings.aim,
        "seed": settings.seed,
        "match": match.as_data(),
    }
    replace(bot, ruleset=rules.id, rules=rules, about=about).write(out)
    file.remove()
    return TrainedBot.read(out)


def _moved(begun: TrainedBot, state: SearchState) -> TrainedBot:
    return replace(begun, weights=state.weights) if state.weights else begun


def _round(
    rules: Ruleset,
    settings: SearchSettings,
    bot: TrainedBot,
    state: SearchState,
    jobs: int,
    progress: Callable[[int], object],
) -> SearchState:
    """Play one round of ``bot`` and move its weights along the estimated gradient."""
    seed = _seed(settings, _SEARCH, state.rounds)
    bots = (ADAPTED_NAME,) * len(rules.seats)
    plan = ChunkPlan(rules, bots, settings.games, seed, adapted=bot, sharpness=SHARPNESS)

    outlook, total = state.outlook, Evidence.none()
    with played_chunks(plan, jobs) as played:
        chunks = _counted(played, progress)
        if outlook is None:
            first_round = list(chunks)
            hands = int(last_number(rules_record(rules)[0])) + 1
            outlook = learn(starts_of(first_round), hands, settings.aim)
            chunks = iter(first_round)
        for chunk in chunks:
            total = total.joined(_evidence(chunk, outlook))
    evidence = total if state.evidence is None else state.evidence.joined(total, DECAY)
    moved = np.array(bot.weights) + evidence.step(STEP)
    return SearchState(state.rounds + 1, tuple(moved.tolist()), outlook, evidence)


def _counted(chunks: Iterator[Chunk], progress: Callable[[int], object]) -> Iterator[Chunk]:
    for chunk in chunks:
        progress(len(chunk.games))
        yield chunk


def _evidence(chunk: Chunk, outlook: Outlook) -> Evidence:
    starts = starts_of([chunk])
    return evidence_of(traces_of(chunk), outlook.gains(starts), starts.dealer)


def _seed(settings: SearchSettings, purpose: int, number: int) -> int:
    """Derive the seed of the walls for a purpose and a round."""
    return int(np.random.SeedSequence((settings.seed, purpose, number)).generate_state(1)[0])

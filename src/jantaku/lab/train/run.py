"""Trains the network by self-play: one iteration plays games and improves the network by them.

While an iteration learns, the games of the next one are played, by the network as it was before. The result
depends on the rules, the settings and the bot it starts from, not on the number of threads or interruptions.
"""

import copy
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from jantaku.bots.net_file import TrainedBot, trained_for
from jantaku.bots.policies import ADAPTED_NAME
from jantaku.kernels.engine.game_end import last_number
from jantaku.kernels.rules import rules_record
from jantaku.lab.adapt.outlook import Outlook, learn, starts_of
from jantaku.lab.chunks import Chunk, ChunkPlan, played_chunks
from jantaku.lab.train.folder import BOT, TrainingFolder, TrainingSettings
from jantaku.lab.train.learning import SHARPNESS, Learner, bot_of
from jantaku.rules import Ruleset

KEPT: Final = 10  # iterations between two writings of the bot


def train(
    rules: Ruleset,
    settings: TrainingSettings,
    out: Path,
    *,
    start: TrainedBot | None = None,
    jobs: int = 1,
    progress: Callable[[int, Mapping[str, float]], object] = lambda _games, _log: None,
) -> TrainedBot:
    """Train a bot for ``rules`` and write it to the folder ``out``; return it.

    ``start`` is the bot it starts from, by default ``strong``. ``progress`` is called with the number of
    games so far and the log of the iteration. Raises ``RequestError`` if ``out`` has another training.
    """
    torch.set_num_threads(1)  # the other cores play
    begun = start or trained_for(rules)
    folder = TrainingFolder(out, rules, settings, begun.digest)
    learner, state = Learner(begun, settings.seed), folder.read()
    done, behaviour, outlook = 0, copy.deepcopy(learner.heads), None
    if state:
        done, outlook = int(state["done"]), _outlook(state["outlook"], settings.aim)
        learner.restore(state["learner"])
        behaviour.load_state_dict(state["behaviour"])
    progress(done * settings.between, {})
    with ThreadPoolExecutor(1) as ahead:

        def begin(iteration: int, heads: Any) -> Future[list[Chunk]]:
            seed = int(np.random.SeedSequence((settings.seed, iteration)).generate_state(1)[0])
            bots = (ADAPTED_NAME,) * len(rules.seats)
            plan = ChunkPlan(
                rules, bots, settings.between, seed, adapted=bot_of(heads), sharpness=SHARPNESS, critic=True
            )
            return ahead.submit(_played, plan, jobs)

        if done < settings.iterations:
            pending = begin(done, behaviour)
        while done < settings.iterations:
            chunks = pending.result()
            if done + 1 < settings.iterations:
                behaviour = copy.deepcopy(learner.heads)
                pending = begin(done + 1, behaviour)
            if outlook is None:
                hands = int(last_number(rules_record(rules)[0])) + 1
                outlook = learn(starts_of(chunks), hands, settings.aim)
            log = learner.learn(chunks, outlook, done, done / settings.iterations)
            done += 1
            log["games"] = done * settings.between
            folder.write(
                {
                    "done": done,
                    "learner": learner.state(),
                    "behaviour": behaviour.state_dict(),
                    "outlook": {"weights": outlook.weights.tolist(), "bonus": outlook.bonus.tolist()},
                },
                log,
            )
            if done % KEPT == 0:
                _named(bot_of(learner.averaged), rules, settings, done).write(out / BOT)
            progress(done * settings.between, log)
    # also when resumed after the last iteration, which may have been interrupted before this
    _named(bot_of(learner.averaged), rules, settings, done).write(out / BOT)
    return TrainedBot.read(out / BOT)


def _played(plan: ChunkPlan, jobs: int) -> list[Chunk]:
    with played_chunks(plan, jobs) as chunks:
        return list(chunks)


def _outlook(stored: Mapping[str, Any], aim: str) -> Outlook:
    return Outlook(np.array(stored["weights"]), np.array(stored["bonus"]), aim)


def _named(bot: TrainedBot, rules: Ruleset, settings: TrainingSettings, done: int) -> TrainedBot:
    about = {"games": done * settings.between, "seed": settings.seed, "aim": settings.aim}
    return replace(
        bot, ruleset=rules.id, rules=rules, about={**about, "torch": torch.__version__.partition("+")[0]}
    )

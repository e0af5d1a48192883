"""Improves the network from recorded games by proximal policy optimisation (Schulman et al. 2017).

A decision is credited with what its hand brought the seat beyond what the critic expected, by generalised
advantage estimation (Schulman et al. 2015). The network's heads share no parameters, so each learns alone.
Inputs are whitened, so that a step moves rare and correlated features as easily as others. The bot plays by
the average of the parameters over the last iterations, which is steadier than the last.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from jantaku.bots.net import DISCARD, FIRST, OPTION, SECOND, SITUATION, Net
from jantaku.bots.net_file import TrainedBot
from jantaku.bots.weights import CLAIM_AT, RIICHI_AT
from jantaku.lab.adapt.outlook import Outlook, starts_of
from jantaku.lab.chunks import Chunk, Recorded, places_of
from jantaku.lab.kernels.recording import (
    D_CHOSEN,
    D_COUNT,
    D_FIRST,
    D_HEAD,
    D_STEP,
    STATE,
    STEP_HAND,
    STEP_SEAT,
)

SHARPNESS: Final = 2.5  # of the random choices; lower values also reward being more decisive
LAMBDA: Final = 0.4
CLIP: Final = 0.2
ENTROPY: Final = 0.002
EPOCHS: Final = 2
BATCH: Final = 4096  # decisions
CRITIC_BATCH: Final = 4096
RATE, CRITIC_RATE = 1e-3, 1e-3
RATES: Final = (5e-5, 2e-3)  # limits of the learning rate
MOVED: Final = 0.003  # relative entropy of the decisions that an iteration aims at, in nats
COOLED: Final = 0.25  # share of it at the end of the training
FASTER, SLOWER = 1.12, 1.25  # changes of the learning rate towards that aim
AVERAGED: Final = 0.97  # share that the average of the parameters keeps in an iteration
MAX_GRADIENT: Final = 1.0
FLOOR: Final = 0.02  # smallest moment that whitening enlarges, as a share of a feature's
RARE: Final = 0.02  # root of the mean square below which a feature is not enlarged further
SAMPLE: Final = 20_000  # decisions by which the whitening is chosen
LEAST: Final = 500  # decisions of a head needed for it
ROOM: Final = 35  # options of a decision, with refusal
NAMES: Final = ("discard", "call", "riichi")
PARTS: Final = (slice(0, CLAIM_AT), slice(CLAIM_AT, RIICHI_AT), slice(RIICHI_AT, None))


class HeadNet(nn.Module):
    """The network of one head, and the weights of the features that it corrects, times ``SHARPNESS``.

    The parameters apply to whitened inputs: those of a layer times ``white``, a square matrix.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        super().__init__()
        self.situation = nn.Linear(SITUATION, FIRST)
        self.option = nn.Linear(OPTION, FIRST, bias=False)
        self.second = nn.Linear(FIRST, SECOND)
        self.last = nn.Linear(SECOND, 1, bias=False)
        self.change = nn.Parameter(torch.zeros(len(weights)))
        self.register_buffer("weights", torch.tensor(weights, dtype=torch.float32))
        self.register_buffer("white_situation", torch.eye(SITUATION))
        self.register_buffer("white_option", torch.eye(OPTION))
        self.register_buffer("white_features", torch.eye(len(weights)))
        nn.init.zeros_(self.last.weight)  # begins as the bot it starts from

    def layers(self) -> tuple[Any, ...]:
        """Return the arrays of ``Net`` for inputs that are not whitened."""
        return (
            self.white_situation @ self.situation.weight.T,
            self.white_option @ self.option.weight.T,
            self.situation.bias,
            self.second.weight.T,
            self.second.bias,
            self.last.weight.T,
        )

    def feature_weights(self) -> Any:
        """Return the weights of the features."""
        return self.weights + self.white_features @ self.change

    def hidden(self, situations: Any, options: Any, owner: Any) -> Any:
        """Return the second hidden layer of each option; ``owner`` is the row of its situation."""
        situation, option, bias, *_ = self.layers()
        first = (situations @ situation + bias)[owner] + options @ option
        return torch.relu(self.second(torch.relu(first)))

    def forward(self, situations: Any, options: Any, owner: Any) -> Any:
        """Return the value of each option."""
        corrected = self.last(self.hidden(situations, options, owner)).squeeze(-1)
        return corrected + options[:, : len(self.weights)] @ self.feature_weights()

    def whiten(self, situations: Any, options: Any) -> None:
        """Choose the whitening by a sample of inputs; the function stays the same."""
        with torch.no_grad():
            for layer, name, sample in (
                (self.situation, "white_situation", situations),
                (self.option, "white_option", options),
            ):
                white, back = _whitening(sample)
                layer.weight.copy_(layer.weight @ back.T)
                self.get_buffer(name).copy_(white)
            self.white_features.copy_(_whitening(options[:, : len(self.weights)])[0])


def _whitening(sample: Any) -> tuple[Any, Any]:
    """Return the matrix that gives the columns of a sample unit second moments, and its inverse."""
    scale = (sample**2).mean(0).sqrt().clamp(min=RARE)
    scaled = sample / scale
    values, vectors = torch.linalg.eigh(scaled.T @ scaled / len(sample))
    root = torch.sqrt(values.clamp(min=0.0) + FLOOR)
    return vectors / root / scale.unsqueeze(1), (vectors * root).T * scale


def heads_of(bot: TrainedBot) -> nn.ModuleList:
    """Return the heads of a bot; a head without a network gets one drawn at random that changes nothing yet.

    A network of zeros has no gradient, so it would never learn.
    """
    heads = nn.ModuleList(HeadNet([SHARPNESS * weight for weight in bot.weights[part]]) for part in PARTS)
    with torch.no_grad():
        for index, head in enumerate(heads):
            if not bot.net.last[index].any():
                continue
            matrices = (head.situation, head.option, head.second, head.last)
            for layer, array in zip(
                matrices,
                (bot.net.situation, bot.net.option, bot.net.second, SHARPNESS * bot.net.last),
                strict=True,
            ):
                layer.weight.copy_(torch.from_numpy(array[index].T))
            head.situation.bias.copy_(torch.from_numpy(bot.net.bias[index]))
            head.second.bias.copy_(torch.from_numpy(bot.net.second_bias[index]))
    return heads


def bot_of(heads: Any) -> TrainedBot:
    """Return the bot that plays by these heads."""
    with torch.no_grad():
        layers = zip(*(head.layers() for head in heads), strict=True)
        net = Net(*(np.ascontiguousarray(torch.stack(layer).numpy()) for layer in layers))
        weights = tuple(float(weight) / SHARPNESS for head in heads for weight in head.feature_weights())
    return TrainedBot(weights, net._replace(last=net.last / np.float32(SHARPNESS)))


class Learner:
    """The network while it learns: its heads, their average over iterations, and the critic."""

    def __init__(self, start: TrainedBot, seed: int) -> None:
        torch.manual_seed(seed)
        self.heads = heads_of(start)
        self.averaged = copy.deepcopy(self.heads)
        self.critic = nn.Sequential(
            nn.Linear(STATE, FIRST), nn.ReLU(), nn.Linear(FIRST, SECOND), nn.ReLU(), nn.Linear(SECOND, 1)
        )
        self.optimisers = [torch.optim.Adam(head.parameters(), RATE, eps=1e-5) for head in self.heads]
        self.critic_optimiser = torch.optim.Adam(self.critic.parameters(), CRITIC_RATE)

    def _stored(self) -> dict[str, Any]:
        optimisers = dict(zip(NAMES, self.optimisers, strict=True))
        networks = {"heads": self.heads, "averaged": self.averaged, "critic": self.critic}
        return networks | optimisers | {"critic_optimiser": self.critic_optimiser}

    def state(self) -> dict[str, Any]:
        """Return everything that resuming needs."""
        return {name: part.state_dict() for name, part in self._stored().items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the result of ``state``."""
        for name, part in self._stored().items():
            part.load_state_dict(state[name])

    def learn(self, chunks: Sequence[Chunk], outlook: Outlook, seed: int, done: float) -> dict[str, float]:
        """Take the steps of one iteration; return what to log.

        ``done``: the share of the training that is over.
        """
        source = np.random.default_rng(seed)
        recorded = [chunk.recorded for chunk in chunks if chunk.recorded is not None]
        states = torch.from_numpy(np.concatenate([one.states for one in recorded]))
        advantages, returns, explained = self._advantages(chunks, states, outlook)
        log = {"explained": explained}
        decisions, options, before = _joined(recorded)
        if done == 0.0:
            self._whiten(decisions, options, states[:, :SITUATION])
        aim = MOVED * (1.0 - (1.0 - COOLED) * done)
        for head, name in enumerate(NAMES):
            mask = decisions[:, D_HEAD] == head
            own = decisions[mask]
            gained = advantages[torch.from_numpy(own[:, D_STEP])]
            made = _Decisions(head, own, options, states[:, :SITUATION])
            moved, entropy = self._improve(made, gained, torch.from_numpy(before[mask]), source)
            group = self.optimisers[head].param_groups[0]
            factor = FASTER if moved < aim / 1.5 else 1.0 / SLOWER if moved > aim * 1.5 else 1.0
            group["lr"] = min(max(group["lr"] * factor, RATES[0]), RATES[1])
            log |= {f"{name}.decisions": len(own), f"{name}.moved": moved, f"{name}.entropy": entropy}
            log |= {f"{name}.rate": group["lr"], f"{name}.dead": self._dead(made)}
        self._fit_critic(states, returns, source)
        with torch.no_grad():
            for mean, now in zip(self.averaged.parameters(), self.heads.parameters(), strict=True):
                mean.mul_(AVERAGED).add_(now, alpha=1.0 - AVERAGED)
        return log

    def _advantages(self, chunks: Sequence[Chunk], states: Any, outlook: Outlook) -> tuple[Any, Any, float]:
        """Return the advantage and the critic's target of each step, and the variance it explained."""
        parts = states.split(1 << 16)
        with torch.no_grad():
            values = torch.cat([self.critic(part).squeeze(-1) for part in parts]).numpy()
        advantages, returns, at = np.zeros_like(values), np.zeros_like(values), 0
        outcome = np.zeros_like(values)
        for chunk in chunks:
            if chunk.recorded is None:
                continue
            gains, steps = outlook.gains(starts_of([chunk])), chunk.recorded.steps
            size = len(steps)
            hand, seat = steps[:, STEP_HAND].astype(np.int64), steps[:, STEP_SEAT].astype(np.int64)
            order = np.argsort(hand * 4 + seat, kind="stable")
            group = (hand * 4 + seat)[order]
            value, gain = values[at : at + size][order], gains[hand[order], seat[order]]
            last = np.append(group[1:] != group[:-1], True)
            advantage = np.zeros(size, np.float32)
            following = np.append(value[1:], 0.0)
            delta = np.where(last, gain, following) - value
            carried = 0.0
            for i in range(size - 1, -1, -1):
                carried = float(delta[i]) + (0.0 if last[i] else LAMBDA * carried)
                advantage[i] = carried
            advantages[at + order] = advantage
            returns[at + order] = advantage + value
            outcome[at + order] = gain
            at += size
        explained = 1.0 - float(np.var(outcome - values)) / max(float(np.var(outcome)), 1e-9)
        return torch.from_numpy(advantages), torch.from_numpy(returns), explained

    def _dead(self, decisions: "_Decisions") -> float:
        """Return the share of the units of the second layer that no option of a sample activates."""
        if not len(decisions.rows):
            return 0.0
        part = np.arange(min(len(decisions.rows), BATCH))
        with torch.no_grad():
            return float(
                (self.heads[decisions.head].hidden(*decisions.inputs(part)).amax(0) <= 0).float().mean()
            )

    def _whiten(self, decisions: Any, options: Any, situations: Any) -> None:
        """Choose the whitening of every head by the first iteration's decisions."""
        for head in range(len(NAMES)):
            own = decisions[decisions[:, D_HEAD] == head][:SAMPLE]
            if len(own) < LEAST:
                continue
            rows = np.concatenate([np.arange(row[D_FIRST], row[D_FIRST] + row[D_COUNT]) for row in own])
            sample = torch.from_numpy(options[rows].astype(np.float32))
            seen = situations[torch.from_numpy(own[:, D_STEP])]
            self.heads[head].whiten(seen, sample)
            self.averaged[head].whiten(seen, sample)

    def _improve(self, decisions: "_Decisions", gained: Any, before: Any, source: Any) -> tuple[float, float]:
        """Improve one head; return the relative entropy from the choices so far, and their entropy.

        ``before`` has the log probability of each choice when it was made.
        """
        net, optimiser = self.heads[decisions.head], self.optimisers[decisions.head]
        gained = gained / (gained.std() + 1e-6) if len(gained) > 1 else gained
        moved = entropy = count = 0.0
        for _ in range(EPOCHS):
            for part in _parts(source.permutation(len(gained)), BATCH):
                chosen, spread = decisions.chances(net, part)
                change, gain = chosen - before[part], gained[part]
                ratio = torch.exp(change)
                loss = -torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                loss = loss - ENTROPY * spread.mean()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), MAX_GRADIENT)
                optimiser.step()
                moved += float((ratio - 1 - change).mean().detach())
                entropy += float(spread.mean().detach())
                count += 1
        return moved / max(count, 1), entropy / max(count, 1)

    def _fit_critic(self, states: Any, returns: Any, source: Any) -> None:
        for _ in range(EPOCHS):
            for part in _parts(source.permutation(len(states)), CRITIC_BATCH):
                loss = ((self.critic(states[part]).squeeze(-1) - returns[part]) ** 2).mean()
                self.critic_optimiser.zero_grad()
                loss.backward()
                self.critic_optimiser.step()


def _parts(order: Any, size: int) -> Iterator[Any]:
    for first in range(0, len(order), size):
        yield order[first : first + size]


def _joined(recorded: Sequence[Recorded]) -> tuple[Any, Any, Any]:
    """Return the decisions of all chunks, with steps and options numbered through, and the options.

    The third array has the log probability of each choice.
    """
    steps = np.cumsum([0, *(len(one.steps) for one in recorded)])
    rows = np.cumsum([0, *(len(one.options) for one in recorded)])
    decisions = [one.decisions.astype(np.int64) for one in recorded]
    for own, step, row in zip(decisions, steps, rows, strict=False):
        own[:, D_STEP] += step
        own[:, D_FIRST] += row
    joined, chances = np.concatenate(decisions), np.concatenate([one.chances for one in recorded])
    first, count, chosen = joined[:, D_FIRST], joined[:, D_COUNT], joined[:, D_CHOSEN]
    taken = chances[first + np.minimum(chosen, count - 1)]
    refused = 1.0 - np.add.reduceat(chances, first) if len(joined) else taken
    before = np.log(np.maximum(np.where(chosen < count, taken, refused), 1e-9)).astype(np.float32)
    return joined, np.concatenate([one.options for one in recorded]), before


@dataclass(frozen=True)
class _Decisions:
    """The decisions of one head, with the options and situations of all."""

    head: int
    rows: Any
    options: Any
    situations: Any

    def inputs(self, part: Any) -> tuple[Any, Any, Any]:
        """Return the situations of the decisions of ``part``, their options, and each option's decision."""
        rows = self.rows[part]
        count = rows[:, D_COUNT]
        owner = np.repeat(np.arange(len(rows)), count)
        numbers = self.options[np.repeat(rows[:, D_FIRST], count) + places_of(count)].astype(np.float32)
        situations = self.situations[torch.from_numpy(rows[:, D_STEP])]
        return situations, torch.from_numpy(numbers), torch.from_numpy(owner)

    def chances(self, net: Any, part: Any) -> tuple[Any, Any]:
        """Return the log probability of what each decision of ``part`` chose, and the options' entropy."""
        rows = self.rows[part]
        count = rows[:, D_COUNT]
        situations, options, owners = self.inputs(part)
        table = torch.full((len(rows), ROOM), -1e9)
        values = net(situations, options, owners)
        table = table.index_put((owners, torch.from_numpy(places_of(count))), values)
        if self.head != DISCARD:  # refusing has the value 0
            last = torch.from_numpy(count)
            table = table.index_put((torch.arange(len(rows)), last), torch.zeros(len(rows)))
        logs = torch.log_softmax(table, 1)
        chosen = logs.gather(1, torch.from_numpy(rows[:, D_CHOSEN]).unsqueeze(1)).squeeze(1)
        return chosen, -(logs.exp() * logs.clamp(min=-50)).sum(1)

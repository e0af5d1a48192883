"""The game as a PettingZoo AEC environment: four agents that act in turn.

>>> from jantaku.lab.aec import env
>>> table = env("tenhou")
>>> table.reset(seed=1)
>>> observation, reward, terminated, truncated, info = table.last()
>>> table.agent_selection, observation["observation"].shape, int(observation["action_mask"].sum())
('seat_0', (47, 34), 13)
"""

import secrets
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from jantaku.errors import RequestError, wrong_choice
from jantaku.game.engine import Record
from jantaku.kernels.engine.state import NO_SEAT
from jantaku.lab.kernels.action_space import ACTIONS
from jantaku.lab.kernels.observation import COLUMNS, ROWS, encode
from jantaku.lab.vector import VectorEnv
from jantaku.rules import Ruleset, load

try:
    from pettingzoo import AECEnv
except ImportError as error:
    raise RequestError("missing_extra", field="pettingzoo", extra="env") from error

from jantaku.lab import spaces
from jantaku.lab.table_text import table_text

Observation = dict[str, npt.NDArray[Any]]


class RiichiEnv(AECEnv):
    """One game under one ruleset; agent ``seat_0`` is the first dealer.

    An observation has ``observation`` (``int16[ROWS, 34]``: ``lab.kernels.observation``) and ``action_mask``
    (``int8[ACTIONS]``: ``lab.kernels.action_space``), which is all zero for an agent that need not act. The
    only rewards are the final points, with oka and uma, when the game ends. After a hand ``infos`` holds the
    agent's change of points (``delta``). ``render_mode``: ``ansi`` makes ``render`` return the table as
    text, ``human`` prints it at every step.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "jantaku_v1",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(self, rules: str | Ruleset = "standard", render_mode: str | None = None) -> None:
        super().__init__()
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise wrong_choice("render_mode", render_mode, modes)
        self.render_mode = render_mode
        self._seats = load(rules).seats
        self.possible_agents = [f"seat_{seat}" for seat in self._seats]
        self.agents: list[str] = []
        self.observation_spaces = {agent: spaces.with_mask() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.action() for agent in self.possible_agents}
        self._games = VectorEnv(rules, 1, secrets.randbits(64), auto_reset=False, copy=False)
        self.reset()  # so that the environment is usable before the first ``reset``

    def observation_space(self, agent: str) -> Any:
        """Return the space of the agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of the action indices (``jantaku.lab.kernels.action_space``)."""
        return self.action_spaces[agent]

    @property
    def record(self) -> Record:
        """The engine's record, including hidden tiles; read-only."""
        return self._games.records[0]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the game of ``seed`` if given, otherwise the next one. ``options`` are ignored."""
        del options
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.possible_agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.possible_agents, 0)
        self.terminations = dict.fromkeys(self.possible_agents, False)
        self.truncations = dict.fromkeys(self.possible_agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.possible_agents}
        self._turn_to(self._games.reset(seed).seat)

    def _turn_to(self, seats: npt.NDArray[np.uint8]) -> None:
        seat = int(seats[0])
        if seat != NO_SEAT:
            self.agent_selection = self.possible_agents[seat]

    def observe(self, agent: str) -> Observation:
        """Return the agent's observation and its legal actions."""
        seen = np.empty((ROWS, COLUMNS), np.int16)
        encode(self.record, self.possible_agents.index(agent), seen)
        mask = np.zeros(ACTIONS, np.int8)
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            mask[:] = self._games.mask[0]
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carry out an action of the selected agent; pass ``None`` after the end of the game.

        Raises ``RequestError`` and changes nothing if the action is illegal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or action is None:
            self._was_dead_step(action)
            return
        stepped = self._games.step([action])
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self._games.ended[0]:
            delta = self._games.delta[0].tolist()
            self.infos = {self.possible_agents[seat]: {"delta": delta[seat]} for seat in self._seats}
        if stepped.done[0]:
            self.rewards = dict(zip(self.possible_agents, stepped.reward[0].tolist(), strict=False))
            self.terminations = dict.fromkeys(self.possible_agents, True)
        self._turn_to(stepped.seat)
        self._accumulate_rewards()
        if stepped.done[0]:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Draw the table with all hands as text: returned for ``ansi``, printed for ``human``."""
        if self.render_mode is None:
            return None
        text = table_text(self.record)
        if self.render_mode == "ansi":
            return text
        print(text)  # noqa: T201  (the purpose of "human")
        return None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


def env(rules: str | Ruleset = "standard", render_mode: str | None = None) -> RiichiEnv:
    """Make a new environment; see ``RiichiEnv``."""
    return RiichiEnv(rules, render_mode)

"""``VectorEnv``: many games at once over NumPy arrays, with one compiled call per step."""

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source
from jantaku.bots.policies import BOTS
from jantaku.bots.search.kernels.own_draws import Players, new_draws
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import Phrases, RequestError, expect, phrase, wrong_choice
from jantaku.fields import choice, whole
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.kernels._jit import Direct
from jantaku.kernels.win import MAX_SEATS
from jantaku.lab.kernels.action_space import ACTIONS, describe
from jantaku.lab.kernels.batch import ALL_LEGAL, BEGIN, WAIT, StepOutputs, advance, first_illegal, new_outputs
from jantaku.lab.kernels.opponents import CALLER, advance_against
from jantaku.lab.kernels.turns import CHOICES, Batch, new_batch, sources
from jantaku.rules import Ruleset, load

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Discrete, MultiDiscrete

RewardKind = Literal["game", "hand"]
MAX_GAMES: Final = 1 << 20
Scalar = TypeVar("Scalar", bound=np.generic)


def _advance_example() -> tuple[object, ...]:
    return _example_batch(), new_outputs(1), np.zeros(1, np.int64), True, context()


def _example_batch() -> Batch:
    rules = load("standard")
    return new_batch(rules, np.array(tile_set(rules), np.uint8), 1, 0, 1)


def _against_example() -> tuple[object, ...]:
    rules = load("standard")
    policies, chances = np.zeros((1, len(rules.seats)), np.int64), sources(0, CHOICES, 0, 1)
    work = new_bot_workspace(new_source(0), rules)
    return *_advance_example(), Players(policies, chances, work, new_draws(0))


_ADVANCE: Final = Direct(advance, _advance_example)
_AGAINST: Final = Direct(advance_against, _against_example)
_FIRST_ILLEGAL: Final = Direct(first_illegal, lambda: (_example_batch(), np.zeros(1, np.int64)))


class ResetResult(NamedTuple):
    """The result of ``reset``: for every game the seat to act, its observation and its legal actions.

    ``observation`` is ``int16[n, ROWS, 34]`` (``lab.kernels.observation``), ``mask`` is ``bool[n, ACTIONS]``
    (``lab.kernels.action_space``), ``seat`` is ``uint8[n]``: 0–3, or ``NO_SEAT`` (255) if the game is over.
    """

    observation: npt.NDArray[np.int16]
    mask: npt.NDArray[np.bool_]
    seat: npt.NDArray[np.uint8]


class StepResult(NamedTuple):
    """The result of ``step``: the fields of ``reset``, plus the outcome of the step.

    ``reward`` is ``int64[n, 4]``: by default ``env.final``, with ``reward="hand"`` ``env.delta``. ``done``
    (``bool[n]``) stays true until the game restarts.
    """

    observation: npt.NDArray[np.int16]
    mask: npt.NDArray[np.bool_]
    seat: npt.NDArray[np.uint8]
    reward: npt.NDArray[np.int64]
    done: npt.NDArray[np.bool_]


class VectorEnv:
    """``games`` games under one ruleset; in each of them one seat acts per step.

    The walls of a game depend only on ``seed`` and the game's index. With ``auto_reset`` a new game starts
    right after a finished one: ``done`` and ``reward`` belong to the old game, the observation to the new.
    Otherwise a finished game ignores actions until ``reset`` selects it. The returned arrays are copies
    unless ``copy`` is false: then they are the environment's own, and the next step overwrites them.

    With ``opponents``, a name of ``jantaku.bots.BOTS``, bots play all seats except the caller's ``seats``
    (one or several numbers; by default seat ``i % players`` in game ``i``), and a step runs to the caller's
    next decision. ``reward`` selects the points of a whole ``"game"`` or of each ``"hand"``.

    >>> env = VectorEnv("tenhou", games=8, seed=1)
    >>> now = env.reset()
    >>> now.observation.shape, now.mask.shape, now.seat.tolist()
    ((8, 47, 34), (8, 261), [0, 0, 0, 0, 0, 0, 0, 0])
    >>> now = env.step(now.mask.argmax(axis=1))
    >>> int(now.reward.sum()), bool(now.done.any())
    (0, False)
    >>> alone = VectorEnv("tenhou", games=8, seed=1, opponents="efficient", reward="hand")
    >>> alone.reset().seat.tolist()
    [0, 1, 2, 3, 0, 1, 2, 3]
    """

    actions: Final = ACTIONS

    def __init__(  # noqa: PLR0913  (keyword arguments)
        self,
        rules: str | Ruleset = "standard",
        games: int = 64,
        seed: int = 0,
        *,
        opponents: str | None = None,
        seats: int | Iterable[int] | None = None,
        reward: RewardKind = "game",
        auto_reset: bool = True,
        copy: bool = True,
    ) -> None:
        self.games = whole(games, "games", 1, MAX_GAMES)
        choice(reward, "reward", get_args(RewardKind))
        expect(auto_reset, bool, "auto_reset")
        expect(copy, bool, "copy")
        self.rules: Ruleset = load(rules)
        self._auto_reset = auto_reset
        self._copy = copy
        self._tiles = np.array(tile_set(self.rules), np.uint8)
        self._outputs: StepOutputs = new_outputs(self.games)
        self._batch = self._new(seed)
        self._chances = sources(seed, CHOICES, 0, self.games)
        self._policies = self._policies_of(opponents, seats)
        outputs = self._outputs
        self._reward: npt.NDArray[np.int64] = outputs.delta if reward == "hand" else outputs.reward
        self._opponents = self._players()

    def _players(self) -> tuple[Players, ...]:
        """Return the argument of the compiled step for the opponents; empty without opponents."""
        if self._policies is None:
            return ()
        work = new_bot_workspace(new_source(0), self.rules)
        return (Players(self._policies, self._chances, work, new_draws(0)),)

    def _new(self, seed: int) -> Batch:
        return new_batch(self.rules, self._tiles, _seed(seed), 0, self.games)

    def _policies_of(self, opponents: str | None, seats: int | Iterable[int] | None) -> Any:
        """Return the policy of each seat in each game, ``int64[n, 4]``; ``None`` without opponents."""
        if opponents is None:
            if seats is not None:
                raise RequestError("needs_field", field="seats", needed="opponents")
            return None
        choice(opponents, "opponents", BOTS)
        policies = np.full((self.games, MAX_SEATS), BOTS.index(opponents), np.int64)
        if seats is None:
            numbers = np.arange(self.games)
            policies[numbers, numbers % len(self.rules.seats)] = CALLER
            return policies
        chosen: list[Any] = list(islice(seats, MAX_SEATS + 1)) if isinstance(seats, Iterable) else [seats]
        for seat in chosen or [None]:
            if (
                isinstance(seat, bool)
                or not isinstance(seat, int | np.integer)
                or seat not in self.rules.seats
            ):
                raise wrong_choice("seats", str(seat), map(str, self.rules.seats))
        policies[:, chosen] = CALLER
        return policies

    @property
    def num_envs(self) -> int:
        """Number of games, under Gymnasium's name."""
        return self.games

    @property
    def single_observation_space(self) -> "Box":
        """Gymnasium space of one game's observations. All four spaces need the extra ``env``."""
        from jantaku.lab import spaces  # noqa: PLC0415

        return spaces.observations()

    @property
    def single_action_space(self) -> "Discrete":
        """Gymnasium space of one game's actions; ``sample`` accepts a row of ``mask`` as ``int8``."""
        from jantaku.lab import spaces  # noqa: PLC0415

        return spaces.action()

    @property
    def observation_space(self) -> "Box":
        """Gymnasium space of the observations of all games."""
        from jantaku.lab import spaces  # noqa: PLC0415

        return spaces.observations(self.games)

    @property
    def action_space(self) -> "MultiDiscrete":
        """Gymnasium space of the actions of all games."""
        from jantaku.lab import spaces  # noqa: PLC0415

        return spaces.actions(self.games)

    def __repr__(self) -> str:
        over = int(self._outputs.done.sum())
        return f"<VectorEnv {self.rules.id}: {self.games} games, {over} over>"

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the opponents' workspace, which ``__setstate__`` rebuilds."""
        return {name: value for name, value in vars(self).items() if name != "_opponents"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._opponents = self._players()
        self._batch.rules.setflags(write=False)  # a writeable array is a different type to the compiler

    @property
    def final(self) -> npt.NDArray[np.int64]:
        """``int64[n, 4]``: final points by seat, with oka and uma, of games that ended in the last step."""
        return self._maybe_copy(self._outputs.reward)

    @property
    def records(self) -> npt.NDArray[Any]:
        """The engine's records (``GAME[n]``), including hidden tiles; read-only."""
        return self._batch.games

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """``bool[n, ACTIONS]``: the legal actions of the seat to act."""
        return self._maybe_copy(self._outputs.mask)

    @property
    def ended(self) -> npt.NDArray[np.uint8]:
        """``uint8[n]``: how a hand ended in the last step (``kernels.engine.state``); 0 if none ended."""
        return self._maybe_copy(self._outputs.ended)

    @property
    def delta(self) -> npt.NDArray[np.int64]:
        """``int64[n, 4]``: the change of each seat's points in hands that ended in the last step.

        Riichi sticks are included, so the hands of a game add up to the difference between its final and
        initial points.
        """
        return self._maybe_copy(self._outputs.delta)

    def reset(self, seed: int | None = None, which: npt.NDArray[np.bool_] | None = None) -> ResetResult:
        """Restart every game, or those that ``which`` (``bool[n]``) selects.

        The sequence of walls continues, or restarts if ``seed`` is given.
        """
        if seed is not None:
            self._batch = self._batch._replace(walls=self._new(seed).walls)
            self._chances[:] = sources(seed, CHOICES, 0, self.games)
        if which is None:
            which = np.ones(self.games, np.bool_)
        indices = np.where(self._checked(which, np.bool_, "which"), BEGIN, WAIT)
        self._carry_out(indices)
        out = self._maybe_copy
        return ResetResult(out(self._outputs.observation), out(self._outputs.mask), out(self._batch.seats))

    def step(self, actions: npt.ArrayLike) -> StepResult:
        """Carry out an action (an index below ``ACTIONS``) of the seat to act in every game.

        Raises ``RequestError`` and changes no game if any action is illegal.
        """
        indices = self._checked(actions, np.int64, "actions")
        illegal = _FIRST_ILLEGAL.call(self._batch, indices)
        if illegal != ALL_LEGAL:
            raise self._illegal_action(illegal, int(indices[illegal]))
        indices = np.maximum(indices, 0)  # an index for a finished game must not mean ``BEGIN`` or ``WAIT``
        self._carry_out(indices)
        outputs, out = self._outputs, self._maybe_copy
        seen = out(outputs.observation), out(outputs.mask), out(self._batch.seats)
        return StepResult(*seen, out(self._reward), out(outputs.done))

    def _carry_out(self, indices: npt.NDArray[np.int64]) -> None:
        room = context(self.rules.tiles.man)
        step = _AGAINST if self._opponents else _ADVANCE
        step.call(self._batch, self._outputs, indices, self._auto_reset, room, *self._opponents)

    def _maybe_copy(self, array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        return array.copy() if self._copy else array

    def _checked(self, values: Any, dtype: Any, field: str) -> Any:
        try:
            array = np.asarray(values)
        except ValueError:  # rows of different lengths
            array = np.empty(0)
        if array.shape == (self.games,):
            if array.dtype == dtype:
                return np.ascontiguousarray(array)
            if np.can_cast(array.dtype, dtype, "same_kind"):  # slow, hence the fast path above
                return np.ascontiguousarray(array, dtype)
        wanted = phrase("errors.kinds.instance", name=f"{np.dtype(dtype)}[{self.games}]")
        raise RequestError("wrong_type", field=field, wanted=wanted)

    def _illegal_action(self, game: int, index: int) -> RequestError:
        legal = np.flatnonzero(self._outputs.mask[game]).tolist()
        choices = Phrases(f"{action} {describe(action)}" for action in legal)
        chosen = f"{index} {describe(index)}" if 0 <= index < ACTIONS else str(index)
        seat = int(self._batch.seats[game])
        return RequestError(
            "illegal_index", field="actions", game=game, seat=seat, action=chosen, legal=choices
        )


def _seed(seed: int) -> int:
    expect(seed, int, "seed")
    if seed < 0:
        raise RequestError("number_least", field="seed", value=seed, low=0)
    return seed

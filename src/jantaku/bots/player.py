"""Compiled policies as players of a ``Game``."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from jantaku.bots.chance import new_source
from jantaku.bots.danger import find_risks
from jantaku.bots.levels import LEVELS, SEARCH, SOFTENED
from jantaku.bots.net import NO_NET
from jantaku.bots.net_file import FILE_END, TrainedBot
from jantaku.bots.policies import ADAPTED, BOTS, STANDARD, decide_in
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.errors import JantakuError, RequestError, cause
from jantaku.fields import choice, whole
from jantaku.game import Action, Game
from jantaku.game.actions import decode
from jantaku.game.engine import context
from jantaku.kernels._jit import Direct, expect_calls
from jantaku.kernels.engine.state import GAME
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset, load
from jantaku.tiles import KINDS, Tile

SCORES_PER_DECISION: Final = 25  # a decision in plain Python takes as long as scoring this many hands


class Bot(Protocol):
    """A player of one or more seats: any object with this method."""

    def choose(self, game: Game, seat: int) -> Action:
        """Return the action of ``seat``, which must be a seat to act; always one of ``game.legal(seat)``."""
        ...


class PolicyBot:
    """A player that decides by a compiled policy, which sees only a ``SEAT_VIEW``."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name = name
        softened = SOFTENED.get(name)
        self._adapted = TrainedBot(softened.weights, NO_NET) if softened else None
        if name.endswith(FILE_END):
            self._adapted = TrainedBot.read(Path(name))
        self._policy = ADAPTED if self._adapted else BOTS.index(name)
        self._sharpness = softened.sharpness if softened else 0.0
        self._source = new_source(seed)
        self._workspaces: dict[str, BotWorkspace] = {}  # only the one for the rules of the last game
        self._lock = threading.Lock()

    def choose(self, game: Game, seat: int) -> Action:
        """Return one of the legal actions; raises ``RequestError`` if it is not the seat's turn to act."""
        rules = rules_record(game.rules)
        expect_calls(decide_in, SCORES_PER_DECISION)
        with self._lock:
            code = DECISION.call(
                game.array,
                int(seat),
                self._policy,
                rules,
                context(game.rules.tiles.man),
                self._workspace(game.rules),
            )
        if code < 0:
            raise RequestError("bot_not_asked", field="seat", seat=seat)
        return decode(int(code), game.claimed)

    def _workspace(self, rules: Ruleset) -> BotWorkspace:
        """Return the workspace for the rules; all of them share one random source."""
        work = self._workspaces.get(rules.fingerprint)
        if work is None:
            work = new_bot_workspace(self._source, rules, self._adapted)
            work.sharpness[0] = self._sharpness
            self._workspaces = {rules.fingerprint: work}
        return work


def _sample_arguments() -> tuple[object, ...]:
    rules = load("standard")
    work = new_bot_workspace(new_source(0), rules)
    return np.zeros(1, GAME), 0, STANDARD, rules_record(rules), context(), work


DECISION: Final = Direct(decide_in, _sample_arguments)
"""``decide_in``, called without type dispatch."""


def bot(name: str, seed: int | None = None) -> Bot:
    """Return the bot with that name (``BOTS`` or ``LEVELS``), or the one in the file of that name (``.npz``).

    ``seed`` makes its random choices repeatable: ``search`` then plays out a fixed number of deals instead of
    searching for a fixed time. Raises ``RequestError`` for an unknown name, and ``RecordError`` if there is
    no bot in the file.
    """
    is_file = isinstance(name, str) and name.endswith(FILE_END)
    known = name if is_file else choice(name, "bot", tuple(dict.fromkeys((*BOTS, *LEVELS))))
    checked = None if seed is None else whole(seed, "seed", 0)
    if known == SEARCH:
        from jantaku.bots.search.bot import seeded_bot  # noqa: PLC0415  (it uses the policies of this module)

        return seeded_bot(checked)
    return PolicyBot(known, checked)


def play(game: Game, players: Bot | str | Sequence[Bot | str]) -> Game:
    """Play a game to its end and return it, with one player for all seats or one for each seat.

    A player is a bot, the name or file of one (``bot``) or any object with a method ``choose``. Raises
    ``RequestError`` with the player's name if one fails or chooses an illegal action.

    >>> play(Game("tenhou", seed=1), "efficient").is_over
    True
    """
    given = [players] * len(game.seats) if isinstance(players, str) else players
    seated = list(given) if isinstance(given, Sequence) else [given] * len(game.seats)
    if len(seated) != len(game.seats):
        raise RequestError("player_count", field="players", count=len(seated), wanted=len(game.seats))
    bots = [bot(player) if isinstance(player, str) else player for player in seated]
    while game.to_act:
        seat = game.to_act[0]
        _take_turn(bots[seat], game, seat)
    return game


def _take_turn(player: Bot, game: Game, seat: int) -> None:
    """Let a player act."""
    try:
        action = player.choose(game, seat)
    except JantakuError:  # already names the player
        raise
    except Exception as error:
        raise _failed(player, game, seat, error) from error
    try:
        game.play(seat, action)
    except Exception as error:
        raise _failed(player, game, seat, error) from error


def _failed(player: Bot, game: Game, seat: int, error: Exception) -> RequestError:
    hand, reason = len(game.walls), cause(error)
    name = name_of(player)
    return RequestError("player_failed", field="players", name=name, seat=seat, hand=hand, reason=reason)


def name_of(player: object) -> str:
    """Return the name of a bot or judge, or of its class if it has none."""
    return str(getattr(player, "name", type(player).__name__))


def advice(game: Game, seat: int) -> Action:
    """Return the action that ``standard`` would choose for ``seat``."""
    return bot(BOTS[STANDARD], 0).choose(game, seat)


def danger(game: Game, seat: int) -> dict[Tile, float]:
    """Return the expected cost in points of each discard of ``seat``, estimated by ``standard``, by kind."""
    return risks(game.record, seat, game.rules)


def risks(record: Any, seat: int, rules: Ruleset) -> dict[Tile, float]:
    """Return ``danger`` for the engine's record of a game."""
    work = new_bot_workspace(new_source(0), rules)
    view = work.views[0]
    write_seat_view(record, seat, view)
    find_risks(view, rules_record(rules)[0], context(rules.tiles.man), work)
    costs = np.where(view.hand > 0, work.risk[0], -1.0)
    return {Tile(kind): float(costs[kind]) for kind in range(KINDS) if costs[kind] >= 0}

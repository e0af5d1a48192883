"""Matches in which every player plays in every seat on the same walls, to reduce the effect of luck."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from jantaku.bots.chance import new_source, shuffle
from jantaku.bots.game_tally import Tally, tally_of
from jantaku.bots.match import FIRST, GAMES, TALLY, Match, new_match, play_match
from jantaku.bots.player import Bot, bot, play
from jantaku.bots.policies import BOTS
from jantaku.errors import RequestError, wrong_choice
from jantaku.game import Game
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.kernels.engine.state import GAME, MAX_TILES
from jantaku.kernels.rules import rules_record
from jantaku.records.native.game_file import dumps
from jantaku.rules import Ruleset

CONFIDENCE: Final = 1.96  # standard errors on either side of a 95% interval
GUESTS: Final = ("mjai:COMMAND", "module:Class")  # the ways to name a guest
_WALLS, _CHANCE = range(2)


class Guest(Bot, Protocol):
    """An external player, which plays one game and is then closed."""

    def close(self) -> None:
        """Release the player's resources; no further decisions are requested from it."""
        ...


@dataclass
class ArenaStanding:
    """Results of one player: its tally (``bots.match``) and its average place in each round."""

    name: str
    tally: Tally = field(default_factory=lambda: np.zeros(TALLY, np.int64))
    rounds: list[float] = field(default_factory=list)

    @property
    def place(self) -> float:
        """Average place, starting at 1."""
        return sum(self.rounds) / len(self.rounds)

    @property
    def interval(self) -> float:
        """Half the width of the 95% confidence interval of ``place``; rounds, not games, are independent."""
        if len(self.rounds) < 2:
            return math.inf
        return CONFIDENCE * float(np.std(self.rounds, ddof=1)) / math.sqrt(len(self.rounds))

    def rate(self, column: int, of: int) -> float:
        """Return one column of the tally as a share of another."""
        return float(self.tally[column] / self.tally[of]) if self.tally[of] else 0.0


@dataclass(frozen=True)
class Pairing:
    """Players that meet under one ruleset, one for each seat.

    A player is the name of a built-in bot, or a function that creates a guest and is called once per game.
    """

    rules: Ruleset
    names: tuple[str, ...]
    makers: tuple[Callable[[], Guest] | None, ...]
    seed: int
    save: Path | None = None
    """Folder for the records of the games, as ``ROUND-TURN.json``."""

    @property
    def compiled(self) -> bool:
        """Whether all players are built-in bots and no game is saved: such games run without Python."""
        return self.save is None and all(maker is None for maker in self.makers)


def pairing(
    rules: Ruleset,
    names: Sequence[str],
    seed: int = 0,
    makers: Sequence[Callable[[], Guest] | None] = (),
    save: Path | None = None,
) -> Pairing:
    """Create a ``Pairing``; raises ``RequestError`` unless there is one known player for each seat.

    ``makers`` has a function for each guest and ``None`` for built-in bots; empty means no guests. Every game
    is saved in the folder ``save``, if given.
    """
    if len(names) != len(rules.seats):
        raise RequestError("player_count", field="players", count=len(names), wanted=len(rules.seats))
    makers = tuple(makers) or (None,) * len(names)
    for name, maker in zip(names, makers, strict=True):
        if maker is None and name not in BOTS:
            raise wrong_choice("players", name, (*BOTS, *GUESTS))
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    return Pairing(rules, tuple(names), tuple(makers), seed, save)


def seating(players: int, turn: int) -> list[int]:
    """Return the seat of each player in a turn (0, 1, …) of a round."""
    return [(player + turn) % players for player in range(players)]


def walls_of(meeting: Pairing, number: int) -> Iterator[list[int]]:
    """Yield the walls of round ``number``, one per hand and the same for all its games."""
    source = new_source((meeting.seed, _WALLS, number))
    tiles, wall = np.array(tile_set(meeting.rules), np.uint8), np.zeros(MAX_TILES, np.uint8)
    while True:
        shuffle(tiles, source, wall)
        yield wall[: len(tiles)].tolist()


def play_round(meeting: Pairing, number: int) -> Tally:
    """Play round ``number``: each player once in each seat, on the same walls.

    Returns one tally row per player.
    """
    players = len(meeting.names)
    total = np.zeros((players, TALLY), np.int64)
    play = _play_compiled if meeting.compiled else _play_in_python
    for turn in range(players):
        seats = seating(players, turn)
        total += play(meeting, number, seats)[seats]
    return total


def _play_compiled(meeting: Pairing, number: int, seats: list[int]) -> Tally:
    policies = [BOTS.index(meeting.names[seats.index(seat)]) for seat in meeting.rules.seats]
    match: Match = new_match(meeting.rules, tuple(policies), (meeting.seed, _CHANCE, number))
    match.walls[:] = new_source((meeting.seed, _WALLS, number))
    play_match(np.zeros(1, GAME)[0], match, rules_record(meeting.rules)[0], context(meeting.rules.tiles.man))
    return match.tally


def _play_in_python(meeting: Pairing, number: int, seats: list[int]) -> Tally:
    game = Game(meeting.rules, walls=walls_of(meeting, number))
    with ExitStack() as stack:
        players: list[Bot] = []
        for seat in meeting.rules.seats:
            player = seats.index(seat)
            maker = meeting.makers[player]
            guest = stack.enter_context(closing(maker())) if maker else None
            players.append(guest or bot(meeting.names[player], meeting.seed * len(seats) + number))
        play(game, players)
    if meeting.save is not None:
        (meeting.save / f"{number:06}-{seats[0]}.json").write_text(dumps(game), "utf-8")
    return tally_of(game)


def contest(
    meeting: Pairing, rounds: int, jobs: int = 1, progress: Callable[[int], None] = lambda _: None
) -> list[ArenaStanding]:
    """Play ``rounds`` rounds on ``jobs`` threads; ``progress`` is called with the number of finished rounds.

    The result does not depend on ``jobs``.
    """
    standings = [ArenaStanding(name) for name in meeting.names]
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        played = pool.map(play_round, itertools.repeat(meeting), range(rounds))
        for done, tally in enumerate(played, 1):
            for standing, row in zip(standings, tally, strict=True):
                standing.tally += row
                places = row[FIRST : FIRST + len(standings)]
                standing.rounds.append(float(places @ np.arange(1, len(standings) + 1)) / float(row[GAMES]))
            progress(done)
    return standings

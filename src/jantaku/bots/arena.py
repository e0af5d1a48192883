"""Matches in which every player plays in every seat on the same walls, to reduce the effect of luck."""

import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import numpy as np

from jantaku.bots.chance import new_source, shuffle
from jantaku.bots.game_tally import Tally, tally_of
from jantaku.bots.levels import LEVELS
from jantaku.bots.match import FIRST, TALLY, Match, new_match, play_match
from jantaku.bots.mjai import SECONDS, MjaiBot
from jantaku.bots.net_file import FILE_END, TrainedBot
from jantaku.bots.player import Bot, bot, name_of, play
from jantaku.bots.policies import ADAPTED, BOTS
from jantaku.bots.python_bots import python_bot
from jantaku.errors import RequestError, wrong_choice
from jantaku.game import Action, Game
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.kernels.engine.state import GAME, MAX_TILES
from jantaku.kernels.rules import rules_record
from jantaku.records.native.game_file import dumps
from jantaku.rules import Ruleset

CONFIDENCE: Final = 1.96  # standard errors on either side of a 95% interval
MJAI: Final = "mjai:"
GUESTS: Final = (f"{MJAI}COMMAND", "module:Class")  # the ways to name a guest
KNOWN: Final = tuple(dict.fromkeys((*BOTS, *LEVELS)))  # bots that need no guest
_WALLS, _CHANCE = range(2)


class Guest(Bot, Protocol):
    """An external player, which plays one game and is then closed."""

    @property
    def faults(self) -> Sequence[str]:
        """A line of text for each decision that the arena had to make instead."""
        ...

    def close(self) -> None:
        """Release the player's resources; no further decisions are requested from it."""
        ...


class Timed:
    """Measures the decisions of a player: their number and the seconds they take."""

    def __init__(self, player: Bot) -> None:
        self.name = name_of(player)
        self.decisions, self.seconds = 0, 0.0
        self._player = player

    def choose(self, game: Game, seat: int) -> Action:
        """Return the player's action."""
        started = time.perf_counter()
        try:
            return self._player.choose(game, seat)
        finally:
            self.decisions += 1
            self.seconds += time.perf_counter() - started


class Thinking(NamedTuple):
    """The time a player took for its decisions; zero in compiled games, which do not measure it."""

    decisions: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Round:
    """Results of a round: one game with each player in each seat, all on the same walls."""

    games: Tally
    """``int64[turn, player, TALLY]`` (``bots.match``)."""
    faults: tuple[tuple[str, ...], ...]
    """The faults of each player."""
    thinking: tuple[Thinking, ...]
    """The time of each player."""

    @property
    def places(self) -> Tally:
        """The place of each player in each game, ``int64[turn, player]``, starting at 1."""
        last = FIRST + self.games.shape[1]
        return np.asarray(self.games[:, :, FIRST:last].argmax(axis=2) + 1)


@dataclass
class ArenaStanding:
    """Results of one player: its tally (``bots.match``), its average place in each round, and its faults."""

    name: str
    tally: Tally = field(default_factory=lambda: np.zeros(TALLY, np.int64))
    rounds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, played: Round, player: int) -> None:
        """Add a round in which this was the player with that index."""
        self.tally += played.games[:, player].sum(axis=0)
        self.rounds.append(float(played.places[:, player].mean()))
        self.faults += played.faults[player]

    @property
    def place(self) -> float:
        """Average place, starting at 1."""
        return sum(self.rounds) / len(self.rounds)

    @property
    def interval(self) -> float:
        """Half the width of the 95% confidence interval of ``place``; rounds, not games, are independent."""
        return interval_of(self.rounds)

    def rate(self, column: int, of: int) -> float:
        """Return one column of the tally as a share of another."""
        return float(self.tally[column] / self.tally[of]) if self.tally[of] else 0.0


def interval_of(values: Sequence[float]) -> float:
    """Return half the width of the 95% confidence interval of the average of independent values."""
    if len(values) < 2:
        return math.inf
    return CONFIDENCE * float(np.std(values, ddof=1)) / math.sqrt(len(values))


@dataclass(frozen=True)
class Pairing:
    """Players that meet under one ruleset, one for each seat: names of bots, bot files and guests."""

    rules: Ruleset
    names: tuple[str, ...]
    seed: int
    save: Path | None = None
    """Folder for the records of the games, as ``ROUND-TURN.json``."""
    seconds: float = SECONDS
    """Time of an mjai program for each decision."""
    files: Mapping[str, TrainedBot] = field(default_factory=dict)
    """The bots of the files by name."""

    @property
    def compiled(self) -> bool:
        """Whether the games run without Python: only policies, at most one bot file, and no game to save."""
        policies = all(name in BOTS or name in self.files for name in self.names)
        return self.save is None and len(self.files) < 2 and policies

    def guest(self, name: str) -> Guest:
        """Return a guest for one game."""
        if name.startswith(MJAI):
            return MjaiBot(name.removeprefix(MJAI), self.seconds)
        return python_bot(name)()


def _is_guest(name: str) -> bool:
    return name.startswith(MJAI) or (":" in name and not name.endswith(FILE_END))


def pairing(
    rules: Ruleset,
    names: Sequence[str],
    seed: int = 0,
    save: Path | None = None,
    seconds: float = SECONDS,
) -> Pairing:
    """Create a ``Pairing``; raises ``RequestError`` unless there is one known player for each seat.

    A player is one of ``BOTS``, a bot file (``FILE_END``) or one of ``GUESTS``. Every game is saved in the
    folder ``save``, if given. ``seconds`` is the time of an mjai program for each decision.
    """
    if len(names) != len(rules.seats):
        raise RequestError("player_count", field="players", count=len(names), wanted=len(rules.seats))
    files = {
        name: TrainedBot.read(Path(name))
        for name in dict.fromkeys(names)
        if name.endswith(FILE_END) and not _is_guest(name)
    }
    for name in names:
        if not _is_guest(name) and name not in (*KNOWN, *files):
            raise wrong_choice("players", name, (*KNOWN, f"FILE{FILE_END}", *GUESTS))
        if _is_guest(name) and not name.startswith(MJAI):
            python_bot(name)  # raises if there is no such class
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    return Pairing(rules, tuple(names), seed, save, seconds, files)


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


def play_round(meeting: Pairing, number: int) -> Round:
    """Play round ``number``: each player once in each seat, on the same walls."""
    players = len(meeting.names)
    games = np.zeros((players, players, TALLY), np.int64)
    faults: list[list[str]] = [[] for _ in meeting.names]
    thinking = [Thinking()] * players
    for turn in range(players):
        seats = seating(players, turn)
        if meeting.compiled:
            games[turn] = _play_compiled(meeting, number, seats)[seats]
            continue
        game, timed, guests = _play_in_python(meeting, number, seats)
        games[turn] = tally_of(game)[seats]
        for player, seat in enumerate(seats):
            before, now = thinking[player], timed[seat]
            thinking[player] = Thinking(before.decisions + now.decisions, before.seconds + now.seconds)
            if guest := guests[seat]:
                faults[player] += guest.faults
    return Round(games, tuple(map(tuple, faults)), tuple(thinking))


def _play_compiled(meeting: Pairing, number: int, seats: list[int]) -> Tally:
    names = [meeting.names[seats.index(seat)] for seat in meeting.rules.seats]
    policies = tuple(ADAPTED if name in meeting.files else BOTS.index(name) for name in names)
    adapted = next(iter(meeting.files.values()), None)
    seed = (meeting.seed, _CHANCE, number)
    match: Match = new_match(meeting.rules, policies, seed, adapted=adapted)
    match.walls[:] = new_source((meeting.seed, _WALLS, number))
    play_match(np.zeros(1, GAME)[0], match, rules_record(meeting.rules)[0], context(meeting.rules.tiles.man))
    return match.tally


def _play_in_python(
    meeting: Pairing, number: int, seats: list[int]
) -> tuple[Game, list[Timed], list[Guest | None]]:
    """Play one game; return it with the players and guests by seat."""
    game = Game(meeting.rules, walls=walls_of(meeting, number))
    players: list[Timed] = []
    guests: list[Guest | None] = []
    with ExitStack() as stack:
        for seat in meeting.rules.seats:
            name = meeting.names[seats.index(seat)]
            guest = stack.enter_context(closing(meeting.guest(name))) if _is_guest(name) else None
            guests.append(guest)
            players.append(Timed(guest or bot(name, meeting.seed * len(seats) + number)))
        play(game, players)
    if meeting.save is not None:
        (meeting.save / f"{number:06}-{seats[0]}.json").write_text(dumps(game), "utf-8")
    return game, players, guests


def contest(
    meeting: Pairing, rounds: int, jobs: int = 1, progress: Callable[[int], None] = lambda _: None
) -> list[ArenaStanding]:
    """Play ``rounds`` rounds on ``jobs`` threads; ``progress`` is called with the number of finished rounds.

    The result does not depend on ``jobs``.
    """
    standings = [ArenaStanding(name) for name in meeting.names]
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        played = pool.map(play_round, itertools.repeat(meeting), range(rounds))
        for done, one in enumerate(played, 1):
            for player, standing in enumerate(standings):
                standing.add(one, player)
            progress(done)
    return standings

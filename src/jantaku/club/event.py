"""An event as values: who plays, in which stages, and what has been played."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Final, Literal, get_args

from jantaku.club.namesakes import label
from jantaku.club.settlement import SettledGame
from jantaku.rules import Ruleset

StageKind = Literal["open", "rounds"]
Counting = Literal["all", "best", "best_run"]
TieBreak = Literal["average_place", "firsts", "best_game", "games", "head_to_head"]

STAGE_KINDS: Final[tuple[str, ...]] = get_args(StageKind)
COUNTINGS: Final[tuple[str, ...]] = get_args(Counting)
TIE_BREAKS: Final[tuple[str, ...]] = get_args(TieBreak)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody registered for the event; ``team`` is empty if there are no teams.

    ``brought`` are the points that they bring into its first stage, such as a share of those of a year;
    ``None`` if they bring none, while who brings 0 is ranked by them. ``person`` says who they are in all
    events, where it is known. ``namesake`` is their number among people of one name.
    """

    id: str
    name: str
    team: str = ""
    brought: int | None = None
    person: str = ""
    namesake: int = 1

    @property
    def label(self) -> str:
        """What they are called where people of one name are told apart."""
        return label(self.name, self.namesake)


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of an event with standings of its own.

    ``counts`` says which games of a player count: all, the ``best_of`` best, or the best run of so many.
    ``source`` is the stage whose best ``cut`` players get in, with ``carry`` times their points.
    ``ranks_unplayed``: people without a game are ranked with all others and may qualify. ``unranked`` have no
    rank whatever they play: who fills a table for the organisers, and who was replaced before a game.
    """

    id: str
    kind: StageKind
    counts: Counting = "all"
    best_of: int = 0
    min_games: int = 0
    max_games: int | None = None
    source: str | None = None
    cut: int | None = None
    carry: Fraction = Fraction(0)
    ranks_unplayed: bool = False
    unranked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game: the player, final points and place (from 1) of each seat.

    ``played`` has its hands; it is ``None`` if only the points are known. ``absent`` are the hands of each
    seat, counted from 0, that somebody else played for it; empty if there are none.
    """

    id: str
    stage: str
    at: datetime | None
    players: tuple[str, ...]
    final: tuple[int, ...]
    places: tuple[int, ...]
    played: SettledGame | None = None
    absent: tuple[frozenset[int], ...] = ()


@dataclass(frozen=True, slots=True)
class StagePenalty:
    """Points added to a player's total in a stage; negative for a penalty."""

    stage: str
    player: str
    points: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """A whole event; ``results`` are the finished games, in the order of the file."""

    name: str
    rules: Ruleset
    players: tuple[Entrant, ...]
    stages: tuple[Stage, ...]
    results: tuple[GameResult, ...]
    penalties: tuple[StagePenalty, ...] = ()
    tie_breaks: tuple[TieBreak, ...] = ()

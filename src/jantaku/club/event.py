"""An event as values: who plays, in which stages, and what has been played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Final, Literal, get_args

from jantaku.club.namesakes import label
from jantaku.club.settlement import SettledGame
from jantaku.reading import Prepared, Within, as_in_json
from jantaku.rules import Ruleset
from jantaku.visible import readable

MOST_NUMBER: Final = 100_000
MOST_CARRY: Final = 10
StageKind = Literal["open", "rounds"]
BestGames = Literal["best", "best_run"]
TieBreak = Literal["average_place", "firsts", "best_game", "games", "head_to_head"]

STAGE_KINDS: Final[tuple[str, ...]] = get_args(StageKind)
BEST_GAMES: Final[tuple[str, ...]] = get_args(BestGames)
TIE_BREAKS: Final[tuple[str, ...]] = get_args(TieBreak)


Title = Annotated[str, Prepared(readable), Within(1, 200)]
Instant = Annotated[str, Within(0, 40)]
"""A time as it was written, in ISO 8601; without an offset it is UTC."""
Count = Annotated[int, Within(1, MOST_NUMBER)]


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

    ``counts`` says which games of a player count: all, the best ones (``{"best": 5}``), or the best run.
    ``source`` is the stage whose best ``cut`` players get in, with ``carry`` times their points.
    ``ranks_unplayed``: people without a game are ranked with all others and may qualify.
    """

    __pydantic_config__ = as_in_json(source="from")

    id: str
    kind: StageKind = "open"
    name: Title | None = None
    counts: Literal["all"] | dict[BestGames, Count] = "all"
    min_games: Annotated[int, Within(0, MOST_NUMBER)] | None = None
    max_games: Count | None = None
    ranks_unplayed: bool | None = None
    source: str | None = None
    cut: Count | None = None
    carry: (
        Annotated[int, Within(-MOST_CARRY, MOST_CARRY)]
        | Annotated[float, Within(-MOST_CARRY, MOST_CARRY)]
        | None
    ) = None
    opens: Instant | None = None
    closes: Instant | None = None


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
    """A whole event; ``results`` are the finished games, in the order of the file.

    ``unranked`` have no rank in a stage whatever they play: players who fill a table for the organisers, and
    players who were replaced before a game.
    """

    name: str
    rules: Ruleset
    players: tuple[Entrant, ...]
    stages: tuple[Stage, ...]
    results: tuple[GameResult, ...]
    penalties: tuple[StagePenalty, ...] = ()
    tie_breaks: tuple[TieBreak, ...] = ()
    about: str = ""
    unranked: Mapping[str, frozenset[str]] = field(default_factory=dict)

"""An event as plain values: its entrants, stages, games and penalties."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

from jantaku import terms
from jantaku.bounded import shown
from jantaku.club.entered_results import GameEnd
from jantaku.club.namesakes import label
from jantaku.club.settlement import GameResult, SettledGame
from jantaku.errors import RequestError
from jantaku.reading import Prepared, Within, as_in_json
from jantaku.rules import Ruleset
from jantaku.terms import Language
from jantaku.visible import clean_if_visible

MAX_NUMBER: Final = 100_000
MAX_CARRY: Final = 10

StageKind = Literal["open", "rounds"]
BestGames = Literal["best", "best_run"]
TieBreak = Literal["average_place", "firsts", "best_game", "games", "head_to_head"]

STAGE_KINDS: Final[tuple[str, ...]] = get_args(StageKind)
BEST_GAMES: Final[tuple[str, ...]] = get_args(BestGames)
TIE_BREAKS: Final[tuple[str, ...]] = get_args(TieBreak)

Title = Annotated[str, Prepared(clean_if_visible), Within(1, 200)]
Instant = Annotated[str, Within(0, 40)]
"""A time in ISO 8601, exactly as written; UTC if it has no offset."""


def instant(text: str) -> datetime:
    """Parse a time in ISO 8601, as UTC if it has no offset; raise ``RequestError`` if it is invalid."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise RequestError("no_time", field="", value=shown(text)) from error
    return time if time.tzinfo else time.replace(tzinfo=UTC)


Count = Annotated[int, Within(1, MAX_NUMBER)]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player registered for the event; ``team`` is empty in events without teams.

    ``brought`` are the points the player brings into the first stage, such as a share of a season total;
    ``None`` if there are none. A player who brings 0 is ranked like others who bring points.
    ``person`` identifies the player across events, if known. ``namesake`` numbers people of the same name.
    """

    id: str
    name: str
    team: str = ""
    brought: int | None = None
    person: str = ""
    namesake: int = 1

    @property
    def label(self) -> str:
        """The display name, numbered if other people have the same name."""
        return label(self.name, self.namesake)


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of an event with standings of its own.

    ``counts`` selects the games that count for a player: all, the best ones (``{"best": 5}``), or the best
    consecutive ones (``{"best_run": 5}``). ``source`` is the stage whose top ``cut`` players qualify; they
    start with ``carry`` times their points. ``ranks_unplayed``: players without a game are ranked with
    everyone else and may qualify.
    """

    __pydantic_config__ = as_in_json(source="from")

    id: str
    kind: StageKind = "open"
    name: Title | None = None
    counts: Literal["all"] | dict[BestGames, Count] = "all"
    min_games: Annotated[int, Within(0, MAX_NUMBER)] | None = None
    max_games: Count | None = None
    ranks_unplayed: bool | None = None
    source: str | None = None
    cut: Count | None = None
    carry: (
        Annotated[int, Within(-MAX_CARRY, MAX_CARRY)] | Annotated[float, Within(-MAX_CARRY, MAX_CARRY)] | None
    ) = None
    opens: Instant | None = None
    closes: Instant | None = None


class SeatPenalty(NamedTuple):
    """Points added to the final points of a seat; negative for a penalty."""

    seat: int
    points: int
    why: str = ""


@dataclass(frozen=True)
class EventGame:
    """A game of an event: its players by seat, and its result before the ``penalties`` of referees.

    ``result`` is a ``SettledGame`` if the hands were settled. ``hands`` are the entered JSON; a game without
    them has an ``end``. ``at`` is the start time, ``label`` the label of the table, ``round`` the number of
    the round. ``digest`` identifies the dealt tiles, if known (``club.as_entered.game_digest``). ``absent``
    lists for each seat the hands, counted from 0, that a substitute played; empty if there was none.
    """

    id: str
    stage: str
    players: tuple[str, ...]
    result: GameResult
    at: Instant | None = None
    hands: tuple[Mapping[str, Any], ...] = ()
    end: GameEnd | None = None
    penalties: tuple[SeatPenalty, ...] = ()
    label: str = ""
    round: int | None = None
    digest: str | None = None
    absent: tuple[frozenset[int], ...] = ()

    def with_hands(self, settled: SettledGame) -> "EventGame":
        """Return the game with settled hands; final points and places remain as recorded."""
        return replace(self, result=replace(settled, final=self.result.final, places=self.result.places))

    @property
    def played(self) -> SettledGame | None:
        """The result with its hands; ``None`` if only the points are known."""
        return self.result if isinstance(self.result, SettledGame) and self.result.hands else None

    @cached_property
    def final(self) -> tuple[int, ...]:
        """The final points of each seat, with penalties; empty until the game is over."""
        final = list(self.result.final or ())
        for seat, points, _ in self.penalties if final else ():
            final[seat] += points
        return tuple(final)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1; empty until the game is over."""
        return self.result.places or ()

    @cached_property
    def began(self) -> datetime | None:
        """The start time; ``None`` if unknown."""
        return None if self.at is None else instant(self.at)


@dataclass(frozen=True, slots=True)
class StagePenalty:
    """Points added to a player's total in a stage; negative for a penalty."""

    stage: str
    player: str
    points: int
    why: str = ""


@dataclass(frozen=True)
class ClubEvent:
    """A whole event.

    ``unranked`` lists for each stage the players without a rank, however many games they play: players who
    fill up a table for the organisers, and players who were replaced before a game.
    """

    name: str
    rules: Ruleset
    players: tuple[Entrant, ...]
    stages: tuple[Stage, ...]
    games: tuple[EventGame, ...]
    penalties: tuple[StagePenalty, ...] = ()
    tie_breaks: tuple[TieBreak, ...] = ()
    about: str = ""
    unranked: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def results(self) -> tuple[EventGame, ...]:
        """The games that are over."""
        return tuple(game for game in self.games if game.result.over)

    @cached_property
    def names(self) -> dict[str, str]:
        """The display names of the players by id."""
        return {player.id: player.label for player in self.players}


def stage_name(stages: Sequence[Stage], stage: str, language: Language) -> str:
    """Return the name of a stage; an unnamed stage is called by its kind in ``language``.

    An unknown id is returned unchanged.
    """
    named = next((row for row in stages if row.id == stage), None)
    if named is None:
        return stage
    if named.name:
        return named.name
    alike = [stage.id for stage in stages if not stage.name and _kind(stage) == _kind(named)]
    called = terms.text(f"event.unnamed.{_kind(named)}", language)
    return called if len(alike) == 1 else f"{called} {alike.index(stage) + 1}"


def _kind(stage: Stage) -> str:
    return "final" if stage.source else stage.kind

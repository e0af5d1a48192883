"""Standings: which of a player's games count in each stage of an event, and how players rank."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

from jantaku.club.event import ClubEvent, EventGame, Stage, TieBreak


@dataclass(slots=True)
class Played:
    """A player's totals in a stage; ``finals`` are the final points of each game in order."""

    player: str
    seats: int
    finals: list[int] = field(default_factory=list)
    places: list[Fraction | int] = field(default_factory=list)
    points: int = 0
    carried: int = 0
    penalty: int = 0
    counted: int = 0
    qualified: bool = True
    ranked: bool = True

    def __post_init__(self) -> None:
        self.places = [0] * self.seats

    @property
    def average_place(self) -> Fraction | None:
        """The mean place over all games; ``None`` without games."""
        if not self.finals:
            return None
        total = sum(place * count for place, count in enumerate(self.places, 1))
        return Fraction(total) / len(self.finals)


Key = Callable[[Played], tuple[int, Fraction | int]]


LAST = (1, 0)
"""Sort key of players without a game, who come last among equals."""


def ranked(
    players: Sequence[Played], tie_breaks: Sequence[TieBreak], games: Sequence[EventGame]
) -> list[tuple[int | None, Played]]:
    """Return the players in order with their ranks (1, 2, 2, 4); ties keep their input order.

    Unranked players come last, with ``None``.
    """
    groups = _split(players, lambda player: (2 - player.qualified - player.ranked, -player.points))
    for name in tie_breaks:
        groups = [part for group in groups for part in _split(group, _key(name, group, games))]
    rows, before = list[tuple[int | None, Played]](), 0
    for group in groups:
        rows += [(before + 1 if player.ranked else None, player) for player in group]
        before += len(group)
    return rows


def _split(group: Sequence[Played], key: Key) -> list[list[Played]]:
    """Split the group by key, the lowest key first."""
    if len(group) == 1:
        return [list(group)]
    return [list(part) for _, part in groupby(sorted(group, key=key), key)]


def _key(name: TieBreak, group: Sequence[Played], games: Sequence[EventGame]) -> Key:
    if name == "head_to_head":
        return _head_to_head(group, games) if len(group) > 1 else lambda _: LAST
    value = _VALUES[name]
    return lambda player: (0, value(player)) if player.finals else LAST


_VALUES: dict[str, Callable[[Played], Fraction | int]] = {
    "average_place": lambda player: player.average_place or 0,
    "firsts": lambda player: -player.places[0],
    "best_game": lambda player: -max(player.finals),
    "games": lambda player: -len(player.finals),
}


def _head_to_head(group: Sequence[Played], games: Sequence[EventGame]) -> Key:
    """Return a sort key: the sum of final points in games with two or more players of the group."""
    tied, sums = {player.player for player in group}, dict[str, int]()
    for game in games:
        met = [i for i, player in enumerate(game.players) if player in tied]
        if len(met) > 1:
            for i in met:
                sums[game.players[i]] = sums.get(game.players[i], 0) + game.final[i]
    return lambda player: (0, -sums[player.player]) if player.player in sums else LAST


FIRST_INSTANT = datetime.min.replace(tzinfo=UTC)


UNRANKED: Final = "–"


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """A player's row in a stage; ``points`` include ``carried`` points and the ``penalty``.

    ``rank`` is ``None`` for a player without a game, unless the stage ranks them. ``places`` counts first to
    last places over all games of the stage; shared places count as fractions.
    """

    rank: int | None
    player: str
    points: int
    carried: int
    penalty: int
    games: int
    counted: int
    places: tuple[float, ...]
    average_place: float | None
    qualified: bool

    @property
    def display_rank(self) -> str:
        """The rank for tables; a dash for players who do not qualify."""
        return str(self.rank) if self.qualified else UNRANKED


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A team with the sum of its players' points in a stage.

    ``rank`` is ``None`` if none of its players is ranked in the stage.
    """

    rank: int | None
    team: str
    points: int

    @property
    def display_rank(self) -> str:
        """The rank for tables; a dash for an unranked team."""
        return UNRANKED if self.rank is None else str(self.rank)


@dataclass(frozen=True, slots=True)
class EventStandings:
    """The standings of every stage in order, and the team standings of each stage."""

    stages: Mapping[str, tuple[PlayerStanding, ...]]
    teams_of: Mapping[str, tuple[TeamStanding, ...]]

    @property
    def teams(self) -> tuple[TeamStanding, ...]:
        """The team standings of the event: those of its last stage."""
        return self.teams_of[list(self.stages)[-1]]

    def to_dict(self) -> dict[str, Any]:
        """Return the standings as plain data for JSON (docs/club.md)."""
        stages = [{"id": name, "standings": list(map(asdict, rows))} for name, rows in self.stages.items()]
        return {"stages": stages, **({"teams": list(map(asdict, self.teams))} if self.teams else {})}


def as_number(value: Fraction | int) -> int | float:
    """Return a whole number as ``int``, any other as the nearest ``float``."""
    return value.numerator if value.denominator == 1 else float(value)


def standings(event: ClubEvent) -> EventStandings:
    """Compute the standings of every stage and team from the games.

    All points are whole numbers. ``docs/club.md`` defines how games count and how players qualify and rank.
    """
    by_stage: dict[str, tuple[PlayerStanding, ...]] = {}
    for stage in event.stages:
        before = () if stage.source is None else by_stage[stage.source]
        by_stage[stage.id] = _of_stage(event, stage, before)
    return EventStandings(by_stage, {name: _of_teams(event, rows) for name, rows in by_stage.items()})


def _of_stage(event: ClubEvent, stage: Stage, before: Sequence[PlayerStanding]) -> tuple[PlayerStanding, ...]:
    games = in_order(game for game in event.results if game.stage == stage.id)
    carried = _carried(event, stage, before, games)
    bring = {
        entrant.id for entrant in event.players if entrant.brought is not None and stage is event.stages[0]
    }
    unranked = event.unranked.get(stage.id, frozenset())
    played = {player: Played(player, seats=event.rules.match.players) for player in carried}
    for game in games:
        _add_game(game, played)
    for penalty in event.penalties:
        if penalty.stage == stage.id and penalty.player in played:
            played[penalty.player].penalty += penalty.points
    for player, standing in played.items():
        standing.carried = carried[player]
        counting = counted(standing.finals[: stage.max_games], stage)
        standing.counted = len(counting)
        standing.points = sum(counting) + standing.carried + standing.penalty
        standing.ranked = player not in unranked and bool(
            standing.finals or stage.ranks_unplayed or stage.carry or standing.carried or player in bring
        )
        standing.qualified = standing.ranked and len(standing.finals) >= (stage.min_games or 0)
    return tuple(
        PlayerStanding(
            *(
                rank,
                player.player,
                player.points,
                player.carried,
                player.penalty,
                len(player.finals),
                player.counted,
            ),
            tuple(map(as_number, player.places)),
            None if player.average_place is None else as_number(player.average_place),
            player.qualified,
        )
        for rank, player in ranked(list(played.values()), event.tie_breaks, games)
    )


def _carried(
    event: ClubEvent, stage: Stage, before: Sequence[PlayerStanding], games: Sequence[EventGame]
) -> Mapping[str, int]:
    """Return the points carried into a stage by each player who was admitted or has played in it.

    Replacements carry in their own points from the previous stage, if they have any.
    """
    if stage.source is None:
        first = stage is event.stages[0]
        return {entrant.id: (entrant.brought or 0) if first else 0 for entrant in event.players}
    points = {row.player: row.points for row in before}
    names = [row.player for row in admitted(stage, before)]
    names += [player for game in games for player in game.players]
    carry = Fraction(repr(stage.carry or 0))  # exactly as written: 0.1 is one tenth
    return {name: rounded(carry * points.get(name, 0)) for name in names}


def admitted(stage: Stage, before: Sequence[PlayerStanding]) -> list[PlayerStanding]:
    """Return the players who qualify for the stage: those above the previous stage's cut, including ties."""
    return [
        row
        for row in before
        if row.qualified and row.rank is not None and (stage.cut is None or row.rank <= stage.cut)
    ]


def in_order(games: Iterable[EventGame]) -> list[EventGame]:
    """Sort games by time; games with equal or unknown times keep their order."""
    return sorted(games, key=lambda game: game.began or FIRST_INSTANT)


def _add_game(game: EventGame, played: Mapping[str, Played]) -> None:
    """Add a game to its players' totals; players who share a place get an equal part of each place."""
    for player, final, place in zip(game.players, game.final, game.places, strict=True):
        standing = played.get(player)
        if standing is None:
            continue
        standing.finals.append(final)
        sharing = game.places.count(place)
        for shared in range(place - 1, place - 1 + sharing):
            standing.places[shared] += 1 if sharing == 1 else Fraction(1, sharing)


def counted(finals: Sequence[int], stage: Stage) -> Sequence[int]:
    """Return the games that count: all, the best ones, or the best run (the earliest of equal runs)."""
    if stage.counts == "all":
        return finals
    ((kind, number),) = stage.counts.items()
    if len(finals) <= number:
        return finals
    if kind == "best":
        return sorted(finals, reverse=True)[:number]
    runs = [finals[start : start + number] for start in range(len(finals) - number + 1)]
    return max(runs, key=sum)


def rounded(points: Fraction) -> int:
    """Round to whole points, half away from zero.

    >>> rounded(Fraction(5, 2)), rounded(Fraction(-5, 2))
    (3, -3)
    """
    whole = int(abs(points) + Fraction(1, 2))
    return whole if points >= 0 else -whole


def _of_teams(event: ClubEvent, rows: Sequence[PlayerStanding]) -> tuple[TeamStanding, ...]:
    teams: defaultdict[str, int] = defaultdict(int)
    standing = set[str]()
    of_player = {entrant.id: entrant.team for entrant in event.players}
    for row in rows:
        if team := of_player[row.player]:
            teams[team] += row.points if row.rank is not None else row.penalty
            standing |= {team} if row.rank is not None else set()
    ordered = sorted(teams.items(), key=lambda item: (item[0] not in standing, -item[1], item[0]))
    points = [total for _, total in ordered]
    return tuple(
        TeamStanding(points.index(total) + 1 if team in standing else None, team, total)
        for team, total in ordered
    )

"""What a report says of a day or of a whole event, as numbers: standings with moves, best hands, records."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from jantaku.club.days import day_of as played_on
from jantaku.club.entered_hands import EnteredWin
from jantaku.club.event import ClubEvent, EventGame
from jantaku.club.export.event_tables import EventTables
from jantaku.club.stage_standings import StageStanding, standings
from jantaku.club.statistics import Achievement, event_figures

MOST_BEST: Final = 5


@dataclasses.dataclass(frozen=True, slots=True)
class ReportRow:
    """A player in a stage: ``before`` is the rank before the day, ``change`` the points that it brought."""

    rank: int
    before: int | None
    player: str
    points: int
    change: int
    games: int


@dataclasses.dataclass(frozen=True, slots=True)
class BestHand:
    """A win: ``points`` is what it brought, ``win`` what was entered of it; ``source`` dealt in."""

    game: str
    player: str
    source: str | None
    number: int
    honba: int
    points: int
    win: EnteredWin


@dataclasses.dataclass(frozen=True, slots=True)
class ReportNumbers:
    """How much was played; what only hands tell is 0 where nobody recorded any.

    ``hands`` are those of ``games_with_hands`` that no chombo voided, ``wins`` those that were won, by
    ``winners`` in all, who ``won`` so many points.
    """

    games: int
    games_with_hands: int
    hands: int
    wins: int
    winners: int
    tsumo: int
    draws: int
    riichi: int
    won: int


@dataclasses.dataclass(frozen=True, slots=True)
class EventReport:
    """The report of a ``day`` (ISO 8601), or without one of the whole event."""

    day: str | None
    stages: Mapping[str, tuple[ReportRow, ...]]
    best: tuple[BestHand, ...]
    records: tuple[Achievement, ...]
    numbers: ReportNumbers


def day_of(tables: EventTables, game: EventGame) -> str | None:
    """The day of a game in the zone of the tables."""
    return played_on(None if game.at is None else datetime.fromisoformat(game.at), tables.zone)


def days_of(tables: EventTables) -> list[str]:
    """The days on which games were played, in order."""
    return sorted({day for game in tables.games if (day := day_of(tables, game))})


def event_report(tables: EventTables, day: str | None = None) -> EventReport:
    """Work out a report. Penalties of a stage have no day: they count from the beginning."""
    days = {game.id: day_of(tables, game) or "" for game in tables.games}
    event = tables.event
    until = _with(event, (result for result in event.results if day is None or days[result.id] <= day))
    before = _with(event, (result for result in event.results if day is not None and days[result.id] < day))
    of_day = _with(event, (result for result in event.results if day is None or days[result.id] == day))
    return EventReport(
        day,
        _moves(before, until, of_day, moved=day is not None),
        _best(of_day.results),
        event_figures(of_day).achievements,
        _numbers(of_day.results),
    )


def _with(event: ClubEvent, games: Iterable[EventGame]) -> ClubEvent:
    return dataclasses.replace(event, games=tuple(games))


def _moves(
    before: ClubEvent, until: ClubEvent, of_day: ClubEvent, *, moved: bool
) -> dict[str, tuple[ReportRow, ...]]:
    """The standings of each stage that was played, and what has changed in them."""
    played = {result.stage for result in of_day.results}
    earlier = standings(before).stages
    moves = {}
    for stage, rows in standings(until).stages.items():
        if stage in played:
            old = {row.player: row for row in earlier[stage]} if moved else {}
            moves[stage] = tuple(_row(row, old.get(row.player)) for row in rows if row.rank is not None)
    return moves


def _row(now: StageStanding, old: StageStanding | None) -> ReportRow:
    points, games = (0, 0) if old is None else (old.points, old.games)
    before = old.rank if old is not None and old.games else None
    return ReportRow(now.rank or 0, before, now.player, now.points, now.points - points, now.games - games)


def _best(games: Sequence[EventGame]) -> tuple[BestHand, ...]:
    """The wins that brought the most points; of equal ones those of the earlier games."""
    hands = []
    for game in games:
        for hand, settled in zip(game.played.entered, game.played.hands, strict=True) if game.played else ():
            source = None if hand.discarder is None else game.players[hand.discarder]
            for win in hand.wins:
                if (seat := win.seat) in settled.winners:
                    key = (game.id, game.players[seat], source, settled.number, settled.honba)
                    hands.append(BestHand(*key, settled.deltas[seat], win))
    return tuple(sorted(hands, key=lambda hand: -hand.points)[:MOST_BEST])


def _numbers(results: Sequence[EventGame]) -> ReportNumbers:
    played = [result.played for result in results if result.played]
    hands = [
        (entered, settled, settled.winners + settled.nagashi)
        for game in played
        for entered, settled in zip(game.entered, game.hands, strict=True)
        if entered.end != "foul"
    ]
    return ReportNumbers(
        games=len(results),
        games_with_hands=len(played),
        hands=len(hands),
        wins=sum(bool(winners) for _, _, winners in hands),
        winners=sum(len(winners) for _, _, winners in hands),
        tsumo=sum(entered.end == "tsumo" and bool(winners) for entered, _, winners in hands),
        draws=sum(entered.end == "draw" and not winners for entered, _, winners in hands),
        riichi=sum(len(entered.riichi) for entered, _, _ in hands),
        won=sum(settled.deltas[seat] for _, settled, winners in hands for seat in winners),
    )

"""A person's online games and recorded games, as input for statistics."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cachetools import LRUCache

from jantaku.club import EventGame, SettledGame
from jantaku.club.statistics import HandTally, RuledGame
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import iso
from jantaku.server.events.results.statistics import settle_games
from jantaku.server.storage.base import UNREADABLE
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.finished_games import (
    counts_for,
    read_tally,
    replayed,
    result_of,
    tallies_of,
)
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rows import log_unreadable
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms

MAX_GAMES: Final = 300  # of a person, latest first
CACHED_UNREADABLE: Final = 3000  # games without readable hands, of which only the points count


class OnlineGames(NamedTuple):
    """A person's online games, and the latest names of the people in them, by id."""

    games: list[RuledGame]
    names: dict[str, str]


class OwnGames:
    """Loads online games. Tallies of hands are stored, as finished games never change."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._without = LRUCache[str, None](CACHED_UNREADABLE)

    async def of(self, person: str, *, public: bool = False) -> OnlineGames:
        """Return a person's latest games, oldest first; with ``public`` only those visible to others."""
        played, now = OnlineGames([], {}), now_ms()
        for own in reversed(await self._services.games.of_person(person, MAX_GAMES)):
            row = own.game
            if public and own.public_at > now:
                continue
            played.names.update(
                {player.person: player.name for player in row.players if player.person is not None}
            )
            seat = next(seat for seat, player in enumerate(row.players) if player.person == person)
            rules = await self._services.rulesets.readable(row.rules, row.fingerprint)
            result = result_of(row)
            if rules is not None and result is not None and counts_for(row.result, seat, row.hands):
                tally = read_tally(own.tally, row.id) or await self._compute_tally(row, rules, seat)
                played.games.append(RuledGame(rules, result, tally))
        return played

    async def _compute_tally(self, row: GameRow, rules: Ruleset, seat: int) -> HandTally | None:
        """Compute and store the tallies of all seats of a game; return that of ``seat``."""
        if row.id in self._without:
            return None
        games = self._services.games
        moves, logs = await games.moves(row.id), await games.hands(row.id)

        def compute() -> dict[int, bytes]:
            try:
                return tallies_of(replayed(rules, row.beginning, moves, logs), row)
            except UNREADABLE:
                log_unreadable("hands of the game", row.id)
                return {}

        tallies = await asyncio.to_thread(compute)
        if not tallies:
            self._without[row.id] = None
            return None
        await games.store_tallies(row.id, tallies)
        return read_tally(tallies[seat], row.id)


MAX_EVENTS: Final = 40  # of a person, latest first
ERASED: Final = "–"  # placeholder for a deleted name
CACHED_SETTLED: Final = 2000  # settled games in memory
COUNTS: Final = (RecordedGameRow.status == "confirmed", RecordedGameRow.replay.is_(None))


@dataclass
class RecordedGames:
    """Recorded games, the names of their events by game, and the names of opponents by id."""

    games: list[RuledGame] = field(default_factory=list)
    events: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


class ClubGames:
    """Loads and settles recorded games, again only if their hands have changed."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._settled = LRUCache[tuple[str, str, str], SettledGame](CACHED_SETTLED)

    async def of(self, person: str) -> RecordedGames:
        """Return a person's latest confirmed games, without online games, which ``OwnGames`` loads."""
        services, clubs = self._services, RecordedGames()
        mine = {entry.event: entry for entry in await services.entries.everywhere(person, MAX_EVENTS)}
        if not mine:
            return clubs
        keys = [(entry.event, entry.id) for entry in mine.values()]
        games: dict[str, list[RecordedGameRow]] = {}
        for row in reversed(await services.recorded.of_entries(keys, *COUNTS, limit=MAX_GAMES)):
            if row.result.final is not None:
                games.setdefault(row.event, []).append(row)
        sitting = {(row.event, player) for rows in games.values() for row in rows for player in row.players}
        entries = await services.entries.named([*sitting]) if sitting else {}
        for event in (await services.events.named(games)).values():
            rules = await services.rulesets.readable(event.rules, event.fingerprint)
            if rules is not None:
                played = await self._hands(event.id, games[event.id], rules)
                for row in games[event.id]:
                    result = _result(row, mine[event.id], played.get(row.id))
                    clubs.games.append(RuledGame(rules, result))
                    clubs.events[row.id] = event.name
        others = [entry for key, entry in entries.items() if mine[key[0]].id != entry.id]
        clubs.names |= {
            _opponent(other.event, other.id): ERASED if other.erased else other.name for other in others
        }
        return clubs

    async def _hands(
        self, event: str, rows: Sequence[RecordedGameRow], rules: Ruleset
    ) -> dict[str, SettledGame]:
        heads = {row.id: row.head for row in rows if row.ended_with is None}
        known = {
            game: kept for game, head in heads.items() if (kept := self._settled.get((event, game, head)))
        }
        versions = await self._services.recorded.versions(event, [*(heads.keys() - known.keys())])
        new = await asyncio.to_thread(settle_games, versions, heads, rules)
        for (game, head), settled in new.items():
            self._settled[event, game, head] = known[game] = settled
        return known


def _opponent(event: str, entry: str) -> str:
    return f"{event}:{entry}"


def _result(row: RecordedGameRow, entry: EntryRow, played: SettledGame | None) -> EventGame:
    players = tuple(
        (entry.person or "") if player == entry.id else _opponent(entry.event, player)
        for player in row.players
    )
    return EventGame(row.id, "", players, played or row.result, iso(row.at))


def newest(games: Iterable[RuledGame], most: int) -> list[RuledGame]:
    """Return the latest ``most`` games, oldest first; games without a time come first."""
    return sorted(games, key=lambda game: game.result.began.timestamp() if game.result.began else 0.0)[-most:]

"""Ratings from online games: one per ruleset, and one per number of players in ranked play.

They are computed like a club's ratings, and stored soon after the end of a game has become public. A
starting server adds the games not yet counted. Only games among people count: a bot's strength depends on
its level, and deleted accounts have no identity.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import Final

from jantaku.club import EventGame, GameResult, Rating, rated_games
from jantaku.server.edge.bodies import iso
from jantaku.server.storage.finished_games import is_rated
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import DAY_MS
from jantaku.server.storage.ratings import RESTART, RatingCourse, RatingStep
from jantaku.server.storage.services import Services
from jantaku.server.tasks import Background, reported

MAX_BEFORE: Final = 20_000  # latest games that count when ratings start
RATED_A_DAY: Final = 4  # games of the same pair
AT_ONCE: Final = 200  # games; takes about 0.1 s
STEP_MS: Final = 60_000  # without new games, the stored position advances at most once a minute
FAILURE: Final = "rating games failed"
Under = str | int  # fingerprint of a ruleset, or number of players in ranked play


class TableRatings(Background):
    """Computes and reads ratings under all rulesets."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._news = asyncio.Event()
        self._since = 0  # only rulesets with games since then are checked
        self._turn = asyncio.Lock()  # one batch at a time, to keep tables responsive
        services.games.on_ended.append(self.wake)

    def wake(self) -> None:
        """Check for finished games without waiting."""
        self._news.set()

    async def of(self, under: Under, person: str, most: int = 1) -> RatingCourse:
        """Return a person's current rating with its ``most`` latest steps."""
        await self._catch_up(under)
        return await self._services.ratings.course(str(under), person, most)

    async def rating(self, under: Under, person: str) -> Rating | None:
        """Return a person's current rating; ``None`` before their first game."""
        await self._catch_up(under)
        return (await self._ratings(under, [person])).get(person)

    async def around(self, under: Under, row: GameRow) -> dict[str, tuple[Rating | None, Rating]]:
        """Return ratings before and after a game by player; empty if it does not count.

        Before the game is public, they are a forecast.
        """
        await self._catch_up(under)
        steps = await self._services.ratings.around(str(under), row)
        game = _among_people(row)
        if steps or game is None:
            return {
                person: (before[0].rating if before else None, after.rating)
                for person, (after, *before) in steps.items()
            }
        if not await self._within_limit(under, [game]):
            return {}
        known = await self._ratings(under, game.players)
        (rated,) = rated_games([game], known)
        return {seat.player: (known.get(seat.player), seat.after) for seat in rated.seats}

    def forget(self) -> None:
        """Recompute all ratings, after an account has been deleted."""
        self._since = 0
        self.wake()

    async def _ratings(self, under: Under, people: Sequence[str]) -> dict[str, Rating]:
        steps = await self._services.ratings.last_steps(str(under), people)
        return {step.person: step.rating for step in steps}

    async def _run(self) -> None:
        while True:
            self._news.clear()
            with reported(FAILURE):
                for fingerprint, ended in await self._services.games.rulesets(self._since):
                    await self._catch_up(fingerprint)
                    self._since = max(self._since, ended)
            await self._news.wait()

    async def _catch_up(self, under: Under) -> None:
        """Rate the remaining games in batches."""
        more = True
        while more:
            async with self._turn:
                began = time.perf_counter()
                more = await self._count_some(under)
            if more:
                await asyncio.sleep(time.perf_counter() - began)  # leave half of the time to tables

    async def _count_some(self, under: Under) -> bool:
        """Rate a batch of the oldest remaining games; return whether there are more."""
        stored, key = self._services.ratings, str(under)
        before = since = await stored.until(key)
        if since is None or since == RESTART:
            since = await self._services.games.start_of_rated(under, MAX_BEFORE)
        rows, until, more = await self._services.games.rated(under, since, AT_ONCE)
        games = [game for row in rows if (game := _among_people(row)) is not None]
        there = await stored.counted(key, {player for game in games for player in game.players}, since)
        new = await self._within_limit(under, [game for game in games if game.id not in there])
        if not new and not more and before is not None and until - before < STEP_MS:
            return False
        known = await self._ratings(under, list({person for game in new for person in game.players}))
        steps = await asyncio.to_thread(_steps, key, new, known)
        added = await stored.add(key, steps, before=before, until=until)
        return not added or (more and until > since)

    async def _within_limit(self, under: Under, games: Sequence[EventGame]) -> list[EventGame]:
        """Drop games in which a pair exceeds ``RATED_A_DAY`` rated games together on a day (UTC).

        Otherwise several accounts of one person could raise each other without limit.
        """
        counted: dict[tuple[frozenset[str], int], set[str]] = {}
        within = []
        for game in games:
            day = _ended_ms(game) // DAY_MS
            pairs = [(frozenset(pair), day) for pair in combinations(game.players, 2)]
            if any(pair not in counted for pair in pairs):
                span = (day * DAY_MS, (day + 1) * DAY_MS)
                played = await self._services.ratings.games_of(str(under), game.players, *span)
                for pair in pairs:
                    one, other = (played[person] for person in pair[0])
                    counted.setdefault(pair, one & other)
            if all(len(counted[pair] - {game.id}) < RATED_A_DAY for pair in pairs):
                for pair in pairs:
                    counted[pair].add(game.id)
                within.append(game)
        return within


def _ended_ms(game: EventGame) -> int:
    return round((game.began or datetime.fromtimestamp(0, UTC)).timestamp() * 1000)


def _steps(under: str, games: Sequence[EventGame], before: dict[str, Rating]) -> list[RatingStep]:
    ended = {game.id: _ended_ms(game) for game in games}
    return [
        RatingStep(
            under, seat.player, ended[game.game], game.game, seat.place, seat.after.mu, seat.after.sigma
        )
        for game in rated_games(games, before)
        for seat in game.seats
    ]


def _among_people(row: GameRow) -> EventGame | None:
    """Convert a game to a result; ``None`` if it is unfinished, unrated, or not only among people."""
    people = tuple(
        player.person for player in row.players if player.person is not None and player.bot is None
    )
    result = row.result or {}
    if len(people) != len(row.players) or not result.get("places") or not result.get("final"):
        return None
    if not is_rated(result, len(people), row.hands):
        return None
    ended = GameResult(True, (), tuple(result["final"]), tuple(result["places"]))
    return EventGame(row.id, "", people, ended, iso(row.ended or 0))

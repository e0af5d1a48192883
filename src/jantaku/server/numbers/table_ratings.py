"""Ratings of people from the rated games of the parlour, under each ruleset apart, and in ranked play.

They are worked out from stored games by the code of the club's ratings, and kept in memory; newer games are
added when somebody asks. Only games among people count: a bot's strength depends on its level, and whoever
has been erased is nobody.
"""

import asyncio
from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from jantaku.bounded import Newest
from jantaku.club import GameResult, Rating, rated_games
from jantaku.server.storage.absences import is_rated
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.services import Services

MOST_RATED: Final = 20_000  # the newest games under a ruleset; a thousand take about a second
KEPT: Final = 40  # rulesets in memory


@dataclass(frozen=True, slots=True)
class RatingStep:
    """A person's rating after a game."""

    game: str
    at: datetime
    place: int
    rating: Rating


@dataclass
class RulesetRatings:
    """The ratings under one ruleset: of each person after every game, and what has been counted."""

    steps: dict[str, list[RatingStep]] = field(default_factory=dict)
    games: set[str] = field(default_factory=set)
    until: int = 0
    _ordinals: list[float] = field(default_factory=list)  # of everybody, the lowest first

    def rank(self, person: str) -> int:
        """The place of a person among all, from 1; people with equal ratings share it."""
        own = self.steps[person][-1].rating.ordinal
        return 1 + len(self._ordinals) - bisect_right(self._ordinals, own)

    def rating(self, person: str) -> Rating | None:
        """The rating of a person now; ``None`` before their first game."""
        steps = self.steps.get(person)
        return steps[-1].rating if steps else None

    def around(self, row: GameRow) -> dict[str, tuple[Rating | None, Rating]]:
        """What a game did to the ratings of its players; nothing if it does not count.

        Before others are told of it, what it will do.
        """
        if row.id in self.games:
            return {
                person: (steps[place - 1].rating if place else None, one.rating)
                for person in (one.person or "" for one in row.players)
                for steps in (self.steps.get(person, ()),)
                for place, one in enumerate(steps)
                if one.game == row.id
            }
        game = _among_people(row)
        if game is None:
            return {}
        before = {person: self.rating(person) for person in game.players}
        known = {person: rating for person, rating in before.items() if rating is not None}
        (rated,) = rated_games([game], known)
        return {seat.player: (before[seat.player], seat.after) for seat in rated.seats}

    def add(self, rows: list[GameRow]) -> None:
        """Count finished games, the oldest first."""
        new = [row for row in rows if row.id not in self.games]
        found = [game for game in map(_among_people, new) if game is not None]
        at = {game.id: game.at for game in found}
        before = {person: steps[-1].rating for person, steps in self.steps.items()}
        for game in rated_games(found, before):
            for seat in game.seats:
                when = at[game.game] or datetime.fromtimestamp(0, UTC)
                self.steps.setdefault(seat.player, []).append(
                    RatingStep(game.game, when, seat.place, seat.after)
                )
        self._ordinals = sorted(steps[-1].rating.ordinal for steps in self.steps.values())
        self.games |= {row.id for row in new}
        self.until = max([self.until, *(row.ended or 0 for row in new)])


class TableRatings:
    """The ratings under the rulesets that somebody asked for."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known = Newest[str | int, RulesetRatings](KEPT)
        self._turn = asyncio.Lock()  # one ruleset at a time: no table may wait for them

    async def of(self, under: str | int) -> RulesetRatings:
        """The ratings under a ruleset as they are now, or of ranked play with so many players."""
        async with self._turn:
            found = self._known.setdefault(under, RulesetRatings())
            rows = await self._services.games.rated(under, found.until, MOST_RATED)
            if any(row.id not in found.games for row in rows):
                await asyncio.to_thread(found.add, rows)
            self._known.move_to_end(under)
            return found

    def forget(self) -> None:
        """Work everything out anew when somebody asks: a person has been erased."""
        self._known.clear()


def _among_people(row: GameRow) -> GameResult | None:
    """A game as a result; ``None`` if not all its players are people who played, or it has no result."""
    people = tuple(one.person for one in row.players if one.person is not None and one.bot is None)
    result = row.result or {}
    if len(people) != len(row.players) or not result.get("places") or not result.get("final"):
        return None
    if not is_rated(result, len(people), row.hands):
        return None
    at = datetime.fromtimestamp((row.ended or 0) / 1000, UTC)
    return GameResult(row.id, "", at, people, tuple(result["final"]), tuple(result["places"]))

"""The standings of an event from what is stored, computed once for each change of its results."""

import asyncio
import dataclasses
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from jantaku.club import ClubEvent, Entrant, GameResult, StagePenalty, standings
from jantaku.server.events.bodies import StandingsBody
from jantaku.server.events.plan import EventPlan, skeleton_of
from jantaku.server.services import Services
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.event_desk import PenaltyRow
from jantaku.server.storage.event_schema import recorded_games
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.recorded_games import RecordedGameRow

KEPT: Final = 64  # events whose standings are kept


class StandingsCache:
    """The standings of the events that were asked for last."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known: OrderedDict[tuple[str, int], asyncio.Task[StandingsBody]] = OrderedDict()

    async def get(self, event: EventRow) -> StandingsBody:
        """The standings of an event; people who ask at the same time share one computation."""
        key = (event.id, event.results)
        if key not in self._known:
            self._known[key] = asyncio.create_task(self._compute(event))
        self._known.move_to_end(key)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        task = self._known[key]
        try:
            return await asyncio.shield(task)
        except Exception:
            self._known.pop(key, None)  # the next one tries again
            raise

    async def _compute(self, event: EventRow) -> StandingsBody:
        services = self._services
        rules = await services.rulesets.find(event.rules, event.fingerprint)
        skeleton = skeleton_of(EventPlan.model_validate_json(event.plan), rules)
        games = await services.recorded.all(event.id, recorded_games.c.status == "confirmed")
        penalties = [one for one in await services.desk.penalties(event.id) if one.cancelled is None]
        entries = await services.entries.all(event.id)
        return await asyncio.to_thread(_standings, skeleton, games[::-1], penalties, entries)


def _standings(
    skeleton: ClubEvent,
    games: Sequence[RecordedGameRow],
    penalties: Sequence[PenaltyRow],
    entries: Sequence[EntryRow],
) -> StandingsBody:
    event = filled_event(skeleton, games, penalties, entries)
    found: dict[str, Any] = {"teams": [], **standings(event).to_dict()}
    names = {one.id: one.name for one in event.players}
    return StandingsBody.model_validate({**found, "names": names})


def filled_event(
    skeleton: ClubEvent,
    games: Sequence[RecordedGameRow],
    penalties: Sequence[PenaltyRow],
    entries: Sequence[EntryRow],
) -> ClubEvent:
    """The event with everybody who plays or has played, and the games that count, oldest first."""
    sitting = {entry for game in games for entry in game.players} | {one.entry for one in penalties}
    players = [one for one in entries if one.status == "playing" or one.id in sitting]
    inside: dict[str, list[PenaltyRow]] = {}
    for one in penalties:
        inside.setdefault(one.game or "", []).append(one)
    return dataclasses.replace(
        skeleton,
        players=tuple(Entrant(one.id, one.name, one.team) for one in players),
        results=tuple(_result(game, inside.get(game.id, ())) for game in games if game.result),
        penalties=tuple(
            StagePenalty(one.stage, one.entry, one.points, one.why) for one in inside.get("", ())
        ),
    )


def _result(game: RecordedGameRow, penalties: Sequence[PenaltyRow]) -> GameResult:
    result: dict[str, Any] = game.result or {}
    final = list(result["final"])
    for one in penalties:
        final[game.players.index(one.entry)] += one.points
    at = None if game.at is None else datetime.fromtimestamp(game.at / 1000, UTC)
    return GameResult(game.id, game.stage, at, game.players, tuple(final), tuple(result["places"]))

"""A recorded game as one person finds it: what has been entered, and what they may do."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from jantaku.club import SettledGame, settle
from jantaku.club.event_file_games import result_of
from jantaku.club.recorded_hands import HandVersion, LiveHand, live_hands, locked_from
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import EventPlan, instant_ms
from jantaku.server.events.common.event_rights import RECORDER, REFEREE, EventRights
from jantaku.server.storage.recorded_games import HandMark, RecordedGameRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms

EXPIRED: Final = "expired"


@dataclass(frozen=True)
class GameTable:
    """A game, the rights of a person, and everything that has been entered."""

    rights: EventRights
    plan: EventPlan
    rules: Ruleset
    row: RecordedGameRow
    versions: Sequence[HandVersion]
    marks: Sequence[HandMark]
    now: int

    @property
    def hands(self) -> list[LiveHand]:
        """The hands as they stand."""
        return live_hands(self.versions)

    @property
    def seat(self) -> int | None:
        """The seat of the person."""
        entry = self.rights.entry
        return self.row.players.index(entry.id) if entry and entry.id in self.row.players else None

    @property
    def status(self) -> str:
        """The status, with ``over`` and ``expired`` for games that are not confirmed."""
        return status_of(self.row, self.plan, self.now)

    @property
    def locked(self) -> int:
        """How many hands only a referee can change."""
        if self.status not in ("playing", "over"):
            return len(self.hands)
        return locked_from(self.hands, self.now, self.plan.correction_min)

    @property
    def records(self) -> bool:
        """Whether the person may enter hands here; who has withdrawn or was refused may not."""
        return self.plays or self.rights.may(RECORDER)

    @property
    def plays(self) -> bool:
        """Whether the person sits here and still plays in the event."""
        return self.seat is not None and self.rights.plays is not None

    def demand_record(self) -> None:
        """Raise ``not_recorder`` unless the person may enter hands here."""
        if not self.records:
            raise ServerError("not_recorder")

    def demand_open(self, why: str) -> None:
        """Raise unless the game may change: after its end only by a referee with a reason."""
        if self.status in ("playing", "over"):
            return
        if self.status == "cancelled" or not self.rights.may(REFEREE):
            raise ServerError("game_closed")
        if not why.strip():
            raise ServerError("why_needed", field="why")

    def demand_revision(self, revision: int | None) -> None:
        """Raise ``game_moved_on`` if somebody decides about another ``revision`` of the game than it has."""
        if revision is not None and revision != self.row.revision:
            raise ServerError("game_moved_on")


def status_of(row: RecordedGameRow, plan: EventPlan, now: int) -> str:
    """The status of a game; one that is not over when its stage closes expires."""
    if row.status != "playing":
        return row.status
    if row.result and row.result["over"]:
        return "over"
    stage = plan.stage(row.stage)
    closes = instant_ms(stage.closes) if stage else None
    return EXPIRED if closes is not None and now >= closes else "playing"


async def table_of(services: Services, rights: EventRights, game: str) -> GameTable:
    """A game of the event; raises ``no_recorded_game`` if there is none."""
    row = await services.recorded.find(rights.event.id, game)
    versions, marks = await services.recorded.history(rights.event.id, game)
    rules = await services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    plan = rights.plan
    known = [version for version in versions if version.revision <= row.revision]
    return GameTable(rights, plan, rules, row, known, marks, now_ms())


async def settled(hands: Sequence[LiveHand], rules: Ruleset) -> SettledGame:
    """Settle hands beside the event loop; raises ``RequestError`` for a hand that cannot be."""
    return await asyncio.to_thread(settle, [hand.hand for hand in hands], rules)


async def settled_result(hands: Sequence[LiveHand], rules: Ruleset) -> dict[str, object]:
    """The stored result of a game with these hands."""
    return result_of(await settled(hands, rules))


async def rounds_of(services: Services, rights: EventRights, stages: Collection[str]) -> dict[str, int]:
    """The round of each game of these stages that belongs to one."""
    staged = [stage.id for stage in rights.plan.stages if stage.kind == "rounds" and stage.id in stages]
    return {
        table.game: row.number
        for stage in staged
        for row in (await services.rounds.of(rights.event.id, stage)).rounds
        for table in row.tables
        if table.game is not None
    }

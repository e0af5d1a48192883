"""Rounds in the database: settings of a stage, its rounds, and who does not play in which."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.storage.event_plan import RoundSettings
from jantaku.server.storage.events import Change
from jantaku.server.storage.schema import event_absences, event_rounds, event_stages
from jantaku.server.storage.store import OverStore

ROUNDS: Final = event_rounds
ABSENCES: Final = event_absences
WRITTEN: Final = ("tables", "byes", "timer")
OF_STAGES: Final = (event_rounds, event_absences, event_stages)


class SeatedTable(NamedTuple):
    """A table of a round: entries by seat, its recorded game, and its extra time in seconds."""

    players: tuple[str, ...]
    game: str | None = None
    extra_s: int = 0


class RoundClock(NamedTuple):
    """The timer of a round: it ran ``elapsed_ms`` before ``started``; it stands still without ``started``."""

    minutes: int = 0
    extra_s: int = 0
    elapsed_ms: int = 0
    started: int | None = None

    def after(self, action: str | None, now: int) -> "RoundClock":
        """The timer after an action at a time."""
        if action == "reset":
            return self._replace(elapsed_ms=0, started=None, extra_s=0)
        if action == "start" and self.started is None:
            return self._replace(started=now)
        if action == "pause" and self.started is not None:
            return self._replace(elapsed_ms=self.elapsed_ms + now - self.started, started=None)
        return self


class RoundRow(NamedTuple):
    """A round of a stage: ``state`` is ``drafted``, ``published``, ``running`` or ``done``."""

    stage: str
    number: int
    state: str
    made_by: str
    seed: int | None
    tables: tuple[SeatedTable, ...]
    byes: tuple[str, ...]
    timer: RoundClock = RoundClock()
    published: int | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The row as it is stored."""
        return self._asdict() | {name: json.dumps(getattr(self, name)) for name in WRITTEN}

    @property
    def seating(self) -> list[list[str]]:
        """Who sits where."""
        return [list(table.players) for table in self.tables]

    @property
    def people(self) -> set[str]:
        """Everybody who sits at a table or has a bye."""
        return {player for table in self.tables for player in table.players} | set(self.byes)

    @property
    def is_open(self) -> bool:
        """Whether the round has not begun."""
        return self.state in ("drafted", "published")


class Absence(NamedTuple):
    """An entry that does not play from the ``first`` round to the ``last``; ``None``: to the end."""

    entry: str
    first: int
    last: int | None

    def covers(self, number: int) -> bool:
        """Whether a round is among them."""
        return self.first <= number and (self.last is None or number <= self.last)


class StageRows(NamedTuple):
    """All that is stored about the rounds of a stage; ``settings`` are the usual ones if nobody set any."""

    settings: RoundSettings
    rounds: list[RoundRow]
    absences: list[Absence]

    def away(self, number: int) -> set[str]:
        """Who does not play in a round."""
        return {absence.entry for absence in self.absences if absence.covers(number)}

    def round(self, number: int) -> RoundRow:
        """A round; raises ``no_round`` if there is none."""
        for row in self.rounds:
            if row.number == number:
                return row
        raise ServerError("no_round", number=number)


class RoundStore(OverStore):
    """Reads rounds."""

    async def seated(self, event: str) -> bool:
        """Whether any round of an event is seated."""
        query = select(ROUNDS.c.number).where(ROUNDS.c.event == event).limit(1)
        return await self._store.first(query) is not None

    async def of(self, event: str, stage: str) -> StageRows:
        """All that is stored about the rounds of a stage."""
        async with self._store.reading() as connection:
            return await stage_rows(connection, event, stage)


async def stage_rows(connection: AsyncConnection, event: str, stage: str) -> StageRows:
    """All that is stored about the rounds of a stage."""
    key = (event_stages.c.event == event) & (event_stages.c.stage == stage)
    settings = (await connection.execute(select(event_stages.c.settings).where(key))).scalar()
    rounds = select(*(ROUNDS.c[name] for name in RoundRow._fields))
    rounds = rounds.where(ROUNDS.c.event == event, ROUNDS.c.stage == stage).order_by(ROUNDS.c.number)
    absences = select(*(ABSENCES.c[name] for name in Absence._fields))
    absences = absences.where(ABSENCES.c.event == event, ABSENCES.c.stage == stage)
    order = absences.order_by(ABSENCES.c.first, ABSENCES.c.entry)
    return StageRows(
        settings or RoundSettings(),
        [_round(row) for row in await connection.execute(rounds)],
        [Absence(*row) for row in await connection.execute(order)],
    )


def _round(row: Any) -> RoundRow:
    tables = (SeatedTable(tuple(players), *rest) for players, *rest in json.loads(row.tables))
    clock = RoundClock(*json.loads(row.timer))
    return RoundRow(*row)._replace(tables=tuple(tables), byes=tuple(json.loads(row.byes)), timer=clock)


async def rows_in(change: Change, stage: str) -> StageRows:
    """What is stored about the rounds of a stage, within a change."""
    return await stage_rows(change.connection, change.event.id, stage)


async def save_settings(change: Change, stage: str, settings: RoundSettings) -> None:
    """Store the settings of a stage."""
    if not await change.set(event_stages, event_stages.c.stage == stage, settings=settings):
        await change.add(event_stages, [{"stage": stage, "settings": settings}])


async def save_rounds(change: Change, rows: Iterable[RoundRow]) -> None:
    """Store rounds in place of those with the same numbers."""
    values = [row.values for row in rows]
    for value in values:
        await change.remove(ROUNDS, ROUNDS.c.stage == value["stage"], ROUNDS.c.number == value["number"])
    await change.add(ROUNDS, values)


async def remove_rounds(change: Change, stage: str, numbers: Sequence[int]) -> None:
    """Remove rounds."""
    await change.remove(ROUNDS, ROUNDS.c.stage == stage, ROUNDS.c.number.in_(numbers))


async def save_absences(change: Change, stage: str, entry: str, absences: Iterable[Absence]) -> None:
    """Store the absences of an entry in place of those it had."""
    await change.remove(ABSENCES, ABSENCES.c.stage == stage, ABSENCES.c.entry == entry)
    key = {"stage": stage, "entry": entry}
    await change.add(ABSENCES, [{**key, **absence._asdict()} for absence in absences])


async def rename_in_rounds(change: Change, entry: str, into: str) -> None:
    """Put an entry in the place of another in all stages, when the two become one.

    Whoever already sits in the rounds of a stage stays what they are there: they become no substitute, and
    no absence of the other entry counts. Raises ``both_seated`` if both are in the same round.
    """
    there = [await change.rows(select(table.c.stage).where(change.of(table))) for table in OF_STAGES]
    for stage in sorted({row.stage for rows in there for row in rows}):
        rows = await rows_in(change, stage)
        sits = any(into in row.people for row in rows.rounds)
        for row in rows.rounds:
            if {entry, into} <= row.people:
                raise ServerError("both_seated", number=row.number)
            tables = [table._replace(players=_renamed(table.players, entry, into)) for table in row.tables]
            after = row._replace(tables=tuple(tables), byes=_renamed(row.byes, entry, into))
            if after != row:
                await save_rounds(change, [after])
        moved = [absence for absence in rows.absences if absence.entry == entry]
        if moved:
            kept = [absence for absence in rows.absences if absence.entry == into]
            await save_absences(change, stage, entry, ())
            await save_absences(change, stage, into, kept if sits else _together(kept + moved))
        await _rename_in_settings(change, stage, rows.settings, (entry, into), stays=sits)


def _together(absences: Sequence[Absence]) -> list[Absence]:
    """One absence for each first round: the one that lasts longest."""
    longest = sorted(absences, key=lambda one: (one.last is None, one.last or 0))
    return list({absence.first: absence for absence in longest}.values())


async def _rename_in_settings(
    change: Change, stage: str, settings: RoundSettings, pair: tuple[str, str], *, stays: bool
) -> None:
    """Name an entry by its new id among the substitutes and the pairs that should not meet."""
    entry, into = pair
    substitutes = [name for name in settings.substitutes if not (stays and name == entry)]
    apart = [_renamed(two, entry, into) for two in settings.apart]
    after = settings.model_copy(
        update={
            "substitutes": list(dict.fromkeys(_renamed(substitutes, entry, into))),
            "apart": [list(two) for two in dict.fromkeys(apart) if len(set(two)) == len(two)],
        }
    )
    if after != settings:
        await save_settings(change, stage, after)
        change.note("rounds", after={"stage": stage})  # a form that was filled before is refused


def _renamed(names: Sequence[str], entry: str, into: str) -> tuple[str, ...]:
    return tuple(into if name == entry else name for name in names)

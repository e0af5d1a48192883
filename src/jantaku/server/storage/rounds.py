"""Rounds in the database: settings of a stage, its rounds, and who does not play in which."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import ForeignKey, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.errors import ServerError
from jantaku.server.storage.base import Id, LongId, Milliseconds, StoredModel, StoredRow, Word, read_rows
from jantaku.server.storage.event_plan import RoundSettings
from jantaku.server.storage.events import Change
from jantaku.server.storage.store import OverStore


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


class StageRow(StoredRow):
    """The settings of a stage, once somebody has changed them."""

    __tablename__ = "event_stages"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    stage: Mapped[LongId] = mapped_column(primary_key=True)
    settings: Mapped[RoundSettings] = mapped_column(StoredModel(RoundSettings))


class RoundRow(StoredRow):
    """A round of a stage: ``state`` is ``drafted``, ``published``, ``running`` or ``done``.

    ``made_by`` is ``plan``, ``rebuild``, ``import`` (without a ``seed``), or how one round was seated.
    """

    __tablename__ = "event_rounds"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    stage: Mapped[LongId] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # from 1
    state: Mapped[Word]
    made_by: Mapped[Word]
    seed: Mapped[int | None]
    tables: Mapped[tuple[SeatedTable, ...]] = mapped_column(StoredModel(tuple[SeatedTable, ...]))
    byes: Mapped[tuple[str, ...]] = mapped_column(StoredModel(tuple[str, ...]))
    timer: Mapped[RoundClock] = mapped_column(StoredModel(RoundClock), default=RoundClock())
    published: Mapped[Milliseconds | None] = mapped_column(default=None)

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


Span = tuple[int, int | None]
"""Rounds from the first to the last; ``None``: to the end."""


def covers(span: Span, number: int) -> bool:
    """Whether a round is among them."""
    first, last = span
    return first <= number and (last is None or number <= last)


class Absence(StoredRow):
    """An entry that does not play from the ``first`` round to the ``last``; ``None``: to the end."""

    __tablename__ = "event_absences"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    stage: Mapped[LongId] = mapped_column(primary_key=True)
    entry: Mapped[LongId] = mapped_column(primary_key=True)
    first: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last: Mapped[int | None]

    @property
    def span(self) -> Span:
        """Its rounds."""
        return self.first, self.last


class StageRows(NamedTuple):
    """All that is stored about the rounds of a stage; ``settings`` are the usual ones if nobody set any."""

    settings: RoundSettings
    rounds: list[RoundRow]
    absences: list[Absence]

    def away(self, number: int) -> set[str]:
        """Who does not play in a round."""
        return {absence.entry for absence in self.absences if covers(absence.span, number)}

    def spans(self, entry: str) -> list[Span]:
        """The rounds in which an entry does not play."""
        return [absence.span for absence in self.absences if absence.entry == entry]

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
        query = select(RoundRow.number).where(RoundRow.event == event).limit(1)
        return await self._store.first(query) is not None

    async def of(self, event: str, stage: str) -> StageRows:
        """All that is stored about the rounds of a stage."""
        async with self._store.reading() as connection:
            return await stage_rows(connection, event, stage)


async def stage_rows(connection: AsyncConnection, event: str, stage: str) -> StageRows:
    """All that is stored about the rounds of a stage."""
    settings = select(StageRow).where(StageRow.event == event, StageRow.stage == stage)
    rounds = select(RoundRow).where(RoundRow.event == event, RoundRow.stage == stage)
    absences = select(Absence).where(Absence.event == event, Absence.stage == stage)
    stored = await read_rows(connection, settings)
    return StageRows(
        stored[0].settings if stored else RoundSettings(),
        await read_rows(connection, rounds.order_by(RoundRow.number)),
        await read_rows(connection, absences.order_by(Absence.first, Absence.entry)),
    )


async def rows_in(change: Change, stage: str) -> StageRows:
    """What is stored about the rounds of a stage, within a change."""
    return await stage_rows(change.connection, change.event.id, stage)


async def save_settings(change: Change, stage: str, settings: RoundSettings) -> None:
    """Store the settings of a stage."""
    if not await change.set(StageRow, StageRow.stage == stage, settings=settings):
        await change.insert([StageRow(change.event.id, stage, settings)])


async def save_rounds(change: Change, rows: Sequence[RoundRow]) -> None:
    """Store rounds in place of those with the same numbers."""
    for row in rows:
        await change.remove(RoundRow, RoundRow.stage == row.stage, RoundRow.number == row.number)
    await change.insert(rows)


async def remove_rounds(change: Change, stage: str, numbers: Sequence[int]) -> None:
    """Remove rounds."""
    await change.remove(RoundRow, RoundRow.stage == stage, RoundRow.number.in_(numbers))


async def save_absences(change: Change, stage: str, entry: str, spans: Iterable[Span]) -> None:
    """Store in which rounds an entry does not play, in place of those it had."""
    await change.remove(Absence, Absence.stage == stage, Absence.entry == entry)
    await change.insert(Absence(change.event.id, stage, entry, *span) for span in spans)


async def rename_in_rounds(change: Change, entry: str, into: str) -> None:
    """Put an entry in the place of another in all stages, when the two become one.

    Whoever already sits in the rounds of a stage stays what they are there: they become no substitute, and
    no absence of the other entry counts. Raises ``both_seated`` if both are in the same round.
    """
    stages = set[str]()
    for column in (RoundRow.stage, Absence.stage, StageRow.stage):
        stages |= {row.stage for row in await change.rows(select(column).where(change.of(column.table)))}
    for stage in sorted(stages):
        rows = await rows_in(change, stage)
        sits = any(into in row.people for row in rows.rounds)
        for row in rows.rounds:
            if {entry, into} <= row.people:
                raise ServerError("both_seated", number=row.number)
            tables = [table._replace(players=_renamed(table.players, entry, into)) for table in row.tables]
            after = replace(row, tables=tuple(tables), byes=_renamed(row.byes, entry, into))
            if after != row:
                await save_rounds(change, [after])
        moved = rows.spans(entry)
        if moved:
            kept = rows.spans(into)
            await save_absences(change, stage, entry, ())
            await save_absences(change, stage, into, kept if sits else _together(kept + moved))
        await _rename_in_settings(change, stage, rows.settings, (entry, into), stays=sits)


def _together(spans: Sequence[Span]) -> list[Span]:
    """One absence for each first round: the one that lasts longest."""
    return list(dict(sorted(spans, key=lambda span: (span[1] is None, span[1] or 0))).items())


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

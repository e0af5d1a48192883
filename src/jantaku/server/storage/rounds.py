"""Stored rounds of stages, their settings, and absences of players."""

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
from jantaku.server.storage.store import Repository


class SeatedTable(NamedTuple):
    """A table of a round: the entries by seat, the recorded game, and extra time in seconds."""

    players: tuple[str, ...]
    game: str | None = None
    extra_s: int = 0


class RoundClock(NamedTuple):
    """The timer of a round. It ran ``elapsed_ms`` before ``started``, and is paused if that is ``None``."""

    minutes: int = 0
    extra_s: int = 0
    elapsed_ms: int = 0
    started: int | None = None

    def after(self, action: str | None, now: int) -> "RoundClock":
        """Return the timer after an action (``reset``, ``start`` or ``pause``) at ``now`` in ms."""
        if action == "reset":
            return self._replace(elapsed_ms=0, started=None, extra_s=0)
        if action == "start" and self.started is None:
            return self._replace(started=now)
        if action == "pause" and self.started is not None:
            return self._replace(elapsed_ms=self.elapsed_ms + now - self.started, started=None)
        return self


class StageRow(StoredRow):
    """The settings of a stage; a stage with default settings has no row."""

    __tablename__ = "event_stages"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    stage: Mapped[LongId] = mapped_column(primary_key=True)
    settings: Mapped[RoundSettings] = mapped_column(StoredModel(RoundSettings))


class RoundRow(StoredRow):
    """A round of a stage; ``state`` is ``drafted``, ``published``, ``running`` or ``done``.

    ``made_by`` is ``plan``, ``rebuild``, ``import`` (without a ``seed``), or the round's seating method.
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
        """The entries by table and seat."""
        return [list(table.players) for table in self.tables]

    @property
    def people(self) -> set[str]:
        """The entries that have a seat or a bye."""
        return {player for table in self.tables for player in table.players} | set(self.byes)

    @property
    def is_open(self) -> bool:
        """Whether the round has not started."""
        return self.state in ("drafted", "published")


Span = tuple[int, int | None]
"""First and last round, both inclusive; ``None`` for an open end."""


def covers(span: Span, number: int) -> bool:
    """Whether a span includes a round."""
    first, last = span
    return first <= number and (last is None or number <= last)


class Absence(StoredRow):
    """The absence of an entry from the ``first`` round to the ``last``, or to the end if that is ``None``."""

    __tablename__ = "event_absences"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    stage: Mapped[LongId] = mapped_column(primary_key=True)
    entry: Mapped[LongId] = mapped_column(primary_key=True)
    first: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last: Mapped[int | None]

    @property
    def span(self) -> Span:
        """The rounds of the absence."""
        return self.first, self.last


class StageRows(NamedTuple):
    """The settings, rounds and absences of a stage; ``settings`` are the defaults if none are stored."""

    settings: RoundSettings
    rounds: list[RoundRow]
    absences: list[Absence]

    def away(self, number: int) -> set[str]:
        """Return the entries that are absent in a round."""
        return {absence.entry for absence in self.absences if covers(absence.span, number)}

    def spans(self, entry: str) -> list[Span]:
        """Return the absences of an entry."""
        return [absence.span for absence in self.absences if absence.entry == entry]

    def round(self, number: int) -> RoundRow:
        """Return a round by number; raises ``ServerError("no_round")`` if there is none."""
        for row in self.rounds:
            if row.number == number:
                return row
        raise ServerError("no_round", number=number)


class RoundStore(Repository):
    """Reads rounds."""

    async def seated(self, event: str) -> bool:
        """Whether an event has any round."""
        query = select(RoundRow.number).where(RoundRow.event == event).limit(1)
        return await self._store.first(query) is not None

    async def of(self, event: str, stage: str) -> StageRows:
        """Return the settings, rounds and absences of a stage."""
        async with self._store.reading() as connection:
            return await stage_rows(connection, event, stage)


async def stage_rows(connection: AsyncConnection, event: str, stage: str) -> StageRows:
    """Return the settings, rounds and absences of a stage."""
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
    """Return the settings, rounds and absences of a stage within a change."""
    return await stage_rows(change.connection, change.event.id, stage)


async def save_settings(change: Change, stage: str, settings: RoundSettings) -> None:
    """Store the settings of a stage."""
    if not await change.set(StageRow, StageRow.stage == stage, settings=settings):
        await change.insert([StageRow(change.event.id, stage, settings)])


async def save_rounds(change: Change, rows: Sequence[RoundRow]) -> None:
    """Store rounds, replacing those with the same numbers."""
    for row in rows:
        await change.remove(RoundRow, RoundRow.stage == row.stage, RoundRow.number == row.number)
    await change.insert(rows)


async def remove_rounds(change: Change, stage: str, numbers: Sequence[int]) -> None:
    """Delete rounds by number."""
    await change.remove(RoundRow, RoundRow.stage == stage, RoundRow.number.in_(numbers))


async def save_absences(change: Change, stage: str, entry: str, spans: Iterable[Span]) -> None:
    """Replace the absences of an entry."""
    await change.remove(Absence, Absence.stage == stage, Absence.entry == entry)
    await change.insert(Absence(change.event.id, stage, entry, *span) for span in spans)


async def replace_in_rounds(change: Change, entry: str, into: str) -> None:
    """Replace an entry by ``into`` in all stages, when the two are merged.

    In a stage where ``into`` is already seated, it keeps its own absences and does not become a substitute.
    Raises ``ServerError("both_seated")`` if both entries are in the same round.
    """
    stages = set[str]()
    for column in (RoundRow.stage, Absence.stage, StageRow.stage):
        stages |= {row.stage for row in await change.rows(select(column).where(change.of(column.table)))}
    for stage in sorted(stages):
        rows = await rows_in(change, stage)
        seated = any(into in row.people for row in rows.rounds)
        for row in rows.rounds:
            if {entry, into} <= row.people:
                raise ServerError("both_seated", number=row.number)
            tables = [table._replace(players=_renamed(table.players, entry, into)) for table in row.tables]
            after = replace(row, tables=tuple(tables), byes=_renamed(row.byes, entry, into))
            if after != row:
                await save_rounds(change, [after])
        moved = rows.spans(entry)
        if moved:
            own = rows.spans(into)
            await save_absences(change, stage, entry, ())
            await save_absences(change, stage, into, own if seated else _merged(own + moved))
        await _rename_in_settings(change, stage, rows.settings, (entry, into), seated=seated)


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Keep the longest span for each first round."""
    return list(dict(sorted(spans, key=lambda span: (span[1] is None, span[1] or 0))).items())


async def _rename_in_settings(
    change: Change, stage: str, settings: RoundSettings, pair: tuple[str, str], *, seated: bool
) -> None:
    """Replace an entry among the substitutes and the pairs to be kept apart."""
    entry, into = pair
    substitutes = [name for name in settings.substitutes if not (seated and name == entry)]
    apart = [_renamed(two, entry, into) for two in settings.apart]
    after = settings.model_copy(
        update={
            "substitutes": list(dict.fromkeys(_renamed(substitutes, entry, into))),
            "apart": [list(two) for two in dict.fromkeys(apart) if len(set(two)) == len(two)],
        }
    )
    if after != settings:
        await save_settings(change, stage, after)
        change.note("rounds", after={"stage": stage})  # so that forms opened before are refused


def _renamed(names: Sequence[str], entry: str, into: str) -> tuple[str, ...]:
    return tuple(into if name == entry else name for name in names)

"""Webhooks in the database: where an event's news go, and every delivery until it has arrived."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ForeignKey, String, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.processes.links import Links
from jantaku.server.storage.base import Array, Id, Milliseconds, Name, SmallNumber, StoredRow, Word, read_rows
from jantaku.server.storage.events import AuditRow
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rounds import RoundRow
from jantaku.server.storage.store import AnyRow, Store, now_ms
from jantaku.terms import Language

MOST_KEPT: Final = 200  # deliveries of an event, the newest
FIRST: Final = "first"  # the id of a webhook where an event has one


class Webhook(StoredRow):
    """Where news of an event go. The address may be a secret, too, so neither is ever printed.

    ``format`` is whose messages they are, ``language`` that of the texts.
    """

    __tablename__ = "event_webhooks"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    id: Mapped[Id] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(repr=False)
    secret: Mapped[Name] = mapped_column(repr=False)  # signs what is sent, so it cannot be kept as a hash
    kinds: Mapped[Array]  # of news: seating, start, result, standings, correction, penalty, call
    created: Mapped[Milliseconds]
    format: Mapped[Word] = mapped_column(default="jantaku")
    language: Mapped[Language] = mapped_column(String(2), default="en")


class Delivery(StoredRow):
    """One piece of news: ``due`` is when it is sent next, ``None`` when it has arrived or was given up."""

    __tablename__ = "event_deliveries"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[Word]
    body: Mapped[str]  # JSON as it is sent
    at: Mapped[Milliseconds]
    tries: Mapped[SmallNumber] = mapped_column(default=0)
    due: Mapped[Milliseconds | None] = mapped_column(index=True, default=None)
    done: Mapped[Milliseconds | None] = mapped_column(default=None)  # when it arrived
    status: Mapped[int | None] = mapped_column(default=None)  # the HTTP status of the last answer
    error: Mapped[str] = mapped_column(String(24), default="")  # why it did not arrive
    webhook: Mapped[Id] = mapped_column(default=FIRST)


class WebhookStore:
    """Reads webhooks and deliveries, and notes what became of them."""

    def __init__(self, store: Store, links: Links) -> None:
        self._store = store
        self.any = AnyRow(store, links, Webhook)

    async def of(self, event: str) -> list[Webhook]:
        """The webhooks of an event, the oldest first."""
        async with self._store.reading() as connection:
            return await webhooks_of(connection, event)

    async def find(self, event: str, webhook: str) -> Webhook | None:
        """A webhook of an event."""
        return next((row for row in await self.of(event) if row.id == webhook), None)

    async def deliveries(self, event: str, most: int) -> list[Delivery]:
        """The newest deliveries of an event."""
        query = select(Delivery).where(Delivery.event == event)
        return await self._store.all(query.order_by(Delivery.number.desc()).limit(most))

    async def due(self, most: int, busy: Collection[str] = ()) -> tuple[list[Delivery], int | None]:
        """Deliveries that are due now, one for each event, and when the next of all is due.

        Events that are ``busy`` are left out. Those that have waited longest come first.
        """
        now = now_ms()
        first = select(Delivery.event, func.min(Delivery.number).label("number"))
        first = first.where(Delivery.due <= now, Delivery.event.not_in(busy)).group_by(Delivery.event)
        first = first.order_by(func.min(Delivery.due)).limit(most)
        later = select(func.min(Delivery.due)).where(Delivery.due > now)
        async with self._store.reading() as connection:
            keys = list(await connection.execute(first))
            due = []
            for event, number in keys:
                query = select(Delivery).where(Delivery.event == event, Delivery.number == number)
                due += await read_rows(connection, query)
            return due, (await connection.execute(later)).scalar()

    async def note(self, delivery: Delivery, **values: Any) -> None:
        """Store what became of a delivery."""
        mine = (Delivery.event == delivery.event) & (Delivery.number == delivery.number)
        await self._store.write(update(Delivery).where(mine).values(**values))


async def webhooks_of(connection: AsyncConnection, event: str) -> list[Webhook]:
    """The webhooks of an event, the oldest first."""
    query = select(Webhook).where(Webhook.event == event).order_by(Webhook.created, Webhook.id)
    return await read_rows(connection, query)


async def add_webhook(connection: AsyncConnection, webhook: Webhook) -> None:
    """Store a new webhook."""
    await connection.execute(insert(Webhook).values(webhook.values()))


async def delete_webhook(connection: AsyncConnection, event: str, webhook: str) -> bool:
    """Delete a webhook with its deliveries; returns whether there was one."""
    mine = (Webhook.event == event) & (Webhook.id == webhook)
    gone = await connection.execute(delete(Webhook).where(mine))
    await connection.execute(delete(Delivery).where(Delivery.event == event, Delivery.webhook == webhook))
    return bool(gone.rowcount)


async def queue(
    connection: AsyncConnection, webhook: Webhook, news: Sequence[tuple[str, Mapping[str, Any]]]
) -> None:
    """Queue news, each with its kind; the oldest deliveries of the event beyond the newest ones go."""
    if not news:
        return
    mine = Delivery.event == webhook.event
    last = int((await connection.execute(select(func.max(Delivery.number)).where(mine))).scalar() or 0)
    now = now_ms()
    texts = [(kind, json.dumps({"kind": kind, **body}, ensure_ascii=False)) for kind, body in news]
    rows = [
        Delivery(webhook.event, number, kind, text, now, due=now, webhook=webhook.id)
        for number, (kind, text) in enumerate(texts, last + 1)
    ]
    await connection.execute(insert(Delivery), [row.values() for row in rows])
    old = Delivery.number <= last + len(rows) - MOST_KEPT
    await connection.execute(delete(Delivery).where(mine, old))


NEWS: Final = {
    "seating_published": "seating",
    "reseat": "seating",
    "round_start": "start",
    "round_end": "standings",
    "round_taken_back": "start",
    "log": "result",
    "hand": "correction",
    "game_status": "correction",
    "penalty": "penalty",
    "penalty_cancelled": "penalty",
    "call": "call",
    "dispute": "call",
}  # what is told of the actions in the log that are always of one kind
TOLD: Final = (
    "seating",
    "start",
    "penalty",
    "call",
    "standings",
)  # with their content; results may be hidden
OVER: Final = ("confirmed", "cancelled")


async def queue_news(connection: AsyncConnection, notes: Sequence[AuditRow]) -> None:
    """Queue what webhooks are told of these notes of the log, in the transaction that writes them."""
    if any(note.action == "round_taken_back" for note in notes):  # its games were empty: nothing is corrected
        notes = [note for note in notes if note.action != "game_status"]
    news = [(kind, note) for note in notes if (kind := _kind(note)) is not None]
    webhooks = await webhooks_of(connection, news[0][1].event) if news else []
    if not webhooks:
        return
    messages = [(kind, _body(kind, note)) for kind, note in news]
    for kind, note in news:
        over = await _round_over(connection, note) if kind == "result" else None
        if over:
            messages.append(("standings", _body("standings", note) | {"after": over}))
    for webhook in webhooks:
        await queue(connection, webhook, [(kind, body) for kind, body in messages if kind in webhook.kinds])


def _kind(note: AuditRow) -> str | None:
    """The kind of news that a note is, if it is any."""
    match note.action:
        case "hand" if note.before is None:  # it corrects nothing
            return None
        case "points":
            return "correction" if note.before["status"] == "confirmed" else "result"
        case "confirm":
            return "result" if note.after["confirmed"] else None
        case "online":
            return "result" if note.after["counts"] else None
        case "game":
            return "result" if note.after.get("scores") else None
    return NEWS.get(note.action)


def _body(kind: str, note: AuditRow) -> dict[str, Any]:
    names = ("event", "revision", "action", "game", "entry", "why")
    return {name: getattr(note, name) for name in names} | {"after": note.after if kind in TOLD else None}


async def _round_over(connection: AsyncConnection, note: AuditRow) -> dict[str, Any] | None:
    """The round of a note's game if it was the last one in it, with its stage."""
    event, game = note.event, note.game
    games = RecordedGameRow
    stage = select(games.stage).where(games.event == event, games.id == game).scalar_subquery()
    running = (RoundRow.event == event) & (RoundRow.stage == stage) & (RoundRow.state == "running")
    for row in await read_rows(connection, select(RoundRow).where(running)):
        played = [table.game for table in row.tables]
        if game not in played:
            continue
        over = select(func.count()).where(
            games.event == event, games.id.in_([game for game in played if game]), games.status.in_(OVER)
        )
        if (await connection.execute(over)).scalar_one() == len(played):
            return {"stage": row.stage, "round": row.number}
    return None

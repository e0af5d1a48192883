"""Stored webhooks of events and their queued deliveries."""

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
from jantaku.server.storage.store import RowPresence, Store, now_ms
from jantaku.terms import Language

MAX_DELIVERIES: Final = 200  # deliveries stored per event; older ones are deleted
FIRST: Final = "first"  # id of an event's only webhook


class Webhook(StoredRow):
    """A webhook of an event. The URL may contain a secret, so it is never printed, like ``secret``.

    ``format`` is the service whose message format is used, and ``language`` the language of its texts.
    """

    __tablename__ = "event_webhooks"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    id: Mapped[Id] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(repr=False)
    secret: Mapped[Name] = mapped_column(repr=False)  # signs deliveries, so it cannot be stored as a hash
    kinds: Mapped[Array]  # subscribed news: seating, start, result, standings, correction, penalty, call
    created: Mapped[Milliseconds]
    format: Mapped[Word] = mapped_column(default="jantaku")
    language: Mapped[Language] = mapped_column(String(2), default="en")


class Delivery(StoredRow):
    """A delivery of one message; ``due`` is the next attempt, ``None`` after success or the last attempt."""

    __tablename__ = "event_deliveries"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[Word]
    body: Mapped[str]  # JSON, as sent
    at: Mapped[Milliseconds]
    tries: Mapped[SmallNumber] = mapped_column(default=0)
    due: Mapped[Milliseconds | None] = mapped_column(index=True, default=None)
    done: Mapped[Milliseconds | None] = mapped_column(default=None)  # time of success
    status: Mapped[int | None] = mapped_column(default=None)  # HTTP status of the last response
    error: Mapped[str] = mapped_column(String(24), default="")  # code of the last failure
    webhook: Mapped[Id] = mapped_column(default=FIRST)


class WebhookStore:
    """Reads webhooks and deliveries, and stores the outcome of deliveries."""

    def __init__(self, store: Store, links: Links) -> None:
        self._store = store
        self.presence = RowPresence(store, links, Webhook)

    async def of(self, event: str) -> list[Webhook]:
        """Return the webhooks of an event, oldest first."""
        async with self._store.reading() as connection:
            return await webhooks_of(connection, event)

    async def find(self, event: str, webhook: str) -> Webhook | None:
        """Return a webhook of an event by id, if any."""
        return next((row for row in await self.of(event) if row.id == webhook), None)

    async def deliveries(self, event: str, limit: int) -> list[Delivery]:
        """Return the deliveries of an event, newest first."""
        query = select(Delivery).where(Delivery.event == event)
        return await self._store.all(query.order_by(Delivery.number.desc()).limit(limit))

    async def due(self, limit: int, busy: Collection[str] = ()) -> tuple[list[Delivery], int | None]:
        """Return due deliveries, one per event, and the time (ms) at which the next one becomes due.

        Longest waiting events come first; events in ``busy`` are left out.
        """
        now = now_ms()
        first = select(Delivery.event, func.min(Delivery.number).label("number"))
        first = first.where(Delivery.due <= now, Delivery.event.not_in(busy)).group_by(Delivery.event)
        first = first.order_by(func.min(Delivery.due)).limit(limit)
        later = select(func.min(Delivery.due)).where(Delivery.due > now)
        async with self._store.reading() as connection:
            keys = list(await connection.execute(first))
            due = []
            for event, number in keys:
                query = select(Delivery).where(Delivery.event == event, Delivery.number == number)
                due += await read_rows(connection, query)
            return due, (await connection.execute(later)).scalar()

    async def update(self, delivery: Delivery, **values: Any) -> None:
        """Update columns of a delivery after an attempt."""
        mine = (Delivery.event == delivery.event) & (Delivery.number == delivery.number)
        await self._store.write(update(Delivery).where(mine).values(**values))


async def webhooks_of(connection: AsyncConnection, event: str) -> list[Webhook]:
    """Return the webhooks of an event, oldest first."""
    query = select(Webhook).where(Webhook.event == event).order_by(Webhook.created, Webhook.id)
    return await read_rows(connection, query)


async def add_webhook(connection: AsyncConnection, webhook: Webhook) -> None:
    """Store a new webhook."""
    await connection.execute(insert(Webhook).values(webhook.values()))


async def delete_webhook(connection: AsyncConnection, event: str, webhook: str) -> bool:
    """Delete a webhook with its deliveries; return whether it existed."""
    mine = (Webhook.event == event) & (Webhook.id == webhook)
    deleted = await connection.execute(delete(Webhook).where(mine))
    await connection.execute(delete(Delivery).where(Delivery.event == event, Delivery.webhook == webhook))
    return bool(deleted.rowcount)


async def queue(
    connection: AsyncConnection, webhook: Webhook, news: Sequence[tuple[str, Mapping[str, Any]]]
) -> None:
    """Queue news, given as pairs of kind and body; delete surplus deliveries of the event."""
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
    old = Delivery.number <= last + len(rows) - MAX_DELIVERIES
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
}  # kind of news by action in the change log, where an action has only one
WITH_CONTENT: Final = (
    "seating",
    "start",
    "penalty",
    "call",
    "standings",
)  # kinds sent with their content; results may be hidden
OVER: Final = ("confirmed", "cancelled")


async def queue_news(connection: AsyncConnection, notes: Sequence[AuditRow]) -> None:
    """Queue the news of these log entries, in the transaction that writes them."""
    if any(note.action == "round_taken_back" for note in notes):  # its games were empty: not a correction
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
    """Return which kind of news a log entry is, or ``None`` if it is not news."""
    match note.action:
        case "hand" if note.before is None:  # a new hand, not a correction
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
    return {name: getattr(note, name) for name in names} | {
        "after": note.after if kind in WITH_CONTENT else None
    }


async def _round_over(connection: AsyncConnection, note: AuditRow) -> dict[str, Any] | None:
    """Return the stage and round of a game if it was the last game of the round to end."""
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

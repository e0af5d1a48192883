"""Webhooks in the database: where an event's news go, and every delivery until it has arrived."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.store import Store, now_ms
from jantaku.server.storage.webhook_schema import event_deliveries, event_webhooks

HOOKS: Final = event_webhooks.c
SENT: Final = event_deliveries.c
MOST_KEPT: Final = 200  # deliveries of an event, the newest
NEWS: Final = {
    "seating_published": "seating",
    "reseat": "seating",
    "round_start": "start",
    "hand": "correction",
    "points": "correction",
    "game_status": "correction",
    "penalty": "penalty",
    "penalty_cancelled": "penalty",
}  # what is told of the actions in the log
TOLD: Final = ("seating", "start", "penalty")  # with their content; corrections might tell hidden results


@dataclass(frozen=True)
class Webhook:
    """Where the news of an event go. The address may be a secret, too, so neither is ever printed."""

    event: str
    url: str = field(repr=False)
    secret: str = field(repr=False)
    kinds: tuple[str, ...]
    created: int


class Delivery(NamedTuple):
    """One piece of news: ``due`` is when it is sent next, ``None`` when it has arrived or was given up.

    ``status`` is the receiver's last answer; ``error`` the code of why it did not arrive.
    """

    event: str
    number: int
    kind: str
    body: str
    at: int
    tries: int = 0
    due: int | None = None
    done: int | None = None
    status: int | None = None
    error: str = ""


class WebhookStore:
    """Reads webhooks and deliveries, and notes what became of them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, event: str) -> Webhook | None:
        """The webhook of an event."""
        async with self._store.reading() as connection:
            return await webhook_of(connection, event)

    async def deliveries(self, event: str, most: int) -> list[Delivery]:
        """The newest deliveries of an event."""
        query = select(event_deliveries).where(SENT.event == event).order_by(SENT.number.desc()).limit(most)
        async with self._store.reading() as connection:
            return [Delivery(*row) for row in await connection.execute(query)]

    async def due(self, most: int, busy: Collection[str] = ()) -> tuple[list[Delivery], int | None]:
        """Deliveries that are due now, one for each event, and when the next of all is due.

        Events that are ``busy`` are left out. Those that have waited longest come first.
        """
        now = now_ms()
        first = select(SENT.event, func.min(SENT.number).label("number"))
        first = first.where(SENT.due <= now, SENT.event.not_in(busy)).group_by(SENT.event)
        first = first.order_by(func.min(SENT.due)).limit(most)
        later = select(func.min(SENT.due)).where(SENT.due > now)
        async with self._store.reading() as connection:
            keys = list(await connection.execute(first))
            found = []
            for event, number in keys:
                query = select(event_deliveries).where(SENT.event == event, SENT.number == number)
                found += [Delivery(*row) for row in await connection.execute(query)]
            return found, (await connection.execute(later)).scalar()

    async def note(self, delivery: Delivery, **values: Any) -> None:
        """Store what became of a delivery."""
        mine = (SENT.event == delivery.event) & (SENT.number == delivery.number)
        async with self._store.writing() as connection:
            await connection.execute(update(event_deliveries).where(mine).values(**values))


async def webhook_of(connection: AsyncConnection, event: str) -> Webhook | None:
    """The webhook of an event."""
    row = (await connection.execute(select(event_webhooks).where(HOOKS.event == event))).first()
    return (
        None
        if row is None
        else Webhook(row.event, row.url, row.secret, tuple(json.loads(row.kinds)), row.created)
    )


async def save_webhook(connection: AsyncConnection, event: str, webhook: Webhook | None) -> None:
    """Store the webhook of an event in place of another; without one its deliveries go, too."""
    await connection.execute(delete(event_webhooks).where(HOOKS.event == event))
    if webhook is None:
        await connection.execute(delete(event_deliveries).where(SENT.event == event))
        return
    values = {"event": event, "url": webhook.url, "secret": webhook.secret, "created": webhook.created}
    await connection.execute(insert(event_webhooks).values(**values, kinds=json.dumps(webhook.kinds)))


async def queue_news(
    connection: AsyncConnection, event: str, revision: int, notes: Sequence[Mapping[str, Any]]
) -> None:
    """Queue what a webhook is told of these notes of the log, in the transaction that writes them."""
    news = [(kind, note) for note in notes if (kind := _kind(note)) is not None]
    if not news:
        return
    webhook = await webhook_of(connection, event)
    wanted = [] if webhook is None else [(kind, note) for kind, note in news if kind in webhook.kinds]
    await queue(connection, event, [(kind, _body(event, revision, kind, note)) for kind, note in wanted])


def _kind(note: Mapping[str, Any]) -> str | None:
    """The kind of news that a note is; a hand that is added corrects nothing."""
    if note["action"] == "hand" and note["before"] is None:
        return None
    return NEWS.get(note["action"])


def _body(event: str, revision: int, kind: str, note: Mapping[str, Any]) -> dict[str, Any]:
    after = json.loads(note["after"]) if note["after"] and kind in TOLD else None
    names = ("action", "game", "entry", "why")
    return {"event": event, "revision": revision, **{name: note[name] for name in names}, "after": after}


async def queue(
    connection: AsyncConnection, event: str, news: Sequence[tuple[str, Mapping[str, Any]]]
) -> None:
    """Queue news of an event, each with its kind; the oldest deliveries beyond the newest ones go."""
    if not news:
        return
    last = int(
        (await connection.execute(select(func.max(SENT.number)).where(SENT.event == event))).scalar() or 0
    )
    now = now_ms()
    rows = [
        Delivery(event, number, kind, json.dumps({"kind": kind, **body}, ensure_ascii=False), now, due=now)
        for number, (kind, body) in enumerate(news, last + 1)
    ]
    await connection.execute(insert(event_deliveries), [row._asdict() for row in rows])
    old = SENT.number <= last + len(rows) - MOST_KEPT
    await connection.execute(delete(event_deliveries).where(SENT.event == event, old))

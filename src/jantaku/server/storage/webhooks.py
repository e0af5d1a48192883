"""Webhooks in the database: where an event's news go, and every delivery until it has arrived."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.processes.links import Links
from jantaku.server.storage.store import AnyRow, Store, now_ms
from jantaku.server.storage.webhook_schema import FIRST, event_deliveries, event_webhooks
from jantaku.terms import Language

HOOKS: Final = event_webhooks.c
SENT: Final = event_deliveries.c
MOST_KEPT: Final = 200  # deliveries of an event, the newest


@dataclass(frozen=True)
class Webhook:
    """Where news of an event go. The address may be a secret, too, so neither is ever printed.

    ``format`` is whose messages they are, ``language`` that of the texts; ``chat`` is where they go if the
    address does not say it.
    """

    event: str
    id: str
    url: str = field(repr=False)
    secret: str = field(repr=False)
    kinds: tuple[str, ...]
    created: int
    format: str = "jantaku"
    language: Language = "en"
    chat: str = field(default="", repr=False)


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
    webhook: str = FIRST


class WebhookStore:
    """Reads webhooks and deliveries, and notes what became of them."""

    def __init__(self, store: Store, links: Links) -> None:
        self._store = store
        self.any = AnyRow(store, links, event_webhooks)

    async def of(self, event: str) -> list[Webhook]:
        """The webhooks of an event, the oldest first."""
        async with self._store.reading() as connection:
            return await webhooks_of(connection, event)

    async def find(self, event: str, webhook: str) -> Webhook | None:
        """A webhook of an event."""
        return next((row for row in await self.of(event) if row.id == webhook), None)

    async def deliveries(self, event: str, most: int) -> list[Delivery]:
        """The newest deliveries of an event."""
        query = select(event_deliveries).where(SENT.event == event).order_by(SENT.number.desc()).limit(most)
        return [Delivery(*row) for row in await self._store.rows(query)]

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
            due = []
            for event, number in keys:
                query = select(event_deliveries).where(SENT.event == event, SENT.number == number)
                due += [Delivery(*row) for row in await connection.execute(query)]
            return due, (await connection.execute(later)).scalar()

    async def note(self, delivery: Delivery, **values: Any) -> None:
        """Store what became of a delivery."""
        mine = (SENT.event == delivery.event) & (SENT.number == delivery.number)
        await self._store.write(update(event_deliveries).where(mine).values(**values))


async def webhooks_of(connection: AsyncConnection, event: str) -> list[Webhook]:
    """The webhooks of an event, the oldest first."""
    query = select(event_webhooks).where(HOOKS.event == event).order_by(HOOKS.created, HOOKS.id)
    rows = [dict(row) for row in (await connection.execute(query)).mappings()]
    return [Webhook(**{**row, "kinds": tuple(json.loads(row["kinds"]))}) for row in rows]


async def add_webhook(connection: AsyncConnection, webhook: Webhook) -> None:
    """Store a new webhook."""
    values = {name: getattr(webhook, name) for name in Webhook.__dataclass_fields__}
    await connection.execute(insert(event_webhooks).values(values | {"kinds": json.dumps(webhook.kinds)}))


async def delete_webhook(connection: AsyncConnection, event: str, webhook: str) -> bool:
    """Delete a webhook with its deliveries; returns whether there was one."""
    mine = (HOOKS.event == event) & (HOOKS.id == webhook)
    gone = await connection.execute(delete(event_webhooks).where(mine))
    await connection.execute(delete(event_deliveries).where(SENT.event == event, SENT.webhook == webhook))
    return bool(gone.rowcount)


async def queue(
    connection: AsyncConnection, webhook: Webhook, news: Sequence[tuple[str, Mapping[str, Any]]]
) -> None:
    """Queue news, each with its kind; the oldest deliveries of the event beyond the newest ones go."""
    if not news:
        return
    mine = SENT.event == webhook.event
    last = int((await connection.execute(select(func.max(SENT.number)).where(mine))).scalar() or 0)
    now = now_ms()
    texts = [(kind, json.dumps({"kind": kind, **body}, ensure_ascii=False)) for kind, body in news]
    rows = [
        Delivery(webhook.event, number, kind, text, now, due=now, webhook=webhook.id)
        for number, (kind, text) in enumerate(texts, last + 1)
    ]
    await connection.execute(insert(event_deliveries), [row._asdict() for row in rows])
    old = SENT.number <= last + len(rows) - MOST_KEPT
    await connection.execute(delete(event_deliveries).where(mine, old))

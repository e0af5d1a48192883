"""Webhooks: news of an event, sent to other servers and chats."""

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from contextlib import suppress
from typing import Annotated, Final, Literal, get_args

import httpx
from fastapi import Depends, Path
from pydantic import Field

from jantaku.server.edge.bodies import iso, router_of
from jantaku.server.edge.outgoing import MAX_URL, OutgoingError, checked_url, send
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, changing
from jantaku.server.events.common.event_context import UserEventContext
from jantaku.server.events.notices.chat_news import ChatFormat, chat_body, chat_message
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.people.auth_dependencies import deduplicate, limit_changes
from jantaku.server.settings import WEBHOOKS_OF_EVENT
from jantaku.server.storage.people import new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.webhooks import Delivery, Webhook, add_webhook, delete_webhook, queue, webhooks_of
from jantaku.server.tasks import Background, Backoffs
from jantaku.terms import Language
from jantaku.wire import Wire

NewsKind = Literal["seating", "start", "result", "standings", "correction", "penalty", "call"]


class AddWebhook(Wire):
    """A webhook to add: its address, message format, language and kinds of news."""

    url: Annotated[str, Field(min_length=1, max_length=MAX_URL)]
    kinds: Annotated[list[NewsKind], Field(min_length=1, max_length=len(get_args(NewsKind)))]
    format: ChatFormat = "jantaku"
    language: Language = "en"


class SendNow(Wire):
    """A message to send immediately: a test, or the standings."""

    kind: Literal["test", "standings"]


class DeliveryInfo(Wire):
    """A delivery; ``error`` is a code for the last failure, ``next`` the time of the next attempt."""

    number: int
    webhook: str
    kind: str
    at: str
    state: Literal["waiting", "arrived", "failed"]
    tries: int
    status: int | None
    error: str
    next: str | None


class WebhookInfo(Wire):
    """A webhook; only the ``host`` of its address is returned, as the rest may be secret."""

    id: str
    host: str
    format: ChatFormat
    language: Language
    kinds: list[NewsKind]


class WebhookList(Wire):
    """Webhooks of an event and its latest deliveries."""

    webhooks: list[WebhookInfo]
    deliveries: list[DeliveryInfo]


class WebhookMade(WebhookList):
    """The webhooks after adding one; ``secret`` signs its requests in Jantaku's own format."""

    secret: str


router = router_of("/api/events/{event}/webhooks", "events")
MAX_SHOWN: Final = 50
WebhookId = Annotated[str, Path(max_length=16)]


async def _webhook_list(services: Services, event: str) -> WebhookList:
    webhooks = await services.webhooks.of(event)
    rows = await services.webhooks.deliveries(event, MAX_SHOWN)
    return WebhookList(webhooks=list(map(_webhook, webhooks)), deliveries=list(map(_delivery, rows)))


def _webhook(webhook: Webhook) -> WebhookInfo:
    return WebhookInfo.of(webhook, host=httpx.URL(webhook.url).host)


def _delivery(row: Delivery) -> DeliveryInfo:
    return DeliveryInfo.of(
        row,
        at=iso(row.at) or "",
        state="waiting" if row.due is not None else "arrived" if row.done is not None else "failed",
        next=iso(row.due),
    )


@router.get("")
async def every(context: UserEventContext) -> WebhookList:
    """List the webhooks and their latest deliveries, for organisers."""
    rights = await context.rights(ORGANISER)
    return await _webhook_list(context.services, rights.event.id)


@router.post("", dependencies=[Depends(deduplicate)])
async def add(context: UserEventContext, body: AddWebhook) -> WebhookMade:
    """Add a webhook, for organisers; only this response contains its secret."""
    rights = await context.rights(ORGANISER)
    try:
        url = checked_url(body.url, context.services.settings.webhook_hosts)
    except OutgoingError as error:
        raise ServerError(f"webhook_{error.code}", field="url") from error
    kinds: list[str] = list(dict.fromkeys(body.kinds))
    async with changing(context.services, rights) as change:
        if len(await webhooks_of(change.connection, rights.event.id)) >= WEBHOOKS_OF_EVENT:
            raise ServerError("too_many_webhooks", most=WEBHOOKS_OF_EVENT)
        key = (rights.event.id, new_id(), str(url), secrets.token_urlsafe(32), kinds, change.at)
        webhook = Webhook(*key, body.format, body.language)
        await add_webhook(change.connection, webhook)
        change.note("webhook", after={"host": url.host, "format": body.format, "kinds": kinds})
    context.services.webhooks.presence.announce_added()
    added = await _webhook_list(context.services, rights.event.id)
    return WebhookMade(**added.model_dump(), secret=webhook.secret if body.format == "jantaku" else "")


@router.delete("/{webhook}")
async def remove(context: UserEventContext, webhook: WebhookId) -> WebhookList:
    """Remove a webhook and its deliveries, for organisers."""
    rights = await context.rights(ORGANISER)
    async with changing(context.services, rights) as change:
        if not await delete_webhook(change.connection, rights.event.id, webhook):
            raise ServerError("no_webhook")
        change.note("webhook", after={"host": None})
    return await _webhook_list(context.services, rights.event.id)


@router.post("/{webhook}/send", dependencies=[Depends(deduplicate), Depends(limit_changes)])
async def send_now(context: UserEventContext, webhook: WebhookId, body: SendNow) -> WebhookList:
    """Send a test message or the current standings, for organisers."""
    rights = await context.rights(ORGANISER)
    hook = await context.services.webhooks.find(rights.event.id, webhook)
    if hook is None:
        raise ServerError("no_webhook")
    async with changing(context.services, rights) as change:
        news = {"event": rights.event.id, "revision": change.event.revision}
        await queue(change.connection, hook, [(body.kind, news)])
        change.note("webhook", after={"sent": body.kind})
    return await _webhook_list(context.services, rights.event.id)


FAILURE: Final = "sending webhooks"
WAITS_S: Final = (5, 30, 120, 600, 3600, 21_600)  # before each retry
AT_ONCE: Final = 64  # events; deliveries of one event are sent one by one
LONGEST_S: Final = 3600.0
ALL: Final = "of all events"
AFTER_A_FAULT_S: Final = 30.0


def signature(secret: str, at_s: int, body: bytes) -> str:
    """Sign a body: the time in seconds, and the HMAC-SHA256 of ``{time}.{body}`` with the secret."""
    signed = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at_s},v1={signed}"


class WebhookSender(Background):
    """Sends the queued deliveries of a server; only one may run at a time.

    The queue is in the database, so a restart loses nothing. A slow receiver delays only its own event.
    """

    def __init__(self, services: Services, standings: StandingsCache) -> None:
        self._services = services
        self._standings = standings
        self._news = asyncio.Event()
        self._busy: set[str] = set()  # events with a delivery being sent
        self._backoffs = Backoffs(AFTER_A_FAULT_S)
        self._waits_s = services.settings.webhook_waits_s or WAITS_S
        services.events.changed.append(lambda _event, _revision: self.wake())

    def wake(self) -> None:
        """Check for due deliveries without waiting."""
        self._news.set()

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as couriers:
            while True:
                self._news.clear()
                wait_s = AFTER_A_FAULT_S
                try:
                    wait_s = await self._send_due(couriers)
                    self._backoffs.worked(ALL)
                except Exception as error:
                    self._backoffs.failed(ALL, FAILURE, error)
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait_s):
                        await self._news.wait()

    async def _send_due(self, couriers: asyncio.TaskGroup) -> float:
        """Start sending due deliveries; return the seconds until the next one is due.

        Every finished delivery wakes the sender, which then finds the deliveries beyond ``AT_ONCE``.
        """
        room = AT_ONCE - len(self._busy)
        if room <= 0 or not await self._services.webhooks.presence.exists():
            return LONGEST_S
        due, later = await self._services.webhooks.due(room, self._busy)
        for delivery in due:
            self._busy.add(delivery.event)
            couriers.create_task(self._send(delivery))
        return LONGEST_S if later is None else min(LONGEST_S, max(0.0, (later - now_ms()) / 1000))

    async def _send(self, delivery: Delivery) -> None:
        try:
            await self._deliver(delivery)
            self._backoffs.worked(delivery.event)
        except Exception as error:  # a fault of this server; later deliveries of the event wait
            await self._set_back(delivery, error)
        self._busy.discard(delivery.event)
        self._news.set()

    async def _set_back(self, delivery: Delivery, error: Exception) -> None:
        """Delay the retry of a delivery, or give up after the usual number of attempts."""
        self._backoffs.failed(delivery.event, FAILURE, error)
        backoff = self._backoffs.known[delivery.event]
        await asyncio.sleep(backoff.due - time.monotonic())
        if backoff.times >= len(self._waits_s):
            with suppress(ServerError):  # if this fails, the delivery is retried
                await self._services.webhooks.update(delivery, due=None, error="failed")
                self._backoffs.worked(delivery.event)

    async def _deliver(self, delivery: Delivery) -> None:
        webhook = await self._services.webhooks.find(delivery.event, delivery.webhook)
        if webhook is None:
            await self._services.webhooks.update(delivery, due=None, error="removed")
            return
        status, error = await self._try(webhook, delivery)
        tries, waits = delivery.tries + 1, self._waits_s
        values = {"tries": tries, "status": status, "error": error}
        if not error:
            await self._services.webhooks.update(delivery, **values, due=None, done=now_ms())
        elif tries > len(waits):
            await self._services.webhooks.update(delivery, **values, due=None)
        else:
            due = now_ms() + round(waits[tries - 1] * 1000)
            await self._services.webhooks.update(delivery, **values, due=due)

    async def _try(self, webhook: Webhook, delivery: Delivery) -> tuple[int | None, str]:
        """Send a delivery; return the HTTP status and an error code, empty on success."""
        body, headers = await self._request(webhook, delivery)
        try:
            status = await send(webhook.url, body, headers, self._services.settings.webhook_hosts)
        except OutgoingError as error:
            return None, error.code
        return status, "" if 200 <= status < 300 else "refused"

    async def _request(self, webhook: Webhook, delivery: Delivery) -> tuple[bytes, dict[str, str]]:
        """Build body and headers: signed JSON news, or a message in a chat's format."""
        if webhook.format != "jantaku":
            message = await chat_message(self._services, self._standings, webhook, delivery)
            return json.dumps(chat_body(webhook.format, message), ensure_ascii=False).encode(), {}
        body, now = delivery.body.encode(), now_ms() // 1000
        return body, {
            "jantaku-delivery": f"{delivery.event}.{delivery.number}",
            "jantaku-news": delivery.kind,
            "jantaku-signature": signature(webhook.secret, now, body),
        }

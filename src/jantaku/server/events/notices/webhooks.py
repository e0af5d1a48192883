"""Request and response bodies of webhooks."""

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
from jantaku.server.edge.outgoing import MOST_URL, OutgoingError, checked_url, send
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, changing
from jantaku.server.events.common.event_asked import AskedByPerson
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
    """Where news of an event go, in whose format and in which language."""

    url: Annotated[str, Field(min_length=1, max_length=MOST_URL)]
    kinds: Annotated[list[NewsKind], Field(min_length=1, max_length=len(get_args(NewsKind)))]
    format: ChatFormat = "jantaku"
    language: Language = "en"


class SendNow(Wire):
    """What a webhook is told now: that it works, or the standings."""

    kind: Literal["test", "standings"]


class DeliveryInfo(Wire):
    """A piece of news: ``error`` says in a word why it has not arrived; ``next`` when it is sent again."""

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
    """A webhook: of its address only the ``host``, since the rest may be a secret."""

    id: str
    host: str
    format: ChatFormat
    language: Language
    kinds: list[NewsKind]


class WebhookList(Wire):
    """The webhooks of an event and its newest deliveries."""

    webhooks: list[WebhookInfo]
    deliveries: list[DeliveryInfo]


class WebhookMade(WebhookList):
    """A webhook that was just added; in our own format the ``secret`` signs what it is told."""

    secret: str


router = router_of("/api/events/{event}/webhooks", "events")
MOST_SHOWN: Final = 50
WebhookId = Annotated[str, Path(max_length=16)]


async def _shown(services: Services, event: str) -> WebhookList:
    webhooks = await services.webhooks.of(event)
    rows = await services.webhooks.deliveries(event, MOST_SHOWN)
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
async def every(asked: AskedByPerson) -> WebhookList:
    """The webhooks and the newest deliveries."""
    rights = await asked.rights(ORGANISER)
    return await _shown(asked.services, rights.event.id)


@router.post("", dependencies=[Depends(deduplicate)])
async def add(asked: AskedByPerson, body: AddWebhook) -> WebhookMade:
    """Tell news to one more address; its secret is shown only now."""
    rights = await asked.rights(ORGANISER)
    try:
        url = checked_url(body.url, asked.services.settings.webhook_hosts)
    except OutgoingError as error:
        raise ServerError(f"webhook_{error.code}", field="url") from error
    kinds: list[str] = list(dict.fromkeys(body.kinds))
    async with changing(asked.services, rights) as change:
        if len(await webhooks_of(change.connection, rights.event.id)) >= WEBHOOKS_OF_EVENT:
            raise ServerError("too_many_webhooks", most=WEBHOOKS_OF_EVENT)
        key = (rights.event.id, new_id(), str(url), secrets.token_urlsafe(32), kinds, change.at)
        webhook = Webhook(*key, body.format, body.language)
        await add_webhook(change.connection, webhook)
        change.note("webhook", after={"host": url.host, "format": body.format, "kinds": kinds})
    asked.services.webhooks.any.added()
    shown = await _shown(asked.services, rights.event.id)
    return WebhookMade(**shown.model_dump(), secret=webhook.secret if body.format == "jantaku" else "")


@router.delete("/{webhook}")
async def remove(asked: AskedByPerson, webhook: WebhookId) -> WebhookList:
    """Tell one address no more; its deliveries are deleted, too."""
    rights = await asked.rights(ORGANISER)
    async with changing(asked.services, rights) as change:
        if not await delete_webhook(change.connection, rights.event.id, webhook):
            raise ServerError("no_webhook")
        change.note("webhook", after={"host": None})
    return await _shown(asked.services, rights.event.id)


@router.post("/{webhook}/send", dependencies=[Depends(deduplicate), Depends(limit_changes)])
async def send_now(asked: AskedByPerson, webhook: WebhookId, body: SendNow) -> WebhookList:
    """Send a test, or the standings as they are."""
    rights = await asked.rights(ORGANISER)
    hook = await asked.services.webhooks.find(rights.event.id, webhook)
    if hook is None:
        raise ServerError("no_webhook")
    async with changing(asked.services, rights) as change:
        news = {"event": rights.event.id, "revision": change.event.revision}
        await queue(change.connection, hook, [(body.kind, news)])
        change.note("webhook", after={"sent": body.kind})
    return await _shown(asked.services, rights.event.id)


FAILURE: Final = "sending webhooks"
WAITS_S: Final = (5, 30, 120, 600, 3600, 21_600)  # before each further try
AT_ONCE: Final = 64  # events; deliveries of one event go one after the other
LONGEST_S: Final = 3600.0
ALL: Final = "of all events"
AFTER_A_FAULT_S: Final = 30.0


def signature(secret: str, at_s: int, body: bytes) -> str:
    """What the receiver checks: the time, and the HMAC (SHA-256) of ``{time}.{body}`` under the secret."""
    signed = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at_s},v1={signed}"


class WebhookSender(Background):
    """The only sender of a server; deliveries wait in the database, so that a restart loses none.

    A webhook that answers slowly delays only the deliveries of its own event.
    """

    def __init__(self, services: Services, standings: StandingsCache) -> None:
        self._services = services
        self._standings = standings
        self._news = asyncio.Event()
        self._busy: set[str] = set()  # events to which something is being sent
        self._backoffs = Backoffs(AFTER_A_FAULT_S)
        self._waits_s = services.settings.webhook_waits_s or WAITS_S
        services.events.changed.append(lambda _event, _revision: self.wake())

    def wake(self) -> None:
        """Look whether there is something to send."""
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
        """Begin to send what is due; returns after how many seconds something is due again.

        Every delivery that ends wakes the sender, so what has no place now is looked at then.
        """
        room = AT_ONCE - len(self._busy)
        if room <= 0 or not await self._services.webhooks.any.there():
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
        except Exception as error:  # of the server: the next delivery of the event waits for this one
            await self._set_back(delivery, error)
        self._busy.discard(delivery.event)
        self._news.set()

    async def _set_back(self, delivery: Delivery, error: Exception) -> None:
        """Wait until a delivery is tried again, or give it up after as many tries as any other."""
        self._backoffs.failed(delivery.event, FAILURE, error)
        backoff = self._backoffs.known[delivery.event]
        await asyncio.sleep(backoff.due - time.monotonic())
        if backoff.times >= len(self._waits_s):
            with suppress(ServerError):  # then it is tried once more
                await self._services.webhooks.note(delivery, due=None, error="failed")
                self._backoffs.worked(delivery.event)

    async def _deliver(self, delivery: Delivery) -> None:
        webhook = await self._services.webhooks.find(delivery.event, delivery.webhook)
        if webhook is None:
            await self._services.webhooks.note(delivery, due=None, error="removed")
            return
        status, error = await self._try(webhook, delivery)
        tries, waits = delivery.tries + 1, self._waits_s
        values = {"tries": tries, "status": status, "error": error}
        if not error:
            await self._services.webhooks.note(delivery, **values, due=None, done=now_ms())
        elif tries > len(waits):
            await self._services.webhooks.note(delivery, **values, due=None)
        else:
            due = now_ms() + round(waits[tries - 1] * 1000)
            await self._services.webhooks.note(delivery, **values, due=due)

    async def _try(self, webhook: Webhook, delivery: Delivery) -> tuple[int | None, str]:
        """The status of the answer, and why the delivery did not arrive; empty if it did."""
        body, headers = await self._request(webhook, delivery)
        try:
            status = await send(webhook.url, body, headers, self._services.settings.webhook_hosts)
        except OutgoingError as error:
            return None, error.code
        return status, "" if 200 <= status < 300 else "refused"

    async def _request(self, webhook: Webhook, delivery: Delivery) -> tuple[bytes, dict[str, str]]:
        """What is posted: our own news, signed, or a message in the format of a chat."""
        if webhook.format != "jantaku":
            message = await chat_message(self._services, self._standings, webhook, delivery)
            return json.dumps(chat_body(webhook.format, message), ensure_ascii=False).encode(), {}
        body, now = delivery.body.encode(), now_ms() // 1000
        return body, {
            "jantaku-delivery": f"{delivery.event}.{delivery.number}",
            "jantaku-news": delivery.kind,
            "jantaku-signature": signature(webhook.secret, now, body),
        }

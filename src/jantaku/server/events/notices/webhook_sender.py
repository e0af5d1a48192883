"""Sends the news of events to their webhooks, again after a while where that fails."""

import asyncio
import hashlib
import hmac
import json
import time
from contextlib import suppress
from typing import Final

from jantaku.server.edge.outgoing_requests import OutgoingError, send
from jantaku.server.errors import ServerError
from jantaku.server.events.notices.chat_formats import chat_body
from jantaku.server.events.notices.chat_text import chat_message
from jantaku.server.events.results.event_standings import StandingsCache
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.webhooks import Delivery, Webhook
from jantaku.server.tasks import Background, Setbacks

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
        self._setbacks = Setbacks(AFTER_A_FAULT_S)
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
                    self._setbacks.worked(ALL)
                except Exception as error:
                    self._setbacks.failed(ALL, FAILURE, error)
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
            self._setbacks.worked(delivery.event)
        except Exception as error:  # of the server: the next delivery of the event waits for this one
            await self._set_back(delivery, error)
        self._busy.discard(delivery.event)
        self._news.set()

    async def _set_back(self, delivery: Delivery, error: Exception) -> None:
        """Wait until a delivery is tried again, or give it up after as many tries as any other."""
        self._setbacks.failed(delivery.event, FAILURE, error)
        setback = self._setbacks.known[delivery.event]
        await asyncio.sleep(setback.due - time.monotonic())
        if setback.times >= len(self._waits_s):
            with suppress(ServerError):  # then it is tried once more
                await self._services.webhooks.note(delivery, due=None, error="failed")
                self._setbacks.worked(delivery.event)

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
            news, headers = chat_body(webhook.format, message, webhook.chat)
            return json.dumps(news, ensure_ascii=False).encode(), headers
        body, now = delivery.body.encode(), now_ms() // 1000
        return body, {
            "jantaku-delivery": f"{delivery.event}.{delivery.number}",
            "jantaku-news": delivery.kind,
            "jantaku-signature": signature(webhook.secret, now, body),
        }

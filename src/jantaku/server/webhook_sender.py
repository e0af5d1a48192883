"""Sends the news of events to their webhooks, again after a while where that fails."""

import asyncio
import hashlib
import hmac
import logging
from contextlib import suppress
from typing import Final

from jantaku.server.errors import ServerError
from jantaku.server.outgoing import OutgoingError, send
from jantaku.server.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.webhooks import Delivery, Webhook
from jantaku.server.tasks import Background

LOG = logging.getLogger("jantaku.server")
AT_ONCE: Final = 8
LONGEST_S: Final = 3600.0
AFTER_A_FAULT_S: Final = 30.0


def signature(secret: str, at_s: int, body: bytes) -> str:
    """What the receiver checks: the time, and the HMAC (SHA-256) of ``{time}.{body}`` under the secret."""
    signed = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at_s},v1={signed}"


class WebhookSender(Background):
    """The only sender of a server; deliveries wait in the database, so that a restart loses none."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._news = asyncio.Event()
        services.events.changed.append(lambda _event, _revision: self._news.set())

    async def _run(self) -> None:
        while True:
            self._news.clear()
            try:
                wait_s = await self._send_due()
            except ServerError:  # the database has reported it
                wait_s = AFTER_A_FAULT_S
            except Exception:
                LOG.exception("sending webhooks failed")
                wait_s = AFTER_A_FAULT_S
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._news.wait()

    async def _send_due(self) -> float:
        """Send everything that is due; returns after how many seconds something is due again."""
        while True:
            found, later = await self._services.webhooks.due(AT_ONCE)
            if not found:
                return LONGEST_S if later is None else min(LONGEST_S, max(0.0, (later - now_ms()) / 1000))
            await asyncio.gather(*(self._deliver(one) for one in found))

    async def _deliver(self, delivery: Delivery) -> None:
        webhook = await self._services.webhooks.of(delivery.event)
        if webhook is None:
            await self._services.webhooks.note(delivery, due=None, error="removed")
            return
        status, error = await self._try(webhook, delivery)
        tries, waits = delivery.tries + 1, self._services.settings.webhook_waits_s
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
        body, now = delivery.body.encode(), now_ms() // 1000
        headers = {
            "jantaku-delivery": f"{delivery.event}.{delivery.number}",
            "jantaku-news": delivery.kind,
            "jantaku-signature": signature(webhook.secret, now, body),
        }
        try:
            status = await send(webhook.url, body, headers, self._services.settings.webhook_hosts)
        except OutgoingError as error:
            return None, error.code
        return status, "" if 200 <= status < 300 else "refused"

"""The webhooks of an event, which tell its news to other servers and to chats."""

import secrets
from typing import Annotated, Final

import httpx
from fastapi import Depends, Path

from jantaku.server.edge.outgoing_requests import OutgoingError, checked_url
from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_asked import AskedByPerson
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.event_rights import ORGANISER, changing
from jantaku.server.events.notices import webhook_bodies as bodies
from jantaku.server.events.notices.chat_formats import address_of
from jantaku.server.limits import WEBHOOKS_OF_EVENT
from jantaku.server.people.asking import changing_mind, not_twice
from jantaku.server.storage.people import new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.webhooks import Delivery, Webhook, add_webhook, delete_webhook, queue, webhooks_of

router = router_of("/api/events/{event}/webhooks", "events")
MOST_SHOWN: Final = 50
WebhookId = Annotated[str, Path(max_length=16)]


async def _shown(services: Services, event: str) -> bodies.WebhookList:
    webhooks = await services.webhooks.of(event)
    rows = await services.webhooks.deliveries(event, MOST_SHOWN)
    return bodies.WebhookList(webhooks=list(map(_webhook, webhooks)), deliveries=list(map(_delivery, rows)))


def _webhook(webhook: Webhook) -> bodies.WebhookInfo:
    return bodies.WebhookInfo.of(webhook, host=httpx.URL(webhook.url).host, kinds=list(webhook.kinds))


def _delivery(row: Delivery) -> bodies.DeliveryInfo:
    return bodies.DeliveryInfo.of(
        row,
        at=iso(row.at) or "",
        state="waiting" if row.due is not None else "arrived" if row.done is not None else "failed",
        next=iso(row.due),
    )


@router.get("")
async def every(asked: AskedByPerson) -> bodies.WebhookList:
    """The webhooks and the newest deliveries."""
    rights = await asked.rights(ORGANISER)
    return await _shown(asked.services, rights.event.id)


@router.post("", dependencies=[Depends(not_twice)])
async def add(asked: AskedByPerson, body: bodies.AddWebhook) -> bodies.WebhookMade:
    """Tell news to one more address; its secret is shown only now."""
    rights = await asked.rights(ORGANISER)
    if (body.format == "telegram") != bool(body.chat):
        raise ServerError("webhook_chat", field="chat")
    try:
        url = checked_url(address_of(body.format, body.url), asked.services.settings.webhook_hosts)
    except OutgoingError as error:
        raise ServerError(f"webhook_{error.code}", field="url") from error
    kinds = tuple(dict.fromkeys(body.kinds))
    async with changing(asked.services, rights) as change:
        if len(await webhooks_of(change.connection, rights.event.id)) >= WEBHOOKS_OF_EVENT:
            raise ServerError("too_many_webhooks", most=WEBHOOKS_OF_EVENT)
        key = (rights.event.id, new_id(), str(url), secrets.token_urlsafe(32), kinds, change.at)
        webhook = Webhook(*key, body.format, body.language, body.chat)
        await add_webhook(change.connection, webhook)
        change.note("webhook", after={"host": url.host, "format": body.format, "kinds": kinds})
    asked.services.webhooks.any.added()
    shown = await _shown(asked.services, rights.event.id)
    return bodies.WebhookMade(**shown.model_dump(), secret=webhook.secret if body.format == "jantaku" else "")


@router.delete("/{webhook}")
async def remove(asked: AskedByPerson, webhook: WebhookId) -> bodies.WebhookList:
    """Tell one address no more; its deliveries are deleted, too."""
    rights = await asked.rights(ORGANISER)
    async with changing(asked.services, rights) as change:
        if not await delete_webhook(change.connection, rights.event.id, webhook):
            raise ServerError("no_webhook")
        change.note("webhook", after={"host": None})
    return await _shown(asked.services, rights.event.id)


@router.post("/{webhook}/send", dependencies=[Depends(not_twice), Depends(changing_mind)])
async def send_now(asked: AskedByPerson, webhook: WebhookId, body: bodies.SendNow) -> bodies.WebhookList:
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

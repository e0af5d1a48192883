"""The webhook of an event, which tells another server its news."""

import secrets
from typing import Annotated

import httpx
from fastapi import APIRouter, Depends, Query

from jantaku.server.edge.outgoing import OutgoingError, checked_url
from jantaku.server.edge.setting_version import MOST_VERSION, demand_seen, version_of
from jantaku.server.edge.shared_bodies import Done
from jantaku.server.edge.strict_json import StrictRoute
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_path import EventId
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.rights import ORGANISER, EventRights, changing, rights_in
from jantaku.server.events.notices.webhook_bodies import DeliveryInfo, SetWebhook, WebhookInfo, WebhookMade
from jantaku.server.people.asking import AnyKit, Kit, Person, changing_mind
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.events import Change
from jantaku.server.storage.webhooks import Delivery, Webhook, queue, save_webhook, webhook_of

router = APIRouter(prefix="/api/events/{event}/webhook", tags=["events"], route_class=StrictRoute)
MOST_SHOWN = 50


async def _organised(kit: Kit, event: str, who: PersonRow) -> EventRights:
    rights = await rights_in(kit.services, event, who)
    rights.demand(ORGANISER)
    return rights


async def _shown(kit: Kit, event: str) -> WebhookInfo:
    found = await kit.services.webhooks.of(event)
    rows = await kit.services.webhooks.deliveries(event, MOST_SHOWN)
    return WebhookInfo.model_validate(
        {
            "host": None if found is None else httpx.URL(found.url).host,
            "kinds": [] if found is None else list(found.kinds),
            "version": _version(found),
            "deliveries": [_delivery(row) for row in rows],
        }
    )


def _version(webhook: Webhook | None) -> str:
    """The version of a webhook; its secret is new each time, so no two are the same."""
    return version_of(None if webhook is None else webhook.secret)


async def _demand_seen(change: Change, seen: str | None) -> None:
    """Raise ``webhook_moved_on`` if the webhook is not the one that was ``seen``."""
    stored = await webhook_of(change.connection, change.event.id)
    demand_seen(seen, _version(stored), "webhook_moved_on")


def _delivery(row: Delivery) -> DeliveryInfo:
    waits = row.due is not None
    return DeliveryInfo(
        number=row.number,
        kind=row.kind,
        at=iso(row.at) or "",
        state="waiting" if waits else "arrived" if row.done is not None else "failed",
        tries=row.tries,
        status=row.status,
        error=row.error,
        next=iso(row.due),
    )


@router.get("")
async def one(kit: AnyKit, who: Person, event: EventId) -> WebhookInfo:
    """The webhook and its newest deliveries."""
    rights = await _organised(kit, event, who)
    return await _shown(kit, rights.event.id)


@router.put("")
async def set_webhook(kit: AnyKit, who: Person, event: EventId, body: SetWebhook) -> WebhookMade:
    """Say where news go; the secret is new each time."""
    rights = await _organised(kit, event, who)
    try:
        url = checked_url(body.url, kit.services.settings.webhook_hosts)
    except OutgoingError as error:
        raise ServerError(f"webhook_{error.code}", field="url") from error
    kinds = tuple(dict.fromkeys(body.kinds))
    async with changing(kit.services, rights) as change:
        await _demand_seen(change, body.version)
        webhook = Webhook(rights.event.id, body.url, secrets.token_urlsafe(32), kinds, change.at)
        await save_webhook(change.connection, rights.event.id, webhook)
        change.note("webhook", after={"host": url.host, "kinds": kinds})
    shown = await _shown(kit, rights.event.id)
    return WebhookMade(**shown.model_dump(), secret=webhook.secret)


@router.delete("")
async def remove(
    kit: AnyKit,
    who: Person,
    event: EventId,
    version: Annotated[str | None, Query(max_length=MOST_VERSION)] = None,
) -> Done:
    """Tell nobody any more."""
    rights = await _organised(kit, event, who)
    async with changing(kit.services, rights) as change:
        await _demand_seen(change, version)
        await save_webhook(change.connection, rights.event.id, None)
        change.note("webhook", after={"host": None})
    return Done()


@router.post("/test", dependencies=[Depends(changing_mind)])
async def test(kit: AnyKit, who: Person, event: EventId) -> WebhookInfo:
    """Send a piece of news that only tests the webhook."""
    rights = await _organised(kit, event, who)
    if await kit.services.webhooks.of(rights.event.id) is None:
        raise ServerError("no_webhook")
    async with changing(kit.services, rights) as change:
        body = {"event": rights.event.id, "revision": change.event.revision}
        await queue(change.connection, rights.event.id, [("test", body)])
        change.note("webhook", after={"test": True})
    return await _shown(kit, rights.event.id)

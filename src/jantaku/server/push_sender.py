"""Sends the news of events to the browsers of the players whom they concern (Web Push, RFC 8030 and 8291).

News are worth little later: they wait in memory only, and a push service keeps them for a few hours for a
browser that is off.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from jantaku.server.errors import ServerError
from jantaku.server.events.news import message_of, news_of
from jantaku.server.outgoing import OutgoingError, send
from jantaku.server.services import Services
from jantaku.server.storage.push import PushDevice
from jantaku.server.tasks import Background
from jantaku.server.web_push import PushKeys, encrypted

LOG = logging.getLogger("jantaku.server")
MOST_WAITING: Final = 1000  # changes of events whose news are not sent yet; more are dropped
AT_ONCE: Final = 8
GONE: Final = (404, 410)
Change = tuple[str, int]  # an event and its revision


class PushSender(Background):
    """The only sender of a server; what has not been sent when it stops is lost."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._changes: asyncio.Queue[Change] = asyncio.Queue(MOST_WAITING)
        self._sending = asyncio.Semaphore(AT_ONCE)
        services.events.changed.append(self._note)

    def _note(self, event: str, revision: int) -> None:
        with suppress(asyncio.QueueFull):
            self._changes.put_nowait((event, revision))

    async def _run(self) -> None:
        while True:
            change = await self._changes.get()
            try:
                await self._tell(*change)
            except ServerError:  # the database has reported it
                LOG.warning("news of an event were not sent")
            except Exception:
                LOG.exception("sending notifications failed")

    async def _tell(self, event: str, revision: int) -> None:
        news = await news_of(self._services, event, revision)
        if not news:
            return
        people = {one.id: one.person for one in await self._services.entries.all(event) if one.person}
        devices = await self._services.push.of(
            list({people[one.entry] for one in news if one.entry in people})
        )
        if not devices:
            return
        keys, name = await self._services.push.keys(), (await self._services.events.find(event)).name
        await asyncio.gather(
            *(
                self._send(keys, device, message_of(one, name, device.language))
                for one in news
                for device in devices
                if people.get(one.entry) == device.person
            )
        )

    async def _send(self, keys: PushKeys, device: PushDevice, text: str) -> None:
        settings, to = self._services.settings, device.address
        async with self._sending:
            try:
                who = contact(settings.public_url)
                body, headers = await asyncio.to_thread(encrypted, keys, to, text, who)
                status = await send(to.endpoint, body, headers, settings.webhook_hosts)
            except (OutgoingError, ValueError) as error:  # keys that are none are a ValueError
                LOG.info("a notification did not arrive: %s", type(error).__name__)
                return
        if status in GONE:
            await self._services.push.forget(device.session)


def contact(public_url: str) -> str:
    """The address that push services may write to about this server."""
    return f"jantaku@{urlsplit(public_url).hostname or 'localhost'}"

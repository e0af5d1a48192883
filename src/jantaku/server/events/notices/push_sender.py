"""Sends the news of events to the browsers of the players whom they concern (Web Push, RFC 8030 and 8291).

News are worth little later: they wait in memory only, and a push service keeps them for a few hours for a
browser that is off.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from jantaku.server.edge.outgoing_requests import OutgoingError, send
from jantaku.server.events.notices.player_news import message_of, news_of
from jantaku.server.storage.push import KEPT_S, PushDevice, PushKeys, encrypted
from jantaku.server.storage.services import Services
from jantaku.server.tasks import Background, reported
from jantaku.terms import Language

LOG = logging.getLogger("jantaku.server")
FAILURE: Final = "sending notifications failed"
MOST_WAITING: Final = 1000  # changes of events and calls whose news are not sent yet; more are dropped
MOST_IN_A_LINE: Final = 20  # messages for one browser; the oldest goes first
AT_ONCE: Final = 64
AT_ONCE_TO_A_HOST: Final = 8
GONE: Final = (404, 410)


class _Message(NamedTuple):
    """What a browser is told."""

    keys: PushKeys
    device: PushDevice
    text: str
    kept_s: int = KEPT_S


class PushSender(Background):
    """The only sender of a server; what has not been sent when it stops is lost.

    Each browser has a line of its own, so whoever gives an address that answers slowly delays nobody else.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._changes: asyncio.Queue[Callable[[], Awaitable[list[_Message]]]] = asyncio.Queue(MOST_WAITING)
        self._lines: dict[str, deque[_Message]] = {}  # by session, while a courier works through it
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._sending = asyncio.Semaphore(AT_ONCE)
        services.events.changed.append(self._note)

    def _note(self, event: str, revision: int) -> None:
        with suppress(asyncio.QueueFull):
            self._changes.put_nowait(partial(self._messages, event, revision))

    def tell(self, people: Sequence[str], text: Callable[[Language], str], kept_s: int = KEPT_S) -> None:
        """Tell people something of their own, if they have notifications on; after ``kept_s`` it is none."""
        with suppress(asyncio.QueueFull):
            self._changes.put_nowait(partial(self._to_people, people, text, kept_s))

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as couriers:
            while True:
                messages = await self._changes.get()
                with reported(FAILURE):
                    for message in await messages():
                        self._post(couriers, message)

    async def _messages(self, event: str, revision: int) -> list[_Message]:
        """Who is told what of a change."""
        wanted = await self._services.push.devices.there()
        news = await news_of(self._services, event, revision) if wanted else []
        if not news:
            return []
        people = {entry.id: entry.person for entry in await self._services.entries.all(event) if entry.person}
        devices = await self._services.push.of(
            list({people[news.entry] for news in news if news.entry in people})
        )
        if not devices:
            return []
        keys, name = await self._services.push.keys(), (await self._services.events.find(event)).name
        return [
            _Message(keys, device, message_of(news, name, device.language))
            for news in news
            for device in devices
            if people.get(news.entry) == device.person
        ]

    async def _to_people(
        self, people: Sequence[str], text: Callable[[Language], str], kept_s: int
    ) -> list[_Message]:
        devices = await self._services.push.of(people)
        keys = await self._services.push.keys() if devices else None
        return [
            _Message(keys, device, text(device.language), kept_s) for device in devices if keys is not None
        ]

    def _post(self, couriers: asyncio.TaskGroup, message: _Message) -> None:
        session = message.device.session
        line = self._lines.get(session)
        if line is None:
            line = self._lines[session] = deque(maxlen=MOST_IN_A_LINE)
            couriers.create_task(self._deliver(session, line))
        line.append(message)

    async def _deliver(self, session: str, line: deque[_Message]) -> None:
        """Send what waits for a browser, one message after the other."""
        try:
            while line:
                with reported(FAILURE):
                    await self._send(line.popleft())
        finally:
            del self._lines[session]

    async def _send(self, message: _Message) -> None:
        settings, to = self._services.settings, message.device.address
        host = self._hosts.setdefault(urlsplit(to.endpoint).netloc, asyncio.Semaphore(AT_ONCE_TO_A_HOST))
        async with host, self._sending:
            try:
                who = contact(settings.public_url)
                body, headers = await asyncio.to_thread(
                    encrypted, message.keys, to, message.text, who, message.kept_s
                )
                status = await send(to.endpoint, body, headers, settings.webhook_hosts)
            except (OutgoingError, ValueError) as error:  # keys that are none are a ValueError
                LOG.info("a notification did not arrive: %s", type(error).__name__)
                return
        if status in GONE:
            await self._services.push.forget(message.device.session)


def contact(public_url: str) -> str:
    """The address that push services may write to about this server."""
    return f"jantaku@{urlsplit(public_url).hostname or 'localhost'}"

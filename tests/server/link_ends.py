"""Two linked processes of a site, and clients served across the link."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import Message, Scope

from jantaku.server.processes.links import Links, Messages, Topic
from jantaku.server.processes.streams import Streams

SOCKET: Scope = {"type": "websocket", "path": "/", "query_string": b"", "headers": [(b"host", b"x")]}
Change = Callable[[bytes], list[bytes]]


NEWS = Topic[Any]("news")


class End:
    """One process of a site, with its links and streams."""

    def __init__(self, name: str, messages: Messages) -> None:
        self.links, self.name = Links(messages), name
        self.streams = Streams(self.links)
        self.news: list[Any] = []
        self.links.subscribe(NEWS, self.news.append)

    async def begin(self, others: list[str]) -> None:
        self.links.others = lambda: others
        self.links.messages.use_key(b"k" * 32)
        await self.links.messages.start()
        await self.links.join(self.name)
        self.streams.start()

    async def end(self) -> None:
        await self.streams.stop()
        await self.links.messages.stop()

    def change(self, change: Change) -> None:
        """Apply ``change`` to every incoming message."""
        receive = self.links.messages.received

        def changed(head: str, body: bytes) -> None:
            for message in change(head.encode() + b"\n" + body):
                receive(head, message.partition(b"\n")[2])

        self.links.messages.received = changed


Ends = tuple[End, End]


async def until(holds: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.01)


class Client:
    """The ASGI client of a forwarded socket, with the messages it sends and receives."""

    def __init__(self, *messages: Message) -> None:
        self.received: list[Message] = []
        self._outgoing = asyncio.Queue[Message]()
        for message in messages:
            self._outgoing.put_nowait(message)

    def say(self, text: str) -> None:
        self._outgoing.put_nowait({"type": "websocket.receive", "text": text})

    async def receive(self) -> Message:
        return await self._outgoing.get()

    async def send(self, message: Message) -> None:
        self.received.append(message)

    @property
    def texts(self) -> list[str]:
        return [message["text"] for message in self.received if message["type"] == "websocket.send"]

    @property
    def closed(self) -> list[int]:
        return [message["code"] for message in self.received if message["type"] == "websocket.close"]

    def forwarded(self, by: End, scope: Scope) -> "asyncio.Task[None]":
        return asyncio.create_task(by.streams.forward("b", scope, self.receive, self.send))


def connected_client() -> Client:
    return Client({"type": "websocket.connect"})

"""Two processes of a site with their links, and who is carried from one to the other."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import Message, Scope

from jantaku.server.processes.links import Links, Messages, Topic
from jantaku.server.processes.streams import Streams

SOCKET: Scope = {"type": "websocket", "path": "/", "query_string": b"", "headers": [(b"host", b"x")]}
Change = Callable[[bytes], list[bytes]]


SAID = Topic[Any]("said")


class End:
    """A process of a site: its links, and what it carries."""

    def __init__(self, name: str, messages: Messages) -> None:
        self.links, self.name = Links(messages), name
        self.streams = Streams(self.links)
        self.news: list[Any] = []
        self.links.subscribe(SAID, self.news.append)

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
        """Change what arrives here."""
        take = self.links.messages.received

        def changed(head: str, body: bytes) -> None:
            for message in change(head.encode() + b"\n" + body):
                take(head, message.partition(b"\n")[2])

        self.links.messages.received = changed


Ends = tuple[End, End]


async def until(true: Callable[[], bool]) -> None:
    """Wait for something."""
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0.01)


class Client:
    """Who is carried: what it says, and what it is told."""

    def __init__(self, *said: Message) -> None:
        self.told: list[Message] = []
        self._said = asyncio.Queue[Message]()
        for message in said:
            self._said.put_nowait(message)

    def say(self, text: str) -> None:
        self._said.put_nowait({"type": "websocket.receive", "text": text})

    async def receive(self) -> Message:
        return await self._said.get()

    async def send(self, message: Message) -> None:
        self.told.append(message)

    @property
    def texts(self) -> list[str]:
        return [message["text"] for message in self.told if message["type"] == "websocket.send"]

    @property
    def closed(self) -> list[int]:
        return [message["code"] for message in self.told if message["type"] == "websocket.close"]

    def carried(self, by: End, scope: Scope) -> "asyncio.Task[None]":
        return asyncio.create_task(by.streams.forward("b", scope, self.receive, self.send))


def talking() -> Client:
    return Client({"type": "websocket.connect"})

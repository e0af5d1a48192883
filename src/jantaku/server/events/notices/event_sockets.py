"""WebSockets that notify open pages of changes to an event."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from jantaku.server import tasks
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import EventChanged
from jantaku.server.people.auth_dependencies import services_of
from jantaku.server.play.table_sockets import NO_HELLO, NO_TABLE, admitted


class EventListener:
    """An open page: the latest ``revision``, and a flag set until it has been sent."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        self.news = asyncio.Event()
        self.news.set()


class EventAudience:
    """Open pages of all events."""

    def __init__(self) -> None:
        self._listeners: defaultdict[str, set[EventListener]] = defaultdict(set)

    def publish(self, event: str, revision: int) -> None:
        """Notify the listeners of an event of its new revision."""
        for listener in self._listeners.get(event, ()):
            listener.revision = max(listener.revision, revision)
            listener.news.set()

    def publish_all(self) -> None:
        """Notify all listeners that their event may have changed."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.news.set()

    @contextmanager
    def listening(self, event: str, revision: int) -> Iterator[EventListener]:
        """Listen to an event whose ``revision`` has been read before."""
        listener = EventListener(revision)
        self._listeners[event].add(listener)
        try:
            yield listener
        finally:
            self._listeners[event].discard(listener)
            if not self._listeners[event]:
                del self._listeners[event]


router = APIRouter()
PAUSE_S: Final = 0.25  # changes within this time are sent together


@router.websocket("/ws/events/{event}")
async def event_socket(socket: WebSocket, event: str) -> None:
    """Notify a page of changes to an event."""
    try:
        async with admitted(socket) as accepted:
            if accepted:
                await _serve(socket, event)
    except (WebSocketDisconnect, RuntimeError):
        pass


async def _serve(socket: WebSocket, event: str) -> None:
    """Find the event and send its changes; close the socket on errors."""
    services = services_of(socket)
    try:
        row = await services.events.find(event[:16])
        with services.event_audience.listening(row.id, row.revision) as listener:
            await _follow(socket, row.id, listener)
    except ServerError as error:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(NO_TABLE if error.code == "no_event" else 1013)


async def _follow(socket: WebSocket, event: str, listener: EventListener) -> None:
    """Send changes until either side closes the socket."""
    await tasks.until_first(_read(socket), _write(socket, event, listener))


async def _read(socket: WebSocket) -> None:
    """Wait for the page to disconnect; any message from it is an error."""
    message = await socket.receive()
    if message["type"] != "websocket.disconnect":
        await socket.close(NO_HELLO)


async def _write(socket: WebSocket, event: str, listener: EventListener) -> None:
    while True:
        await listener.news.wait()
        listener.news.clear()
        await socket.send_text(EventChanged(event=event, revision=listener.revision).model_dump_json())
        await asyncio.sleep(PAUSE_S)

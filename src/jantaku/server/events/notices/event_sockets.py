"""The WebSocket of an event: says that something has changed, and nothing else.

Anybody may follow an event that they may look at. A page that hears of a change loads what it shows again,
with its own rights.
"""

import asyncio
from contextlib import suppress
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from jantaku.server import tasks
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import EventChanged
from jantaku.server.events.notices.event_audience import EventListener
from jantaku.server.events.notices.notices_kit import NoticesKit
from jantaku.server.people.asking import kit_of
from jantaku.server.play.table_sockets import NO_HELLO, NO_TABLE, admitted

router = APIRouter()
PAUSE_S: Final = 0.25  # changes in the meantime are told together


@router.websocket("/ws/events/{event}")
async def event_socket(socket: WebSocket, event: str) -> None:
    """One page that follows one event."""
    try:
        async with admitted(socket) as accepted:
            if accepted:
                await _serve(socket, event)
    except (WebSocketDisconnect, RuntimeError):
        pass


async def _serve(socket: WebSocket, event: str) -> None:
    """Find the event, and follow it."""
    kit = kit_of(socket, NoticesKit)
    try:
        row = await kit.services.events.find(event[:16])
        with kit.audience.listening(row.id, row.revision) as listener:
            await _follow(socket, row.id, listener)
    except ServerError as error:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(NO_TABLE if error.code == "no_event" else 1013)


async def _follow(socket: WebSocket, event: str, listener: EventListener) -> None:
    """Tell of changes until either side closes the socket."""
    await tasks.until_first(_read(socket), _write(socket, event, listener))


async def _read(socket: WebSocket) -> None:
    """Wait until the page goes away; it has nothing to say."""
    message = await socket.receive()
    if message["type"] != "websocket.disconnect":
        await socket.close(NO_HELLO)


async def _write(socket: WebSocket, event: str, listener: EventListener) -> None:
    while True:
        await listener.news.wait()
        listener.news.clear()
        await socket.send_text(EventChanged(event=event, revision=listener.revision).model_dump_json())
        await asyncio.sleep(PAUSE_S)

"""Running the server: compiled code is loaded first, then uvicorn listens."""

import asyncio
import gc
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from jantaku.bots import bot
from jantaku.game import Game
from jantaku.server.app import create_app
from jantaku.server.people import People
from jantaku.server.services import Services
from jantaku.server.settings import Settings

if TYPE_CHECKING:
    from socket import socket

GRACE_S = 5
COLLECTING = (20_000, 20, 100)  # a whole look for garbage is felt at all tables: let it be rare
SWITCH_S = 0.0005  # the database's thread hands over several times for each commit
ROOM = 2  # times the longest message of a client: longer ones are closed by the library


class Server(uvicorn.Server):
    """A server that says when it can be reached."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: "list[socket] | None" = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def load_compiled() -> None:
    """Load what a table needs, so that nobody waits for it."""
    game, player = Game("standard", seed=1), bot("standard", 1)
    for _ in range(100):
        seat = game.to_act[0]
        game.view(seat)
        game.play(seat, player.choose(game, seat))
    gc.collect()
    gc.freeze()  # what stays for good need not be looked through again and again
    gc.set_threshold(*COLLECTING)
    sys.setswitchinterval(SWITCH_S)


def server(settings: Settings, host: str, port: int, ready: Callable[[], None]) -> Server:
    """The server for one process; tables live in it, so there is only one."""
    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        ws="websockets-sansio",
        ws_max_size=ROOM * settings.limits.message_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.public_url),
        timeout_graceful_shutdown=GRACE_S,
    )
    return Server(config, ready)


async def admin_token(settings: Settings, *, always: bool) -> str | None:
    """A one-time token for the admin: on request, and while nobody has an account."""
    services = Services.of(settings)
    await services.store.open()
    try:
        return await People(services).admin_token(always=always)
    finally:
        await services.store.close()


def prepare(settings: Settings, *, admin: bool) -> str | None:
    """Make the folder and the database; the admin's token where one is to be shown."""
    if not settings.database_url:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    return asyncio.run(admin_token(settings, always=admin))

"""What a gateway does before it knows to which process something belongs."""

from types import SimpleNamespace
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from jantaku.server.edge.token_buckets import Rates
from jantaku.server.play.table_sockets import TOO_MANY
from jantaku.server.play.which_process import Placing

pytestmark = pytest.mark.anyio


class Owners:
    """Tables that nobody has; ``asked`` counts how often the database is asked for one."""

    def __init__(self) -> None:
        self.asked = 0

    async def owner(self, _: str) -> None:
        self.asked += 1

    async def exists(self, _: str) -> bool:
        return False


async def test_sockets_at_tables_that_are_not_there_cost_an_address_no_more_than_others() -> None:
    owners, closed = Owners(), list[Any]()
    lease = SimpleNamespace(alone=False, process="gateway")
    services = SimpleNamespace(lease=lease, seating=owners)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.close", "code": 4404})

    async def send(message: Message) -> None:
        closed.append(message["code"])

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    placing = Placing(app, connects=Rates(0.001, 2))
    scope: Scope = {
        "type": "websocket",
        "path": "/ws/tables/aaaaaaaa",
        "client": ("192.0.2.1", 1),
        "app": SimpleNamespace(state=SimpleNamespace(services=services)),
    }
    for _ in range(5):
        await placing(scope, receive, send)
    assert (closed, owners.asked) == ([4404] * 2 + [TOO_MANY] * 3, 2)
    await placing({**scope, "client": ("192.0.2.2", 1)}, receive, send)
    assert closed[-1] == 4404

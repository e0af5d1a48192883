"""Messages that go together: what many watch goes to their gateway once."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from jantaku.server.processes import carrying, nats_messages, wire
from jantaku.server.processes.messages import MOST_PAYLOAD
from jantaku.server.processes.nats_messages import NatsMessages
from server.link_ends import SOCKET, Ends, talking, until

pytestmark = pytest.mark.anyio


class Watched:
    """A socket application in which all who watch are told the same."""

    def __init__(self) -> None:
        self.tells: list[Callable[[str], None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept", "headers": []})
        self.tells.append(scope[carrying.TELL])
        while "disconnect" not in (await receive())["type"]:
            pass

    def tell(self, text: str) -> None:
        for tell in self.tells:
            tell(text)


def lost(parts: list[Any]) -> list[Any]:
    return []


def doubled(parts: list[Any]) -> list[Any]:
    return [*parts, *parts]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "texts", "closed"),
    [(list, ["a", "b"], []), (doubled, ["a", "b"], []), (lost, ["a"], [carrying.AGAIN])],
)
async def test_what_many_watch_goes_to_their_gateway_once(
    ends: Ends,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Any], list[Any]],
    texts: list[str],
    closed: list[int],
) -> None:
    first, second = ends
    app = second.carrying.app = Watched()
    clients = [talking() for _ in range(30)]
    tasks = [client.carried(first, SOCKET) for client in clients]
    await until(lambda: len(app.tells) == len(clients))
    app.tell("a")
    await until(lambda: all(client.texts for client in clients))
    bundled: list[int] = []

    def changed(data: bytes) -> list[Any]:
        parts = [*wire.parts_of(data)]
        lines = sum(" line " in head for head, _ in parts)  # a beat may go with them
        if not lines:
            return parts
        bundled.append(lines)
        return change(parts)

    monkeypatch.setattr(nats_messages, "parts_of", changed)
    app.tell("b")
    by_nats = isinstance(first.links.messages, NatsMessages)
    expected = (texts, closed) if by_nats else (["a", "b"], [])
    await until(lambda: all((client.texts, client.closed) == expected for client in clients))
    assert bundled == [len(clients)] * by_nats
    for task in tasks:
        task.cancel()


async def test_a_large_bundle_is_cut() -> None:
    parts = [(f"head {number}", bytes([number]) * 200_000) for number in range(7)]
    sent = [*wire.bundles(parts)]
    assert [part for data in sent for part in wire.parts_of(data)] == parts
    assert max(map(len, sent)) < 2 * MOST_PAYLOAD < sum(map(len, sent))

"""Messages between processes, in one process and by NATS: nothing depends on every one arriving, once."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from jantaku.errors import RequestError
from jantaku.server.errors import ServerError
from jantaku.server.processes import carrying
from jantaku.server.processes.nats_messages import NatsMessages
from jantaku.server.storage.services import Services
from server.link_ends import SOCKET, Client, End, Ends, talking, until
from server.parlour import quick

pytestmark = pytest.mark.anyio
ASKED: Scope = {**SOCKET, "type": "http", "method": "POST"}


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Says what it is told, and closes at "end"."""
    if scope["type"] == "http":
        message = await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"\xff")]})
        return await send({"type": "http.response.body", "body": message["body"] * 2})
    assert await receive() == {"type": "websocket.connect"}
    await send({"type": "websocket.accept", "headers": []})
    while (message := await receive())["type"] == "websocket.receive" and message["text"] != "end":
        await send({"type": "websocket.send", "text": message["text"]})
    return await send({"type": "websocket.close", "code": 4000})


async def test_news_reach_all_others_and_announcements_oneself(ends: Ends) -> None:
    first, second = ends
    first.links.tell("said", {"a": 1})
    first.links.announce("said", [2])
    await until(lambda: len(second.news) == 2)
    assert (first.news, second.news) == ([[2]], [{"a": 1}, [2]])


async def test_questions_are_answered_or_refused(ends: Ends) -> None:
    async def double(said: Any) -> Any:
        if said == 0:
            raise ServerError("no_seat", seat=3)
        return said * 2

    for end in ends:
        end.links.questions["double"] = double
    first, _ = ends
    assert await first.links.ask("b", "double", 2) == 4
    assert await first.links.ask("a", "double", 2) == 4
    assert await first.links.ask_all("double", 3) == [6, 6]
    assert await first.links.ask_others("double", 3) == [6]
    assert await first.links.ask_all("double", 0) == []
    with pytest.raises(ServerError) as refused:
        await first.links.ask("b", "double", 0)
    assert (refused.value.code, refused.value.details) == ("no_seat", {"seat": 3})
    with pytest.raises(ServerError) as silent:
        await first.links.ask("c", "double", 1, seconds=0.1)
    assert silent.value.code == "links_lost"


@pytest.mark.parametrize("size", [0, 10, 700_000])
async def test_a_request_is_answered_elsewhere(ends: Ends, size: int) -> None:
    first, second = ends
    second.carrying.app = echo
    client = Client({"type": "http.request", "body": b"x" * size, "more_body": False})
    await client.carried(first, ASKED)
    start, *bodies = client.told
    assert (start["status"], start["headers"]) == (200, [(b"a", b"\xff")])
    sent = b"".join(body.get("body", b"") for body in bodies)
    assert sent == b"x" * (2 * min(size, 512 * 1024))  # ``echo`` takes one message
    await until(lambda: not len(first.carrying) + len(second.carrying))


async def test_a_socket_is_served_elsewhere(ends: Ends) -> None:
    first, second = ends
    second.carrying.app = echo
    client = talking()
    task = client.carried(first, SOCKET)
    for text in ("卓", "b", "end"):
        client.say(text)
    await task
    assert (client.texts, client.closed) == (["卓", "b"], [4000])
    await until(lambda: not len(first.carrying) + len(second.carrying))


async def test_a_client_that_goes_away_is_missed(ends: Ends) -> None:
    first, second = ends
    second.carrying.app = echo
    client = talking()
    task = client.carried(first, SOCKET)
    await until(lambda: bool(client.told))
    client._said.put_nowait({"type": "websocket.disconnect", "code": 1001})
    await task
    await until(lambda: not len(first.carrying) + len(second.carrying))


async def test_messages_that_come_twice_have_no_second_effect(ends: Ends) -> None:
    served: list[Scope] = []

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        served.append(scope)
        await echo(scope, receive, send)

    first, second = ends
    second.carrying.app = counted
    for end in ends:
        end.change(lambda data: [data, data])
    client = talking()
    task = client.carried(first, SOCKET)
    for text in ("a", "b", "end"):
        client.say(text)
    await task
    assert (client.texts, client.closed, len(served)) == (["a", "b"], [4000], 1)


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
async def test_after_a_lost_message_a_socket_connects_again(ends: Ends, at: int, number: int) -> None:
    first, second = ends
    second.carrying.app = echo
    seen = 0

    def lose(data: bytes) -> list[bytes]:
        nonlocal seen
        if b" line " not in data:
            return [data]
        seen += 1
        return [] if seen == number + 1 else [data]

    ends[at].change(lose)
    client = talking()
    task = client.carried(first, SOCKET)
    for text in ("a", "b", "c", "d"):
        client.say(text)
        await asyncio.sleep(0.02)
    if seen > number:
        await asyncio.wait_for(task, 10)
        assert client.closed == [carrying.AGAIN]
        assert client.texts == ["a", "b", "c", "d"][: len(client.texts)]
        await until(lambda: not len(first.carrying) + len(second.carrying))
    else:
        task.cancel()


async def lost_process(first: End, second: End) -> None:
    await second.end()
    first.carrying.keep([])


async def lost_messages(first: End, second: End) -> None:
    second.links.messages.note_loss()


@pytest.mark.parametrize("lose", [lost_process, lost_messages])
async def test_what_is_lost_is_said(ends: Ends, lose: Callable[[End, End], Awaitable[None]]) -> None:
    first, second = ends
    waiting = asyncio.Event()

    async def silent(scope: Scope, receive: Receive, send: Send) -> None:
        while "disconnect" not in (await receive())["type"]:
            waiting.set()

    second.carrying.app = silent
    client, asking = talking(), Client({"type": "http.request", "body": b"", "more_body": False})
    tasks = client.carried(first, SOCKET), asking.carried(first, ASKED)
    await waiting.wait()
    await lose(first, second)
    await tasks[0]
    assert client.closed == [carrying.AGAIN]
    with pytest.raises(ServerError) as refused:
        await tasks[1]
    assert refused.value.code == "table_moved"


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"role": "gateway"}, "role_alone"),
        ({"role": "tables", "nats": ""}, "role_alone"),
        ({"nats": "nats://127.0.0.1", "database_url": ""}, "nats_without_postgres"),
        *(
            ({"nats": url, "database_url": "postgresql://a@b/c"}, "nats_open")
            for url in (
                "nats://nats:4222",
                "tls://nats:4222",
                "nats",
                "nats://0.0.0.0",
                "nats://[2001:db8::1]",
                "nats://",
                "nats://localhost,nats://other",
                "nats://localhost.example.org",
                "nats://127.0.0.1.example.org",
            )
        ),
    ],
)
async def test_what_cannot_be_a_site_is_refused(tmp_path: Path, settings: dict[str, str], code: str) -> None:
    with pytest.raises(RequestError) as refused:
        Services(quick(tmp_path, **settings))
    assert refused.value.code == code


@pytest.mark.slow
async def test_a_nats_that_cannot_be_reached_is_named_without_its_password() -> None:
    messages = NatsMessages("nats://jantaku:secret@127.0.0.1:1")
    messages.use_key(b"k")
    with pytest.raises(RequestError) as refused:
        await messages.start()
    assert refused.value.code == "nats_unreachable"
    assert "127.0.0.1:1" in str(refused.value)
    assert "secret" not in str(refused.value)

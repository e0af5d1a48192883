"""ASGI scopes and messages as bytes, so that a request or a socket can go on in another process."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from starlette.types import Message, Scope

from jantaku.server.edge.request_guard import MARKS
from jantaku.server.processes.messages import MOST_PAYLOAD

SCOPE: Final = (
    *("type", "http_version", "scheme", "method", "path", "root_path", "client", "server", "subprotocols"),
    *("raw_path", "query_string", "headers", MARKS),
)
SECRET: Final = (b"cookie", b"authorization")  # headers that stay in the process that a browser reaches
IN_BYTES: Final = ("raw_path", "query_string")
RAW: Final = ("text", "bytes", "body")  # what a message carries; all else is its head


def _plain(kind: str) -> bytes:
    """The head of a text of a socket, the same for each."""
    return f'["text",{{"type":"{kind}"}}]\n'.encode()


TOLD: Final = _plain("websocket.send")
TEXTS: Final = {_plain(kind): kind for kind in ("websocket.send", "websocket.receive")}


def packed_scope(scope: Scope) -> bytes:
    """Who asks for what, in a request or at the opening of a socket."""
    headers = [pair for pair in scope["headers"] if pair[0].lower() not in SECRET]
    said = {**scope, "headers": headers}
    return _packed({name: said[name] for name in SCOPE if said.get(name) is not None})


def scope_of(data: bytes) -> Scope:
    """The opposite of ``packed_scope``."""
    return {"asgi": {"version": "3.0"}, "state": {}, "root_path": "", MARKS: {}} | _unpacked(data)


def packed(message: Message) -> Iterator[bytes]:
    """A message, in several if its body is large."""
    body = message.get("body", b"")
    while len(body) > MOST_PAYLOAD:
        yield _packed({**message, "body": body[:MOST_PAYLOAD], "more_body": True})
        body = body[MOST_PAYLOAD:]
    yield _packed({**message, "body": body} if body else message)


def packed_text(text: str) -> bytes:
    """A text that a socket is told, as ``packed``."""
    return TOLD + text.encode()


def message_of(data: bytes) -> Message:
    """The opposite of ``packed``, of one part."""
    for head, kind in TEXTS.items():
        if data.startswith(head):
            return {"type": kind, "text": data[len(head) :].decode()}
    return _unpacked(data)


def is_last(message: Message) -> bool:
    """Whether the application has nothing more to say after this."""
    if message["type"] == "http.response.body":
        return not message.get("more_body", False)
    return bool(message["type"] == "websocket.close")


def _packed(values: Mapping[str, Any]) -> bytes:
    raw = next((name for name in RAW if values.get(name) is not None), "")
    head = {name: value for name, value in values.items() if name not in RAW}
    for name in IN_BYTES:
        if name in head:
            head[name] = head[name].decode("latin-1")
    if "headers" in head:
        head["headers"] = [[part.decode("latin-1") for part in pair] for pair in head["headers"]]
    tail = values[raw] if raw else b""
    said = json.dumps([raw, head], separators=(",", ":")).encode()
    return said + b"\n" + (tail.encode() if isinstance(tail, str) else bytes(tail))


def _unpacked(data: bytes) -> dict[str, Any]:
    said, _, tail = data.partition(b"\n")
    raw, fields = json.loads(said)
    for name in IN_BYTES:
        if name in fields:
            fields[name] = fields[name].encode("latin-1")
    if "headers" in fields:
        fields["headers"] = [
            (key.encode("latin-1"), value.encode("latin-1")) for key, value in fields["headers"]
        ]
    if raw:
        fields[raw] = tail.decode() if raw == "text" else tail
    return dict(fields)

"""Several messages to one process as one, in which a body that many of them have is there once."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from jantaku.server.processes.messages import MOST_PAYLOAD

Part = tuple[str, bytes]  # the head and the body of a message
BUNDLE: Final = b"\0"  # no head begins so


def bundles(parts: Sequence[Part]) -> Iterator[bytes]:
    r"""All messages in their order, in bundles that are not too large.

    >>> shared = b"x" * 10
    >>> [len(data) for data in bundles([("a", shared), ("b", shared)])]
    [31]
    >>> list(bundles([("a", b"1")]))
    [b'a\n1']
    """
    if len(parts) == 1:
        head, body = parts[0]
        yield head.encode() + b"\n" + body
        return
    some: list[Part] = []
    size = 0
    for part in parts:
        size += len(part[0]) + len(part[1])
        if size > MOST_PAYLOAD and some:
            yield _bundle(some)
            some, size = [], len(part[0]) + len(part[1])
        some.append(part)
    yield _bundle(some)


def _bundle(parts: Sequence[Part]) -> bytes:
    bodies: dict[bytes, int] = {}
    indexes = [bodies.setdefault(body, len(bodies)) for _, body in parts]
    head = json.dumps(
        ["\n".join(head for head, _ in parts), indexes, [*map(len, bodies)]], separators=(",", ":")
    )
    return BUNDLE + head.encode() + b"\n" + b"".join(bodies)


def parts_of(data: bytes) -> Iterator[Part]:
    """The messages of a bundle, or the single one.

    >>> parts = [("a", b"1"), ("b", b""), ("c", b"1")]
    >>> [*parts_of(*bundles(parts))] == parts
    True
    """
    head, _, rest = data.partition(b"\n")
    if not head.startswith(BUNDLE):
        yield head.decode(), rest
        return
    heads, indexes, sizes = json.loads(head[len(BUNDLE) :])
    bodies, begin = list[bytes](), 0
    for size in sizes:
        bodies.append(rest[begin : begin + size])
        begin += size
    for name, index in zip(heads.split("\n"), indexes, strict=True):
        yield name, bodies[index]

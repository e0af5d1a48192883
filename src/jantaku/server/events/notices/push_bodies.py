"""Request and response bodies about notifications."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.outgoing_requests import MOST_URL
from jantaku.server.edge.wire import Wire
from jantaku.terms import Language

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+={0,2}$")]


class PushBody(Wire):
    """Where the notifications of this browser go, as its ``PushManager`` says."""

    endpoint: Annotated[str, Field(max_length=MOST_URL)]
    p256dh: Annotated[Key, Field(max_length=120)]
    auth: Annotated[Key, Field(max_length=40)]


class PushInfo(Wire):
    """The language in which this browser gets notifications, and the ``key`` for its ``PushManager``.

    ``language``: ``None`` if it gets none.
    """

    on: bool
    key: str
    language: Language | None

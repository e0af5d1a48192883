"""Request and response bodies of webhooks."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.server.outgoing import MOST_URL
from jantaku.server.wire import Wire

NewsKind = Literal["seating", "start", "correction", "penalty"]


class SetWebhook(Wire):
    """Where the news of an event go; the answer has the secret, which is never shown again."""

    url: Annotated[str, Field(min_length=1, max_length=MOST_URL)]
    kinds: Annotated[list[NewsKind], Field(min_length=1, max_length=4)]


class DeliveryInfo(Wire):
    """A piece of news: ``error`` says in a word why it has not arrived; ``next`` when it is sent again."""

    number: int
    kind: str
    at: str
    state: Literal["waiting", "arrived", "failed"]
    tries: int
    status: int | None
    error: str
    next: str | None


class WebhookInfo(Wire):
    """The webhook of an event: of its address only the ``host``, since the rest may be a secret."""

    host: str | None
    kinds: list[NewsKind]
    deliveries: list[DeliveryInfo]


class WebhookMade(WebhookInfo):
    """A webhook that was just set, with the secret that signs what it is told."""

    secret: str

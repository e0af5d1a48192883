"""Request and response bodies of webhooks."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.server.edge.outgoing import MOST_URL
from jantaku.server.edge.setting_version import Version
from jantaku.server.edge.wire import Wire

NewsKind = Literal["seating", "start", "correction", "penalty"]


class SetWebhook(Wire):
    """Where the news of an event go; the answer has the secret, which is never shown again.

    With the ``version`` that was read, a webhook that somebody has set meanwhile is not replaced.
    """

    url: Annotated[str, Field(min_length=1, max_length=MOST_URL)]
    kinds: Annotated[list[NewsKind], Field(min_length=1, max_length=4)]
    version: Version | None = None


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
    """The webhook of an event: of its address only the ``host``, since the rest may be a secret.

    ``version`` stands for it as it is, or for the lack of one.
    """

    host: str | None
    kinds: list[NewsKind]
    version: str
    deliveries: list[DeliveryInfo]


class WebhookMade(WebhookInfo):
    """A webhook that was just set, with the secret that signs what it is told."""

    secret: str

"""Request and response bodies of webhooks."""

from typing import Annotated, Literal, get_args

from pydantic import Field

from jantaku.server.edge.outgoing_requests import MOST_URL
from jantaku.server.edge.wire import Wire
from jantaku.server.events.notices.chat_formats import ChatFormat
from jantaku.terms import Language

NewsKind = Literal["seating", "start", "result", "standings", "correction", "penalty", "call"]


class AddWebhook(Wire):
    """Where news of an event go, in whose format and in which language; ``chat`` is for Telegram."""

    url: Annotated[str, Field(min_length=1, max_length=MOST_URL)]
    kinds: Annotated[list[NewsKind], Field(min_length=1, max_length=len(get_args(NewsKind)))]
    format: ChatFormat = "jantaku"
    language: Language = "en"
    chat: Annotated[str, Field(max_length=64, pattern=r"^(-?\d{1,20}|@\w{4,32})?$")] = ""


class SendNow(Wire):
    """What a webhook is told now: that it works, or the standings."""

    kind: Literal["test", "standings"]


class DeliveryInfo(Wire):
    """A piece of news: ``error`` says in a word why it has not arrived; ``next`` when it is sent again."""

    number: int
    webhook: str
    kind: str
    at: str
    state: Literal["waiting", "arrived", "failed"]
    tries: int
    status: int | None
    error: str
    next: str | None


class WebhookInfo(Wire):
    """A webhook: of its address only the ``host``, since the rest may be a secret."""

    id: str
    host: str
    format: ChatFormat
    language: Language
    kinds: list[NewsKind]


class WebhookList(Wire):
    """The webhooks of an event and its newest deliveries."""

    webhooks: list[WebhookInfo]
    deliveries: list[DeliveryInfo]


class WebhookMade(WebhookList):
    """A webhook that was just added; in our own format the ``secret`` signs what it is told."""

    secret: str

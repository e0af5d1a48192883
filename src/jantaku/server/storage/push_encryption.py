"""Keys and encryption of notifications (Web Push: RFC 8291 and 8292).

The library is loaded when somebody first wants notifications, so that a server starts without it.
"""

# ruff: noqa: PLC0415

from dataclasses import dataclass, field
from typing import Final

KEPT_S: Final = 4 * 3600  # how long a push service keeps news for a browser that is off


@dataclass(frozen=True)
class PushKeys:
    """The pair of keys by which push services know this server; PEM."""

    private: str = field(repr=False)
    public: str


@dataclass(frozen=True)
class PushAddress:
    """Where a browser takes messages, and the keys that only it can read with."""

    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)


def new_keys() -> PushKeys:
    """A new pair."""
    from webpush.vapid import VAPID

    private, public, _ = VAPID.generate_keys()
    return PushKeys(private.decode(), public.decode())


def application_key(keys: PushKeys) -> str:
    """The public key in the form that a browser's ``PushManager`` takes."""
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from webpush.vapid import VAPID

    return str(VAPID.get_application_server_key(load_pem_public_key(keys.public.encode())))


def check(to: PushAddress) -> None:
    """Raise ``ValueError`` if the keys of a browser are none."""
    encrypted(new_keys(), to, "", "nobody@localhost")


def encrypted(
    keys: PushKeys, to: PushAddress, text: str, who: str, kept_s: int = KEPT_S
) -> tuple[bytes, dict[str, str]]:
    """A message that only this browser can read, and the headers of the request.

    ``who`` is the mail address that the push service may write to, ``kept_s`` how long it keeps the message.
    Raises ``ValueError`` for keys that are none.
    """
    from webpush import WebPush, WebPushSubscription
    from webpush.types import WebPushKeys

    pusher = WebPush(keys.private.encode(), keys.public.encode(), who, ttl=kept_s)
    keys_of_browser = WebPushKeys(auth=to.auth, p256dh=to.p256dh)
    message = pusher.get(text, WebPushSubscription(endpoint=to.endpoint, keys=keys_of_browser))
    headers = {"content-type": "application/octet-stream", "urgency": "high"}
    return message.encrypted, {**message.headers, **headers}

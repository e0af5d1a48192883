"""Stored push subscriptions of browsers, and the encryption of push messages."""

import asyncio
from collections.abc import Sequence
from typing import Final

from sqlalchemy import ForeignKey, String, delete, insert, select
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.processes.links import Links
from jantaku.server.storage.base import Milliseconds, Name, SmallNumber, StoredRow, read_rows
from jantaku.server.storage.people import hashed
from jantaku.server.storage.sign_in import SessionRow
from jantaku.server.storage.store import RowPresence, Store, now_ms
from jantaku.terms import Language

# ruff: noqa: PLC0415


TTL_S: Final = 4 * 3600  # how long a push service stores a message for an offline browser


class PushKeys(StoredRow):
    """The VAPID key pair that identifies this server to push services, as PEM."""

    __tablename__ = "push_keys"

    private: Mapped[str] = mapped_column(repr=False)
    public: Mapped[str]
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)
    id: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False, default=1)  # a single row


class PushDevice(StoredRow):
    """The push subscription of a browser, deleted together with its session.

    ``session`` is the hash of the session's token. ``p256dh`` and ``auth`` are the browser's encryption keys.
    The endpoint is a secret: anyone who knows it can send messages to the browser.
    """

    __tablename__ = "push_devices"

    session: Mapped[Name] = mapped_column(
        ForeignKey("sessions.token", ondelete="CASCADE"), primary_key=True, repr=False
    )
    endpoint: Mapped[str] = mapped_column(repr=False)
    p256dh: Mapped[str] = mapped_column(String(120), repr=False)
    auth: Mapped[str] = mapped_column(String(40), repr=False)
    language: Mapped[Language] = mapped_column(String(2))
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)
    person: str = ""


def new_keys() -> PushKeys:
    """Generate a VAPID key pair."""
    from webpush.vapid import VAPID

    private, public, _ = VAPID.generate_keys()
    return PushKeys(private.decode(), public.decode())


def application_key(keys: PushKeys) -> str:
    """Return the public key in the format of a browser's ``PushManager``."""
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from webpush.vapid import VAPID

    return str(VAPID.get_application_server_key(load_pem_public_key(keys.public.encode())))


def check(to: PushDevice) -> None:
    """Raise ``ValueError`` if the keys of a browser are invalid."""
    encrypted(new_keys(), to, "", "nobody@localhost")


def encrypted(
    keys: PushKeys, to: PushDevice, text: str, contact: str, ttl_s: int = TTL_S
) -> tuple[bytes, dict[str, str]]:
    """Encrypt a message for one browser; return the request body and headers.

    ``contact`` is a mail address for the operator of the push service, and ``ttl_s`` the time for which the
    service stores the message. Raises ``ValueError`` for invalid keys.
    """
    from webpush import WebPush, WebPushSubscription
    from webpush.types import WebPushKeys

    pusher = WebPush(keys.private.encode(), keys.public.encode(), contact, ttl=ttl_s)
    browser_keys = WebPushKeys(auth=to.auth, p256dh=to.p256dh)
    message = pusher.get(text, WebPushSubscription(endpoint=to.endpoint, keys=browser_keys))
    headers = {"content-type": "application/octet-stream", "urgency": "high"}
    return message.encrypted, {**message.headers, **headers}


class PushStore:
    """Reads and writes push subscriptions."""

    def __init__(self, store: Store, links: Links) -> None:
        self._store = store
        self.devices = RowPresence(store, links, PushDevice)

    async def keys(self) -> PushKeys:
        """Return the server's key pair; it is created on first use."""
        keys = await self._store.one(select(PushKeys))
        if keys is not None:
            return keys
        created = await asyncio.to_thread(new_keys)
        async with self._store.exclusive() as connection:
            for keys in await read_rows(connection, select(PushKeys)):
                return keys
            await connection.execute(insert(PushKeys).values(created.values()))
        return created

    async def language(self, token: str) -> Language | None:
        """Return the language of a browser's notifications; ``None`` if it has no subscription."""
        device = await self._store.one(select(PushDevice).where(PushDevice.session == hashed(token)))
        return None if device is None else device.language

    async def save(self, device: PushDevice) -> None:
        """Store a subscription, replacing those with the same session or endpoint."""
        async with self._store.exclusive() as connection:
            same = (PushDevice.session == device.session) | (PushDevice.endpoint == device.endpoint)
            await connection.execute(delete(PushDevice).where(same))
            await connection.execute(insert(PushDevice).values(device.values()))
        self.devices.announce_added()

    async def remove(self, token: str) -> None:
        """Delete the subscription of the browser with this session token."""
        await self.forget(hashed(token))

    async def forget(self, session: str) -> None:
        """Delete a subscription by the hash of its session token."""
        await self._store.write(delete(PushDevice).where(PushDevice.session == session))

    async def of(self, people: Sequence[str]) -> list[PushDevice]:
        """Return the subscriptions of these people whose sessions have not expired."""
        query = select(PushDevice, SessionRow.person)
        query = query.join(SessionRow, SessionRow.token == PushDevice.session)
        query = query.where(SessionRow.person.in_(people), SessionRow.expires >= now_ms())
        return [PushDevice(*row) for row in await self._store.rows(query)]

"""Browsers that want notifications, in the database."""

import asyncio
from collections.abc import Sequence
from typing import Final

from sqlalchemy import ForeignKey, String, delete, insert, select
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.processes.links import Links
from jantaku.server.storage.base import Milliseconds, Name, SmallNumber, StoredRow, read_rows
from jantaku.server.storage.people import hashed
from jantaku.server.storage.sign_in import SessionRow
from jantaku.server.storage.store import AnyRow, Store, now_ms
from jantaku.terms import Language

# ruff: noqa: PLC0415


KEPT_S: Final = 4 * 3600  # how long a push service keeps news for a browser that is off


class PushKeys(StoredRow):
    """The pair of keys by which push services know this server; PEM."""

    __tablename__ = "push_keys"

    private: Mapped[str] = mapped_column(repr=False)
    public: Mapped[str]
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)
    id: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False, default=1)  # the only one


class PushDevice(StoredRow):
    """A browser that gets news as long as its session lasts, and the keys that only it can read with.

    ``session`` is the hash of the session's token. Whoever knows the endpoint can write to the browser.
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
    """A new pair."""
    from webpush.vapid import VAPID

    private, public, _ = VAPID.generate_keys()
    return PushKeys(private.decode(), public.decode())


def application_key(keys: PushKeys) -> str:
    """The public key in the form that a browser's ``PushManager`` takes."""
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from webpush.vapid import VAPID

    return str(VAPID.get_application_server_key(load_pem_public_key(keys.public.encode())))


def check(to: PushDevice) -> None:
    """Raise ``ValueError`` if the keys of a browser are none."""
    encrypted(new_keys(), to, "", "nobody@localhost")


def encrypted(
    keys: PushKeys, to: PushDevice, text: str, who: str, kept_s: int = KEPT_S
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


class PushStore:
    """Reads and changes them."""

    def __init__(self, store: Store, links: Links) -> None:
        self._store = store
        self.devices = AnyRow(store, links, PushDevice)

    async def keys(self) -> PushKeys:
        """The server's keys, made when somebody first asks for them."""
        keys = await self._store.one(select(PushKeys))
        if keys is not None:
            return keys
        made = await asyncio.to_thread(new_keys)
        async with self._store.counting() as connection:
            for keys in await read_rows(connection, select(PushKeys)):
                return keys
            await connection.execute(insert(PushKeys).values(made.values()))
        return made

    async def language(self, token: str) -> Language | None:
        """The language in which the browser with this session wants news; ``None`` if it wants none."""
        device = await self._store.one(select(PushDevice).where(PushDevice.session == hashed(token)))
        return None if device is None else device.language

    async def save(self, device: PushDevice) -> None:
        """Send news to a browser from now on, in place of what it said before."""
        async with self._store.counting() as connection:
            same = (PushDevice.session == device.session) | (PushDevice.endpoint == device.endpoint)
            await connection.execute(delete(PushDevice).where(same))
            await connection.execute(insert(PushDevice).values(device.values()))
        self.devices.added()

    async def remove(self, token: str) -> None:
        """Send it no more news."""
        await self.forget(hashed(token))

    async def forget(self, session: str) -> None:
        """Forget a browser that no longer takes news; ``session`` is the hash of its session's token."""
        await self._store.write(delete(PushDevice).where(PushDevice.session == session))

    async def of(self, people: Sequence[str]) -> list[PushDevice]:
        """The browsers of these people whose sessions have not expired."""
        query = select(PushDevice, SessionRow.person)
        query = query.join(SessionRow, SessionRow.token == PushDevice.session)
        query = query.where(SessionRow.person.in_(people), SessionRow.expires >= now_ms())
        return [PushDevice(*row) for row in await self._store.rows(query)]

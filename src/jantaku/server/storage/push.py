"""Browsers that want notifications, in the database."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.processes.links import Links
from jantaku.server.storage.people import hashed
from jantaku.server.storage.schema import push_devices, push_keys, sessions
from jantaku.server.storage.store import AnyRow, Store, now_ms
from jantaku.terms import Language

# ruff: noqa: PLC0415


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


KEYS_ID: Final = 1


class PushDevice(NamedTuple):
    """A browser of a person; ``session`` is the hash of its session's token."""

    session: str
    person: str
    language: Language
    address: PushAddress


class PushStore:
    """Reads and changes them."""

    def __init__(self, store: Store, links: Links) -> None:
        self._store = store
        self.devices = AnyRow(store, links, push_devices)

    async def keys(self) -> PushKeys:
        """The server's keys, made when somebody first asks for them."""
        async with self._store.reading() as connection:
            keys = await _keys(connection)
        if keys is not None:
            return keys
        made = await asyncio.to_thread(new_keys)
        async with self._store.counting() as connection:
            keys = await _keys(connection)
            if keys is not None:
                return keys
            values = {"id": KEYS_ID, "created": now_ms(), **asdict(made)}
            await connection.execute(insert(push_keys).values(values))
        return made

    async def language(self, token: str) -> Language | None:
        """The language in which the browser with this session wants news; ``None`` if it wants none."""
        query = select(push_devices.c.language).where(push_devices.c.session == hashed(token))
        row = await self._store.first(query)
        return None if row is None else row.language

    async def save(self, token: str, address: PushAddress, language: Language) -> None:
        """Send news to the browser with this session from now on, in place of what it said before."""
        session = hashed(token)
        async with self._store.counting() as connection:
            same = (push_devices.c.session == session) | (push_devices.c.endpoint == address.endpoint)
            await connection.execute(delete(push_devices).where(same))
            values = {"session": session, "language": language, "created": now_ms(), **asdict(address)}
            await connection.execute(insert(push_devices).values(values))
        self.devices.added()

    async def remove(self, token: str) -> None:
        """Send it no more news."""
        await self.forget(hashed(token))

    async def forget(self, session: str) -> None:
        """Forget a browser that no longer takes news; ``session`` is the hash of its session's token."""
        await self._store.write(delete(push_devices).where(push_devices.c.session == session))

    async def of(self, people: Sequence[str]) -> list[PushDevice]:
        """The browsers of these people whose sessions have not expired."""
        query = select(push_devices, sessions.c.person)
        query = query.join(sessions, sessions.c.token == push_devices.c.session)
        query = query.where(sessions.c.person.in_(people), sessions.c.expires >= now_ms())
        rows = await self._store.rows(query)
        return [
            PushDevice(row.session, row.person, row.language, PushAddress(row.endpoint, row.p256dh, row.auth))
            for row in rows
        ]


async def _keys(connection: AsyncConnection) -> PushKeys | None:
    row = (await connection.execute(select(push_keys.c.private, push_keys.c.public))).first()
    return None if row is None else PushKeys(*row)

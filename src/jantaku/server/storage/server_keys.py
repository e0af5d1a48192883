"""Secret keys of the server that all processes of its database share."""

import hmac
import secrets
from typing import Final

from sqlalchemy import insert, select

from jantaku.server.storage.schema import server_keys
from jantaku.server.storage.store import Store

BYTES: Final = 32
SIGNING: Final = "signing"  # signs what processes of a site send each other
ONE_TIMES: Final = "one_times"  # for the hashes of what is sent by mail
WAYS: Final = "ways"  # for the hashes of mail addresses, recovery codes and people at an OpenID provider
GUESTS: Final = "guests"  # for the hashes of names that guests have had


async def server_key(store: Store, name: str) -> bytes:
    """The key of this name, made at its first use."""
    query = select(server_keys.c.key).where(server_keys.c.name == name)
    found = await store.value(query)
    if found is None:
        async with store.counting() as connection:
            found = (await connection.execute(query)).scalar()
            if found is None:
                found = secrets.token_hex(BYTES)
                await connection.execute(insert(server_keys).values(name=name, key=found))
    return bytes.fromhex(found)


async def keyed(store: Store, name: str, text: str) -> str:
    """The stored hash of a text that could be guessed: without the key of this name no guess can be tried."""
    return hmac.digest(await server_key(store, name), text.encode(), "sha256").hex()

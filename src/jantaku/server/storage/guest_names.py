"""Names that no two people share: nobody looks like a guest, not even like one who is gone.

A guest's name is stored as a keyed hash, as its guest may have been erased and names can be guessed.
"""

import hmac
from collections.abc import Callable

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.names import numbered, skeleton
from jantaku.server.storage.schema import guest_names, names
from jantaku.server.storage.server_keys import GUESTS, server_key
from jantaku.server.storage.store import Store

Marks = Callable[[str], str]


async def guest_marks(store: Store) -> Marks:
    """The stored mark of a name. Get it before a transaction that uses it: the key may have to be made."""
    key = await server_key(store, GUESTS)
    return lambda name: hmac.digest(key, skeleton(name).encode(), "sha256").hex()


async def unused_name(connection: AsyncConnection, name: str, marks: Marks) -> str:
    """The name itself the first time that a guest wants it, else with the next number; it is taken then."""
    number = await _given(connection, name, marks)
    free = numbered(name, number + 1)
    while number and await _is_known(connection, free, marks):
        number += 1
        free = numbered(name, number + 1)
    if number:
        taken = update(guest_names).where(guest_names.c.mark == marks(name))
        await connection.execute(taken.values(given=number + 1))
    await connection.execute(insert(guest_names).values(mark=marks(free), given=1))
    return free


async def unlike_guests(connection: AsyncConnection, name: str, marks: Marks) -> str:
    """The name for an account: with a number if a guest has had it or one that looks the same."""
    return await unused_name(connection, name, marks) if await _given(connection, name, marks) else name


async def _given(connection: AsyncConnection, name: str, marks: Marks) -> int:
    """The highest number that has been given with a name; 0 if nobody has had it."""
    query = select(guest_names.c.given).where(guest_names.c.mark == marks(name))
    return int((await connection.execute(query)).scalar() or 0)


async def _is_known(connection: AsyncConnection, name: str, marks: Marks) -> bool:
    """Whether a guest has had a name, or an account has it."""
    account = select(names.c.person).where(names.c.skeleton == skeleton(name))
    return (
        bool(await _given(connection, name, marks)) or (await connection.execute(account)).first() is not None
    )

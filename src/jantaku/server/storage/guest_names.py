"""Names that no two people share: nobody looks like a guest, not even like one who is gone."""

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.names import mark_of, numbered, skeleton
from jantaku.server.storage.schema import guest_names, names


async def unused_name(connection: AsyncConnection, name: str) -> str:
    """The name itself the first time that a guest wants it, else with the next number; it is taken then."""
    number = await _given(connection, name)
    free = numbered(name, number + 1)
    while number and await _is_known(connection, free):
        number += 1
        free = numbered(name, number + 1)
    if number:
        taken = update(guest_names).where(guest_names.c.mark == mark_of(name))
        await connection.execute(taken.values(given=number + 1))
    await connection.execute(insert(guest_names).values(mark=mark_of(free), given=1))
    return free


async def unlike_guests(connection: AsyncConnection, name: str) -> str:
    """The name for an account: with a number if a guest has had it or one that looks the same."""
    return await unused_name(connection, name) if await _given(connection, name) else name


async def _given(connection: AsyncConnection, name: str) -> int:
    """The highest number that has been given with a name; 0 if nobody has had it."""
    query = select(guest_names.c.given).where(guest_names.c.mark == mark_of(name))
    return int((await connection.execute(query)).scalar() or 0)


async def _is_known(connection: AsyncConnection, name: str) -> bool:
    """Whether a guest has had a name, or an account has it."""
    account = select(names.c.person).where(names.c.skeleton == skeleton(name))
    return bool(await _given(connection, name)) or (await connection.execute(account)).first() is not None

"""Recovery codes: each sets a new password once. Stored as keyed hashes only."""

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, select, update

from jantaku.server.storage.accounts import end_all
from jantaku.server.storage.schema import people, recovery_codes
from jantaku.server.storage.server_keys import WAYS, keyed
from jantaku.server.storage.sign_in_schema import end_ways
from jantaku.server.storage.store import OverStore


class RecoveryStore(OverStore):
    """All recovery codes."""

    async def left(self, person: str) -> int:
        """How many unused codes a person has."""
        query = select(func.count()).select_from(recovery_codes).where(recovery_codes.c.person == person)
        return int(await self._store.value(query))

    async def replace(self, person: str, codes: Sequence[str]) -> None:
        """Give a person new codes; the ones before stop working."""
        rows = [{"code": await keyed(self._store, WAYS, code), "person": person} for code in codes]
        async with self._store.counting() as connection:
            await connection.execute(delete(recovery_codes).where(recovery_codes.c.person == person))
            await connection.execute(insert(recovery_codes), rows)

    async def use(self, person: str, code: str, password: str) -> bool:
        """Set a new password by a code and end all sessions and links; whether there was such a code."""
        mark = await keyed(self._store, WAYS, code)
        mine = (recovery_codes.c.code == mark) & (recovery_codes.c.person == person)
        async with self._store.writing() as connection:
            if not (await connection.execute(delete(recovery_codes).where(mine))).rowcount:
                return False
            await connection.execute(update(people).where(people.c.id == person).values(password=password))
            await end_ways(connection, person)
            await end_all(connection, person)
        return True

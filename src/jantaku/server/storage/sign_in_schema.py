"""The tables of the ways into an account besides its password; secrets and addresses are hashes only."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, String, Table, Text, delete
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.schema import METADATA


def _person(*, primary_key: bool = False) -> Column[str]:
    owner = ForeignKey("people.id", ondelete="CASCADE")
    return Column("person", String(16), owner, nullable=False, primary_key=primary_key, index=not primary_key)


mail_addresses: Final = Table(  # to which a new password may be sent
    "mail_addresses",
    METADATA,
    _person(primary_key=True),
    Column("address", String(64), nullable=False, index=True),  # HMAC-SHA-256 with a key of ``server_keys``
)

passkeys: Final = Table(
    "passkeys",
    METADATA,
    Column("id", String(64), primary_key=True),  # SHA-256 of what the browser calls it
    _person(),
    Column("key", LargeBinary, nullable=False),  # the public one
    Column("uses", Integer, nullable=False),  # as the device counts them
    Column("name", String(40), nullable=False),  # browser and system
    Column("created", BigInteger, nullable=False),
)

identities: Final = Table(  # people at the OpenID provider
    "identities",
    METADATA,
    Column("mark", String(64), primary_key=True),  # HMAC-SHA-256 of the provider and the subject
    _person(),
    Column("created", BigInteger, nullable=False),
)

one_times: Final = Table(  # what may be shown once, within minutes or hours
    "one_times",
    METADATA,
    Column("token", String(64), primary_key=True),  # HMAC-SHA-256 with a key of ``server_keys``
    Column("kind", String(12), nullable=False),
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), index=True),
    Column("data", Text, nullable=False),  # JSON
    Column("expires", BigInteger, nullable=False, index=True),
)
WAYS: Final = (mail_addresses, passkeys, identities, one_times)


async def end_ways(connection: AsyncConnection, person: str, but: Table | None = None) -> None:
    """Delete all ways into an account besides passwords, recovery codes and the table ``but``."""
    for table in WAYS:
        if table is not but:
            await connection.execute(delete(table).where(table.c.person == person))

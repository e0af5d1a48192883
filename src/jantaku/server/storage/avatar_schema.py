"""The tables of people's pictures."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, LargeBinary, String, Table, delete, or_
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.schema import METADATA

avatars: Final = Table(
    "avatars",
    METADATA,
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("picture", LargeBinary),  # WebP; NULL once somebody has removed it for its content
    Column("mark", String(16), nullable=False),  # of the picture, from its SHA-256
    Column("since", BigInteger, nullable=False),
)
avatar_reports: Final = Table(  # who has reported a picture
    "avatar_reports",
    METADATA,
    Column("person", String(16), ForeignKey("avatars.person", ondelete="CASCADE"), primary_key=True),
    Column("reporter", String(16), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
)


async def forget_avatars(connection: AsyncConnection, persons: Collection[str]) -> None:
    """Delete the pictures of people who are deleted, and their reports."""
    mine = or_(avatar_reports.c.person.in_(persons), avatar_reports.c.reporter.in_(persons))
    await connection.execute(delete(avatar_reports).where(mine))
    await connection.execute(delete(avatars).where(avatars.c.person.in_(persons)))

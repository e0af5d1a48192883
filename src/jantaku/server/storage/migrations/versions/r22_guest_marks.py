"""Hashes of names that guests have had, with a key of the server."""

import hmac
import secrets

import sqlalchemy as sa
from alembic import op

revision = "r22"
down_revision = "r21"


def upgrade() -> None:
    """Hash each plain hash again with a new key; without any the key is made at its first use."""
    connection, key = op.get_bind(), secrets.token_bytes(32)
    names = sa.table("guest_names", sa.column("mark"))
    marks = connection.execute(sa.select(names.c.mark)).scalars().all()
    if marks:
        keys = sa.table("server_keys", sa.column("name"), sa.column("key"))
        connection.execute(sa.insert(keys).values(name="guests", key=key.hex()))
    for mark in marks:
        keyed = hmac.digest(key, mark.encode(), "sha256").hex()
        connection.execute(sa.update(names).where(names.c.mark == mark).values(mark=keyed))

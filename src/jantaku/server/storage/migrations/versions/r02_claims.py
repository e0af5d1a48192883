"""Cards with which people say that an entry is theirs, and who has said so."""

import secrets

import sqlalchemy as sa
from alembic import op

from jantaku.server.storage.migrations.table_lines import add_columns, add_index, make_table

revision = "r2"
down_revision = "r1"


def upgrade() -> None:
    """Add the table and the column; every entry gets a card."""
    add_columns("event_entries card:16?")
    entries = sa.table("event_entries", *map(sa.column, ("event", "id", "card")))
    rows = op.get_bind().execute(sa.select(entries.c.event, entries.c.id)).all()
    mine = (entries.c.event == sa.bindparam("of")) & (entries.c.id == sa.bindparam("entry"))
    values = [{"of": event, "entry": entry, "new": secrets.token_hex(8)} for event, entry in rows]
    if values:
        op.get_bind().execute(sa.update(entries).where(mine).values(card=sa.bindparam("new")), values)
    make_table(
        "event_claims event:16*>events.id number:int* entry:64 person:16? name:64 how:12 state:12 at:big"
    )
    add_index("event_claims", "person")

"""Cards with which people say that an entry is theirs, and who has said so."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "r2"
down_revision = "r1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column; every entry gets a card."""
    with op.batch_alter_table("event_entries") as table:
        table.add_column(sa.Column("card", sa.String(length=16), nullable=True))
    entries = sa.table("event_entries", *map(sa.column, ("event", "id", "card")))
    rows = op.get_bind().execute(sa.select(entries.c.event, entries.c.id)).all()
    mine = (entries.c.event == sa.bindparam("of")) & (entries.c.id == sa.bindparam("entry"))
    values = [{"of": event, "entry": entry, "new": secrets.token_hex(8)} for event, entry in rows]
    if values:
        op.get_bind().execute(sa.update(entries).where(mine).values(card=sa.bindparam("new")), values)
    op.create_table(
        "event_claims",
        sa.Column("event", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("entry", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=16), nullable=True),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("how", sa.String(length=12), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name="fk_event_claims_event"),
        sa.PrimaryKeyConstraint("event", "number", name="pk_event_claims"),
    )
    op.create_index("ix_event_claims_person", "event_claims", ["person"])


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("event_claims")
    with op.batch_alter_table("event_entries") as table:
        table.drop_column("card")

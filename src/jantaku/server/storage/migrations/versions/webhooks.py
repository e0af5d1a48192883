"""Webhooks of events and their deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

EVENT, TEXT, NUMBER, MS = sa.String(length=16), sa.Text(), sa.Integer(), sa.BigInteger()


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "event_webhooks",
        sa.Column("event", EVENT, nullable=False),
        sa.Column("url", TEXT, nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("kinds", TEXT, nullable=False),
        sa.Column("created", MS, nullable=False),
        sa.PrimaryKeyConstraint("event", name="pk_event_webhooks"),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name="fk_event_webhooks_event"),
    )
    op.create_table(
        "event_deliveries",
        sa.Column("event", EVENT, nullable=False),
        sa.Column("number", NUMBER, nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.Column("at", MS, nullable=False),
        sa.Column("tries", sa.SmallInteger(), nullable=False),
        sa.Column("due", MS, nullable=True),
        sa.Column("done", MS, nullable=True),
        sa.Column("status", NUMBER, nullable=True),
        sa.Column("error", sa.String(length=24), nullable=False),
        sa.PrimaryKeyConstraint("event", "number", name="pk_event_deliveries"),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name="fk_event_deliveries_event"),
    )
    op.create_index("ix_event_deliveries_due", "event_deliveries", ["due"])


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("event_deliveries")
    op.drop_table("event_webhooks")

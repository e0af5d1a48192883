"""Several webhooks for an event, each in the format of a chat and in a language."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "r4"
down_revision = "r3"
branch_labels = None
depends_on = None
NAMES = ("event", "url", "secret", "kinds", "created")


def _columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("event", sa.String(length=16), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
    ]


def _made_again(more: list[sa.Column[Any]], key: list[str], values: dict[str, str]) -> None:
    """Make the table again with its rows; another primary key needs a new table."""
    old = sa.table("event_webhooks", *map(sa.column, NAMES))
    rows = [dict(row._mapping) | values for row in op.get_bind().execute(sa.select(old))]
    op.drop_table("event_webhooks")
    made = op.create_table(
        "event_webhooks",
        *_columns(),
        *more,
        sa.ForeignKeyConstraint(["event"], ["events.id"], name="fk_event_webhooks_event"),
        sa.PrimaryKeyConstraint(*key, name="pk_event_webhooks"),
    )
    if rows:
        op.bulk_insert(made, rows)


def upgrade() -> None:
    """Give each webhook an id; those from before have the same one in each event."""
    more = [
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("format", sa.String(length=12), nullable=False, server_default="jantaku"),
        sa.Column("language", sa.String(length=2), nullable=False, server_default="en"),
        sa.Column("chat", sa.String(length=64), nullable=False, server_default=""),
    ]
    _made_again(more, ["event", "id"], {"id": "first"})
    with op.batch_alter_table("event_deliveries") as table:
        table.add_column(sa.Column("webhook", sa.String(length=16), nullable=False, server_default="first"))


def downgrade() -> None:
    """Keep the webhooks from before alone."""
    op.execute("DELETE FROM event_webhooks WHERE id != 'first'")
    _made_again([], ["event"], {})
    with op.batch_alter_table("event_deliveries") as table:
        table.drop_column("webhook")

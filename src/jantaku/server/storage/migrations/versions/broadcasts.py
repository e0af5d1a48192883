"""The key with which a broadcast of an event shows hands."""

import sqlalchemy as sa
from alembic import op

revision = "r11"
down_revision = "r10"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    with op.batch_alter_table("events") as table:
        table.add_column(sa.Column("broadcast", sa.String(length=32)))


def downgrade() -> None:
    """Remove it again."""
    with op.batch_alter_table("events") as table:
        table.drop_column("broadcast")

"""Who is notified before the daily table."""

import sqlalchemy as sa
from alembic import op

revision = "r6"
down_revision = "r5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody is."""
    with op.batch_alter_table("people") as table:
        table.add_column(sa.Column("reminded", sa.SmallInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Remove it again."""
    with op.batch_alter_table("people") as table:
        table.drop_column("reminded")

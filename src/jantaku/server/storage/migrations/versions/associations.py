"""The country of a player, and their number in an association."""

import sqlalchemy as sa
from alembic import op

revision = "r5"
down_revision = "r4"
branch_labels = None
depends_on = None
LENGTHS = {"country": 2, "association": 16}


def upgrade() -> None:
    """Add the columns."""
    with op.batch_alter_table("event_entries") as table:
        for name, length in LENGTHS.items():
            table.add_column(sa.Column(name, sa.String(length=length), nullable=False, server_default=""))


def downgrade() -> None:
    """Remove them again."""
    with op.batch_alter_table("event_entries") as table:
        for name in LENGTHS:
            table.drop_column(name)

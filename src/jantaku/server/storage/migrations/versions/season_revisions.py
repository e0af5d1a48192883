"""A revision of each season, so that two organisers do not overwrite each other."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; every season that exists is at its first revision."""
    with op.batch_alter_table("seasons") as table:
        table.add_column(sa.Column("revision", sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    """Remove it again."""
    with op.batch_alter_table("seasons") as table:
        table.drop_column("revision")

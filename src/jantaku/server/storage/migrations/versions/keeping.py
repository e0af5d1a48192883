"""The days that kinds of data are kept, where an administrator has changed them."""

import sqlalchemy as sa
from alembic import op

revision = "r18"
down_revision = "r17"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; without rows all is kept as ever."""
    op.create_table(
        "keeping",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keeping"),
    )


def downgrade() -> None:
    """Remove it again."""
    op.drop_table("keeping")

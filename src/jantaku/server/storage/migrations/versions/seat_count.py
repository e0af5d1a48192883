"""How many seats a table has."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; every existing table has four seats."""
    op.add_column("tables", sa.Column("seat_count", sa.SmallInteger(), nullable=False, server_default="4"))


def downgrade() -> None:
    """Remove it again."""
    op.drop_column("tables", "seat_count")

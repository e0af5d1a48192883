"""Whether a person's numbers are public."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody's numbers are public unless they say so."""
    with op.batch_alter_table("people") as table:
        table.add_column(sa.Column("numbers_shown", sa.SmallInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Remove it again."""
    with op.batch_alter_table("people") as table:
        table.drop_column("numbers_shown")

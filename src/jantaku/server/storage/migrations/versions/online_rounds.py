"""Tables of the parlour that stand for a table of a round, and tables that a referee has halted."""

import sqlalchemy as sa
from alembic import op

revision = "r9"
down_revision = "r8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    with op.batch_alter_table("tables") as table:
        table.add_column(sa.Column("round", sa.Integer()))
        table.add_column(sa.Column("round_table", sa.Integer()))
        table.add_column(sa.Column("halted", sa.Boolean(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Remove them again."""
    with op.batch_alter_table("tables") as table:
        for name in ("round", "round_table", "halted"):
            table.drop_column(name)

"""What each process does, since when it lives, and how much it has."""

import sqlalchemy as sa
from alembic import op

revision = "r13"
down_revision = "r12"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and find the seats of a person."""
    op.create_index("ix_seats_person", "seats", ["person"])
    op.add_column("processes", sa.Column("role", sa.String(length=8), nullable=False, server_default="all"))
    op.add_column("processes", sa.Column("tables", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("processes", sa.Column("began", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Remove them again."""
    op.drop_index("ix_seats_person", "seats")
    with op.batch_alter_table("processes") as table:
        for name in ("role", "tables", "began"):
            table.drop_column(name)

"""The processes that serve the database, and which of them has each table."""

import sqlalchemy as sa
from alembic import op

revision = "r8"
down_revision = "r7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the columns."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("alone", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.add_column("tables", sa.Column("process", sa.String(length=16), nullable=True))
    op.add_column("tables", sa.Column("fence", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Remove them again."""
    with op.batch_alter_table("tables") as table:
        table.drop_column("process")
        table.drop_column("fence")
    op.drop_table("processes")

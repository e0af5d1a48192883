"""Reserves with the moves, owners of uploads, and a row for test writes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the new tables and columns; existing data stays as it is."""
    op.add_column("actions", sa.Column("bank", sa.Integer(), nullable=True))
    op.add_column("uploads", sa.Column("person", sa.String(length=16), nullable=True))
    op.create_index("ix_uploads_person", "uploads", ["person"], unique=False)
    op.create_index("ix_rulesets_person", "rulesets", ["person"], unique=False)
    op.create_table(
        "pulse",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("pulse")
    op.drop_index("ix_rulesets_person", "rulesets")
    op.drop_index("ix_uploads_person", "uploads")
    op.drop_column("uploads", "person")
    op.drop_column("actions", "bank")

"""Codes with which people come back to their accounts without a password."""

import sqlalchemy as sa
from alembic import op

revision = "r3"
down_revision = "r2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "recovery_codes",
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_recovery_codes_person"),
        sa.PrimaryKeyConstraint("code", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_person", "recovery_codes", ["person"])


def downgrade() -> None:
    """Remove it again."""
    op.drop_table("recovery_codes")

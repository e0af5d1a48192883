"""Finished hands as they were played."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; the hands of existing games are filled in when they are next read."""
    op.create_table(
        "hands",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("log", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_hands_game"),
        sa.PrimaryKeyConstraint("game", "number", name="pk_hands"),
    )


def downgrade() -> None:
    """Remove it again."""
    op.drop_table("hands")
